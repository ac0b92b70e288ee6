"""A table's setup, made before the first person sits down. Its text is the first line of a log."""

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
"""The usual values: the grace time before others can vote about a lost seat, a turn's time (none), a bot's pause."""
MOST_SEATS = 99
"""The most seats in a log."""
MOST_CHAIRS = 12
"""The most seats of a table, if its game takes as many.

There are 12 shapes to mark seats, and 12 seats fit above the dice on a phone's first screen. Tables from before this
limit can have more.
"""
MOST_ROWS = 64
"""The most rows of an evening's tally. Rows with the fewest wins are dropped."""
MOST_UNITS = 8
"""The most units of an evening's tally. Later ones are dropped. Each format has one unit at most."""
MOST_GRACE_S = 3600
MOST_CLOCK_S = 600
LEAST_CLOCK_S = 10
MOST_PACE_MS = 10_000
MOST_LESSONS = 50
"""The highest threshold for a warning, in percent of the prize. A higher one would hardly ever warn."""
MOST_MATCHES = 9
"""The most matches of one game in a plan."""
MOST_PLANNED = 10
"""The most games in a plan after the present one."""
MOST_PERFECT = 5
"""The most seats at a table with the perfect bot. More seats take minutes to solve."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A chair of a rematch, with its people from the last match, or its bot."""

    name: str
    people: tuple[str, ...] = ()
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One player's tally of an evening."""

    name: str
    people: tuple[str, ...] = ()  # the player's persons, none for a bot
    wins: int = 0  # matches won
    # by unit (``FormatKind.unit``), such as chips won or lost, in order of first occurrence. All rows of an evening
    # have the same units (``with_units``).
    takings: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """A game of the line-up: its rules, as in ``Setup``, and its matches."""

    rules: Mapping[str, str]
    matches: int = 1  # the most that are played
    best: bool = False  # True if a player who wins more than half of them ends them


@dataclass(frozen=True, slots=True)
class Setup:
    """A table as it was ordered. ``room.line_up`` explains the line-up."""

    # the header's fields without names: ``game``, its options, ``format``, ``opener``, and ``first``, which is ``draw``
    # or missing
    rules: Mapping[str, str]
    seats: int  # bots included; if the table grows, the number at first
    host: str  # the person who opened the table
    opened: int  # ms since 1970
    bots: tuple[str, ...] = field(default=())  # policies, at the last seats
    dice: Dice = "house"
    listed: bool = False
    opens: int = 0  # the seat that opens the first round if no lot decides
    grace_s: int = GRACE_S  # the wait before others can vote about a lost seat
    clock_s: int = CLOCK_S  # a turn's time, or 0 for none
    pace_ms: int = PACE_MS  # a bot's pause
    grows: bool = False  # until the match begins, each person who sits down gets a new chair
    before: str = ""  # in a rematch, the last table's code
    expected: tuple[Expected, ...] = ()  # in a rematch, its chairs, for the people who sat there
    moves_left: bool = False  # Player 1 is the seat ``opens``, even if a lot is usual
    banned: tuple[str, ...] = ()  # persons who cannot sit down
    games: int = 0  # matches played before, in this chain of tables
    evening: tuple[Row, ...] = ()  # their tally
    shut: bool = False  # the table takes no new people until the host admits them
    first_stays: bool = False  # if a seat has too many phones, the first, its owner's, stays (since version 3)
    seal: str = ""  # of sealed dice, as in ``Seal.write``; "" if the dice were never sealed
    # everyone gets hints, and a warning before a choice that loses this percentage of the prize. 0 means no lessons.
    lessons: int = 0
    chances: bool = False  # everyone sees each seat's chances during play
    matches: int = 0  # the number planned of this game, or 0 without a plan
    best: bool = False  # as in ``Planned``
    line_up: tuple[Planned, ...] = ()  # the games that follow
    played: int = 0  # matches of this game before this one
    won: tuple[Row, ...] = ()  # each player's wins of those
    night: str = ""  # at a table of a duplicate night, its mark as in ``NightMark.write``, and the dice are the night's
    loser_lost: bool = False  # as in ``Match``; older tables lack it


def with_units(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows, each with every unit of any row, in order of first occurrence. Units that are always 0 are dropped."""
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
    for key in setup.rules:  # a record's header can have more keys, but a table would ignore them
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
    """Placeholder names for seats without a player."""
    return tuple(f"Seat {seat + 1}" for seat in range(seats))


def with_seats(rules: Mapping[str, str], seats: int) -> dict[str, str]:
    """A table's rules as a record's header has them, with a placeholder name for each seat."""
    return {**rules, "seats": ", ".join(placeholders(seats))}


def unused(name: str, names: list[str]) -> str:
    """The name, with a number if it is taken, within the longest length of a name.

    >>> unused("Tip", ["Ann", "tip"])
    'Tip 2'
    """
    fresh, number = name, 1
    while find_name(fresh, names) is not None:
        number += 1
        fresh = f"{name[: LONGEST - len(f' {number}')].rstrip()} {number}"
    return fresh
