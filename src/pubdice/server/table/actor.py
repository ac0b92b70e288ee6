"""One live table: an actor, which carries out one command at a time.

Theory of operation
===================

The table's log is the truth, and ``loaded`` a copy of what it leads to. A command goes

    decide -> append -> commit -> apply -> answer -> tell

and no step comes before the one to its left: an event changes the table, is answered and is seen only once it is on the
disk. So at any end of the process, nobody has seen more than the log has, and the first visitor afterwards has it
replayed (``replay``).

An append names the length that the log has in memory (optimistic concurrency). If the log has another, it refuses.

Two machines say what an actor may do. ``_turn`` says who has the log; ``TURNS`` are all its changes, and any other is a
fault of ours (KeyError). Only an IDLE actor takes the next command from the queue:

    IDLE       nothing is under way, and memory is what the log leads to
    STORING    a command's lines are on their way to the disk, or its answer alone
    CHECKING   the log is asked about a command that was refused: it may be a repeated one, whose answer is stored

``_life`` says whether the house still has the actor; ``LIVES`` are its changes:

    LIVE       it has timers and streams
    CLOSED     the house has forgotten it. Its timers and streams have ended; a command that still comes, from a request
               that found it before, is stored as ever
    REPLACED   memory and log may differ, so the house loads the table again, and this actor stores nothing more. A
               command on its way is still answered

A person's command that is cut off on its way is sent again under its idempotency key, and counts once: the store knows
the key, and answers what it answered then (``Repeated``).

Knows no other process: a package whose house has several brings an actor of its own (``docs/annexes.md``).
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import msgspec

from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.core.seal import read_seal
from pubdice.room import Caller, Room, RoomState, Step
from pubdice.room.commands import Command, Resume, Retime
from pubdice.room.events import SealOpened
from pubdice.room.log_lines import check_marks, check_room
from pubdice.server.replay import Loaded
from pubdice.server.shared_lock import SharedLock
from pubdice.server.table.autoplay import RETRY_S, Autoplay
from pubdice.server.table.commit import Key, TableLog, check_same
from pubdice.server.table.lessons import Lessons, OnlyOnes
from pubdice.server.table.presence import SEEN_MS, Presence, Stream
from pubdice.server.table.services import TableServices
from pubdice.server.table.stream import Spectators
from pubdice.server.wire import Done
from pubdice.store.writer import Outcome, Repeated, Stored, TableSummary

HOUR_MS = 3600 * 1000
IDLE, STORING, CHECKING = "idle", "storing", "checking"
TURNS: Mapping[tuple[str, str], str] = {
    (IDLE, "append"): STORING,
    (IDLE, "refused"): CHECKING,
    (STORING, "outcome"): IDLE,
    (CHECKING, "known"): IDLE,
}
"""The state of the log's turn after an event, by the state before and the event."""

LIVE, CLOSED, REPLACED = "live", "closed", "replaced"
LIVES: Mapping[tuple[str, str], str] = {
    (LIVE, "close"): CLOSED,
    (LIVE, "replace"): REPLACED,
    (CLOSED, "close"): CLOSED,
    (CLOSED, "replace"): REPLACED,
    (REPLACED, "close"): REPLACED,
    (REPLACED, "replace"): REPLACED,
}
"""The state of the actor's life after a deed of the house, by the state before and the deed."""

MOST_QUEUED = 1_000
"""Commands that may wait at one table for the one before to be stored; one more is refused."""
DIFFER = ("moved-on", "not-known")
"""Refusals of the store after which memory and log may differ."""
LEAST_LINGER_S, MOST_LINGER_S = 45, 120
"""After its last visitor was seen, a table counts as attended for its grace time, but within these bounds."""
REACT_MS = 5_000
"""The least time between two reactions of one person."""


def _unheard(command: "QueuedCommand", outcome: bytes | Exception) -> None:
    """Tell nobody: a command's reply until it is given one."""


