"""A pytest plugin for the laws (tests that run over every game). It sets the Hypothesis profiles, makes a cache that
all workers share, and reports the tests that were not run.

``pubdice game check`` loads the plugin for the laws alone. A clone's ``conftest.py`` loads it for all tests.

By default a law runs 40 examples. If PUBDICE_PROFILE=nightly, it runs 1,000, and the long tests run too. A law may run
once for each game, and for each option or kind of dice. Then all of its runs share MOST_OF_A_LAW examples, so its time
does not grow with the number of games. If PUBDICE_CI is set, a skipped test fails the run. Long tests may be left out
even then.
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

pytest.register_assert_rewrite("laws", "oracles", "raised", "room", "sentences")

LEFT = pytest.StashKey[int]()
ONE_CAUSE = "for the cause that another test names"
"""The reason why a test is skipped that would fail for the cause of another: a sentence without a translation, or a
golden record that is not written. Such a skip fails no run. The other test does."""
SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
if not IS_WORKER:
    os.environ["PUBDICE_CACHE"] = tempfile.mkdtemp(prefix="pubdice-cache-")
    # The folder holds solutions and compiled code of this run. Its workers inherit the folder's name. Other runs do not
    # see it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # If the variable were set, each of some 500 server and command processes would compile the house again. That takes
    # 1.5 s of processor time instead of 0.5 s.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # OpenBLAS threads busy-wait for each other. With two threads, a race at 420 took 0.72 s of processor time instead
    # of 0.05 s.
sys.dont_write_bytecode = False
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell starts background jobs with SIGINT ignored. Every server process would inherit that, and Ctrl-C could not
    # end it.
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
    """Divide the examples of a law among its runs (one for each game, option or kind of dice). A law with settings of
    its own keeps them.
    """
    variants: dict[object, list[pytest.Item]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
            variants.setdefault(item.obj, []).append(item)
    for law, runs in variants.items():
        share = max(1, MOST_OF_A_LAW // len(runs))
        if share < settings.get_profile(PROFILE).max_examples and callable(law):
            with suppress(InvalidArgument):  # raised if the law has settings of its own
                settings(max_examples=share)(law)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    _share_examples(items)


@pytest.hookimpl(trylast=True, specname="pytest_collection_modifyitems")
def pytest_left_to_the_night(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the long tests, unless this run is nightly. This comes after ``-k`` and ``-m``, so only tests that these
    options select are counted.
    """
    if not NIGHTLY:
        long, others = list[pytest.Item](), list[pytest.Item]()
        for item in items:
            (others if item.get_closest_marker("nightly") is None else long).append(item)
        config.hook.pytest_deselected(items=long)
        config.stash[LEFT] = len(long)
        items[:] = others


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let one process collect the tests before the other processes do, because it compiles them. Then collecting takes
    the other processes half as long.

    The garbage collector is off meanwhile. It would scan the collected objects again and again, although all of them
    stay.
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
    """Exclude all loaded objects from later garbage collections. Otherwise a collection takes 0.2 s at the end of each
    house in a test.
    """
    gc.collect()
    gc.freeze()
    # at the usual threshold of 700 objects, collecting takes a twentieth of the processor's time
    gc.set_threshold(20_000)


def pytest_collection_finish() -> None:
    _freeze()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Freeze again after each file of tests, because the cached graphs and solutions of the file double the number of
    objects.
    """
    if nextitem is not None and nextitem.path != item.path:
        _freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Read the number of tests that a worker left to the nightly run. All workers report the same number."""
    left = getattr(node, "workeroutput", {}).get("left", 0)  # a worker that died has no output
    node.config.stash[LEFT] = max(left, node.config.stash.get(LEFT, 0))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that failed only because a language lacks a sentence (a strict catalogue raises KeyError)."""
    report = yield
    if report.failed and call.excinfo is not None and _is_untranslated(call.excinfo.value):
        report.outcome, report.longrepr = "skipped", (report.location[0], report.location[1] or 0, ONE_CAUSE)
    return report


def _is_untranslated(error: BaseException) -> bool:
    if not isinstance(error, KeyError) or not error.args:
        return False
    from pubdice.text.catalogues import CODES  # noqa: PLC0415 - needed after a failure only
    from untranslated import untranslated  # noqa: PLC0415

    return any(error.args[0] in keys for code in CODES[1:] for keys in untranslated(code).values())


def _skipped(reporter: pytest.TerminalReporter) -> Counter[str]:
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
    if not os.environ.get("PUBDICE_CI") or reporter is None or session.exitstatus != 0:
        return
    if skipped := _skipped(reporter).keys() - {ONE_CAUSE}:
        reporter.write_line(f"not skipped in CI: {sorted(skipped)}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure() -> None:
    if not IS_WORKER:
        shutil.rmtree(os.environ["PUBDICE_CACHE"], ignore_errors=True)
