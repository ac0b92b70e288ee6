"""One turn of a game, solved for any utility over its score, without numpy: ``finite.backward_induction`` on lists.

A turn is a graph of nodes in layers. A decision takes one of several nodes. Before each layer, the nodes are ranked,
the best first: by value, then by the second utility, then by number. So a decision takes the smallest of some integers,
which ``operator.itemgetter`` and ``min`` do in compiled code. The distribution of scores from a node is computed only
on demand.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from pubdice.core.dice import Hand
from pubdice.core.errors import Unsolved
from pubdice.core.game import GameOfTurns, Keep, RoundState, TurnGame
from pubdice.solve.finite.enumerated import EnumeratedRound, enumerated
from pubdice.solve.numerics import SAME
from pubdice.solve.turns.turn_nodes import NumberRow, TurnNodes, dot

Picked = Callable[[Sequence[Any]], tuple[Any, ...]]
FEW_ASKED = 6
"""The number of nodes whose distributions are found one by one. For later nodes, the distributions of all nodes in
between are found too, and cached."""


@dataclass(frozen=True)
class BareLayer:
    """One layer of the turn's graph."""

    after: tuple[Picked, ...]  # for each decision, a function that picks its nodes
    # for each kind of roll, a function that picks its decisions, and their chances
    branches: tuple[tuple[Picked, tuple[float, ...]], ...]


@dataclass(frozen=True)
class Ways:
    """[nodes, scores] the chance of each final score from each node, found on demand."""

    taken: list[int]  # [decisions] the node that was chosen
    kinds: Sequence[tuple[Picked, tuple[float, ...]]]  # [nodes] the decisions that may follow, and their chances
    ends: Sequence[int]  # the rank of the score of each end
    scores: int
    known: dict[int, list[float]] = field(default_factory=dict)

    def __getitem__(self, node: int) -> list[float]:
        """Return [scores] the chance of each final score from a node. They sum to 1."""
        found = self.known.get(node)
        if found is None:
            if len(self.known) < FEW_ASKED:
                found = self._spread(node)
            else:
                found = [0.0] * self.scores
                if node < len(self.ends):
                    found[self.ends[node]] = 1.0
                else:
                    self._add(node, found)
            self.known[node] = found
        return found

    def _spread(self, node: int) -> list[float]:
        """Return the chance of each score from one node, without computing the chances from other nodes. At Midnight
        this takes 1 ms. If the chances from all nodes in between are computed, it takes 19 ms.
        """
        ends, taken = len(self.ends), self.taken
        mass = [0.0] * (node + 1)
        mass[node] = 1.0
        for at in range(node, ends - 1, -1):  # nodes that can follow a node have smaller numbers
            if share := mass[at]:
                picked, chances = self.kinds[at - ends]
                for after, chance in zip(picked(taken), chances, strict=True):
                    mass[after] += share * chance
        found = [0.0] * self.scores
        for rank, share in zip(self.ends, mass, strict=False):
            found[rank] += share
        return found

    def _add(self, node: int, found: list[float]) -> None:
        picked, chances = self.kinds[node - len(self.ends)]
        shares: dict[int, float] = {}
        for after, chance in zip(picked(self.taken), chances, strict=True):
            shares[after] = shares.get(after, 0.0) + chance
        for after, share in shares.items():
            for rank, part in enumerate(self[after]):
                if part:
                    found[rank] += share * part


@dataclass(frozen=True)
class BareSolved:
    """A solved turn: ``turn.Solved`` on lists."""

    value: list[float]
    other: list[float]  # [nodes] the mean of the second utility under best play
    chance: Ways
    slack: float
    # a cache by node, because the chances before a roll need some 160 nodes 12,000 times
    facts: dict[int, dict[str, float]] = field(default_factory=dict)


