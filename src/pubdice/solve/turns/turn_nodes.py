"""A turn as nodes with scores (``TurnNodes``), for any solver.

Scores are in order from the worst to the best. Every utility or distribution is a row of numbers over
``TurnNodes.scores``. A score's *rank* is its index there. Rank 0 never wins: it is the score that wins nothing
(``TurnTaking.scoreless``). If every score of the game can win, rank 0 has ``NEVER``, a score that no turn ends with.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from math import fsum
from operator import mul
from typing import Any, Protocol

from pubdice.core.errors import Unsolved
from pubdice.core.game import GameOfTurns, Keep, RoundResult, RoundState
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.numerics import SAME
from pubdice.solve.without_numpy import pure_python
from pubdice.text.turn_advice import reach

NEVER = -1
"""The score at rank 0 of ``TurnNodes.scores`` in a game in which every score can win."""

MOST_SCORES = 2_000
"""The most scores of a turn that is solved. With 4,096 of them, twelve tiles read as one number, a round of two takes
1.6 GB."""


class NumberRow(Protocol):
    """A row of numbers, one for each score or each node: a numpy array, or a list."""

    def __len__(self) -> int:
        """Return the count of numbers."""

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the numbers, in order."""

    def __getitem__(self, at: Any, /) -> Any:
        """Return one number, or a slice of the row."""


class SolvedTurn(Protocol):
    """A turn under best play for one utility."""

    @property
    def value(self) -> Any:
        """[nodes] the value of every node."""

    @property
    def chance(self) -> Any:
        """[nodes, scores] the chance of every final score from every node."""

    @property
    def slack(self) -> float:
        """The tolerance for equal choices: choices whose values differ by this or less are equally good."""


def dot(one: NumberRow, other: NumberRow) -> float:
    """Sum the products of two rows of the same length, rounded once. Python's ``sum`` differs between versions."""
    return fsum(map(mul, one, other))


class TurnNodes(ABC):
    """The turn of a game, with its positions numbered as nodes.

    ``scores`` are in order from the worst to the best. ``at_once`` is the rank of the score that ends the round at
    once, or 0 if there is no such score. ``start`` is the node of a fresh turn. ``chance`` has the node of every
    position with dice to roll, or at a choice that follows a choice.
    """

    def __init__(
        self, game: GameOfTurns, results: Sequence[RoundResult], chance: Mapping[RoundState, int], nodes: int
    ) -> None:
        self.game, self.chance, self.start = game, chance, nodes - 1
        if len(results) > MOST_SCORES:
            raise Unsolved("too-many-endings", count=len(results), most=MOST_SCORES)
        found = [result.scores[0] for result in results]
        ranked = sorted(found, key=game.better)
        self.scores = tuple(ranked) if ranked[0] == game.scoreless else (NEVER, *ranked)
        self.ends = [self.scores.index(score) for score in found]  # the rank of each end's score
        self.at_once = len(self.scores) - 1 if game.wins_at_once(ranked[-1]) else 0
        self._end = {score: node for node, score in enumerate(found)}

    @property
    @abstractmethod
    def points(self) -> Any:
        """[scores] the scores as numbers."""

    @property
    @abstractmethod
    def mean(self) -> Any:
        """[scores] the utility of a seat that plays alone: the points or, if the lowest score wins, their negative."""

    @abstractmethod
    def solve(self, utility: NumberRow, second: NumberRow | None = None) -> SolvedTurn:
        """Solve the turn for one utility, [scores].

        Of equally good choices, the turn takes the one with the better ``second`` utility (by default the mean score),
        then the smaller node.
        """

    def rank(self, score: int | None) -> int:
        """Return a score's index in ``scores``. For None (no score that can win), return 0. Raises
        Unsolved("not-reached").
        """
        if score is None or score == self.game.scoreless:
            return 0
        if score not in self.scores:
            raise Unsolved("not-reached")
        return self.scores.index(score)

    def facts(self, best: int, chance: NumberRow) -> dict[str, float]:
        """Return exact figures of a turn, from the chances of its scores.

        ``best``: the rank of the best score so far, or 0.

        The figures are the ``mean`` of the score, the chance to ``qualify``, the score ``to_beat`` (0 if none), the
        chances to ``beat`` and to ``tie`` it, and for every score the chance to ``reach`` it.
        """
        behind = 0.0
        reached: list[tuple[str, float]] = []
        beaten = 0.0
        for rank in reversed(range(len(self.scores))):
            if rank == best:
                beaten = behind
            behind += float(chance[rank])
            if self.scores[rank] != NEVER:
                reached.append((reach(self.scores[rank]), behind))
        return {
            "mean": dot(chance, self.points),
            "qualify": float(1 - chance[0]),
            "to_beat": float(self.points[best]) if best else 0.0,
            "beat": beaten,
            "tie": float(chance[best]) if best else 0.0,
            **dict(reversed(reached)),
        }

    def choice(self, solved: SolvedTurn, nodes: Sequence[int]) -> int:
        """Return the node that best play chooses. Of equally good nodes, it takes the one with the better mean score.

        The values of earlier positions are computed with the same rule.
        """
        best = max(solved.value[node] for node in nodes) - solved.slack
        means = {node: dot(solved.chance[node], self.mean) for node in nodes if solved.value[node] >= best}
        return min(node for node, mean in means.items() if mean >= max(means.values()) - SAME)

    def node(self, alone: RoundState) -> int:
        """Return the node of a turn that is over, has dice to roll, or is at a choice after a choice.

        ``alone`` is the turn as ``TurnTaking.alone`` gives it. Raises Unsolved("not-reached") for a turn that this game
        cannot have.
        """
        found = self._end.get(alone.scores[0]) if alone.scores else self.chance.get(alone)
        if found is None:
            raise Unsolved("not-reached")
        return found

    def after(self, alone: RoundState) -> Sequence[tuple[Keep, int]]:
        """Return the legal keeps at a choice, in the rules' order, each with the node to which it leads."""
        return [(keep, self.node(self.game.play(alone, keep))) for keep in self.game.legal(alone)]


@cache
def one_turn(game: GameOfTurns) -> TurnNodes:
    """Return the turn of a game, enumerated only once. It uses arrays if numpy is installed, otherwise lists."""
    found: TurnNodes
    found = import_module("pubdice.solve.turns.turn").turn(game) if numpy_there() else pure_python().turn(game)
    return found
