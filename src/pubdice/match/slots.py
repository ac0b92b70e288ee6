"""Where the next roll of a match stands (``core.duplicate.DiceSlot``), from what every match says. Knows no game.

Seats are those of the table: a seat has the same dice in a round, also where another opens it or has dropped out.
"""

from dataclasses import dataclass
from typing import Any

from pubdice.core.duplicate import DRAW, DiceSlot
from pubdice.core.frozen import quick
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Drawn, Move, Rolled


@quick
@dataclass(frozen=True, slots=True)
class TurnCount:
    """What counts slots. ended: each seat's turns in this round that are over. rolls: those of the turn under way."""

    ended: tuple[int, ...]
    rolls: int = 0

    def slot(self, match: Match[Any, Any], state: MatchState[Any]) -> DiceSlot:
        """The slot of the next roll; that of the draw before Player 1 is drawn, and once the match is over."""
        mover = state.mover
        if mover is None:
            return DRAW
        return DiceSlot(state.number, mover, self.ended[mover] + 1, self.rolls + 1)

    def after(self, match: Match[Any, Any], before: MatchState[Any], move: Move, state: MatchState[Any]) -> "TurnCount":
        """The count after a move that led from ``before`` to ``state``."""
        if isinstance(move, Drawn) or state.number != before.number:
            return none_ended(match.seats)
        if match.passed_on(before, state):
            mover = before.mover
            return TurnCount(tuple([turns + (seat == mover) for seat, turns in enumerate(self.ended)]))
        return TurnCount(self.ended, self.rolls + 1) if isinstance(move, Rolled) else self


def none_ended(seats: int) -> TurnCount:
    """The count at the start of a round."""
    return TurnCount((0,) * seats)
