"""An actor for a table that other processes act at, too.

Each process has its own actor for a table, and they know nothing of each other. An append names the length of the log,
and the store takes the first one (optimistic concurrency). If an append, a hint or a look shows that the log has grown,
the table reads the new lines. Then it decides a refused command again.

The state machine extends ``TableActor``'s with two transitions to CHECKING: from an append that was refused, as the log
has moved on, and from a look at the log. A look waits in the queue before all commands.
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
"""The next state of the log's turn, by state and event, as ``TURNS``."""
MOST_TRIES = 5
"""Most times a command is decided again because other processes stored lines first."""
LOOK_WITHIN_S = 1.0
"""Seconds that a page waits for a look at the log. After that it shows the table as it is in memory. A request for data
is refused instead (``SharedHouse.find``)."""
OWN = "table"
"""The first word of keys for a table's own commands. A person's keys begin with the person."""


@dataclass(frozen=True, slots=True)
class TableLinks:
    """The tables of one process by number, and their links to the other processes. ``me`` is its node number."""

    me: int
    neighbours: Neighbours
    wakeups: PostgresWakeups
    reads: BatchedReads
    tables: "dict[int, SharedTable]" = field(default_factory=dict)


class LogLook(QueuedCommand):
    """A look at the log, queued like a command until the log is free."""


class SharedAutoplay(Autoplay):
    """The timer of a table. It fires later if another process leads the table."""

    _log: SharedLog

    def _next(self) -> tuple[int, TimerKind] | None:
        upcoming = super()._next()
        return None if upcoming is None else (upcoming[0] + self._log.wait_ms(), upcoming[1])


