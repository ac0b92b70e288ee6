"""Time limits that count processor time, so a law does not fail on a busy machine."""

import gc
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import TypeVar

MOST_S = 60
"""The most processor time to solve one match, in seconds. The slowest match of the house takes a few."""
BUDGET_S = 10
"""The processor time to solve all matches of one game in a law, in seconds. The house's games take half of it."""
SOON_S = 0.01
IMPORTS = "<frozen importlib._bootstrap>"
"""The file of Python's own code that imports a module."""
Way = TypeVar("Way")


class TooSlow(BaseException):
    """The error of a match that was not solved in time. The guard of installed games lets it pass (``guarded.py``)."""


@contextmanager
def within(seconds: float, what: str) -> Iterator[None]:
    """Limit the processor time of a block, in seconds. Raises TooSlow, which names ``what``.

    An import under way ends first, within MOST_S more.
    """

    def late(_: int, at: FrameType | None) -> None:
        # Python drops an error in a callback of its collector, and reports a fault. An interrupted import would leave
        # half a module in the whole process, such as numba, which comes with the first large match. So try again soon
        if is_collecting(at) or (_is_importing(at) and time.process_time() < last):
            signal.setitimer(signal.ITIMER_PROF, SOON_S)
            return
        raise TooSlow(f"{what}: not solved within {seconds:g} s; raise Unsolved for what is too large")

    last = time.process_time() + seconds + MOST_S
    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def is_collecting(at: FrameType | None) -> bool:
    """Return True if a callback of the garbage collector runs at this frame. Hypothesis installs such a callback."""
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    return any(code in callbacks for code in _codes(at))


def _is_importing(at: FrameType | None) -> bool:
    """Return True if a module is being imported at this frame."""
    return any(code.co_filename == IMPORTS for code in _codes(at))


def _codes(at: FrameType | None) -> Iterator[CodeType]:
    """Yield the code of a frame and of its callers."""
    while at:
        yield at.f_code
        at = at.f_back


def solved_in_budget(ways: Iterable[Way], solve: Callable[[Way], bool], name: Callable[[Way], str]) -> list[Way]:
    """Solve ways to play (cases with a number of seats) one after another within BUDGET_S, and return the solved ones.

    The first way may take MOST_S. If that is not enough, this raises TooSlow. If the budget ends before a later way is
    solved, the name of that way is added to ``left_out``, and only the nightly run tries it.
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
"""Ways to play that were not solved since the last law, and that only the nightly run tries. ``one_game/told.py``
reports them."""
