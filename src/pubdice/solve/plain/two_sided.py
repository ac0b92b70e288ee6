"""A solver for two seats that share a constant sum: values from below and from above, whose gap is the error bound.

It serves play that need not end. Let v be the opener's value. The opener maximises it, and the other seat minimises it.
A match that can repeat is iterated twice, from the least payoff and from the greatest. Best play is monotone, so both
sequences are monotone, and the true value lies between them at every step (interval iteration: Haddad and Monmege,
Interval iteration algorithm for MDPs and IMDPs, Theoretical Computer Science 735, 2018). If players can go on without
end, the two limits need not meet. Then the gap stays wide, and the caller looks for play that ends (``best_play``).

A round that can repeat is solved block by block (``cycles``). Payoffs that are solved together are called *lanes*. Let
x be the values of a block's cut nodes. One pass computes all nodes of the block from x, and a new value F(x) for the
cut nodes. The pass also computes the slopes of F. So a few steps of Newton's method find the fixed point x = F(x). Each
step is the exact value of the current policy. This is policy iteration (Howard, Dynamic programming and Markov
processes, 1960; for two players Pollatschek and Avi-Itzhak, Management Science 15, 1969).

With two players Newton's method need not converge, and proves nothing, so its result is verified. F is monotone and its
slopes are chances, so it moves no value by more than its arguments move. If F(x - d) > x - d at every cut node of a
cycle, no fixed point is as low as x - d. If F(x + d) < x + d, no fixed point is as high as x + d. So every value of the
game lies between the two, no matter if endless play is worth the least or the most. The bound is the least d that
proves this. If no d does, the block is iterated from below and from above, like a match.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import ROUNDING, STILL
from pubdice.solve.plain.best_play import MOST_CELLS
from pubdice.solve.plain.cycles import Numbers
from pubdice.solve.plain.match_graph import MatchGraph, Payoffs
from pubdice.solve.plain.positions import CHANCE, Progress
from pubdice.solve.plain.round_graph import GraphStep, LooseBlock, RoundGraph

MOST_SWEEPS = 4_000
MOST_STEPS = 500
WIDEST = 1e-9
"""The widest gap that is accepted, as a part of the constant."""
MOST_GUESSES = 40
MOST_COLUMNS = 12
"""The most cut nodes of a cycle for which Newton's method is used. With more, the slopes would take too much memory."""
MARGIN = 4 * STILL
"""The first d to try around the result of Newton's method (see above). Each further d is four times as large."""
PROVED = STILL / 2
"""The least distance, as a part of the constant, by which F must lead back toward x. Less could be rounding."""


@dataclass(frozen=True, eq=False)
class TwoSided:
    """The opener's value at every node of a match, from below and from above."""

    low: Floats
    high: Floats
    total: float  # the constant sum that the two seats share

    @property
    def gap(self) -> float:
        """The widest gap between ``low`` and ``high`` at any node."""
        return float((self.high - self.low).max())


def play_out(graph: RoundGraph, least: Floats, most: Floats) -> tuple[Floats, Floats]:
    """Solve a round: ([nodes, lanes] the opener's values from below, the same from above).

    least, most: [ends, lanes] the payoffs for each of the two. Raises Unsolved("unsettled").
    """
    lanes = least.shape[1]
    table = np.empty((graph.nodes, 2 * lanes))
    table[: graph.ends] = np.concatenate((least, most), axis=1)
    for step in graph.steps:
        _pass(table, step)
    for block in graph.loose:
        _close(table, block, table[: graph.ends])
    return table[:, :lanes], table[:, lanes:]


