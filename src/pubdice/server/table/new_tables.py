"""New tables: an order into a setup, one table under each idempotency key, with an unused code, and a limit for each
address. Knows no HTTP.
"""

import hmac
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, get_args

import msgspec

from pubdice.core.cup import Cup
from pubdice.core.dice import SIX, DieFaces, Hand, whole_number
from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.core.seal import Seals
from pubdice.kit import PERFECT, Kit, Option
from pubdice.match.formats import FormatKind
from pubdice.match.table import Dice
from pubdice.room import Caller, Room, RoomState, Setup, Step, commands, write_setup
from pubdice.room.seeds import sealed
from pubdice.room.setup import CLOCK_S, GRACE_S, MOST_CHAIRS, MOST_PERFECT, PACE_MS, checked
from pubdice.server.log_check import replayed
from pubdice.server.table.actor import summary_of
from pubdice.server.table.codes import new_code
from pubdice.server.table.commit import Key, Reads, await_commit, key_of
from pubdice.server.web.limits import block_of
from pubdice.server.wire import Order, OrderKey, wrong
from pubdice.store.house_store import HouseStore
from pubdice.text.language import BOTS, OPENERS

# A game as it can be set up: its formats, house rules and bots, each with what it does, from what its kit says.


OTHERS = tuple(f"player{number}" for number in range(2, 9))
"""Fields of the pocket's form of a new table for those who share the phone; more people are added at the table."""
MOST_BOTS = 4
"""Bots that the same form seats."""


@dataclass(frozen=True, slots=True)
class FormOption:
    """Something to choose: the value a form sends, and in English what it means."""

    value: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A house rule of a game: its key, what it does, in English, and the choices, the default first."""

    key: str
    meaning: str
    choices: tuple[FormOption, ...]


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game that can be set up.

    formats: its kinds, the default first. openers: as formats with several rounds have them. draws_from: the number of
    seats from which Player 1 is drawn; 0 for never. short: the title where little has room, "" for the whole one.
    emblem: the dice that stand for it; red: the faces that a turn needs; die: all faces.
    """

    name: str
    title: str
    tagline: str
    rules: tuple[Rule, ...]
    formats: tuple[FormatKind, ...]
    openers: tuple[FormOption, ...]
    bots: tuple[FormOption, ...]
    most_seats: int
    draws_from: int = 0
    short: str = ""
    emblem: Hand = ()
    red: Hand = ()
    die: DieFaces = SIX


def rule(option: Option) -> Rule:
    """A house rule as it can be chosen."""
    choices = zip(option.choices, option.meanings, strict=True)
    return Rule(option.key, option.meaning, tuple(FormOption(*choice) for choice in choices))


def card(kit: Kit) -> GameCard:
    """A game as it can be set up."""
    openers = kit.formats[0].usual.openers
    game = kit.usual_game
    return GameCard(
        name=kit.name,
        title=kit.words.title,
        tagline=kit.words.tagline,
        rules=tuple(rule(option) for option in kit.options),
        formats=kit.formats,
        openers=tuple(FormOption(opener, OPENERS[opener]) for opener in openers) if len(openers) > 1 else (),
        bots=tuple(FormOption(bot, BOTS.get(bot, "")) for bot in kit.bots),
        most_seats=game.most_seats,
        draws_from=kit.draws_from,
        short=kit.words.short,
        emblem=kit.emblem,
        red=kit.words.red(game),
        die=game.faces,
    )


def chosen_game(games: Sequence[GameCard], form: Mapping[str, str]) -> str:
    """The game that a form chooses among these; the first if it names none of them."""
    names = [game.name for game in games]
    return form["game"] if form.get("game") in names else names[0]


def match_fields(kit: Kit, rules: Mapping[str, str]) -> dict[str, str]:
    """The fields of a form for these rules of a match, the format's kind apart from its numbers."""
    form = kit.format(rules.get("format", kit.formats[0].name))
    fields = {f"{kit.name}.{key}": value for key, value in rules.items()}
    fields[f"{kit.name}.format"] = form.kind.name
    numbers = zip(form.kind.fields, form.numbers, strict=True)
    return fields | {f"{kit.name}.{field.key}": str(number) for field, number in numbers}


