"""Midnight between two given policies, for one round: exact distributions pushed against each other.

The first seat's score comes from its policy with nothing to beat, the second's from its own with the first's score to
beat; the higher score has the round, and equal ones, two misses too, have half of it each, as in a match of one round.
Distributions: ``solve.evaluate``, over ``scores``. Nothing is simulated.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pubdice.game import Game, Keep
from pubdice.games.midnight.rules import Midnight, Turns
from pubdice.games.midnight.turn import Solved, turn
from pubdice.games.midnight.win import win
from pubdice.policy import Policy
from pubdice.solve.evaluate import Sheet
from pubdice.solve.graph import Floats


@dataclass(frozen=True)
class Player:
    """A policy's scores: ``opens[score]``, and ``replies[score to beat, score]``."""

    opens: Floats
    replies: Floats


class Contest:
    """Rounds of two under one pair of needed faces."""

    def __init__(self, need: tuple[int, int]) -> None:
        self.game = Midnight(need)
        self.turn = turn(need)
        self.scores = self.turn.scores
        self.sheet = Sheet(self.game, self.game.start(1))
        against = np.array(self.scores)
        self._half = (np.sign(against[:, None] - against[None, :]) + 1) / 2  # first seat's share, [first, second]

    def chances(self, policy: Policy[Turns, Keep], beat: int | None = None) -> Floats:
        """[scores] how a turn ends, as first of two seats, or as second with a score to beat."""
        scores = () if beat is None else (beat,)

        def seated(game: Game[Turns, Keep], state: Turns) -> tuple[tuple[Keep, int], ...]:
            return policy(game, Turns(2, scores, state.locked, state.free))

        found = np.zeros(len(self.scores))
        for result, chance in self.sheet.chances(seated).items():
            found[self.scores.index(result.scores[0])] += chance
        return found

    def player(self, policy: Policy[Turns, Keep], watches: bool) -> Player:
        """A policy's scores. watches: whether it looks at the score to beat; if not, it is asked once."""
        opens = self.chances(policy)
        replies = [self.chances(policy, beat) for beat in self.scores] if watches else [opens] * len(self.scores)
        return Player(opens, np.array(replies))

    def perfect(self) -> Player:
        """Best play in a match of one round, as the bot ``perfect`` has it: of equally good keeps the first."""
        return self.player(best(self.game.need), watches=True)

    def share(self, first: Player, second: Player) -> float:
        """The first seat's share of the round."""
        return float(first.opens @ (second.replies * self._half).sum(axis=1))

    def result(self, first: Player, second: Player) -> tuple[float, float, float]:
        """The chances that the first seat wins the round, that it is equal, and that the second wins it."""
        joint = first.opens[:, None] * second.replies
        return tuple(float(joint[self._half == share].sum()) for share in (1.0, 0.5, 0.0))  # type: ignore[return-value]


@cache
def contest(need: tuple[int, int] = (1, 4)) -> Contest:
    """The contest of a pair."""
    return Contest(need)


def best(need: tuple[int, int]) -> Policy[Turns, Keep]:
    """Best play of either seat in a match of one round of two, as a policy; of equally good keeps the first."""
    turned, worth = turn(need), win(need, "share", 2, nobody=0.5)
    solved: dict[int | None, Solved] = {}

    def play(game: Any, state: Turns) -> tuple[tuple[Keep, int], ...]:
        beat = state.scores[0] if state.scores else None
        if beat not in solved:
            utility = worth.utility(0, 0, 1) if beat is None else worth.utility(beat, 1 if beat else 0, 0)
            solved[beat] = turned.solve(utility)
        value = solved[beat].value
        keep = max(turned.after(state.locked, state.free), key=lambda after: round(float(value[after[1]]), 12))[0]
        return ((keep, 1),)

    return play
