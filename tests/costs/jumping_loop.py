"""An event loop whose time is counted and not waited for."""

import asyncio
import selectors
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from costs.counting import WAKE_UPS

WAIT_S = 0.05


def woken_for(do: Any) -> str:
    """The name of what a timer was set for, among a cost's functions."""
    do = getattr(do, "func", do)
    return f"{WAKE_UPS}{do.__module__.removeprefix('pubdice.')}.{do.__qualname__}"


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time stands still while it works, and jumps where it would sleep for ``jumps`` s at most.

    woken: how often it did, by what for; a coroutine that sleeps is one of asyncio's. While a thread works for it, or
    another does by ``is_busy``, as the store's, no time goes by.
    """

    def __init__(self) -> None:
        super().__init__(_Jumping(self))
        self.jumped_s, self.woken, self.jumps = 0.0, Counter[str](), 0.0
        self._results: list[asyncio.Future[Any]] = []
        self.is_busy: Callable[[], bool] = lambda: False

    def time(self) -> float:
        """The time: it goes on by jumps alone."""
        return self.jumped_s

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """Run something in a thread. What that takes is counted, so this calls nothing else that would be."""
        future = super().run_in_executor(executor, func, *args)
        self._results.append(future)
        return future

    @property
    def in_threads(self) -> bool:
        """Whether a thread works for the loop, or its result is on its way."""
        self._results = [result for result in self._results if not result.done()]
        return bool(self._results)


class _Jumping(selectors.DefaultSelector):
    def __init__(self, loop: JumpingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        if timeout == 0:
            return super().select(0)
        if self._loop.in_threads or self._loop.is_busy() or timeout is None or timeout > self._loop.jumps:
            return super().select(WAIT_S)
        found = super().select(0)
        if not found:
            self._loop.jumped_s += timeout
            self._loop.woken[woken_for(cast("Any", self._loop)._scheduled[0]._callback)] += 1
        return found
