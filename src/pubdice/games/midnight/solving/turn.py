"""One Midnight turn, solved for any utility over its score.

States: what is locked (at a roll), and what is locked with what was just rolled (at a choice). The graph of the turn is
enumerated from the rules by ``solve.finite.graph`` and solved by ``solve.finite``, which state the mathematics. Scores
are given in ascending order everywhere: ``scores`` holds 0, 4, 5, …, 24, and every utility or distribution is an array
over it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from pubdice.core.dice import Hand, together
from pubdice.core.game import Keep, keeps
from pubdice.games.midnight.rules import DICE, Midnight, RoundState
from pubdice.solve.arrays import Floats
from pubdice.solve.finite.backward_induction import (
    best_choices,
    distributions,
    start_chances,
    start_pairs,
    start_values,
)
from pubdice.solve.finite.graph import enumerate_round
from pubdice.solve.tolerance import SAME


@dataclass(frozen=True)
class Solved:
    """A turn under best play for one utility.

    value: [nodes] of every node. chance: [nodes, scores] of every final score from every node. slack: choices whose
    values differ by no more are equally good.
    """

    value: Floats
    chance: Floats
    slack: float = SAME


class TurnGraph:
    """The turn under one pair of needed faces."""

    def __init__(self, need: tuple[int, int]) -> None:
        self.game = Midnight(need)
        self.graph = enumerate_round(self.game, self.game.start(1), rerolled=True)
        found = [result.scores[0] for result in self.graph.results]
        self.scores = tuple(sorted(found))
        self._order = np.array([self.scores.index(score) for score in found])  # of ends, in terms of scores
        self._ends = np.argsort(self._order)
        self.mean = np.array(self.scores, dtype=np.float64)
        self.start = self.graph.nodes - 1

    def best(self, utilities: Floats, coming: int = 0) -> Floats:
        """[lanes] the value of a fresh turn for each of the utilities, [scores, lanes].

        coming: how many more lanes will be asked for, see ``solve.finite``.
        """
        return start_values(self.graph, utilities[self._order], coming)

    def pairs(self, utilities: Floats, along: Floats) -> tuple[Floats, Floats]:
        """([lanes] values of a fresh turn, [lanes] what it is worth in ``along`` if played so); see
        ``backward_induction``.
        """
        return start_pairs(self.graph, utilities[self._order], along[self._order])

    def chances(self, utilities: Floats, coming: int = 0) -> Floats:
        """[scores, lanes] the chance of every score of a fresh turn, played best for each of the utilities.

        Between equally good keeps the mean score decides, as in ``solve``.
        """
        return start_chances(self.graph, utilities[self._order], self.mean[self._order], coming)[self._ends]

    def solve(self, utility: Floats, second: Floats | None = None) -> Solved:
        """The turn for one utility, [scores].

        Between keeps that are equally good for it the second utility decides, the mean score if none is given, and then
        the smaller node of the graph.
        """
        other = self.mean if second is None else second
        value, chosen = best_choices(self.graph, utility[self._order], other[self._order])
        slack = SAME * max(1.0, float(np.abs(utility).max()))
        return Solved(value, distributions(self.graph, chosen)[:, self._ends], slack)

    def choice(self, solved: Solved, nodes: Sequence[int]) -> int:
        """The node best play chooses, the mean score deciding between equals: what the values before it count on."""
        best = max(solved.value[node] for node in nodes) - solved.slack
        means = {node: float(solved.chance[node] @ self.mean) for node in nodes if solved.value[node] >= best}
        return min(node for node, mean in means.items() if mean >= max(means.values()) - SAME)

    def node(self, locked: Hand) -> int:
        """The node of a turn with these dice locked: a roll, or with all six an end."""
        if len(locked) == DICE:
            return int(self._ends[self.scores.index(self.game.worth(locked))])
        return self.graph.chance[RoundState(1, (), locked)]

    def after(self, locked: Hand, free: Hand) -> Sequence[tuple[Keep, int]]:
        """The legal keeps at a choice, in the rules' order, each with the node it leads to."""
        return [(keep, self.node(together(locked, keep.dice))) for keep in keeps(free, 1)]


@cache
def turn(need: tuple[int, int]) -> TurnGraph:
    """The turn for a pair, enumerated once."""
    return TurnGraph(need)
