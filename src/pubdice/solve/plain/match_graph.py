"""A match as a graph of merged standings, in the order in which they can be solved.

A *standing* is the situation of the match at the start of a round. Standings are alike if equally many seats play, and
every result of the round pays the same and leads to standings that are alike. The merge works from the end of the match
backward. In a match of rounds, it makes one node of all standings with the same lead. A standing is *decided* if every
result leads to the same end of the match. Then its payoff is added to the branches that lead to it. Standings on a
cycle (``cyclic``) are not merged.

Results of a round are alike if they have the same consequence from every standing. Each class of alike results is one
end of the round (``kinds``).
"""

from dataclasses import dataclass

import numpy as np

from pubdice.solve.arrays import Floats
from pubdice.solve.plain.cycles import Numbers, heights
from pubdice.solve.plain.standings import RoundBranch, StandingFinder
from pubdice.solve.plain.tallies import components


@dataclass(frozen=True, eq=False)
class MatchGraph:
    """The merged standings of a match. Each node stands for one or more standings that are alike."""

    node: Numbers
    """[standings found] the node of each standing."""
    playing: tuple[int, ...]
    """[nodes] the number of seats that play."""
    branches: tuple[RoundBranch, ...]
    """The possible consequences of a round. ``following`` is the number of a node."""
    ends: tuple[Numbers, ...]
    """[nodes] for every kind of end of the round, the index of its consequence in ``branches``."""
    kinds: dict[int, Numbers]
    """By the number of seats that play: [results] the kind of end of each result."""
    levels: tuple[tuple[bool, Numbers], ...]
    """Pairs (True if the nodes are on a cycle, the nodes). The nodes of a pair can be solved together, after the nodes
    of all pairs before it."""


class _Merger:
    """The nodes made so far. A node has a row of branches to other nodes, one branch for each result."""

    def __init__(self, found: StandingFinder) -> None:
        self.found = found
        self.node = np.full(len(found.standings), -1, dtype=np.int64)
        self.standing: list[int] = []  # one standing for each node
        self.rows: list[Numbers] = []
        self.branches: list[RoundBranch] = []
        self.decided: dict[int, RoundBranch] = {}  # by standing, the branch that it leads to
        self._numbered: dict[RoundBranch, int] = {}
        # the number of a branch between nodes, by the number of its branch between standings
        self._moved: dict[int, int] = {}
        self._nodes: dict[tuple[int, bytes], int] = {}

    def add(self, standing: int) -> None:
        """Give a standing its node. All standings that can follow it must have nodes already."""
        row = self.row(standing)
        only = self.branches[row[0]]
        if (row == row[0]).all() and only.following < 0:
            self.decided[standing] = only
        playing = self.found.standings[standing].playing
        self.node[standing] = node = self._nodes.setdefault((playing, row.tobytes()), len(self.rows))
        if node == len(self.rows):
            self.standing.append(standing)
            self.rows.append(row)

    def row(self, standing: int) -> Numbers:
        """Return the branches of a standing, as numbers of branches that lead to nodes."""
        return np.array([self.moved(branch) for branch in self.found.standings[standing].branches], dtype=np.int64)

    def moved(self, branch: int) -> int:
        """Convert the number of a branch between standings to the number of a branch between nodes."""
        number = self._moved.get(branch)
        if number is None:
            there = self.found.branches[branch]
            if there.following in self.decided:
                last = self.decided[there.following]
                extra = [last.gained[place] for place in there.where] + list(last.gained[len(there.where) :])
                gained = tuple([now + then for now, then in zip(there.gained, extra, strict=True)])
                there = RoundBranch(gained, -1, ())
            elif there.following >= 0:
                there = RoundBranch(there.gained, int(self.node[there.following]), there.where)
            number = self._moved[branch] = self._numbered.setdefault(there, len(self.branches))
            if number == len(self.branches):
                self.branches.append(there)
        return number


def merged(found: StandingFinder) -> MatchGraph:
    """Merge all standings found, from the end of the match backward."""
    merger = _Merger(found)
    following = [_after(found.branches, standing.branches) for standing in found.standings]
    starts = np.concatenate(([0], np.cumsum([len(each) for each in following]))).astype(np.int64)
    height = heights(starts, np.array([each for some in following for each in some], dtype=np.int64))
    for standing in np.argsort(height, kind="stable").tolist():
        if height[standing] >= 0:
            merger.add(standing)
    rest = np.flatnonzero(height < 0)
    merger.node[rest] = len(merger.rows) + np.arange(len(rest))
    merger.standing += rest.tolist()
    merger.rows += [merger.row(standing) for standing in rest.tolist()]
    playing = [found.standings[standing].playing for standing in merger.standing]
    kinds, ends = _kinds(playing, merger.rows)
    after = [_after(merger.branches, row.tolist()) for row in ends]
    return MatchGraph(merger.node, tuple(playing), tuple(merger.branches), ends, kinds, _levels(after))


