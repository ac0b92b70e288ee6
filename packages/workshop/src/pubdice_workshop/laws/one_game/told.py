"""A pytest plugin for one game (``pubdice game check``). It selects the tests about the game, limits their time and
reports their faults.

The option ``--game`` loads it. It deselects tests about other games, and names the tests that there was no time for. It
reports each fault as a sentence (the law) and the values that broke the law.

When the time is over, an alarm ends the test that runs. But an alarm cannot interrupt compiled code of a solver, or the
collection of tests. In that case the process that distributes the tests reports what it knows GRACE_S later, and exits.
"""

import functools
import os
import re
import signal
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from laws.time_limit import is_collecting, left_out
from one_game.broken import fault as text_of_fault
from pubdice_workshop.check import END, LATE, TOLD

LOOKED = "    It looked at"
"""The start of a fault without a sentence of its own. Other faults are told once, with all laws that say the same."""
LEFT_OUT = "left out"
NOT_TRIED = "not tried: the time was over"
AGAIN_S = 0.2
"""The time in seconds between two attempts to end a test."""
GRACE_S = 2.0
"""The time in seconds between the end of the check's time and the end of the process, if a test cannot be
interrupted."""


class OneGame:
    """The run of the tests about one game. Its worker processes read the game, its folder and the end of the time from
    environment variables.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.name = str(config.getoption("--game"))
        os.environ["PUBDICE_ONE_GAME"] = self.name
        if folder := config.getoption("--game-folder"):
            os.environ["PUBDICE_ONE_GAME_FOLDER"] = str(Path(folder).resolve())
        self.until = float(config.getoption("--until") or time.time() + 600)
        self.begun = time.time()
        self._all: set[str] = set()
        self._broken: list[Exception] = []
        self._last = threading.Timer(max(0.0, self.until + GRACE_S - time.time()), self._end, [config])
        self._last.daemon = True
        if not hasattr(config, "workerinput"):
            self._last.start()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._all |= {item.nodeid for item in session.items}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self._all |= set(ids)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep the tests about this game: first the tests of its folder, then quick ones, then slow ones."""
        kept = [item for item in items if self._is_about(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = sorted(
            kept, key=lambda item: ("one_game/" not in item.nodeid, any(part in item.nodeid for part in SLOW))
        )

    def _is_about(self, item: pytest.Item) -> bool:
        if "one_game/" in item.nodeid:
            return True
        spoken = "test_languages" in item.nodeid
        if spoken and not list(_folder().glob("*.po")):
            return False
        values = (
            item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
        )
        return any(_names(value) == self.name for value in values)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """End a test when the time is over. If the test has found a fault by then, and is only looking for a smaller
        example, it fails.
        """
        self._broken.clear()
        if self.until - time.time() < 1:
            pytest.skip(NOT_TRIED)
        with self._alarm(), self._watched(item):
            try:
                return (yield)
            except pytest.skip.Exception as late:
                raise (self._broken[-1] if self._broken else late) from None

    @contextmanager
    def _alarm(self) -> Iterator[None]:
        if not hasattr(signal, "setitimer"):
            yield
            return

        def end(number: int, frame: FrameType | None) -> None:
            if not is_collecting(frame):  # Python would swallow the exception there, and the timer fires again
                pytest.skip(NOT_TRIED)

        before = signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, max(AGAIN_S, self.until - time.time()), AGAIN_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    @contextmanager
    def _watched(self, item: pytest.Item) -> Iterator[None]:
        """Remember the error that broke an example of Hypothesis."""
        handle = getattr(getattr(item, "obj", None), "hypothesis", None)
        if handle is None:
            yield
            return
        inner = handle.inner_test

        def tried(*args: Any, **facts: Any) -> Any:
            try:
                return inner(*args, **facts)
            except Exception as error:
                if not type(error).__module__.startswith("hypothesis."):
                    self._broken.append(error)
                raise

        handle.inner_test = functools.wraps(inner)(tried)
        try:
            yield
        finally:
            handle.inner_test = inner

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        """Say in the report of a file of laws what kept it from being read, such as a game that raises."""
        report = yield
        if report.failed and report.call.excinfo is not None:
            error = report.call.excinfo.value
            cause = error.__cause__ if isinstance(error, collector.CollectError) else None
            report.longrepr = "\n".join(text_of_fault(cause or error))
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
        """Put the text about a broken law into its report. A failure after the end of the time is reported as not
        tried. It need not be a fault: if the alarm comes inside ``__del__``, it looks like one.
        """
        report = yield
        if report.failed and call.excinfo is not None:
            report.longrepr = "\n".join(text_of_fault(call.excinfo.value))
        while left_out:
            item.user_properties.append((LEFT_OUT, left_out.pop()))
        if report.failed and time.time() >= self.until and not self._broken:
            report.outcome, report.longrepr = "skipped", (str(item.path), 0, NOT_TRIED)
        return report

    def _end(self, config: pytest.Config) -> None:
        """Report from a separate thread and end the process, because its tests could not be interrupted."""
        capture: Any = config.pluginmanager.get_plugin("capturemanager")
        reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
        if capture is None or reporter is None:
            return  # here the run has just reported everything itself
        capture.suspend_global_capture()  # otherwise the capture of a running test would take the report
        self._tell(reporter)
        failed = reporter.stats.get("failed") or reporter.stats.get("error")
        reporter.flush()
        os._exit(int(pytest.ExitCode.TESTS_FAILED) if failed else LATE)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        self._last.cancel()
        self._tell(terminalreporter)

    def _tell(self, terminalreporter: Any) -> None:
        write, stats = terminalreporter.write_line, terminalreporter.stats
        write(TOLD)
        known = dict[str, list[str]]()
        for report in (*stats.get("failed", []), *stats.get("error", [])):
            law, *lines = told(report)
            alike = known.setdefault(law if not lines or lines[0].startswith(LOOKED) else lines[0], [])
            alike.append(law.removeprefix("- "))
            if len(alike) == 1:
                for line in (law, *lines):
                    write(line)
        for fault, laws in known.items():
            if len(laws) > 1:
                write(f"{fault.strip()}: so say {len(laws) - 1} laws more: {' '.join(laws[1:])}")
        passed, failed = len(stats.get("passed", [])), len(stats.get("failed", [])) + len(stats.get("error", []))
        late = self._late(terminalreporter)
        seconds = time.time() - self.begun
        write(f"{passed} laws hold, {failed} do not; tried in {seconds:.0f} s.")
        untold = {value for reports in stats.values() for report in reports for value in _left_out(report)}
        if untold:
            write(
                f"Too slow to be solved by default, so that no review of it was looked at: {'; '.join(sorted(untold))}."
            )
        if late:
            untried = "; ".join(sorted({_law(name) for name in late}))
            write(f"{len(late)} were not tried, as the time was over (--within gives them more): {untried}.")
        elif not self._all and not failed:
            write("None was tried, as the time was over while they were being read (--within gives them more).")
        write(END)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Set the exit status to LATE if the run found no fault but did not try all laws."""
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None and session.exitstatus == pytest.ExitCode.OK and self._late(reporter):
            session.exitstatus = LATE

    def _late(self, terminalreporter: Any) -> set[str]:
        """Return the tests that there was no time for: all tests without a result."""
        known = {
            report.nodeid
            for status in ("passed", "failed", "error", "skipped")
            for report in terminalreporter.stats.get(status, [])
            if NOT_TRIED not in str(report.longrepr)
        }
        return self._all - known


def _left_out(report: Any) -> Iterator[str]:
    """Yield the ways to play that a law left to the nightly run."""
    yield from (value for key, value in getattr(report, "user_properties", ()) if key == LEFT_OUT)


SLOW = ("review_laws", "receipt_laws", "whole_matches", "solver_laws")


def _folder() -> Path:
    return Path(os.environ.get("PUBDICE_ONE_GAME_FOLDER", "."))


def _names(value: Any) -> str:
    """Return the name of the game that a test parameter is about, or "" if it is about no game."""
    kit = getattr(value, "kit", value)
    return str(kit if isinstance(kit, str) else getattr(kit, "name", ""))


def _law(nodeid: str) -> str:
    name = re.sub(r"\[.*", "", nodeid.rpartition("::")[2])
    text = name.removeprefix("test_").replace("_", " ")
    return text[:1].upper() + text[1:]


def told(report: Any) -> Iterator[str]:
    """Yield the lines about a fault: the law, its parameters, and what broke it (``broken.py``)."""
    where = re.search(r"\[(.*)\]$", report.nodeid)
    law = _law(report.nodeid) if "::" in report.nodeid else f"The laws of {Path(report.nodeid).name} can be read"
    yield f"- {law}" + (f" [{where[1]}]." if where else ".")
    yield from (f"    {line}" for line in str(report.longrepr).splitlines())
