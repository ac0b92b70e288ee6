"""One turn, solved for any utility over its score.

The graph of the turn is enumerated from the rules by ``solve.finite.graph`` and solved by ``solve.finite``, which state
the mathematics. Scores are given from the worst to the best everywhere: every utility or distribution is an array over
``TurnGraph.scores``, and a score's *rank* is its place there. Rank 0 never wins: it is the score that wins nothing
(``TurnGame.scoreless``), or, in games where every score can win, one that no turn ends with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep
from pubdice.core.turn_game import RoundState, TurnGame
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


NEVER = -1
"""Stands at rank 0 of ``TurnGraph.scores`` where every score can win."""


class TurnGraph:
    """The turn of a game.

    scores: from the worst to the best. points: the same as an array. mean: what a turn is played for alone, the points,
    or where the lowest score wins their negative. at_once: the rank of the score that ends the round, 0 if none does.
    """

    def __init__(self, game: TurnGame) -> None:
        self.game = game
        inherited = type(game).play is TurnGame.play  # where a keep leads depends on nothing but the dice locked
        self.graph = enumerate_round(game, game.start(1), rerolled=inherited)
        found = [result.scores[0] for result in self.graph.results]
        ranked = sorted(found, key=game.better)
        self.scores = tuple(ranked) if ranked[0] == game.scoreless else (NEVER, *ranked)
        self._order = np.array([self.scores.index(score) for score in found])  # of ends, in terms of scores
        self.points = np.array(self.scores, dtype=np.float64)
        self.mean = -self.points if game.lowest_wins else self.points
        self.at_once = len(self.scores) - 1 if game.wins_at_once(ranked[-1]) else 0
        self.start = self.graph.nodes - 1
        self._end = {score: node for node, score in enumerate(found)}

    def rank(self, score: int | None) -> int:
        """A score's place among the scores; 0 for None, which stands for no score that can win.

        Raises Unsolved("not-reached") for a score that no turn ends with.
        """
        if score is None or score == self.game.scoreless:
            return 0
        if score not in self.scores:
            raise Unsolved("not-reached")
        return self.scores.index(score)

    def _by_score(self, chances: Floats) -> Floats:
        """[scores, …] of [ends, …]."""
        found = np.zeros((len(self.scores), *chances.shape[1:]))
        found[self._order] = chances
        return found

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
        return self._by_score(start_chances(self.graph, utilities[self._order], self.mean[self._order], coming))

    def solve(self, utility: Floats, second: Floats | None = None) -> Solved:
        """The turn for one utility, [scores].

        Between keeps that are equally good for it the second utility decides, the mean score if none is given, and then
        the smaller node of the graph.
        """
        other = self.mean if second is None else second
        value, chosen = best_choices(self.graph, utility[self._order], other[self._order])
        slack = SAME * max(1.0, float(np.abs(utility).max()))
        return Solved(value, self._by_score(distributions(self.graph, chosen).T).T, slack)

    def choice(self, solved: Solved, nodes: Sequence[int]) -> int:
        """The node best play chooses, the mean score deciding between equals: what the values before it count on."""
        best = max(solved.value[node] for node in nodes) - solved.slack
        means = {node: float(solved.chance[node] @ self.mean) for node in nodes if solved.value[node] >= best}
        return min(node for node, mean in means.items() if mean >= max(means.values()) - SAME)

    def node(self, alone: RoundState) -> int:
        """The node of a turn that is over, at a roll, or at a choice after one; ``alone``: see ``TurnGame.alone``.

        Raises Unsolved("not-reached") for a turn that no player of this game can have.
        """
        found = self._end.get(alone.scores[0]) if alone.scores else self.graph.chance.get(alone)
        if found is None:
            raise Unsolved("not-reached")
        return found

    def after(self, alone: RoundState) -> Sequence[tuple[Keep, int]]:
        """The legal keeps at a choice, in the rules' order, each with the node it leads to."""
        return [(keep, self.node(self.game.play(alone, keep))) for keep in self.game.legal(alone)]


@cache
def turn(game: TurnGame) -> TurnGraph:
    """The turn of a game, enumerated once."""
    return TurnGraph(game)
