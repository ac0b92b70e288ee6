"""The first page of a kind after a start: everything it needs is loaded before, so that it holds nobody up."""

import json
import os
import subprocess
import sys

from support.paths import PATHS, TESTS

MOST_CALLS = 20_000
"""Python calls of a first request in the event loop, where everybody at every table waits for it: some 5 ms."""


def test_the_first_request_of_each_route_imports_nothing_and_compiles_no_template() -> None:
    command = [sys.executable, "-m", "server.first_requests"]
    environ = {**os.environ, "PYTHONPATH": PATHS}
    done = subprocess.run(command, cwd=TESTS, env=environ, capture_output=True, text=True, check=True, timeout=300)
    found = json.loads(done.stdout)
    assert {"/", "/ask/midnight", "/prices/ship", "/daily", "/night", "/book", "/t/AAAAAA/receipt"} <= found.keys()
    assert {target: each["loaded"] for target, each in found.items() if each["loaded"]} == {}
    assert {target: each["calls"] for target, each in found.items() if each["calls"] > MOST_CALLS} == {}
