"""What best play comes to in a round besides its value: who wins it alone, who ties, who scores how much.

Ends that the match cannot tell apart may have other winners. So the positions are merged once more, by what the match
makes of an end and by its winners; columns for winning alone and for winning with others stand beside the payoff, and
nobody maximises them.
"""

import numpy as np

from pubdice.solve.arrays import Floats
from pubdice.solve.plain.best_play import every_value
from pubdice.solve.plain.positions import Numbers, Positions
from pubdice.solve.plain.round_graph import build


class RoundChances:
    """A round in which ends are told apart by their winners too. kinds: [results] what the match tells apart."""

    def __init__(self, found: Positions, kinds: Numbers) -> None:
        self.found = found
        numbered: dict[tuple[int, tuple[int, ...]], int] = {}
        pairs = zip(kinds.tolist(), [tuple(result.winners) for result in found.results], strict=True)
        self.graph = build(found, np.array([numbered.setdefault(pair, len(numbered)) for pair in pairs]))
        self._kind = np.array([kind for kind, _ in numbered])
        self._won = np.zeros((len(numbered), 2 * found.seats))
        for end, (_, winners) in enumerate(numbered):
            tied = len(winners) > 1
            self._won[end, [seat + found.seats * tied for seat in winners]] = 1.0

    def table(self, payoff: Floats) -> Floats:
        """[positions' nodes, (win, share, score to come) of every seat] where the round is played for ``payoff``.

        payoff: [kinds, columns] of the ends as the match tells them apart.
        """
        columns = payoff.shape[1]
        played_for = np.concatenate((payoff[self._kind], self._won), axis=1)
        return every_value(self.graph, played_for[:, None, :])[:, 0, columns:]

    def facts(self, table: Floats, position: int, seat: int) -> dict[str, float]:
        """For a seat, from a position on: the chances to ``win`` the round alone and to ``share`` it, and the
        ``mean`` of its score.
        """
        win, tie, score = table[self.graph.node[position]].reshape(3, -1)[:, seat].tolist()
        return {"win": win, "share": tie, "mean": float(self.graph.had[position, seat]) + score}
