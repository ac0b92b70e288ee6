"""A round between two given policies, evaluated exactly.

The first seat's policy has no score to beat. The second seat's policy has the first seat's score to beat. The better
score wins the round. If the scores are equal, even if both are misses, each seat gets half of the round, as in a match
of one round. ``solve.finite.sheet`` computes the distributions over ``scores``. Nothing is simulated.
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
    """A policy's chances of scores: ``opens[score]`` as the first seat, and ``replies[score to beat, score]`` as the
    second.
    """

    opens: Floats
    replies: Floats


class Contest:
    """All rounds of a game between two seats, policy against policy."""

    def __init__(self, game: GameOfTurns) -> None:
        self.game = game
        self.turn = turn(game)
        self.scores = self.turn.scores
        self.sheet = Sheet(self.game, self.game.start(1))
        against = np.arange(len(self.scores))
        # The signs -1, 0, 1 become 0, ½, 1: lost, shared, won. Ranks compare like scores, because scores are in order.
        # the first seat's share, [first seat's score, second seat's score]
        self._half = (np.sign(against[:, None] - against[None, :]) + 1) / 2
        if self.turn.at_once:  # if the first seat's score wins at once, the second seat has no turn
            self._half[self.turn.at_once] = 1

    def chances(self, policy: Policy[Any, Any], beat: int | None = None) -> Floats:
        """Return [scores] the chance of each score of a turn.

        If ``beat`` is given, the turn is the second seat's, with this score to beat. Otherwise it is the first seat's.
        """
        scores = () if beat is None else (beat,)

        def seated(game: Game[Any, Any], state: Any) -> tuple[tuple[Any, int], ...]:
            return policy(game, of_two(state, scores))

        found = np.zeros(len(self.scores))
        for result, chance in self.sheet.chances(seated).items():
            found[self.scores.index(result.scores[0])] += chance
        return found

    def player(self, policy: Policy[Any, Any], watches: bool = True) -> PolicyScores:
        """Compute a policy's chances of scores.

        If ``watches`` is false, the policy ignores the score to beat, so one turn is computed instead of one for each
        score to beat (22 in Midnight).
        """
        opens = self.chances(policy)
        if not watches:
            return PolicyScores(opens, np.array([opens] * len(self.scores)))
        never = np.zeros(len(self.scores))  # no turn ends with the score NEVER, so the policy cannot be asked about it
        replies = [never if beat == NEVER else self.chances(policy, beat) for beat in self.scores]
        return PolicyScores(opens, np.array(replies))

    def share(self, first: PolicyScores, second: PolicyScores) -> float:
        """Return the first seat's share of the round."""
        # Sum over the first seat's scores: the chance of the score times its mean share against the reply.
        return float(first.opens @ (second.replies * self._half).sum(axis=1))

    def result(self, first: PolicyScores, second: PolicyScores) -> tuple[float, float, float]:
        """Return the chances that the first seat wins the round, that it is a tie, and that the second seat wins it."""
        joint = first.opens[:, None] * second.replies
        return tuple(float(joint[self._half == share].sum()) for share in (1.0, 0.5, 0.0))  # type: ignore[return-value]


def of_two(state: Any, scores: tuple[int, ...]) -> Any:
    """Change the state of a seat that plays alone to the same state in a round of two, after the given scores."""
    if isinstance(state, RoundState):
        return RoundState(2, scores, state.locked, state.free, state.rolls)
    return replace(state, seats=2, scores=scores)


@cache
def contest(game: GameOfTurns) -> Contest:
    """Return the contest of two seats in this game."""
    return Contest(game)


def best(game: Any, state: Any) -> tuple[tuple[Any, int], ...]:
    """Play best in one round of two, as a policy. Of equal keeps it takes the first, like the bot ``perfect``."""
    value = _solved(game, state.scores[0] if state.scores else None).value
    return ((first_best(_after(game, game.alone(state)), lambda after: float(value[after[1]]))[0], 1),)


@cache
def _after(game: GameOfTurns, alone: Any) -> Sequence[tuple[Any, int]]:
    """Return ``TurnNodes.after``, cached, because the same keeps are asked for with every score to beat."""
    return turn(game).after(alone)


@cache
def _solved(game: GameOfTurns, beat: int | None) -> Solved:
    """Solve a turn of the first of two seats. If ``beat`` is given, solve a turn of the second seat, which has this
    score to beat.
    """
    return turn(game).solve(duel(game, beat))


def duel(game: GameOfTurns, beat: int | None) -> Floats:
    """Return [scores] the share of a round of two for each score of the first seat. If ``beat`` is given, return it for
    each score of the second seat, which has this score to beat.
    """
    table = win(game, "share", 2, no_winner=0.5)
    if beat is None:
        return np.array(table.to_beat(None, 0, 1))
    return np.array(table.to_beat(beat, 0 if beat == game.scoreless else 1, 0))
