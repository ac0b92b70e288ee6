"""A run of the laws: profiles, the cache that its processes share, and a line for each kind of test that was not run.

A plugin of pytest, for the laws alone (``pubdice game check``) and for all tests of a clone (its ``conftest.py``).

PUBDICE_PROFILE=nightly runs the long tests and 1,000 examples a law; otherwise the default ones run, with 40. A law
that is run for every game (and its options, or dice) shares MOST_OF_A_LAW examples among them, so that the time of a
law does not grow with each game of the house. Where PUBDICE_CI is set, nothing may be skipped; long runs are left out.
"""

import fcntl
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from hypothesis.errors import InvalidArgument

from support.profiles import NIGHTLY, PROFILE

pytest.register_assert_rewrite("oracles.compare", "oracles.equation")

LEFT = pytest.StashKey[int]()
"""How many tests are left to the night."""
SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
if not IS_WORKER:
    os.environ["PUBDICE_CACHE"] = tempfile.mkdtemp(prefix="pubdice-cache-")
    # Solutions and compiled code of this run: found by its workers, who inherit the name, and by no other run.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Where it is set, each of some 500 houses and commands would compile the house again: 1.5 s of processor, not 0.5.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Its threads wait for each other by turning in a loop: with two, a race at 420 took 0.72 s of processor, not 0.05.
sys.dont_write_bytecode = False
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell starts what it runs in the background so, and every house would inherit it: none could be interrupted.
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "default", max_examples=40, derandomize=True, deadline=None, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "nightly", max_examples=1_000, deadline=None, print_blob=True, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile(PROFILE)
MOST_OF_A_LAW = 3_000 if NIGHTLY else 100


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", help="try this game alone, and tell in sentences what is found (pubdice game check)")
    parser.addoption("--game-folder", help="the folder of its package")
    parser.addoption("--until", type=float, help="when that must be over, in seconds since 1970")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--game"):
        from one_game.told import OneGame  # noqa: PLC0415 - for a run of its own

        config.pluginmanager.register(OneGame(config))


def _share_examples(items: list[pytest.Item]) -> None:
    """Give each variant of a law its share of examples; a law with settings of its own keeps them."""
    variants: dict[object, list[pytest.Item]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
            variants.setdefault(item.obj, []).append(item)
    for law, runs in variants.items():
        share = max(1, MOST_OF_A_LAW // len(runs))
        if share < settings.get_profile(PROFILE).max_examples and callable(law):
            with suppress(InvalidArgument):  # it has settings already
                settings(max_examples=share)(law)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    _share_examples(items)


@pytest.hookimpl(trylast=True, specname="pytest_collection_modifyitems")
def pytest_left_to_the_night(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long runs, of what ``-k`` and ``-m`` have left in."""
    if not NIGHTLY:
        long, others = list[pytest.Item](), list[pytest.Item]()
        for item in items:
            (others if item.get_closest_marker("nightly") is None else long).append(item)
        config.hook.pytest_deselected(items=long)
        config.stash[LEFT] = len(long)
        items[:] = others


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """One process collects first: it compiles the tests, which takes as long as to collect compiled ones.

    Collecting makes objects that stay, so the collector of garbage would look at all of them again and again.
    """
    gc.disable()
    try:
        with (Path(os.environ["PUBDICE_CACHE"]) / "collecting.lock").open("a+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.seek(0)
            if not IS_WORKER or lock.read():
                fcntl.flock(lock, fcntl.LOCK_UN)
            found = yield
            lock.write("collected")
            return found
    finally:
        gc.enable()


def _freeze() -> None:
    """Leave what is loaded by now out of every later collection: they took 0.2 s each, at the end of each house."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)  # after 700 objects, as is usual, a twentieth of the processor's time


def pytest_collection_finish() -> None:
    _freeze()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """After a file of tests too: graphs and solutions that it left in caches are as many objects again."""
    if nextitem is not None and nextitem.path != item.path:
        _freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear how many tests a process left to the night: each finds the same."""
    left = getattr(node, "workeroutput", {}).get("left", 0)  # nothing of one that died
    node.config.stash[LEFT] = max(left, node.config.stash.get(LEFT, 0))


def _skipped(reporter: pytest.TerminalReporter) -> Counter[str]:
    """How many tests were skipped for each reason."""
    reports = reporter.stats.get("skipped", [])
    return Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left = terminalreporter.config.stash.get(LEFT, 0)
    for reason, times in (*sorted(_skipped(terminalreporter).items()), ("long runs, left to `make nightly`", left)):
        if times:
            terminalreporter.write_line(f"{times} not run: {reason}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left"] = session.config.stash.get(LEFT, 0)
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("PUBDICE_CI") and reporter is not None and session.exitstatus == 0 and _skipped(reporter):
        reporter.write_line(f"not skipped in CI: {sorted(_skipped(reporter))}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure() -> None:
    if not IS_WORKER:
        shutil.rmtree(os.environ["PUBDICE_CACHE"], ignore_errors=True)
