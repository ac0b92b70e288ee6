"""A round that ends, as arrays. ``enumerated`` finds and merges its positions, and numbers nodes and decisions.

A list of lists of unequal length is stored as one array. The inner lists (*runs*) lie one behind the other, and a
second array has the start of each.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pubdice.core.game import Game, RoundResult
from pubdice.solve.arrays import Floats
from pubdice.solve.finite.enumerated import EnumeratedLayer, enumerated

S = TypeVar("S", bound=Hashable)
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Layer:
    """The chance nodes of one height of a round, and the decisions whose highest follower is one below that height."""

    decisions: tuple[int, int]  # the number of the first decision, and one more than that of the last
    after: Ints  # a run for each decision: the nodes that it can lead to
    after_starts: Ints  # [decisions] the start of each run of ``after``
    kinds: tuple[int, int]  # the number of the first node, and one more than that of the last
    branch: Ints  # a run for each node: the decisions that can follow its roll
    prob: Floats  # the chance of each entry of ``branch``
    branch_starts: Ints  # [nodes of the layer] the start of each run of ``branch``


@dataclass(frozen=True, eq=False)
class Flat:
    """All layers of a graph in one set of arrays.

    Run i of ``after`` is ``after[after_starts[i] : after_starts[i + 1]]``.
    """

    after: Ints
    after_starts: Ints
    branch: Ints
    prob: Floats
    branch_starts: Ints  # run 0 belongs to the first node after the ends
    spans: Ints  # [layers, 4] ``decisions`` and ``kinds`` of each layer


@dataclass(frozen=True)
class Graph:
    """A round as arrays. A node is an end, or a set of chance positions that are alike (``enumerated``)."""

    results: tuple[RoundResult, ...]  # the result of each end
    layers: tuple[Layer, ...]
    chance: dict[Any, int]  # for every position with dice to roll, or at a choice that follows a choice, its node

    @property
    def ends(self) -> int:
        """The number of ends. They have the first node numbers."""
        return len(self.results)

    @property
    def nodes(self) -> int:
        """The number of nodes. The last node is the start."""
        return self.layers[-1].kinds[1]

    @property
    def decisions(self) -> int:
        """The number of decisions, after the merge."""
        return self.layers[-1].decisions[1]

    @cached_property
    def flat(self) -> Flat:
        """All layers in one set of arrays, for compiled code."""
        layers = self.layers
        after, branch = [layer.after for layer in layers], [layer.branch for layer in layers]
        return Flat(
            np.concatenate(after),
            _joined([layer.after_starts for layer in layers], [len(part) for part in after]),
            np.concatenate(branch),
            np.concatenate([layer.prob for layer in layers]),
            _joined([layer.branch_starts for layer in layers], [len(part) for part in branch]),
            np.array([(*layer.decisions, *layer.kinds) for layer in layers], dtype=np.int32),
        )


def enumerate_round(game: Game[S, Any], start: S, rerolled: bool = False) -> Graph:
    """Return the result of ``enumerated`` as arrays. Raises ValueError and RecursionError."""
    found = enumerated(game, start, rerolled)
    return Graph(found.results, tuple([_arrays(layer) for layer in found.layers]), found.chance)


def _arrays(layer: EnumeratedLayer) -> Layer:
    totals = [sum(count for _, count in run) for run in layer.branches]
    return Layer(
        decisions=layer.decisions,
        after=np.array([n for run in layer.after for n in run], dtype=np.int32),
        after_starts=_starts([len(run) for run in layer.after]),
        kinds=layer.kinds,
        branch=np.array([decision for run in layer.branches for decision, _ in run], dtype=np.int32),
        prob=np.array([c / total for run, total in zip(layer.branches, totals, strict=True) for _, c in run]),
        branch_starts=_starts([len(run) for run in layer.branches]),
    )


def _starts(lengths: list[int]) -> Ints:
    return np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int32)


def _joined(starts: list[Ints], lengths: list[int]) -> Ints:
    """Join the starts of runs for arrays that are laid end to end. The last entry is the end of the last run."""
    offsets = _starts([*lengths, 0])
    parts = [part + offset for part, offset in zip(starts, offsets, strict=False)]
    return np.concatenate([*parts, offsets[-1:]]).astype(np.int32)
