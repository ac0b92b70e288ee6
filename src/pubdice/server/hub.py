"""One live table: its state, its one lock, and the streams of those who look on.

Knows the order that keeps the promises: decide → store → apply → answer → send. Whatever is not stored changes nothing
and is shown to nobody. Time, dice, the store and the bots' choices are given.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from pubdice.cup import Cup
from pubdice.game import BadNotation, IllegalAction
from pubdice.party import Asker, Party, PartyState, Step
from pubdice.party.commands import Bot, Command, Resume, TimeUp
from pubdice.party.due import due
from pubdice.party.events import Moved, public
from pubdice.policy import pick
from pubdice.server.stream import Stream, frame
from pubdice.server.tell import Teller
from pubdice.server.views import Moment, Viewer
from pubdice.server.wire import Done, Say, State, Update, View
from pubdice.store import NotStored
from pubdice.table import Marked, Refused
from pubdice.words import Language

AWAY_MS = 4_000
"""A seat without any stream counts as away after so long: a page that loads anew is not away."""
SEEN_MS = 45_000
"""A seat that reads pages without a stream counts as here for so long after each."""
RETRY_S = 1.0
BEFORE_S = 0.002


@dataclass(frozen=True, slots=True)
class Stored:
    """What the store made of an append: the answer kept under the key; repeated if it was there before."""

    answer: bytes
    repeated: bool = False


class Keeper(Protocol):
    """What a hub needs of the house."""

    @property
    def cup(self) -> Cup:
        """Where rolls come from."""

    @property
    def bots(self) -> Cup:
        """Where bots draw lots."""

    @property
    def address(self) -> str:
        """Where tables are: what a code is added to."""

    def now(self) -> int:
        """The time in ms since 1970."""

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Do something later; the answer has a ``cancel``."""

    def spawn(self, work: Awaitable[None]) -> None:
        """Do something beside."""

    async def append(self, hub: "Hub", seen: int, steps: Sequence[Step], key: str | None, answer: bytes) -> Stored:
        """Store the lines; NotStored if that fails."""

    def answer(self, hub: "Hub", key: str) -> bytes | None:
        """The answer stored under a key."""

    async def choose(self, hub: "Hub", state: PartyState, seat: int) -> Sequence[tuple[Any, int]]:
        """The weighted actions of the bot that plays a seat."""

    def language(self, code: str) -> Language:
        """A language by its code."""

    def moved(self, hub: "Hub", steps: Sequence[Step]) -> None:
        """Steps were stored and applied."""


