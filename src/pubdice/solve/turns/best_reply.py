"""The last seat's best reply to a score to beat, for every worth of a tie.

State before seat i's turn: the rank b of the best score so far and the set H of seats that hold it (none, at b =
0). With payoff(W), what a round won by the set W is worth to every seat, and R(i, b, H) the values of all seats,

    R(n, b, H) = payoff(H),
    R(i, b, H) = sum over s of D(s) · R(i + 1, next(b, H, i, s)),

    next = (b, H) if s < b or s = 0;  (b, H + i) if s = b;  (s, {i}) if s > b,

(and where a score wins at once, R(i, that score, H) = payoff(H) before every seat)

where D is the distribution of seat i's score when it plays its turn best for the utility u(s) = R(i + 1, next)[i].
The last seat knows all it needs, so this ends after n steps. With two seats whose payoffs have a constant sum it is
the value of a zero-sum game; with more it is the subgame-perfect equilibrium in which a seat with several equally
good replies takes the one with the higher mean score, and then the turn's smaller node. Equally good: within
``SAME`` of the range of u; a seat to which no score matters by more than ``TIE`` plays for its mean.
``solve.plain`` takes the first in the rules' order in place of the smaller node. Where a seat cannot win any more
and two keeps have the same mean, the solvers may so differ by some 1e-5; both are equilibria
(``tests/solve/test_early_ends.py``). The equation is solved for one round or for many at once.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pubdice.core.game import GameOfTurns
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import SAME
from pubdice.solve.turns.turn import TurnGraph, turn

ALIKE = 10 * SAME
"""Chances, values and θ that differ by less are one: sums of the same chances in another order."""


class Replies:
    """F_b for every score b of a turn, by its rank in ``TurnGraph.scores``."""

    def __init__(self, turned: TurnGraph, fair: bool) -> None:
        self.turn, self.fair = turned, fair
        scores = np.arange(len(turned.scores))
        self._wins = (scores[:, None] > scores).astype(np.float64)
        self._ties = np.eye(len(scores))
        ends = np.array([0.0, 1.0])
        found = self._best(np.repeat(scores, 2), np.tile(ends, len(scores)))
        # (θ in order, the line at each) of each score. A pair is never changed, but replaced: threads share it, and
        # Ctrl-C may end the search for the next line.
        self._found = [(ends, lines) for lines in found.reshape(len(scores), 2, 2)]

    def lines(self, best: NDArray[np.intp], theta: Floats) -> Floats:
        """[questions, 2] the chances to win and to tie of the best reply to each score at each worth of a tie."""
        out = np.empty((len(theta), 2))
        waiting = np.arange(len(theta))
        while len(waiting):
            asked: list[tuple[int, float]] = []
            left = []
            for b in np.unique(best[waiting]):
                mine = waiting[best[waiting] == b]
                thetas, lines = self._found[b]
                at, ask = self._known(thetas, lines, theta[mine])
                out[mine[at >= 0]] = lines[at[at >= 0]]
                left.append(mine[at < 0])
                asked += [(int(b), theta) for theta in np.unique(ask[at < 0]).tolist()]
            waiting = np.concatenate(left)
            if asked:
                self._ask(asked)
        return out

    def _known(self, thetas: Floats, lines: Floats, theta: Floats) -> tuple[NDArray[np.intp], Floats]:
        """(the number of the line, or -1 if it is not known; at which θ to look for it then)."""
        high = np.clip(np.searchsorted(thetas, theta), 1, len(thetas) - 1)
        low = high - 1
        rise, fall = lines[1:, 1] - lines[:-1, 1], lines[:-1, 0] - lines[1:, 0]
        alike = (np.abs(rise) <= ALIKE) & (np.abs(fall) <= ALIKE)
        meet = np.clip(
            np.where(alike, thetas[1:], fall / np.where(alike | (rise == 0), 1.0, rise)), thetas[:-1], thetas[1:]
        )
        height = (lines * np.stack([np.ones(len(thetas)), thetas], axis=1)).sum(axis=1)  # F at the known θ
        across = np.diff(height) / np.diff(thetas)
        gap = height[:-1] + across * (meet - thetas[:-1]) - (lines[:-1, 0] + meet * lines[:-1, 1])
        settled = (alike | (gap <= ALIKE))[low]
        at = np.where(settled, np.where(theta <= meet[low], low, high), -1)
        ask = np.where(settled, theta, meet[low])
        if self.fair:
            near = np.abs(theta - meet[low]) * np.abs(rise)[low] <= ALIKE
            at = np.where(near & ~alike[low], -1, at)
            ask = np.where(near, theta, ask)
        at = np.where(np.abs(thetas[high] - theta) <= SAME, high, at)
        return np.where(np.abs(thetas[low] - theta) <= SAME, low, at), ask

    def _ask(self, asked: list[tuple[int, float]]) -> None:
        best, theta = np.array([b for b, _ in asked]), np.array([theta for _, theta in asked])
        for b, at, line in zip(best, theta, self._best(best, theta), strict=True):
            thetas, lines = self._found[b]
            place = int(np.searchsorted(thetas, at))
            if at not in thetas[place : place + 1]:  # no other thread has found it meanwhile
                self._found[b] = np.insert(thetas, place, at), np.insert(lines, place, line, axis=0)

    def _best(self, best: NDArray[np.intp], theta: Floats) -> Floats:
        """[questions, 2] the same by solving a turn for each."""
        wins, ties = self._wins[:, best], self._ties[:, best]
        if not self.fair:
            value, tied = self.turn.pairs(wins + theta * ties, ties)
            return np.stack([value - theta * tied, tied], axis=1)
        chances = self.turn.chances(wins + theta * ties)
        return np.stack([(wins * chances).sum(axis=0), (ties * chances).sum(axis=0)], axis=1)


@cache
def replies(game: GameOfTurns, fair: bool) -> Replies:
    """The replies in a game, remembered for all matches."""
    return Replies(turn(game), fair)
