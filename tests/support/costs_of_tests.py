"""The costs of each test and fixture: `PYTHONPATH=tests pytest -p support.costs_of_tests --costs-of-tests=FILE`.

One JSON list a line: setup, call, teardown or fixture; its name; seconds by the clock; processor seconds of this
process and of all that it started. On a busy machine the clock says nothing, the processor most of it. Linux only.
Where control groups may be made, the kernel counts for this process's group, all it ever started included; elsewhere
/proc tells what still runs, and what was waited for: the renderers that a browser has ended are lost, more than half
of what a test in a browser uses. A fixture counts in the setup of its first test.
"""

import atexit
import json
import os
import resource
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TICKS = os.sysconf("SC_CLK_TCK")


def _running(pid: int) -> float:
    """Processor seconds of a process's children that still run, and of theirs that have ended."""
    seconds = 0.0
    with suppress(OSError):  # one that has ended since: its parent has its time
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                for child in (task / "children").read_text().split():
                    fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                    seconds += sum(map(int, fields[11:15])) / TICKS + _running(int(child))
    return seconds


GROUPS = Path("/sys/fs/cgroup")
COUNTED = (GROUPS / "cpuacct", "cpuacct.usage", 1e9), (GROUPS / "unified", "cpu.stat", 1e6), (GROUPS, "cpu.stat", 1e6)
"""Where control groups are made, the file that counts their processor, and its units a second."""


@cache
def _group() -> Callable[[], float] | None:
    """Processor seconds of a control group of this process's own, or None where none may be made."""
    for root, file, unit in COUNTED:
        group = root / f"costs-of-tests-{os.getpid()}"
        with suppress(OSError):
            if not (root / "cgroup.procs").exists():
                continue
            group.mkdir(exist_ok=True)
            (group / "cgroup.procs").write_text(str(os.getpid()))
            (group / file).read_text()
            atexit.register(_ungroup, group)
            return lambda: int((group / file).read_text().split("\n")[0].split()[-1]) / unit
    return None


def _ungroup(group: Path) -> None:
    with suppress(OSError):  # what it started may still end
        (group.parent / "cgroup.procs").write_text(str(os.getpid()))
        group.rmdir()


def spent() -> tuple[float, float]:
    if group := _group():
        return time.monotonic(), group()
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    used = own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime
    return time.monotonic(), used + _running(os.getpid())


class Costs:
    def __init__(self, file: Path) -> None:
        self.file = file

    def measured(self, part: str, name: str) -> Generator[None, Any, Any]:
        before = spent()
        try:
            return (yield)
        finally:
            costs = [round(after - since, 4) for since, after in zip(before, spent(), strict=True)]
            with self.file.open("a") as file:
                file.write(json.dumps([part, name, *costs]) + "\n")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self.measured("setup", item.nodeid))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self.measured("call", item.nodeid))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self.measured("teardown", item.nodeid))

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, Any, Any]:
        return (yield from self.measured("fixture", f"{request.node.nodeid}::{fixturedef.argname}"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs-of-tests", type=Path, help="append what tests and fixtures cost to this file")


def pytest_configure(config: pytest.Config) -> None:
    if file := config.getoption("--costs-of-tests"):
        config.pluginmanager.register(Costs(file.absolute()))
