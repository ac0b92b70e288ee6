"""Who waits for something that one has at a time. Knows not what for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count


class Turns:
    """One at a time: the least rank goes first, and of equal ranks the one that has waited longest."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._busy = False

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def turn(self, rank: int) -> AsyncIterator[None]:
        """Wait for one's turn, and have it."""
        if self._busy:
            mine = asyncio.get_running_loop().create_future()
            heappush(self._waiting, (rank, next(self._numbers), mine))
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._next()
                raise
        self._busy = True
        try:
            yield
        finally:
            self._next()

    def _next(self) -> None:
        while self._waiting:
            mine = heappop(self._waiting)[2]
            if not mine.done():
                mine.set_result(None)
                return
        self._busy = False