def _after(branches: list[RoundBranch], chosen: list[int]) -> list[int]:
    return sorted({branches[each].following for each in set(chosen)} - {-1})


def _kinds(playing: list[int], found: list[Numbers]) -> tuple[dict[int, Numbers], tuple[Numbers, ...]]:
    """Number the kinds of end.

    Returns (by the number of seats that play, the kind of every result, [nodes] the branch of every kind of end).
    """
    kinds: dict[int, Numbers] = {}
    ends: list[Numbers] = [np.zeros(0, dtype=np.int64)] * len(found)
    for seats in sorted(set(playing)):
        mine = [node for node, many in enumerate(playing) if many == seats]
        columns = np.ascontiguousarray(np.stack([found[node] for node in mine]).T)
        numbered: dict[bytes, int] = {}
        kinds[seats] = np.array([numbered.setdefault(column.tobytes(), len(numbered)) for column in columns])
        firsts = np.unique(kinds[seats], return_index=True)[1]
        for place, node in enumerate(mine):
            ends[node] = columns[firsts, place]
    return kinds, tuple(ends)


def _levels(after: list[list[int]]) -> tuple[tuple[bool, Numbers], ...]:
    level: dict[int, int] = {}
    groups: dict[tuple[int, bool], list[int]] = {}
    for component in components(after):
        inside = set(component)
        behind = {level[each] for node in component for each in after[node] if each not in inside}
        here = max(behind, default=-1) + 1
        level.update((node, here) for node in component)
        cyclic = len(component) > 1 or component[0] in after[component[0]]
        groups.setdefault((here, cyclic), []).extend(component)
    return tuple((cyclic, np.array(sorted(nodes))) for (_, cyclic), nodes in sorted(groups.items()))


@dataclass(frozen=True, eq=False)
class Payoffs:
    """The branches of a match graph as arrays. The columns are those of the values (``standings``)."""

    gained: Floats  # [branches, columns] the payment to each column
    following: Numbers  # [branches] the next node, or -1 if the match is over
    where: Numbers  # [branches, columns] the column's place in the next node
    ends: tuple[Numbers, ...]  # [nodes] the branch of every kind of end

    @classmethod
    def of(cls, graph: MatchGraph) -> "Payoffs":
        """Collect the payoffs of a graph."""
        columns = range(len(graph.branches[0].gained))
        return cls(
            np.array([branch.gained for branch in graph.branches], dtype=np.float64),
            np.array([branch.following for branch in graph.branches], dtype=np.int64),
            np.array([(*branch.where, *columns[len(branch.where) :]) for branch in graph.branches], dtype=np.int64),
            graph.ends,
        )

    def at(self, nodes: Numbers, value: Floats) -> Floats:
        """Return [ends, lanes, columns] the payoffs of rounds that begin at these nodes, one lane for each node.

        value: [all nodes, columns] the values of the nodes that can follow.
        """
        branch = np.stack([self.ends[node] for node in nodes.tolist()], axis=1)
        payoff: Floats = self.gained[branch]
        goes_on = self.following[branch] >= 0
        there = branch[goes_on]
        payoff[goes_on] += value[self.following[there][:, None], self.where[there]]
        return payoff

    def constant(self) -> float | None:
        """Return the sum of both seats' payoffs, if it is constant and paid only at the end of the match, or None."""
        over = self.following < 0
        sums = self.gained[over].sum(axis=1)
        if self.gained.shape[1] != 2 or self.gained[~over].any() or not over.any() or (sums != sums[0]).any():
            return None
        return float(sums[0])

    def bounds(self, nodes: Numbers, low: Floats, high: Floats, total: float) -> tuple[Floats, Floats]:
        """Return ([ends, lanes] the least value to the opener after a round of two seats, [ends, lanes] the greatest).

        low, high: [all nodes] the bounds of the values. If the other seat opens the next round, its least value gives
        this seat's greatest.
        """
        branch = np.stack([self.ends[node] for node in nodes.tolist()], axis=1)
        following, stays = self.following[branch], self.where[branch, 0] == 0
        least = np.where(stays, low[following], total - high[following])
        most = np.where(stays, high[following], total - low[following])
        over = following < 0
        gained = self.gained[branch, 0]
        return np.where(over, gained, least), np.where(over, gained, most)
