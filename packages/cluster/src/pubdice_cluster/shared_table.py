"""The actor of a table that several processes serve.

Each process has its own actor for a table, and these actors do not know each other. Each append names the length of the
log that its process knows. The store accepts only the first append for a length (optimistic concurrency). If a refused
append, a hint or a look shows that the log has grown, the actor reads the new lines. Then it decides a refused command
again.

The state machine adds two transitions to that of ``TableActor``. Both lead to CHECKING: one after an append that was
refused because the log has grown, and one from a look at the log. A look goes to the front of the queue, before all
commands.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import UnsetType

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
"""The next state of the log, by its state and the event, as in ``TURNS``."""
MOST_TRIES = 5
"""The most times a command is decided again because other processes stored lines first."""
LOOK_WITHIN_S = 1.0
"""The time in seconds that a page waits for a look at the log. After that, the page shows the table as it is in memory.
A request for data is refused instead (``SharedHouse.find``)."""
OWN = "table"
"""The first word in the key of a command that a table gives to itself, such as a timer's. A person's key begins with
the person.
"""


@dataclass(frozen=True, slots=True)
class TableLinks:
    """The tables of one process by number, and what links them to the other processes. ``me`` is this process's node
    number.
    """

    me: int
    neighbours: Neighbours
    wakeups: PostgresWakeups
    reads: BatchedReads
    tables: "dict[int, SharedTable]" = field(default_factory=dict)


class LogLook(QueuedCommand):
    """A look at the log. It waits in the queue like a command, until no append is under way."""


class SharedAutoplay(Autoplay):
    """The timers of a table. If another process leads the table, they fire later."""

    _log: SharedLog

    def _next(self) -> tuple[int, TimerKind] | None:
        upcoming = super()._next()
        return None if upcoming is None else (upcoming[0] + self._log.wait_ms(), upcoming[1])


class SharedTable(TableActor):
    """A table in memory that other processes serve too. Each process has one such object for a table."""

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
        self._look: asyncio.Future[bool] | None = None  # the look in the queue, shared by all callers
        self._decided_again: tuple[QueuedCommand | None, int] = None, 0  # the last command, and how often it was tried
        super().__init__(code, room, loaded, log, services, asker=asker)
        # The entry replaces an older actor of the same table. When the older actor is closed, it leaves this entry
        # alone.
        links.tables[self.number] = self

    def close(self) -> None:
        """Stop following the table, and close it, as ``TableActor.close``."""
        super().close()
        if self._links.tables.get(self.number) is self:
            del self._links.tables[self.number]

    async def _submit_own(self, command: Command, only: RoomState) -> bytes:
        # The key contains the number of events. If the timers of three processes fire at once, they make the same key,
        # and the store accepts only one command.
        return await self.ask(command, None, Key(f"{OWN} {only.seq}"), only=only)

    def last_seen(self, said: int | UnsetType, arrived: int | None) -> int | None:
        """Return the last event that a sender reports as seen. It is accepted even if this process does not know the
        event yet, because another process may just have answered with newer events.
        """
        return said if isinstance(said, int) else None

    def _begin(self, command: QueuedCommand) -> None:
        if isinstance(command, LogLook):
            self._turn = SHARED_TURNS[self._turn, "look"]
            self._services.background.spawn(self._catch_up())
        else:
            super()._begin(command)

    def _stored(self, command: QueuedCommand, outcome: Outcome) -> None:
        if isinstance(outcome, Stored) or self.is_replaced:
            # An answer that was stored without lines is no move at the table, so the leader does not change.
            if command.lines and isinstance(outcome, Stored):
                self.log.leader = self._links.me
            super()._stored(command, outcome)
            return
        if self._trace is not None:
            self._trace.stored(self.number, command.key, outcome)
        self._check(command, outcome)

    def _refused(self, command: QueuedCommand, refusal: Exception) -> None:
        """Check the log after a refused command, since other processes may have changed the table."""
        self._check(command, refusal)

    def _late(self) -> None:
        """Look at the log, but do not load it again: another process may have gone on after the late outcome."""
        self.look_soon()

    def _check(self, command: QueuedCommand, refusal: Exception | Repeated) -> None:
        self._turn = SHARED_TURNS[self._turn, "refused"]
        self._services.background.spawn(self._answer_or_decide_again(command, refusal))

    async def _answer_or_decide_again(self, command: QueuedCommand, refusal: Exception | Repeated) -> None:
        """Answer a refused command from the log. If the log has grown, decide the command again instead."""
        grown = False
        try:
            outcome, grown = await self._outcome(command, refusal)
        except Exception as error:  # noqa: BLE001 - its sender gets it, and the next command its turn
            outcome = error
        self._turn = SHARED_TURNS[self._turn, "known"]
        # The number of tries is bounded. Each failed try means that another process moved first. A table that fails
        # five times in a row has a fault, and must not loop forever.
        last, times = self._decided_again
        times = times + 1 if last is command else 1
        if grown and isinstance(outcome, Exception) and times <= MOST_TRIES:
            self._decided_again = command, times
            # It goes to the front of the queue, so commands keep the order of their arrival.
            self._queue.appendleft(command)
        else:
            self._decided_again = None, 0
            self._reply(command, outcome)
        self._work()

    async def _outcome(self, command: QueuedCommand, refusal: Exception | Repeated) -> tuple[bytes | Exception, bool]:
        """Return the outcome of a refused command, and True if lines of other processes were taken in."""
        key, written = command.key, command.lines
        known: bytes | Exception = refusal.answer if isinstance(refusal, Repeated) else refusal
        grown = False
        try:
            # a NotStored with any other code is final
            if not isinstance(refusal, NotStored) or refusal.code == "moved-on":
                stored = await self.log.answer(key) if key and isinstance(refusal, Exception) else None
                known, grown = known if stored is None else stored, await self._follow()
                # The connection broke during the commit. The group was then written again under the same key, and the
                # store reported a repeat.
                if isinstance(refusal, Repeated) and written and self._ends_with(written):
                    self._lead()  # the last lines are this process's own, from a commit whose answer was lost
        except NotStored as error:
            known = known if isinstance(refusal, NotStored | Repeated) else error
        return known, grown

    def _ends_with(self, lines: Sequence[str]) -> bool:
        return self.loaded.tail.lines[-len(lines) :] == [*lines]

    def _lead(self) -> None:
        """Tell all processes that this node wrote the last lines of the log."""
        self._links.wakeups.tell(self.number, self.state.seq + 1)
        self.log.leader = self._links.me
        self.autoplay.schedule()

    def heard(self, length: int, node: int) -> None:
        """Take a hint from another process: the length of the log, and the node that wrote the last line."""
        seq = self.loaded.state.seq
        # If a log has no news, it has one line more than memory has events.
        news = length > seq + 1
        # Hints may overtake each other. A hint that is older than memory says nothing about the leader.
        if length > seq and node != self.log.leader:
            self.log.leader, news = node, True
            self.autoplay.schedule()
        if news:
            self.look_soon()

    async def catch_up(self) -> bool:
        """Take in the lines that other processes have stored. Return False if the store could not be read in time."""
        look = self.look_soon()
        # ``wait`` and not ``wait_for``, because ``wait_for`` would cancel the look. Other pages share it, so it must go
        # on if this page gives up.
        await asyncio.wait((look,), timeout=LOOK_WITHIN_S)
        return look.done() and look.result()

    def look_soon(self) -> "asyncio.Future[bool]":
        """Queue a look at the log, as the next thing after the command under way. All callers share one look."""
        if self._look is not None:
            return self._look
        look: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if not self.is_live:
            look.set_result(False)
            return look
        self._look = look
        # The look goes before all commands. A command decided on an old copy would be refused by the store and decided
        # again.
        self._queue.appendleft(LogLook(person=None, key=None))
        self._work()
        return look

    async def _catch_up(self) -> None:
        look, self._look = self._look, None  # cleared before the read, so later callers get a new look
        seen = False
        try:
            await self._follow()
            seen = True
        except NotStored:
            pass  # another hint or look follows soon
        finally:
            if look is not None and not look.done():
                look.set_result(seen)
            self._turn = SHARED_TURNS[self._turn, "known"]
            self._work()

    async def _follow(self) -> bool:
        """Take in the lines that the log has beyond memory, in order. Return True if there were any. Raises NotStored.

        The read begins at the last line in memory. After a failover to a lagging replica, the log may have another line
        in that place, or none. Then the table is loaded again.
        """
        came, ended = False, False
        while not ended and not self.is_replaced:
            last = self.loaded.tail.lines[-1:]
            async with within():
                found = await self._links.reads.part(self.number, self.state.seq + 1 - len(last))
            # After a full batch there may be more lines. A shorter batch is the end of the log.
            lines, ended = found[len(last) :], len(found) < LINES_AT_ONCE
            came = came or bool(lines)
            try:
                # Here a failover to a lagging replica has lost or changed the last line that memory has.
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
        """Take in a new stream of a page. The turn gets its full time again only after the next look, because until
        then another process may report that a person was here all the time.
        """
        self.seen(stream.person, 0)
        self.spectators.join(stream)
        self.autoplay.came()
