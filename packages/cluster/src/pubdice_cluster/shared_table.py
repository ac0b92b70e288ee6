"""One live table at which other processes of the house act, too: an actor that goes on in the log as they do.

Each process has actors of its own for the same tables. They know of no other: an append names the length of the log,
and the store takes the first (optimistic concurrency). The loser's next steps are here. A table reads on in its log
where an append, a hint or a look says that it has grown, and takes the lines. Then it decides a refused command again.

The machine is that of ``TableActor``. Two changes are added: an append that was refused is CHECKING too, as the log has
moved on, and so is a look at the log, which waits in the queue before all commands.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pubdice.core.errors import NotStored
from pubdice.room import Room, RoomState
from pubdice.room.commands import Command
from pubdice.room.state import TimerKind
from pubdice.server.replay import LINES_AT_ONCE, Loaded
from pubdice.server.table.actor import CHECKING, IDLE, STORING, TURNS, QueuedCommand, TableActor
from pubdice.server.table.autoplay import Autoplay
from pubdice.server.table.commit import Key, within
from pubdice.server.table.presence import Stream
from pubdice.server.table.services import TableServices
from pubdice.store.writer import Outcome, Repeated, Stored
from pubdice_cluster.batched_reads import BatchedReads
from pubdice_cluster.neighbours import Neighbours
from pubdice_cluster.shared_log import SharedLog
from pubdice_cluster.shared_presence import SharedPresence
from pubdice_cluster.wakeups import PostgresWakeups

SHARED_TURNS: Mapping[tuple[str, str], str] = {
    **TURNS,
    (STORING, "refused"): CHECKING,
    (IDLE, "look"): CHECKING,
}
"""The state of the log's turn after an event, as ``TURNS``."""
MOST_TRIES = 5
"""The most times a command is decided, after other processes have stored lines meanwhile."""
LOOK_WITHIN_S = 1.0
"""The time that a page waits for a look at other processes' lines; then it is shown as it is in memory. The same as
data is refused instead (``SharedHouse.find``).
"""
OWN = "table"
"""Begins the keys of what a table does by itself; a person's begin with the person."""


@dataclass(frozen=True, slots=True)
class TableLinks:
    """The tables of one process, by number, and their links to the others. me: the process's number as a node."""

    me: int
    neighbours: Neighbours
    wakeups: PostgresWakeups
    reads: BatchedReads
    tables: "dict[int, SharedTable]" = field(default_factory=dict)


class LogLook(QueuedCommand):
    """A look at the log, which waits like a command until the log is free."""


class SharedAutoplay(Autoplay):
    """The timer of a table: it acts later where another process leads the table."""

    _log: SharedLog

    def _next(self) -> tuple[int, TimerKind] | None:
        upcoming = super()._next()
        return None if upcoming is None else (upcoming[0] + self._log.wait_ms(), upcoming[1])


