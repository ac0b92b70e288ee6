"""One live table: an actor that carries out one command at a time.

Theory of operation
===================

The table's log is the truth, and ``loaded`` a copy of the state that it leads to. A command goes

    decide -> append -> commit -> apply -> answer -> tell

in this order. An event changes the table, is answered and is shown only once it is on the disk. So if the process ends
at any point, no client has seen more than the log has. The first visitor afterwards has the log replayed (``replay``).

An append names the length of the log in memory (optimistic concurrency). If the log has another length, the store
refuses it.

Two state machines say what an actor may do. ``_turn`` is the state of the log. ``TURNS`` has all its changes, and any
other change is a bug (KeyError). Only an IDLE actor takes the next command from the queue:

    IDLE       nothing is under way, and memory is what the log leads to
    STORING    a command's lines, or only its answer, are on their way to the disk
    CHECKING   the log is asked about a refused command: it may be a repeated one, whose answer is stored

``_life`` says if the house still uses the actor. ``LIVES`` has its changes:

    LIVE       it has timers and streams
    CLOSED     the house has forgotten it. Its timers and streams have ended. A command from a request that found
               the actor earlier is still stored
    REPLACED   memory and log may differ, so the house loads the table again, and this actor stores nothing more. A
               command on its way is still answered

If a person's command is cut off on its way, the client sends it again under its idempotency key. It counts once: the
store knows the key, and returns the first answer (``Repeated``).

Knows no other process. A package for houses of several processes has an actor class of its own
(``docs/contribute/annexes.md``).
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import msgspec
from msgspec import UnsetType

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
"""The next state of ``_turn``, by the state and the event."""

LIVE, CLOSED, REPLACED = "live", "closed", "replaced"
LIVES: Mapping[tuple[str, str], str] = {
    (LIVE, "close"): CLOSED,
    (LIVE, "replace"): REPLACED,
    (CLOSED, "close"): CLOSED,
    (CLOSED, "replace"): REPLACED,
    (REPLACED, "close"): REPLACED,
    (REPLACED, "replace"): REPLACED,
}
"""The next state of ``_life``, by the state and the house's call."""

MOST_QUEUED = 1_000
"""The most commands that may wait at one table for earlier commands to be stored. Further ones are refused."""
DIFFER = ("moved-on", "not-known")
"""Refusals of the store after which memory and log may differ."""
LEAST_LINGER_S, MOST_LINGER_S = 45, 120
"""Bounds in s. After its last visitor leaves, a table counts as attended for its grace time, within these bounds."""
REACT_MS = 5_000
"""The least time between two reactions of one person."""


def _unheard(command: "QueuedCommand", outcome: bytes | Exception) -> None:
    """Do nothing. A command has this ``reply`` until it gets another."""