def _at_start(graph: RoundGraph, least: Floats, most: Floats) -> tuple[Floats, Floats]:
    few = max(1, MOST_CELLS // (2 * graph.nodes))
    parts = []
    for at in range(0, least.shape[1], few):
        low, high = play_out(graph, least[:, at : at + few], most[:, at : at + few])
        parts.append((low[graph.start], high[graph.start]))
    return np.concatenate([low for low, _ in parts]), np.concatenate([high for _, high in parts])


def _close(table: Floats, block: LooseBlock, ends: Floats) -> None:
    """Solve a block whose followers are known.

    The left half of the columns of ``table`` has values from below, the right half from above.

    ends: [ends, columns] the payoffs. Raises Unsolved("unsettled").
    """
    least, most, lanes = ends.min(axis=0), ends.max(axis=0), table.shape[1] // 2
    scale = float(np.abs(ends).max()) or 1.0
    if not len(block.columns):
        for step in block.steps:
            _pass(table, step)
        return
    sides = np.repeat([-1.0, 1.0], lanes)
    if block.columns.max() < MOST_COLUMNS:
        found = _newton(table, block, np.where(sides < 0, least, most), least, most)
        margin = np.full((len(block.columns), 1), MARGIN * scale)
        while margin.max() <= WIDEST * scale:
            at = np.clip(found + sides * margin, least, most)
            beyond = sides * (_through(table, block, at) - at)
            safe = (beyond < -PROVED * scale) | (at == np.where(sides < 0, least, most))
            failing = ~safe.all(axis=1)
            if not failing.any():
                table[block.cuts] = at
                break
            bad = np.bincount(block.cycle, weights=failing) > 0
            margin[bad[block.cycle]] *= 4
        here = table[block.first : block.behind]
        if margin.max() <= WIDEST * scale and (here[:, lanes:] - here[:, :lanes]).max() <= WIDEST * scale:
            return
    table[block.first : block.behind] = np.where(sides < 0, least, most)
    _sweep(table, block, lanes)


def _through(table: Floats, block: LooseBlock, cuts: Floats) -> Floats:
    """Return [cut nodes, lanes] F(``cuts``). Also writes the values of the block's other nodes to the table."""
    table[block.cuts] = cuts
    for step in block.steps:
        _pass(table, step)
    return np.concatenate([_stepped(table, step) for step in block.cut_steps])


def _newton(table: Floats, block: LooseBlock, start: Floats, least: Floats, most: Floats) -> Floats:
    """Return the fixed point x = F(x) as far as Newton's method finds it: [cut nodes, lanes]."""
    many, columns, lanes = len(block.columns), int(block.columns.max()) + 1, table.shape[1]
    slopes = np.zeros((block.behind - block.first + 1, lanes, columns))  # the first row is for nodes before the block
    slopes[1 + block.behind - block.first - many + np.arange(many), :, block.columns] = 1.0
    cycles = int(block.cycle.max()) + 1
    x: Floats = np.broadcast_to(start, (many, lanes)).copy()
    moved = np.inf
    for _ in range(MOST_GUESSES):
        table[block.cuts] = x
        for step in block.steps:
            table[step.first : step.behind], slope = _sloped(table, slopes, step, block.first)
            slopes[1 + step.first - block.first : 1 + step.behind - block.first] = slope
        ends = [_sloped(table, slopes, step, block.first) for step in block.cut_steps]
        rest = np.concatenate([value for value, _ in ends]) - x
        matrix = np.broadcast_to(np.eye(columns), (cycles, lanes, columns, columns)).copy()
        matrix[block.cycle, :, block.columns] -= np.concatenate([slope for _, slope in ends])
        right = np.zeros((cycles, lanes, columns))
        right[block.cycle, :, block.columns] = rest
        moves = _solved(matrix, right)[block.cycle, :, block.columns]
        before, moved = moved, float(np.abs(moves).max())
        np.clip(x + moves, least, most, out=x)
        if moved <= STILL * float(np.abs(x).max()) or (moved >= before and moved < WIDEST):
            break
    return x


def _solved(matrix: Floats, right: Floats) -> Floats:
    """Return [cycles, lanes, columns] the steps of Newton's method.

    If play under the current policy never leaves the cycle, the equations have no solution. Then the step is the plain
    one from x to F(x).
    """
    if matrix.shape[-1] == 1:
        slope = matrix[..., 0]
        return np.where(slope > STILL, right / np.where(slope > STILL, slope, 1.0), right)
    try:
        moves: Any = np.linalg.solve(matrix, right[..., None])[..., 0]
    except np.linalg.LinAlgError:
        return right
    found: Floats = np.where(np.isfinite(moves).all(axis=-1, keepdims=True), moves, right)
    return found


def _sloped(table: Floats, slopes: Floats, step: GraphStep, first: int) -> tuple[Floats, Floats]:
    """Compute a step: ([nodes, lanes] the values, [nodes, lanes, columns] their slopes by the values of the cut nodes).

    Of equally good actions, the mover takes the one that leads out of the cycle more often. Otherwise two seats could
    go round for nothing.
    """
    after, slope = table[step.after], slopes[np.maximum(step.after - first + 1, 0)]
    if step.mover == CHANCE:
        after *= step.prob[:, None]
        slope *= step.prob[:, None, None]
        return np.add.reduceat(after, step.starts), np.add.reduceat(slope, step.starts)
    best = (np.minimum if step.mover else np.maximum).reduceat(after, step.starts)
    runs = np.diff(np.append(step.starts, len(step.after)))
    stays = np.where(after == np.repeat(best, runs, axis=0), slope.sum(axis=-1), np.inf)
    least = np.repeat(np.minimum.reduceat(stays, step.starts), runs, axis=0)
    places = np.arange(len(step.after))[:, None]
    taken = np.minimum.reduceat(np.where(stays == least, places, len(places)), step.starts)
    return best, slope[taken, np.arange(after.shape[1])]


def _sweep(table: Floats, block: LooseBlock, lanes: int) -> None:
    here = slice(block.first, block.behind)
    for _ in range(MOST_SWEEPS):
        before = table[here].copy()
        for step in (*block.steps, *block.cut_steps):
            _pass(table, step)
        if np.abs(table[here] - before).max() <= STILL:
            return
    if np.abs(table[here, lanes:] - table[here, :lanes]).max() > WIDEST * np.abs(table[: block.behind]).max():
        raise Unsolved("unsettled", steps=MOST_SWEEPS)


def _pass(table: Floats, step: GraphStep) -> None:
    table[step.first : step.behind] = _stepped(table, step)


def _stepped(table: Floats, step: GraphStep) -> Floats:
    """Return [nodes, lanes] the opener's value at the nodes of a step."""
    after = table[step.after]
    if step.mover == CHANCE:
        after *= step.prob[:, None]
        mean: Floats = np.add.reduceat(after, step.starts)
        return mean
    best: Floats = (np.minimum if step.mover else np.maximum).reduceat(after, step.starts)
    return best


def solve_two_sided(
    graph: MatchGraph,
    payoffs: Payoffs,
    round_graph: RoundGraph,
    total: float,
    progress: Progress | None = None,
) -> TwoSided:
    """Return the opener's value at every node of a match for two seats. Raises Unsolved("unsettled")."""
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
    """Store new values at some nodes. Return the greatest change."""
    moved = float(np.abs(held[nodes] - now).max())
    held[nodes] = now
    return moved


def bound_of(found: TwoSided) -> float:
    """Return the error bound of a value: the gap plus rounding."""
    return found.gap + ROUNDING * max(1.0, abs(found.total))
