"""One deadline for the end of a process. Each step of the shutdown gets the time left, not a time of its own."""

import threading
import time
from collections.abc import Callable

ENDS_WITHIN_S = 14.0
"""The seconds from SIGTERM to the end of the process.

They are one less than the pages promise, and six less than systemd units and containers wait before they kill.
"""


class Deadline:
    """The deadline of a process that was told to end. Before ``begin``, each step has its full time.

    ``clock`` is a monotonic clock in seconds. When the time is over, ``end`` is called in a thread of its own. It must
    end the process by force: a read from a frozen database cannot be stopped, and Python would wait for the read's
    thread.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, end: Callable[[], object] | None = None) -> None:
        self._clock, self._end, self._until = clock, end, float("inf")

    def begin(self, within_s: float = ENDS_WITHIN_S) -> None:
        """Start the deadline, because the process is told to end. A second call adds no time."""
        if self._until == float("inf"):
            self._until = self._clock() + within_s
            if self._end is not None:
                threading.Thread(target=self._enforce, args=(self._end,), name="pubdice-deadline", daemon=True).start()

    def left(self, most_s: float) -> float:
        """Return the seconds left for a step that takes at most ``most_s``. Once the time is over, return 0.0."""
        return max(0.0, min(most_s, self._until - self._clock()))

    def _enforce(self, end: Callable[[], object]) -> None:
        while left := self.left(ENDS_WITHIN_S):
            time.sleep(left)
        end()
