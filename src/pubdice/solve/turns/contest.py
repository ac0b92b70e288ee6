"""A round of two given policies: exact distributions pushed against each other.

The first seat's score comes from its policy with nothing to beat, the second's from its own with the first's score
to beat; the better score has the round, and equal ones, two misses too, have half of it each, as in a match of one
round. Distributions: ``solve.finite.sheet``, over ``scores``. Nothing is simulated.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from pubdice.core.game import Game, GameOfTurns, Policy, RoundState
from pubdice.solve.arrays import Floats
from pubdice.solve.finite.sheet import Sheet
from pubdice.solve.numerics import first_best
from pubdice.solve.turns.turn import Solved, turn
from pubdice.solve.turns.turn_nodes import NEVER
from pubdice.solve.turns.win import win


@dataclass(frozen=True)
class PolicyScores:
    """A policy's scores: ``opens[score]``, and ``replies[score to beat, score]``."""

    opens: Floats
    replies: Floats


class Contest:
    """Rounds of a game between two seats, policy against policy."""

    def __init__(self, game: GameOfTurns) -> None:
        self.game = game
        self.turn = turn(game)
        self.scores = self.turn.scores
        self.sheet = Sheet(self.game, self.game.start(1))
        against = np.arange(len(self.scores))
        # -1, 0, 1 become 0, ½, 1: lost, shared, won. Numbers of scores compare as the scores do, since those are in
        # order.
        self._half = (np.sign(against[:, None] - against[None, :]) + 1) / 2  # first seat's share, [first, second]
        if self.turn.at_once:  # the second seat has no turn
            self._half[self.turn.at_once] = 1

    def chances(self, policy: Policy[Any, Any], beat: int | None = None) -> Floats:
        """[scores] how a turn ends, as first of two seats, or as second with a score to beat."""
        scores = () if beat is None else (beat,)

        def seated(game: Game[Any, Any], state: Any) -> tuple[tuple[Any, int], ...]:
            return policy(game, of_two(state, scores))

        found = np.zeros(len(self.scores))
        for result, chance in self.sheet.chances(seated).items():
            found[self.scores.index(result.scores[0])] += chance
        return found

    def player(self, policy: Policy[Any, Any], watches: bool = True) -> PolicyScores:
        """A policy's scores. watches: true if it looks at the score to beat; if not, it is asked once, not 22 times."""
        opens = self.chances(policy)
        if not watches:
            return PolicyScores(opens, np.array([opens] * len(self.scores)))
        never = np.zeros(len(self.scores))  # no turn ends with it, so no policy can say what to do against it
        replies = [never if beat == NEVER else self.chances(policy, beat) for beat in self.scores]
        return PolicyScores(opens, np.array(replies))

    def share(self, first: PolicyScores, second: PolicyScores) -> float:
        """The first seat's share of the round."""
        # Sum over own scores of their chance times the mean share against the reply to that score.
        return float(first.opens @ (second.replies * self._half).sum(axis=1))

    def result(self, first: PolicyScores, second: PolicyScores) -> tuple[float, float, float]:
        """The chances that the first seat wins the round, that it is equal, and that the second wins it."""
        joint = first.opens[:, None] * second.replies
        return tuple(float(joint[self._half == share].sum()) for share in (1.0, 0.5, 0.0))  # type: ignore[return-value]


def of_two(state: Any, scores: tuple[int, ...]) -> Any:
    """The state of a seat that plays alone as that of the first of two, or of the second after these scores."""
    if isinstance(state, RoundState):
        return RoundState(2, scores, state.locked, state.free, state.rolls)
    return replace(state, seats=2, scores=scores)


@cache
def contest(game: GameOfTurns) -> Contest:
    """The contest of two seats."""
    return Contest(game)


def best(game: Any, state: Any) -> tuple[tuple[Any, int], ...]:
    """Best play in one round of two, as a policy; of equally good keeps the first, as the bot ``perfect`` has it."""
    value = _solved(game, state.scores[0] if state.scores else None).value
    return ((first_best(_after(game, game.alone(state)), lambda after: float(value[after[1]]))[0], 1),)


@cache
def _after(game: GameOfTurns, alone: Any) -> Sequence[tuple[Any, int]]:
    """As ``TurnNodes.after``: every score to beat asks for the same keeps."""
    return turn(game).after(alone)


@cache
def _solved(game: GameOfTurns, beat: int | None) -> Solved:
    """A turn of the first seat of two, or of the second with a score to beat."""
    return turn(game).solve(duel(game, beat))


def duel(game: GameOfTurns, beat: int | None) -> Floats:
    """[scores] a seat's share of a round of two: of the first, or of the last, which finds a score to beat."""
    table = win(game, "share", 2, nobody=0.5)
    if beat is None:
        return np.array(table.to_beat(None, 0, 1))
    return np.array(table.to_beat(beat, 0 if beat == game.scoreless else 1, 0))
