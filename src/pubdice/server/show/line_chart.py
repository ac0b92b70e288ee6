"""Every seat's chances over a match as lines: a small picture in SVG's numbers. Knows no templates and no request."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

WIDE, HIGH = 300, 190
LEFT, RIGHT, TOP, FOOT = 34, 8, 12, 12
"""The picture of the chances, in its own units, and what is left free round the lines."""
MOST_POINTS = 300
"""Points of a line; of a longer match only so many are drawn."""
DASHES = ("", "7 4", "1 4", "9 3 1 3", "3 3", "12 4", "5 2 1 2 1 2", "2 6")
"""How a seat's line is broken, so that it is known without its colour; round caps make dots of short dashes."""
APART = 20
"""How far the name at a line stays from other lines and names, where there is room."""


class Scale(Protocol):
    """How printed units are read: so many make 1; and whether the values are chances."""

    @property
    def scale(self) -> int:
        """Printed units that make 1."""

    @property
    def chances(self) -> bool:
        """Whether values are read in percent."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat's line: its points as SVG has them, its dashes, and where its name stands."""

    seat: int
    name: str
    points: str
    dashes: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The picture. grid: heights with their labels. rounds: where rounds end. at: where the shown move is.

    said: each seat's name, and its chances at the start and at the end as they are read out.
    """

    lines: tuple[SeatLine, ...]
    grid: tuple[tuple[float, str], ...]
    rounds: tuple[float, ...]
    at: float
    said: tuple[tuple[str, str, str], ...]


def chart(
    names: Sequence[str],
    rows: Sequence[Sequence[int]],
    said: tuple[Sequence[str], Sequence[str]],
    scale: Scale,
    *,
    ended: Sequence[int] = (),
    at: int,
) -> Chart:
    """The chances as lines. rows: every seat's value at each step, in printed units. said: those of the first and the
    last, as they are read out. ended: the steps that ended a round; at: the one to be marked.
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
        return round(TOP + (HIGH - TOP - FOOT) * (high - value) / (high - low), 1)

    heights = [[down(row[seat]) for row in rows] for seat in range(len(names))]
    xs = [across(number) for number in range(len(rows))]
    placed: list[tuple[float, float]] = []
    lines: list[SeatLine] = []
    for seat, name in enumerate(names):
        x, y = _beside(seat, heights, xs, placed, 7.5 * min(len(name), 16))
        placed.append((x, y))
        points = " ".join(f"{across(number)},{heights[seat][number]}" for number in drawn)
        lines.append(SeatLine(seat, name, points, DASHES[seat % len(DASHES)], x, y))
    levels = (0, high // 2, high) if scale.chances else (low, 0, high) if low < 0 < high else (low, high)
    grid = tuple((down(level), _level(scale, level)) for level in levels)
    rounds = tuple(map(across, ended)) if len(ended) <= MOST_POINTS // 10 else ()
    return Chart(tuple(lines), grid, rounds, across(at), tuple(zip(names, *said, strict=True)))


def _level(scale: Scale, units: int) -> str:
    """A height of the picture, as its label."""
    amount = units * (100 if scale.chances else 1) / scale.scale
    return f"{amount:.0f}".replace("-", "−")


def _beside(
    seat: int,
    heights: Sequence[Sequence[float]],
    xs: Sequence[float],
    placed: Sequence[tuple[float, float]],
    wide: float,
) -> tuple[float, float]:
    """Where the middle of a seat's name stands: over or under its line, where lines and names are furthest away."""
    best, found = -1.0, (xs[0], heights[seat][0])
    fits = [at for at, x in enumerate(xs) if LEFT + wide / 2 <= x <= WIDE - RIGHT - wide / 2] or [len(xs) // 2]
    for at in fits[:: max(1, len(fits) // 40)]:
        near = [number for number, x in enumerate(xs) if abs(x - xs[at]) <= wide / 2 + 4]
        span = range(max(0, near[0] - 1), min(len(xs) - 1, near[-1] + 1))
        edge = (min(heights[seat][number] for number in near) - 6, max(heights[seat][number] for number in near) + 14)
        for y in edge:
            if not TOP <= y <= HIGH - 2:
                continue
            clear = min([APART, *(_from(line[number : number + 2], y - 4) for line in heights for number in span)])
            names = min([APART * 2, *(max(abs(y - there) * 2, abs(xs[at] - x) - wide) for x, there in placed)])
            if clear + names > best:
                best, found = clear + names, (xs[at], y)
    return found


def _from(ends: Sequence[float], y: float) -> float:
    """How far a height is from those between two ends."""
    return max(0.0, min(ends) - y, y - max(ends))
