"""Limits in processor time, so a law does not fail on a busy machine."""

import gc
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

MOST_S = 60
"""Most processor time to solve one match, in seconds. The slowest match of the house takes a few."""
BUDGET_S = 10
"""Processor time for all matches of one game that a law solves, in seconds. The house's games take half of it."""
SOON_S = 0.01
Way = TypeVar("Way")


class TooSlow(AssertionError):
    """A match was not solved in time."""


@contextmanager
def within(seconds: float, what: str) -> Iterator[None]:
    """Limit the processor time of a block, in seconds. Raises TooSlow, which names ``what``."""

    def late(_: int, at: FrameType | None) -> None:
        if _is_collecting(at):  # Python would drop the error and report a fault
            signal.setitimer(signal.ITIMER_PROF, SOON_S)
            return
        raise TooSlow(f"{what}: not solved within {seconds:g} s; raise Unsolved for what is too large")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _is_collecting(at: FrameType | None) -> bool:
    """True if the code that runs is a callback of the garbage collector. Hypothesis has one."""
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while at:
        if at.f_code in callbacks:
            return True
        at = at.f_back
    return False


def solved_in_budget(ways: Iterable[Way], solve: Callable[[Way], bool], name: Callable[[Way], str]) -> list[Way]:
    """Solve these ways to play one after another within BUDGET_S, and return the solved ones.

    The first may take MOST_S, and raises TooSlow if that is not enough. If the budget ends before a later one is
    solved, its name is added to ``left_out``, for the nightly run.
    """
    found, begun, is_over = list[Way](), time.process_time(), False
    for way in ways:
        left = begun + BUDGET_S - time.process_time()
        try:
            if found and (is_over or left <= 0):
                raise TooSlow
            with within(left if found else MOST_S, name(way)):
                is_solved = solve(way)
        except TooSlow:
            if not found:
                raise
            is_over = True
            left_out.append(name(way))
        else:
            found += [way] if is_solved else []
    return found


left_out: list[str] = []
"""Ways to play left to the nightly run since the last law was tried. ``one_game/told.py`` reports them."""
