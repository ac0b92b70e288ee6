"""What the page "What decided it" shows, as frozen data. Knows no templates and no request."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pubdice.advice.receipt_parts import MoveTold, QuestionTold, Receipt

WIDE, HIGH = 300, 190
LEFT, RIGHT, TOP, FOOT = 34, 8, 12, 12
"""The picture of the chances, in its own units, and what is left free round the lines."""
MOST_POINTS = 300
"""Points of a line; of a longer match only so many are drawn."""
MOST_ROWS = 250
"""Rows of the table; a longer match has one a turn, or one a round."""
DASHES = ("", "7 4", "1 4", "9 3 1 3", "3 3", "12 4", "5 2 1 2 1 2", "2 6")
"""How a seat's line is broken, so that it is known without its colour; round caps make dots of short dashes."""
APART = 20
"""How far the name at a line stays from other lines and names, where there is room."""


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
    """The picture. grid: heights with their labels. rounds: where rounds end. at: where the shown move is."""

    lines: tuple[SeatLine, ...]
    grid: tuple[tuple[float, str], ...]
    rounds: tuple[float, ...]
    at: float
    said: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class ReceiptPage:
    """One match. table: its link here; address: in full, to share.

    step: the move shown, 0 for the start. question: the costly keep that is asked, from 1; 0 for none; chosen: the
    key of the answer given. refusal: why there is no receipt. again_s: when the page asks again; 0 for never.
    """

    table: str
    address: str = ""
    receipt: Receipt | None = None
    step: int = 0
    question: int = 0
    chosen: str = ""
    refusal: str = ""
    again_s: int = 0

    @property
    def asked(self) -> QuestionTold | None:
        """The costly keep that is asked."""
        return self.receipt.questions[self.question - 1] if self.receipt and self.question else None

    @property
    def chart(self) -> Chart | None:
        """The picture of the chances."""
        return chart(self.receipt, self.step) if self.receipt else None

    @property
    def rows(self) -> tuple[tuple[int, MoveTold], ...]:
        """The rows of the table, with the number of each move."""
        return rows(self.receipt.moves) if self.receipt else ()


def refused(page: ReceiptPage, why: str) -> ReceiptPage:
    """The page with the reason why there is no receipt."""
    return replace(page, refusal=why)


def waiting(page: ReceiptPage, again_s: int) -> ReceiptPage:
    """The page that asks again by itself."""
    return replace(page, again_s=again_s)


def rows(moves: Sequence[MoveTold]) -> tuple[tuple[int, MoveTold], ...]:
    """The moves for the table: all, or of a long match those that ended a turn, or a round; the start always."""
    numbered = tuple(enumerate(moves))
    for least in (0, 1, 2):
        found = tuple((number, move) for number, move in numbered if not number or move.ends >= least)
        if len(found) <= MOST_ROWS:
            return found
    every = -(-len(found) // MOST_ROWS)
    return (*found[:-1:every], found[-1])


def chart(receipt: Receipt, step: int) -> Chart:
    """The chances as lines, with the move ``step`` marked."""
    moves = receipt.moves
    every = -(-len(moves) // MOST_POINTS)
    drawn = sorted({*range(0, len(moves), every), len(moves) - 1})
    units = [value for move in moves for value in move.units]
    low, high = min(0, *units), max(receipt.scale if receipt.chances else 0, *units)
    high = max(high, low + 1)
    last = max(1, len(moves) - 1)

    def across(number: int) -> float:
        return round(LEFT + (WIDE - LEFT - RIGHT) * number / last, 1)

    def down(value: float) -> float:
        return round(TOP + (HIGH - TOP - FOOT) * (high - value) / (high - low), 1)

    heights = [[down(move.units[seat]) for move in moves] for seat in range(len(receipt.names))]
    xs = [across(number) for number in range(len(moves))]
    placed: list[tuple[float, float]] = []
    lines: list[SeatLine] = []
    for seat, name in enumerate(receipt.names):
        x, y = _beside(seat, heights, xs, placed, 7.5 * min(len(name), 16))
        placed.append((x, y))
        points = " ".join(f"{across(number)},{heights[seat][number]}" for number in drawn)
        lines.append(SeatLine(seat, name, points, DASHES[seat % len(DASHES)], x, y))
    levels = (0, high // 2, high) if receipt.chances else (low, 0, high) if low < 0 < high else (low, high)
    said = tuple(zip(receipt.names, moves[0].said, moves[-1].said, strict=True))
    ended = [across(number) for number, move in enumerate(moves[:-1]) if move.ends == 2]
    grid = tuple((down(level), _level(receipt, level)) for level in levels)
    return Chart(tuple(lines), grid, tuple(ended if len(ended) <= MOST_POINTS // 10 else ()), across(step), said)


def _level(receipt: Receipt, units: int) -> str:
    """A height of the picture, as its label."""
    amount = units * (100 if receipt.chances else 1) / receipt.scale
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
