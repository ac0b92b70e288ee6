"""The house: all its live tables over one store. Opens, finds, keeps and forgets them; asks the clock and the bots.

A table is loaded from its log when somebody comes to it, and forgotten when nobody has for a while: what is in memory
is only ever a copy of what is stored.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import msgspec
from msgspec import UnsetType

from pubdice.cup import Cup
from pubdice.kit import Kit
from pubdice.match import MatchState
from pubdice.notation import Header
from pubdice.party import Asker, Party, PartyState, Setup, Step, read_setup
from pubdice.party import commands as deeds
from pubdice.party.bounds import is_done
from pubdice.party.setup import placeholders
from pubdice.server import field as typed
from pubdice.server.asking import command
from pubdice.server.codes import link, new_code
from pubdice.server.hub import Hub
from pubdice.server.inplay import InPlay
from pubdice.server.keys import Key, body_of
from pubdice.server.limits import Buckets, Rate
from pubdice.server.loading import Begun, Slices, load
from pubdice.server.observe import Figures, Journal
from pubdice.server.orders import setup as ordered
from pubdice.server.outcome import outcome_of
from pubdice.server.records import Records
from pubdice.server.rematch import follow
from pubdice.server.seatwords import EARLIER, LANGUAGES, same_words, words_for
from pubdice.server.stream import frame
from pubdice.server.wire import Done, Order, Request
from pubdice.store import NotStored
from pubdice.store.group import Entry, Facts, Repeated, Stored, is_same
from pubdice.store.sqlite import SqliteStore
from pubdice.table import Refused, Table
from pubdice.words import Language

IDLE_MS = 10 * 60 * 1000
OVER_MS = 30 * 1000
"""How long a table is kept in memory that nobody looks at; and one whose match is over."""
HURRY = Rate(200, 1000)
"""Actions of all bots together that wait less than a second before each."""
MANY = 2_000
"""So many tables in memory are tidied away sooner."""
PULSE_S = 8.0
PARTS = 16
"""A pulse goes out in so many parts."""
HOUR_MS = 3600 * 1000
DAY_MS = 24 * HOUR_MS
MONTH_MS = 31 * DAY_MS
CODES_TRIED = 20
MOST_SHORT = 100
"""Tables in use with codes of two syllables; beyond them new codes have three, or a guess finds one too easily."""
SHARE = 16
"""One table in so many of those that have something to tell is told of before new commands are looked after."""
CLOSING = frame(b"{}", None, "closing")
NO_KEY = Key("")
SITTING = ("sit", "join", "leave", "share")
"""What changes whose page it is: the page is to be loaded anew."""


class Clock(Protocol):
    """Time, as the house has it."""

    def now(self) -> int:
        """Milliseconds since 1970."""

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Do something later; the answer has a ``cancel``."""


class Choose(Protocol):
    """How a bot chooses."""

    async def __call__(
        self, rules: Mapping[str, str], bot: str, match: MatchState[Any], *, people: bool = True
    ) -> Sequence[tuple[Any, int]]:
        """The weighted actions at a decision. people: whether anybody plays at the table: those come first."""


class Beside(Protocol):
    """Who reads long logs beside the house."""

    async def begin(self, table: int, lines: int) -> Begun | None:
        """How far a table's log of so many lines is replayed; None if nowhere."""

    async def record(self, table: int, lines: int, header: Header, match: Table) -> str | None:
        """A table's record, as far as its log has so many lines; None if the house is to write it."""


class Nobody:
    """Nothing is read beside the house."""

    async def begin(self, table: int, lines: int) -> None:
        """Nowhere."""

    async def record(self, table: int, lines: int, header: Header, match: Table) -> None:
        """Not here."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What a house is given: its games, store, clock, dice, the bots' lots and choices, languages, chance for codes.

    beside: who reads long logs.
    """

    games: Mapping[str, Kit]
    store: SqliteStore
    clock: Clock
    cup: Callable[[int], Cup]
    bots: Cup
    choose: Choose
    language: Callable[[str], Language]
    source: Callable[[int], bytes]
    journal: Journal
    figures: Figures = field(default_factory=Figures)
    beside: Beside = field(default_factory=Nobody)


