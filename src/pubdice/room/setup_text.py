"""A table's setup as the first line of its log, and the rules that the host changed. Both are JSON.

Logs are kept permanently, so each key is written out here and does not follow the name of a field.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from pubdice.core.cup import read_night
from pubdice.core.errors import BadNotation
from pubdice.core.json_depth import shallow
from pubdice.core.seal import read_seal
from pubdice.kit import Kit
from pubdice.match.formats.format import is_unit_key
from pubdice.match.header import find_name, read_name
from pubdice.match.table import Dice
from pubdice.room.setup import (
    MOST_MATCHES,
    MOST_PLANNED,
    MOST_SEATS,
    MOST_UNITS,
    Expected,
    Planned,
    Row,
    Setup,
    checked,
    with_units,
)
from pubdice.text.emoji import is_printable

VERSION = 3
"""The version of the log. Version 1 was the terminal's, without people. ``terminal.game_log`` reads it."""
READABLE = (2, 3)
MOST_SHOWN = 200
"""The most letters of a faulty line that an error shows."""

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
"""The keys of the rules that the host can change, in the order of the text, each with its field.

The tables above have the keys of other objects. In a row of a tally, any key that ``ROW`` does not have is a unit.
"""
UNSAID: dict[str, Any] = {"seal": "", "lessons": 0, "chances": False, "matches": 0, "best": False, "line_up": []}
"""The values of keys in ``RULES`` that a line may leave out."""
LATER = (*UNSAID, "played", "won", "night", "loser_lost")
"""The keys that are written only if the value is not empty, 0 or False. Lines from before such a key do not have it."""
UNITS = ("rounds", "chips", "drinks")
"""The units that each row of an evening has, even with 0, since version 3. Other units come after them."""
REQUIRED = ("rules", "seats", "host", "opened", "bots")
"""The keys that every version wrote. Any other key can be missing. Its field has the usual value then."""


def write_setup(setup: Setup, **own: Any) -> str:
    """Return the first line of the table's log.

    ``own`` has more keys to write. They must be removed before ``read_setup`` reads the line.
    """
    return json.dumps({"pubdice": VERSION, **_facts(SETUP, setup), **own}, ensure_ascii=False)


def write_rules(setup: Setup) -> str:
    """Return the rules that the host can change before the match, in one line."""
    return json.dumps(_facts(RULES, setup), ensure_ascii=False)


def _facts(keys: Mapping[str, str], item: object) -> dict[str, Any]:
    """Return the values of an item's fields, by key, for JSON."""
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
    """Return a row's units by key. They are in the order of ``UNITS``, unless they occurred in another order."""
    usual = dict.fromkeys(UNITS, 0) | takings
    in_order = [unit for unit in usual if unit in takings] == list(takings)
    return usual if in_order else takings | usual


def read_setup(text: str) -> Setup:
    """Return the setup in a log's first line. Raise BadNotation("event") if the line is not a setup."""
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
    """Return the values read from JSON, by field. Raise KeyError for an unknown key."""
    return {keys[key]: value for key, value in data.items()}


def _listed(data: Mapping[str, Any], key: str) -> Sequence[Any]:
    """Return the list under a key, or an empty list if the key is missing.

    Raise TypeError if the value is not a list.
    """
    value = data.get(key, [])
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def _with_people(keys: Mapping[str, str], data: Mapping[str, Any]) -> dict[str, Any]:
    return {**_fields(keys, data), "people": tuple(_listed({"people": data["people"]}, "people"))}


def _line_up(data: Mapping[str, Any]) -> tuple[Planned, ...]:
    return tuple(Planned(**_fields(PLANNED, each)) for each in _listed(data, "line_up"))


def _evening(rows: Sequence[Any]) -> tuple[Row, ...]:
    """Return the rows of an evening. Any key that ``ROW`` does not have is a unit.

    Raise ValueError for a faulty unit.
    """
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
    """Return True if every value has the right type, and every number is within bounds."""
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
    """Return True if the line-up is valid: its games have rules, and its numbers of matches are within bounds."""
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
    """Return the setup with the rules in a line from ``write_rules``. Raise BadNotation for any other line."""
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
