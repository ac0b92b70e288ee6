"""What a table is before anybody sits down: the first line of its log. Knows text and numbers, no people's names."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, get_args

from pubdice.game import BadNotation
from pubdice.kit import Kit
from pubdice.names import LONGEST, find_name
from pubdice.notation import Header
from pubdice.table import Dice

VERSION = 3
"""Of the log. Version 1 is the terminal's, which knows no people; version 2 knew no tables that grow, and no chains."""
READABLE = (2, 3)
GRACE_S = 120
PACE_MS = 1200
MOST_SEATS = 99
MOST_ROWS = 64
"""Lines of an evening's tally, and persons who cannot sit in a chain of rematches: the oldest are dropped."""
MOST_GRACE_S = 3600
MOST_CLOCK_S = 600
LEAST_CLOCK_S = 10
MOST_PACE_MS = 10_000
MOST_PERFECT = 5
"""Seats at a table with the perfect bot: what takes minutes to solve is no opponent."""
MOST_SHOWN = 200
"""Letters of a faulty line that an error carries."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A chair laid for a rematch: whose it was, under which name, or which bot's."""

    name: str
    people: tuple[str, ...] = ()
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """What somebody has come to in an evening: matches and rounds won, chips won or lost, rounds of drinks bought.

    people: the persons it is about, none for a bot.
    """

    name: str
    people: tuple[str, ...] = ()
    wins: int = 0
    rounds: int = 0
    chips: int = 0
    drinks: int = 0


@dataclass(frozen=True, slots=True)
class Setup:
    """A table as it was ordered.

    rules: the header's fields but for names: ``game``, its options, ``format``, ``opener``; ``first`` is ``draw`` or
    left out. seats: how many, bots included. bots: policies, at the last seats. host: the person who opened it.
    opened: when, in ms since 1970. opens: the seat that opens the first round where nobody is drawn. grace_s: how long
    a lost seat waits before the others may vote. clock_s: a turn's time; 0 for none. pace_ms: a bot's pause.
    grows: whoever sits down gets a new chair until the match begins; ``seats`` is then how many there are at first.

    Of a rematch: before: the code of the table it follows. expected: its chairs, for those who sat there. moves_left:
    Player 1 is the seat ``opens``, also where they are usually drawn. barred: persons who cannot sit down. games:
    matches played before it, with what they came to in ``evening``. shut: nobody new sits down until the host
    lets them. first_stays: of too many phones at a seat the first, its owner's, is never let go (so since version 3).
    """

    rules: Mapping[str, str]
    seats: int
    host: str
    opened: int
    bots: tuple[str, ...] = field(default=())
    dice: Dice = "house"
    listed: bool = False
    opens: int = 0
    grace_s: int = GRACE_S
    clock_s: int = 0
    pace_ms: int = PACE_MS
    grows: bool = False
    before: str = ""
    expected: tuple[Expected, ...] = ()
    moves_left: bool = False
    barred: tuple[str, ...] = ()
    games: int = 0
    evening: tuple[Row, ...] = ()
    shut: bool = False
    first_stays: bool = False

    def write(self) -> str:
        """The first line of the table's log."""
        data = {name: getattr(self, name) for name in self.__slots__}
        lists = {"expected": list(map(asdict, self.expected)), "evening": list(map(asdict, self.evening))}
        return json.dumps({"pubdice": VERSION, **data, "rules": dict(self.rules), **lists}, ensure_ascii=False)


def read_setup(text: str) -> Setup:
    """The setup in a log's first line. Raises BadNotation("event") if it is none."""
    try:
        data = json.loads(text)
        version = data.pop("pubdice")
        lists = {name: tuple(_listed(data[name])) for name in ("bots", "barred") if name in data}
        chairs = tuple(Expected(**_with_people(chair)) for chair in _listed(data.get("expected", [])))
        rows = tuple(Row(**_with_people(row)) for row in _listed(data.get("evening", [])))
        setup = Setup(**{**data, **lists, "expected": chairs, "evening": rows})
        sound = version in READABLE and "bots" in data and _is_sound(setup)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        sound = False
    if not sound:
        raise BadNotation("event", found=text[:MOST_SHOWN])
    return setup


def _listed(value: Any) -> Sequence[Any]:
    """A list. Raises TypeError."""
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def _with_people(value: Any) -> dict[str, Any]:
    """The facts of a chair or a row."""
    return {**value, "people": tuple(_listed(value["people"]))}


