"""A round as a graph, in which positions with the same mover and the same followers are merged.

Definition. Two positions are *alike* if the same seat moves, and their followers are alike and pay the same, in the
same order of actions or with the same chances of a roll. Ends are alike if the match goes on alike after both
(``ends``, [results]), at any scores. The merge works from the ends upward (``NodeRows``). It is the bisimulation of
``solve.finite.enumerated``, with the mover added. A position with only one move has the node of its one follower.

Scores. A seat that has several equally good actions prefers its own score, so ends cannot drop scores. Each score is
*paid* on the step that makes it certain: the step to a position from which all ends give a seat the same score. So
positions that differ only by scores already made are one node. For example, after the first of two turns of Mexico,
only the score to beat and the limit count.

Nodes. The ends come first, then nodes by height, so followers have smaller numbers. In a round that need not end, the
nodes that can reach a cycle are called *loose*. They come last, in blocks. Each block comes after the blocks that it
leads to. ``cycles`` gives the order within a block. Nothing is paid in such a round.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pubdice.solve.arrays import Floats
from pubdice.solve.plain.cycles import Numbers, cycles, heights, rows
from pubdice.solve.plain.node_rows import NodeRows, alike, choice_rows, roll_rows
from pubdice.solve.plain.positions import CHANCE, END, MANY, MOST_MERGES, WORTH, Positions


@dataclass(frozen=True, eq=False)
class GraphStep:
    """Nodes with consecutive numbers and the same mover (or CHANCE).

    Unless they are loose, none of them follows another.
    """

    first: int
    behind: int  # one more than the number of the last node
    mover: int
    starts: Numbers  # [nodes] the start of each node's run in ``after``
    after: Numbers  # the followers of all nodes, run by run
    prob: Floats  # for each follower, its chance at a roll, 1 at a choice
    paid: Numbers  # for each follower, the row of ``RoundGraph.scores`` that the step to it pays
    pays: bool  # True if the step to any follower pays


@dataclass(frozen=True, eq=False)
class LooseBlock:
    """Cycles that do not lead to each other, with the nodes at which each cycle is cut open (``cycles``)."""

    first: int
    behind: int  # one more than the number of the last node
    steps: tuple[GraphStep, ...]  # the nodes that are not cut, in an order in which each follows from nodes before it
    cut_steps: tuple[GraphStep, ...]  # the cut nodes, which are the last of the block
    columns: Numbers  # [cut nodes] the node's place among the cut nodes of its cycle
    cycle: Numbers  # [cut nodes] the number of the node's cycle

    @property
    def cuts(self) -> slice:
        """The numbers of the cut nodes."""
        return slice(self.behind - len(self.columns), self.behind)


@dataclass(frozen=True, eq=False)
class RoundGraph:
    """A round as arrays, after the merge."""

    seats: int
    ends: int  # the number of kinds of end, which are the first nodes
    steps: tuple[GraphStep, ...]  # the nodes that cannot reach a cycle, from the ends upward
    loose: tuple["LooseBlock", ...]  # the nodes that can reach a cycle
    node: Numbers  # [positions] the node of each position
    scores: Floats  # [kinds of payment, seats] the score that each seat gets. Kind 0 pays nothing.
    had: Numbers  # [positions, seats] the scores that are certain at each position, 0 for seats whose score is open
    sign: int  # 1 if the highest score wins, -1 if the lowest does

    @property
    def start(self) -> int:
        """The node at which a round begins."""
        return int(self.node[0])

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        if self.loose:
            return self.loose[-1].behind
        return self.steps[-1].behind if self.steps else self.ends

    @property
    def edges(self) -> int:
        """The number of edges. The work of one pass is proportional to it."""
        return sum(len(step.after) for step in (*self.steps, *self.loose_steps))

    @property
    def loose_steps(self) -> list[GraphStep]:
        """The steps of all loose blocks, in the order in which they are solved."""
        return [step for block in self.loose for step in (*block.steps, *block.cut_steps)]


def build(found: Positions, ends: Numbers) -> RoundGraph:
    """Build the graph of a round. ends: [results] the kind of end of each result, numbered from 0 without a gap."""
    height = heights(found.starts, found.after)
    builder = _GraphBuilder(found, height, ends)
    for level in range(1, int(height.max()) + 1):
        builder.add(np.flatnonzero(height == level))
    loose = builder.add_loose(np.flatnonzero(height < 0)) if height.min() < 0 else ()
    count = int(ends.max()) + 1
    sign = -1 if found.lowest_wins else 1
    steps, node, scores = tuple(builder.steps), builder.node, builder.scores
    return RoundGraph(found.seats, count, steps, loose, node, scores, builder.had, sign)


def by_winners(found: Positions) -> tuple[tuple[tuple[int, ...], ...], Numbers]:
    """Number the ends of a round by their winners, for rounds in which only the winners count.

    Returns (the winners of each kind of end, [results] the kind of each result). A result without winners counts as one
    that all seats win.
    """
    ends, everybody = dict[tuple[int, ...], int](), tuple(range(found.seats))
    kinds = [ends.setdefault(tuple(result.winners) or everybody, len(ends)) for result in found.results]
    return tuple(ends), np.array(kinds, dtype=np.int64)


def certain_scores(found: Positions, height: Numbers) -> tuple[Numbers, Numbers]:
    """Return ([positions, seats] the least score that each seat can still reach, [positions, seats] the greatest)."""
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
    """The nodes made so far, and the node of every position that has one."""

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
        """Find the payments: ([moves] the kind of payment, [kinds, seats] the scores that it pays).

        In a round that need not end, nothing is paid.
        """
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
        """Give positions their nodes. All followers of these positions must have nodes already."""
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

    def add_loose(self, here: Numbers) -> tuple[LooseBlock, ...]:
        """Give nodes to the positions that can reach a cycle.

        Positions are merged if their followers show that they are alike.
        """
        mover, first, kinds = self.found.mover[here], self.nodes, len(here)
        self.node[here] = first + np.arange(len(here))
        made = _both(self._rows(here), mover)
        for _ in range(MOST_MERGES):  # each pass merges nodes whose followers the pass before merged
            tagged = NodeRows(made.starts, made.after, np.repeat(mover, np.diff(made.starts)) + 1, made.ways)
            firsts, kind = alike(tagged)
            if len(firsts) > kinds - (kinds // WORTH if kinds > MANY else 1):
                break
            self.node[here] = first + kind
            kinds = len(firsts)
            made = _both(self._rows(here), mover)
        if kinds < len(here):
            firsts = np.unique(self.node[here], return_index=True)[1]
            made, mover = made.taken(firsts), mover[firsts]
        self.nodes += kinds
        return self._blocks(first, made, mover)

    def _blocks(self, first: int, made: NodeRows, mover: Numbers) -> tuple[LooseBlock, ...]:
        """Renumber the nodes from ``first`` on, in the order in which their cycles are solved."""
        order = cycles(made.starts, made.after - first)
        ranks = np.lexsort((order.cycle, mover, order.height, order.cut, order.block))
        place = np.empty(len(ranks), dtype=np.int64)
        place[ranks] = np.arange(len(ranks))
        loose = self.node >= first
        self.node[loose] = first + place[self.node[loose] - first]
        made = made.taken(ranks)
        made.after[made.after >= first] = first + place[made.after[made.after >= first] - first]
        mover, block, cut, height = mover[ranks], order.block[ranks], order.cut[ranks], order.height[ranks]
        changed = [np.diff(each) != 0 for each in (block, cut, height, mover)]
        cuts = [0, *(np.flatnonzero(np.logical_or.reduce(changed)) + 1).tolist(), len(ranks)]
        steps: dict[int, tuple[list[GraphStep], list[GraphStep]]] = {}
        for low, high in pairwise(cuts):
            step = _step(first + low, int(mover[low]), made.taken(np.arange(low, high)))
            steps.setdefault(int(block[low]), ([], []))[int(cut[low])].append(step)
        blocks = []
        for free, cut_steps in steps.values():
            low = (free or cut_steps)[0].first
            behind = (cut_steps or free)[-1].behind
            many = behind - cut_steps[0].first if cut_steps else 0
            mine = ranks[behind - first - many : behind - first]
            columns, cycle = order.column[mine], np.unique(order.cycle[mine], return_inverse=True)[1]
            blocks.append(LooseBlock(low, behind, tuple(free), tuple(cut_steps), columns, cycle.reshape(-1)))
        return tuple(blocks)


def _both(found: NodeRows, mover: Numbers) -> NodeRows:
    """Bring rows into normal form, rolls and choices each by their own rule. The order of the rows stays."""
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


def _step(first: int, mover: int, made: NodeRows) -> GraphStep:
    starts = made.starts[:-1]
    prob = np.ones(len(made.ways))
    if mover == CHANCE:
        prob = made.ways / np.repeat(np.add.reduceat(made.ways, starts), np.diff(made.starts))
    return GraphStep(first, first + len(made), mover, starts, made.after, prob, made.paid, bool(made.paid.any()))
