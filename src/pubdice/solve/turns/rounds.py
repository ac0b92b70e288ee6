"""A round of several seats, each playing best for itself, by backward induction over the seats.

State before seat i's turn: the rank b of the best score so far and the set H of seats that hold it (none, at b = 0).
With payoff(W), what a round won by the set W is worth to every seat, and R(i, b, H) the values of all seats,

    R(n, b, H) = payoff(H),
    R(i, b, H) = sum over s of D(s) · R(i + 1, next(b, H, i, s)),

    next = (b, H) if s < b or s = 0;  (b, H + i) if s = b;  (s, {i}) if s > b,

(and where a score wins at once, R(i, that score, H) = payoff(H) before every seat)

where D is the distribution of seat i's score when it plays its turn best for the utility u(s) = R(i + 1, next)[i]. The
last seat knows all it needs, so this ends after n steps. With two seats whose payoffs have a constant sum it is the
value of a zero-sum game; with more it is the subgame-perfect equilibrium in which a seat with several equally good
replies takes the one with the higher mean score, and then the turn's smaller node. Equally good: within ``SAME`` of the
range of u; a seat to which no score matters by more than ``TIE`` plays for its mean. ``solve.plain`` takes the first in
the rules' order in place of the smaller node. Where a seat cannot win any more and two keeps have the same mean, the
solvers may so differ by some 1e-5; both are equilibria (``tests/solve/test_early_ends.py``). The equation is
solved in ``batch.py``, for one round or for many.
"""

from dataclasses import dataclass

import numpy as np

from pubdice.solve.arrays import Floats
from pubdice.solve.turns.batch import in_units, work_out
from pubdice.solve.turns.turn import Solved, TurnGraph


@dataclass(frozen=True)
class Before:
    """What a seat has to beat when its turn begins: the best score so far, and who holds it, as a bit for each seat.

    best: its rank in ``TurnGraph.scores``; 0 while no score can win.
    """

    seat: int
    best: int = 0
    holders: int = 0


class Round:
    """A round of ``seats`` seats with ``payoff``: [2 ** seats, seats], by the set of winners as bits, to every seat."""

    def __init__(self, turn: TurnGraph, payoff: Floats) -> None:
        self.turn, self.payoff = turn, payoff
        self.seats = len(payoff).bit_length() - 1
        self._tables: list[Floats] = []
        self._solved: dict[Before, Solved] = {}

    def values(self, before: Before) -> Floats:
        """[seats] the value of every seat before a turn, or after the last one."""
        if before.seat == self.seats:
            final: Floats = self.payoff[before.holders]
            return final
        if not self._tables:
            self._tables = work_out(self.turn, self.payoff[None])
        found: Floats = self._tables[before.seat][0, before.best, before.holders]
        return found

    def next(self, before: Before, rank: int) -> Before:
        """What the next seat has to beat after a score of this rank."""
        seat, best, holders = before.seat, before.best, before.holders
        if rank > best:
            return Before(seat + 1, rank, 1 << seat)
        return Before(seat + 1, best, holders | (1 << seat) if rank == best > 0 else holders)

    def outcomes(self, before: Before) -> Floats:
        """[scores, seats] what each score of the seat to play is worth to every seat."""
        return np.stack([self.values(self.next(before, rank)) for rank in range(len(self.turn.scores))])

    def solved(self, before: Before) -> Solved:
        """The turn of the seat to play, played best for itself."""
        if before not in self._solved:
            unit, low, span = in_units(self.outcomes(before)[:, before.seat])
            found = self.turn.solve(unit)
            self._solved[before] = Solved(low + span * found.value, found.chance, float(span) * found.slack)
        return self._solved[before]


class SoloRound(Round):
    """A round of one seat, played for its mean score."""

    def values(self, before: Before) -> Floats:
        """[1] the score made, or to be expected."""
        if before.seat:
            return self.turn.mean[[before.best]]
        return self.solved(before).value[[self.turn.start]]

    def solved(self, before: Before) -> Solved:
        """The turn played for its mean, in pips."""
        if before not in self._solved:
            self._solved[before] = self.turn.solve(self.turn.mean)
        return self._solved[before]