class House:
    """All tables of one store. Lives in one event loop.

    secret: the house's own, from which the words of seats are made.
    """

    address = "/t/"

    def __init__(self, outside: Outside) -> None:
        self.outside, self.store, self.games = outside, outside.store, outside.games
        self.figures, self.journal = outside.figures, outside.journal
        self.bots = outside.bots
        self.language = outside.language
        self.now, self.after = outside.clock.now, outside.clock.after
        self.closed = False
        self.hubs: dict[str, Hub] = {}
        self.secret = self.store.setting("secret") or self.store.settle("secret", outside.source(32))
        self._tasks: set[asyncio.Future[None]] = set()
        self._untold: dict[Hub, None] = {}
        self._loading: dict[str, asyncio.Future[None]] = {}
        self._slices = Slices()
        self.hurry = Buckets(HURRY, 1)
        self.in_play = InPlay(self._stands)
        self._called: WeakKeyDictionary[Hub, dict[str, Key]] = WeakKeyDictionary()
        self._records = Records(self.store.part, outside.beside.record)

    # tables

    async def find(self, code: str) -> Hub | None:
        """The table with this code, in memory or out of the store. Raises NotStored if its log cannot be read."""
        while (under_way := self._loading.get(code)) is not None:
            await asyncio.shield(under_way)
        hub = self.hubs.get(code)
        if hub is None:
            number = self.store.find(code)
            hub = None if number is None else await self._load(number, code)
        if hub is not None:
            hub.used = self.now()
        return hub

    async def _load(self, number: int, code: str) -> Hub:
        loaded = self._loading[code] = asyncio.get_running_loop().create_future()
        try:
            setup = read_setup(self.store.part(number, 0, 1)[0])
            party = Party(self.games[setup.rules["game"]], setup)
            begun = await self.outside.beside.begin(number, self.store.length(number))
            log = await load(party, partial(self.store.part, number), self._slices, begun)
            hub = Hub(number, code, party, log, self)
        except NotStored:
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one log, the others are to be read
            self.failed(error)
            raise NotStored("log-damaged", table=number, line=1) from None
        finally:
            del self._loading[code]
            loaded.set_result(None)
        self.hubs[code] = hub
        return hub

    async def open(self, order: Order, person: str, address: str = "") -> str:
        """Set up a table for a person, who sits at it; its code. Raises OrderError, BadNotation, Refused or NotStored.

        A person's key opens one table: whoever repeats the order is told that one's code. address: where it is asked
        from, which has only so many tables in play.
        """
        key, now = Key(f"{person} {order.key}", body_of(order)) if order.key else None, self.now()
        if key is not None and (known := self.store.ordered(*key)) is not None:
            return known
        self.in_play.check(address, len(self.hubs), now)
        setup = ordered(order, self.games, person, now)
        party = Party(self.games[setup.rules["game"]], setup)
        asker, cup = Asker(person, now), self.outside.cup(0)
        steps = party.decide(party.start(), deeds.Sit(None, order.name), asker, cup)
        if order.start and steps[-1].after.play is None:
            steps += party.decide(steps[-1].after, deeds.Start(), asker, cup)
        code = await self._lay(setup, party.start(), steps, key)
        self.in_play.opened(address, code, now)
        return code

    async def lay_next(self, setup: Setup, under: Key, address: str) -> str:
        """The table of a rematch as it begins, or the one that was laid under this key; its code.

        It counts as opened from the address of whoever asked first. Raises Refused or NotStored.
        """
        known = self.store.ordered(*under)
        if known is not None:
            return known
        self.in_play.check(address, len(self.hubs), self.now())
        code = await self._lay(setup, Party(self.games[setup.rules["game"]], setup).start(), (), under)
        self.in_play.opened(address, code, self.now())
        return code

    def _stands(self, code: str) -> bool | None:
        """Whether a table is in play, as far as is in memory."""
        hub = self.hubs.get(code)
        return None if hub is None else hub.state.stage != "over"

    async def _lay(self, setup: Setup, state: PartyState, steps: Sequence[Step], key: Key | None = None) -> str:
        """A new table as it begins and its first steps, or the one that was laid under this key; its code."""
        facts = _facts(state, steps[-1].after if steps else state)
        lines = [setup.write(), *(step.write() for step in steps)]
        now = self.now()
        few = self.store.short_codes(now - MONTH_MS, now - DAY_MS, MOST_SHORT) < MOST_SHORT
        for tried in range(CODES_TRIED):
            code = new_code(self.outside.source, 2 if few and tried < CODES_TRIED // 2 else 3)
            under = {} if key is None else key._asdict()
            try:
                laid: str = await outcome_of(partial(self.store.submit_table, code, lines, facts, **under))
            except NotStored as error:
                if error.code == "code-taken":
                    continue
                raise
            return laid
        raise NotStored("no-code")

    async def ask(
        self, hub: Hub, request: Request, person: str, code: str = "en", body: bytes = b"", *, address: str = ""
    ) -> bytes:
        """Do what a person asks of a table. Raises Refused, IllegalAction or BadNotation with nothing changed.

        code: the language in which a typed line is answered. body: a hash of what was asked (``keys``). address:
        where it is asked from.
        """
        try:
            return await self._ask(hub, request, person, code, body, address=address)
        except NotStored as error:
            if error.code != "moved-on":
                raise
        self.renew(hub)  # the table went on while this waited, perhaps by this very command: then its answer is there
        fresh = await self.find(hub.code)
        assert fresh is not None, "it is stored"
        return await self._ask(fresh, request, person, code, body, address=address)

    async def _ask(self, hub: Hub, request: Request, person: str, code: str, body: bytes, *, address: str) -> bytes:
        key = Key(f"{person} {request.key}", body)
        hub.used = self.now()  # and is not forgotten meanwhile
        last = self._called.get(hub, {}).get(person, NO_KEY)
        if last.key == key.key and not is_same(last.body, body):
            raise NotStored("key-used", table=hub.number)
        if request.do == "rematch":
            async with hub.laying:
                return await follow(self, hub, person, key, address, ready=not request.change)
        if request.do == "react":
            return self._react(hub, request, person, key)
        if request.do in ("join", "forget") and (known := self.answer(hub, key)) is not None:
            return known  # whatever the words or the seats are by now
        if request.do == "forget":
            return await self._forget(hub, person, key)
        if request.do == "type":
            wanted: deeds.Command = deeds.Typed(typed.read_moves(typed.line_of(request)))
        else:
            wanted = self._join(hub, request, person) if request.do == "join" else command(request, hub.state)
        answer = Done(0, go=self.link(hub.code)) if request.do in SITTING else None
        told = partial(typed.done, self.language(code), wanted.intents) if isinstance(wanted, deeds.Typed) else None
        return await hub.ask(wanted, person, key, answer, told=told)

    def _react(self, hub: Hub, request: Request, person: str, key: Key) -> bytes:
        """Call across the table. What was called is stored nowhere, so a person's last key is kept beside the table."""
        self.answer(hub, key)  # refuses a key that was used for something else
        done = hub.react(person, 0 if isinstance(request.phrase, UnsetType) else request.phrase, request.key)
        here, called = hub.state.people, self._called.get(hub, {})
        self._called[hub] = {**{each: one for each, one in called.items() if each in here}, person: key}
        return done

    async def _forget(self, hub: Hub, person: str, key: Key) -> bytes:
        """No longer list a table for a person who has left it, or whose match is over."""
        state = hub.state
        if state.seat_of(person) is not None and not is_done(state):
            raise Refused("still-seated")
        if not self.store.sat(person, hub.code):  # there is nothing to forget, and nothing to store
            return msgspec.json.encode(Done(state.seq, go="/"))
        await outcome_of(partial(self.store.submit_forgetting, hub.number, person))
        return await hub.note(Done(state.seq, go="/"), key)

    def _join(self, hub: Hub, request: Request, person: str) -> deeds.Join:
        words = request.words if isinstance(request.words, str) else ""
        for seat, chair in enumerate(hub.state.chairs):
            if chair.people and same_words(words, *[self.words(hub, seat, each) for each in (*LANGUAGES, EARLIER)]):
                return deeds.Join(seat)
        raise Refused("wrong-words")

    async def record(self, hub: Hub) -> str:
        """A table's match so far as a record. Raises Refused before it has begun, NotStored."""
        return await self._records.of(hub.number, hub.party.kit, hub.state)

    def words(self, hub: Hub, seat: int, language: str = LANGUAGES[0]) -> str:
        """The four words of a seat that somebody sits at, in a language."""
        person = hub.state.chairs[seat].people[0]
        return words_for(self.secret, hub.code, seat, person, language=language)

    # what a hub needs

    def link(self, code: str) -> str:
        """Where the table of a code is, with the secret that lets everybody in who holds it."""
        return f"{self.address}{link(self.secret, code)}"

    @property
    def cup(self) -> Cup:
        """Where rolls come from."""
        return self.outside.cup(0)

    def may_hurry(self) -> bool:
        """Whether one more bot may act fast now."""
        return not self.hurry.take("", self.now() / 1000)

    def spawn(self, work: Awaitable[None]) -> None:
        """Do something beside, and hold on to it until it is done."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Future[None]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.failed(error)

    def failed(self, error: Exception) -> None:
        """Something that should not have happened, and stops nobody."""
        self.figures.faults.add()
        self.journal.failed(error)

    def renew(self, hub: Hub) -> None:
        """Load a table anew, as memory and log may differ; its pages come back by themselves."""
        if self.hubs.get(hub.code) is not hub:
            return
        self.hubs.pop(hub.code).close()
        self.spawn(self._load_again(hub))

    async def _load_again(self, hub: Hub) -> None:
        fresh = await self.find(hub.code)
        if fresh is not None:
            if hub.presence.company(self.now()):
                fresh.attend()
            fresh.pause()

    def _catch_up(self, code: str) -> None:
        """A table's log may have gone on, which its hub was not told."""
        if (hub := self.hubs.get(code)) is not None:
            self.renew(hub)

    def seen(self, code: str, people: Iterable[str]) -> int:
        """When one of these people was last at a table that is in memory."""
        hub = self.hubs.get(code)
        return 0 if hub is None else hub.presence.seen(people, self.now())

    def answer(self, hub: Hub, key: Key) -> bytes | None:
        """The answer stored under a key."""
        return self.store.answer(hub.number, *key)

    async def append(
        self, hub: Hub, steps: Sequence[Step], lines: tuple[str, ...], key: Key | None, answer: bytes
    ) -> Stored | Repeated:
        """Store a hub's steps, as they are written."""
        seen = hub.state.seq + 1
        if self.hubs.get(hub.code) is not hub:  # it was loaded anew meanwhile
            raise NotStored("moved-on", table=hub.number)
        facts = _facts(steps[0].before, steps[-1].after) if steps and _is_news(steps) else None
        entry = Entry(hub.number, seen, lines, key and key.key, answer, facts, key.body if key else b"")
        began = asyncio.get_running_loop().time()
        outcome: Stored | Repeated = await outcome_of(
            partial(self.store.submit, entry), partial(self._catch_up, hub.code)
        )
        self.figures.commits.add(asyncio.get_running_loop().time() - began)
        return outcome

    async def choose(self, hub: Hub, state: PartyState, seat: int) -> Sequence[tuple[Any, int]]:
        """The weighted actions of the bot that plays a seat."""
        assert state.play is not None, "bots choose in a match"
        usual = hub.party.kit.bots[0]
        bot = state.chairs[seat].bot or usual
        gone = hub.presence.gone(state, self.now())
        people = any(chair.kind == "person" and at not in gone for at, chair in enumerate(state.chairs))
        rules = {**state.setup.rules, "seats": ", ".join(placeholders(len(state.chairs)))}
        try:
            return await self.outside.choose(rules, bot, state.play.match, people=people)
        except Exception as error:
            if bot == usual or isinstance(error, NotStored):
                raise
            self.failed(error)  # people are waiting: the usual bot plays for one that cannot
            return await self.outside.choose(rules, usual, state.play.match, people=people)

    def soon(self, hub: Hub) -> None:
        """Have a hub tell what has happened, once whoever did it has an answer.

        Answers come first: all commands that have come are looked after before the next tables are told of. What waits
        is told of a share at a time, so that nothing waits long; and what happens at a table meanwhile is told with it.
        """
        if not self._untold:
            asyncio.get_running_loop().call_soon(self._tell_some)
        self._untold[hub] = None

    def _tell_some(self) -> None:
        hubs = list(islice(self._untold, 1 + len(self._untold) // SHARE))
        for hub in hubs:
            del self._untold[hub]
        if self._untold:
            asyncio.get_running_loop().call_soon(self._tell_some)
        for hub in hubs:
            hub.deliver()

    async def keep(self, name: str, value: bytes) -> None:
        """Keep a setting; that it could not be is written down."""
        try:
            await outcome_of(partial(self.store.submit_setting, name, value))
        except NotStored as error:
            self.journal.write("setting-unwritten", setting=name, refusal=error.code)

    def moved(self, hub: Hub, steps: Sequence[Step]) -> None:
        """Steps were stored and applied."""
        self.figures.moves.add()

    # the day

    def pulse(self, part: int) -> None:
        """A sign of life on one part of the streams, as all at once would hold up the moves; and tidy in between."""
        for hub in list(self.hubs.values())[part::PARTS]:
            for stream in list(hub.streams):
                stream.pulse()
        if not part:
            self.tidy()

    def tidy(self) -> None:
        """Forget tables that are idle: they are in the store."""
        now, many = self.now(), len(self.hubs) > MANY
        for code, hub in list(self.hubs.items()):
            if hub.idle(now, OVER_MS if many or hub.state.stage == "over" else IDLE_MS):
                self.hubs.pop(code).close()

    def closing(self) -> None:
        """The house is about to stop: every page is told, and comes back by itself."""
        self.closed = True
        for hub in self.hubs.values():
            for stream in list(hub.streams):
                stream.end(CLOSING)
            hub.close()

    async def rest(self) -> None:
        """Finish what is under way."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1)


def _is_news(steps: Sequence[Step]) -> bool:
    """Whether what is told of a table in a list has changed; when it was played at last, within the hour."""
    before, after = steps[0].before, steps[-1].after
    return after.shape > before.seq or after.at // HOUR_MS != before.at // HOUR_MS


def _facts(before: PartyState, after: PartyState) -> Facts:
    """What the house tells of a table in a list. Only who is new here is added to those who have sat there."""
    setup, known = after.setup, before.people
    people = tuple([person for person in after.people if person not in known])
    return Facts(after.stage, setup.listed, after.at, people, setup.rules["game"], after.names)
