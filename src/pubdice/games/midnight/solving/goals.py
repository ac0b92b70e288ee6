"""Goals: what one turn is played for, as a utility over its score.

``score`` the score itself (its mean is maximised) · ``qualify`` 1 for any score · ``reach:N`` 1 for N or more ·
``exactly:N`` 1 for N · ``win`` winning the round, see ``win.py``.
"""

from dataclasses import dataclass

from pubdice.core.errors import BadNotation
from pubdice.core.whole_number import whole_number
from pubdice.games.midnight.rules import BEST, MOST_SEATS
from pubdice.games.midnight.solving.turn import TurnGraph
from pubdice.games.midnight.solving.win import TIES, Ties, win
from pubdice.solve.arrays import Floats

LEAST = 4


@dataclass(frozen=True, slots=True)
class ToWin:
    """What a seat that plays to win comes upon: the best score so far, its holders, seats still to come, tie rule."""

    best: int = 0
    holders: int = 0
    to_come: int = 0
    ties: Ties = "share"

    @property
    def seats(self) -> int:
        """The seats that can still win: the holders, the mover, and those to come."""
        return self.holders + 1 + self.to_come


def read_goal(text: str) -> tuple[str, int]:
    """A goal's kind and its number, 0 where it has none. Raises BadNotation("goal").

    >>> read_goal("reach:20")
    ('reach', 20)
    """
    kind, colon, number = text.strip().lower().partition(":")
    if kind in ("score", "qualify", "win") and not colon:
        return kind, 0
    score = whole_number(number)
    if kind in ("reach", "exactly") and score is not None and LEAST <= score <= BEST:
        return kind, score
    raise BadNotation("goal", found=text, least=LEAST, most=BEST)


def utility(goal: tuple[str, int], turn: TurnGraph, to_win: ToWin) -> Floats:
    """[scores] what each score of a turn is worth for a goal."""
    kind, number = goal
    if kind == "score":
        return turn.mean
    if kind == "win":
        table = win(turn.game.need, to_win.ties, to_win.seats)
        return table.utility(to_win.best, to_win.holders, to_win.to_come)
    reached = turn.mean == number if kind == "exactly" else turn.mean >= max(number, LEAST)
    return reached.astype(float)


def read_to_win(beat: int, holders: int | None, to_come: int, ties: str) -> ToWin:
    """The score to beat, checked. Raises BadNotation."""
    if ties not in TIES:
        raise BadNotation("option", found=ties, key="ties", choices=TIES)
    if beat and not LEAST <= beat <= BEST:
        raise BadNotation("to-beat", found=beat, least=LEAST, most=BEST)
    if holders is None:
        holders = 1 if beat else 0
    if bool(holders) != bool(beat):
        raise BadNotation("holders", found=holders)
    if holders + 1 + to_come > MOST_SEATS:
        raise BadNotation("seats", found=holders + 1 + to_come, least=1, most=MOST_SEATS)
    return ToWin(beat, holders, to_come, TIES[TIES.index(ties)])
