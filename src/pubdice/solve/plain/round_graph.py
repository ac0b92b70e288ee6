"""A round as a graph, its positions merged by who moves and what can follow; what a score pays is paid on the way.

Definition. Two positions are *alike* if the same seat moves, and what can follow is alike in the same order of actions
(or, at a roll, with the same chances), and pays the same. Ends are alike if the match goes on alike after both
(``ends``, [results]), whatever the scores. Found from the ends upward (``NodeRows``), this is the bisimulation of
``solve.finite.graph`` with the mover. A forced move leads where its one follower is.

Scores. Seats who are indifferent play for their own score, so scores must not be forgotten with the ends. They are
*paid* where they become certain: a position from which all ends give a seat the same score has had it paid, and the
step there from one where it was open pays it. So two positions that differ only by scores already made are one node:
after the first of two turns of Mexico, only the score that must be beaten and the limit count.

Nodes. The ends are the first, then nodes by height, so that what follows has a smaller number. Where a round need not
end, the nodes from which a cycle can be reached come last (``loose``), by their least distance from the start, the
furthest first; what follows them may have a greater number, and nothing is paid in such a round.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.arrays import Floats
from pubdice.solve.plain.positions import CHANCE, END, Numbers, Positions, heights, rows

# NodeRows of numbers that say the same, found and given one number: the merge of positions that are built alike.
#
# A row is a run of (after, paid, ways): the nodes that follow a position, what the step there pays, in how many ways
# it comes. At a roll neither order nor common factors matter. At a choice the order of the actions does, as the first
# of equally good ones is taken; an action that leads where an earlier one leads adds nothing.
#
# Rows are compared by two sums of 64-bit hashes, and then number by number with the row found to be alike, so no
# chance of a collision is left in the result.


Hashes = NDArray[np.uint64]
_SALTS = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)


@dataclass(frozen=True, eq=False)
class NodeRows:
    """Runs laid end to end: run i is ``after[starts[i] : starts[i + 1]]``, and the same of ``paid`` and ``ways``."""

    starts: Numbers
    after: Numbers
    paid: Numbers
    ways: Numbers

    def __len__(self) -> int:
        return len(self.starts) - 1

    def taken(self, chosen: Numbers) -> "NodeRows":
        """Some of the rows, in the order asked for."""
        places = rows(self.starts, chosen)
        lengths = self.starts[chosen + 1] - self.starts[chosen]
        return NodeRows(_laid(lengths), self.after[places], self.paid[places], self.ways[places])


def _laid(lengths: Numbers) -> Numbers:
    return np.concatenate(([0], np.cumsum(lengths)))


def _of_row(found: NodeRows) -> Numbers:
    return np.repeat(np.arange(len(found)), np.diff(found.starts))


def _changes(*keys: Numbers) -> NDArray[np.bool_]:
    """Where any of the sorted keys differs from the one before; the first place always."""
    changed = np.ones(len(keys[0]), dtype=np.bool_)
    changed[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return changed


def roll_rows(found: NodeRows) -> NodeRows:
    """The rows of rolls, each step once: sorted, ways added up and divided by what divides them all."""
    row = _of_row(found)
    order = np.lexsort((found.paid, found.after, row))
    row, after, paid = row[order], found.after[order], found.paid[order]
    first = np.flatnonzero(_changes(row, after, paid))
    ways = np.add.reduceat(found.ways[order], first)
    row = row[first]
    starts = _laid(np.bincount(row, minlength=len(found)))
    ways = ways // np.gcd.reduceat(ways, starts[:-1])[row]
    return NodeRows(starts, after[first], paid[first], ways)


def choice_rows(found: NodeRows) -> NodeRows:
    """The rows of choices, each step once, where it stood first."""
    row = _of_row(found)
    order = np.lexsort((np.arange(len(row)), found.paid, found.after, row))
    kept = np.sort(order[_changes(row[order], found.after[order], found.paid[order])])
    starts = _laid(np.bincount(row[kept], minlength=len(found)))
    return NodeRows(starts, found.after[kept], found.paid[kept], found.ways[kept])


def alike(found: NodeRows) -> tuple[Numbers, Numbers]:
    """([kinds] the first row of each kind, in the order of these, [rows] the kind of every row)."""
    lengths = np.diff(found.starts)
    place = np.arange(len(found.after)) - np.repeat(found.starts[:-1], lengths)
    sums = [_row_hashes(found, place, salt) for salt in _SALTS]
    order = np.lexsort((sums[1], sums[0], lengths))
    changed = _changes(lengths[order], *[each[order] for each in sums])
    firsts = order[changed]  # lexsort is stable, so each is the smallest of its kind
    kind = np.empty(len(found), dtype=np.int64)
    kind[order] = np.cumsum(changed) - 1
    ranked = np.argsort(firsts)
    firsts, kind = firsts[ranked], np.argsort(ranked)[kind]
    other = rows(found.starts, firsts[kind])
    for each in (found.after, found.paid, found.ways):
        if not np.array_equal(each, each[other]):  # two rows out of 2^64 pairs: never seen
            raise ArithmeticError("rows that differ have the same hashes")
    return firsts, kind


def _row_hashes(found: NodeRows, place: Numbers, salt: int) -> Any:
    mixed = _mixed(found.after.astype(np.uint64) + np.uint64(salt))
    for each in (found.paid, found.ways, place):
        mixed = _mixed(mixed ^ each.astype(np.uint64))
    return np.add.reduceat(mixed, found.starts[:-1])


def _mixed(numbers: Hashes) -> Hashes:
    """Stafford's variant 13 of the finalizer of MurmurHash3, as splitmix64 uses it."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = numbers ^ (numbers >> np.uint64(31))
    return mixed


