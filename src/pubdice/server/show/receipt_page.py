"""What the page "What decided it" shows, as frozen data. Knows no templates and no request."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pubdice.advice.receipt import Receipt, ReceiptMove, ReceiptQuestion
from pubdice.server.show.line_chart import Chart, chart

MOST_ROWS = 250
"""Rows of the table; a longer match has one a turn, or one a round."""


@dataclass(frozen=True, slots=True)
class ReceiptPage:
    """One match. table: its link here; address: in full, to share. opened: it is a record from a file; dice: whether
    its dice are those that were sealed.

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
    opened: bool = False
    dice: str = ""

    @property
    def asked(self) -> ReceiptQuestion | None:
        """The costly keep that is asked."""
        return self.receipt.questions[self.question - 1] if self.receipt and self.question else None

    @property
    def chart(self) -> Chart | None:
        """The picture of the chances."""
        return chart_of(self.receipt, self.step) if self.receipt else None

    @property
    def rows(self) -> tuple[tuple[int, ReceiptMove], ...]:
        """The rows of the table, with the number of each move."""
        return rows(self.receipt.moves) if self.receipt else ()


def refused(page: ReceiptPage, why: str) -> ReceiptPage:
    """The page with the reason why there is no receipt."""
    return replace(page, refusal=why)


def waiting(page: ReceiptPage, again_s: int) -> ReceiptPage:
    """The page that asks again by itself."""
    return replace(page, again_s=again_s)


def rows(moves: Sequence[ReceiptMove]) -> tuple[tuple[int, ReceiptMove], ...]:
    """The moves for the table: all, or of a long match those that ended a turn, or a round; the start always."""
    numbered = tuple(enumerate(moves))
    for least in (0, 1, 2):
        found = tuple((number, move) for number, move in numbered if not number or move.ends >= least)
        if len(found) <= MOST_ROWS:
            return found
    every = -(-len(found) // MOST_ROWS)
    return (*found[:-1:every], found[-1])


def chart_of(receipt: Receipt, step: int) -> Chart:
    """The chances of a whole match as lines, with the move ``step`` marked."""
    moves = receipt.moves
    ended = [number for number, move in enumerate(moves[:-1]) if move.ends == 2]
    said = (moves[0].said, moves[-1].said)
    return chart(receipt.names, [move.units for move in moves], said, receipt, ended=ended, at=step)
