"""A round of two seats with one turn each, without numpy: the equation of ``turns.rounds`` for two seats, on lists.

A payoff has the value of the round to both seats (the opener first), for each set of winners. A set of winners is a
number with a bit for each seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pubdice.solve.numerics import SAME, TIE
from pubdice.solve.turns.turn_nodes import dot
from pubdice_pocket.pure_python.bare_turn import BareSolved, BareTurn
from pubdice_pocket.pure_python.best_replies import BareReplies

Pair = tuple[float, float]  # a number for the opener, and a number for the other seat
OPENER, OTHER = 0b01, 0b10


@dataclass(frozen=True, slots=True)
class Found:
    """The state in which a seat begins its turn."""

    seat: int
    best: int = 0  # the rank of the best score so far, or 0 if there is none
    holders: int = 0  # the seats with the best score, as bits


class BareRound:
    """A round with a payoff, [4] by the set of winners as bits."""

    def __init__(self, replies: BareReplies, payoff: Sequence[Pair]) -> None:
        self.turn, self.replies, self.payoff = replies.turn, replies, payoff
        sums = [sum(pair) for pair in payoff]
        self._duel = max(sums) - min(sums) < TIE
        self._solved: dict[Found, BareSolved] = {}
        self._second: list[Pair] = []

    def start(self) -> Pair:
        """Return the value of the round to both seats before the first roll."""
        outcomes = self._outcomes(Found(0))
        own = [pair[0] for pair in outcomes]
        if self._duel:
            mine = self.turn.best(own)
            return mine, sum(outcomes[0]) - mine
        chances = _in_units(self.turn, own)[0].chance[self.turn.start]
        return dot(chances, own), dot(chances, [pair[1] for pair in outcomes])

    def _outcomes(self, found: Found) -> list[Pair]:
        """Return [scores] the value to both seats, for each score of the seat whose turn it is."""
        ranks = range(len(self.turn.scores))
        if found.seat:
            return [self.payoff[self._winners(found, rank)] for rank in ranks]
        if not self._second:
            self._second = [self._before_last(rank) for rank in ranks]
        return self._second

    def _winners(self, found: Found, rank: int) -> int:
        if rank > found.best:
            return OTHER
        return found.holders | OTHER if rank == found.best > 0 else found.holders

    def _before_last(self, best: int) -> Pair:
        """Return the value of the round to both seats, if the opener has this score."""
        held = OPENER if best else 0
        lose, win, tie = self.payoff[held], self.payoff[OTHER], self.payoff[held | OTHER if best else 0]
        if best and best == self.turn.at_once:
            return lose
        stake = win[1] - lose[1]
        if self._duel and abs(stake) <= TIE and abs(tie[1] - lose[1]) <= TIE:
            return tie  # nothing is at stake in this round, so no turn has to be solved
        theta = (tie[1] - lose[1]) / stake if stake > TIE else -1.0
        if self._duel and -SAME <= theta <= 1 + SAME:
            won, tied = self.replies.line(best, theta)
        else:
            chances = self.solved(Found(1, best, held)).chance[self.turn.start]
            won, tied = sum(chances[best + 1 :]), chances[best]
        lost = 1 - won - tied
        one, two = (won * win[at] + tied * tie[at] + lost * lose[at] for at in (0, 1))
        return one, two

    def outcome(self, found: Found, chances: Sequence[float]) -> Pair:
        """Return the value to both seats, if the seat whose turn it is has these chances of scores."""
        outcomes = self._outcomes(found)
        return dot(chances, [pair[0] for pair in outcomes]), dot(chances, [pair[1] for pair in outcomes])

    def solved(self, found: Found) -> BareSolved:
        """Return the turn of a seat, solved for its own value."""
        if found not in self._solved:
            solved, low, span = _in_units(self.turn, [pair[found.seat] for pair in self._outcomes(found)])
            value = [low + span * each for each in solved.value]
            self._solved[found] = BareSolved(value, solved.other, solved.chance, span * solved.slack)
        return self._solved[found]


def _in_units(turn: BareTurn, utility: Sequence[float]) -> tuple[BareSolved, float, float]:
    """Return (the turn solved for a utility that is scaled to 0 … 1, the least value of the utility, its range), as in
    ``turns.rounds.in_units``.
    """
    low = min(utility)
    span = max(utility) - low
    return turn.solve([(each - low) / span if span > TIE else 0.0 for each in utility]), low, span
