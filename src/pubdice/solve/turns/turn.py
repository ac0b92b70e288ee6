"""One turn, solved for any utility over its score.

``solve.finite`` enumerates the turn from the rules and solves it. It also explains the mathematics. ``turn_nodes``
defines the scores, ranks and nodes of a turn. Several utilities can be solved at once. Each is a *lane*, a column of
the arrays.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.core.game import GameOfTurns, TurnGame
from pubdice.solve.arrays import Floats
from pubdice.solve.finite.backward_induction import (
    best_choices,
    distributions,
    start_chances,
    start_pairs,
    start_values,
)
from pubdice.solve.finite.graph import enumerate_round
from pubdice.solve.numerics import SAME
from pubdice.solve.turns.turn_nodes import NEVER, NumberRow, TurnNodes

__all__ = ["NEVER", "Solved", "TurnGraph", "turn"]


@dataclass(frozen=True)
class Solved:
    """A turn under best play for one utility."""

    value: Floats  # [nodes] the value of each node
    chance: Floats  # [nodes, scores] the chance of each final score from each node
    slack: float = SAME  # choices whose values differ by this or less are equally good


class TurnGraph(TurnNodes):
    """The turn of a game, as arrays."""

    def __init__(self, game: GameOfTurns) -> None:
        # ``TurnGame.play`` uses only the dice locked, not the faces of the others
        inherited = type(game).play is TurnGame.play
        self.graph = enumerate_round(game, game.start(1), rerolled=inherited)
        super().__init__(game, self.graph.results, self.graph.chance, self.graph.nodes)
        # Ends are in the order of enumeration, and scores from the worst to the best. One permutation converts them.
        self._order = np.array(self.ends)  # the rank of each end's score
        self._points = np.array(self.scores, dtype=np.float64)
        # The negative of the points if the lowest score wins, because all solvers maximise.
        self._mean = -self._points if game.lowest_wins else self._points

    @property
    def points(self) -> Floats:
        """[scores] the scores as numbers."""
        return self._points

    @property
    def mean(self) -> Floats:
        """[scores] the points or, if the lowest score wins, their negative."""
        return self._mean

    def by_end(self, by_score: Floats) -> Floats:
        """Convert an array over scores, [scores, …], to an array over ends, [ends, …]."""
        found: Floats = by_score[self._order]
        return found

    def _by_score(self, chances: Floats) -> Floats:
        """Convert an array over ends, [ends, …], to an array over scores, [scores, …]."""
        found = np.zeros((len(self.scores), *chances.shape[1:]))
        found[self._order] = chances
        return found

    def best(self, utilities: Floats, coming: int = 0) -> Floats:
        """Return [lanes] the value of a fresh turn for each utility, [scores, lanes].

        coming: the number of lanes that the caller will ask for later.
        """
        return start_values(self.graph, self.by_end(utilities), coming)

    def pairs(self, utilities: Floats, along: Floats) -> tuple[Floats, Floats]:
        """Return ([lanes] the value of a fresh turn, [lanes] the mean of ``along`` under that play). See
        ``start_pairs``.
        """
        return start_pairs(self.graph, self.by_end(utilities), self.by_end(along))

    def chances(self, utilities: Floats, coming: int = 0) -> Floats:
        """Return [scores, lanes] the chance of every score of a fresh turn, under best play for each utility.

        If choices are equally good, it decides like ``solve``.
        """
        return self._by_score(start_chances(self.graph, self.by_end(utilities), self.by_end(self.mean), coming))

    def solve(self, utility: NumberRow, second: NumberRow | None = None) -> Solved:
        """Solve the turn for one utility, [scores]. See ``TurnNodes.solve``."""
        worth: Floats = np.asarray(utility, dtype=np.float64)
        other = self._mean if second is None else np.asarray(second, dtype=np.float64)
        value, chosen = best_choices(self.graph, self.by_end(worth), self.by_end(other))
        # The slack is relative to the greatest value, because chips of a hundred rounds have larger rounding errors
        # than shares of 1.
        slack = SAME * max(1.0, float(np.abs(worth).max()))
        return Solved(value, self._by_score(distributions(self.graph, chosen).T).T, slack)


@cache
def _enumerated(game: GameOfTurns) -> TurnGraph | Unsolved:
    try:
        return TurnGraph(game)
    except Unsolved as refused:
        return refused


@cache
def turn(game: GameOfTurns) -> TurnGraph:
    """Return the turn of a game. It is enumerated only once, also if it is refused for its many scores: Unsolved."""
    found = _enumerated(game)
    if isinstance(found, Unsolved):
        raise Unsolved(found.code, **found.facts)
    return found
