"""The last seat's best reply to a score to beat, for every relative worth of a tie.

The last seat of a round wins, ties or loses. Let w, l and t be its payoffs for a win, a loss and a tie, with w > l.
Then θ = (t - l) / (w - l), from 0 to 1, is the *relative worth* of a tie. Against the score b its turn has the value

    l + (w - l) · F_b(θ),   F_b(θ) = max over policies of  P(score > b) + θ · P(score = b).

(Before any score, b is rank 0. A seat then ties by scoring nothing.) A policy's two chances, to win and to tie, give a
line over θ. F_b is the greatest of finitely many lines, so it is convex and piecewise linear. Lines are found on demand
and cached. Between two θ with known lines, the turn is solved at the θ at which the two lines meet. If the value there
is on the lines, no other line lies between them. Otherwise the solution is a new line, and each half is searched in the
same way. After at most a thousand turns, all lines are known.

At a θ at which two lines meet, both are best. If ``fair`` is false, either line may be returned, which is enough for a
value. If ``fair`` is true, the line returned belongs to the policy that ``TurnGraph.solve`` chooses, in which the mean
score decides between equals. At any other θ all best policies have the same line.

Reference: Eisner and Severance, Mathematical techniques for efficient record segmentation in large shared databases, J.
ACM 23 (1976), section 5.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pubdice.core.game import GameOfTurns
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import SAME
from pubdice.solve.turns.turn import TurnGraph, turn

ALIKE = 10 * SAME
"""The tolerance for chances, values and θ. Equal ones differ only by the order in which the same chances are summed."""


class Replies:
    """The function F_b for every score b of a turn, by its rank in ``TurnGraph.scores``."""

    def __init__(self, turned: TurnGraph, fair: bool) -> None:
        self.turn, self.fair = turned, fair
        scores = np.arange(len(turned.scores))
        self._wins = (scores[:, None] > scores).astype(np.float64)
        self._ties = np.eye(len(scores))
        ends = np.array([0.0, 1.0])
        found = self._best(np.repeat(scores, 2), np.tile(ends, len(scores)))
        # For each score (the known θ in order, the line at each θ). Pairs are replaced, never changed, because threads
        # share them, and Ctrl-C may interrupt a search.
        self._found = [(ends, lines) for lines in found.reshape(len(scores), 2, 2)]

    def lines(self, best: NDArray[np.intp], theta: Floats) -> Floats:
        """Return [questions, 2] the best reply's chances to win and to tie.

        Each question is a score (``best``, as a rank) with a relative worth of a tie (``theta``).
        """
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
        """Find the line for each ``theta``.

        Returns (the line's number, or -1 if it is not known yet, the θ at which to solve a turn next).
        """
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
            if at not in thetas[place : place + 1]:  # unless another thread has found it meanwhile
                self._found[b] = np.insert(thetas, place, at), np.insert(lines, place, line, axis=0)

    def _best(self, best: NDArray[np.intp], theta: Floats) -> Floats:
        """Return [questions, 2] the lines, found by solving a turn for each question."""
        wins, ties = self._wins[:, best], self._ties[:, best]
        if not self.fair:
            value, tied = self.turn.pairs(wins + theta * ties, ties)
            return np.stack([value - theta * tied, tied], axis=1)
        chances = self.turn.chances(wins + theta * ties)
        return np.stack([(wins * chances).sum(axis=0), (ties * chances).sum(axis=0)], axis=1)


@cache
def replies(game: GameOfTurns, fair: bool) -> Replies:
    """Return the replies of a game, cached for all its matches."""
    return Replies(turn(game), fair)
