"""Midnight between two given policies, for one round: exact distributions pushed against each other.

The first seat's score comes from its policy with nothing to beat, the second's from its own with the first's score to
beat; the higher score has the round, and equal ones, two misses too, have half of it each, as in a match of one round.
Distributions: ``solve.finite.evaluate``, over ``scores``. Nothing is simulated.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pubdice.core.game import Game, Keep
from pubdice.core.policy import Policy
from pubdice.games.midnight.rules import Midnight, RoundState
from pubdice.games.midnight.solving.turn import Solved, turn
from pubdice.games.midnight.solving.win import win
from pubdice.solve.arrays import Floats
from pubdice.solve.finite.evaluate import Sheet
from pubdice.solve.tolerance import first_best


@dataclass(frozen=True)
class PolicyScores:
    """A policy's scores: ``opens[score]``, and ``replies[score to beat, score]``."""

    opens: Floats
    replies: Floats


class Contest:
    """Rounds of two under one pair of needed faces."""

    def __init__(self, game: Midnight) -> None:
        self.game = game
        self.turn = turn(game.need)
        self.scores = self.turn.scores
        self.sheet = Sheet(self.game, self.game.start(1))
        against = np.array(self.scores)
        self._half = (np.sign(against[:, None] - against[None, :]) + 1) / 2  # first seat's share, [first, second]

    def chances(self, policy: Policy[RoundState, Keep], beat: int | None = None) -> Floats:
        """[scores] how a turn ends, as first of two seats, or as second with a score to beat."""
        scores = () if beat is None else (beat,)

        def seated(game: Game[RoundState, Keep], state: RoundState) -> tuple[tuple[Keep, int], ...]:
            return policy(game, RoundState(2, scores, state.locked, state.free))

        found = np.zeros(len(self.scores))
        for result, chance in self.sheet.chances(seated).items():
            found[self.scores.index(result.scores[0])] += chance
        return found

    def player(self, policy: Policy[RoundState, Keep], watches: bool = True) -> PolicyScores:
        """A policy's scores. watches: whether it looks at the score to beat; if not, it is asked once, not 22 times."""
        opens = self.chances(policy)
        replies = [self.chances(policy, beat) for beat in self.scores] if watches else [opens] * len(self.scores)
        return PolicyScores(opens, np.array(replies))

    def share(self, first: PolicyScores, second: PolicyScores) -> float:
        """The first seat's share of the round."""
        return float(first.opens @ (second.replies * self._half).sum(axis=1))

    def result(self, first: PolicyScores, second: PolicyScores) -> tuple[float, float, float]:
        """The chances that the first seat wins the round, that it is equal, and that the second wins it."""
        joint = first.opens[:, None] * second.replies
        return tuple(float(joint[self._half == share].sum()) for share in (1.0, 0.5, 0.0))  # type: ignore[return-value]


@cache
def contest(game: Midnight) -> Contest:
    """The contest of two seats."""
    return Contest(game)


def best(game: Any, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Best play in one round of two, as a policy; of equally good keeps the first, as the bot ``perfect`` has it."""
    turned, value = turn(game.need), _solved(game.need, state.scores[0] if state.scores else None).value
    keep = first_best(turned.after(state.locked, state.free), lambda after: float(value[after[1]]))[0]
    return ((keep, 1),)


@cache
def _solved(need: tuple[int, int], beat: int | None) -> Solved:
    """A turn of the first seat of two, or of the second with a score to beat."""
    worth = win(need, "share", 2, nobody=0.5)
    return turn(need).solve(worth.utility(0, 0, 1) if beat is None else worth.utility(beat, 1 if beat else 0, 0))
