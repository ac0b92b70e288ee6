"""What the tests of this repository need besides a run of the laws: options, the list for the night, databases."""

import os
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import pytest

from support.profiles import NIGHTLY

pytest_plugins = ("law_plugin", "support.async_tests", "support.patience")
AT_NIGHT = Path(__file__).with_name("tests") / "at_night.txt"
MOST_OF_SOME_FILES = 20_000
"""A run of more cases than this is a night's run of all tests."""
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
PROCESSES = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
WAITING = (
    "packages/cluster/tests/cluster/",
    "packages/cluster/tests/test_two_processes.py",
    "tests/browser/test_without_javascript.py",
    "tests/faults/test_house_streams.py",
    "tests/server/run/test_uvicorn_protocol.py",
    "tests/server/table/test_unstored.py",
)
"""Tests that take 5 to 45 s, and next to nothing of the processor."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate", action="store_true", help="rewrite the golden records and published counts, and don't compare"
    )
    parser.addoption("--write-costs", action="store_true", help="lower what tests/costs counts, and write new deeds")


def pytest_configure(config: pytest.Config) -> None:
    every = config.getoption("durations") is not None or config.getoption("testmon", default=False)
    if hasattr(config, "workerinput") and not every and not config.getoption("--game"):
        from support import few_reports  # noqa: PLC0415 - pytest's own reports tell how long each part took

        config.pluginmanager.register(few_reports)


def _left_to_the_night(items: list[pytest.Item]) -> None:
    """Mark the cases of the list. A night's run of all tests fails for a line that names none, as it does nothing."""
    at_night = {line for line in AT_NIGHT.read_text().splitlines() if not line.startswith("#")}
    found = set[str]()
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        if named := at_night & {name, name.partition("[")[0]}:
            item.add_marker("nightly")
            found |= named
    gone = sorted(line for line in at_night - found if Path(*line.split("/")[:2]).exists() or line[:9] != "packages/")
    if NIGHTLY and len(items) > MOST_OF_SOME_FILES and gone:
        raise pytest.UsageError(f"tests/at_night.txt names no test: {gone}")


def _waiting_first(items: list[pytest.Item]) -> None:
    """Give what waits for clocks and databases to one process in four, at its beginning.

    Left to the end they would keep one core idle, and begun by all processes at once they would keep both. Whole files,
    as tests of a file share a house; each process begins with a part of the list (``--dist worksteal``).
    """
    waiting: dict[Path, list[pytest.Item]] = {}
    others: list[pytest.Item] = []
    for item in items:
        if item.nodeid.startswith(WAITING):
            waiting.setdefault(item.path, []).append(item)
        else:
            others.append(item)
    files, left = list(waiting.values()), iter(others)
    share, waiters = -(-len(items) // PROCESSES), -(-PROCESSES // 4)
    items.clear()
    for process in range(PROCESSES):
        mine = [item for file in files[process::waiters] for item in file] if process < waiters else []
        items += [*mine, *islice(left, max(0, share - len(mine)))]
    items += left


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    if not config.getoption("--game"):  # a single game is tried whole
        _left_to_the_night(items)
    yield
    if IS_WORKER:
        _waiting_first(items)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Without Playwright, which make .venv/.dev installs, no file is collected that imports it, but for what asks."""
    if find_spec("playwright") is not None or collection_path.suffix != ".py":
        return None
    text = collection_path.read_bytes()
    return (b"\nfrom playwright" in text and b"importorskip" not in text) or None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Of the tests' own files few have doctests; to look for some in all takes a tenth of the time of collecting."""
    found = yield
    if b">>>" in file_path.read_bytes():
        return found
    return [collector for collector in found if type(collector).__name__ != "DoctestModule"]


@pytest.fixture
def regenerate(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--regenerate"))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server for this run."""
    support = pytest.importorskip("support.postgres", reason="the annex cluster is not here")
    with support.postgres_running() as address:
        yield address


@pytest.fixture
def empty_database(postgres_server: str) -> Iterator[str]:
    """The address of a database with nothing in it."""
    from support.postgres import database  # noqa: PLC0415 - an annex's

    with database(postgres_server) as address:
        yield address