# How many tables may be in play at once, from one address and in the house; and which of them a list shows.
#
# Knows no actors; it asks a function whether a table is in play.


MOST_HERE = 60
"""Tables in play that were opened from one address: a pub's worth, and more."""
MOST_IN_ALL = 3_000
"""Tables in play in one house."""
NEW_MS = 10 * 60 * 1000
"""A table counts as in play for so long after it was opened, even if nobody goes there."""
MOST_SHOWN = 3
"""Tables of one address that a list shows before those of others."""
REMEMBERED = 5_000
"""Tables whose opener's address is known; the oldest are forgotten, and all when the house ends."""


def opener_of(secret: bytes, address: str) -> bytes:
    """Two bytes for an address, stored with each table that it opens: every process knows by them which tables are one
    asker's, also after a restart. They are too few to tell whose address it was. secret: the house's.
    """
    return hmac.digest(secret, f"opener {block_of(address)}".encode(), "sha256")[:2]


class InPlay:
    """Tables by the address that opened them. is_in_play: of a table's code; None if the table is not in memory."""

    def __init__(self, is_in_play: Callable[[str], bool | None]) -> None:
        self._is_in_play = is_in_play
        self._opened: dict[str, dict[str, int]] = {}
        self._from: dict[str, str] = {}

    def check(self, address: str, in_all: int, now: int) -> None:
        """Raise Refused if one more table would be too many. in_all: tables in memory. now: ms since 1970."""
        if in_all >= MOST_IN_ALL:
            raise Refused("tables-in-all", most=MOST_IN_ALL)
        here = self._opened.get(block_of(address), {})
        self._tidy(here, now)
        if len(here) >= MOST_HERE:
            raise Refused("tables-here", most=MOST_HERE)

    def opened(self, address: str, code: str, now: int) -> None:
        """A table was opened from an address."""
        block = block_of(address)
        for other in list(self._opened)[:2]:  # tidy two blocks for each one added, so that forgetting keeps pace
            here = self._opened.pop(other)
            self._tidy(here, now)
            if here:
                self._opened[other] = here
        self._opened.setdefault(block, {})[code] = now
        self._from[code] = block
        if len(self._from) > REMEMBERED:
            del self._from[next(iter(self._from))]

    def is_crowded(self, codes: Sequence[str]) -> bool:
        """True if one address opened more than ``MOST_SHOWN`` of these tables."""
        return max(Counter(self._from.get(code, "") for code in codes).values(), default=0) > MOST_SHOWN

    def in_turn(self, codes: Sequence[str], most: int) -> list[str]:
        """At most ``most`` of these tables, in their order: a few of each address, then others while places are left.

        Tables whose address is not known count as those of one address.
        """
        shown: Counter[str] = Counter()
        first: list[str] = []
        rest: list[str] = []
        for code in codes:
            shown[block := self._from.get(code, "")] += 1
            (first if shown[block] <= MOST_SHOWN else rest).append(code)
        picked = {*first[:most], *rest[: max(0, most - len(first))]}
        return [code for code in codes if code in picked]

    def _tidy(self, here: dict[str, int], now: int) -> None:
        for code, at in list(here.items()):
            in_play = self._is_in_play(code)
            if in_play is False or (in_play is None and now > at + NEW_MS):
                del here[code]


# Turns an order for a table, from a program or from the front page's form, into a ``room.Setup``. Knows no HTTP.


SHOWN = "shown"
"""A form's word for chances that everybody sees."""


class OrderError(BadNotation):
    """An order that the house can't carry out: ``why``, and the ``field`` of the form it is about."""

    def __init__(self, field: str, why: BadNotation) -> None:
        super().__init__(why.code, why.place, **why.facts)
        self.field = field