@dataclass(frozen=True, eq=False)
class GraphStep:
    """Neighbouring nodes with one mover (or CHANCE), none of which follows another of them unless they are loose.

    first, behind: the first node and the one behind the last. starts: [nodes] of runs. after, paid: what follows, and
    the row of ``RoundGraph.scores`` that it pays. prob: at a roll the chance of each. pays: whether any pays.
    """

    first: int
    behind: int
    mover: int
    starts: Numbers
    after: Numbers
    prob: Floats
    paid: Numbers
    pays: bool


@dataclass(frozen=True, eq=False)
class RoundGraph:
    """A round as arrays.

    ends: how many kinds of end, the first nodes. steps: upward. loose: the steps of nodes that need not end. node:
    [positions] of every position. scores: [kinds of payment, seats], the first pays nothing. had: [positions, seats]
    the scores that are certain there; 0 for others. sign: 1 where the highest score
    wins, -1 where the lowest does, 0 where neither can be said.
    """

    seats: int
    ends: int
    steps: tuple[GraphStep, ...]
    loose: tuple[GraphStep, ...]
    node: Numbers
    scores: Floats
    had: Numbers
    sign: int

    @property
    def start(self) -> int:
        """The node where a round begins."""
        return int(self.node[0])

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        steps = self.loose or self.steps
        return steps[-1].behind if steps else self.ends

    @property
    def edges(self) -> int:
        """How many steps from node to node there are: the work of one pass."""
        return sum(len(step.after) for step in (*self.steps, *self.loose))


def build(found: Positions, ends: Numbers) -> RoundGraph:
    """The graph of a round. ends: [results] the kind of each, counted from 0 without a gap."""
    height = heights(found.starts, found.after)
    builder = _GraphBuilder(found, height, ends)
    for level in range(1, int(height.max()) + 1):
        builder.add(np.flatnonzero(height == level))
    loose = builder.add_loose(np.flatnonzero(height < 0)) if height.min() < 0 else ()
    count = int(ends.max()) + 1
    sign = -1 if found.lowest_wins else 1
    steps, node, scores = tuple(builder.steps), builder.node, builder.scores
    return RoundGraph(found.seats, count, steps, loose, node, scores, builder.had, sign)


def certain_scores(found: Positions, height: Numbers) -> tuple[Numbers, Numbers]:
    """([positions, seats] the least and the greatest score that each seat can still come to."""
    scores = np.array([result.scores for result in found.results], dtype=np.int64)
    low, high = (np.zeros((len(found.mover), found.seats), dtype=np.int64) for _ in range(2))
    over = found.mover == END
    low[over] = high[over] = scores[found.result[over]]
    for level in range(1, int(height.max()) + 1):
        here = np.flatnonzero(height == level)
        after = found.after[rows(found.starts, here)]
        lengths = found.starts[here + 1] - found.starts[here]
        starts = np.cumsum(lengths) - lengths
        low[here] = np.minimum.reduceat(low[after], starts)
        high[here] = np.maximum.reduceat(high[after], starts)
    return low, high


