"""Two seats that share a constant, solved from below and from above: the gap is the bound. For what need not end.

With v the opener's value, its seat maximises and the other minimises. A match or a round that can come back to where it
was is gone through again and again, from the least that anybody can get and from the most. Both sequences are monotone,
since best play is; the true value lies between them at every step (interval iteration: Haddad and Monmege, Interval
iteration algorithm for MDPs and IMDPs, Theoretical Computer Science 735, 2018). Where players could go on playing
without end, the two need not meet; then the gap says so, and play that ends is looked for (``best_play``).
"""

from dataclasses import dataclass

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.solve.arrays import Floats
from pubdice.solve.plain.best_play import MOST_CELLS
from pubdice.solve.plain.match_graph import MatchGraph
from pubdice.solve.plain.payoffs import Payoffs
from pubdice.solve.plain.positions import CHANCE, Numbers, Progress
from pubdice.solve.plain.round_graph import GraphStep, RoundGraph
from pubdice.solve.tolerance import ROUNDING, STILL

MOST_SWEEPS = 4_000
MOST_STEPS = 500
WIDEST = 1e-9
"""Of what is shared: a wider gap is no answer."""


@dataclass(frozen=True, eq=False)
class TwoSided:
    """The opener's value at every node of a match, from below and from above; total: what the seats share."""

    low: Floats
    high: Floats
    total: float

    @property
    def gap(self) -> float:
        """The widest gap between the two, at any node."""
        return float((self.high - self.low).max())


def play_out(graph: RoundGraph, least: Floats, most: Floats) -> tuple[Floats, Floats]:
    """([nodes, lanes] values to the opener from below, from above); least, most: [ends, lanes] what it gets there.

    Raises Unsolved("unsettled").
    """
    lanes = least.shape[1]
    table = np.empty((graph.nodes, 2 * lanes))
    table[: graph.ends] = np.concatenate((least, most), axis=1)
    for step in graph.steps:
        _pass(table, step)
    if graph.loose:
        first = graph.loose[0].first
        table[first:, :lanes], table[first:, lanes:] = least.min(axis=0), most.max(axis=0)
        _sweep(table, graph, first)
    return table[:, :lanes], table[:, lanes:]


def _at_start(graph: RoundGraph, least: Floats, most: Floats) -> tuple[Floats, Floats]:
    few = max(1, MOST_CELLS // (2 * graph.nodes))
    parts = []
    for at in range(0, least.shape[1], few):
        low, high = play_out(graph, least[:, at : at + few], most[:, at : at + few])
        parts.append((low[graph.start], high[graph.start]))
    return np.concatenate([low for low, _ in parts]), np.concatenate([high for _, high in parts])


def _sweep(table: Floats, graph: RoundGraph, first: int) -> None:
    lanes = table.shape[1] // 2
    for _ in range(MOST_SWEEPS):
        before = table[first:].copy()
        for step in graph.loose:
            _pass(table, step)
        if np.abs(table[first:] - before).max() <= STILL:
            return
    if np.abs(table[first:, lanes:] - table[first:, :lanes]).max() > WIDEST * np.abs(table).max():
        raise Unsolved("unsettled", steps=MOST_SWEEPS)


def _pass(table: Floats, step: GraphStep) -> None:
    after = table[step.after]
    if step.mover == CHANCE:
        after *= step.prob[:, None]
        table[step.first : step.behind] = np.add.reduceat(after, step.starts)
    else:
        best = np.minimum if step.mover else np.maximum
        table[step.first : step.behind] = best.reduceat(after, step.starts)


def solve_two_sided(
    graph: MatchGraph,
    payoffs: Payoffs,
    round_graph: RoundGraph,
    total: float,
    progress: Progress | None = None,
) -> TwoSided:
    """Every node of a match for two seats. Raises Unsolved("unsettled")."""
    over = payoffs.following < 0
    least, most = payoffs.gained[over].min(), payoffs.gained[over].max()
    count = len(graph.playing)
    found = TwoSided(np.full(count, least), np.full(count, most), total)
    done = 0
    for cyclic, nodes in graph.levels:
        for _ in range(MOST_STEPS if cyclic else 1):
            ends = payoffs.bounds(nodes, found.low, found.high, total)
            low, high = _at_start(round_graph, *ends)
            moved = max(_moved(found.low, low, nodes), _moved(found.high, high, nodes))
            if moved <= STILL * max(1.0, abs(total)):
                break
        done += len(nodes)
        if progress is not None:
            progress(done, count)
    if found.gap > WIDEST * max(1.0, float(most - least)):
        raise Unsolved("unsettled", steps=MOST_STEPS)
    return found


def _moved(held: Floats, now: Floats, nodes: Numbers) -> float:
    """By how much the values at some nodes change, which are now held."""
    moved = float(np.abs(held[nodes] - now).max())
    held[nodes] = now
    return moved


def bound_of(found: TwoSided) -> float:
    """No value is further from the true one: the gap, and what rounding adds."""
    return found.gap + ROUNDING * max(1.0, abs(found.total))
