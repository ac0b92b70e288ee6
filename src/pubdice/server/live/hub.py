"""One live table: commands one after the other, each decided, stored, applied and answered, and then broadcast.

An event changes the table, and pages see it, only once it is stored. The house hands over log, time, dice, bots and
broadcaster.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.core.seal import read_seal
from pubdice.room import Caller, Room, RoomState, Step
from pubdice.room.bounds import check_marks, check_room
from pubdice.room.commands import Command, Resume
from pubdice.room.events import SealOpened, Unpaused
from pubdice.server.live.autoplay import RETRY_S, Autoplay
from pubdice.server.live.commit import TableLog
from pubdice.server.live.idempotency import Key, check_same
from pubdice.server.live.lessons import Lessons, OnlyOnes
from pubdice.server.live.listing import changed_summary
from pubdice.server.live.loading import Loaded
from pubdice.server.live.pending import Pending, PendingAnswer, Waiting
from pubdice.server.live.presence import SEEN_MS, Presence
from pubdice.server.live.spectators import Spectators
from pubdice.server.live.table_services import TableServices
from pubdice.server.requests import Done
from pubdice.server.sse import Stream
from pubdice.store import Repeated
from pubdice.store.entries import Outcome

REACT_MS = 5_000
"""The least time between two reactions of one person."""
LEAST_LINGER_S, MOST_LINGER_S = 45, 120
"""After its last visitor was seen, a table counts as attended for its grace time, but within these bounds."""
DIFFER = ("moved-on", "not-known")
"""Refusals of the store after which memory and log may differ."""
MOST_QUEUED = 1_000
"""Commands that may wait at one table for the one before to be stored; one more is refused."""


class Hub:
    """A table in memory. Made from its log; one per table and house."""

    def __init__(self, code: str, room: Room, loaded: Loaded, log: TableLog, services: TableServices) -> None:
        self.number, self.code, self.room, self.loaded = log.table, code, room, loaded
        self._log, self._services = log, services
        self.used = services.clock.now()
        self.presence = Presence(self.state.people, self.used, services.seen_before)
        self.spectators = Spectators(room, loaded, self.presence, services)
        self.autoplay = Autoplay(room, loaded, self.presence, services, self._submit_own)
        self.lessons = Lessons(services.answers)
        self.rematch_lock = asyncio.Lock()
        self._queue: deque[Waiting] = deque()
        self._busy = self._closed = self._replaced = False
        self._reacted: dict[str, tuple[int, Key]] = {}
        if self.state.house_seed:  # a crash may have come between the opening and its note
            services.seals.note_opened(read_seal(self.state.setup.seal))
        self.autoplay.schedule()

    @property
    def state(self) -> RoomState:
        """The table's state after the last stored event."""
        return self.loaded.state

    @property
    def streams(self) -> set[Stream]:
        """The open streams of its spectators."""
        return self.presence.streams

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return self._services.clock.now()

    # commands

    def submit(self, pending: Waiting) -> None:
        """Carry out what waits when all before it is stored; its ``reply`` is called once, from the event loop."""
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
    ) -> bytes:
        """As ``submit``, awaited. Raises Refused, IllegalAction, BadNotation or NotStored."""
        done: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.submit(Pending(command, person, key, partial(_settle, done), answer, only, told))
        return await done

    async def store_answer(self, answer: Done, key: Key) -> bytes:
        """Store an answer with no event, so that the same command gets it again. Raises Refused or NotStored."""
        done: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.submit(PendingAnswer(answer, key, partial(_settle, done)))
        return await done

    async def _submit_own(self, command: Command, only: RoomState) -> bytes:
        return await self.ask(command, None, None, only=only)

    def _work(self) -> None:
        while self._queue and not self._busy:
            pending = self._queue.popleft()
            try:
                self._execute(pending)
            except Exception as error:  # noqa: BLE001 - its sender gets the error, and the next command its turn
                self._reply(pending, error)

    def _reply(self, pending: Waiting, outcome: bytes | Exception) -> None:
        """Call a command's ``reply``. An error in it is logged, so that it keeps no other command waiting."""
        try:
            pending.reply(outcome)
        except Exception as error:  # noqa: BLE001
            self._services.background.failed(error)

    def _execute(self, pending: Waiting) -> None:
        """Decide a command and hand its lines to the log. Raises what ``Room.decide`` does; then nothing has changed.

        A command that is refused may be a repeated one: then its stored answer goes out. One that would be accepted
        twice the store recognises by its key (``Repeated``).
        """
        if isinstance(pending, PendingAnswer):
            self.used = self._services.clock.now()
            self._append(pending, (), pending.answer)
            return
        if pending.only is not None and pending.only is not self.state:
            self._reply(pending, b"")
            return
        self.used = self._services.clock.now()
        try:
            steps = self._decide(pending.command, pending.person, pending.key)
        except (Refused, IllegalAction, BadNotation):
            known = self.answer(pending.key) if pending.key else None
            if known is None:
                raise
            self._reply(pending, known)
            return
        if not steps and pending.person is None:  # somebody the table waited for was back first
            self.autoplay.schedule()
            self._reply(pending, b"")
            return
        done = Done(self.state.seq + len(steps), pending.answer.go if pending.answer else None)
        if pending.told is not None:
            done.said = pending.told(steps[-1].after if steps else self.state)
        self._append(pending, steps, done)

    def _append(self, pending: Waiting, steps: tuple[Step, ...], done: Done) -> None:
        """Hand a command's lines to the log, and its answer, which is given once they are stored."""
        if self._replaced:
            raise NotStored("moved-on", table=self.number)
        answer, lines = msgspec.json.encode(done), tuple([step.write() for step in steps])
        stored = partial(self._stored, pending, steps, lines, answer)
        late = partial(self._services.reload, self.code)
        summary = changed_summary(steps) if steps else None
        self._log.append(self.state.seq + 1, lines, stored, late, key=pending.key, answer=answer, summary=summary)
        self._busy = True

    def on_trial(self, command: Command, person: str) -> tuple[Step, ...]:
        """What a command would lead to now, if only ones fell. Changes nothing; raises as ``ask`` does."""
        now = self._services.clock.now()
        caller = Caller(person, now, self.presence.missing(self.state, now))
        return self.room.decide(self.state, command, caller, OnlyOnes(), self._services.seals)

    def _decide(self, command: Command, person: str | None, key: Key | None) -> tuple[Step, ...]:
        if key is not None and person in self._reacted:
            check_same(self._reacted[person][1], key, self.number)
        caller = Caller(person, self.used, self.presence.missing(self.state, self.used))
        steps = self.room.decide(self.state, command, caller, self._services.cup(), self._services.seals)
        events = [step.line.event for step in steps]
        check_marks(self.loaded.marks, events)
        check_room(self.state, events)
        return steps

    def _stored(
        self, pending: Waiting, steps: Sequence[Step], lines: Sequence[str], answer: bytes, outcome: Outcome
    ) -> None:
        """The store's outcome is known: apply, then answer. The broadcast goes out in a later turn of the loop."""
        self._busy = False
        if isinstance(outcome, NotStored):
            if outcome.code in DIFFER:
                self._services.clock.after(0, self._reload)
            self._reply(pending, outcome)
        elif isinstance(outcome, Repeated):
            self._reply(pending, outcome.answer)
        else:
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
            if isinstance(step.line.event, Unpaused):
                self.presence.paused(step.before.paused_at, step.line.at)
        reseated = self.state.layout_version > steps[0].before.seq
        if reseated:
            self.presence.reseat(self.state.people, self.used)
        self.autoplay.schedule()
        self._services.metrics.moves += 1
        self.spectators.take(steps, lines)
        if reseated:
            self.spectators.reseated(began=steps[0].before.match is None and self.state.match is not None)

    def _reload(self) -> None:
        if not self._replaced:
            self._services.reload(self.code)

    def answer(self, key: Key) -> bytes | None:
        """The stored answer to the command that came under this idempotency key; None if none did.

        Raises NotStored("key-used") if it came with another body.
        """
        return self._log.answer(key)

    def react(self, person: str, phrase: int, key: Key) -> bytes:
        """Send a reaction to all spectators; it is stored nowhere. Raises Refused, NotStored("key-used")."""
        self.answer(key)
        seat, now, done = self.state.seat_of(person), self._services.clock.now(), Done(self.state.seq)
        if seat is None:
            raise Refused("not-seated")
        last, known = self._reacted.get(person, (-REACT_MS, None))
        if known is not None and check_same(known, key, self.number):
            return msgspec.json.encode(done)
        if (wait := last + REACT_MS - now) > 0:
            raise Refused("react-soon", seconds=-(-wait // 1000), wait_s=wait / 1000)
        here = self.state.people
        still_here = {other: reaction for other, reaction in self._reacted.items() if other in here}
        self._reacted = {**still_here, person: (now, key)}
        self.spectators.call(seat, phrase)
        return msgspec.json.encode(done)

    # who is here

    def attend(self) -> None:
        """Somebody came to an empty table: bots and the turn clock start again, and the turn under way has its full
        time.
        """
        linger_s = min(max(self.state.setup.grace_s, LEAST_LINGER_S), MOST_LINGER_S)
        if self.presence.attend(self._services.clock.now(), 1000 * linger_s):
            self.autoplay.schedule()

    def join(self, stream: Stream) -> None:
        """A page opened a stream and watches."""
        self.seen(stream.person, 0)
        self.spectators.join(stream)

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
        self.attend()
        seat = self.state.seat_of(person)
        if seat is None or person is None:
            return
        self.presence.see(person, self._services.clock.now() + grace_ms)
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


def _settle(done: "asyncio.Future[bytes]", outcome: bytes | Exception) -> None:
    if done.done():  # its task was cancelled
        return
    if isinstance(outcome, Exception):
        done.set_exception(outcome)
    else:
        done.set_result(outcome)