class _GraphBuilder:
    """Nodes made so far, and the node of every position that has one."""

    def __init__(self, found: Positions, height: Numbers, ends: Numbers) -> None:
        self.found = found
        self.node = np.full(len(found.mover), -1, dtype=np.int64)
        over = found.mover == END
        self.node[over] = ends[found.result[over]]
        self.nodes = int(ends.max()) + 1
        self.steps: list[GraphStep] = []
        self.had = np.zeros((len(found.mover), found.seats), dtype=np.int64)
        self.paid, self.scores = self._payments(height)

    def _payments(self, height: Numbers) -> tuple[Numbers, Floats]:
        """([moves] the kind of payment, [kinds, seats] what it pays); nothing in a round that need not end."""
        found = self.found
        paid = np.zeros(len(found.after), dtype=np.int64)
        nothing = np.zeros((1, found.seats))
        if height.min() < 0:
            return paid, nothing
        low, high = certain_scores(found, height)
        self.had = had = np.where(low == high, low, 0)
        certain = (low == high).sum(axis=1)
        before = np.repeat(np.arange(len(found.mover)), np.diff(found.starts))
        paying = np.flatnonzero(certain[found.after] > certain[before])
        if not len(paying):
            return paid, nothing
        amounts = had[found.after[paying]] - had[before[paying]]
        kinds, kind = np.unique(amounts, axis=0, return_inverse=True)
        paid[paying] = kind.reshape(-1) + 1
        return paid, np.concatenate((nothing, kinds.astype(np.float64)))

    def _rows(self, here: Numbers) -> NodeRows:
        found, places = self.found, rows(self.found.starts, here)
        lengths = found.starts[here + 1] - found.starts[here]
        starts = np.concatenate(([0], np.cumsum(lengths)))
        return NodeRows(starts, self.node[found.after[places]], self.paid[places], found.ways[places])

    def add(self, here: Numbers) -> None:
        """Positions all of whose followers have their nodes."""
        for mover in np.unique(self.found.mover[here]).tolist():
            mine = here[self.found.mover[here] == mover]
            made = (roll_rows if mover == CHANCE else choice_rows)(self._rows(mine))
            forced = (np.diff(made.starts) == 1) & (made.paid[made.starts[:-1]] == 0)
            self.node[mine[forced]] = made.after[made.starts[:-1][forced]]
            if forced.all():
                continue
            made = made.taken(np.flatnonzero(~forced))
            firsts, kind = alike(made)
            self.node[mine[~forced]] = self.nodes + kind
            self.steps.append(_step(self.nodes, mover, made.taken(firsts)))
            self.nodes += len(firsts)

    def add_loose(self, here: Numbers) -> tuple[GraphStep, ...]:
        """Positions from which a cycle can be reached: merged as far as their followers show them to be alike."""
        mover = self.found.mover[here]
        distance = np.array(_distances(self.found))[here]
        here = here[np.lexsort((here, mover, -distance))]
        mover, distance = self.found.mover[here], np.sort(distance)[::-1]
        first = self.nodes
        self.node[here] = first + np.arange(len(here))
        kinds = len(here)
        while True:  # what follows becomes alike, and then what it follows
            made = _both(self._rows(here), mover)
            tagged = NodeRows(made.starts, made.after, np.repeat(mover, np.diff(made.starts)) + 1, made.ways)
            firsts, kind = alike(tagged)
            self.node[here] = first + kind
            if len(firsts) == kinds:
                break
            kinds = len(firsts)
        made = _both(self._rows(here), mover).taken(firsts)
        changed = (np.diff(mover[firsts]) != 0) | (np.diff(distance[firsts]) != 0)
        cuts = [0, *(np.flatnonzero(changed) + 1).tolist(), kinds]
        self.nodes += kinds
        return tuple(
            _step(first + low, int(mover[firsts[low]]), made.taken(np.arange(low, high)))
            for low, high in pairwise(cuts)
        )


def _both(found: NodeRows, mover: Numbers) -> NodeRows:
    """NodeRows of rolls and of choices, each put in order by its own rule, laid as they stood."""
    rolled, chosen = np.flatnonzero(mover == CHANCE), np.flatnonzero(mover != CHANCE)
    parts = [make(found.taken(some)) for make, some in ((roll_rows, rolled), (choice_rows, chosen)) if len(some)]
    starts = np.concatenate([[0], *[part.starts[1:] for part in parts]])
    for at in range(1, len(parts)):
        starts[len(parts[0]) + 1 :] += parts[0].starts[-1] * at
    joined = NodeRows(
        starts,
        np.concatenate([part.after for part in parts]),
        np.concatenate([part.paid for part in parts]),
        np.concatenate([part.ways for part in parts]),
    )
    return joined.taken(np.argsort(np.concatenate((rolled, chosen))))


def _distances(found: Positions) -> list[int]:
    """The least number of steps from the start to every position; positions are numbered in that order."""
    distance = np.full(len(found.mover), -1, dtype=np.int64)
    distance[0] = 0
    fresh, steps = np.array([0]), 0
    while len(fresh):
        after = np.unique(found.after[rows(found.starts, fresh)])
        fresh, steps = after[distance[after] < 0], steps + 1
        distance[fresh] = steps
    reached: list[int] = distance.tolist()
    return reached


def _step(first: int, mover: int, made: NodeRows) -> GraphStep:
    starts = made.starts[:-1]
    prob = np.ones(len(made.ways))
    if mover == CHANCE:
        prob = made.ways / np.repeat(np.add.reduceat(made.ways, starts), np.diff(made.starts))
    return GraphStep(first, first + len(made), mover, starts, made.after, prob, made.paid, bool(made.paid.any()))
