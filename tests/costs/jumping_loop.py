"""An event loop whose time is counted and not waited for."""

import asyncio
import selectors
from collections import Counter
from typing import Any, cast

from costs.idle import woken_for

WAIT_S = 0.05


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time stands still while it works, and jumps where it would sleep for ``jumps`` s at most.

    woken: how often it did, by what for; a coroutine that sleeps is one of asyncio's.
    """

    def __init__(self) -> None:
        super().__init__(_Jumping(self))
        self.jumped_s, self.woken, self.in_threads, self.jumps = 0.0, Counter[str](), 0, 0.0

    def time(self) -> float:
        """The time: it goes on by jumps alone."""
        return self.jumped_s

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """Run something in a thread; no time goes by meanwhile."""
        self.in_threads += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._back)
        return future

    def _back(self, _: object) -> None:
        self.in_threads -= 1


class _Jumping(selectors.DefaultSelector):
    def __init__(self, loop: JumpingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        if timeout == 0:
            return super().select(0)
        if self._loop.in_threads or timeout is None or timeout > self._loop.jumps:
            return super().select(WAIT_S)
        found = super().select(0)
        if not found:
            self._loop.jumped_s += timeout
            self._loop.woken[woken_for(cast("Any", self._loop)._scheduled[0]._callback)] += 1
        return found