def setup_ordered(order: Order, games: Mapping[str, Kit], host: str, now: int) -> Setup:
    """The setup that an order asks for, checked. now: ms since 1970. Raises OrderError."""
    kit = games.get(order.game)
    if kit is None:
        raise OrderError("game", BadNotation("game", found=order.game, games=tuple(games)))
    if order.rules.get("game", kit.name) != kit.name:
        raise OrderError("game", BadNotation("header-key", found="game", key="game", keys=tuple(order.rules)))
    seats = max(order.people or 1, 1 + len(order.others)) + len(order.bots)
    if PERFECT in order.bots and seats > MOST_PERFECT:
        raise OrderError(f"{kit.name}.bot", BadNotation("perfect-seats", most=MOST_PERFECT))
    if seats > MOST_CHAIRS:
        least = kit.usual_game.least_seats
        raise OrderError("", BadNotation("seats", found=seats, least=least, most=MOST_CHAIRS))
    unchecked = Setup(
        rules={**order.rules, "game": order.game},
        seats=seats,
        host=host,
        first_stays=True,
        loser_lost=True,
        opened=now,
        bots=tuple(order.bots),
        dice=order.dice,
        listed=order.listed,
        grace_s=order.grace_s,
        clock_s=order.clock_s,
        pace_ms=order.pace_ms,
        lessons=order.lessons,
        chances=order.chances,
        grows=order.people is None,
    )
    try:
        return checked(kit, unchecked)
    except BadNotation as error:
        raise OrderError(_field(error, kit), error) from None


def _field(error: BadNotation, kit: Kit) -> str:
    """The form's field that an error is about; "" if it is about none."""
    if error.code == "number-range":
        return str(error.facts["key"])
    if error.code in ("seats", "people-none"):
        return ""
    if error.code == "option":
        return f"{kit.name}.{error.facts['key']}"
    if error.code == "first-draw":
        return f"{kit.name}.first"
    if error.code.startswith("format"):
        return f"{kit.name}.format"
    return f"{kit.name}.{error.code}"


def from_form(form: Mapping[str, str], games: Mapping[str, Kit]) -> Order:
    """The order on a form; fields left out have their usual values.

    Raises OrderError for text that is not a number and for an unknown game, Refused for a malformed key.
    """
    kit = games.get(form.get("game", next(iter(games))))
    if kit is None:
        raise OrderError("game", BadNotation("game", found=form.get("game", ""), games=tuple(games)))
    fields = {key.removeprefix(f"{kit.name}."): value for key, value in form.items() if key.startswith(f"{kit.name}.")}

    def number(field: str, text: str | None, usual: int) -> int:
        if text is None or not text.strip():
            return usual
        found = whole_number(text.strip())
        if found is None:
            raise OrderError(field, BadNotation("number", found=text))
        return found

    format_text = fields.get("format", kit.formats[0].name)
    kind = next((kind for kind in kit.formats if kind.name == format_text), None)
    if kind is not None:
        numbers = [number(f"{kit.name}.{field.key}", fields.get(field.key), field.usual) for field in kind.fields]
        format_text = kind.write(tuple(numbers))
    rules = {"game": kit.name, "format": format_text}
    for key in (option.key for option in kit.options):
        if key in fields:
            rules[key] = fields[key]
    if kind is not None and len(kind.usual.openers) > 1 and fields.get("opener"):
        rules["opener"] = fields["opener"]
    if fields.get("first"):
        rules["first"] = fields["first"]
    try:
        key = msgspec.convert(form.get("key", ""), OrderKey)
    except msgspec.ValidationError as error:
        raise wrong(error, "key") from None
    against_bot, named = form.get("with") == "bot", form.get("with") == "phone"
    others = [other for other in (form.get(field, "") for field in OTHERS) if other.strip()]
    bots = _bots(number("bots", form.get("bots"), 0), others) if named else int(against_bot)
    return Order(
        key=key,
        game=kit.name,
        name=form.get("name", ""),
        people=number(f"{kit.name}.people", fields["people"], 2) if fields.get("people") else None,
        others=others if named else [],
        bots=[fields.get("bot") or next(iter(kit.bots))] * bots,
        rules=rules,
        listed=form.get("door") == "open",
        dice=_dice(form.get("dice", "")),
        grace_s=number("grace", form.get("grace"), GRACE_S),
        clock_s=number("clock", form.get("clock"), CLOCK_S),
        pace_ms=number("pace", form.get("pace"), PACE_MS),
        lessons=number("lessons", form.get("lessons"), 0),
        chances=form.get("chances", "") == SHOWN,
        start=against_bot or named or form.get("start", "") not in ("", "0", "false"),
    )


