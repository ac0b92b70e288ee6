"""A lock shared out by asker: a fair queue over one worker. Does not know what it guards.

Start-time fair queueing with items of one size (Goyal, Vin and Cheng 1996): each waiter has a round, one later than
its asker's last, and the least round goes first; in one round the first to come. An asker without a turn in the
latest round goes before all of it, so a quiet one mostly waits for the turn under way alone. A round also ends
after as many turns as waited when it began, so those who ask again have their turn even if new askers never cease
to come; but it is never more than two past the least that waits, so that a new asker comes before all but two of
another's turns. Of one rank nobody waits for more than about two turns of any other asker, however many those have
waiting.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heapify, heappop, heappush
from itertools import count

from pubdice.server.shared_lock import needed_by_others

MOST_KNOWN = 1024
"""Askers whose latest round is kept, the latest used: as many as any queue holds, and some."""


class FairLock:
    """A lock whose waiters go by rank, the least first, then in turns by asker. waiting: the number of waiters,
    cancelled ones left out.
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
        """Acquire the lock, and release it at the end of the block. asker: the account with turns in common."""
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
        """Begin a round with its first turn, or after as many turns as waited when the present one began."""
        self._left -= 1
        if turn_round > self._round:
            self._round, self._left = turn_round, self.waiting
        elif self._left < 0 and self._waiting and self._round < self._waiting[0][1] + 2:
            self._round, self._left = self._round + 1, self.waiting

    def _leave(self) -> None:
        """A waiter was cancelled: forget all such once they are half of those kept."""
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
