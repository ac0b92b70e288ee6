"""The order in which to solve a graph with cycles: cycle by cycle, each cut open.

A *cycle* is a strongly connected component. All that it leads to is solved before it. A *block* is a set of cycles that
do not lead to each other, so they are solved together. *Cut* nodes open a cycle: without them it has no loop, so its
other nodes follow from them in one pass. A node is cut if a depth-first search meets it again while it is still on the
search path (Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1, 1972). If one seat's
turn leads to the next seat's and back, one cut node is enough.
"""

from array import array
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def rows(starts: Numbers, chosen: Numbers) -> Numbers:
    """The places of the chosen rows' entries, one run behind the other.

    >>> rows(np.array([0, 2, 2, 5]), np.array([2, 0])).tolist()
    [2, 3, 4, 0, 1]
    """
    lengths = starts[chosen + 1] - starts[chosen]
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts[chosen] - before, lengths) + np.arange(lengths.sum())


def heights(starts: Numbers, after: Numbers) -> Numbers:
    """[rows] the longest path from each row to one without followers, or -1 if it can reach a cycle."""
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
    """The cycles of a graph, as arrays by node."""

    block: Numbers
    """The number of its block. The blocks it leads to have smaller numbers."""
    cycle: Numbers
    """The number of its cycle."""
    cut: Numbers
    """1 if it is cut."""
    height: Numbers
    """The longest path within its cycle, once cut, to a node without followers in it."""
    column: Numbers
    """The place of a cut node among the cut nodes of its cycle."""


def cycles(starts: Numbers, after: Numbers) -> Cycles:
    """The cycles of a graph. Followers below 0 are outside it."""
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
    """Edges as runs by the node before them: (starts, after)."""
    order = np.argsort(before, kind="stable")
    return np.concatenate(([0], np.cumsum(np.bincount(before, minlength=count)))), after[order]


def _flat(numbers: Numbers) -> "array[int]":
    """The numbers without a Python object for each: a fifth of the memory of a list."""
    flat = array("q")
    flat.frombytes(numbers.tobytes())
    return flat


def _searched(starts: "array[int]", after: "array[int]") -> "tuple[array[int], bytearray]":
    """([nodes] the number of the node's cycle, [nodes] 1 if it is cut). Tarjan's algorithm without recursion."""
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
                    place[node] = at  # looked at again when it is done
                    path.append(each)
                    break
                cut[each] |= on_path[each]
                lowest = min(lowest, low[each])
            low[node] = lowest
            if path[-1] == node:
                path.pop()
                on_path[node] = 0
                if lowest == seen[node]:
                    while cycle[node] < 0:  # all waiting nodes down to this one are one cycle
                        cycle[waiting.pop()] = found
                    found += 1
    return cycle, cut
