"""A clock that all processes of a house share, independent of each machine's own clock."""

import asyncio
from collections.abc import Callable
from typing import Any

from pubdice.server.table.services import Clock

QUICK_MS = 200
"""If an answer took more milliseconds than this, it is too inexact to set the clock."""
TRIES = 5
"""The most requests for the shared time at the start. A quick answer ends them sooner."""


class SharedClock:
    """A clock that shows the shared time. Its timers run on this machine's own clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._loop = clock, asyncio.get_running_loop()
        self._zero_ms = clock.now() - self._monotonic_ms()

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Call ``do`` after ``delay_s`` seconds. The returned timer has a method ``cancel``."""
        return self._clock.after(delay_s, do)

    def now(self) -> int:
        """Return the shared time, in milliseconds since 1970."""
        return self._zero_ms + self._monotonic_ms()

    def begin(self, ask: Callable[[], int]) -> None:
        """Set this clock for the first time. ``ask`` returns the shared time in milliseconds since 1970. The quickest
        of ``TRIES`` answers is used even if it is slow, since this machine's own clock may be hours off.
        """
        best: tuple[int, int] | None = None
        for _ in range(TRIES):
            asked_at = self.now()
            shared_ms, took = ask(), self.now() - asked_at
            if best is None or took < best[0]:
                best = took, shared_ms - (asked_at + took // 2)
            if took <= QUICK_MS:
                break
        if best is not None:
            self._zero_ms += best[1]

    def follow(self, shared_ms: int, asked_at: int) -> None:
        """Set this clock by an answer of the database. The shared time was ``shared_ms`` at some moment between
        ``asked_at`` (by this clock) and now.
        """
        took = self.now() - asked_at
        if took <= QUICK_MS:
            off = shared_ms - (asked_at + took // 2)
            self._zero_ms += off if abs(off) > took else 0

    def _monotonic_ms(self) -> int:
        return int(1000 * self._loop.time())
