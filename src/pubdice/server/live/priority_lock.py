"""A lock with priorities. Does not know what it guards."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count


class PriorityLock:
    """A lock whose waiters go in the order of their ranks, the least first; of equal ranks the longest waiting."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._busy = False

    @property
    def waiting(self) -> int:
        """How many wait for the lock."""
        return len(self._waiting)

    @asynccontextmanager
    async def turn(self, rank: int) -> AsyncIterator[None]:
        """Acquire the lock, and release it at the end of the block."""
        if self._busy:
            waiter = asyncio.get_running_loop().create_future()
            heappush(self._waiting, (rank, next(self._numbers), waiter))
            try:
                await waiter
            except asyncio.CancelledError:
                if waiter.done() and not waiter.cancelled():
                    self._next()
                raise
        self._busy = True
        try:
            yield
        finally:
            self._next()

    def _next(self) -> None:
        while self._waiting:
            waiter = heappop(self._waiting)[2]
            if not waiter.done():
                waiter.set_result(None)
                return
        self._busy = False