class BareTurn(TurnNodes):
    """The turn of a game, on lists."""

    def __init__(self, game: GameOfTurns, found: EnumeratedRound) -> None:
        super().__init__(game, found.results, found.chance, found.layers[-1].kinds[1])
        self._points = [float(score) for score in self.scores]
        self._mean = [-point for point in self._points] if game.lowest_wins else self._points
        self._layers = [
            BareLayer(
                tuple([_picker(after) for after in layer.after]),
                tuple([_branches(branches) for branches in layer.branches]),
            )
            for layer in found.layers
        ]
        self._kinds = [kind for layer in self._layers for kind in layer.branches]
        # by position: as many entries as a turn has choices
        self._after: dict[RoundState, Sequence[tuple[Keep, int]]] = {}
        self._inherited = type(game).play is TurnGame.play
        self._leads: dict[Hand, dict[Hand, int]] = {}

    @property
    def points(self) -> list[float]:
        """[scores] The scores as floats."""
        return self._points

    @property
    def mean(self) -> list[float]:
        """[scores] The scores as floats, or their negative if the lowest score wins."""
        return self._mean

    def after(self, alone: RoundState) -> Sequence[tuple[Keep, int]]:
        """Return the legal keeps at a choice, each with the node that it leads to. The rules are asked only once for
        each choice.

        All first rolls of Midnight together have 11,914 keeps, but these are of 923 kinds: if all other dice are rolled
        again, their faces make no difference (``enumerated_turn``).
        """
        found = self._after.get(alone)
        if found is None:
            found = self._after[alone] = self._led(alone) if self._inherited else super().after(alone)
        return found

    def _led(self, alone: RoundState) -> Sequence[tuple[Keep, int]]:
        known, found = self._leads.setdefault(alone.locked, {}), []
        for keep in self.game.legal(alone):
            node = known.get(keep.dice)
            if node is None:
                node = known[keep.dice] = self.node(self.game.play(alone, keep))
            found.append((keep, node))
        return found

    def best(self, utility: NumberRow) -> float:
        """Return the value of a fresh turn for a utility [scores]. It is the exact maximum, without the slack of
        ``solve``.
        """
        value: list[float] = [utility[rank] for rank in self.ends]
        best: list[float] = []
        for at, layer in enumerate(self._layers):
            best += self._greatest(at, value)
            value += [dot(pick(best), chances) for pick, chances in layer.branches]
        return value[-1]

    def solve(self, utility: NumberRow, second: NumberRow | None = None) -> BareSolved:
        """Solve the turn for a utility [scores] (see ``TurnNodes.solve``)."""
        along = self._mean if second is None else second
        value, other = [utility[rank] for rank in self.ends], [along[rank] for rank in self.ends]
        slack = SAME * max(1.0, *[abs(each) for each in utility])
        taken: list[int] = []
        values: list[float] = []
        others: list[float] = []
        for at, layer in enumerate(self._layers):
            order = _best_first(value, other, slack)
            place = [0] * len(order)
            for first, node in enumerate(order):
                place[node] = first
            chosen = [order[first] for first in self._least(at, place)]
            taken += chosen
            values += [value[node] for node in chosen]
            others += [other[node] for node in chosen]
            value += [dot(pick(values), chances) for pick, chances in layer.branches]
            other += [dot(pick(others), chances) for pick, chances in layer.branches]
        return BareSolved(value, other, Ways(taken, self._kinds, self.ends, len(self.scores)), slack)

    def _greatest(self, layer: int, value: Sequence[float]) -> list[float]:
        return [max(pick(value)) for pick in self._layers[layer].after]

    def _least(self, layer: int, place: Sequence[int]) -> list[int]:
        return [min(pick(place)) for pick in self._layers[layer].after]


def _best_first(value: list[float], other: list[float], slack: float) -> list[int]:
    """Return the nodes ordered by value, the best first. Nodes that are within ``slack`` of a better node are ordered
    by the second utility, then by number.
    """
    ranked = sorted(range(len(value)), key=lambda node: -value[node])
    found: list[int] = []
    at = 0
    while at < len(ranked):
        least, behind = value[ranked[at]] - slack, at + 1
        while behind < len(ranked) and value[ranked[behind]] >= least:
            behind += 1
        found += _by_second(ranked[at:behind], other) if behind > at + 1 else ranked[at:behind]
        at = behind
    return found


def _by_second(nodes: list[int], other: list[float]) -> list[int]:
    ranked = sorted(nodes, key=lambda node: -other[node])
    found: list[int] = []
    at = 0
    while at < len(ranked):
        least, behind = other[ranked[at]] - SAME, at + 1
        while behind < len(ranked) and other[ranked[behind]] >= least:
            behind += 1
        found += sorted(ranked[at:behind])
        at = behind
    return found


def _picker(places: Sequence[int]) -> Picked:
    """Return a function that picks these places of a sequence as a tuple. A single place is picked twice, because
    ``itemgetter`` with one place gives no tuple.
    """
    picked: Picked = itemgetter(*places) if len(places) > 1 else itemgetter(places[0], places[0])
    return picked


def _branches(branches: Sequence[tuple[int, int]]) -> tuple[Picked, tuple[float, ...]]:
    total = sum(count for _, count in branches)
    chances = [count / total for _, count in branches]
    return _picker([decision for decision, _ in branches]), tuple(chances if len(chances) > 1 else [1.0, 0.0])


_TURNS: dict[GameOfTurns, BareTurn | Unsolved] = {}


def bare_turn(game: GameOfTurns, kept: Callable[[], EnumeratedRound | None] = lambda: None) -> BareTurn:
    """Return the turn of a game, made once in a process. If ``kept`` returns None, the turn is enumerated.

    Raise Unsolved if it has too many scores.
    """
    if game not in _TURNS:
        try:
            _TURNS[game] = BareTurn(game, kept() or enumerated_turn(game))
        except Unsolved as refused:
            _TURNS[game] = refused
    found = _TURNS[game]
    if isinstance(found, Unsolved):
        raise Unsolved(found.code, **found.facts)
    return found


def enumerated_turn(game: GameOfTurns) -> EnumeratedRound:
    """Return the turn of a game, enumerated from its rules."""
    inherited = type(game).play is TurnGame.play  # if true, the position after a keep depends only on the dice locked
    return enumerated(game, game.start(1), rerolled=inherited)
