"""A single seat, which plays for its score: one round, as rounds of one seat say nothing of each other.

Where the lowest score wins (``Game.lowest_wins``), what is played for is its negative.
"""

from typing import Any

import numpy as np

from pubdice.core.game import Game
from pubdice.solve.arrays import Floats
from pubdice.solve.plain.best_play import every_value
from pubdice.solve.plain.positions import Positions
from pubdice.solve.plain.round_graph import build


class RoundAlone:
    """A round for one seat. value: [nodes] of each; sign: -1 where the lowest score wins, else 1."""

    def __init__(self, game: Game[Any, Any], found: Positions) -> None:
        self.sign = -1 if game.lowest_wins else 1
        self.graph = build(found, np.arange(len(found.results)))
        scores = np.array([result.scores[0] for result in found.results], dtype=np.float64)
        self._payoff: Floats = self.sign * scores
        self.most = float(np.abs(scores).max())

    def table(self) -> Floats:
        """[nodes, 1] what each position is worth."""
        return every_value(self.graph, self._payoff[:, None, None])[:, 0, :1]