class Hub:
    """A table in memory. Made from its log; one per table and house."""

    def __init__(self, number: int, code: str, party: Party, log: Sequence[str], keeper: Keeper) -> None:
        self.number, self.code, self.party, self.keeper = number, code, party, keeper
        self.log = list(log)  # line 0 is the setup
        self.state = party.start()
        self.spoken: tuple[Step, ...] = ()
        for step in party.replay(self.state, self.log[1:]):
            self.state = step.after
            if _speaks(step):
                self.spoken = (step,)
        self.awake = self.used = keeper.now()
        self.lock = asyncio.Lock()
        self.streams: set[Stream] = set()
        self.left = dict.fromkeys(self.state.people, self.awake)
        self._timer: Any = None
        self._views: dict[str, tuple[Teller, Viewer]] = {}
        self._shown_gone: frozenset[int] = frozenset()
        self.stale = False  # memory and log may differ: to be loaded anew
        self.schedule()

    # asking

    async def ask(self, command: Command, person: str | None, key: str | None, answer: Done | None = None) -> bytes:
        """Do a command once, and the answer to it, the same for every repeat of its key.

        Raises Refused, IllegalAction or BadNotation, and then nothing has changed.
        """
        async with self.lock:
            self.used = now = self.keeper.now()
            try:
                steps = self.party.decide(self.state, command, Asker(person, now, self.gone(now)), self.keeper.cup)
            except (Refused, IllegalAction, BadNotation):
                known = self.keeper.answer(self, key) if key else None
                if known is not None:
                    return known
                raise
            said = msgspec.json.encode(Done(self.state.seq + len(steps), answer.go if answer else None))
            try:
                stored = await self.keeper.append(self, self.state.seq + 1, steps, key, said)
            except BaseException as error:  # unless the store said that nothing was written, one cannot know
                self.stale = not isinstance(error, NotStored) or error.code == "moved-on"
                raise
            if not stored.repeated:
                self._take(steps)
            return stored.answer

    def _take(self, steps: Sequence[Step]) -> None:
        """Apply what is stored, and send it to all who look on."""
        if not steps:
            return
        self.log.extend(step.write() for step in steps)
        self.state = steps[-1].after
        if any(map(_speaks, steps)):
            self.spoken = tuple(steps)
        for person in self.state.people:
            self.left.setdefault(person, self.used)
        self._shown_gone = frozenset(self.gone(self.used))
        self.keeper.moved(self, steps)
        lines = [public(line) for line in self.log[-len(steps) :]]
        for code in {stream.language for stream in self.streams}:
            data = self._update(code, lines, self._teller(code).tell(steps))
            for stream in [stream for stream in self.streams if stream.language == code]:
                stream.put(data)
        self.schedule()

    # showing

    def _teller(self, code: str) -> Teller:
        return self._pair(code)[0]

    def _pair(self, code: str) -> tuple[Teller, Viewer]:
        pair = self._views.get(code)
        if pair is None:
            language = self.keeper.language(code)
            teller = Teller(language, self.party.kit)
            pair = self._views[code] = (teller, Viewer(language, self.party.kit, teller))
        return pair

    def view(self, code: str) -> View:
        """The table as it stands, in a language."""
        teller, viewer = self._pair(code)
        now = self.keeper.now()
        last = [say.text for say in teller.tell(self.spoken)]
        return viewer.view(self.state, Moment(now, self.awake, self.gone(now), self.keeper.address), last)

    def story(self, code: str, most: int) -> list[str]:
        """What was said so far, the latest ``most`` lines."""
        teller = self._teller(code)
        said: list[str] = []
        for step in self.party.replay(self.party.start(), self.log[1:]):
            said.extend(say.text for say in teller.told(step) if not say.level)
        return said[-most:]

    def whole(self, code: str, person: str | None) -> State:
        """The whole state in one message, for a person."""
        return State(self.state.seq, [], [], self.view(code), self.state.seat_of(person))

    def _update(self, code: str, log: list[str], say: list[Say], event: str = "") -> bytes:
        update = Update(self.state.seq, log, say, self.view(code))
        return frame(msgspec.json.encode(update), self.state.seq if log else None, event)

    def since(self, seq: int, code: str) -> bytes:
        """What a stream that has ``seq`` events is to be sent first: what it missed, and the view."""
        if seq > self.state.seq:
            return frame(b"{}", None, "reload")
        if seq == self.state.seq:
            return self._update(code, [], [], "view")
        steps = list(self.party.replay(self.party.start(), self.log[1:]))[seq:]
        lines = [public(line) for line in self.log[1 + seq :]]
        return self._update(code, lines, self._teller(code).tell(steps))

    def refresh(self) -> None:
        """Send the view again: who is here has changed, or a vote may be held."""
        for code in {stream.language for stream in self.streams}:
            data = self._update(code, [], self._presence(code), "view")
            for stream in [stream for stream in self.streams if stream.language == code]:
                stream.put(data)
        self._shown_gone = frozenset(self.gone(self.keeper.now()))

    def _presence(self, code: str) -> list[Say]:
        gone, before = frozenset(self.gone(self.keeper.now())), self._shown_gone
        say, names = self.keeper.language(code).say, self.state.names
        away = [Say(say("{name} has lost the connection.", name=names[seat])) for seat in sorted(gone - before)]
        back = [Say(say("{name} is back.", name=names[seat])) for seat in sorted(before - gone) if seat < len(names)]
        return [*away, *back]

    # who is here

    def join(self, stream: Stream) -> None:
        """A page looks on."""
        self.streams.add(stream)
        self.seen(stream.person, 0)

    def part(self, stream: Stream) -> None:
        """A page no longer looks on."""
        self.streams.discard(stream)
        self.used = now = self.keeper.now()
        if stream.person in self.left or self.state.seat_of(stream.person) is not None:
            assert stream.person is not None, "it has a seat"
            self.left[stream.person] = now
            self.keeper.after((AWAY_MS + 100) / 1000, self._look)

    def seen(self, person: str | None, grace_ms: int = SEEN_MS) -> None:
        """A person has shown up. Who was voted away while absent plays again."""
        seat = self.state.seat_of(person)
        if seat is None or person is None:
            return
        was_gone = seat in self.gone(self.keeper.now())
        self.left[person] = self.keeper.now() + grace_ms
        if was_gone:
            self.refresh()
        chair = self.state.chairs[seat]
        if chair.kind == "standin" and chair.why == "voted" and self.state.stage == "playing":
            self.keeper.spawn(self._do_quietly(Resume(seat)))

    def gone(self, now: int) -> Mapping[int, int]:
        """The seats whose people are away, and since when."""
        here = {stream.person for stream in self.streams}
        found = {}
        for seat, chair in enumerate(self.state.chairs):
            if chair.people and not here.intersection(chair.people):
                since = max(self.left.get(person, self.awake) for person in chair.people)
                if now >= since + AWAY_MS:
                    found[seat] = since
        return found

    def _look(self) -> None:
        """Who went away may be away for good; when they may be voted for, say so."""
        now = self.keeper.now()
        gone = self.gone(now)
        if frozenset(gone) != self._shown_gone:
            self.refresh()
        for since in gone.values():
            wait = since + 1000 * self.state.setup.grace_s - now
            if wait > 0:
                self.keeper.after(wait / 1000 + BEFORE_S, self.refresh)

    # what the table does of itself

    def schedule(self) -> None:
        """Set the clock to what the table does next."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deed = due(self.state, self.awake)
        if deed is not None:
            delay = max(0.0, (deed[0] - self.keeper.now()) / 1000)
            self._timer = self.keeper.after(delay, lambda: self.keeper.spawn(self._tick()))

    async def _tick(self) -> None:
        """Do what is due."""
        state, now = self.state, self.keeper.now()
        deed = due(state, self.awake)
        if deed is None or deed[0] > now:
            self.schedule()
        elif deed[1] == "clock":
            await self._do_quietly(TimeUp())
        else:
            command = await self._bot(state)
            if self.state is state and command is not None:
                await self._do_quietly(command)

    async def _bot(self, state: PartyState) -> Bot | None:
        """What the bot whose turn it is does; None if it could not say."""
        assert state.table is not None, "a bot plays in a match"
        assert state.play is not None, "a bot plays in a match"
        assert state.mover is not None, "a bot plays its turn"
        if state.table.match.to_roll(state.play.match):
            return Bot()
        try:
            weighted = await self.keeper.choose(self, state, state.mover)
        except NotStored:
            self.keeper.after(RETRY_S, self.schedule)
            return None
        moved = state.play.moved
        return Bot(pick(tuple(weighted), lambda number: self.keeper.bots.draw(number, moved)))

    async def _do_quietly(self, command: Command) -> None:
        """Do something of the table's own; what has become impossible is left, what was not stored is tried again."""
        try:
            await self.ask(command, None, None)
        except NotStored:
            self.keeper.after(RETRY_S, self.schedule)
        except (Refused, IllegalAction):
            self.schedule()

    def idle(self, now: int, after_ms: int) -> bool:
        """Whether nobody looks on, nothing is due and nothing has happened for so long."""
        return not self.streams and self._timer is None and not self.lock.locked() and now - self.used > after_ms

    @property
    def due(self) -> bool:
        """Whether the table will do something of itself."""
        return self._timer is not None

    def close(self) -> None:
        """Forget the clock, and let the streams go: they come back for what they missed."""
        for stream in list(self.streams):
            stream.end()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _speaks(step: Step) -> bool:
    return not (isinstance(step.line.event, Moved) and isinstance(step.line.event.event, Marked))
