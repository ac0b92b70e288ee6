"""A round between two given policies, evaluated exactly.

The first seat's policy has no score to beat. The second seat's policy has the first's score to beat. The better score
wins the round. Equal scores, two misses too, have half of it each, as in a match of one round. ``solve.finite.sheet``
computes the distributions over ``scores``. Nothing is simulated.
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
    """A policy's distributions of scores: ``opens[score]``, and ``replies[score to beat, score]``."""

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
        # The signs -1, 0, 1 become 0, ½, 1: lost, shared, won. Ranks compare like scores, since scores are in order.
        self._half = (np.sign(against[:, None] - against[None, :]) + 1) / 2  # first seat's share, [first, second]
        if self.turn.at_once:  # the second seat has no turn
            self._half[self.turn.at_once] = 1

    def chances(self, policy: Policy[Any, Any], beat: int | None = None) -> Floats:
        """[scores] the chances of a turn's scores, as first of two seats, or as second with a score to beat."""
        scores = () if beat is None else (beat,)

        def seated(game: Game[Any, Any], state: Any) -> tuple[tuple[Any, int], ...]:
            return policy(game, of_two(state, scores))

        found = np.zeros(len(self.scores))
        for result, chance in self.sheet.chances(seated).items():
            found[self.scores.index(result.scores[0])] += chance
        return found

    def player(self, policy: Policy[Any, Any], watches: bool = True) -> PolicyScores:
        """A policy's distributions of scores. If it ignores the score to beat, it is asked once, not 22 times."""
        opens = self.chances(policy)
        if not watches:
            return PolicyScores(opens, np.array([opens] * len(self.scores)))
        never = np.zeros(len(self.scores))  # no turn ends with it, so the policy cannot be asked
        replies = [never if beat == NEVER else self.chances(policy, beat) for beat in self.scores]
        return PolicyScores(opens, np.array(replies))

    def share(self, first: PolicyScores, second: PolicyScores) -> float:
        """The first seat's share of the round."""
        # Sum over own scores of their chance times the mean share against the reply.
        return float(first.opens @ (second.replies * self._half).sum(axis=1))

    def result(self, first: PolicyScores, second: PolicyScores) -> tuple[float, float, float]:
        """The chances that the first seat wins the round, that it is a tie, and that the second wins it."""
        joint = first.opens[:, None] * second.replies
        return tuple(float(joint[self._half == share].sum()) for share in (1.0, 0.5, 0.0))  # type: ignore[return-value]


def of_two(state: Any, scores: tuple[int, ...]) -> Any:
    """The state of a seat that plays alone, changed to the first of two seats, or the second after these scores."""
    if isinstance(state, RoundState):
        return RoundState(2, scores, state.locked, state.free, state.rolls)
    return replace(state, seats=2, scores=scores)


@cache
def contest(game: GameOfTurns) -> Contest:
    """The contest of two seats."""
    return Contest(game)


def best(game: Any, state: Any) -> tuple[tuple[Any, int], ...]:
    """Best play in one round of two, as a policy. Of equal keeps it takes the first, like the bot ``perfect``."""
    value = _solved(game, state.scores[0] if state.scores else None).value
    return ((first_best(_after(game, game.alone(state)), lambda after: float(value[after[1]]))[0], 1),)


@cache
def _after(game: GameOfTurns, alone: Any) -> Sequence[tuple[Any, int]]:
    """``TurnNodes.after``, cached: every score to beat asks for the same keeps."""
    return turn(game).after(alone)


@cache
def _solved(game: GameOfTurns, beat: int | None) -> Solved:
    """A turn of the first seat of two, or of the second with a score to beat."""
    return turn(game).solve(duel(game, beat))


def duel(game: GameOfTurns, beat: int | None) -> Floats:
    """[scores] a seat's share of a round of two, as the first, or as the last with a score to beat."""
    table = win(game, "share", 2, nobody=0.5)
    if beat is None:
        return np.array(table.to_beat(None, 0, 1))
    return np.array(table.to_beat(beat, 0 if beat == game.scoreless else 1, 0))