class SharedTable(TableActor):
    """A table in memory that other processes serve, too. Made from its log; one per table and process. log: its log."""

    presence_class = SharedPresence
    autoplay_class = SharedAutoplay
    presence: SharedPresence

    def __init__(
        self,
        code: str,
        room: Room,
        loaded: Loaded,
        log: SharedLog,
        services: TableServices,
        *,
        asker: str,
        links: "TableLinks",
    ) -> None:
        self._links, self.log = links, log
        self._look: asyncio.Future[bool] | None = None  # the next; one serves all who wait for it
        self._decided_again: tuple[QueuedCommand | None, int] = None, 0  # the last one, and how often
        super().__init__(code, room, loaded, log, services, asker=asker)
        # Replaces an older actor of the same table, whose ``close`` then finds that the entry is not its own.
        links.tables[self.number] = self

    def close(self) -> None:
        """As ``TableActor.close``; the process no longer follows the table."""
        super().close()
        if self._links.tables.get(self.number) is self:
            del self._links.tables[self.number]

    # commands

    async def _submit_own(self, command: Command, only: RoomState) -> bytes:
        # By the number of events: timers of three processes that fire at once make one key, and the store takes one of
        # them.
        return await self.ask(command, None, Key(f"{OWN} {only.seq}"), only=only)

    def last_seen(self, said: int | None, arrived: int | None) -> int | None:
        """The last event that a sender had seen, as it says: another process may just have answered it with events
        that are not known here yet.
        """
        return said

    def _begin(self, command: QueuedCommand) -> None:
        if isinstance(command, LogLook):
            self._turn = SHARED_TURNS[self._turn, "look"]
            self._services.background.spawn(self._catch_up())
        else:
            super()._begin(command)

    def _stored(self, command: QueuedCommand, outcome: Outcome) -> None:
        if isinstance(outcome, Stored) or self.is_replaced:
            # A stored answer without lines is no sign of life at the table, and leaves the leader as it was.
            if command.lines and isinstance(outcome, Stored):
                self.log.leader = self._links.me
            super()._stored(command, outcome)
            return
        if self._trace is not None:
            self._trace.stored(self.number, command.key, outcome)
        self._check(command, outcome)

    def _refused(self, command: QueuedCommand, refusal: Exception) -> None:
        """A command was refused on the table as it is: as others have left it, it may not be."""
        self._check(command, refusal)

    def _late(self) -> None:
        """Look at the log, and do not load it again: another process may have gone on after the late outcome."""
        self.look_soon()

    def _check(self, command: QueuedCommand, refusal: Exception | Repeated) -> None:
        self._turn = SHARED_TURNS[self._turn, "refused"]
        self._services.background.spawn(self._answer_or_decide_again(command, refusal))

    async def _answer_or_decide_again(self, command: QueuedCommand, refusal: Exception | Repeated) -> None:
        """Answer a refused command as the log knows it, or decide it again, now that the log has grown."""
        grown = False
        try:
            outcome, grown = await self._outcome(command, refusal)
        except Exception as error:  # noqa: BLE001 - its sender gets it, and the next command its turn
            outcome = error
        self._turn = SHARED_TURNS[self._turn, "known"]
        # Bounded, as each try loses to a move of another process: a table at which five in a row do has a fault, and
        # must not spin.
        last, times = self._decided_again
        times = times + 1 if last is command else 1
        if grown and isinstance(outcome, Exception) and times <= MOST_TRIES:
            self._decided_again = command, times
            # To the front, so that commands keep the order of their arrival.
            self._queue.appendleft(command)
        else:
            self._decided_again = None, 0
            self._reply(command, outcome)
        self._work()

    async def _outcome(self, command: QueuedCommand, refusal: Exception | Repeated) -> tuple[bytes | Exception, bool]:
        """A refused command's outcome, and whether others had stored what is taken in now."""
        key, written = command.key, command.lines
        known: bytes | Exception = refusal.answer if isinstance(refusal, Repeated) else refusal
        grown = False
        try:
            if not isinstance(refusal, NotStored) or refusal.code == "moved-on":  # else it has just said what it can
                stored = await self.log.answer(key) if key and isinstance(refusal, Exception) else None
                known, grown = known if stored is None else stored, await self._follow()
                # A connection that broke in the commit: the group was written again under the same key, and this time
                # refused as a repeat.
                if isinstance(refusal, Repeated) and written and self._ends_with(written):
                    self._lead()  # they are ours, from a commit whose answer was lost
        except NotStored as error:
            known = known if isinstance(refusal, NotStored | Repeated) else error
        return known, grown

    def _ends_with(self, lines: Sequence[str]) -> bool:
        return self.loaded.tail.lines[-len(lines) :] == [*lines]

    def _lead(self) -> None:
        """Say to all that the last lines are of this node."""
        self._links.wakeups.tell(self.number, self.state.seq + 1)
        self.log.leader = self._links.me
        self.autoplay.schedule()

    # what others have stored

    def heard(self, length: int, node: int) -> None:
        """Take a hint of another process: the length of the log, and the node that wrote the last line."""
        seq = self.loaded.state.seq
        # One line more than events is the length of a log that has nothing new.
        news = length > seq + 1
        # A hint may be older than memory, as hints overtake each other: then it says nothing about the leader.
        if length > seq and node != self.log.leader:
            self.log.leader, news = node, True
            self.autoplay.schedule()
        if news:
            self.look_soon()

    async def catch_up(self) -> bool:
        """Take in lines that others have stored until now; False if the store could not be read in time."""
        look = self.look_soon()
        # ``wait``, not ``wait_for``: the look is shared, and must go on if this page gives up.
        await asyncio.wait((look,), timeout=LOOK_WITHIN_S)
        return look.done() and look.result()

    def look_soon(self) -> "asyncio.Future[bool]":
        """Have the next look at the log, between two commands; one serves all who wait for it."""
        if self._look is not None:
            return self._look
        look: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if not self.is_live:
            look.set_result(False)
            return look
        self._look = look
        # Before all commands: one decided on an old copy would only be refused by the store, and decided again.
        self._queue.appendleft(LogLook(person=None, key=None))
        self._work()
        return look

    async def _catch_up(self) -> None:
        look, self._look = self._look, None  # who asks from now on may ask for what this read does not find
        seen = False
        try:
            await self._follow()
            seen = True
        except NotStored:
            pass  # it is told again, or looked up
        finally:
            if look is not None and not look.done():
                look.set_result(seen)
            self._turn = SHARED_TURNS[self._turn, "known"]
            self._work()

    async def _follow(self) -> bool:
        """Take in the lines that the log has more than memory, in order; True if there were any. Raises NotStored.

        They are read from the last that memory has: after a failover to a replica that was behind, the log may have
        another there, or none. Then the table is loaded again.
        """
        came, ended = False, False
        while not ended and not self.is_replaced:
            last = self.loaded.tail.lines[-1:]
            async with within():
                found = await self._links.reads.part(self.number, self.state.seq + 1 - len(last))
            # A full batch may have more behind it; a shorter one is the end of the log.
            lines, ended = found[len(last) :], len(found) < LINES_AT_ONCE
            came = came or bool(lines)
            try:
                # After a failover to a replica that lagged, the log has lost the line that memory ends with, or has
                # another.
                if found[: len(last)] != last:
                    raise NotStored("moved-on", table=self.number)
                self._take(tuple(self.room.replay(self.state, lines)), lines)
            except Exception as error:  # noqa: BLE001 - this program cannot go on with the log: read it from its beginning
                if not isinstance(error, NotStored):
                    self._services.background.failed(error)
                self.reload()
                raise NotStored("moved-on", table=self.number) from None
        return came

    # who is here

    def _call(self, seat: int, phrase: int) -> None:
        super()._call(seat, phrase)
        self._links.wakeups.call(self.number, seat, phrase)

    def join(self, stream: Stream) -> None:
        """A page opened a stream and watches. The turn has its time after the next look: others may say that somebody
        was here.
        """
        self.seen(stream.person, 0)
        self.spectators.join(stream)
        self.autoplay.came()
