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
from pubdice.solve.numerics import ROUNDING
from pubdice.solve.plain.best_play import UNENDED, start_values
from pubdice.solve.plain.cycles import Numbers
from pubdice.solve.plain.match_graph import MatchGraph, Payoffs, merged
from pubdice.solve.plain.positions import Positions, Progress
from pubdice.solve.plain.round_graph import RoundGraph, build
from pubdice.solve.plain.standings import StandingFinder
from pubdice.solve.plain.tallies import Gained, tally_of
from pubdice.solve.plain.two_sided import bound_of, solve_two_sided

MOST_PASSES = 300


@dataclass(frozen=True, eq=False)
class WholeMatch:
    """value: [nodes, columns] of every standing. bound: no value is further from what it settles on.

        V(standing) = value of the round whose ends pay what follows them, V(what follows) with the seats renumbered.

    Standings of one level are lanes of one round. Where standings come back (everybody ties and nothing has changed),
    the level is gone through again and again from equal values until it is still. With c the greatest part of a move
    that a later step still made, what the last step moved, divided by 1 - c, bounds what is left to come (as for a
    geometric series). With more than two seats that says how close this equilibrium is, not that there is no other.
    """

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
            sums = payoffs.gained[payoffs.following < 0].sum(axis=1)
            value[nodes] = float(sums.mean()) / columns  # to begin with, an equal part of an end's prize on average
            bound = max(bound, _settle(graph, payoffs, rounds, nodes, value))
        else:
            value[nodes] = _round(graph, payoffs, rounds, nodes, value)
        done += len(nodes)
        if progress is not None:
            progress(done, len(graph.playing))
    loose = any(each.loose for each in rounds.values())
    unended = UNENDED * float(np.ptp(payoffs.gained)) * len(graph.levels) if loose else 0.0
    return WholeMatch(value, bound + unended + ROUNDING * size * len(graph.levels))


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
