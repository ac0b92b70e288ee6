"""Limits in time of the processor, so that a busy machine makes no law fail."""

import gc
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

MOST_S = 60
"""Of the processor, for one match to be solved in: the slowest of the house takes a few seconds."""
BUDGET_S = 10
"""For the matches of one game that a law asks to be solved: those of the house take half of it."""
SOON_S = 0.01
Way = TypeVar("Way")


class TooSlow(AssertionError):
    """A match that was not solved in its time."""


@contextmanager
def within(seconds: float, what: str) -> Iterator[None]:
    """Fail after so much time of the processor, and say what it was that took so long. Raises TooSlow."""

    def late(_: int, at: FrameType | None) -> None:
        if _is_collecting(at):  # there it would be ignored, and told as a fault of its own
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
    """Whether what runs is a callback of the garbage collector, such as Hypothesis has."""
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while at:
        if at.f_code in callbacks:
            return True
        at = at.f_back
    return False


def solved_in_budget(ways: Iterable[Way], solve: Callable[[Way], bool], name: Callable[[Way], str]) -> list[Way]:
    """The ways to play that are solved (``solve`` says whether) within BUDGET_S, one after another.

    The first that can be solved may take MOST_S. What is cut off is left to the night, and named in ``left_out``.
    Raises TooSlow for the first.
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
"""The ways to play that were left to the night, since the last law was tried (``one_game/told.py`` tells of them)."""
