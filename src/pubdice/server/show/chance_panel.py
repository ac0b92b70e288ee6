"""Every seat's chances while a match is under way, as a table shows them: frozen data. Knows no templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pubdice.advice.losses import SeatChances
from pubdice.server.show.line_chart import HIGH, WIDE, Chart, chart
from pubdice.server.web.render import render_part
from pubdice.text.language import Language

LEAST_POINTS, MOST_POINTS = 24, 60
"""Points of a line. Every page is sent all of them after each move: 1 KB a seat at most."""
MOST_ROWS = 30
"""Rows of the table, the latest moves: 80 bytes a seat and row."""


@dataclass(frozen=True, slots=True)
class SeatChance:
    """A seat's chances now: its name, how they are read out, and how long its bar is, from 0 to 1."""

    name: str
    said: str
    share: float


@dataclass(frozen=True, slots=True)
class ChancePanel:
    """What a table shows. seats: in their order; none while nothing is worked out yet. why: there are no chances.

    utility: what the values are. mover: whose turn it is; outlook: their chances, such as to beat a score. rows: the
    number of each of the latest moves, and every seat's chances after it as they are read out. behind: the last move is
    still worked out, so these are the chances before it.
    """

    seats: tuple[SeatChance, ...] = ()
    utility: str = ""
    mover: str = ""
    outlook: str = ""
    chart: Chart | None = None
    rows: tuple[tuple[int, tuple[str, ...]], ...] = ()
    why: str = ""
    behind: bool = False

    @property
    def line(self) -> str:
        """All seats in one line, as it is heard."""
        return ", ".join(f"{seat.name} {seat.said}" for seat in self.seats)


def panel(names: Sequence[str], mover: int | None, found: SeatChances, first: int) -> ChancePanel:
    """The panel of a match. found: the chances after each of the latest moves; first: the first one's number."""
    last, said = found.units[-1], found.said
    low, high = min(0, *last), max(found.scale if found.chances else 0, *last)
    shares = [(units - low) / (high - low) if high > low else 1.0 for units in last]
    every = -(-len(said) // MOST_POINTS)
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
    """Points on the straight line from one move to the next, so that the few of a new match leave room for names."""
    parts = -(-LEAST_POINTS // len(drawn))
    return [tuple([a + (b - a) * part // parts for a, b in zip(one, other, strict=True)]) for part in range(parts)]


def chances_html(language: Language, panel: ChancePanel) -> str:
    """The panel as a part of its table's page."""
    return render_part("chances.html", language, panel=panel, big=False, wide=WIDE, high=HIGH)
