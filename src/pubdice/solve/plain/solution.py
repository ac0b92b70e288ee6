"""The solution of one match: its positions and standings counted and merged, and the value of a round at every
standing.

Counting happens at once and refuses a match that is too large. Solving waits for the first question. If there is a
folder, it caches the values, under a hash of everything that they depend on: the arrays of the rounds and of the match,
and ``VERSION``. So changed rules have another key, and outdated values are never read.

The count itself is not cached, because the key is made from it. A hash of the rules' source would not do as a key,
because a game may import a helper from elsewhere. The count takes 0.1 s for Mexico for two, and 1.5 to 2.3 s for three
(``python -m benchmarks.plain``). For a match that is refused it takes 4 to 28 s, mostly in the rules' own methods. A
process counts once.
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
    """The values of a match, [nodes, columns], and their error bound.

        V(standing) = value of the round whose ends pay V(the next standing), with the seats renumbered.

    Standings of one level are solved together, as lanes (columns) of one round. If standings repeat (all seats tie and
    nothing has changed), the level is iterated from equal values to a fixed point. Let c be the greatest ratio of two
    successive changes since the changes last grew. Then the last change divided by 1 - c bounds the remaining error, as
    for a geometric series.
    With more than two seats the bound is the distance to this equilibrium. It does not exclude another equilibrium.
    """

    value: Floats
    bound: float


def solve_whole(
    graph: MatchGraph, payoffs: Payoffs, rounds: Mapping[int, RoundGraph], progress: Progress | None = None
) -> WholeMatch:
    """Return the value of every node of a match. Raises Unsolved("unsettled")."""
    columns = payoffs.gained.shape[1]
    size = max(1.0, float(np.abs(payoffs.gained).max()))
    value = np.zeros((len(graph.playing), columns))
    bound, done = 0.0, 0
    for cyclic, nodes in graph.levels:
        if cyclic:
            sums = payoffs.gained[payoffs.following < 0].sum(axis=1)
            value[nodes] = float(sums.mean()) / columns  # start from equal parts of the mean prize of the match's ends
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
    """Iterate over the nodes of a cycle until their values settle. Return the error bound."""
    moved, part = np.inf, 0.0
    size = max(1.0, float(np.abs(payoffs.gained).max()))
    for _ in range(MOST_PASSES):
        now = _round(graph, payoffs, rounds, nodes, value)
        before, moved = moved, float(np.abs(now - value[nodes]).max())
        value[nodes] = now
        if moved < ROUNDING * size:
            return (moved + ROUNDING * size) / (1 - min(part, 1 - ROUNDING))
        # A greater change comes from a choice that has turned. Ratios of the steps before say nothing about the rest.
        part = 0.0 if moved >= before else max(part, moved / before)
    raise Unsolved("unsettled", steps=MOST_PASSES)


VERSION = 3
"""The version of the mathematics. A new number makes all cached values invalid."""
MOST_WORK = 100_000_000
"""The most work for which a match is solved: the sum, over standings, of the edges of the merged round. Work of five
million takes a second if the match can repeat."""


class PlainSolution:
    """The solution of one match from one state on.

    ``positions`` returns the positions of a round by the number of seats. A pot that has been carried ``hanging`` times
    in a row is given out by ``shares`` (``standings``).
    """

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
        """True if the match is solved from below and above: two seats share a constant sum, and play can repeat."""
        comes_back = any(cyclic for cyclic, _ in self.graph.levels) or any(each.loose for each in self.rounds.values())
        return self.total is not None and comes_back

    def node(self, state: MatchState[Any]) -> int | None:
        """Return the node of a state's standing, or None if the state cannot follow the first state."""
        found = self.finder.number.get(tally_of(self.match, state))
        return None if found is None else int(self.graph.node[found])

    @cached_property
    def key(self) -> str:
        """A hash of everything on which the values depend."""
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
        """Return the values of every node, from the folder if they are cached there. Raises Unsolved("unsettled")."""
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
        except Unsolved:  # If players can go on without end, the two bounds may not meet. Then look for play that ends.
            return solve_whole(self.graph, self.payoffs, self.rounds, progress)
        middle: Floats = (both.low + both.high) / 2
        return WholeMatch(np.stack((middle, self.total - middle), axis=1), bound_of(both))
