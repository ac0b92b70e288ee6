"""A match, counted, merged and solved: the values of a round that begins at any standing.

Counting is done at once and refuses what is too large; solving waits for the first question. With a folder, values are
kept in it under a hash of all that they follow from: the arrays of the rounds and of the match, and ``VERSION``. So
rules that change are another key, and old values are never read.

The count itself is not kept, as the key is made from it: nothing else shows that the rules have changed. A count read
from a file would have to be found by a hash of the rules' source, and a game that imports a helper from elsewhere would
be answered by old rules. It takes 0.1 s for Mexico for two and 1.5 to 2.3 s for three (``python -m benchmarks.plain``),
4 to 28 s where a match is refused, most of it in the rules' own methods, and is made once in a process.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.match.match import Match, MatchState
from pubdice.solve import cache
from pubdice.solve.arrays import Floats
from pubdice.solve.plain.match_graph import merged
from pubdice.solve.plain.payoffs import Payoffs
from pubdice.solve.plain.positions import Positions, Progress
from pubdice.solve.plain.round_graph import build
from pubdice.solve.plain.standings import StandingFinder
from pubdice.solve.plain.tallies import Gained, tally_of
from pubdice.solve.plain.two_sided import bound_of, solve_two_sided
from pubdice.solve.plain.whole_match import WholeMatch, solve_whole

VERSION = 1
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
        """Whether anything comes back, and is solved from both sides."""
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
            for step in (*graph.steps, *graph.loose):
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
        kept = cache.load(folder, name, self.key, layout) if folder is not None else None
        if kept is not None:
            return WholeMatch(kept["value"], float(kept["bound"][0]))
        found = self._solve(progress)
        if folder is not None:
            cache.store(folder, name, self.key, {"value": found.value, "bound": np.array([found.bound])})
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
