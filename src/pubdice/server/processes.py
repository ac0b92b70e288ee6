"""Runs long work in a process (server), in a thread (tests) or inline (browser); and shares a worker out fairly.

Does not know what work.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager, suppress
from heapq import heapify, heappop, heappush
from itertools import count
from multiprocessing import Pipe, active_children, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from time import perf_counter
from typing import NamedTuple, Protocol, TypeVar

from pubdice.server.shared_lock import needed_by_others
from pubdice.solve.pauses import PausedError, pausing

T = TypeVar("T")

PART_S = 0.1
"""The time that work holds up the event loop until others have their turn; a part under way is finished."""


def part_over(seconds: float) -> Callable[[], bool]:
    """True once a part that begins now has taken this long."""
    until = perf_counter() + seconds
    return lambda: perf_counter() >= until


class Worker(Protocol):
    """Runs a function where it delays nobody, until it is closed. ``WorkerProcess`` is a house's."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """The function's result. Raises BrokenExecutor or OSError if there is no process."""

    def close(self) -> None:
        """End it, even in the middle of its work."""


class ThreadWorker:
    """Runs a function in a thread of this process."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Return the function's result."""
        return await asyncio.to_thread(work, *arguments)

    def close(self) -> None:
        """End nothing: threads end with their work."""


class DirectWorker:
    """Runs a function on the event loop: for a browser's Python, which has no threads and no processes.

    Work that may pause is left after ``PART_S``, and asked again once others have had their turn; so it must keep what
    it has worked out.
    """

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Return the function's result, after what waits in the event loop."""
        while True:
            await asyncio.sleep(0)
            with suppress(PausedError), pausing(part_over(PART_S)):
                return work(*arguments)

    def close(self) -> None:
        """End nothing: the work is done when ``run`` returns."""


# A worker process, for work that would delay everybody's moves. Does not know what work.
#
# It starts with its first work, and again with the first after it died. It ends when it is closed, even in the middle
# of work, and when the house ends, even if the house is killed: it holds one end of a pipe, and exits when the
# house's end is closed.


class _Running(NamedTuple):
    """The process, and the house's end of its pipe. started: the process itself."""

    pool: ProcessPoolExecutor
    end: Connection
    started: list[BaseProcess]


class WorkerProcess:
    """One process, started when there is work for it; started again after it died."""

    def __init__(self) -> None:
        self._process: _Running | None = None

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Run a function in the worker. Raises BrokenExecutor if the process ends meanwhile, OSError if the system
        allows none.
        """
        try:
            running, result = self._submit(work, *arguments)
        except BrokenExecutor:  # it died while it had nothing to do
            self.close()
            running, result = self._submit(work, *arguments)
        try:
            return await result
        except BrokenExecutor:
            if self._process is running:
                self.close()
            raise
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or not task.cancelling():  # the pool was closed before this came to the process
                raise BrokenProcessPool("the process was ended") from None
            raise

    def _submit(self, work: Callable[..., T], *arguments: object) -> "tuple[_Running, asyncio.Future[T]]":
        """Give work to the process, and start it if there is none. Raises BrokenExecutor if it has died."""
        loop = asyncio.get_running_loop()
        if self._process is not None:
            return self._process, loop.run_in_executor(self._process.pool, work, *arguments)
        others, (worker_end, end) = active_children(), Pipe(duplex=False)
        pool = ProcessPoolExecutor(1, get_context("spawn"), _init_worker, (worker_end,))
        result = loop.run_in_executor(pool, work, *arguments)  # it starts the process
        self._process = _Running(pool, end, [child for child in active_children() if child not in others])
        return self._process, result

    def close(self) -> None:
        """End the process, even in the middle of its work or its start; the next work starts another.

        A process that starts does not look at its pipe yet: on a busy machine that takes seconds, for which Python
        would wait at the end.
        """
        if self._process is None:
            return
        for process in self._process.started:
            process.kill()
        self._process.end.close()
        self._process.pool.shutdown(wait=False, cancel_futures=True)
        self._process = None


def _init_worker(end: Connection) -> None:
    """Ignore a Ctrl-C at the terminal, which is for the house; and end with the house.

    A result for a house that was killed ends the process without a word (SIGPIPE), rather than with a traceback.
    """
    import signal  # noqa: PLC0415 - in the worker process only

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGPIPE"):  # not on Windows
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    Thread(target=_exit_with_parent, args=(end,), daemon=True).start()


def _exit_with_parent(end: Connection) -> None:
    end.poll(None)  # nothing is ever sent, so it returns when the other end is closed
    os._exit(0)


# A lock shared out by asker: a fair queue over one worker. Does not know what it guards.
#
# Start-time fair queueing with items of one size (Goyal, Vin and Cheng 1996): each waiter has a round, one later than
# its asker's last, and the least round goes first; in one round the first to come. An asker without a turn in the
# latest round goes before all of it, so a quiet one mostly waits for the turn under way alone. A round also ends
# after as many turns as waited when it began, so those who ask again have their turn even if new askers never cease
# to come; but it is never more than two past the least that waits, so that a new asker comes before all but two of
# another's turns. Of one rank nobody waits for more than about two turns of any other asker, however many those have
# waiting.


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
