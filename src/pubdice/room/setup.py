"""A table's setup, made before anybody sits down. Its text is the first line of a log."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from pubdice.core.cup import read_night
from pubdice.core.errors import BadNotation
from pubdice.core.json_depth import shallow
from pubdice.core.seal import read_seal
from pubdice.kit import Kit
from pubdice.match.formats.format import is_unit_key
from pubdice.match.notation import LONGEST, RawHeader, find_name, read_name
from pubdice.match.table import Dice
from pubdice.text.emoji import is_printable

GRACE_S = 120
CLOCK_S = 0
PACE_MS = 1200
"""Usual values: the grace time before others may vote about a lost seat, a turn's time (none), a bot's pause."""
MOST_SEATS = 99
"""Seats that a log may have."""
MOST_CHAIRS = 12
"""The most seats that a table takes, if its game takes as many: as many as there are shapes to know them by, and as
lie above the dice on the first screen of a phone. Tables that had more before this limit go on.
"""
MOST_ROWS = 64
"""Rows of an evening's tally; those with the fewest matches won are dropped."""
MOST_UNITS = 8
"""Units of an evening's tally; later ones are dropped. A game's formats have one each at most, and ours have two."""
MOST_GRACE_S = 3600
MOST_CLOCK_S = 600
LEAST_CLOCK_S = 10
MOST_PACE_MS = 10_000
MOST_LESSONS = 50
"""Percent of what is played for; nobody needs a warning only of more."""
MOST_MATCHES = 9
"""Matches that an evening plans of one game."""
MOST_PLANNED = 10
"""Games that it plans after the present one."""
MOST_PERFECT = 5
"""Seats at a table with the perfect bot: more take minutes to solve."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A chair of a rematch: whose it was in the match before, under which name; or which bot's."""

    name: str
    people: tuple[str, ...] = ()
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One player's tally of an evening: matches won, and what they have taken of each unit (``FormatKind.unit``).

    people: the player's persons; none for a bot. takings: by the unit's key, such as chips won or lost, in the order in
    which the units first occurred; the same units in each row of an evening (``with_units``).
    """

    name: str
    people: tuple[str, ...] = ()
    wins: int = 0
    takings: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """A game of the line-up: its rules, as ``Setup`` has them, and its matches.

    matches: the most that are played. best: they end as soon as somebody has won more than half of them.
    """

    rules: Mapping[str, str]
    matches: int = 1
    best: bool = False


@dataclass(frozen=True, slots=True)
class Setup:
    """A table as it was ordered.

    rules: the header's fields but for names: ``game``, its options, ``format``, ``opener``; ``first`` is ``draw`` or
    left out. seats: their number, bots included. bots: policies, at the last seats. host: the person who opened it.
    opened: the time, in ms since 1970. opens: the seat that opens the first round where nobody is drawn. grace_s: how
    long a lost seat waits before the others may vote. clock_s: a turn's time; 0 for none. pace_ms: a bot's pause.
    grows: each person who sits down gets a new chair until the match begins; ``seats`` is how many there are at first.

    Of a rematch: before: the code of the table it follows. expected: its chairs, for those who sat there. moves_left:
    Player 1 is the seat ``opens``, also where they are usually drawn. banned: persons who cannot sit down. games:
    matches played before it, with their tally in ``evening``. shut: nobody new sits down until the host lets them.
    seal: of sealed dice, as ``Seal.write`` has it, since the dice were first sealed; "" before. first_stays: of too
    many phones at a seat the first, its owner's, is never let go (so since version 3). lessons: everybody here gets
    hints, and is warned of a choice that loses this many percent of the prize, or more; 0 for no lessons. chances:
    everybody sees each seat's chances while they play. loser_lost: as in ``Match``; older tables lack it.

    Of the line-up (``room.line_up``): matches: the number planned of this game, 0 if nobody has said; best: as in
    ``Planned``. line_up: the games that follow. played: matches of this game before this one; won: each player's wins
    of them.

    night: of a table of a duplicate night, its mark as ``NightMark.write`` has it; its dice are the night's then.
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
    clock_s: int = CLOCK_S
    pace_ms: int = PACE_MS
    grows: bool = False
    before: str = ""
    expected: tuple[Expected, ...] = ()
    moves_left: bool = False
    banned: tuple[str, ...] = ()
    games: int = 0
    evening: tuple[Row, ...] = ()
    shut: bool = False
    first_stays: bool = False
    seal: str = ""
    lessons: int = 0
    chances: bool = False
    matches: int = 0
    best: bool = False
    line_up: tuple[Planned, ...] = ()
    played: int = 0
    won: tuple[Row, ...] = ()
    night: str = ""
    loser_lost: bool = False


