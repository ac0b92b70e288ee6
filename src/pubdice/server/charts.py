"""Line charts of every seat's chances over a match, in SVG coordinates, and the panel that shows them at a table.

Knows no request.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pubdice.advice.seat_chances import SeatChances
from pubdice.advice.turning import TurningPoint, turning_of
from pubdice.server.web.render import render_part
from pubdice.text.language import Language

WIDE, HIGH = 300, 190
LEFT, RIGHT, TOP, FOOT = 34, 8, 12, 12
"""The size of the chart, and the margins around its lines, in its own units."""
LOW = 104
"""The height of the chart in the picture of a result, which has less room."""
MOST_POINTS = 300
"""The most points of a line. A longer match is thinned out to this number."""
DASHES = ("", "7 4", "1 4", "9 3 1 3", "3 3", "12 4", "5 2 1 2 1 2", "2 6")
"""The dash pattern of each seat's line, so lines differ without colours too. Round caps make dots of short dashes."""
APART = 20
"""The distance in the chart's units that a seat's name keeps from other lines and names, if there is room."""


Scale = SeatChances | TurningPoint
"""Both types say how to print values: ``scale`` units make 1, and if ``chances`` is True, they are shown in percent."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat's line: its points for SVG, its dash pattern, and the x and y of its name."""

    seat: int
    name: str
    points: str
    dashes: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of every seat's chances. ``said`` has each seat's name, with its first and last chances as read out."""

    lines: tuple[SeatLine, ...]
    grid: tuple[tuple[float, str], ...]  # heights, with their labels
    rounds: tuple[float, ...]  # the x of each round's end
    at: float  # the x of the move shown
    said: tuple[tuple[str, str, str], ...]
    turn: tuple[float, float]  # the x and y of the turning point
    turned: int  # the step of the turning point, 0 without one


def chart(
    names: Sequence[str],
    rows: Sequence[Sequence[int]],
    said: tuple[Sequence[str], Sequence[str]],
    scale: Scale,
    *,
    ended: Sequence[int] = (),
    at: int,
    tall: int = HIGH,
    of: int | None = None,
) -> Chart:
    """Draw the chances.

    - rows: each step's values, by seat, in printed units.
    - said: the chances of the first and the last step as they are read out.
    - ended: the steps that ended a round.
    - at: the step to mark.
    - of: the seat whose line has the turning point. If None, the seat whose value changed most.
    """
    every = -(-len(rows) // MOST_POINTS)
    drawn = sorted({*range(0, len(rows), every), len(rows) - 1})
    units = [value for row in rows for value in row]
    low, high = min(0, *units), max(scale.scale if scale.chances else 0, *units)
    high = max(high, low + 1)
    last = max(1, len(rows) - 1)

    def across(number: int) -> float:
        return round(LEFT + (WIDE - LEFT - RIGHT) * number / last, 1)

    def down(value: float) -> float:
        return round(TOP + (tall - TOP - FOOT) * (high - value) / (high - low), 1)

    heights = [[down(row[seat]) for row in rows] for seat in range(len(names))]
    xs = [across(number) for number in range(len(rows))]
    placed: list[tuple[float, float]] = []
    lines: list[SeatLine] = []
    for seat, name in enumerate(names):
        x, y = _name_place(seat, heights, xs, placed, wide=7.5 * min(len(name), 16), tall=tall)
        placed.append((x, y))
        points = " ".join(f"{across(number)},{heights[seat][number]}" for number in drawn)
        lines.append(SeatLine(seat, name, points, DASHES[seat % len(DASHES)], x, y))
    levels = (0, high // 2, high) if scale.chances else (low, 0, high) if low < 0 < high else (low, high)
    grid = tuple((down(level), _level(scale, level)) for level in levels)
    rounds = tuple(map(across, ended)) if len(ended) <= MOST_POINTS // 10 else ()
    step, most = turning_of(rows)
    seat = most if of is None else of
    turn = (
        round((across(step) + across(max(0, step - 1))) / 2, 1),
        round((heights[seat][step] + heights[seat][max(0, step - 1)]) / 2, 1),
    )
    return Chart(tuple(lines), grid, rounds, across(at), tuple(zip(names, *said, strict=True)), turn, step)


def turning_chart(turn: TurningPoint, names: Sequence[str], *, at: int = 0, tall: int = HIGH) -> Chart:
    """Draw the chances over a whole match. ``names`` are the seats' names as the page's reader knows them.

    For ``at`` and ``tall`` see ``chart``.
    """
    return chart(names, turn.rows, turn.said, turn, ended=turn.ended, at=at, tall=tall, of=turn.seat)


def _level(scale: Scale, units: int) -> str:
    amount = units * (100 if scale.chances else 1) / scale.scale
    return f"{amount:.0f}".replace("-", "−")


def _name_place(
    seat: int,
    heights: Sequence[Sequence[float]],
    xs: Sequence[float],
    placed: Sequence[tuple[float, float]],
    *,
    wide: float,
    tall: int,
) -> tuple[float, float]:
    """Return the middle of a seat's name: above or below its line, at the point furthest from other lines and names."""
    best, found = -1.0, (xs[0], heights[seat][0])
    fits = [at for at, x in enumerate(xs) if LEFT + wide / 2 <= x <= WIDE - RIGHT - wide / 2] or [len(xs) // 2]
    for at in fits[:: max(1, len(fits) // 40)]:
        first, end = bisect_left(xs, xs[at] - wide / 2 - 4), bisect_right(xs, xs[at] + wide / 2 + 4)
        edge = min(heights[seat][first:end]) - 6, max(heights[seat][first:end]) + 14
        beside = [line[max(0, first - 1) : end + 1] for line in heights]
        for y in edge:
            if not TOP <= y <= tall - 2:
                continue
            clear = min([APART, *(_from(line, y - 4) for line in beside)])
            names = min([APART * 2, *(max(abs(y - there) * 2, abs(xs[at] - x) - wide) for x, there in placed)])
            if clear + names > best:
                best, found = clear + names, (xs[at], y)
    return found


def _from(ends: Sequence[float], y: float) -> float:
    """Return the distance from the height ``y`` to a line between points at the heights ``ends``.

    The line passes through every height between its points, so the distance there is 0.
    """
    return max(0.0, min(ends) - y, y - max(ends))


LEAST_POINTS, PANEL_POINTS = 24, 60
"""The least and the most points of a line in the panel. A stream sends all of them after each move, at most 1 KB a
seat.
"""
MOST_ROWS = 30
"""The most rows in the panel's table of chances: the latest moves. Each row takes 80 bytes a seat."""


@dataclass(frozen=True, slots=True)
class SeatChance:
    """A seat's present chances: as they are read out, and as the length of its bar from 0 to 1."""

    name: str
    said: str
    share: float


@dataclass(frozen=True, slots=True)
class ChancePanel:
    """The chances that a table shows. ``rows`` has the latest moves' numbers, each with all chances as read out."""

    seats: tuple[SeatChance, ...] = ()  # in the order of the seats, empty until the first answer
    utility: str = ""
    mover: str = ""
    outlook: str = ""  # the mover's chances in this round, such as to beat a score
    chart: Chart | None = None
    rows: tuple[tuple[int, tuple[str, ...]], ...] = ()
    why: str = ""  # the reason why there are no chances
    behind: bool = False  # the last move is still being worked out: these are the chances before it

    @property
    def line(self) -> str:
        """All seats' chances in one line, for speech."""
        return ", ".join(f"{seat.name} {seat.said}" for seat in self.seats)


def panel(names: Sequence[str], mover: int | None, found: SeatChances, first: int) -> ChancePanel:
    """Return the panel of a match.

    ``found`` has the chances after the latest moves. ``first`` is the number of the earliest of these moves.
    """
    last, said = found.units[-1], found.said
    low, high = min(0, *last), max(found.scale if found.chances else 0, *last)
    shares = [(units - low) / (high - low) if high > low else 1.0 for units in last]
    every = -(-len(said) // PANEL_POINTS)
    drawn = found.units[:-1][::every] + found.units[-1:]
    dense = [row for one, other in pairwise(drawn) for row in _between(one, other, drawn)]
    dense.append(drawn[-1])
    begun = max(0, len(said) - MOST_ROWS)
    return ChancePanel(
        seats=tuple([SeatChance(*seat) for seat in zip(names, said[-1], shares, strict=True)]),
        utility=found.utility,
        mover="" if mover is None else names[mover],
        outlook=found.outlook,
        chart=chart(names, dense, (said[0], said[-1]), found, at=len(dense) - 1),
        rows=tuple([(first + number, said[number]) for number in range(begun, len(said))]),
    )


def _between(one: Sequence[int], other: Sequence[int], drawn: Sequence[object]) -> list[tuple[int, ...]]:
    """Return points on the straight line from one move to the next. A new match has few moves, and names find more room
    at more points.
    """
    parts = -(-LEAST_POINTS // len(drawn))
    return [tuple([a + (b - a) * part // parts for a, b in zip(one, other, strict=True)]) for part in range(parts)]


def chances_html(language: Language, panel: ChancePanel) -> str:
    """Return the panel as a part of its table's page."""
    return render_part("chances.html", language, panel=panel, big=False, wide=WIDE, high=HIGH)
