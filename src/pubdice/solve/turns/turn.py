"""One turn, solved for any utility over its score.

The graph of the turn is enumerated from the rules by ``solve.finite.graph`` and solved by ``solve.finite``, which state
the mathematics; scores, ranks and nodes are those of ``turn_nodes``.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

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
    """A turn under best play for one utility.

    value: [nodes] of every node. chance: [nodes, scores] of every final score from every node. slack: choices whose
    values differ by no more are equally good.
    """

    value: Floats
    chance: Floats
    slack: float = SAME


class TurnGraph(TurnNodes):
    """The turn of a game, as arrays."""

    def __init__(self, game: GameOfTurns) -> None:
        inherited = type(game).play is TurnGame.play  # where a keep leads depends on nothing but the dice locked
        self.graph = enumerate_round(game, game.start(1), rerolled=inherited)
        super().__init__(game, self.graph.results, self.graph.chance, self.graph.nodes)
        # Ends are numbered as enumeration found them, scores ascend: one permutation translates.
        self._order = np.array(self.ends)  # of ends, in terms of scores
        self._points = np.array(self.scores, dtype=np.float64)
        # Negative, as everything below maximises.
        self._mean = -self._points if game.lowest_wins else self._points

    @property
    def points(self) -> Floats:
        """[scores] the scores as numbers."""
        return self._points

    @property
    def mean(self) -> Floats:
        """[scores] the points, or where the lowest score wins their negative."""
        return self._mean

    def by_end(self, by_score: Floats) -> Floats:
        """[ends, …] of [scores, …]."""
        found: Floats = by_score[self._order]
        return found

    def _by_score(self, chances: Floats) -> Floats:
        """[scores, …] of [ends, …]."""
        found = np.zeros((len(self.scores), *chances.shape[1:]))
        found[self._order] = chances
        return found

    def best(self, utilities: Floats, coming: int = 0) -> Floats:
        """[lanes] the value of a fresh turn for each of the utilities, [scores, lanes].

        coming: the number of lanes still to be asked for, see ``solve.finite``.
        """
        return start_values(self.graph, self.by_end(utilities), coming)

    def pairs(self, utilities: Floats, along: Floats) -> tuple[Floats, Floats]:
        """([lanes] values of a fresh turn, [lanes] what it is worth in ``along`` if played so); see
        ``backward_induction``.
        """
        return start_pairs(self.graph, self.by_end(utilities), self.by_end(along))

    def chances(self, utilities: Floats, coming: int = 0) -> Floats:
        """[scores, lanes] the chance of every score of a fresh turn, played best for each of the utilities.

        Between equally good keeps the mean score decides, as in ``solve``.
        """
        return self._by_score(start_chances(self.graph, self.by_end(utilities), self.by_end(self.mean), coming))

    def solve(self, utility: NumberRow, second: NumberRow | None = None) -> Solved:
        """The turn for one utility, [scores]; see ``TurnNodes.solve``."""
        worth: Floats = np.asarray(utility, dtype=np.float64)
        other = self._mean if second is None else np.asarray(second, dtype=np.float64)
        value, chosen = best_choices(self.graph, self.by_end(worth), self.by_end(other))
        # Relative to the greatest value: chips of a hundred rounds round more coarsely than shares of 1.
        slack = SAME * max(1.0, float(np.abs(worth).max()))
        return Solved(value, self._by_score(distributions(self.graph, chosen).T).T, slack)


@cache
def turn(game: GameOfTurns) -> TurnGraph:
    """The turn of a game, enumerated once."""
    return TurnGraph(game)
