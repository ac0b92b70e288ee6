"""One deadline for the end of a process: each step of the shutdown takes what is left of it, not a time of its own."""

import threading
import time
from collections.abc import Callable

ENDS_WITHIN_S = 14.0
"""From SIGTERM to the end: a second less than the pages promise, and six less than units and containers wait."""


class Deadline:
    """The deadline of a process that was told to end. Until it has begun, each step has all of its own time.

    clock: seconds by a clock that nobody sets. end: called once the time is over, in a thread of its own, since
    something may hang by then: a read that a frozen database never answers cannot be stopped, and Python waits for its
    thread before it ends.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, end: Callable[[], object] | None = None) -> None:
        self._clock, self._end, self._until = clock, end, float("inf")

    def begin(self, within_s: float = ENDS_WITHIN_S) -> None:
        """The process was told to end; told again, it has no more time than before."""
        if self._until == float("inf"):
            self._until = self._clock() + within_s
            if self._end is not None:
                threading.Thread(target=self._enforce, args=(self._end,), name="pubdice-deadline", daemon=True).start()

    def left(self, most_s: float) -> float:
        """The seconds left for a step that takes ``most_s`` at most; 0.0 once the time is over."""
        return max(0.0, min(most_s, self._until - self._clock()))

    def _enforce(self, end: Callable[[], object]) -> None:
        while left := self.left(ENDS_WITHIN_S):
            time.sleep(left)
        end()
