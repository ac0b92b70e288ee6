"""Backward induction over a graph, for many utilities at once.

The states are the nodes and decisions of a ``Graph``. An action is the choice of one of the nodes that a decision leads
to. With a utility u on the ends, the Bellman equations are

    v(end) = u(end),   d(decision) = max over after of v(after),   v(chance) = sum over branches of prob · d(decision).

One pass from the ends upward solves them exactly, up to rounding, without iteration. A value goes through ``layers``
levels. On each level it is a sum of at most ``nodes`` products, with nonnegative weights that sum to 1. So rounding
moves it by less than ``ROUNDING`` times the greatest |u| (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
section 3.1). The tests compare it with an oracle in exact fractions.

Ties. Several policies may be optimal. Of the choices within ``SAME`` of the best, the policy takes the one with the
best second utility. Of those, it takes the node with the smallest number. A layer can so lose up to ``SAME`` against
the best value. ``best_values`` and ``start_values`` return the greatest value itself, without this loss.

Each utility is a column of the arrays, called a *lane*. If the work is large enough to load numba, ``kernels`` does it.
The argument ``coming`` is the number of lanes that the caller will ask for later, so many small calls together can
count as large work.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.arrays import Floats
from pubdice.solve.finite import kernels
from pubdice.solve.finite.graph import Graph
from pubdice.solve.numerics import SAME

LANES = 32
"""The number of lanes per pass: as many as keep a layer's choices in the processor's cache."""


def best_values(graph: Graph, utility: Floats) -> Floats:
    """Return [nodes, lanes] the value of every node under best play. ``utility``: [ends, lanes]."""
    lanes = utility.shape[1]
    value = np.empty((graph.nodes, lanes))
    value[: graph.ends] = utility
    for first in range(0, lanes, LANES):
        part = np.ascontiguousarray(value[:, first : first + LANES])
        _upward(graph, part)
        value[:, first : first + LANES] = part
    return value


def start_pairs(graph: Graph, utility: Floats, along: Floats) -> tuple[Floats, Floats]:
    """Return ([lanes] the value of the start, [lanes] the mean of the second utility ``along`` under the same play).

    utility, along: [ends, lanes]. Values are complex numbers, which numpy orders by real part and then by imaginary
    part. So of exactly equal choices, the choice with the greater ``along`` is taken.
    """
    lanes = utility.shape[1]
    value = np.empty((graph.nodes, lanes), dtype=np.complex128)
    # One maximum over complex numbers decides by both utilities. That takes twice the memory but half the passes of a
    # comparison followed by a choice.
    value[: graph.ends] = utility + 1j * along
    for first in range(0, lanes, LANES):
        part = np.ascontiguousarray(value[:, first : first + LANES])
        _upward(graph, part)
        value[-1, first : first + LANES] = part[-1]
    return value[-1].real, value[-1].imag


def start_values(graph: Graph, utility: Floats, coming: int = 0) -> Floats:
    """Return [lanes] the value of the start under best play. ``utility``: [ends, lanes]."""
    lanes = utility.shape[1]
    if kernels.pays(graph, lanes + coming):
        return kernels.start_values(graph, utility)
    return np.concatenate(
        # ``or [[]]``: if the round is already decided there are no lanes, and numpy cannot join an empty list.
        [best_values(graph, utility[:, first : first + LANES])[-1] for first in range(0, lanes, LANES)] or [[]]
    )


def _upward(graph: Graph, value: NDArray[Any]) -> None:
    best = np.empty((graph.decisions, value.shape[1]), dtype=value.dtype)
    for layer in graph.layers:
        best[slice(*layer.decisions)] = np.maximum.reduceat(value[layer.after], layer.after_starts)
        weighted = best[layer.branch]
        weighted *= layer.prob[:, None]
        value[slice(*layer.kinds)] = np.add.reduceat(weighted, layer.branch_starts)


def best_choices(graph: Graph, utility: Floats, second: Floats) -> tuple[Floats, NDArray[np.int32]]:
    """Return ([nodes] the values, [decisions] the node chosen) for one utility.

    utility, second: [ends]. If choices are equal by ``utility``, ``second`` decides.
    """
    value, chosen = _choices(graph, utility[:, None], second)
    return value[:, 0], chosen[:, 0]


def _choices(graph: Graph, utility: Floats, second: Floats) -> tuple[Floats, NDArray[np.int32]]:
    lanes = utility.shape[1]
    columns = np.arange(lanes)
    value, other = np.empty((graph.nodes, lanes)), np.empty((graph.nodes, lanes))
    value[: graph.ends], other[: graph.ends] = utility, second[:, None]
    chosen = np.empty((graph.decisions, lanes), dtype=np.int32)
    # Each lane has its own slack, as the lanes' utilities may have different units.
    slack = SAME * np.maximum(1.0, np.abs(utility).max(axis=0))
    for layer in graph.layers:
        after, starts = layer.after, layer.after_starts
        runs = np.diff(np.append(starts, len(after)))
        values = value[after]
        # Three filters in turn: the choices of best value, of those the choices with the best second utility, of those
        # the smallest node.
        least = np.maximum.reduceat(values, starts) - slack
        others = np.where(values >= np.repeat(least, runs, axis=0), other[after], -np.inf)
        least = np.maximum.reduceat(others, starts) - SAME
        # ``graph.nodes`` is greater than every node, so the minimum never picks a choice that was filtered out.
        nodes = np.where(others >= np.repeat(least, runs, axis=0), after[:, None], graph.nodes)
        chosen[slice(*layer.decisions)] = np.minimum.reduceat(nodes, starts)
        chance = layer.prob[:, None]
        places = chosen[layer.branch], columns
        value[slice(*layer.kinds)] = np.add.reduceat(value[places] * chance, layer.branch_starts)
        other[slice(*layer.kinds)] = np.add.reduceat(other[places] * chance, layer.branch_starts)
    return value, chosen


def start_chances(graph: Graph, utility: Floats, second: Floats, coming: int = 0) -> Floats:
    """Return [ends, lanes] the chance of every end from the start, under best play for each utility.

    If choices are equal, ``second``, [ends], decides.
    """
    lanes = utility.shape[1]
    if kernels.pays(graph, lanes + coming, kernels.CHANCES):
        return kernels.start_chances(graph, utility, second, SAME)
    chance = np.empty(utility.shape)
    # ``_choices`` holds two values for each lane, so it gets half as many lanes at a time.
    for first in range(0, lanes, LANES // 2):
        part = slice(first, first + LANES // 2)
        chance[:, part] = _downward(graph, _choices(graph, utility[:, part], second)[1])
    return chance


def _downward(graph: Graph, chosen: NDArray[np.int32]) -> Floats:
    """Return [ends, lanes] the chance of every end from the start, pushed down layer by layer."""
    lanes = chosen.shape[1]
    columns = np.arange(lanes)
    reach = np.zeros((graph.nodes, lanes))
    reach[-1] = 1.0
    chance = np.zeros((graph.decisions, lanes))
    # All edges to a node come from higher layers, so the node's chance is complete before its own layer is handled.
    for layer in reversed(graph.layers):
        first, behind = layer.decisions
        runs = np.diff(np.append(layer.branch_starts, len(layer.branch)))
        handed = np.repeat(reach[slice(*layer.kinds)], runs, axis=0) * layer.prob[:, None]
        # The decisions after a roll may lie in any lower layer, so all decisions up to ``behind`` are updated.
        chance[:behind] += _gathered(layer.branch[:, None] * lanes + columns, handed, behind)
        reach += _gathered(chosen[first:behind] * lanes + columns, chance[first:behind], graph.nodes)
    return reach[: graph.ends]


def _gathered(places: NDArray[np.intp], weights: Floats, rows: int) -> Floats:
    """Return [rows, lanes] the sum of the weights for each place. A place is ``row * lanes + lane``."""
    lanes = weights.shape[1]
    # ``bincount`` adds in the order of the places. So the sums are the same on every machine, and it is much faster
    # than ``np.add.at``.
    summed = np.bincount(places.ravel(), weights.ravel(), rows * lanes).astype(np.float64, copy=False)
    return summed.reshape(rows, lanes)


def distributions(graph: Graph, chosen: NDArray[np.int32]) -> Floats:
    """Return [nodes, ends] the chance of every end from every node, if play follows ``chosen``. Each row sums to 1."""
    chance = np.zeros((graph.nodes, graph.ends))
    chance[: graph.ends] = np.eye(graph.ends)
    for layer in graph.layers:
        weighted = chance[chosen[layer.branch]]
        weighted *= layer.prob[:, None]
        chance[slice(*layer.kinds)] = np.add.reduceat(weighted, layer.branch_starts)
    return chance
