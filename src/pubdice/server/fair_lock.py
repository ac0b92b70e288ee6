"""A lock that askers take in turns: a fair queue over one worker.

This is start-time fair queueing with items of one size (Goyal, Vin and Cheng 1996). Each waiter gets the number of a
round: one more than its asker's latest. The lowest number goes first, and within a round the first to come. An asker
without a turn in the latest round goes before that round, so a quiet asker usually waits for one turn only.

A round also ends after as many turns as there were waiters when it began, so a stream of new askers can't starve the
other waiters. But the present round is never more than two ahead of the lowest round that waits. So a new asker comes
before all but two turns of any other asker. A waiter of a lower rank goes before all waiters of a higher rank. Among
waiters of one rank, each waits for at most about two turns of each other asker.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heapify, heappop, heappush
from itertools import count

from pubdice.server.shared_lock import needed_by_others

MOST_KNOWN = 1024
"""The most askers whose latest round is kept (LRU): a little more than any queue holds."""


class FairLock:
    """A lock whose waiters go by rank, the lowest first. Within a rank, askers take turns.

    ``waiting`` is the number of waiters that are not cancelled.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._round = self._left = 0
        self._rounds: dict[str, int] = {}
        self._busy = False
        self.waiting = 0

    @asynccontextmanager
    async def turn(self, asker: str, rank: int = 0) -> AsyncIterator[None]:
        """Hold the lock during the block. All turns of one ``asker`` are counted together."""
        with needed_by_others():
            own = self._rounds.pop(asker, self._round - 1) + 1
            turn_round = own if own > self._round else self._round - 1
            self._rounds[asker] = max(own, self._round)
            if len(self._rounds) > MOST_KNOWN:
                del self._rounds[next(iter(self._rounds))]
            if self._busy:
                waiter = asyncio.get_running_loop().create_future()
                heappush(self._waiting, (rank, turn_round, next(self._numbers), waiter))
                self.waiting += 1
                try:
                    await waiter
                except asyncio.CancelledError:
                    if waiter.cancelled():
                        self._leave()
                    else:
                        self._next()
                    raise
            self._busy = True
            self._count(turn_round)
            try:
                yield
            finally:
                self._next()

    def _count(self, turn_round: int) -> None:
        """Count a turn. A round begins with its first turn, or once the last round had as many turns as waiters at its
        start.
        """
        self._left -= 1
        if turn_round > self._round:
            self._round, self._left = turn_round, self.waiting
        elif self._left < 0 and self._waiting and self._round < self._waiting[0][1] + 2:
            self._round, self._left = self._round + 1, self.waiting

    def _leave(self) -> None:
        """Count out a cancelled waiter. Once half of the heap is cancelled, remove the cancelled waiters from it."""
        self.waiting -= 1
        if len(self._waiting) > 2 * self.waiting:
            self._waiting = [each for each in self._waiting if not each[3].done()]
            heapify(self._waiting)

    def _next(self) -> None:
        while self._waiting:
            waiter = heappop(self._waiting)[3]
            if not waiter.done():
                self.waiting -= 1
                waiter.set_result(None)
                return
        self._busy = False
