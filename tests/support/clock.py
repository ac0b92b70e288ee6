"""A clock that stands still unless a test moves it. Knows no house."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import ceil


class Timer:
    """Something to be done later."""

    def __init__(self, due: float, do: Callable[[], None]) -> None:
        self.due, self.do, self.cancelled = due, do, False

    def cancel(self) -> None:
        self.cancelled = True


class Lifetime:
    """The clock of one run of the house: what it was to do later is forgotten when it ends, the time is not."""

    def __init__(self, now: int) -> None:
        self.ms = now
        self.over = False
        self._timers: list[tuple[float, int, Timer]] = []
        self._numbers = count()

    def now(self) -> int:
        return self.ms

    def after(self, delay_s: float, do: Callable[[], None]) -> Timer:
        timer = Timer(self.ms + round(1000 * delay_s, 3), do)
        if not self.over:
            heappush(self._timers, (timer.due, next(self._numbers), timer))
        return timer

    def next(self, until: int) -> Timer | None:
        """The next thing that is due by then; the time is then what it was due at."""
        while self._timers and self._timers[0][0] <= until:
            timer = heappop(self._timers)[2]
            if not timer.cancelled:
                self.ms = max(self.ms, ceil(timer.due))
                return timer
        return None

    @property
    def waiting(self) -> int:
        """How many timers are still running."""
        return sum(not timer.cancelled for _, _, timer in self._timers)
