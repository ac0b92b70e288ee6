"""One live table: commands one after the other, each decided, stored, applied and answered, and then broadcast.

An event changes the table, and pages see it, only once it is stored. The house hands over log, time, dice, bots and
broadcaster.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.core.frozen import quick
from pubdice.core.seal import read_seal
from pubdice.room import Caller, Room, RoomState, Step
from pubdice.room.commands import Command, Resume, Retime
from pubdice.room.events import SealOpened
from pubdice.room.state import check_marks, check_room
from pubdice.server.replay import LINES_AT_ONCE, Loaded
from pubdice.server.requests import Done
from pubdice.server.sse import Stream
from pubdice.server.table.autoplay import RETRY_S, Autoplay
from pubdice.server.table.commit import Key, TableLog, Trace, check_same
from pubdice.server.table.lessons import Lessons, OnlyOnes
from pubdice.server.table.new_tables import changed_summary
from pubdice.server.table.presence import AWAY_ELSEWHERE_MS, AWAY_MS, SEEN_MS, Presence
from pubdice.server.table.services import TableServices
from pubdice.server.table.stream import Spectators
from pubdice.store import Repeated, Stored
from pubdice.store.entries import Outcome

# What waits in a hub's queue: a command to decide, an answer to store with no event, or a look at the log.


Reply = Callable[[bytes | Exception], None]
"""Called with the outcome of a command: the encoded answer, or the error that kept it from being done."""


@quick
@dataclass(frozen=True, slots=True)
class Pending:
    """A command in a hub's queue.

    seen: the last event that its sender had seen; None if that is not known. answer: where the client goes next. only:
    the state that the command is meant for; at any other it is dropped, with an empty answer. told: makes the answer's
    sentence from the state after. tries: how often it was decided before.
    """

    command: Command
    person: str | None
    key: Key | None
    reply: Reply
    answer: Done | None = None
    only: RoomState | None = None
    told: Callable[[RoomState], str] | None = None
    seen: int | None = None
    tries: int = 0


@dataclass(frozen=True, slots=True)
class PendingAnswer:
    """An answer in a hub's queue, to store under its idempotency key with no event."""

    answer: Done
    key: Key
    reply: Reply
    tries: int = 0


@dataclass(frozen=True, slots=True)
class PendingLook:
    """A look in a hub's queue for what other processes have stored; its ``reply`` hears that memory is up to date."""

    reply: Reply
    tries: int = 0
    key: None = None


Storing = Pending | PendingAnswer
"""What is stored under a key."""
Waiting = Storing | PendingLook
"""What a hub's queue holds."""


# Reactions: each person at a table may call something now and then. They are stored nowhere.


REACT_MS = 5_000
"""The least time between two reactions of one person."""


