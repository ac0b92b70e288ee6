"""A table's setup, made before a person sits down. Its text is the first line of the table's log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import get_args

from pubdice.core.errors import BadNotation
from pubdice.kit import Kit
from pubdice.match.header import LONGEST, RawHeader, find_name
from pubdice.match.table import Dice

GRACE_S = 120
CLOCK_S = 0
PACE_MS = 1200
"""The usual times. ``GRACE_S`` is the grace time, after which others can vote about the seat of an absent person.

``CLOCK_S`` is the time of a turn (0: no limit). ``PACE_MS`` is the pause before each action of a bot.
"""
MOST_SEATS = 99
"""The most seats that a table in a log can have."""
MOST_CHAIRS = 12
"""The most seats of a table, if its game allows as many.

There are 12 shapes to mark seats, and 12 seats fit above the dice on a phone's first screen. Tables from before this
limit can have more.
"""
MOST_ROWS = 64
"""The most rows of an evening's tally. If there are more, the rows with the fewest wins are dropped."""
MOST_UNITS = 8
"""The most units of an evening's tally. If there are more, later ones are dropped. Each format has one unit at most."""
MOST_GRACE_S = 3600
MOST_CLOCK_S = 600
LEAST_CLOCK_S = 10
MOST_PACE_MS = 10_000
MOST_LESSONS = 50
"""The highest threshold for a warning, in percent of the prize. With a higher one, a warning would hardly ever come."""
MOST_MATCHES = 9
"""The most matches of one game in a plan."""
MOST_PLANNED = 10
"""The most games in a plan that can come after the present one."""
MOST_PERFECT = 5
"""The most seats at a table with the perfect bot. With more seats, solving the match takes minutes."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A chair of a rematch, with its people from the last match or its bot."""

    name: str
    people: tuple[str, ...] = ()
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One player's tally of an evening."""

    name: str
    people: tuple[str, ...] = ()  # the player's persons (browsers); empty for a bot
    wins: int = 0  # the number of matches won
    # by unit (``FormatKind.unit``), such as chips won or lost, in order of first occurrence. All rows of an evening
    # have the same units (``with_units``).
    takings: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """A game of the line-up: its rules as in ``Setup``, and its matches."""

    rules: Mapping[str, str]
    matches: int = 1  # the most matches that are played
    best: bool = False  # True if they end once a player has won more than half of them


@dataclass(frozen=True, slots=True)
class Setup:
    """A table as it was ordered. ``room.line_up`` explains the line-up (the games of an evening)."""

    # the header's fields without names: ``game``, its options, ``format``, ``opener``, and ``first``, which is ``draw``
    # or missing
    rules: Mapping[str, str]
    seats: int  # the number of seats, including bots; if the table grows, the number at first
    host: str  # the person who opened the table
    opened: int  # ms since 1970
    bots: tuple[str, ...] = field(default=())  # the bots at the last seats, by the names of their policies
    dice: Dice = "house"
    listed: bool = False
    opens: int = 0  # the seat that opens the first round, if Player 1 is not drawn by lot
    grace_s: int = GRACE_S  # the wait before others can vote about a lost seat
    clock_s: int = CLOCK_S  # the time of a turn; 0 for no limit
    pace_ms: int = PACE_MS  # a bot's pause
    grows: bool = False  # True if each person who sits down before the match gets a new chair
    before: str = ""  # in a rematch, the last table's code
    expected: tuple[Expected, ...] = ()  # in a rematch, the chairs that are kept for the people of the last table
    moves_left: bool = False  # True if Player 1 is the seat ``opens``, even if Player 1 is usually drawn by lot
    banned: tuple[str, ...] = ()  # persons who cannot sit down
    games: int = 0  # the matches played before, in this chain of rematches
    evening: tuple[Row, ...] = ()  # the tally of the matches played before
    shut: bool = False  # the table takes no new people until the host admits them
    first_stays: bool = False  # True if a seat's first phone, the owner's, always stays (since version 3)
    seal: str = ""  # the seal of sealed dice, as in ``Seal.write``; "" if the dice were never sealed
    # everyone gets hints, and a warning before a choice that loses this percentage of the prize. 0 means no lessons.
    lessons: int = 0
    chances: bool = False  # everyone sees each seat's chances during play
    matches: int = 0  # the planned number of matches of this game, or 0 without a plan
    best: bool = False  # as in ``Planned``
    line_up: tuple[Planned, ...] = ()  # the games that come after this one
    played: int = 0  # the number of matches of this game before this one
    won: tuple[Row, ...] = ()  # each player's wins in the matches of this game before this one
    night: str = ""  # the mark of the duplicate night that gives the dice (``NightMark.write``), or ""
    loser_lost: bool = False  # as in ``Match``; False at tables from before this rule


def with_units(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return the rows with all units of all rows, in order of first occurrence. A unit that is always 0 is dropped."""
    held = [(row, dict(row.takings)) for row in rows]
    found = dict.fromkeys(unit for _, takings in held for unit in takings)
    units = [unit for unit in found if any(takings.get(unit) for _, takings in held)][:MOST_UNITS]
    return tuple(replace(row, takings=tuple((unit, takings.get(unit, 0)) for unit in units)) for row, takings in held)


def within(name: str, value: int, least: int, most: int) -> int:
    """Return the number if it is in range. Raise BadNotation("number-range") if it is not.

    Both bounds are inclusive.
    """
    if not least <= value <= most:
        raise BadNotation("number-range", found=value, key=name, least=least, most=most)
    return value


def checked(kit: Kit, setup: Setup) -> Setup:
    """Return the setup with its rules in their one spelling.

    Raise BadNotation if this game does not allow the setup.
    """
    within("seats", setup.seats, 1, MOST_SEATS)
    names = placeholders(max(setup.seats, least_seats(kit)) if setup.grows else setup.seats)
    if setup.rules.get("first", "draw").lower() != "draw":
        raise BadNotation("first-draw", found=setup.rules["first"])
    rules = ("game", "format", "opener", "first", *(option.key for option in kit.options))
    if not kit.usual_game.faces.is_usual:
        rules = (*rules, "faces")
    for key in setup.rules:  # a record's header may have more keys, but a table would ignore them
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
    """Return the fewest seats of a game, with the first choice of each option."""
    return kit.build({option.key: option.choices[0] for option in kit.options}).least_seats


def placeholders(seats: int) -> tuple[str, ...]:
    """Return placeholder names for seats without a player."""
    return tuple(f"Seat {seat + 1}" for seat in range(seats))


def with_seats(rules: Mapping[str, str], seats: int) -> dict[str, str]:
    """Return a table's rules as a record's header has them, with a placeholder name for each seat."""
    return {**rules, "seats": ", ".join(placeholders(seats))}


def unused(name: str, names: list[str]) -> str:
    """Return the name. If it is taken, add a number. The result is never longer than a name may be.

    >>> unused("Tip", ["Ann", "tip"])
    'Tip 2'
    """
    fresh, number = name, 1
    while find_name(fresh, names) is not None:
        number += 1
        fresh = f"{name[: LONGEST - len(f' {number}')].rstrip()} {number}"
    return fresh
