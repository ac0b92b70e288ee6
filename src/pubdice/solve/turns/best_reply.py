"""The last seat's best reply to a score to beat, for every worth of a tie.

The last seat of a round wins, ties or loses. Let these be worth w > l and t to it, and θ = (t - l) / (w - l) the
*relative worth* of a tie, 0 to 1. Against the score b its turn is worth

    l + (w - l) · F_b(θ),   F_b(θ) = max over policies of  P(score > b) + θ · P(score = b),

(a seat that faces no score, rank 0, ties by scoring nothing). F_b is the greatest of finitely many lines, a line being
the chances (to win, to tie) of a policy, so it is convex and piecewise linear. Lines are found as they are asked for
and remembered: between two θ whose lines meet in between, best play where they meet either is worth what they give,
and then there is nothing between them, or is a new line, and each half is a case for itself. After a thousand turns at
most all is known, and every further question is answered without one.

Where two lines meet both are best. With ``fair`` false either is given: enough for a value. With ``fair`` true the
line is there that of the policy ``TurnGraph.solve`` chooses, the mean score deciding between equals; anywhere else the
slope of F_b, and so the line, is the same for all best policies.

Reference: Eisner and Severance, Mathematical techniques for efficient record segmentation in large shared databases,
J. ACM 23 (1976), section 5.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pubdice.core.turn_game import TurnGame
from pubdice.solve.arrays import Floats
from pubdice.solve.tolerance import SAME
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
        self._thetas = [ends for _ in scores]
        self._lines = list(found.reshape(len(scores), 2, 2))

    def lines(self, best: NDArray[np.intp], theta: Floats) -> Floats:
        """[questions, 2] the chances to win and to tie of the best reply to each score at each worth of a tie."""
        out = np.empty((len(theta), 2))
        waiting = np.arange(len(theta))
        while len(waiting):
            asked: list[tuple[int, float]] = []
            left = []
            for b in np.unique(best[waiting]):
                mine = waiting[best[waiting] == b]
                at, ask = self._known(int(b), theta[mine])
                out[mine[at >= 0]] = self._lines[b][at[at >= 0]]
                left.append(mine[at < 0])
                asked += [(int(b), theta) for theta in np.unique(ask[at < 0]).tolist()]
            waiting = np.concatenate(left)
            if asked:
                self._ask(asked)
        return out

    def _known(self, b: int, theta: Floats) -> tuple[NDArray[np.intp], Floats]:
        """(the number of the line, or -1 if it is not known; at which θ to look for it then)."""
        thetas, lines = self._thetas[b], self._lines[b]
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
            place = int(np.searchsorted(self._thetas[b], at))
            self._thetas[b] = np.insert(self._thetas[b], place, at)
            self._lines[b] = np.insert(self._lines[b], place, line, axis=0)

    def _best(self, best: NDArray[np.intp], theta: Floats) -> Floats:
        """[questions, 2] the same by solving a turn for each."""
        wins, ties = self._wins[:, best], self._ties[:, best]
        if not self.fair:
            value, tied = self.turn.pairs(wins + theta * ties, ties)
            return np.stack([value - theta * tied, tied], axis=1)
        chances = self.turn.chances(wins + theta * ties)
        return np.stack([(wins * chances).sum(axis=0), (ties * chances).sum(axis=0)], axis=1)


@cache
def replies(game: TurnGame, fair: bool) -> Replies:
    """The replies in a game, remembered for all matches."""
    return Replies(turn(game), fair)
