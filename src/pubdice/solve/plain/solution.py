"""A match, counted, merged and solved: the values of a round that begins at any standing.

Counting is done at once and refuses what is too large; solving waits for the first question. With a folder, values are
kept in it under a hash of all that they follow from: the arrays of the rounds and of the match, and ``VERSION``. So
rules that change are another key, and old values are never read.

The count itself is not kept, as the key is made from it: nothing else shows that the rules have changed. A count read
from a file would have to be found by a hash of the rules' source, and a game that imports a helper from elsewhere would
be answered by old rules. It takes 0.1 s for Mexico for two and 1.5 to 2.3 s for three (``python -m benchmarks.plain``),
4 to 28 s where a match is refused, most of it in the rules' own methods, and is made once in a process.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.match.match import Match, MatchState
from pubdice.solve import arrays
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import ROUNDING, STILL
from pubdice.solve.plain.best_play import MOST_CELLS, UNENDED, start_values
from pubdice.solve.plain.cycles import Numbers
from pubdice.solve.plain.match_graph import MatchGraph, Payoffs, StandingFinder, merged
from pubdice.solve.plain.round_graph import CHANCE, GraphStep, LooseBlock, Positions, Progress, RoundGraph, build
from pubdice.solve.plain.tallies import Gained, tally_of

# Two seats that share a constant, solved from below and from above: the gap is the bound. For what need not end.
#
# With v the opener's value, its seat maximises and the other minimises. A match that can come back to where it was is
# gone through again and again, from the least that anybody can get and from the most. Both sequences are monotone,
# since best play is; the true value lies between them at every step (interval iteration: Haddad and Monmege, Interval
# iteration algorithm for MDPs and IMDPs, Theoretical Computer Science 735, 2018). Where players could go on playing
# without end, the two need not meet; then the gap says so, and play that ends is looked for (``best_play``).
#
# A round that can come back is worked out block by block (``cycles``). With x the values of a block's cut nodes, one
# pass gives all of its nodes, and F(x), what x should be. The pass takes the slopes of F with it, so a few steps of
# Newton's method, each the exact value of the play found so far, find x = F(x) (policy iteration: Howard, Dynamic
# programming and Markov processes, 1960; for two players Pollatschek and Avi-Itzhak, Management Science 15, 1969).
# Newton proves nothing and need not settle with two players, so what it finds is tried: F is monotone, and moves no
# value by more than its arguments move (its slopes are chances). So if F(x - d) > x - d at every cut node of a cycle,
# no fixed point is as low as x - d, and if F(x + d) < x + d none is as high as x + d: every value of the game lies
# between, also if play without end is worth the least, or the most. The least d that proves it is what the
# bound is made of. Where none does the block is gone through from below and from above, as a match is.


MOST_SWEEPS = 4_000
MOST_STEPS = 500
WIDEST = 1e-9
"""Of what is shared: a wider gap is no answer."""
MOST_GUESSES = 40
MOST_COLUMNS = 12
"""Cut nodes of one cycle, above which their slopes are not worth their memory."""
MARGIN = 4 * STILL
"""The first distance tried between what Newton's method finds and a bound; then four times as much, and so on."""
PROVED = STILL / 2
"""Of what is shared: by how much a step must lead back, so that rounding could not have done it."""


@dataclass(frozen=True, eq=False)
class TwoSided:
    """The opener's value at every node of a match, from below and from above; total: the sum the seats share."""

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
    """Work out a block whose followers are known, the first half of the lanes from below, the others from above.

    ends: what the round can come to. Raises Unsolved("unsettled").
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
    """[cut nodes, lanes] what they should be worth if they were worth ``cuts``; the other nodes are written."""
    table[block.cuts] = cuts
    for step in block.steps:
        _pass(table, step)
    return np.concatenate([_stepped(table, step) for step in block.cut_steps])


def _newton(table: Floats, block: LooseBlock, start: Floats, least: Floats, most: Floats) -> Floats:
    """[cut nodes, lanes] where a pass comes back to itself, as far as Newton's method finds it."""
    many, columns, lanes = len(block.columns), int(block.columns.max()) + 1, table.shape[1]
    slopes = np.zeros((block.behind - block.first + 1, lanes, columns))  # the first row is for what stands before
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
    """[cycles, lanes, columns] the steps of Newton's method; a plain step where play found so far never leaves."""
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
    """([nodes, lanes] values, [nodes, lanes, columns] their slopes) of a step.

    Of equally good actions the one that leads out of the cycle more often: else two could go round for nothing.
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
    """[nodes, lanes] the opener's value at the nodes of a step."""
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


