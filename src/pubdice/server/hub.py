"""One live table: its state, its one lock, and the streams of those who look on.

Knows the order that keeps the promises: decide → store → apply → answer, and then send. Whatever is not stored changes
nothing and is shown to nobody. Time, dice, the store and the bots' choices are given.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from pubdice.game import BadNotation, IllegalAction
from pubdice.party import Asker, Party, PartyState, Step
from pubdice.party.bounds import check_marks, check_room, is_full
from pubdice.party.commands import Begin, Bot, Command, Resume, TimeUp
from pubdice.party.due import Deed, due
from pubdice.party.events import Unpaused
from pubdice.party.gathering import begins
from pubdice.policy import pick
from pubdice.server.keeper import Keeper
from pubdice.server.keys import Key
from pubdice.server.loading import Loaded
from pubdice.server.presence import AWAY_MS, SEEN_MS, Presence
from pubdice.server.seats import Moment
from pubdice.server.showing import Showing
from pubdice.server.stream import Stream, frame
from pubdice.server.wire import Done, Say, State, View
from pubdice.store import NotStored, Repeated
from pubdice.table import Refused

RETRY_S = 1.0
MOST_WAIT_S = 5.0
REACT_MS = 5_000
"""A person calls across the table once in so long."""
LEAST_LINGER_S, MOST_LINGER_S = 45, 120
"""Somebody without a stream counts as here for the table's grace time, but for so long at least and at most."""
UNSEEN_PACE_MS = 150
"""Bots wait at least so long before each action where no stream is open."""
EASY_MS = 1000
"""Bots that play faster than this share what the house has for them; where that is used up they wait so long."""
LINES_A_TELLING = 4
"""Lines of a log, marks among them, that surely make one line of a story."""
BEFORE_S = 0.002
DIFFER = ("moved-on", "not-known")
"""Refusals of the store after which memory and log may differ."""
MOST_MISSED = 500
MOST_TOLD = 65_536
"""Events, and bytes of what is said of them, that a stream is sent to begin with; who has missed more loads anew."""


