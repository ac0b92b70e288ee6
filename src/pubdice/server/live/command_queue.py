"""The commands of one table, one after the other: the next begins when all before it is stored. Decides nothing."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from functools import partial

from pubdice.core.errors import Refused
from pubdice.room import RoomState
from pubdice.room.commands import Command
from pubdice.server.live.idempotency import Key
from pubdice.server.live.pending import Pending, PendingAnswer, Waiting
from pubdice.server.live.trace import Trace
from pubdice.server.requests import Done

MOST_QUEUED = 1_000
"""Commands that may wait at one table for the one before to be stored; one more is refused."""


class CommandQueue(ABC):
    """Carries out what waits, unless ``_busy`` says that the log has something of this table under way.

    number: the table's.
    """

    number: int

    def __init__(self, failed: Callable[[Exception], None], trace: Trace | None) -> None:
        self._queue: deque[Waiting] = deque()
        self._busy = False
        self._failed, self._trace = failed, trace

    def submit(self, pending: Waiting) -> None:
        """Carry out what waits when all before it is stored; its ``reply`` is called once, from the event loop."""
        if self._trace is not None and isinstance(pending, Pending):
            self._trace.asked(self.number, pending.key, pending.command)
        if len(self._queue) >= MOST_QUEUED:
            pending.reply(Refused("often", wait_s=1))
            return
        self._queue.append(pending)
        self._work()

    async def ask(
        self,
        command: Command,
        person: str | None,
        key: Key | None,
        answer: Done | None = None,
        *,
        only: RoomState | None = None,
        told: Callable[[RoomState], str] | None = None,
        seen: int | None = None,
    ) -> bytes:
        """As ``submit``, awaited. Raises Refused, IllegalAction, BadNotation or NotStored."""
        done: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.submit(Pending(command, person, key, partial(settle, done), answer, only, told, seen))
        return await done

    async def store_answer(self, answer: Done, key: Key) -> bytes:
        """Store an answer with no event, so that the same command gets it again. Raises Refused or NotStored."""
        done: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.submit(PendingAnswer(answer, key, partial(settle, done)))
        return await done

    @abstractmethod
    def _execute(self, pending: Waiting) -> None:
        """Carry out what has its turn, or begin to. What it raises is replied."""

    def _work(self) -> None:
        while self._queue and not self._busy:
            pending = self._queue.popleft()
            try:
                self._execute(pending)
            except Exception as error:  # noqa: BLE001 - its sender gets the error, and the next command its turn
                self._reply(pending, error)

    def _reply(self, pending: Waiting, outcome: bytes | Exception) -> None:
        """Call a command's ``reply``. An error in it is logged, so that it keeps no other command waiting."""
        if self._trace is not None:
            self._trace.answered(self.number, pending.key, outcome)
        try:
            pending.reply(outcome)
        except Exception as error:  # noqa: BLE001
            self._failed(error)


def settle(done: "asyncio.Future[bytes]", outcome: bytes | Exception) -> None:
    """Give an outcome to somebody who awaits it, if they still do."""
    if done.done():  # its task was cancelled
        return
    if isinstance(outcome, Exception):
        done.set_exception(outcome)
    else:
        done.set_result(outcome)
