"""The order in which a graph that comes back to where it was can be worked out: cycle by cycle, each cut open.

Nodes that lead to each other are one *cycle* (a strongly connected component). What a cycle leads to is worked out
before it; cycles of one *block* lead to none of each other, and are worked out together. Within a cycle some nodes are
*cut*: without them nothing in it comes back, so its other nodes follow from them in one pass. The nodes to which a
search goes back while it is still on its way from them are such nodes (Tarjan, Depth-first search and linear graph
algorithms, SIAM Journal on Computing 1, 1972). Where a turn leads to the next seat's and that back to it, one will do.
"""

from array import array
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def rows(starts: Numbers, chosen: Numbers) -> Numbers:
    """The places of the runs of the rows chosen, one run behind the other.

    >>> rows(np.array([0, 2, 2, 5]), np.array([2, 0])).tolist()
    [2, 3, 4, 0, 1]
    """
    lengths = starts[chosen + 1] - starts[chosen]
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts[chosen] - before, lengths) + np.arange(lengths.sum())


def heights(starts: Numbers, after: Numbers) -> Numbers:
    """[rows] the most steps from each row to one without followers; -1 where a cycle can be reached."""
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
    """[nodes] of each: block: its number, what it leads to has smaller ones. cycle: its number. cut: 1 if it is cut.

    height: the most steps to one of its cycle without followers in it, once cut. column: a cut node's place among those
    of its cycle.
    """

    block: Numbers
    cycle: Numbers
    cut: Numbers
    height: Numbers
    column: Numbers


def cycles(starts: Numbers, after: Numbers) -> Cycles:
    """The cycles of a graph; followers below 0 are outside it."""
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
    """Numbers without an object each: a fifth of the memory of a list."""
    flat = array("q")
    flat.frombytes(numbers.tobytes())
    return flat


def _searched(starts: "array[int]", after: "array[int]") -> "tuple[array[int], bytearray]":
    """([nodes] the number of its cycle, 1 where a cycle is cut), without recursion."""
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
                    place[node] = at  # looked at once more when it is done
                    path.append(each)
                    break
                cut[each] |= on_path[each]
                lowest = min(lowest, low[each])
            low[node] = lowest
            if path[-1] == node:
                path.pop()
                on_path[node] = 0
                if lowest == seen[node]:
                    while cycle[node] < 0:  # all that wait, down to this one, are one cycle
                        cycle[waiting.pop()] = found
                    found += 1
    return cycle, cut
