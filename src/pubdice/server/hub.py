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

    def failed(self, error: Exception) -> None:
        """Something that should not have happened, and stops nobody."""

    def renew(self, hub: "Hub") -> None:
        """Load a table anew."""


class Hub:
    """A table in memory. Made from its log; one per table and house."""

    def __init__(self, number: int, code: str, party: Party, log: Sequence[str], keeper: Keeper) -> None:
        self.number, self.code, self.party, self.keeper = number, code, party, keeper
        self.log = list(log)  # line 0 is the setup
        self.state = party.start()
        self.spoken: tuple[Step, ...] = ()
        for step in party.replay(self.state, self.log[1:]):
            self.state = step.after
            self._remember([step])
        self.awake = self.used = keeper.now()
        self.lock = asyncio.Lock()
        self.streams: set[Stream] = set()
        self.left = dict.fromkeys(self.state.people, self.awake)
        self.laying = asyncio.Lock()  # of the next table
        self.laid: tuple[int, str] | None = None  # after which seq, and its code
        self._closed = False
        self._timer: Any = None
        self._looking: Any = None
        self._views: dict[str, tuple[Teller, Viewer]] = {}
        self._shown: Mapping[int, bool] = {}
        self.schedule()

    # asking

    async def ask(
        self,
        command: Command,
        person: str | None,
        key: str | None,
        answer: Done | None = None,
        only: PartyState | None = None,
    ) -> bytes:
        """Do a command once, and the answer to it, the same for every repeat of its key.

        only: the state it is meant for; in any other nothing is done. Raises Refused, IllegalAction or BadNotation, and
        then nothing has changed.
        """
        async with self.lock:
            if only is not None and only is not self.state:
                return b""
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
                if not isinstance(error, NotStored) or error.code == "moved-on":  # memory and log may differ
                    self.keeper.after(0, lambda: self.keeper.renew(self))
                raise
            if not stored.repeated:
                self._take(steps)
            return stored.answer

    async def note(self, answer: Done, key: str) -> bytes:
        """Keep an answer under a key without doing anything; the one that is kept."""
        async with self.lock:
            said = msgspec.json.encode(answer)
            return (await self.keeper.append(self, self.state.seq + 1, (), key, said)).answer

    def _take(self, steps: Sequence[Step]) -> None:
        """Apply what is stored, and send it to all who look on."""
        if not steps:
            return
        self.log.extend(step.write() for step in steps)
        self.state = steps[-1].after
        self._remember(steps)
        reseated = self.state.shape > steps[0].before.seq
        if reseated:
            self.left = {person: self.left.get(person, self.used) for person in self.state.people}
        self.schedule()
        self.keeper.moved(self, steps)
        lines = [public(line) for line in self.log[-len(steps) :]]
        self._send(lambda code: self._update(code, lines, self._teller(code).tell(steps)))
        if reseated:
            gone = self.gone(self.used)  # who has no seat any more is not back
            self._shown = {seat: past for seat, past in self._shown.items() if seat in gone}
            self._look()

    def _remember(self, steps: Sequence[Step]) -> None:
        """What was said last: at one time, as the log knows no commands."""
        for step in filter(_speaks, steps):
            before = self.spoken if self.spoken and self.spoken[-1].line.at == step.line.at else ()
            self.spoken = (*before, step)

    def _send(self, made: Callable[[str], bytes]) -> None:
        """Send a message to all who look on. If none can be made, those streams end, and come back for it."""
        for code in {stream.language for stream in self.streams}:
            streams = [stream for stream in self.streams if stream.language == code]
            try:
                data = made(code)
            except Exception as error:  # noqa: BLE001 - what is stored is done, whatever the words for it
                self.keeper.failed(error)
                for stream in streams:
                    stream.end()
                continue
            for stream in streams:
                stream.put(data)

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
        last = [say.text for step in self.spoken for say in teller.told(step) if not say.level]
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
        shown = self._absent()
        self._send(lambda code: self._update(code, [], self._presence(code, shown), "view"))
        self._shown = shown

    def _absent(self) -> Mapping[int, bool]:
        """The seats whose people are away, and whether they may be voted for."""
        now, grace = self.keeper.now(), 1000 * self.state.setup.grace_s
        return {seat: now >= since + grace for seat, since in self.gone(now).items()}

    def _presence(self, code: str, shown: Mapping[int, bool]) -> list[Say]:
        gone, before, names = shown.keys(), self._shown.keys(), self.state.names
        say = self.keeper.language(code).say
        away = [Say(say("{name} has lost the connection.", name=names[seat])) for seat in sorted(gone - before)]
        back = [Say(say("{name} is back.", name=names[seat])) for seat in sorted(before - gone) if seat < len(names)]
        return [*away, *back]

    # who is here

    def join(self, stream: Stream) -> None:
        """A page looks on."""
        self.seen(stream.person, 0)
        if not self.streams:
            self._shown = self._absent()
        self.streams.add(stream)
        self._look()

    def part(self, stream: Stream) -> None:
        """A page no longer looks on."""
        self.streams.discard(stream)
        self.used = now = self.keeper.now()
        if stream.person is not None and stream.person in self.left:
            self.left[stream.person] = now
        self._look()

    def seen(self, person: str | None, grace_ms: int = SEEN_MS) -> None:
        """A person has shown up. Who was voted away while absent plays again."""
        seat = self.state.seat_of(person)
        if seat is None or person is None:
            return
        self.left[person] = self.keeper.now() + grace_ms
        if seat in self._shown:
            self._look()
        if self._voted_away(person) is not None:
            self.keeper.spawn(self._welcome(person))

    def _voted_away(self, person: str) -> int | None:
        """The seat that a person was voted away from and is to have back."""
        seat = self.state.seat_of(person)
        if seat is None or self.state.stage != "playing" or seat in self.gone(self.keeper.now()):
            return None
        chair = self.state.chairs[seat]
        return seat if chair.kind == "standin" and chair.why == "voted" else None

    async def _welcome(self, person: str) -> None:
        """Give a person back the seat they were voted away from."""
        while not self._closed and (seat := self._voted_away(person)) is not None:
            try:
                await self.ask(Resume(seat), None, None, only=self.state)
            except NotStored:
                self.keeper.after(RETRY_S, lambda: self.keeper.spawn(self._welcome(person)))
                return

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
        """Show who has gone, who is back and who may be voted for; and look again when that changes next."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        if not self.streams or self._closed:
            return
        if self._absent() != self._shown:
            self.refresh()
        now, here = self.keeper.now(), {stream.person for stream in self.streams}
        people = [chair.people for chair in self.state.chairs if chair.people and not here.intersection(chair.people)]
        since = [max(self.left.get(person, self.awake) for person in each) for each in people]
        changes = [at + wait for at in since for wait in (AWAY_MS, 1000 * self.state.setup.grace_s) if at + wait > now]
        if changes:
            self._looking = self.keeper.after((min(changes) - now) / 1000 + BEFORE_S, self._look)

    # what the table does of itself

    def schedule(self) -> None:
        """Set the clock to what the table does next."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deed = None if self._closed else due(self.state, self.awake)
        if deed is not None:
            delay = max(0.0, (deed[0] - self.keeper.now()) / 1000)
            self._timer = self.keeper.after(delay, lambda: self.keeper.spawn(self._tick()))

    async def _tick(self) -> None:
        """Do what is due. What could not be done is tried again, unless others were quicker and set the clock anew."""
        state = self.state
        deed = due(state, self.awake)
        if self._closed or deed is None or deed[0] > self.keeper.now():
            self.schedule()
            return
        try:
            command = TimeUp() if deed[1] == "clock" else await self._bot(state)
            await self.ask(command, None, None, only=state)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a bot, people are waiting
            if not isinstance(error, NotStored):
                self.keeper.failed(error)
            if self.state is state:
                self.keeper.after(RETRY_S, self.schedule)

    async def _bot(self, state: PartyState) -> Bot:
        """What the bot whose turn it is does."""
        assert state.table is not None, "a bot plays in a match"
        assert state.play is not None, "a bot plays in a match"
        assert state.mover is not None, "a bot plays its turn"
        if state.table.match.to_roll(state.play.match):
            return Bot()
        weighted = await self.keeper.choose(self, state, state.mover)
        moved = state.play.moved
        return Bot(pick(tuple(weighted), lambda number: self.keeper.bots.draw(number, moved)))

    def idle(self, now: int, after_ms: int) -> bool:
        """Whether nobody looks on, nothing is due and nothing has happened for so long."""
        return not self.streams and self._timer is None and not self.lock.locked() and now - self.used > after_ms

    @property
    def due(self) -> bool:
        """Whether the table will do something of itself."""
        return self._timer is not None

    def close(self) -> None:
        """Forget the clock, and let the streams go: they come back for what they missed."""
        self._closed = True
        for stream in list(self.streams):
            stream.end()
        self.schedule()
        self._look()


def _speaks(step: Step) -> bool:
    return not (isinstance(step.line.event, Moved) and isinstance(step.line.event.event, Marked))