class SharedTable(TableActor):
    """A table in memory that other processes serve too. There is one per table and process."""

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
        self._look: asyncio.Future[bool] | None = None  # the next look, shared by all who wait
        self._decided_again: tuple[QueuedCommand | None, int] = None, 0  # the last command and its tries
        super().__init__(code, room, loaded, log, services, asker=asker)
        # It replaces an older actor of the same table. The older one's ``close`` then leaves this entry alone.
        links.tables[self.number] = self

    def close(self) -> None:
        """Close the table, as ``TableActor.close``, and stop following it."""
        super().close()
        if self._links.tables.get(self.number) is self:
            del self._links.tables[self.number]

    async def _submit_own(self, command: Command, only: RoomState) -> bytes:
        # The key has the number of events. If timers of three processes fire at once, they make the same key, and the
        # store takes one.
        return await self.ask(command, None, Key(f"{OWN} {only.seq}"), only=only)

    def last_seen(self, said: int | None, arrived: int | None) -> int | None:
        """The last event that a sender reports as seen, even if this process does not know it yet. Another process may
        just have answered with newer events.
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
            # An answer stored without lines is no activity at the table, so the leader stays.
            if command.lines and isinstance(outcome, Stored):
                self.log.leader = self._links.me
            super()._stored(command, outcome)
            return
        if self._trace is not None:
            self._trace.stored(self.number, command.key, outcome)
        self._check(command, outcome)

    def _refused(self, command: QueuedCommand, refusal: Exception) -> None:
        """Check a refused command against the log, since other processes may have changed the table."""
        self._check(command, refusal)

    def _late(self) -> None:
        """Look at the log without loading it again: another process may have gone on after the late outcome."""
        self.look_soon()

    def _check(self, command: QueuedCommand, refusal: Exception | Repeated) -> None:
        self._turn = SHARED_TURNS[self._turn, "refused"]
        self._services.background.spawn(self._answer_or_decide_again(command, refusal))

    async def _answer_or_decide_again(self, command: QueuedCommand, refusal: Exception | Repeated) -> None:
        """Answer a refused command from the log. If the log has grown, decide the command again."""
        grown = False
        try:
            outcome, grown = await self._outcome(command, refusal)
        except Exception as error:  # noqa: BLE001 - its sender gets it, and the next command its turn
            outcome = error
        self._turn = SHARED_TURNS[self._turn, "known"]
        # Bounded: each try loses to a move of another process. A table that loses five in a row has a fault, and must
        # not spin.
        last, times = self._decided_again
        times = times + 1 if last is command else 1
        if grown and isinstance(outcome, Exception) and times <= MOST_TRIES:
            self._decided_again = command, times
            # To the front, so commands keep the order of their arrival.
            self._queue.appendleft(command)
        else:
            self._decided_again = None, 0
            self._reply(command, outcome)
        self._work()

    async def _outcome(self, command: QueuedCommand, refusal: Exception | Repeated) -> tuple[bytes | Exception, bool]:
        """A refused command's outcome, and True if others had stored lines that are now taken in."""
        key, written = command.key, command.lines
        known: bytes | Exception = refusal.answer if isinstance(refusal, Repeated) else refusal
        grown = False
        try:
            if not isinstance(refusal, NotStored) or refusal.code == "moved-on":  # otherwise final
                stored = await self.log.answer(key) if key and isinstance(refusal, Exception) else None
                known, grown = known if stored is None else stored, await self._follow()
                # The connection broke in the commit. The group was written again under the same key, and refused as a
                # repeat.
                if isinstance(refusal, Repeated) and written and self._ends_with(written):
                    self._lead()  # own lines, from a commit whose answer was lost
        except NotStored as error:
            known = known if isinstance(refusal, NotStored | Repeated) else error
        return known, grown

    def _ends_with(self, lines: Sequence[str]) -> bool:
        return self.loaded.tail.lines[-len(lines) :] == [*lines]

    def _lead(self) -> None:
        """Tell all processes that this node wrote the last lines."""
        self._links.wakeups.tell(self.number, self.state.seq + 1)
        self.log.leader = self._links.me
        self.autoplay.schedule()

    def heard(self, length: int, node: int) -> None:
        """Take a hint of another process: the length of the log, and the node that wrote the last line."""
        seq = self.loaded.state.seq
        # A log without news has one line more than memory has events.
        news = length > seq + 1
        # Hints overtake each other. One that is older than memory says nothing about the leader.
        if length > seq and node != self.log.leader:
            self.log.leader, news = node, True
            self.autoplay.schedule()
        if news:
            self.look_soon()

    async def catch_up(self) -> bool:
        """Take in the lines that others have stored. Returns False if the store could not be read in time."""
        look = self.look_soon()
        # ``wait``, not ``wait_for``: the look is shared, and must go on if this page gives up.
        await asyncio.wait((look,), timeout=LOOK_WITHIN_S)
        return look.done() and look.result()

    def look_soon(self) -> "asyncio.Future[bool]":
        """Queue the next look at the log between two commands. All callers share one look."""
        if self._look is not None:
            return self._look
        look: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if not self.is_live:
            look.set_result(False)
            return look
        self._look = look
        # Before all commands: a command decided on an old copy would be refused by the store and decided again.
        self._queue.appendleft(LogLook(person=None, key=None))
        self._work()
        return look

    async def _catch_up(self) -> None:
        look, self._look = self._look, None  # later callers may want what this read misses
        seen = False
        try:
            await self._follow()
            seen = True
        except NotStored:
            pass  # another hint or look follows
        finally:
            if look is not None and not look.done():
                look.set_result(seen)
            self._turn = SHARED_TURNS[self._turn, "known"]
            self._work()

    async def _follow(self) -> bool:
        """Take in the lines that the log has beyond memory, in order. Returns True if there were any. Raises NotStored.

        The read begins at the last line in memory. After a failover to a lagging replica, the log may have another line
        there, or none. Then the table is loaded again.
        """
        came, ended = False, False
        while not ended and not self.is_replaced:
            last = self.loaded.tail.lines[-1:]
            async with within():
                found = await self._links.reads.part(self.number, self.state.seq + 1 - len(last))
            # A full batch may have more behind it. A shorter one is the end of the log.
            lines, ended = found[len(last) :], len(found) < LINES_AT_ONCE
            came = came or bool(lines)
            try:
                # A failover to a lagging replica has lost or changed the last line that memory has.
                if found[: len(last)] != last:
                    raise NotStored("moved-on", table=self.number)
                self._take(tuple(self.room.replay(self.state, lines)), lines)
            except Exception as error:  # noqa: BLE001 - this program cannot go on with the log: read it from its beginning
                if not isinstance(error, NotStored):
                    self._services.background.failed(error)
                self.reload()
                raise NotStored("moved-on", table=self.number) from None
        return came

    def _call(self, seat: int, phrase: int) -> None:
        super()._call(seat, phrase)
        self._links.wakeups.call(self.number, seat, phrase)

    def join(self, stream: Stream) -> None:
        """Take in a new stream of a page. The turn gets its time only after the next look. Until then, another process
        may report that a person was here all the time.
        """
        self.seen(stream.person, 0)
        self.spectators.join(stream)
        self.autoplay.came()