@dataclass(slots=True, eq=False, kw_only=True)
class QueuedCommand:
    """A command at one table, on its way to its answer. A person's command is a ``commands.TableRequest``.

    - ``person`` is the sender. None for the table itself.
    - ``command`` is the command. If it is None, ``answer`` (the client's next page) is stored without an event.
    - ``reply`` is called once, in the event loop, with this record and its outcome: the encoded answer, or an error.
    - ``only`` is the state that the command is meant for. In any other state it is dropped, with an empty answer.
    - ``sentence`` makes the answer's sentence from the state afterwards.
    - ``seen`` is the last event that the sender had seen. None if not known.

    The actor sets ``steps``, their log ``lines``, and ``done``, the encoded answer.
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
    """A table in memory, made from its log. A house has one actor for each table.

    - ``asker`` is the account for the table's bots, lessons and chances while they wait for a worker: the stored mark
      of the opener's address, or else the table's code. So many tables of one client get no more turns than one.
    - ``used`` is the time of the last use, in ms since 1970.
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
        self._reacted: dict[str, tuple[int, Key]] = {}  # each person's last reaction: its time and key
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
        """The place of its match, once that is over. People who come and go afterwards do not change it."""
        live = self.state.match
        return self.code, 0 if live is None else live.state.seq

    @property
    def streams(self) -> set[Stream]:
        """The open streams of its spectators."""
        return self.presence.streams

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return self._services.clock.now()

    def submit(self, command: QueuedCommand) -> None:
        """Carry out a command after all earlier ones. Its ``reply`` is called once, from the event loop."""
        if self._trace is not None and command.command is not None:
            self._trace.asked(self.number, command.key, command.command)
        # Refused at once, and not when its turn comes: by then its client would have given up and sent it again.
        if len(self._queue) >= MOST_QUEUED:
            command.reply(command, Refused("often", wait_s=1))
            return
        self._queue.append(command)
        self._work()

    async def carry_out(self, command: QueuedCommand) -> bytes:
        """Carry out a command as ``submit`` does, and return its answer.

        Raises Refused, IllegalAction, BadNotation or NotStored.
        """
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
        """Carry out a command that the house makes itself. Raises as ``carry_out`` does."""
        return await self.carry_out(QueuedCommand(person=person, key=key, command=command, answer=answer, only=only))

    async def store_answer(self, answer: Done, key: Key) -> bytes:
        """Store an answer without an event, so a repeated command gets it again. Raises Refused or NotStored."""
        return await self.carry_out(QueuedCommand(person=None, key=key, answer=answer))

    async def _submit_own(self, command: Command, only: RoomState) -> bytes:
        return await self.ask(command, None, None, only=only)

    def _work(self) -> None:
        """Carry out waiting commands until the log has something under way."""
        # A reply may submit the next command. The loop below carries it out, not the reply: otherwise the stack would
        # grow with each command in a chain of refused ones.
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
        """Decide a command, and hand its lines to the log. An error is the answer, and then nothing has changed.

        A refused command may be a repeated one. Then its stored answer goes out. If a repeated command is not refused,
        the store recognises it by its key (``Repeated``).
        """
        state = self.loaded.state
        # Identity, not equality: for a timer, an equal state after further events is another state.
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
                # Only a refusal asks the log. The append itself finds an accepted command that is a repeated one, so
                # the usual move costs no read.
                self._refused(command, refusal)
                return
            # The person that the table waited for came back first.
            if not steps and command.person is None:
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
            # A reaction is not stored, so the store cannot know its key.
            self._has_reacted(person, key)  # refuses the same key for another request
        caller = Caller(person, self.used, self.presence.missing(state, self.used), command.seen)
        steps = self.room.decide(state, wanted, caller, self._services.cup(), self._services.seals)
        events = [step.line.event for step in steps]
        # Both limits are checked before the append, not by the rules: a log written by an older version may exceed
        # them, and must replay.
        check_marks(self.loaded.marks, events)
        check_room(state, events)
        return steps

    def _stored(self, command: QueuedCommand, outcome: Outcome) -> None:
        """Apply the store's outcome, then answer. The broadcast goes out in a later turn of the loop."""
        if self._trace is not None:
            self._trace.stored(self.number, command.key, outcome)
        if isinstance(outcome, Stored):
            # The actor in this one's place was loaded before these lines were stored.
            if self._life is REPLACED:
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
        # After ``_take`` and before the reply: a reply may submit the next command, which must find the table IDLE and
        # up to date.
        self._turn = TURNS[self._turn, "outcome"]
        self._reply(command, outcome_known)
        if self._queue:
            self._work()

    def _take(self, steps: Sequence[Step], lines: Sequence[str]) -> None:
        """Apply stored events to the state, presence, the timer and the spectators' news."""
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
            # After the news: a page must know its new seat before it can show who is away.
            self.spectators.reseated(began=steps[0].before.match is None and self.state.match is not None)

    def _reply(self, command: QueuedCommand, outcome: bytes | Exception) -> None:
        """Answer a command. An error in its ``reply`` is logged, so it keeps no other command waiting."""
        if self._trace is not None:
            self._trace.answered(self.number, command.key, outcome)
        try:
            command.reply(command, outcome)
        except Exception as error:  # noqa: BLE001
            self._services.background.failed(error)

    def dry_run(self, command: Command, person: str, seen: int | None) -> tuple[Step, ...]:
        """Return the steps that a command would lead to now, if all dice fell as ones.

        Changes nothing. Raises as ``ask`` does.
        """
        now = self._services.clock.now()
        caller = Caller(person, now, self.presence.missing(self.state, now), seen)
        return self.room.decide(self.state, command, caller, OnlyOnes(), self._services.seals)

    def last_seen(self, said: int | UnsetType, arrived: int | None) -> int | None:
        """Return the last event that the sender of a command had seen.

        Returns None if not known, and then any dice count as seen.

        ``said`` is the client's claim, but never later than ``arrived``, the last event when the request was read. If
        ``said`` is unset, the client counts as having seen all events of that time. So of two commands read before
        either is stored, the second comes too late. If ``arrived`` is None, the last event now counts.
        """
        known = self.state.seq if arrived is None else arrived
        return min(said, known) if isinstance(said, int) else known

    async def answer(self, key: Key) -> bytes | None:
        """Return the answer stored under this key, or None. Raises NotStored("key-used") if the request differs."""
        return await self._log.answer(key)

    def _refused(self, command: QueuedCommand, refusal: Exception) -> None:
        """Ask the log about a refused command: a repeated command has its answer there."""
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
        """Have the house load the table from its log again, as memory and log may differ."""
        if self._life is not REPLACED:
            self._services.reload(self.code)

    def _late(self) -> None:
        """Load the table again: the outcome of an append came after its sender was told "not-known"."""
        self._services.reload(self.code)

    async def react(self, person: str, phrase: int, key: Key) -> bytes:
        """Send a reaction to all spectators. It is not stored. Raises Refused, NotStored("key-used")."""
        # Awaited first for its refusal alone: a stored command may have this key, with another request.
        await self.answer(key)
        seat, now, done = self.state.seat_of(person), self._services.clock.now(), Done(self.state.seq)
        if seat is None:
            raise Refused("not-seated")
        if not self._has_reacted(person, key):
            last, _ = self._reacted.get(person, (-REACT_MS, None))
            if (wait := last + REACT_MS - now) > 0:
                # -(-a // b) rounds up: a client that waits the seconds it reads must not come too early.
                raise Refused("react-soon", seconds=-(-wait // 1000), wait_s=wait / 1000)
            # Forget people who have left. Otherwise the map would grow by each visitor of a long evening.
            here = self.state.people
            self._reacted = {other: noted for other, noted in self._reacted.items() if other in here}
            self._reacted[person] = now, key
            self._call(seat, phrase)
        return msgspec.json.encode(done)

    def _call(self, seat: int, phrase: int) -> None:
        self.spectators.call(seat, phrase)

    def _has_reacted(self, person: str | None, key: Key) -> bool:
        """Return True if a person's last reaction had this key. Raises NotStored("key-used") if the requests differ."""
        return person in self._reacted and check_same(self._reacted[person][1], key, self.number)

    def attend(self) -> None:
        """Note a visitor. At an empty table, bots and the turn clock start again.

        The turn under way gets its full time when the first stream opens. Without a stream, the table's timer gives
        that time (``autoplay``): any link can load a page, and a GET stores nothing.
        """
        self._attend(self._services.clock.now())

    def _attend(self, now: int) -> None:
        # Bounds on both sides. A grace time of 0 must not stop bots between two page loads. A grace time of an hour
        # must not keep an empty table playing.
        linger_s = min(max(self.loaded.state.setup.grace_s, LEAST_LINGER_S), MOST_LINGER_S)
        if self.presence.attend(now, 1000 * linger_s):
            self.autoplay.schedule()

    def settle_coming(self) -> None:
        """Give the turn its full time, if its clock has run since before a visitor came to the empty table."""
        if self.presence.streams and self.presence.settle_coming(self.state):
            self._services.background.spawn(self._retime())

    async def _retime(self) -> None:
        # It fails if a command came first, if the log is full, or if the database is away.
        with suppress(NotStored, Refused):
            await self._submit_own(Retime(), self.state)

    def join(self, stream: Stream) -> None:
        """Note that a page has opened a stream and watches."""
        self.seen(stream.person, 0)
        self.spectators.join(stream)
        self.autoplay.came()
        self.settle_coming()

    def leave(self, stream: Stream) -> None:
        """Note that a page has closed its stream."""
        self.attend()  # the page was open until now
        self.used = self._services.clock.now()
        self.spectators.leave(stream)
        if self.state.match is None:
            self.autoplay.schedule()

    def seen(self, person: str | None, grace_ms: int = SEEN_MS, *, restores: bool = True) -> None:
        """Note that a person has shown up. If ``restores``, a person who was voted away gets the seat back.
        ``restores`` is false when a page is only read: a link on another site can make a browser do that.
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
        """Return the seat that a person was voted away from, if they are back. Otherwise None."""
        state = self.loaded.state
        seat = state.seat_of(person)
        if seat is None or state.chairs[seat].why != "voted" or state.stage != "playing":
            return None
        return None if seat in self.presence.gone(state, self._services.clock.now()) else seat

    async def restore_seat(self, person: str | None) -> None:
        """Give a person back the seat from which they were voted away. If there is no such seat, do nothing."""
        # A loop: ``only`` drops the command if anything else happens first. Then the seat is looked up again.
        while self._life is LIVE and (seat := self.voted_away(person)) is not None:
            try:
                await self.ask(Resume(seat), None, None, only=self.state)
            except NotStored:
                self._services.clock.after(RETRY_S, partial(self._try_again, person))
                return
            except Refused:
                return  # the log is full, so no player goes on here

    def _try_again(self, person: str | None) -> None:
        self._services.background.spawn(self.restore_seat(person))

    @property
    def is_live(self) -> bool:
        """True if the house uses this actor for the table."""
        return self._life is LIVE

    @property
    def is_replaced(self) -> bool:
        """True if the house loads, or has loaded, this table from its log again."""
        return self._life is REPLACED

    def idle(self, now: int, after_ms: int) -> bool:
        """Return True if no page is open, nothing is due and the table was not used for this long."""
        # A due timer keeps the table in memory. Once forgotten, the table would sleep until the next visitor.
        quiet = not self.presence.streams and not self.autoplay.is_due
        return quiet and self._turn is IDLE and now - self.used > after_ms

    def close(self) -> None:
        """Stop the timers and end the streams."""
        self._life = LIVES[self._life, "close"]
        self.autoplay.close()
        self.spectators.close()

    def replace(self) -> None:
        """Close permanently, because the house loads this table from its log again. This actor stores nothing more."""
        # Before ``close``: from here on ``_begin`` refuses to append, while outcomes on their way are still answered.
        self._life = LIVES[self._life, "replace"]
        self.close()


def _settle(answered: "asyncio.Future[bytes]", command: QueuedCommand, outcome: bytes | Exception) -> None:
    if answered.done():  # the task was cancelled
        return
    if isinstance(outcome, Exception):
        answered.set_exception(outcome)
    else:
        answered.set_result(outcome)


def _changed_summary(steps: Sequence[Step]) -> TableSummary | None:
    """Return the summary after these steps, if people or the stage changed, or if the hour changed. Otherwise None."""
    before, after = steps[0].before, steps[-1].after
    # Not with each move: a summary is a row of its own, so a roll would write two rows. Lists need no time finer than
    # an hour.
    if after.layout_version > before.seq or after.at // HOUR_MS != before.at // HOUR_MS:
        return summary_of(before, after)
    return None


def summary_of(before: RoomState, after: RoomState) -> TableSummary:
    """Return the summary of a table. It has only the people who are new: the store adds them to the people it has."""
    setup, known = after.setup, before.people
    newcomers = tuple([person for person in after.people if person not in known])
    return TableSummary(after.stage, setup.listed, after.at, newcomers, setup.rules["game"], after.names)