def _is_sound(setup: Any) -> bool:
    """Whether everything is of its type, and no number beyond all reason."""
    named = [*setup.expected, *setup.evening]
    words = [*setup.rules.keys(), *setup.rules.values(), setup.host, *setup.bots, setup.before, *setup.barred]
    words += [word for each in named for word in (each.name, *each.people)] + [chair.bot for chair in setup.expected]
    small = [setup.opens, setup.grace_s, setup.clock_s, setup.pace_ms, setup.games]
    counted = [count for row in setup.evening for count in (row.wins, row.rounds, row.chips, row.drinks)]
    names = [chair.name for chair in setup.expected]
    return (
        all(isinstance(word, str) and word.isprintable() for word in words)
        and all(type(number) is int and 0 <= number < 10**9 for number in small)
        and type(setup.opened) is int
        and 0 <= setup.opened < 10**14
        and type(setup.seats) is int
        and max(1, len(setup.bots)) <= setup.seats <= MOST_SEATS
        and setup.dice in get_args(Dice)
        and all(
            type(flag) is bool for flag in (setup.listed, setup.grows, setup.moves_left, setup.shut, setup.first_stays)
        )
        and all(type(count) is int and abs(count) < 10**15 for count in counted)
        and all(find_name(name, names[:at]) is None and name for at, name in enumerate(names))
        and all(bool(chair.people) != bool(chair.bot) for chair in setup.expected)
        and (not setup.expected or len(setup.expected) == setup.seats)
        and "game" in setup.rules
    )


def write_rules(setup: Setup) -> str:
    """What the host may change before the match, in one line."""
    facts = {"rules": dict(setup.rules), "dice": setup.dice, "clock_s": setup.clock_s, "grace_s": setup.grace_s}
    return json.dumps(facts, ensure_ascii=False)


def with_rules(kit: Kit, setup: Setup, text: str) -> Setup:
    """The setup with what such a line says. Raises BadNotation."""
    try:
        changed = replace(setup, **json.loads(text))
        sound = _is_sound(changed)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        sound = False
    if not sound or changed.host != setup.host or write_rules(changed) != text:
        raise BadNotation("event", found=text[:MOST_SHOWN])
    if changed.rules["game"] != kit.name or checked(kit, changed) != changed:
        raise BadNotation("event", found=text[:MOST_SHOWN])
    return changed


def within(name: str, value: int, least: int, most: int) -> int:
    """A number of a house rule. Raises BadNotation("number-range")."""
    if not least <= value <= most:
        raise BadNotation("number-range", found=value, key=name, least=least, most=most)
    return value


def checked(kit: Kit, setup: Setup) -> Setup:
    """The setup with its rules in canonical spelling. Raises BadNotation for what this game cannot be played as."""
    within("seats", setup.seats, 1, MOST_SEATS)
    names = placeholders(max(setup.seats, least_seats(kit)) if setup.grows else setup.seats)
    if setup.rules.get("first", "draw").lower() != "draw":
        raise BadNotation("first-draw", found=setup.rules["first"])
    settled = kit.settle(Header({**setup.rules, "seats": ", ".join(names)}))
    for bot in setup.bots:
        if bot not in kit.bots:
            raise BadNotation("bot", found=bot, bots=kit.bots)
    if len(setup.bots) >= setup.seats and not setup.expected:
        raise BadNotation("people-none", found=len(setup.bots))
    if setup.dice not in get_args(Dice):
        raise BadNotation("dice", found=setup.dice)
    within("grace", setup.grace_s, 0, MOST_GRACE_S)
    within("pace", setup.pace_ms, 0, MOST_PACE_MS)
    if setup.clock_s:
        within("clock", setup.clock_s, LEAST_CLOCK_S, MOST_CLOCK_S)
    rules = {key: value for key, value in settled.fields.items() if key not in ("seats", "first")}
    if "first" in setup.rules:
        rules["first"] = "draw"
    return replace(setup, rules=rules)


def least_seats(kit: Kit) -> int:
    """How many seats a game needs."""
    return kit.build({option.key: option.choices[0] for option in kit.options}).least_seats


def placeholders(seats: int) -> tuple[str, ...]:
    """Names for seats nobody has taken."""
    return tuple(f"Seat {seat + 1}" for seat in range(seats))


def unused(name: str, names: list[str]) -> str:
    """The name, numbered if it is taken, and no longer than a name may be.

    >>> unused("Tip", ["Ann", "tip"])
    'Tip 2'
    """
    fresh, number = name, 1
    while find_name(fresh, names) is not None:
        number += 1
        fresh = f"{name[: LONGEST - len(f' {number}')].rstrip()} {number}"
    return fresh
