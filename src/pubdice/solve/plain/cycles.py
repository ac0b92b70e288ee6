"""The order in which to solve a graph with cycles: cycle by cycle, after each cycle is cut open.

A *cycle* is a strongly connected component. It is solved after all nodes that it leads to. A *block* is a set of cycles
that do not lead to each other, so they are solved together. *Cut* nodes open a cycle: without them it has no loop, so
its other nodes follow from them in one pass. A node is cut if a depth-first search meets it again while it is still on
the search path (Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1, 1972). If one
seat's turn leads to the next seat's turn and back, one cut node is enough.

A graph is given as ``starts`` and ``after``: ``after[starts[i] : starts[i + 1]]`` are the followers of node i.
"""

from array import array
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def rows(starts: Numbers, chosen: Numbers) -> Numbers:
    """Return the indices of the chosen rows' entries, one row behind the other.

    >>> rows(np.array([0, 2, 2, 5]), np.array([2, 0])).tolist()
    [2, 3, 4, 0, 1]
    """
    lengths = starts[chosen + 1] - starts[chosen]
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts[chosen] - before, lengths) + np.arange(lengths.sum())


def heights(starts: Numbers, after: Numbers) -> Numbers:
    """Return [nodes] the length of the longest path from each node to a node without followers. -1 if the node can
    reach a cycle.
    """
    count = len(starts) - 1
    left = np.diff(starts)
    parents = np.repeat(np.arange(count), left)[np.argsort(after, kind="stable")]
    parent_starts = np.concatenate(([0], np.cumsum(np.bincount(after, minlength=count))))
    height = np.full(count, -1, dtype=np.int64)
    ready, level = np.flatnonzero(left == 0), 0
    while len(ready):
        height[ready] = level
        above, times = np.unique(parents[rows(parent_starts, ready)], return_counts=True)
        left[above] -= times
        ready, level = above[left[above] == 0], level + 1
    return height


@dataclass(frozen=True, eq=False)
class Cycles:
    """The cycles of a graph. Each array has one entry for each node."""

    block: Numbers
    """The number of the node's block. The blocks that a block leads to have smaller numbers."""
    cycle: Numbers
    """The number of the node's cycle."""
    cut: Numbers
    """1 if the node is cut."""
    height: Numbers
    """The length of the longest path from the node through nodes of its cycle that are not cut. 0 for a cut node."""
    column: Numbers
    """The place of a cut node among the cut nodes of its cycle, from 0."""


def cycles(starts: Numbers, after: Numbers) -> Cycles:
    """Find the cycles of a graph. A follower below 0 is outside the graph."""
    cycle, cut = (np.array(each, dtype=np.int64) for each in _searched(_flat(starts), _flat(after)))
    count = len(cycle)
    before = np.repeat(np.arange(count), np.diff(starts))
    inner = after >= 0
    before, after = before[inner], after[inner]
    leaves = cycle[before] != cycle[after]
    block = heights(*_runs(cycle[before[leaves]], cycle[after[leaves]], int(cycle.max()) + 1))[cycle]
    within = ~leaves & (cut[after] == 0)
    height = np.where(cut, 0, heights(*_runs(before[within], after[within], count)))
    column = np.zeros(count, dtype=np.int64)
    cuts = np.flatnonzero(cut)
    cuts = cuts[np.argsort(cycle[cuts], kind="stable")]
    runs = np.unique(cycle[cuts], return_counts=True)[1]
    column[cuts] = np.arange(len(cuts)) - np.repeat(np.cumsum(runs) - runs, runs)
    return Cycles(block, cycle, cut, height, column)


def _runs(before: Numbers, after: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """Sort edges by the node that they leave: (starts, after)."""
    order = np.argsort(before, kind="stable")
    return np.concatenate(([0], np.cumsum(np.bincount(before, minlength=count)))), after[order]


def _flat(numbers: Numbers) -> "array[int]":
    """Copy the numbers into an ``array``. A list would have an object for each number, five times the memory."""
    flat = array("q")
    flat.frombytes(numbers.tobytes())
    return flat


def _searched(starts: "array[int]", after: "array[int]") -> "tuple[array[int], bytearray]":
    """Run Tarjan's algorithm, without recursion.

    Returns ([nodes] the number of the node's cycle, [nodes] 1 if the node is cut).
    """
    count = len(starts) - 1
    seen, low, place = array("q", [0]) * count, array("q", [0]) * count, starts[:-1]
    cycle, cut, on_path = array("q", [-1]) * count, bytearray(count), bytearray(count)
    waiting: list[int] = []
    number = found = 0
    for root in range(count):
        path = [] if seen[root] else [root]
        while path:
            node = path[-1]
            if not seen[node]:
                number += 1
                seen[node] = low[node] = number
                on_path[node] = 1
                waiting.append(node)
            lowest = low[node]
            for at in range(place[node], starts[node + 1]):
                each = after[at]
                if each < 0 or cycle[each] >= 0:
                    continue
                if not seen[each]:
                    place[node] = at  # look at this follower again when its search is done
                    path.append(each)
                    break
                cut[each] |= on_path[each]
                lowest = min(lowest, low[each])
            low[node] = lowest
            if path[-1] == node:
                path.pop()
                on_path[node] = 0
                if lowest == seen[node]:
                    while cycle[node] < 0:  # all waiting nodes down to this node are one cycle
                        cycle[waiting.pop()] = found
                    found += 1
    return cycle, cut
