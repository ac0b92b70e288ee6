"""A table's setup, made before anybody sits down. Its text is the first line of a log."""

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
