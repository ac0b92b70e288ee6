"""A match of any number of seats, solved from its last rounds backward: every standing's value to every seat.

    V(standing) = value of the round whose ends pay what follows them, V(what follows) with the seats renumbered.

Standings of one level are lanes of one round. Where standings come back (everybody ties and nothing has changed), the
level is gone through again and again from equal values until it is still. With c the greatest part of a move that a
later step still made, what the last step moved, divided by 1 - c, bounds what is left to come (as for a geometric
series). With more than two seats that says how close this equilibrium is, not that there is no other.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.solve.arrays import Floats
from pubdice.solve.plain.best_play import UNENDED, start_values
from pubdice.solve.plain.match_graph import MatchGraph
from pubdice.solve.plain.payoffs import Payoffs
from pubdice.solve.plain.positions import Numbers, Progress
from pubdice.solve.plain.round_graph import RoundGraph
from pubdice.solve.tolerance import ROUNDING

MOST_STEPS = 300


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
    """Where values begin: an equal part of what there is at an end, on average."""
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
    """Go through nodes that come back until they are still; what may be left to come."""
    moved, part = np.inf, 0.0
    size = max(1.0, float(np.abs(payoffs.gained).max()))
    for _ in range(MOST_STEPS):
        now = _round(graph, payoffs, rounds, nodes, value)
        before, moved = moved, float(np.abs(now - value[nodes]).max())
        value[nodes] = now
        if moved < ROUNDING * size:
            return (moved + ROUNDING * size) / (1 - min(part, 1 - ROUNDING))
        if before < np.inf:
            part = max(part, moved / before)
    raise Unsolved("unsettled", steps=MOST_STEPS)
