"""A single seat, which plays for its score: one round, as rounds of one seat say nothing of each other.

Where the lowest score wins, what is played for is its negative. One seat's results cannot show that, so rounds of two
seats are played at random: always the same ones, by the linear congruential generator of Knuth's MMIX.
"""

from typing import Any

import numpy as np

from pubdice.core.dice import FACES
from pubdice.core.game import Game, RoundResult
from pubdice.solve.arrays import Floats
from pubdice.solve.plain.best_play import every_value
from pubdice.solve.plain.positions import Positions
from pubdice.solve.plain.round_graph import best_score, build

TRIES = 100
LONGEST = 1_000
"""Rounds of two seats that are played, and steps of each."""


class RoundAlone:
    """A round for one seat. value: [nodes] of each; sign: -1 where the lowest score wins, else 1."""

    def __init__(self, game: Game[Any, Any], found: Positions) -> None:
        self.sign = -1 if game.most_seats > 1 and best_score(sampled(game)) < 0 else 1
        self.graph = build(found, np.arange(len(found.results)))
        scores = np.array([result.scores[0] for result in found.results], dtype=np.float64)
        self._payoff: Floats = self.sign * scores
        self.most = float(np.abs(scores).max())

    def table(self) -> Floats:
        """[nodes, 1] what each position is worth."""
        return every_value(self.graph, self._payoff[:, None, None])[:, 0, :1]


def sampled(game: Game[Any, Any]) -> list[RoundResult]:
    """Results of some rounds of two seats."""
    number, found = 1, []
    for _ in range(TRIES):
        state = game.start(2)
        for _ in range(LONGEST):
            result = game.result(state)
            if result is not None:
                found.append(result)
                break
            dice: list[int] = []
            number = _next(number)
            for _ in range(game.to_roll(state)):
                dice.append(FACES[(number >> 33) % len(FACES)])
                number = _next(number)
            legal = game.legal(state)
            state = (
                game.roll(state, tuple(sorted(dice))) if dice else game.play(state, legal[(number >> 33) % len(legal)])
            )
    return found


def _next(number: int) -> int:
    return (number * 6364136223846793005 + 1442695040888963407) % 2**64
