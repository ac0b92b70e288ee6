"""What a table is before anybody sits down: the first line of its log. Knows text and numbers, no people's names."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from pubdice.game import BadNotation
from pubdice.kit import Kit
from pubdice.names import find_name
from pubdice.notation import Header
from pubdice.table import Dice

VERSION = 2
"""Of the log. Version 1 is the terminal's, which knows no people."""
GRACE_S = 120
PACE_MS = 1200
MOST_SEATS = 99
MOST_GRACE_S = 3600
MOST_CLOCK_S = 600
LEAST_CLOCK_S = 10
MOST_PACE_MS = 10_000
MOST_PERFECT = 5
"""Seats at a table with the perfect bot: what takes minutes to solve is no opponent."""
MOST_SHOWN = 200
"""Letters of a faulty line that an error carries."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A table as it was ordered.

    rules: the header's fields but for names: ``game``, its options, ``format``, ``opener``; ``first`` is ``draw`` or
    left out. seats: how many, bots included. bots: policies, at the last seats. host: the person who opened it.
    opened: when, in ms since 1970. opens: the seat that opens the first round where nobody is drawn. grace_s: how long
    a lost seat waits before the others may vote. clock_s: a turn's time; 0 for none. pace_ms: a bot's pause.
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

    def write(self) -> str:
        """The first line of the table's log."""
        data = {name: getattr(self, name) for name in self.__slots__}
        return json.dumps({"pubdice": VERSION, **data, "rules": dict(self.rules)}, ensure_ascii=False)


def read_setup(text: str) -> Setup:
    """The setup in a log's first line. Raises BadNotation("event") if it is none."""
    try:
        data = json.loads(text)
        version = data.pop("pubdice")
        setup = Setup(**{**data, "bots": tuple(data["bots"])})
        sound = version == VERSION and isinstance(data["bots"], list) and _is_sound(setup)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        sound = False
    if not sound:
        raise BadNotation("event", found=text[:MOST_SHOWN])
    return setup


def _is_sound(setup: Any) -> bool:
    """Whether everything is of its type, and no number beyond all reason."""
    words = [*setup.rules.keys(), *setup.rules.values(), setup.host, *setup.bots]
    small = [setup.opens, setup.grace_s, setup.clock_s, setup.pace_ms]
    return (
        all(isinstance(word, str) and word.isprintable() for word in words)
        and all(type(number) is int and 0 <= number < 10**9 for number in small)
        and type(setup.opened) is int
        and 0 <= setup.opened < 10**14
        and type(setup.seats) is int
        and max(1, len(setup.bots)) <= setup.seats <= MOST_SEATS
        and setup.dice in get_args(Dice)
        and isinstance(setup.listed, bool)
        and "game" in setup.rules
    )


def within(name: str, value: int, least: int, most: int) -> int:
    """A number of a house rule. Raises BadNotation("number-range")."""
    if not least <= value <= most:
        raise BadNotation("number-range", found=value, key=name, least=least, most=most)
    return value


def checked(kit: Kit, setup: Setup) -> Setup:
    """The setup with its rules in canonical spelling. Raises BadNotation for what this game cannot be played as."""
    within("seats", setup.seats, 1, MOST_SEATS)
    names = placeholders(setup.seats)
    settled = kit.settle(Header({**setup.rules, "seats": ", ".join(names)}))
    for bot in setup.bots:
        if bot not in kit.bots:
            raise BadNotation("bot", found=bot, bots=kit.bots)
    if len(setup.bots) >= setup.seats:
        raise BadNotation("people-none", found=len(setup.bots))
    if setup.dice not in get_args(Dice):
        raise BadNotation("dice", found=setup.dice)
    within("grace", setup.grace_s, 0, MOST_GRACE_S)
    within("pace", setup.pace_ms, 0, MOST_PACE_MS)
    if setup.clock_s:
        within("clock", setup.clock_s, LEAST_CLOCK_S, MOST_CLOCK_S)
    rules = {key: value for key, value in settled.fields.items() if key not in ("seats", "first")}
    if setup.rules.get("first", "").lower() == "draw":
        rules["first"] = "draw"
    values = {name: getattr(setup, name) for name in Setup.__slots__}
    return Setup(**{**values, "rules": rules})


def placeholders(seats: int) -> tuple[str, ...]:
    """Names for seats nobody has taken."""
    return tuple(f"Seat {seat + 1}" for seat in range(seats))


def unused(name: str, names: list[str]) -> str:
    """The name, numbered if it is taken.

    >>> unused("Tip", ["Ann", "tip"])
    'Tip 2'
    """
    number = 1
    while find_name(fresh := name if number == 1 else f"{name} {number}", names) is not None:
        number += 1
    return fresh
