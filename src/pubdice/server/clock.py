"""The clock of a running house: the machine's time, and its event loop's patience."""

import asyncio
from collections.abc import Callable
from typing import Any


class LoopClock:
    """Time by a given source of ns since 1970; later by the loop that is running."""

    def __init__(self, time_ns: Callable[[], int]) -> None:
        self._time_ns = time_ns
        self._loop = asyncio.get_running_loop()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self._time_ns() // 1_000_000

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Do something later; the answer has a ``cancel``."""
        return self._loop.call_later(delay_s, do)