def _bots(asked: int, others: Sequence[str]) -> int:
    """The number of bots that the pocket's form seats: somebody who is alone gets one. Raises OrderError."""
    if asked not in range(1 + MOST_BOTS):
        raise OrderError("bots", BadNotation("number-range", found=asked, key="bots", least=0, most=MOST_BOTS))
    return asked or int(not others)


def _dice(text: str) -> Dice:
    """The dice that a form names; the house's, if it names none."""
    return next((dice for dice in get_args(Dice) if dice == text), "house")


def to_form(setup: Setup, kit: Kit) -> dict[str, str]:
    """The fields of a form that would order a table like this one, as ``from_form`` reads them."""
    form = {"dice": setup.dice, "grace": str(setup.grace_s), "clock": str(setup.clock_s), "pace": str(setup.pace_ms)}
    form |= {"lessons": str(setup.lessons), "chances": SHOWN if setup.chances else ""}
    return form | match_fields(kit, setup.rules)


def changes_from_form(form: Mapping[str, str], kit: Kit) -> dict[str, Any]:
    """The changes in a table's form of rules, as fields of a ``Request``. The form has the front page's fields.

    Raises OrderError, Refused.
    """
    order = from_form({**form, "game": kit.name}, {kit.name: kit})
    changes: dict[str, Any] = {}
    game_fields = {key.removeprefix(f"{kit.name}.") for key in form if key.startswith(f"{kit.name}.")}
    if game_fields:
        rules = {key: value for key, value in order.rules.items() if key != "game"}
        if "format" not in game_fields:
            del rules["format"]
        changes["rules"] = {**rules, **({"first": ""} if "first" in game_fields and "first" not in rules else {})}
    fields = {"dice": "dice", "clock": "clock_s", "grace": "grace_s", "pace": "pace_ms"}
    fields |= {"lessons": "lessons", "chances": "chances"}
    return {**changes, **{field: getattr(order, field) for key, field in fields.items() if key in form}}


DAY_MS = 24 * 3600 * 1000
MONTH_MS = 31 * DAY_MS
CODES_TRIED = 20
FORK_BYTES = 8
"""Random bytes of a continuation's identity: of two that begin at one log, each has its own."""
MOST_SHORT = 100
"""Tables in use with codes of two syllables; beyond that new codes have three, or guesses would find one too easily."""


