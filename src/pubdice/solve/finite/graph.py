"""A round that ends, as arrays. ``enumerated`` finds and merges its positions, and numbers nodes and decisions.

Runs of unequal length lie one behind the other in one array, with a second array for the start of each.
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
    """One height of a graph."""

    decisions: tuple[int, int]  # the first decision, and the one behind the last
    after: Ints  # the nodes that each decision can lead to, run by run
    after_starts: Ints  # [decisions]
    kinds: tuple[int, int]  # the first node, and the one behind the last
    branch: Ints  # the decisions that follow each kind, run by run
    prob: Floats  # the chance of each branch
    branch_starts: Ints  # [kinds]


@dataclass(frozen=True, eq=False)
class Flat:
    """The layers of a graph, end to end. Run i of ``after`` is ``after[after_starts[i] : after_starts[i + 1]]``."""

    after: Ints
    after_starts: Ints
    branch: Ints
    prob: Floats
    branch_starts: Ints  # counted from the first kind, not the first node
    spans: Ints  # [layers, 4] the decisions and the kinds of each layer


@dataclass(frozen=True)
class Graph:
    """A round as arrays."""

    results: tuple[RoundResult, ...]  # one an end
    layers: tuple[Layer, ...]
    chance: dict[Any, int]  # the node of every position at which dice are rolled, or a choice follows a choice

    @property
    def ends(self) -> int:
        """The number of ends. They are the first nodes."""
        return len(self.results)

    @property
    def nodes(self) -> int:
        """The number of nodes. The last is the start."""
        return self.layers[-1].kinds[1]

    @property
    def decisions(self) -> int:
        """The number of kinds of decision."""
        return self.layers[-1].decisions[1]

    @cached_property
    def flat(self) -> Flat:
        """All layers in one, for compiled code."""
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
    """The graph of all that can follow ``start``: ``enumerated`` as arrays. Raises ValueError and RecursionError."""
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
    """Starts of runs in arrays that are laid end to end, and the end of the last run."""
    offsets = _starts([*lengths, 0])
    parts = [part + offset for part, offset in zip(starts, offsets, strict=False)]
    return np.concatenate([*parts, offsets[-1:]]).astype(np.int32)
