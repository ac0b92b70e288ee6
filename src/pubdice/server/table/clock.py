"""The clock of a house: the time, and timers. A running house has the machine's time and the event loop's timers."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol


class Clock(Protocol):
    """Time, as a house is given it."""

    def now(self) -> int:
        """The time in milliseconds since 1970."""

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Call ``do`` after some seconds; the timer returned has a ``cancel``."""


class LoopClock:
    """The time by ``time_ns`` (ns since 1970), and the timers of the running event loop."""

    def __init__(self, time_ns: Callable[[], int]) -> None:
        self._time_ns = time_ns
        self._loop = asyncio.get_running_loop()

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return self._time_ns() // 1_000_000

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Call ``do`` after some seconds; the timer returned has a ``cancel``."""
        return self._loop.call_later(delay_s, do)