@dataclass(frozen=True, slots=True)
class NewTables:
    """Sets up the tables of one house.

    now: ms since 1970. source: random bytes for codes. cup: where rolls come from. seals: of sealed dice. secret: the
    house's.
    """

    store: HouseStore
    read: Reads
    games: Mapping[str, Kit]
    in_play: InPlay
    now: Callable[[], int]
    source: Callable[[int], bytes]
    cup: Callable[[], Cup]
    seals: Seals
    secret: bytes

    async def open(self, order: Order, person: str, address: str, live: int) -> str:
        """Set up a table for a person, who sits at it; its code. Raises OrderError, BadNotation, Refused or NotStored.

        A person's idempotency key opens one table: the same order again gets that table's code. address: the client's,
        with a limit of tables in play. live: tables in memory.
        """
        key, now = key_of(person, order) if order.key else None, self.now()
        if key is not None and (known := await self.known(key)) is not None:
            return known
        self.in_play.check(address, live, now)
        setup = sealed(setup_ordered(order, self.games, person, now), self.seals)
        return await self._open_for(setup, order.name, key, address, others=order.others, start=order.start)

    async def known(self, key: Key) -> str | None:
        """The code of the table that was opened under a key; None if none was. Raises NotStored."""
        found = await self.read(self.store.ordered, *key)
        if found is not None:
            await await_commit(self.store.submit_confirming)
        return found

    async def open_of_night(self, setup: Setup, name: str, key: Key, address: str, live: int) -> str:
        """Set up a table of a duplicate night for its host, who sits at it; its code. Raises as ``open`` does."""
        self.in_play.check(address, live, self.now())
        return await self._open_for(setup, name, key, address)

    async def _open_for(
        self,
        setup: Setup,
        name: str,
        key: Key | None,
        address: str,
        *,
        others: Sequence[str] = (),
        start: bool = False,
    ) -> str:
        """Set up a table at which its host sits under this name. others: names of those who share the host's phone.

        start: it begins at once, if its dice are not sealed, which wait for the seats' seeds.
        """
        room, now = Room(self.games[setup.rules["game"]], setup), self.now()
        caller, cup = Caller(setup.host, now), self.cup()
        steps = room.decide(room.start(), commands.Sit(None, name), caller, cup, self.seals)
        for other in others:
            steps += room.decide(steps[-1].after, commands.Share(other), caller, cup, self.seals)
        if start and steps[-1].after.match is None and setup.dice != "sealed":
            steps += room.decide(steps[-1].after, commands.Start(), caller, cup, self.seals)
        code = await self._create(setup, room.start(), steps, key, address)
        self.in_play.opened(address, code, now)
        return code

    async def go_on(self, lines: Sequence[str], before: str, person: str) -> str:
        """Set up a table at which the match of another house goes on, from its log; its code.

        lines: the log, from anywhere. before: who goes on, as that house knew them; person: the same, as this one does,
        who is the host. The same log gives the same table: somebody may ask twice. Raises Refused, NotStored
        ("log-impossible").
        """
        key = Key(f"{person} went-on-{sha256(chr(10).join([before, *lines]).encode()).hexdigest()}")
        if (known := await self.known(key)) is not None:
            return known
        _, state = replayed(lines, self.games)
        room = Room(self.games[state.setup.rules["game"]], state.setup)
        went_on = commands.GoOn(self.source(FORK_BYTES).hex(), before, person)
        steps = room.decide(state, went_on, Caller(None, max(state.at, self.now())), self.cup(), self.seals)
        return await self._store(lines, room.start(), steps, key, "")

    async def open_next(self, setup: Setup, key: Key, address: str, live: int) -> str:
        """Set up the table of a rematch, unless this key has one; its code. Raises Refused or NotStored.

        It counts as opened from the address of the first person who asked.
        """
        if (known := await self.known(key)) is not None:
            return known
        now = self.now()
        self.in_play.check(address, live, now)
        code = await self._create(setup, Room(self.games[setup.rules["game"]], setup).start(), (), key, address)
        self.in_play.opened(address, code, now)
        return code

    async def _create(
        self, setup: Setup, state: RoomState, steps: Sequence[Step], key: Key | None, address: str
    ) -> str:
        return await self._store([write_setup(setup)], state, steps, key, address)

    async def _store(
        self, begun: Sequence[str], state: RoomState, steps: Sequence[Step], key: Key | None, address: str
    ) -> str:
        """Store a new table under an unused code. begun: the lines before the steps; state: before anybody sat down."""
        summary = summary_of(state, steps[-1].after if steps else state)
        lines = [*begun, *(step.write() for step in steps)]
        now = self.now()
        few = await self.read(self.store.short_codes, now - MONTH_MS, now - DAY_MS, MOST_SHORT) < MOST_SHORT
        noted = {"opener": opener_of(self.secret, address), **({} if key is None else key._asdict())}
        for tried in range(CODES_TRIED):
            code = new_code(self.source, 2 if few and tried < CODES_TRIED // 2 else 3)
            try:
                submit = partial(self.store.submit_table, code, lines, summary, **noted)
                created: str = await await_commit(submit)
            except NotStored as error:
                if error.code == "code-taken":
                    continue
                raise
            return created
        raise NotStored("no-code")