def with_units(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows, each with the units that any of them has, by first occurrence; one that is 0 in all rows is dropped."""
    held = [(row, dict(row.takings)) for row in rows]
    found = dict.fromkeys(unit for _, takings in held for unit in takings)
    units = [unit for unit in found if any(takings.get(unit) for _, takings in held)][:MOST_UNITS]
    return tuple(replace(row, takings=tuple((unit, takings.get(unit, 0)) for unit in units)) for row, takings in held)


def within(name: str, value: int, least: int, most: int) -> int:
    """The number, if it is in range. Raises BadNotation("number-range")."""
    if not least <= value <= most:
        raise BadNotation("number-range", found=value, key=name, least=least, most=most)
    return value


def checked(kit: Kit, setup: Setup) -> Setup:
    """The setup with its rules in canonical spelling. Raises BadNotation for a setup that this game does not allow."""
    within("seats", setup.seats, 1, MOST_SEATS)
    names = placeholders(max(setup.seats, least_seats(kit)) if setup.grows else setup.seats)
    if setup.rules.get("first", "draw").lower() != "draw":
        raise BadNotation("first-draw", found=setup.rules["first"])
    rules = ("game", "format", "opener", "first", *(option.key for option in kit.options))
    if not kit.usual_game.faces.is_usual:
        rules = (*rules, "faces")
    for key in setup.rules:  # a record's header may have more, of which a table would take no notice
        if key not in rules:
            raise BadNotation("header-key", found=key, key=key, keys=rules)
    header = kit.normalize(RawHeader({**setup.rules, "seats": ", ".join(names)}))
    for bot in setup.bots:
        kit.check_bot(bot)
    if len(setup.bots) >= setup.seats and not setup.expected:
        raise BadNotation("people-none", found=len(setup.bots))
    if setup.dice not in get_args(Dice):
        raise BadNotation("dice", found=setup.dice)
    within("grace", setup.grace_s, 0, MOST_GRACE_S)
    within("pace", setup.pace_ms, 0, MOST_PACE_MS)
    within("lessons", setup.lessons, 0, MOST_LESSONS)
    if setup.clock_s:
        within("clock", setup.clock_s, LEAST_CLOCK_S, MOST_CLOCK_S)
    kept = {key: value for key, value in header.fields.items() if key not in ("seats", "first")}
    if "first" in setup.rules:
        kept["first"] = "draw"
    return replace(setup, rules=kept)


def least_seats(kit: Kit) -> int:
    """The fewest seats a game takes, with the first choice of each option."""
    return kit.build({option.key: option.choices[0] for option in kit.options}).least_seats


def placeholders(seats: int) -> tuple[str, ...]:
    """Placeholder names for seats that nobody has taken."""
    return tuple(f"Seat {seat + 1}" for seat in range(seats))


def with_seats(rules: Mapping[str, str], seats: int) -> dict[str, str]:
    """A table's rules as a record's header has them, with a placeholder for each seat."""
    return {**rules, "seats": ", ".join(placeholders(seats))}


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


# A table's setup as the first line of its log, and the rules that the host changed: JSON, its keys written out here.
#
# Logs are kept for good: no key follows from the name of a field.


VERSION = 3
"""Of the log. Version 1, the terminal's once, knew no people (``terminal.saved_games`` reads it); version 2 knew no
tables that grow, and no chains."""
READABLE = (2, 3)
MOST_SHOWN = 200
"""Letters of a faulty line that an error carries."""

SETUP = {
    "rules": "rules",
    "seats": "seats",
    "host": "host",
    "opened": "opened",
    "bots": "bots",
    "dice": "dice",
    "listed": "listed",
    "opens": "opens",
    "grace_s": "grace_s",
    "clock_s": "clock_s",
    "pace_ms": "pace_ms",
    "grows": "grows",
    "before": "before",
    "expected": "expected",
    "moves_left": "moves_left",
    "barred": "banned",
    "games": "games",
    "evening": "evening",
    "shut": "shut",
    "first_stays": "first_stays",
    "seal": "seal",
    "lessons": "lessons",
    "chances": "chances",
    "matches": "matches",
    "best": "best",
    "line_up": "line_up",
    "played": "played",
    "won": "won",
    "night": "night",
    "loser_lost": "loser_lost",
}
EXPECTED = {"name": "name", "people": "people", "bot": "bot"}
ROW = {
    "name": "name",
    "people": "people",
    "wins": "wins",
}
PLANNED = {"rules": "rules", "matches": "matches", "best": "best"}
RULES = {
    "rules": "rules",
    "dice": "dice",
    "clock_s": "clock_s",
    "grace_s": "grace_s",
    "seal": "seal",
    "lessons": "lessons",
    "chances": "chances",
    "matches": "matches",
    "best": "best",
    "line_up": "line_up",
}
"""Keys in the order of the text, each with the field that holds it; ``RULES`` are those of ``Ruled``.

A key of a row that is not in ``ROW`` is a unit.
"""
UNSAID: dict[str, Any] = {"seal": "", "lessons": 0, "chances": False, "matches": 0, "best": False, "line_up": []}
"""Keys of ``RULES`` that a line without them sets to this."""
LATER = (*UNSAID, "played", "won", "night", "loser_lost")
"""Keys written only where they hold something, as lines of before they existed lack them."""
UNITS = ("rounds", "chips", "drinks")
"""Units that each row of an evening has, 0 or not, since version 3 began; other units stand behind the first three."""
REQUIRED = ("rules", "seats", "host", "opened", "bots")
"""Keys that every version wrote; the others may be missing, and have their usual values then."""


def write_setup(setup: Setup, **own: Any) -> str:
    """The first line of the table's log. own: more keys, to be removed before ``read_setup`` reads it."""
    return json.dumps({"pubdice": VERSION, **_facts(SETUP, setup), **own}, ensure_ascii=False)


def write_rules(setup: Setup) -> str:
    """The rules that the host may change before the match, in one line."""
    return json.dumps(_facts(RULES, setup), ensure_ascii=False)


def _facts(keys: Mapping[str, str], item: object) -> dict[str, Any]:
    """The values of an item's fields, by key, as JSON has them."""
    facts = {key: _plain(getattr(item, field)) for key, field in keys.items()}
    return {key: fact for key, fact in facts.items() if fact or key not in LATER or keys is PLANNED}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Expected):
        return _facts(EXPECTED, value)
    if isinstance(value, Planned):
        return _facts(PLANNED, value)
    return _facts(ROW, value) | _counted(dict(value.takings)) if isinstance(value, Row) else value


