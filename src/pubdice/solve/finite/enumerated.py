"""Rounds followed from their rules alone, without numpy: enumerated, or counted ply by ply (perft).

A round that ends is enumerated with positions that no utility can tell apart merged. Definition. From a chance node,
play goes roll, choice, roll, … to an end. A choice that follows a choice stands as a roll with one outcome, so every
statement on chance positions holds for it, too. Two positions are *alike* if, for all numbers at the ends, they have
the same value under best play. It is enough that they are built alike (bisimulation):

- ends are alike if their results are equal; - decisions are alike if their sets of choices are; - chance positions are
alike if every kind of decision follows in the same number of ways.

Found from the leaves up, by giving equal descriptions one number (hash-consing), the merge follows from the rules
object and nothing else. The 12,398 positions of a Midnight turn become 22 ends, 161 kinds of chance position and
6,931 kinds of decision.

Numbers. *Nodes* are the ends, then the kinds of chance position by height (the most rolls there can be until the end),
so that whatever follows a node has a smaller number; the last node is the start. Decisions are numbered by height,
too. A *layer* holds the decisions that lead to heights below its own, and the chance kinds of its height.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from pubdice.core.dice import Hand, rolls
from pubdice.core.game import Game, RoundResult

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Ply:
    """Counts over a set of distinct positions: ``positions`` = ``chance`` + ``decision`` + ``terminal``.

    rolls: distinct rolls out of the chance positions. actions: legal actions out of the decisions.
    """

    positions: int
    chance: int
    decision: int
    terminal: int
    rolls: int
    actions: int


def steps(game: Game[S, Any], state: S) -> Iterator[S]:
    """The positions one step on, one for each roll or action, in the rules' order."""
    due = game.to_roll(state)
    if due:
        return (game.roll(state, hand) for hand, _ in rolls(due, game.faces.sides))
    return (game.play(state, action) for action in game.legal(state))


def count(game: Game[S, Any], states: Iterable[S]) -> Ply:
    """The counts over these positions."""
    positions = chance = decision = terminal = fell = actions = 0
    for state in states:
        positions += 1
        due = game.to_roll(state)
        legal = 0 if due else len(game.legal(state))
        if due:
            chance += 1
            fell += len(rolls(due, game.faces.sides))
        elif legal:
            decision += 1
            actions += legal
        else:
            terminal += 1
    return Ply(positions, chance, decision, terminal, fell, actions)


def perft(game: Game[S, Any], seats: int, depth: int) -> tuple[Ply, ...]:
    """Plies 0 to ``depth``; fewer if every walk has ended before.

    Definition. A *position* is a state of one round; two positions are the same if the states are equal. A *step* out
    of a chance position is one distinct sorted roll of the dice due (so ``C(n + 5, 5)`` of them for n dice, however
    many ways each can fall); a step out of a decision is one legal action; out of a terminal position there is none.
    *Ply* k is the set of distinct positions that some walk of exactly k steps from ``game.start(seats)`` ends in: ply 0
    is the start alone, and in a game with cycles a position may stand on many plies. The *reachable* positions, which
    ``tests/published/perft.json`` has too, are the union of all plies. ``rolls`` and ``actions`` count steps, not the
    positions they lead to: several steps may meet in one position.

    The name and the habit, counts of positions as test data for move generation, are chess programming's.
    """
    ply = {game.start(seats)}
    plies = [count(game, ply)]
    while len(plies) <= depth and (ply := {after for state in ply for after in steps(game, state)}):
        plies.append(count(game, ply))
    return tuple(plies)


@dataclass(frozen=True, slots=True)
class EnumeratedLayer:
    """One height of a round.

    decisions: the first and the one behind the last. after: the nodes each can lead to, in order. kinds: the first node
    and the one behind the last. branches: the decisions that follow each kind, with their ways.
    """

    decisions: tuple[int, int]
    after: tuple[tuple[int, ...], ...]
    kinds: tuple[int, int]
    branches: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class EnumeratedRound:
    """A round as numbers.

    results: one an end. chance: the node of every position where the dice decide, or where a choice follows a choice.
    """

    results: tuple[RoundResult, ...]
    layers: tuple[EnumeratedLayer, ...]
    chance: dict[Any, int]