# A match of any number of seats, solved from its last rounds backward: every standing's value to every seat.
#
#     V(standing) = value of the round whose ends pay what follows them, V(what follows) with the seats renumbered.
#
# Standings of one level are lanes of one round. Where standings come back (everybody ties and nothing has changed),
# the level is gone through again and again from equal values until it is still. With c the greatest part of a move
# that a later step still made, what the last step moved, divided by 1 - c, bounds what is left to come (as for a
# geometric series). With more than two seats that says how close this equilibrium is, not that there is no other.


MOST_PASSES = 300


@dataclass(frozen=True, eq=False)
class WholeMatch:
    """value: [nodes, columns] of every standing. bound: no value is further from what it settles on."""

    value: Floats
    bound: float


def solve_whole(
    graph: MatchGraph, payoffs: Payoffs, rounds: Mapping[int, RoundGraph], progress: Progress | None = None
) -> WholeMatch:
    """Every node of a match. Raises Unsolved("unsettled")."""
    columns = payoffs.gained.shape[1]
    size = max(1.0, float(np.abs(payoffs.gained).max()))
    value = np.zeros((len(graph.playing), columns))
    bound, done = 0.0, 0
    for cyclic, nodes in graph.levels:
        if cyclic:
            value[nodes] = _equal(payoffs, columns)
            bound = max(bound, _settle(graph, payoffs, rounds, nodes, value))
        else:
            value[nodes] = _round(graph, payoffs, rounds, nodes, value)
        done += len(nodes)
        if progress is not None:
            progress(done, len(graph.playing))
    loose = any(each.loose for each in rounds.values())
    unended = UNENDED * float(np.ptp(payoffs.gained)) * len(graph.levels) if loose else 0.0
    return WholeMatch(value, bound + unended + ROUNDING * size * len(graph.levels))


def _equal(payoffs: Payoffs, columns: int) -> Floats:
    """Start values: an equal part of the prize at an end, on average."""
    sums = payoffs.gained[payoffs.following < 0].sum(axis=1)
    return np.full(columns, float(sums.mean()) / columns)


def _round(
    graph: MatchGraph, payoffs: Payoffs, rounds: Mapping[int, RoundGraph], nodes: Numbers, value: Floats
) -> Floats:
    found = np.empty((len(nodes), value.shape[1]))
    playing = np.array(graph.playing)[nodes]
    for seats in np.unique(playing).tolist():
        mine = np.flatnonzero(playing == seats)
        found[mine] = start_values(rounds[seats], payoffs.at(nodes[mine], value))
    return found


def _settle(
    graph: MatchGraph, payoffs: Payoffs, rounds: Mapping[int, RoundGraph], nodes: Numbers, value: Floats
) -> float:
    """Iterate over nodes on a cycle until they are still; returns the bound of the rest."""
    moved, part = np.inf, 0.0
    size = max(1.0, float(np.abs(payoffs.gained).max()))
    for _ in range(MOST_PASSES):
        now = _round(graph, payoffs, rounds, nodes, value)
        before, moved = moved, float(np.abs(now - value[nodes]).max())
        value[nodes] = now
        if moved < ROUNDING * size:
            return (moved + ROUNDING * size) / (1 - min(part, 1 - ROUNDING))
        if before < np.inf:
            part = max(part, moved / before)
    raise Unsolved("unsettled", steps=MOST_PASSES)