class Reactions:
    """When each person of a table reacted last, and under which idempotency key."""

    def __init__(self, table: int) -> None:
        self._table = table
        self._last: dict[str, tuple[int, Key]] = {}

    def is_known(self, person: str | None, key: Key) -> bool:
        """Whether this was the key of a person's last reaction. NotStored("key-used") if it came with another body."""
        return person in self._last and check_same(self._last[person][1], key, self._table)

    def note(self, person: str, key: Key, now: int, here: Container[str]) -> None:
        """Note a reaction; forget those of people who are not here. Raises Refused("react-soon")."""
        last, _ = self._last.get(person, (-REACT_MS, None))
        if (wait := last + REACT_MS - now) > 0:
            raise Refused("react-soon", seconds=-(-wait // 1000), wait_s=wait / 1000)
        self._last = {other: noted for other, noted in self._last.items() if other in here} | {person: (now, key)}


# The commands of one table, one after the other: the next begins when all before it is stored. Decides nothing.


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


# Who comes to a table and goes: what that starts, and who gets a seat back.


LEAST_LINGER_S, MOST_LINGER_S = 45, 120
"""After its last visitor was seen, a table counts as attended for its grace time, but within these bounds."""


class Attendance(CommandQueue, ABC):
    """The part of a table in memory that people come to and go from. used: when anything happened, in ms since 1970."""

    loaded: Loaded
    presence: Presence
    spectators: Spectators
    autoplay: Autoplay
    used: int
    _services: TableServices
    _closed: bool

    @property
    @abstractmethod
    def is_shared(self) -> bool:
        """Whether other processes serve this table, too."""

    @abstractmethod
    async def _submit_own(self, command: Command, only: RoomState) -> bytes:
        """A command of the table's own, in this state and no other."""

    @property
    def state(self) -> RoomState:
        """The table's state after the last stored event."""
        return self.loaded.state

    def meet(self, elsewhere: Mapping[int, str]) -> None:
        """Take in who is at this table by other processes, as each has told."""
        if self.presence.hear(elsewhere, self._services.clock.now()):
            self.spectators.update_presence()
            self.autoplay.schedule()
        self._settle_coming()

    def attend(self) -> None:
        """Somebody came to an empty table: bots and the turn clock start again.

        The turn under way has its full time from the first stream on, and where other processes serve the table, from
        the next look at who is there. Without a stream the table's timer gives it that time instead of ending it
        (``autoplay``), since a page may be read by anybody's link, and a GET stores nothing.
        """
        self._attend(self._services.clock.now())

    def _attend(self, now: int) -> None:
        linger_s = min(max(self.loaded.state.setup.grace_s, LEAST_LINGER_S), MOST_LINGER_S)
        if self.presence.attend(now, 1000 * linger_s):
            self.autoplay.schedule()

    def _settle_coming(self) -> None:
        """Give the turn under way its full time, if nobody was here when somebody came and its clock has run since."""
        if self.presence.streams and self.presence.settle_coming(self.state):
            self._services.background.spawn(self._retime())

    async def _retime(self) -> None:
        with suppress(NotStored, Refused):  # somebody moved first, the log is full, or the database is away
            await self._submit_own(Retime(), self.state)

    def join(self, stream: Stream) -> None:
        """A page opened a stream and watches."""
        self.seen(stream.person, 0)
        self.spectators.join(stream)
        if not self.is_shared:
            self._settle_coming()

    def leave(self, stream: Stream) -> None:
        """A page closed its stream."""
        self.attend()  # the page was open until now
        self.used = self._services.clock.now()
        self.spectators.leave(stream)
        if self.state.match is None:
            self.autoplay.schedule()

    def seen(self, person: str | None, grace_ms: int = SEEN_MS, *, restores: bool = True) -> None:
        """A person has shown up. Somebody who was voted away gets the seat back, if ``restores`` is true.

        It is false where a page is only read: another site's link can make a browser do that.
        """
        now = self._services.clock.now()
        self._attend(now)
        seat = self.loaded.state.seat_of(person)
        if seat is None or person is None:
            return
        self.presence.see(person, now + grace_ms)
        if self.spectators.is_shown_away(seat):
            self.spectators.update_presence()
        if restores and self.voted_away(person) is not None:
            self._services.background.spawn(self.restore_seat(person))

    def voted_away(self, person: str | None) -> int | None:
        """The seat that a person was voted away from, if they are back; else None."""
        seat = self.state.seat_of(person)
        if seat is None or self.state.chairs[seat].why != "voted" or self.state.stage != "playing":
            return None
        return None if seat in self.presence.gone(self.state, self._services.clock.now()) else seat

    async def restore_seat(self, person: str | None) -> None:
        """Give a person back the seat they were voted away from, if they were."""
        while not self._closed and (seat := self.voted_away(person)) is not None:
            try:
                await self.ask(Resume(seat), None, None, only=self.state)
            except NotStored:
                self._services.clock.after(RETRY_S, partial(self._try_again, person))
                return
            except Refused:
                return  # the log is full: nobody plays on here

    def _try_again(self, person: str | None) -> None:
        self._services.background.spawn(self.restore_seat(person))


SEEN = b"seen"
"""What those who wait for a look hear if it could be made."""
LOOK_WITHIN_S = 1.0
"""How long a page waits for a look at what other processes have stored; then it is shown as it is in memory. The same
as data is refused instead (``House.find``).
"""
DIFFER = ("moved-on", "not-known")
"""Refusals of the store after which memory and log may differ."""
OWN = "table"
"""Begins the keys of what a table does by itself; a person's begin with the person."""
MOST_TRIES = 5
"""How often a command is decided again, after what other processes have stored meanwhile."""


class Hub(Attendance):
    """A table in memory. Made from its log; one per table and house.

    asker: by whom its bots' decisions, lessons and chances are counted where they wait for a worker, so that somebody
    with many tables takes no more turns: what is stored of its opener's address, else the table itself.
    """

    def __init__(
        self, code: str, room: Room, loaded: Loaded, log: TableLog, services: TableServices, *, asker: str
    ) -> None:
        super().__init__(services.background.failed, services.trace)
        self.number, self.code, self.room, self.loaded = log.table, code, room, loaded
        self.asker = asker
        self._log, self._services = log, services
        self.used = services.clock.now()
        away_ms = AWAY_ELSEWHERE_MS if log.shared else AWAY_MS
        self.presence = Presence(self.state.people, self.used, services.seen_before, away_ms)
        self.spectators = Spectators(room, loaded, self.presence, services, asker=self.asker)
        self.autoplay = Autoplay(
            room, loaded, self.presence, services, self._submit_own, table=log.table, asker=self.asker
        )
        self.lessons = Lessons(services.answers, self.asker)
        self.rematch_lock = asyncio.Lock()
        self._closed = self._replaced = False
        self._look: asyncio.Future[bytes] | None = None  # that waits in the queue: at what other processes have stored
        self._reactions = Reactions(self.number)
        if self.state.house_seed:  # a crash may have come between the opening and its note
            services.seals.note_opened(read_seal(self.state.setup.seal))
        self.autoplay.schedule()

    @property
    def streams(self) -> set[Stream]:
        """The open streams of its spectators."""
        return self.presence.streams

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return self._services.clock.now()

    # commands

    async def _submit_own(self, command: Command, only: RoomState) -> bytes:
        """A command of the table's own. Of several processes that try, the log takes the first, by its key too."""
        key = Key(f"{OWN} {only.seq}") if self._log.shared else None
        return await self.ask(command, None, key, only=only)

    def _execute(self, pending: Waiting) -> None:
        """Decide a command and hand its lines to the log. Raises what ``Room.decide`` does; then nothing has changed.

        A command that is refused may be a repeated one: then its stored answer goes out. One that would be accepted
        twice the store recognises by its key (``Repeated``).
        """
        if isinstance(pending, PendingLook):
            self._busy, self._look = True, None
            self._services.background.spawn(self._catch_up(pending))
            return
        if isinstance(pending, PendingAnswer):
            self.used = self._services.clock.now()
            self._append(pending, (), pending.answer)
            return
        state = self.loaded.state
        if pending.only is not None and pending.only is not state:
            self._reply(pending, b"")
            return
        self.used = self._services.clock.now()
        try:
            steps = self._decide(pending.command, pending.person, pending.key, pending.seen)
        except (Refused, IllegalAction, BadNotation) as refusal:
            if pending.key is None and not self._log.shared:
                raise
            self._busy = True
            self._services.background.spawn(self._look_again(pending, refusal))
            return
        if not steps and pending.person is None:  # somebody the table waited for was back first
            self.autoplay.schedule()
            self._reply(pending, b"")
            return
        done = Done(state.seq + len(steps), pending.answer.go if pending.answer else None)
        if pending.told is not None:
            done.said = pending.told(steps[-1].after if steps else state)
        self._append(pending, steps, done)

    def _append(self, pending: Storing, steps: tuple[Step, ...], done: Done) -> None:
        """Hand a command's lines to the log, and its answer, which is given once they are stored."""
        if self._replaced:
            raise NotStored("moved-on", table=self.number)
        answer, lines = msgspec.json.encode(done), tuple([step.write() for step in steps])
        stored = partial(self._stored, pending, steps, lines, answer)
        summary = changed_summary(steps) if steps else None
        self._log.append(
            self.loaded.state.seq + 1, lines, stored, self._late, key=pending.key, answer=answer, summary=summary
        )
        self._busy = True

    def _late(self) -> None:
        """The outcome of an append is known after all: memory and log may differ."""
        if self.is_shared:
            self._look_soon()
        else:
            self._services.reload(self.code)

    def on_trial(self, command: Command, person: str, seen: int | None) -> tuple[Step, ...]:
        """What a command would lead to now, if only ones fell. Changes nothing; raises as ``ask`` does."""
        now = self._services.clock.now()
        caller = Caller(person, now, self.presence.missing(self.state, now), seen)
        return self.room.decide(self.state, command, caller, OnlyOnes(), self._services.seals)

    def _decide(self, command: Command, person: str | None, key: Key | None, seen: int | None) -> tuple[Step, ...]:
        if key is not None:
            self._reactions.is_known(person, key)  # the same key for something else is refused
        state = self.loaded.state
        caller = Caller(person, self.used, self.presence.missing(state, self.used), seen)
        steps = self.room.decide(state, command, caller, self._services.cup(), self._services.seals)
        events = [step.line.event for step in steps]
        check_marks(self.loaded.marks, events)
        check_room(state, events)
        return steps

    def _stored(
        self, pending: Storing, steps: Sequence[Step], lines: Sequence[str], answer: bytes, outcome: Outcome
    ) -> None:
        """The store's outcome is known: apply, then answer. The broadcast goes out in a later turn of the loop."""
        if self._trace is not None:
            self._trace.stored(self.number, pending.key, outcome)
        if self._log.shared and not isinstance(outcome, Stored) and not self._replaced:
            self._services.background.spawn(self._look_again(pending, outcome, lines))
            return
        self._busy = False
        if isinstance(outcome, NotStored):
            if outcome.code in DIFFER:
                self._services.clock.after(0, self._reload)
            self._reply(pending, outcome)
        elif isinstance(outcome, Repeated):
            self._reply(pending, outcome.answer)
        else:
            if steps:
                self.autoplay.leader = self._services.neighbours.me
            if self._replaced:  # the hub that took this one's place was loaded before this was stored
                self._services.reload(self.code)
            try:
                self._take(steps, lines)
            except Exception as error:  # noqa: BLE001 - it is stored: that is the answer, and the log is read again
                self._services.background.failed(error)
                self._reload()
            self._reply(pending, answer)
        self._work()

    def _take(self, steps: Sequence[Step], lines: Sequence[str]) -> None:
        """Apply stored events: to the state, presence, the timer and the spectators' news."""
        if not steps:
            return
        for step, line in zip(steps, lines, strict=True):
            self.loaded.take(step, line)
            if isinstance(step.line.event, SealOpened):
                self._services.seals.note_opened(read_seal(self.state.setup.seal))
        reseated = steps[-1].after.layout_version > steps[0].before.seq
        if reseated:
            self.presence.reseat(self.state.people, self._services.clock.now())
        self.autoplay.schedule()
        self._services.metrics.moves += 1
        self.spectators.take(steps, lines)
        if reseated:
            self.spectators.reseated(began=steps[0].before.match is None and self.state.match is not None)

    # what other processes store

    @property
    def is_shared(self) -> bool:
        """Whether other processes serve this table, too."""
        return self._log.shared

    def heard(self, length: int, node: int) -> None:
        """The log has so many lines, and this node wrote the last, another process says."""
        news = length > self.state.seq + 1
        if length > self.state.seq and node != self.autoplay.leader:
            self.autoplay.leader, news = node, True
            self.autoplay.schedule()
        if news:
            self._look_soon()

    def compare(self) -> None:
        """Look whether the log is still as memory has it."""
        self._look_soon()

    async def catch_up(self) -> bool:
        """Take in what other processes have stored until now; whether the store could be read in time."""
        look = self._look_soon()
        await asyncio.wait((look,), timeout=LOOK_WITHIN_S)
        return look.done() and look.result() == SEEN

    def _look_soon(self) -> "asyncio.Future[bytes]":
        """Have the next look at the log; one serves all who wait for it."""
        if self._look is not None:
            return self._look
        look = asyncio.get_running_loop().create_future()
        if self._closed:
            look.set_result(b"")
            return look
        self._look = look
        self._queue.appendleft(PendingLook(partial(settle, look)))
        self._work()
        return look

    async def _look_again(self, pending: Storing, outcome: Exception | Repeated, written: Sequence[str] = ()) -> None:
        """A command was refused, by the rules or by the store: on the table as others have left it, it may not be.

        So what they have stored is taken in first, and it is decided again. A repeated one gets its stored answer.
        written: the lines that the store was asked to append.
        """
        known: bytes | Exception = outcome.answer if isinstance(outcome, Repeated) else outcome
        came = False
        try:
            if not isinstance(outcome, NotStored) or outcome.code == "moved-on":  # else it has just said what it can
                stored = await self._log.answer(pending.key) if pending.key and isinstance(outcome, Exception) else None
                known, came = known if stored is None else stored, await self._follow()
                if isinstance(outcome, Repeated) and written and self.loaded.tail.lines[-len(written) :] == [*written]:
                    self._log.tell(self.state.seq + 1)  # ours, from a commit whose answer was lost
                    self.autoplay.leader = self._services.neighbours.me
                    self.autoplay.schedule()
        except NotStored as error:
            known = known if isinstance(outcome, NotStored | Repeated) else error
        except Exception as error:  # noqa: BLE001 - its sender gets it, and the next command its turn
            known = error
        self._busy = False
        if came and isinstance(known, Exception) and pending.tries < MOST_TRIES:
            self._queue.appendleft(replace(pending, tries=pending.tries + 1))
        else:
            self._reply(pending, known)
        self._work()

    async def _catch_up(self, pending: PendingLook) -> None:
        """Take in what another process has stored."""
        seen = b""
        try:
            await self._follow()
            seen = SEEN
        except NotStored:
            pass  # it is told again, or looked up
        finally:
            self._busy = False
            self._reply(pending, seen)
            self._work()

    async def _follow(self) -> bool:
        """Take in the lines that the log has more than memory, in order; whether there were any. Raises NotStored.

        They are read from the last that memory has: after a failover to a replica that was behind, the log may have
        another there, or none. Then the table is loaded again.
        """
        came, ended = False, not self._log.shared
        while not ended and not self._replaced:
            last = self.loaded.tail.lines[-1:]
            found = await self._log.grown(self.state.seq + 1 - len(last))
            lines, ended = found[len(last) :], len(found) < LINES_AT_ONCE
            came = came or bool(lines)
            try:
                if found[: len(last)] != last:
                    raise NotStored("moved-on", table=self.number)
                self._take(tuple(self.room.replay(self.state, lines)), lines)
            except Exception as error:  # noqa: BLE001 - this program cannot go on with the log: read it from its beginning
                if not isinstance(error, NotStored):
                    self._services.background.failed(error)
                self._reload()
                raise NotStored("moved-on", table=self.number) from None
        return came

    def _reload(self) -> None:
        if not self._replaced:
            self._services.reload(self.code)

    async def answer(self, key: Key) -> bytes | None:
        """The stored answer to the command that came under this idempotency key; None if none did.

        Raises NotStored("key-used") if it came with another body.
        """
        return await self._log.answer(key)

    async def react(self, person: str, phrase: int, key: Key) -> bytes:
        """Send a reaction to all spectators; it is stored nowhere. Raises Refused, NotStored("key-used")."""
        await self.answer(key)
        seat, now, done = self.state.seat_of(person), self._services.clock.now(), Done(self.state.seq)
        if seat is None:
            raise Refused("not-seated")
        if not self._reactions.is_known(person, key):
            self._reactions.note(person, key, now, self.state.people)
            self.spectators.call(seat, phrase)
            self._services.call(self.number, seat, phrase)
        return msgspec.json.encode(done)

    # closing

    def idle(self, now: int, after_ms: int) -> bool:
        """Whether nobody watches, nothing is due and nothing has happened for so long."""
        return not self.presence.streams and not self.autoplay.is_due and not self._busy and now - self.used > after_ms

    def close(self) -> None:
        """Stop the timers and end the streams."""
        self.autoplay.close()
        self.spectators.close()
        self._closed = True

    def replace(self) -> None:
        """Close permanently, as the house loads this table from its log again: this hub stores nothing more."""
        self._replaced = True
        self.close()