class _Builder:
    """Descriptions met so far, each with its number; kinds of chance position count from 0 up, ends from -1 down."""

    def __init__(self, game: Game[Any, Any], rerolled: bool) -> None:
        self.game, self.rerolled = game, rerolled
        self.found: dict[Any, int] = {}
        self.ends: dict[RoundResult, int] = {}
        self.decisions: dict[frozenset[int], int] = {}
        self.kinds: dict[tuple[tuple[int, int], ...], int] = {}
        self.actions: dict[Any, int] = {}
        self.action: dict[int, Any] = {}
        self.numbered: dict[Hand, tuple[tuple[Any, ...], list[int]]] = {}

    def node(self, state: Any) -> int:
        """The class of a position that is over, at a roll, or at a choice with no roll before it."""
        node = self.found.get(state)
        if node is None:
            result = self.game.result(state)
            node = self.kind(state) if result is None else self.ends.setdefault(result, -1 - len(self.ends))
            self.found[state] = node
        return node

    def kind(self, state: Any) -> int:
        game, decisions = self.game, self.decisions
        ways: dict[int, int] = {}
        leads = _Leads(self)
        due = game.to_roll(state)
        for hand, count in rolls(due, game.faces.sides):  # one empty hand where there is nothing to roll
            fallen = game.roll(state, hand) if due else state
            legal = game.legal(fallen)
            if legal and self.rerolled:
                leads.fallen = fallen
                after = frozenset(map(leads.__getitem__, self.numbers(hand, legal)))
            else:
                after = frozenset([self.node(game.play(fallen, action)) for action in legal] or [self.node(fallen)])
            decision = decisions.setdefault(after, len(decisions))
            ways[decision] = ways.get(decision, 0) + count
        return self.kinds.setdefault(tuple(sorted(ways.items())), len(self.kinds))

    def numbers(self, hand: Hand, legal: tuple[Any, ...]) -> list[int]:
        """The actions as numbers; worked out once for each hand and what is legal with it."""
        entry = self.numbered.get(hand)
        if entry is None or entry[0] != legal:
            found = [self.actions.setdefault(action, len(self.actions)) for action in legal]
            self.action.update(zip(found, legal, strict=True))
            entry = self.numbered[hand] = legal, found
        return entry[1]


class _Leads(dict[int, int]):
    """The targets of actions from one position, by number; the rules are asked once for each, after ``fallen``."""

    def __init__(self, built: _Builder) -> None:
        super().__init__()
        self.built = built
        self.fallen: Any = None

    def __missing__(self, number: int) -> int:
        built = self.built
        node = self[number] = built.node(built.game.play(self.fallen, built.action[number]))
        return node


def enumerated(game: Game[S, Any], start: S, rerolled: bool = False) -> EnumeratedRound:
    """All that can follow ``start``, a position with dice to roll, in a round that always ends.

    rerolled: true of games where all dice that an action leaves are rerolled, so that its target does not depend on
    their faces; the rules are then asked once for each position and action, not for each hand as well. The graph is the
    same, and the tests hold every game that says so to it. Raises ValueError if that is not a chance node,
    RecursionError if the round need not end.
    """
    if not game.to_roll(start):
        raise ValueError(f"there are no dice to roll in {start}")
    built = _Builder(game, rerolled)
    built.node(start)
    after_of, ways_of = list(built.decisions), list(built.kinds)
    heights: list[int] = []  # of kinds; a kind's successors are described before it
    decision_heights: dict[int, int] = {}
    for ways in ways_of:
        for decision, _ in ways:
            if decision not in decision_heights:
                decision_heights[decision] = 1 + max([heights[n] if n >= 0 else 0 for n in after_of[decision]])
        heights.append(max([decision_heights[decision] for decision, _ in ways]))
    kinds_by_height = sorted(range(len(ways_of)), key=lambda kind: (heights[kind], kind))
    decisions_by_height = sorted(decision_heights, key=lambda decision: (decision_heights[decision], decision))
    node_of = {kind: len(built.ends) + at for at, kind in enumerate(kinds_by_height)}
    node_of.update((-1 - end, end) for end in range(len(built.ends)))
    number_of = {decision: at for at, decision in enumerate(decisions_by_height)}

    def layer(height: int) -> EnumeratedLayer:
        decisions = [decision for decision in decisions_by_height if decision_heights[decision] == height]
        kinds = [kind for kind in kinds_by_height if heights[kind] == height]
        return EnumeratedLayer(
            decisions=_span([number_of[decision] for decision in decisions]),
            after=tuple([tuple(sorted([node_of[n] for n in after_of[decision]])) for decision in decisions]),
            kinds=_span([node_of[kind] for kind in kinds]),
            branches=tuple([tuple([(number_of[each], count) for each, count in ways_of[kind]]) for kind in kinds]),
        )

    layers = tuple(layer(height) for height in range(1, max(heights) + 1))
    chance = {state: node_of[number] for state, number in built.found.items() if number >= 0}
    return EnumeratedRound(tuple(built.ends), layers, chance)


def _span(numbers: list[int]) -> tuple[int, int]:
    return numbers[0], numbers[-1] + 1