VERSION = 2
"""Of the mathematics: another number makes all values that were kept unread."""
MOST_WORK = 100_000_000
"""Moves of a round times standings of the match, after merging: five million a second where matches come back."""


class PlainSolution:
    """One match from one state on. positions: of a round, by the number of seats; ``hanging``, ``shares``: of pots."""

    def __init__(
        self,
        match: Match[Any, Any],
        *,
        positions: Callable[[int], Positions],
        first: MatchState[Any],
        hanging: int,
        shares: Gained,
        progress: Progress | None = None,
    ) -> None:
        self.match = match
        self.finder = StandingFinder(match, lambda seats: positions(seats).results, hanging, shares)
        self.finder.explore(first, progress)
        self.graph = merged(self.finder)
        self.rounds = {seats: build(positions(seats), kinds) for seats, kinds in self.graph.kinds.items()}
        self.payoffs = Payoffs.of(self.graph)
        self.total = self.payoffs.constant() if match.seats == 2 else None
        work = sum(self.rounds[seats].edges for seats in self.graph.playing)
        if work > MOST_WORK:
            raise Unsolved("too-many-moves", count=work, most=MOST_WORK)

    @property
    def is_two_sided(self) -> bool:
        """True if the round has a cycle, and is solved from both sides."""
        comes_back = any(cyclic for cyclic, _ in self.graph.levels) or any(each.loose for each in self.rounds.values())
        return self.total is not None and comes_back

    def node(self, state: MatchState[Any]) -> int | None:
        """The node of a state's standing; None if it cannot follow the first state."""
        found = self.finder.number.get(tally_of(self.match, state))
        return None if found is None else int(self.graph.node[found])

    @cached_property
    def key(self) -> str:
        """A hash of all that the values follow from."""
        summed = sha256(f"plain {VERSION} {self.match.seats} {self.graph.playing}".encode())
        for name, array in self._arrays():
            summed.update(f"{name} {array.dtype.str} {array.shape}".encode())
            summed.update(np.ascontiguousarray(array).data)
        return summed.hexdigest()

    def _arrays(self) -> Iterator[tuple[str, Any]]:
        for seats, graph in sorted(self.rounds.items()):
            yield f"scores {seats}", graph.scores
            yield f"start {seats}", np.array([graph.start, graph.ends])
            for step in (*graph.steps, *graph.loose_steps):
                yield f"step {step.first} {step.mover}", step.starts
                yield from (("after", step.after), ("prob", step.prob), ("paid", step.paid))
        yield from (("gained", self.payoffs.gained), ("following", self.payoffs.following))
        yield "where", self.payoffs.where
        for ends in self.payoffs.ends:
            yield "ends", ends

    def solve(self, folder: Path | None = None, progress: Progress | None = None) -> WholeMatch:
        """The values of every node, from the folder if they are there. Raises Unsolved("unsettled")."""
        layout = {"value": ((len(self.graph.playing), self.finder.columns), "<f8"), "bound": ((1,), "<f8")}
        name = f"plain-{self.key[:16]}"
        kept = arrays.load(folder, name, self.key, layout) if folder is not None else None
        if kept is not None:
            return WholeMatch(kept["value"], float(kept["bound"][0]))
        found = self._solve(progress)
        if folder is not None:
            arrays.store(folder, name, self.key, {"value": found.value, "bound": np.array([found.bound])})
        return found

    def _solve(self, progress: Progress | None) -> WholeMatch:
        if not self.is_two_sided:
            return solve_whole(self.graph, self.payoffs, self.rounds, progress)
        assert self.total is not None, "two seats share a constant"
        try:
            both = solve_two_sided(self.graph, self.payoffs, self.rounds[2], self.total, progress)
        except Unsolved:  # who could go on without end keeps the bounds apart: then play that ends is looked for
            return solve_whole(self.graph, self.payoffs, self.rounds, progress)
        middle: Floats = (both.low + both.high) / 2
        return WholeMatch(np.stack((middle, self.total - middle), axis=1), bound_of(both))