def _counted(takings: dict[str, int]) -> dict[str, int]:
    """A row's units by key. ``UNITS`` stand where they always stood, unless that is not the order they occurred in."""
    usual = dict.fromkeys(UNITS, 0) | takings
    in_order = [unit for unit in usual if unit in takings] == list(takings)
    return usual if in_order else takings | usual


def read_setup(text: str) -> Setup:
    """The setup in a log's first line. Raises BadNotation("event") if the line holds none."""
    try:
        data = json.loads(shallow(text))
        version = data.pop("pubdice")
        fields = _fields(SETUP, data)
        fields["expected"] = tuple(Expected(**_with_people(EXPECTED, chair)) for chair in _listed(data, "expected"))
        fields["evening"] = _evening(_listed(data, "evening"))
        fields["won"] = _evening(_listed(data, "won"))
        fields["line_up"] = _line_up(data)
        for key in ("bots", "barred"):
            fields[SETUP[key]] = tuple(_listed(data, key))
        setup = Setup(**fields)
        sound = version in READABLE and all(key in data for key in REQUIRED) and _is_sound(setup)
    except (ValueError, KeyError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise BadNotation("event", found=text[:MOST_SHOWN])
    return setup


def _fields(keys: Mapping[str, str], data: Mapping[str, Any]) -> dict[str, Any]:
    """The values that were read, by field. Raises KeyError for an unknown key."""
    return {keys[key]: value for key, value in data.items()}


def _listed(data: Mapping[str, Any], key: str) -> Sequence[Any]:
    """The list under a key; an empty one if the key is missing. Raises TypeError if the value is no list."""
    value = data.get(key, [])
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def _with_people(keys: Mapping[str, str], data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a chair or a row."""
    return {**_fields(keys, data), "people": tuple(_listed({"people": data["people"]}, "people"))}


def _line_up(data: Mapping[str, Any]) -> tuple[Planned, ...]:
    """The games that follow. Raises TypeError, KeyError."""
    return tuple(Planned(**_fields(PLANNED, each)) for each in _listed(data, "line_up"))


def _evening(rows: Sequence[Any]) -> tuple[Row, ...]:
    """The rows of an evening; keys that are none of a row's own are units. Raises ValueError for unsound ones."""
    found, units = [], set[str]()
    for data in rows:
        counts = {key: count for key, count in data.items() if key not in ROW}
        units.update(counts)
        if not all(is_unit_key(key) and _is_count(count) for key, count in counts.items()):
            raise ValueError("no unit")
        own = {key: value for key, value in data.items() if key in ROW}
        found.append(Row(**_with_people(ROW, own), takings=tuple(counts.items())))
    if len(units.difference(UNITS)) > MOST_UNITS:
        raise ValueError("too many units")
    return with_units(found)


def _is_count(value: object) -> bool:
    return type(value) is int and abs(value) < 10**15


def _is_sound(setup: Any) -> bool:
    """True if everything is of its type, and every number within reason."""
    named = [*setup.expected, *setup.evening, *setup.won]
    words = [*setup.rules.keys(), *setup.rules.values(), setup.host, *setup.bots, setup.before, *setup.banned]
    words += [word for chair_or_row in named for word in (chair_or_row.name, *chair_or_row.people)]
    words += [chair.bot for chair in setup.expected]
    small = [setup.opens, setup.grace_s, setup.clock_s, setup.pace_ms, setup.games, setup.lessons]
    flags = [setup.listed, setup.grows, setup.moves_left, setup.shut, setup.first_stays, setup.chances]
    flags += [setup.loser_lost]
    words += [setup.seal, setup.night]
    names = [chair.name for chair in setup.expected]
    return (
        all(isinstance(word, str) and is_printable(word) for word in words)
        and all(type(number) is int and 0 <= number < 10**9 for number in small)
        and type(setup.opened) is int
        and 0 <= setup.opened < 10**14
        and type(setup.seats) is int
        and max(1, len(setup.bots)) <= setup.seats <= MOST_SEATS
        and setup.dice in get_args(Dice)
        and all(type(flag) is bool for flag in flags)
        and _is_line_up(setup)
        and all(_is_count(row.wins) for row in (*setup.evening, *setup.won))
        and all(find_name(name, names[:at]) is None and read_name(name) == name for at, name in enumerate(names))
        and all(bool(chair.people) != bool(chair.bot) for chair in setup.expected)
        and (not setup.expected or len(setup.expected) == setup.seats)
        and "game" in setup.rules
        and (not setup.seal or read_seal(setup.seal).write() == setup.seal)
        and (bool(setup.seal) or setup.dice != "sealed")
        and (not setup.night or (read_night(setup.night).write() == setup.night and setup.dice == "house"))
    )


def _is_line_up(setup: Any) -> bool:
    """True if the rest is a sound line-up: games with rules, and few matches of each."""
    numbers = [setup.matches, setup.played, *(planned.matches for planned in setup.line_up)]
    words = [word for planned in setup.line_up for fact in planned.rules.items() for word in fact]
    return (
        all(type(number) is int and 0 <= number <= MOST_MATCHES for number in numbers)
        and all(type(best) is bool for best in (setup.best, *(planned.best for planned in setup.line_up)))
        and all(isinstance(word, str) and is_printable(word) for word in words)
        and all(planned.matches and "game" in planned.rules for planned in setup.line_up)
        and len(setup.line_up) <= MOST_PLANNED
    )


def with_rules(kit: Kit, setup: Setup, text: str) -> Setup:
    """The setup with the rules of a line that ``write_rules`` made. Raises BadNotation for any other line."""
    try:
        data = UNSAID | json.loads(shallow(text))
        changed = replace(setup, **{**_fields(RULES, data), "line_up": _line_up(data)})
        sound = _is_sound(changed)
    except (ValueError, KeyError, TypeError, AttributeError):
        sound = False
    if not sound or changed.host != setup.host or write_rules(changed) != text:
        raise BadNotation("event", found=text[:MOST_SHOWN])
    if changed.rules["game"] != kit.name or checked(kit, changed) != changed:
        raise BadNotation("event", found=text[:MOST_SHOWN])
    return changed