@dataclass(slots=True, eq=False, kw_only=True)
class QueuedCommand:
    """A command at one table: one record on its way to the answer; a person's is a ``commands.TableRequest``.

    person: the sender; None is the table itself. key: its idempotency key. command: None stores ``answer`` with no
    event. reply: called once, in the event loop, with the record and its outcome: the encoded answer, or an error.
    answer: the client's next place. only: the state that it is meant for; at any other it is dropped, with an empty
    answer. sentence: makes the answer's sentence from the state after. seen: the last event that its sender had seen;
    None if that is not known.

    By the actor: steps, lines, done: its outcome, as it is stored, and its encoded answer.
    """

    person: str | None
    key: Key | None
    command: Command | None = None
    reply: Callable[..., None] = _unheard
    answer: Done | None = None
    only: RoomState | None = None
    sentence: Callable[[RoomState], str] | None = None
    seen: int | None = None
    steps: tuple[Step, ...] = ()
    lines: tuple[str, ...] = ()
    done: bytes = b""


class TableActor:
    """A table in memory: an actor. Made from its log; one per table and house.

    asker: the account by which its bots' decisions, lessons and chances are counted while they wait for a worker, so
    that somebody with many tables takes no more turns: the stored mark of its opener's address, else the table itself.
    used: when anything happened, in ms since 1970.
    """

    presence_class: type[Presence] = Presence
    autoplay_class: type[Autoplay] = Autoplay

    def __init__(
        self, code: str, room: Room, loaded: Loaded, log: TableLog, services: TableServices, *, asker: str
    ) -> None:
        self.number, self.code, self.room, self.loaded = log.table, code, room, loaded
        self.asker = asker
        self._log, self._services, self._trace = log, services, services.trace
        self._queue: deque[QueuedCommand] = deque()
        self._turn, self._life = IDLE, LIVE
        self._working = False  # true within ``_work``
        self._reacted: dict[str, tuple[int, Key]] = {}  # when each person did last, and under which key
        self.used = services.clock.now()
        self.presence = self.presence_class(self.state.people, self.used, services.seen_before)
        self.spectators = Spectators(room, loaded, self.presence, services, asker=asker)
        self.autoplay = self.autoplay_class(
            room, loaded, self.presence, services, self._submit_own, log=log, asker=asker
        )
        self.lessons = Lessons(services.answers, asker)
        self.rematch_lock = SharedLock()
        if self.state.house_seed:  # a crash may have come between the opening and its note
            services.seals.note_opened(read_seal(self.state.setup.seal))
        self.autoplay.schedule()

    @property
    def state(self) -> RoomState:
        """The table's state after the last stored event."""
        return self.loaded.state

    @property
    def match_place(self) -> tuple[str, int]:
        """The place of its match, once that is over: people who come and go afterwards change nothing."""
        live = self.state.match
        return self.code, 0 if live is None else live.state.seq

    @property
    def streams(self) -> set[Stream]:
        """The open streams of its spectators."""
        return self.presence.streams

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return self._services.clock.now()

    # commands

    def submit(self, command: QueuedCommand) -> None:
        """Carry out a command when all before it is stored; its ``reply`` is called once, from the event loop."""
        if self._trace is not None and command.command is not None:
            self._trace.asked(self.number, command.key, command.command)
        # Refused at once, and not when its turn comes: by then its client would have given up and sent it again.
        if len(self._queue) >= MOST_QUEUED:
            command.reply(command, Refused("often", wait_s=1))
            return
        self._queue.append(command)
        self._work()

    async def carry_out(self, command: QueuedCommand) -> bytes:
        """As ``submit``, awaited. Raises Refused, IllegalAction, BadNotation or NotStored."""
        answered: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        command.reply = partial(_settle, answered)
        self.submit(command)
        return await answered

    async def ask(
        self,
        command: Command,
        person: str | None,
        key: Key | None,
        answer: Done | None = None,
        *,
        only: RoomState | None = None,
    ) -> bytes:
        """Carry out a command that no request asks for in these words. Raises as ``carry_out`` does."""
        return await self.carry_out(QueuedCommand(person=person, key=key, command=command, answer=answer, only=only))

    async def store_answer(self, answer: Done, key: Key) -> bytes:
        """Store an answer with no event, so that the same command gets it again. Raises Refused or NotStored."""
        return await self.carry_out(QueuedCommand(person=None, key=key, answer=answer))

    async def _submit_own(self, command: Command, only: RoomState) -> bytes:
        """A command of the table's own, in this state and no other."""
        return await self.ask(command, None, None, only=only)

    def _work(self) -> None:
        """Carry out what waits, until the log has something under way."""
        # A reply may submit the next command. It is carried out by the loop below, not within the reply: a chain of
        # refused commands would be as deep as it is long.
        if self._working:
            return
        self._working = True
        try:
            while self._turn is IDLE and self._queue:
                command = self._queue.popleft()
                try:
                    self._begin(command)
                except Exception as error:  # noqa: BLE001 - its sender gets the error, and the next command its turn
                    self._reply(command, error)
        finally:
            self._working = False

    def _begin(self, command: QueuedCommand) -> None:
        """Decide a command, and hand its lines to the log. Errors it raises are replied; then nothing has changed.

        A command that is refused may be a repeated one: then its stored answer goes out. One that would be accepted
        twice the store recognises by its key (``Repeated``).
        """
        state = self.loaded.state
        # Identity, not equality: a state that has come back by other events is another state to a timer.
        if command.only is not None and command.only is not state:
            self._reply(command, b"")
            return
        self.used = self._services.clock.now()
        steps: tuple[Step, ...] = ()
        if command.command is None:
            done = command.answer
        else:
            try:
                steps = self._decide(command, command.command)
            except (Refused, IllegalAction, BadNotation) as refusal:
                # Only a refusal asks the log. An accepted command that is a repeated one is found by the append itself,
                # so the usual move costs no read.
                self._refused(command, refusal)
                return
            if not steps and command.person is None:  # somebody the table waited for was back first
                self.autoplay.schedule()
                self._reply(command, b"")
                return
            done = Done(state.seq + len(steps), command.answer.go if command.answer else None)
            if command.sentence is not None:
                done.said = command.sentence(steps[-1].after if steps else state)
        if self._life is REPLACED:
            raise NotStored("moved-on", table=self.number)
        command.steps, command.lines = steps, tuple([step.write() for step in steps])
        command.done = msgspec.json.encode(done)
        self._log.append(
            # The log has one line more than events: its first is the setup.
            state.seq + 1,
            command.lines,
            partial(self._stored, command),
            self._late,
            key=command.key,
            answer=command.done,
            summary=_changed_summary(steps) if steps else None,
        )
        self._turn = TURNS[self._turn, "append"]

    def _decide(self, command: QueuedCommand, wanted: Command) -> tuple[Step, ...]:
        person, key, state = command.person, command.key, self.loaded.state
        if key is not None and person in self._reacted:
            # A reaction is stored nowhere, so the store cannot know its key.
            self._has_reacted(person, key)  # the same key for something else is refused
        caller = Caller(person, self.used, self.presence.missing(state, self.used), command.seen)
        steps = self.room.decide(state, wanted, caller, self._services.cup(), self._services.seals)
        events = [step.line.event for step in steps]
        # Both limits are checked before the append, not by the rules: a log written by an older version may exceed
        # them, and must replay.
        check_marks(self.loaded.marks, events)
        check_room(state, events)
        return steps

    def _stored(self, command: QueuedCommand, outcome: Outcome) -> None:
        """The store's outcome is known: apply, then answer. The broadcast goes out in a later turn of the loop."""
        if self._trace is not None:
            self._trace.stored(self.number, command.key, outcome)
        if isinstance(outcome, Stored):
            if self._life is REPLACED:  # the actor that took this one's place was loaded before this was stored
                self._services.reload(self.code)
            try:
                self._take(command.steps, command.lines)
            except Exception as error:  # noqa: BLE001 - it is stored: that is the answer, and the log is read again
                self._services.background.failed(error)
                self.reload()
            outcome_known: bytes | Exception = command.done
        elif isinstance(outcome, Repeated):
            outcome_known = outcome.answer
        else:
            if outcome.code in DIFFER:
                self._services.clock.after(0, self.reload)
            outcome_known = outcome
        # After ``_take`` and before the reply: a reply may submit the next command, which has to find the table IDLE
        # and up to date.
        self._turn = TURNS[self._turn, "outcome"]
        self._reply(command, outcome_known)
        if self._queue:
            self._work()

    def _take(self, steps: Sequence[Step], lines: Sequence[str]) -> None:
        """Apply stored events: to the state, presence, the timer and the spectators' news."""
        if not steps:
            return
        for step, line in zip(steps, lines, strict=True):
            self.loaded.take(step, line)
            if isinstance(step.line.event, SealOpened):
                self._services.seals.note_opened(read_seal(self.state.setup.seal))
        # ``layout_version`` is a seq, so it is past the first step's only if one of these steps changed the seats.
        reseated = steps[-1].after.layout_version > steps[0].before.seq
        if reseated:
            self.presence.reseat(self.state.people, self._services.clock.now())
        self.autoplay.schedule()
        self._services.metrics.moves += 1
        self.spectators.take(steps, lines)
        if steps[-1].after.stage == "over" and steps[0].before.stage == "playing" and self.streams:
            self._services.ended(self.code)
        if reseated:
            # After the news: a page has to know its new seat before it can show who is away.
            self.spectators.reseated(began=steps[0].before.match is None and self.state.match is not None)

    def _reply(self, command: QueuedCommand, outcome: bytes | Exception) -> None:
        """Answer a command. An error in its ``reply`` is logged, so that it keeps no other command waiting."""
        if self._trace is not None:
            self._trace.answered(self.number, command.key, outcome)
        try:
            command.reply(command, outcome)
        except Exception as error:  # noqa: BLE001
            self._services.background.failed(error)

    def dry_run(self, command: Command, person: str, seen: int | None) -> tuple[Step, ...]:
        """The steps that a command would lead to now, if only ones fell. Changes nothing; raises as ``ask`` does."""
        now = self._services.clock.now()
        caller = Caller(person, now, self.presence.missing(self.state, now), seen)
        return self.room.decide(self.state, command, caller, OnlyOnes(), self._services.seals)

    def last_seen(self, said: int | None, arrived: int | None) -> int | None:
        """The last event that the sender of a command had seen, as it says, but none after its request was read.

        said: None if it doesn't say. Then it counts as having seen all that was known then: of two that are read before
        either is stored, the second comes too late. arrived: the last event as the request was read; None: the last
        event now. None as an answer: not known, and any dice count as seen.
        """
        known = self.state.seq if arrived is None else arrived
        return known if said is None else min(said, known)

    async def answer(self, key: Key) -> bytes | None:
        """The stored answer to the command that came under this idempotency key; None if none did.

        Raises NotStored("key-used") if it came with another body.
        """
        return await self._log.answer(key)

    # the log may know better

    def _refused(self, command: QueuedCommand, refusal: Exception) -> None:
        """A command was refused on the table as it is: if it is a repeated one, the log knows its answer."""
        if command.key is None:
            raise refusal
        self._turn = TURNS[self._turn, "refused"]
        self._services.background.spawn(self._ask_log(command, command.key, refusal))

    async def _ask_log(self, command: QueuedCommand, key: Key, refusal: Exception) -> None:
        outcome: bytes | Exception
        try:
            stored = await self._log.answer(key)
            outcome = refusal if stored is None else stored
        except Exception as error:  # noqa: BLE001 - its sender gets it, and the next command its turn
            outcome = error
        self._turn = TURNS[self._turn, "known"]
        self._reply(command, outcome)
        self._work()

    def reload(self) -> None:
        """Have the house load the table from its log again: memory and log may differ."""
        if self._life is not REPLACED:
            self._services.reload(self.code)

    def _late(self) -> None:
        """The outcome of an append is known after all, once its sender was told "not-known"."""
        self._services.reload(self.code)

    # reactions

    async def react(self, person: str, phrase: int, key: Key) -> bytes:
        """Send a reaction to all spectators; it is stored nowhere. Raises Refused, NotStored("key-used")."""
        # Awaited first for its refusal alone: the key may be that of a stored command with another body.
        await self.answer(key)
        seat, now, done = self.state.seat_of(person), self._services.clock.now(), Done(self.state.seq)
        if seat is None:
            raise Refused("not-seated")
        if not self._has_reacted(person, key):
            last, _ = self._reacted.get(person, (-REACT_MS, None))
            if (wait := last + REACT_MS - now) > 0:
                # -(-a // b) rounds up: a client that waits the seconds it reads must not come too early.
                raise Refused("react-soon", seconds=-(-wait // 1000), wait_s=wait / 1000)
            # Forgotten with the person: without it the map would grow by each visitor of a long evening.
            here = self.state.people
            self._reacted = {other: noted for other, noted in self._reacted.items() if other in here}
            self._reacted[person] = now, key
            self._call(seat, phrase)
        return msgspec.json.encode(done)

    def _call(self, seat: int, phrase: int) -> None:
        """Tell of a reaction."""
        self.spectators.call(seat, phrase)

    def _has_reacted(self, person: str | None, key: Key) -> bool:
        """True if this was the key of a person's last reaction. NotStored("key-used") if it came with another body."""
        return person in self._reacted and check_same(self._reacted[person][1], key, self.number)

    # who comes and goes

    def attend(self) -> None:
        """Somebody came to an empty table: bots and the turn clock start again.

        The turn under way has its full time from the first stream on. Without a stream the table's timer gives it that
        time instead of ending it (``autoplay``), since a page may be read by anybody's link, and a GET stores nothing.
        """
        self._attend(self._services.clock.now())

    def _attend(self, now: int) -> None:
        # Within bounds in both directions: a grace time of 0 must not stop bots between two page loads, one of an hour
        # must not keep an empty table playing.
        linger_s = min(max(self.loaded.state.setup.grace_s, LEAST_LINGER_S), MOST_LINGER_S)
        if self.presence.attend(now, 1000 * linger_s):
            self.autoplay.schedule()

    def settle_coming(self) -> None:
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
        self.autoplay.came()
        self.settle_coming()

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
        state = self.loaded.state
        seat = state.seat_of(person)
        if seat is None or state.chairs[seat].why != "voted" or state.stage != "playing":
            return None
        return None if seat in self.presence.gone(state, self._services.clock.now()) else seat

    async def restore_seat(self, person: str | None) -> None:
        """Give a person back the seat they were voted away from, if they were."""
        # A loop, since ``only`` drops the command if anything else happens first: then the seat is looked up again.
        while self._life is LIVE and (seat := self.voted_away(person)) is not None:
            try:
                await self.ask(Resume(seat), None, None, only=self.state)
            except NotStored:
                self._services.clock.after(RETRY_S, partial(self._try_again, person))
                return
            except Refused:
                return  # the log is full: nobody plays on here

    def _try_again(self, person: str | None) -> None:
        self._services.background.spawn(self.restore_seat(person))

    # closing

    @property
    def is_live(self) -> bool:
        """True if the house has it."""
        return self._life is LIVE

    @property
    def is_replaced(self) -> bool:
        """True if the house loads, or has loaded, this table from its log again."""
        return self._life is REPLACED

    def idle(self, now: int, after_ms: int) -> bool:
        """True if nobody watches, nothing is due and nothing has happened for this long."""
        # A due timer keeps the table: forgotten, it would not be woken until somebody comes.
        quiet = not self.presence.streams and not self.autoplay.is_due
        return quiet and self._turn is IDLE and now - self.used > after_ms

    def close(self) -> None:
        """Stop the timers and end the streams."""
        self._life = LIVES[self._life, "close"]
        self.autoplay.close()
        self.spectators.close()

    def replace(self) -> None:
        """Close permanently, as the house loads this table from its log again: this actor stores nothing more."""
        # Before ``close``: from here on ``_begin`` refuses to append, while outcomes on their way are still answered.
        self._life = LIVES[self._life, "replace"]
        self.close()


def _settle(answered: "asyncio.Future[bytes]", command: QueuedCommand, outcome: bytes | Exception) -> None:
    """Give a command's outcome to somebody who awaits it, if they still do."""
    if answered.done():  # its task was cancelled
        return
    if isinstance(outcome, Exception):
        answered.set_exception(outcome)
    else:
        answered.set_result(outcome)


def _changed_summary(steps: Sequence[Step]) -> TableSummary | None:
    """The summary after these steps, if people or the stage changed, or an hour of the clock has passed; else None."""
    before, after = steps[0].before, steps[-1].after
    # Not with each move: a summary is a row of its own, so a roll would write two. Lists need no time finer than an
    # hour.
    if after.layout_version > before.seq or after.at // HOUR_MS != before.at // HOUR_MS:
        return summary_of(before, after)
    return None


def summary_of(before: RoomState, after: RoomState) -> TableSummary:
    """The summary of a table. Its people are only those who are new: the store adds them to those it has."""
    setup, known = after.setup, before.people
    newcomers = tuple([person for person in after.people if person not in known])
    return TableSummary(after.stage, setup.listed, after.at, newcomers, setup.rules["game"], after.names)
