"""A house's start: it loads before the first visitor all that the first request of a kind needs."""

import json
import os
import subprocess
import sys
from pathlib import Path

from support.paths import PATHS, TESTS

HEAVY = ("numpy", "numba", "scipy")


def test_the_houses_process_imports_no_solver() -> None:
    """Solvers have processes of their own. Numpy here would cost each house 14 MB and 0.15 s at its start."""
    told = f"import sys, pubdice.server.cli; print(*[name for name in {HEAVY} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


TOLD_EARLY = """
import os, signal, sys
from pubdice import cli
from pubdice.server import serve

def told(most):
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGTERM)

serve.allow_files = told
sys.exit(cli.main(["serve", "--port", "0", "--data", sys.argv[1]]))
"""


def test_a_house_told_to_end_while_it_starts_ends_well(tmp_path: Path) -> None:
    """Its files are open, and uvicorn has not begun."""
    ended = subprocess.run(
        [sys.executable, "-c", TOLD_EARLY, str(tmp_path / "house.db")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (tmp_path / "house.db").exists()
    assert not (tmp_path / "house.db-wal").exists(), "it was closed"


MOST_CALLS = 20_000
"""Python calls of a first request in the event loop: some 5 ms, in which all tables wait."""


def test_the_first_request_of_a_route_imports_nothing() -> None:
    command = [sys.executable, "-m", "server.first_requests"]
    environ = {**os.environ, "PYTHONPATH": PATHS}
    done = subprocess.run(command, cwd=TESTS, env=environ, capture_output=True, text=True, check=True, timeout=300)
    found = json.loads(done.stdout)
    assert {"/", "/ask/midnight", "/prices/ship", "/daily", "/night", "/book", "/t/AAAAAA/receipt"} <= found.keys()
    assert {target: each["loaded"] for target, each in found.items() if each["loaded"]} == {}
    assert {target: each["calls"] for target, each in found.items() if each["calls"] > MOST_CALLS} == {}
