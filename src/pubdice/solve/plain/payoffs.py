"""What a round is played for: at every kind of end, what the match is worth afterwards."""

from dataclasses import dataclass

import numpy as np

from pubdice.solve.arrays import Floats
from pubdice.solve.plain.match_graph import MatchGraph
from pubdice.solve.plain.positions import Numbers


@dataclass(frozen=True, eq=False)
class Payoffs:
    """The branches of a match graph as arrays.

    gained: [branches, columns]. following: [branches] the node, -1 for none. where: [branches, columns] the column
    there. ends: [nodes] the branch of every kind of end.
    """

    gained: Floats
    following: Numbers
    where: Numbers
    ends: tuple[Numbers, ...]

    @classmethod
    def of(cls, graph: MatchGraph) -> "Payoffs":
        """The payoffs of a graph."""
        columns = range(len(graph.branches[0].gained))
        return cls(
            np.array([branch.gained for branch in graph.branches], dtype=np.float64),
            np.array([branch.following for branch in graph.branches], dtype=np.int64),
            np.array([(*branch.where, *columns[len(branch.where) :]) for branch in graph.branches], dtype=np.int64),
            graph.ends,
        )

    def at(self, nodes: Numbers, value: Floats) -> Floats:
        """[ends, lanes, columns] for rounds that begin at some nodes, a lane each; value: [all nodes, columns]."""
        branch = np.stack([self.ends[node] for node in nodes.tolist()], axis=1)
        payoff: Floats = self.gained[branch]
        goes_on = self.following[branch] >= 0
        there = branch[goes_on]
        payoff[goes_on] += value[self.following[there][:, None], self.where[there]]
        return payoff

    def constant(self) -> float | None:
        """What two seats share, where it is always the same and paid when the match ends; else None."""
        over = self.following < 0
        sums = self.gained[over].sum(axis=1)
        if self.gained.shape[1] != 2 or self.gained[~over].any() or not over.any() or (sums != sums[0]).any():
            return None
        return float(sums[0])

    def bounds(self, nodes: Numbers, low: Floats, high: Floats, total: float) -> tuple[Floats, Floats]:
        """([ends, lanes] the least, the greatest) a round comes to for the opener of two seats; low, high: [all nodes].

        Where the other seat opens the next round, its least is this one's greatest.
        """
        branch = np.stack([self.ends[node] for node in nodes.tolist()], axis=1)
        following, stays = self.following[branch], self.where[branch, 0] == 0
        least = np.where(stays, low[following], total - high[following])
        most = np.where(stays, high[following], total - low[following])
        over = following < 0
        gained = self.gained[branch, 0]
        return np.where(over, gained, least), np.where(over, gained, most)
