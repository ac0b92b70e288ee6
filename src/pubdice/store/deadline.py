"""One deadline for the end of a process. Each step of the shutdown gets the time left, not a time of its own."""

import threading
import time
from collections.abc import Callable

ENDS_WITHIN_S = 14.0
"""The seconds from SIGTERM to the end: one less than the pages promise, and six less than units and containers wait."""


class Deadline:
    """The deadline of a process that was told to end. Before ``begin``, each step has its full time.

    ``clock`` is a monotonic clock in seconds. ``end`` is called in a thread of its own when the time is over. A read
    that a frozen database never answers cannot be stopped, and Python would wait for its thread before the process
    ends.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, end: Callable[[], object] | None = None) -> None:
        self._clock, self._end, self._until = clock, end, float("inf")

    def begin(self, within_s: float = ENDS_WITHIN_S) -> None:
        """Starts the deadline when the process is told to end. A second call adds no time."""
        if self._until == float("inf"):
            self._until = self._clock() + within_s
            if self._end is not None:
                threading.Thread(target=self._enforce, args=(self._end,), name="pubdice-deadline", daemon=True).start()

    def left(self, most_s: float) -> float:
        """The seconds left for a step that takes at most ``most_s``. 0.0 when the time is over."""
        return max(0.0, min(most_s, self._until - self._clock()))

    def _enforce(self, end: Callable[[], object]) -> None:
        while left := self.left(ENDS_WITHIN_S):
            time.sleep(left)
        end()
