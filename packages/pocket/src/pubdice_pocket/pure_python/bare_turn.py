"""One turn, solved for any utility over its score, without numpy: the sums of ``finite.backward_induction`` on lists.

A decision is a row of nodes, and one of them is taken. Nodes are put in an order before each layer, the best first:
by value, of equal ones by the second utility, then the smaller node. A node's place in it is a whole number. So a
decision is the least of some whole numbers, taken by ``operator.itemgetter`` and ``min``, which are compiled.
Distributions of scores are found node by node, when somebody asks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from pubdice.core.dice import Hand
from pubdice.core.game import GameOfTurns, Keep, RoundState, TurnGame
from pubdice.solve.finite.enumerated import EnumeratedRound, enumerated
from pubdice.solve.numerics import SAME
from pubdice.solve.turns.turn_nodes import NumberRow, TurnNodes, dot

Picked = Callable[[Sequence[Any]], tuple[Any, ...]]
FEW_ASKED = 6
"""Nodes whose distributions are found one by one; then all that lie between are found with them, and remembered."""


@dataclass(frozen=True)
class BareLayer:
    """One height. after: picks the nodes of each decision. branches: for each kind, picks its decisions, and their
    chances.
    """

    after: tuple[Picked, ...]
    branches: tuple[tuple[Picked, tuple[float, ...]], ...]


@dataclass(frozen=True)
class Ways:
    """[nodes, scores] the chance of every final score from every node, worked out where it is asked for.

    taken: [decisions] the node chosen. kinds: [nodes] their decisions and chances; ends: the rank of each end's score.
    """

    taken: list[int]
    kinds: Sequence[tuple[Picked, tuple[float, ...]]]
    ends: Sequence[int]
    scores: int
    known: dict[int, list[float]] = field(default_factory=dict)

    def __getitem__(self, node: int) -> list[float]:
        """[scores] the chances from a node; they sum to 1."""
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
        """The chances from one node alone, downward: some 1 ms at Midnight, and 19 by way of all nodes between."""
        ends, taken = len(self.ends), self.taken
        mass = [0.0] * (node + 1)
        mass[node] = 1.0
        for at in range(node, ends - 1, -1):  # what follows a node has a smaller number
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
    """``turn_nodes.SolvedTurn`` on lists. other: [nodes] what best play is worth in the second utility.

    facts: of nodes that were asked for, as the chances before a roll ask for some 160 nodes 12,000 times.
    """

    value: list[float]
    other: list[float]
    chance: Ways
    slack: float
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
        self._after: dict[RoundState, Sequence[tuple[Keep, int]]] = {}  # as many as a turn has choices
        self._inherited = type(game).play is TurnGame.play
        self._leads: dict[Hand, dict[Hand, int]] = {}

    @property
    def points(self) -> list[float]:
        """[scores] the scores as numbers."""
        return self._points

    @property
    def mean(self) -> list[float]:
        """[scores] the points, or where the lowest score wins their negative."""
        return self._mean

    def after(self, alone: RoundState) -> Sequence[tuple[Keep, int]]:
        """The legal keeps at a choice, each with the node it leads to; asked of the rules once.

        Before a first roll at Midnight that is 11,914 keeps, of 923 kinds: where all dice left are rolled again, what
        else has fallen makes no difference (``enumerated_turn``).
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
        """The value of a fresh turn for one utility, [scores]: the greatest itself, without slack."""
        value: list[float] = [utility[rank] for rank in self.ends]
        best: list[float] = []
        for at, layer in enumerate(self._layers):
            best += self._greatest(at, value)
            value += [dot(pick(best), chances) for pick, chances in layer.branches]
        return value[-1]

    def solve(self, utility: NumberRow, second: NumberRow | None = None) -> BareSolved:
        """The turn for one utility, [scores]; see ``TurnNodes.solve``."""
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
        """The greatest value that each decision of a layer leads to."""
        return [max(pick(value)) for pick in self._layers[layer].after]

    def _least(self, layer: int, place: Sequence[int]) -> list[int]:
        """The least place that each decision of a layer leads to."""
        return [min(pick(place)) for pick in self._layers[layer].after]


def _best_first(value: list[float], other: list[float], slack: float) -> list[int]:
    """The nodes by value, those within ``slack`` of a better one by the second utility, then by number."""
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
    """A picker of these places as a tuple; a single one twice, as ``itemgetter`` would give it alone."""
    picked: Picked = itemgetter(*places) if len(places) > 1 else itemgetter(places[0], places[0])
    return picked


def _branches(branches: Sequence[tuple[int, int]]) -> tuple[Picked, tuple[float, ...]]:
    total = sum(count for _, count in branches)
    chances = [count / total for _, count in branches]
    return _picker([decision for decision, _ in branches]), tuple(chances if len(chances) > 1 else [1.0, 0.0])


_TURNS: dict[GameOfTurns, BareTurn] = {}


def bare_turn(game: GameOfTurns, kept: Callable[[], EnumeratedRound | None] = lambda: None) -> BareTurn:
    """The turn of a game, enumerated once in a process, unless it is kept."""
    if game not in _TURNS:
        _TURNS[game] = BareTurn(game, kept() or enumerated_turn(game))
    return _TURNS[game]


def enumerated_turn(game: GameOfTurns) -> EnumeratedRound:
    """The turn of a game, asked of its rules."""
    inherited = type(game).play is TurnGame.play  # where a keep leads depends on nothing but the dice locked
    return enumerated(game, game.start(1), rerolled=inherited)
