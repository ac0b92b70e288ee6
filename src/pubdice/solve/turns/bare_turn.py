"""A turn as nodes with scores (``TurnNodes``), and one solved on lists, without numpy (``BareTurn``).

Scores are given from the worst to the best everywhere: every utility or distribution is a row over
``TurnNodes.scores``, and a score's *rank* is its place there. Rank 0 never wins: it is the score that wins nothing
(``TurnTaking.scoreless``), or, in games where every score can win, one that no turn ends with.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import fsum
from operator import itemgetter, mul
from pathlib import Path
from typing import Any, Protocol

from pubdice.core.dice import Hand
from pubdice.core.errors import Unsolved
from pubdice.core.game import GameOfTurns, Keep, RoundResult, RoundState, TurnGame
from pubdice.solve.finite.enumerated import EnumeratedRound, enumerated
from pubdice.solve.numerics import SAME
from pubdice.text.turn_words import reach

# The names of files of what was worked out before (``kept``), and the folder that this process takes them from.


VERSION = 1
"""Of what is in a file: another number makes all that were kept unread."""
_folders: list[Path] = []


def file_name(game: GameOfTurns) -> str:
    """The name of a game's file, by its rules and options."""
    return f"turns-{sha256(repr((VERSION, game)).encode()).hexdigest()[:16]}.json"


def trust(folder: Path) -> None:
    """Take what was worked out before from this folder."""
    _folders[:] = [folder]


def trusted() -> Path | None:
    """The folder that is trusted, if there is one."""
    return _folders[0] if _folders else None


NEVER = -1
"""Stands at rank 0 of ``TurnNodes.scores`` where every score can win."""


class NumberRow(Protocol):
    """A number for each score, or each node: an array of numpy's, or a list."""

    def __len__(self) -> int:
        """The count of numbers."""

    def __iter__(self) -> Iterator[Any]:
        """The numbers, in order."""

    def __getitem__(self, at: Any, /) -> Any:
        """One of them, or a slice."""


class SolvedTurn(Protocol):
    """A turn under best play for one utility.

    value: [nodes] of every node. chance: [nodes, scores] of every final score from every node. slack: choices whose
    values differ by no more are equally good.
    """

    @property
    def value(self) -> Any:
        """[nodes] of every node."""

    @property
    def chance(self) -> Any:
        """[nodes, scores] of every final score from every node."""

    @property
    def slack(self) -> float:
        """Choices whose values differ by no more are equally good."""


def dot(one: NumberRow, other: NumberRow) -> float:
    """The sum of products of two rows of one length, rounded once: the same in every Python, whose ``sum`` is not."""
    return fsum(map(mul, one, other))


class TurnNodes(ABC):
    """The turn of a game, its positions numbered.

    scores: from the worst to the best. at_once: the rank of the score that ends the round, 0 if none does. start: the
    node of a fresh turn. chance: the node of every position where the dice decide, or a choice follows a choice.
    """

    def __init__(
        self, game: GameOfTurns, results: Sequence[RoundResult], chance: Mapping[RoundState, int], nodes: int
    ) -> None:
        self.game, self.chance, self.start = game, chance, nodes - 1
        found = [result.scores[0] for result in results]
        ranked = sorted(found, key=game.better)
        self.scores = tuple(ranked) if ranked[0] == game.scoreless else (NEVER, *ranked)
        self.ends = [self.scores.index(score) for score in found]  # the rank of each
        self.at_once = len(self.scores) - 1 if game.wins_at_once(ranked[-1]) else 0
        self._end = {score: node for node, score in enumerate(found)}

    @property
    @abstractmethod
    def points(self) -> Any:
        """[scores] the scores as numbers."""

    @property
    @abstractmethod
    def mean(self) -> Any:
        """[scores] what a turn is played for alone: the points, or where the lowest score wins their negative."""

    @abstractmethod
    def solve(self, utility: NumberRow, second: NumberRow | None = None) -> SolvedTurn:
        """The turn for one utility, [scores].

        Between keeps that are equally good for it the second utility decides, the mean score if none is given, and then
        the smaller node of the graph.
        """

    def rank(self, score: int | None) -> int:
        """A score's place among the scores; 0 for None, which stands for no score that can win.

        Raises Unsolved("not-reached") for a score that no turn ends with.
        """
        if score is None or score == self.game.scoreless:
            return 0
        if score not in self.scores:
            raise Unsolved("not-reached")
        return self.scores.index(score)

    def facts(self, best: int, chance: NumberRow) -> dict[str, float]:
        """The outcome of ``chance``, of every score, for a seat that finds this rank as the best so far (0: none).

        The ``mean`` of the score, the chance to ``qualify``, the score ``to_beat`` (0: none) with the chances to
        ``beat`` and to ``tie`` it; and of every score, the chance to ``reach`` it.
        """
        behind = 0.0
        reached: list[tuple[str, float]] = []
        beaten = 0.0
        for rank in reversed(range(len(self.scores))):
            if rank == best:
                beaten = behind
            behind += float(chance[rank])
            if self.scores[rank] != NEVER:
                reached.append((reach(self.scores[rank]), behind))
        return {
            "mean": dot(chance, self.points),
            "qualify": float(1 - chance[0]),
            "to_beat": float(self.points[best]) if best else 0.0,
            "beat": beaten,
            "tie": float(chance[best]) if best else 0.0,
            **dict(reversed(reached)),
        }

    def choice(self, solved: SolvedTurn, nodes: Sequence[int]) -> int:
        """The node best play chooses, the mean score deciding between equals: earlier values rely on it."""
        best = max(solved.value[node] for node in nodes) - solved.slack
        means = {node: dot(solved.chance[node], self.mean) for node in nodes if solved.value[node] >= best}
        return min(node for node, mean in means.items() if mean >= max(means.values()) - SAME)

    def node(self, alone: RoundState) -> int:
        """The node of a turn that is over, at a roll, or at a choice after one; ``alone``: see ``TurnTaking.alone``.

        Raises Unsolved("not-reached") for a turn that no player of this game can have.
        """
        found = self._end.get(alone.scores[0]) if alone.scores else self.chance.get(alone)
        if found is None:
            raise Unsolved("not-reached")
        return found

    def after(self, alone: RoundState) -> Sequence[tuple[Keep, int]]:
        """The legal keeps at a choice, in the rules' order, each with the node it leads to."""
        return [(keep, self.node(self.game.play(alone, keep))) for keep in self.game.legal(alone)]


# One turn, solved for any utility over its score, without numpy: the sums of ``finite.backward_induction`` on lists.
#
# A decision is a row of nodes, and one of them is taken. Nodes are put in an order before each layer, the best first:
# by value, of equal ones by the second utility, then the smaller node; a node's place in it is a whole number. So a
# decision is the least of some whole numbers, taken by ``operator.itemgetter`` and ``min``, which are compiled.
# Distributions of scores are found node by node, when somebody asks.


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