class Hub:
    """A table in memory. Made from its log; one per table and house."""

    def __init__(self, number: int, code: str, party: Party, loaded: Loaded, keeper: Keeper) -> None:
        self.number, self.code, self.party, self.keeper = number, code, party, keeper
        self.loaded = loaded
        self.showing = Showing(party, keeper.language)
        self.showing.remember(loaded.spoken)
        self.awake = self.used = keeper.now()
        self.lock = asyncio.Lock()
        self.presence = Presence(self.state.people, self.awake)
        self.laying = asyncio.Lock()  # of the next table
        self._untold: list[tuple[Step, str]] = []
        self._closed = False
        self._timer: Any = None
        self._waited = False
        self._looking: Any = None
        self._shown: Mapping[int, bool] = {}
        self._reacted: dict[str, tuple[int, str]] = {}
        self.schedule()

    # asking

    async def ask(
        self,
        command: Command,
        person: str | None,
        key: Key | None,
        answer: Done | None = None,
        *,
        only: PartyState | None = None,
        told: Callable[[PartyState], str] | None = None,
    ) -> bytes:
        """Do a command once, and the answer to it, the same for every repeat of its key.

        only: the state it is meant for; in any other nothing is done. told: what the answer says of the state after.
        Raises Refused, IllegalAction or BadNotation, and then nothing has changed.
        """
        async with self.lock:
            if only is not None and only is not self.state:
                return b""
            self.used = now = self.keeper.now()
            try:
                steps = self.party.decide(self.state, command, Asker(person, now, self.gone(now)), self.keeper.cup)
                events = [step.line.event for step in steps]
                check_marks(self.loaded.marks, events)
                check_room(self.state, events)
            except (Refused, IllegalAction, BadNotation):
                known = self.keeper.answer(self, key) if key else None
                if known is not None:
                    return known
                raise
            if not steps and person is None:  # somebody waited for was back first
                self.schedule()
                return b""
            done = Done(self.state.seq + len(steps), answer.go if answer else None)
            if told is not None:
                done.said = told(steps[-1].after if steps else self.state)
            said = msgspec.json.encode(done)
            lines = tuple([step.write() for step in steps])
            try:
                stored = await self.keeper.append(self, steps, lines, key, said)
            except BaseException as error:  # unless the store said that nothing was written, one cannot know
                if not isinstance(error, NotStored) or error.code in DIFFER:  # memory and log may differ
                    self.keeper.after(0, lambda: self.keeper.renew(self))
                raise
            if isinstance(stored, Repeated):
                return stored.answer
            self._take(steps, lines)
            return said

    async def note(self, answer: Done, key: Key) -> bytes:
        """Keep an answer under a key without doing anything; the one that is kept."""
        async with self.lock:
            said = msgspec.json.encode(answer)
            stored = await self.keeper.append(self, (), (), key, said)
            return stored.answer if isinstance(stored, Repeated) else said

    def _take(self, steps: Sequence[Step], lines: Sequence[str]) -> None:
        """Apply what is stored, and send it to all who look on."""
        if not steps:
            return
        for step, line in zip(steps, lines, strict=True):
            self.loaded.take(step, line)
        self.showing.remember(steps)
        for step in steps:
            if isinstance(step.line.event, Unpaused):  # a pause costs nobody time
                self.awake += max(0, step.line.at - max(self.awake, step.before.paused_at))
        reseated = self.state.shape > steps[0].before.seq
        if reseated:
            self.presence.reseat(self.state.people, self.used)
        self.schedule()
        self.keeper.moved(self, steps)
        if self.streams:  # whoever comes later begins with it
            self._untold += zip(steps, lines, strict=True)
            self.keeper.soon(self)
        if reseated:  # who has no seat any more is not back
            self.deliver()
            gone = self.presence.gone(self.state, self.keeper.now())
            began = steps[0].before.play is None and self.state.play is not None  # then what one may do is news
            self._shown = {seat: past and not began for seat, past in self._shown.items() if seat in gone}
            self._look()

    def deliver(self) -> None:
        """Tell all who look on what has happened since they were told last: in one message, if more has meanwhile."""
        untold, self._untold = self._untold, []
        if untold and self.streams:
            steps, lines, moment = [step for step, _ in untold], [line for _, line in untold], self.moment()
            self._send(lambda code: self.showing.told(code, steps, lines, moment))

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

    @property
    def state(self) -> PartyState:
        """The table as it stands."""
        return self.loaded.state

    @property
    def streams(self) -> set[Stream]:
        """All who look on."""
        return self.presence.streams

    def moment(self) -> Moment:
        """What a view needs besides the state."""
        now = self.keeper.now()
        return Moment(now, self.awake, self.gone(now), self.keeper.link)

    def view(self, code: str) -> View:
        """The table as it stands, in a language."""
        return self.showing.view(code, self.state, self.moment())

    def whole(self, code: str, person: str | None) -> State:
        """The whole state in one message, for a person."""
        return self.showing.whole(code, self.state, self.moment(), person)

    def story(self, code: str, most: int, seat: int | None = None) -> list[str]:
        """What was said so far, the latest ``most`` lines, as a seat is told it."""
        latest = self.loaded.tail.steps(self.party, max(0, self.state.seq - LINES_A_TELLING * most))
        return self.showing.story(code, latest, most, seat)

    def since(self, seq: int, code: str) -> bytes:
        """What a stream that has ``seq`` events is to be sent first: what it missed, and the view."""
        if seq == self.state.seq:
            return self.showing.shown(code, self.state, self.moment())
        tail = self.loaded.tail
        if tail.first <= seq and 0 < self.state.seq - seq <= MOST_MISSED:
            missed = self.showing.told(code, tail.steps(self.party, seq), tail.since(seq), self.moment())
            if len(missed) <= MOST_TOLD:
                return missed
        return frame(b"{}", None, "reload")

    def react(self, person: str, phrase: int, key: str) -> bytes:
        """Call across the table: told to all who look on, and kept nowhere. Raises Refused."""
        seat, now, done = self.state.seat_of(person), self.keeper.now(), msgspec.json.encode(Done(self.state.seq))
        if seat is None:
            raise Refused("not-seated")
        last, known = self._reacted.get(person, (-REACT_MS, ""))
        if key == known:
            return done
        if (wait := last + REACT_MS - now) > 0:
            raise Refused("react-soon", seconds=-(-wait // 1000), wait_s=wait / 1000)
        here = self.state.people
        self._reacted = {**{each: at for each, at in self._reacted.items() if each in here}, person: (now, key)}
        self.deliver()
        state, moment = self.state, self.moment()
        self._send(lambda code: self.showing.called(code, state, moment, seat, phrase))
        return done

    # who is here

    def attend(self) -> None:
        """Somebody is here: what stood still while nobody was goes on. A turn under way has all its time again."""
        now, lingers = self.keeper.now(), 1000 * min(max(self.state.setup.grace_s, LEAST_LINGER_S), MOST_LINGER_S)
        alone = not self.presence.company(now)
        self.presence.stay(now + lingers)
        if alone:
            self.awake = now
            self.schedule()

    def gone(self, now: int) -> Mapping[int, int]:
        """The seats whose people are away, and since when; also those kept for people who are at no table of ours."""
        gone, state = self.presence.gone(self.state, now), self.state
        if state.play is not None or not state.setup.expected:
            return gone
        out: dict[int, int] = {}
        for seat, chair in enumerate(state.chairs):
            if chair.awaited:
                before = self.keeper.seen(state.setup.before, chair.awaited)
                since = max(state.setup.opened, before, self.presence.seen(chair.awaited, now))
                if now >= since + AWAY_MS:
                    out[seat] = since
        return {**gone, **out}

    def join(self, stream: Stream) -> None:
        """A page looks on."""
        self.deliver()  # to those who were here before: this one begins with all that has happened
        self.seen(stream.person, 0)
        if not self.streams:
            self._shown = self.presence.absent(self.state, self.keeper.now())
        self.presence.join(stream)
        self._look()

    def part(self, stream: Stream) -> None:
        """A page no longer looks on."""
        self.attend()  # until a moment ago
        self.used = self.keeper.now()
        self.presence.part(stream, self.used)
        if self.state.play is None:
            self.schedule()
        self._look()

    def seen(self, person: str | None, grace_ms: int = SEEN_MS, *, reads: bool = False) -> None:
        """A person has shown up. Who was voted away while absent plays again.

        reads: only to read a page, which another site's link can make a browser do: that changes nothing.
        """
        self.attend()
        seat = self.state.seat_of(person)
        if seat is None or person is None:
            return
        self.presence.see(person, self.keeper.now() + grace_ms)
        if seat in self._shown:
            self._look()
        if not reads and self._voted_away(person) is not None:
            self.keeper.spawn(self.welcome(person))

    def _voted_away(self, person: str | None) -> int | None:
        """The seat that a person was voted away from and is to have back."""
        seat = self.state.seat_of(person)
        if seat is None or self.state.chairs[seat].why != "voted" or self.state.stage != "playing":
            return None
        return None if seat in self.presence.gone(self.state, self.keeper.now()) else seat

    async def welcome(self, person: str | None) -> None:
        """Give a person back the seat they were voted away from, if they were."""
        while not self._closed and (seat := self._voted_away(person)) is not None:
            try:
                await self.ask(Resume(seat), None, None, only=self.state)
            except NotStored:
                self.keeper.after(RETRY_S, lambda: self.keeper.spawn(self.welcome(person)))
                return
            except Refused:
                return  # the log is full: nobody plays on here

    def _look(self) -> None:
        """Show who has gone, who is back and who may be voted for; and look again when that changes next."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        if not self.streams or self._closed:
            return
        now = self.keeper.now()
        absent = self.presence.absent(self.state, now)
        if absent != self._shown:
            self.deliver()
            shown, self._shown, moment = self._shown, absent, self.moment()
            self._send(lambda code: self.showing.shown(code, self.state, moment, self._news(code, shown)))
        change = self.presence.next_change(self.state, now)
        if change is not None:
            self._looking = self.keeper.after((change - now) / 1000 + BEFORE_S, self._look)

    def _news(self, code: str, shown: Mapping[int, bool]) -> list[Say]:
        """Who has gone, who is back and who was waited for long enough, since these were away."""
        say, names, gone, before = self.showing.language(code).say, self.state.names, self._shown.keys(), shown.keys()
        away = [Say(say("{name} has lost the connection.", name=names[seat])) for seat in sorted(gone - before)]
        back = [Say(say("{name} is back.", name=names[seat])) for seat in sorted(before - gone) if seat < len(names)]
        lost = [seat for seat, past in sorted(self._shown.items()) if past and not shown.get(seat)]
        return [*away, *back, *[way for seat in lost for way in self._ways_on(code, seat)]]

    def _ways_on(self, code: str, lost: int) -> list[Say]:
        """What the others may do without a seat that was waited for long enough."""
        say, name, chair = self.showing.language(code).say, self.state.names[lost], self.state.chairs[lost]
        if self.state.is_forlorn({lost}):
            return [Say(say("{name} is still away. Anyone here can start.", name=name))]
        if self.state.stage == "playing" and chair.kind == "person":
            return [Say(say("{name} is still away. You can now vote for a bot.", name=name))]
        return []

    # what the table does of itself

    def schedule(self) -> None:
        """Set the clock to what the table does next."""
        self._stop_timer()
        deed = self._next()
        if deed is not None:
            delay = min(MOST_WAIT_S, max(0.0, (deed[0] - self.keeper.now()) / 1000))  # the clock may be set meanwhile
            self._timer = self.keeper.after(delay, lambda: self.keeper.spawn(self._tick()))

    def _next(self) -> tuple[int, Deed] | None:
        """What the table does next, and when: nothing where nobody is, or where its log is full."""
        now = self.keeper.now()
        if self._closed or not self.presence.company(now) or is_full(self.state):
            return None
        if self.state.play is None:  # who is awaited may be at another table, which tells nothing: it is asked again
            at = begins(self.party.kit, self.state, self.gone(now), now)
            if at is None and self.state.setup.grows:  # who is lost by then holds nobody up any more
                at = self.presence.next_change(self.state, now)
            return None if at is None else (at, "begin")
        return due(self.state, self.awake, 0 if self.streams else UNSEEN_PACE_MS)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _tick(self) -> None:
        """Do what is due. What could not be done is tried again, unless others were quicker and set the clock anew."""
        state, now, deed = self.state, self.keeper.now(), self._next()
        set_back = deed is not None and deed[1] == "bot" and state.moved_at > now
        if deed is None or (deed[0] > now and not set_back):
            self.schedule()
            return
        if deed[1] == "bot" and state.pace_ms < EASY_MS and not self._waited and not self.keeper.may_hurry():
            self._waited = True
            self._timer = self.keeper.after(EASY_MS / 1000, lambda: self.keeper.spawn(self._tick()))
            return
        self._waited = False
        try:
            own: dict[Deed, Command] = {"clock": TimeUp(), "begin": Begin()}
            command = own.get(deed[1]) or await self._bot(state)
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

    def pause(self) -> None:
        """Do nothing of itself for a while: something went wrong that would only go wrong again."""
        self._stop_timer()
        self.keeper.after(RETRY_S, self.schedule)

    def idle(self, now: int, after_ms: int) -> bool:
        """Whether nobody looks on, nothing is due and nothing has happened for so long."""
        return not self.streams and self._timer is None and not self.lock.locked() and now - self.used > after_ms

    @property
    def due(self) -> bool:
        """Whether the table will do something of itself."""
        return self._timer is not None

    def close(self) -> None:
        """Forget the clock, and let the streams go: they come back for what they missed."""
        self.deliver()
        self._closed = True
        for stream in list(self.streams):
            stream.end()
        self.schedule()
        self._look()
