"""One turn, solved for any utility over its score.

The graph of the turn is enumerated from the rules by ``solve.finite.graph`` and solved by ``solve.finite``, which state
the mathematics; scores, ranks and nodes are those of ``bare_turn``, which does the same without numpy.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pubdice.core.game import Game, Keep, Policy
from pubdice.core.turn_game import RoundState, TurnGame
from pubdice.solve.arrays import Floats
from pubdice.solve.finite.backward_induction import (
    best_choices,
    distributions,
    start_chances,
    start_pairs,
    start_values,
)
from pubdice.solve.finite.evaluate import Sheet
from pubdice.solve.finite.graph import enumerate_round
from pubdice.solve.numerics import SAME, first_best
from pubdice.solve.turns.bare_turn import NEVER, NumberRow, TurnNodes
from pubdice.solve.turns.goals import win

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

    def __init__(self, game: TurnGame) -> None:
        inherited = type(game).play is TurnGame.play  # where a keep leads depends on nothing but the dice locked
        self.graph = enumerate_round(game, game.start(1), rerolled=inherited)
        super().__init__(game, self.graph.results, self.graph.chance, self.graph.nodes)
        self._order = np.array(self.ends)  # of ends, in terms of scores
        self._points = np.array(self.scores, dtype=np.float64)
        self._mean = -self._points if game.lowest_wins else self._points

    @property
    def points(self) -> Floats:
        """[scores] the scores as numbers."""
        return self._points

    @property
    def mean(self) -> Floats:
        """[scores] the points, or where the lowest score wins their negative."""
        return self._mean

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

    def solve(self, utility: NumberRow, second: NumberRow | None = None) -> Solved:
        """The turn for one utility, [scores]; see ``TurnNodes.solve``."""
        worth: Floats = np.asarray(utility, dtype=np.float64)
        other = self._mean if second is None else np.asarray(second, dtype=np.float64)
        value, chosen = best_choices(self.graph, worth[self._order], other[self._order])
        slack = SAME * max(1.0, float(np.abs(worth).max()))
        return Solved(value, self._by_score(distributions(self.graph, chosen).T).T, slack)


@cache
def turn(game: TurnGame) -> TurnGraph:
    """The turn of a game, enumerated once."""
    return TurnGraph(game)


# A round of two given policies: exact distributions pushed against each other.
#
# The first seat's score comes from its policy with nothing to beat, the second's from its own with the first's score
# to beat; the better score has the round, and equal ones, two misses too, have half of it each, as in a match of one
# round. Distributions: ``solve.finite.evaluate``, over ``scores``. Nothing is simulated.


@dataclass(frozen=True)
class PolicyScores:
    """A policy's scores: ``opens[score]``, and ``replies[score to beat, score]``."""

    opens: Floats
    replies: Floats


class Contest:
    """Rounds of a game between two seats, policy against policy."""

    def __init__(self, game: TurnGame) -> None:
        self.game = game
        self.turn = turn(game)
        self.scores = self.turn.scores
        self.sheet = Sheet(self.game, self.game.start(1))
        against = np.arange(len(self.scores))
        self._half = (np.sign(against[:, None] - against[None, :]) + 1) / 2  # first seat's share, [first, second]
        if self.turn.at_once:  # the second seat has no turn
            self._half[self.turn.at_once] = 1

    def chances(self, policy: Policy[RoundState, Keep], beat: int | None = None) -> Floats:
        """[scores] how a turn ends, as first of two seats, or as second with a score to beat."""
        scores = () if beat is None else (beat,)

        def seated(game: Game[RoundState, Keep], state: RoundState) -> tuple[tuple[Keep, int], ...]:
            return policy(game, RoundState(2, scores, state.locked, state.free, state.rolls))

        found = np.zeros(len(self.scores))
        for result, chance in self.sheet.chances(seated).items():
            found[self.scores.index(result.scores[0])] += chance
        return found

    def player(self, policy: Policy[RoundState, Keep], watches: bool = True) -> PolicyScores:
        """A policy's scores. watches: whether it looks at the score to beat; if not, it is asked once, not 22 times."""
        opens = self.chances(policy)
        if not watches:
            return PolicyScores(opens, np.array([opens] * len(self.scores)))
        never = np.zeros(len(self.scores))  # no turn ends with it, so no policy can say what to do against it
        replies = [never if beat == NEVER else self.chances(policy, beat) for beat in self.scores]
        return PolicyScores(opens, np.array(replies))

    def share(self, first: PolicyScores, second: PolicyScores) -> float:
        """The first seat's share of the round."""
        return float(first.opens @ (second.replies * self._half).sum(axis=1))

    def result(self, first: PolicyScores, second: PolicyScores) -> tuple[float, float, float]:
        """The chances that the first seat wins the round, that it is equal, and that the second wins it."""
        joint = first.opens[:, None] * second.replies
        return tuple(float(joint[self._half == share].sum()) for share in (1.0, 0.5, 0.0))  # type: ignore[return-value]


@cache
def contest(game: TurnGame) -> Contest:
    """The contest of two seats."""
    return Contest(game)


def best(game: Any, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Best play in one round of two, as a policy; of equally good keeps the first, as the bot ``perfect`` has it."""
    turned, value = turn(game), _solved(game, state.scores[0] if state.scores else None).value
    keep = first_best(turned.after(game.alone(state)), lambda after: float(value[after[1]]))[0]
    return ((keep, 1),)


@cache
def _solved(game: TurnGame, beat: int | None) -> Solved:
    """A turn of the first seat of two, or of the second with a score to beat."""
    return turn(game).solve(duel(game, beat))


def duel(game: TurnGame, beat: int | None) -> Floats:
    """[scores] a seat's share of a round of two: of the first, or of the last, which finds a score to beat."""
    table = win(game, "share", 2, nobody=0.5)
    if beat is None:
        return np.array(table.to_beat(None, 0, 1))
    return np.array(table.to_beat(beat, 0 if beat == game.scoreless else 1, 0))
