"""The state space of a round, enumerated from its rules alone, or counted ply by ply (perft). Needs no numpy.

The enumeration merges positions of a round that ends, if no utility can tell them apart. Definition. From a chance
node, play goes roll, choice, roll, … to an end. A choice that follows a choice counts as a roll with one outcome, so
each statement about chance positions holds for it too. Two positions are *alike* if they have the same value under best
play for every utility on the ends. Bisimulation is sufficient for that:

- Ends are alike if their results are equal.
- Decisions are alike if their sets of choices are alike.
- Chance positions are alike if every kind of decision follows in the same number of ways.

The merge works from the leaves up and gives equal descriptions one number (hash-consing). It needs only the rules
object. The 12,398 positions of a Midnight turn become 22 ends, 161 kinds of chance position and 6,931 kinds of
decision.

Numbers. *Nodes* are the ends first, then the kinds of chance position by height. The height is the most rolls there can
be until the end, so all followers of a node have smaller numbers. The last node is the start. Decisions are also
numbered by height. A *layer* holds the chance kinds of one height, and the decisions whose highest follower is one
below it.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from pubdice.core.dice import Hand, rolls
from pubdice.core.game import Game, RoundResult

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Ply:
    """Counts over a set of distinct positions: ``positions`` = ``chance`` + ``decision`` + ``terminal``."""

    positions: int
    chance: int
    decision: int
    terminal: int
    rolls: int  # distinct rolls out of the chance positions
    actions: int  # legal actions out of the decisions


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
    """Plies 0 to ``depth``. Fewer if every walk has ended before.

    Definition. A *position* is a state of one round. Two positions are the same if their states are equal. A *step* out
    of a chance position is one distinct sorted roll of the dice due: ``C(n + 5, 5)`` of them for n dice, no matter in
    how many ways each can fall. A step out of a decision is one legal action. A terminal position has no steps. *Ply* k
    is the set of distinct positions at the end of some walk of exactly k steps from ``game.start(seats)``. Ply 0 is the
    start alone. In a game with cycles a position may be on many plies. The *reachable* positions, which
    ``tests/published/perft.json`` also has, are the union of all plies. ``rolls`` and ``actions`` count steps, not
    positions: several steps may lead to one position.

    The name comes from chess programming, which tests move generators with such counts.
    """
    ply = {game.start(seats)}
    plies = [count(game, ply)]
    while len(plies) <= depth and (ply := {after for state in ply for after in steps(game, state)}):
        plies.append(count(game, ply))
    return tuple(plies)


@dataclass(frozen=True, slots=True)
class EnumeratedLayer:
    """One height of a round."""

    decisions: tuple[int, int]  # the first decision, and the one behind the last
    after: tuple[tuple[int, ...], ...]  # the nodes that each decision can lead to, in order
    kinds: tuple[int, int]  # the first node, and the one behind the last
    branches: tuple[tuple[tuple[int, int], ...], ...]  # the decisions that follow each kind, with their ways


@dataclass(frozen=True, slots=True)
class EnumeratedRound:
    """A round as numbers."""

    results: tuple[RoundResult, ...]  # one an end
    layers: tuple[EnumeratedLayer, ...]
    chance: dict[Any, int]  # the node of every position at which dice are rolled, or a choice follows a choice


class _Builder:
    """Descriptions found so far, each with its number. Kinds of chance position count from 0 up, ends from -1 down."""

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
        """The number of a position that is over, at a roll, or at a choice with no roll before it."""
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
        for hand, count in rolls(due, game.faces.sides):  # one empty hand if no roll is due
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
        """The actions as numbers, cached by the hand and its legal actions."""
        entry = self.numbered.get(hand)
        if entry is None or entry[0] != legal:
            found = [self.actions.setdefault(action, len(self.actions)) for action in legal]
            self.action.update(zip(found, legal, strict=True))
            entry = self.numbered[hand] = legal, found
        return entry[1]


class _Leads(dict[int, int]):
    """The nodes that a position's actions lead to, by the number of the action. Each is asked of the rules once."""

    def __init__(self, built: _Builder) -> None:
        super().__init__()
        self.built = built
        self.fallen: Any = None

    def __missing__(self, number: int) -> int:
        built = self.built
        node = self[number] = built.node(built.game.play(self.fallen, built.action[number]))
        return node


def enumerated(game: Game[S, Any], start: S, rerolled: bool = False) -> EnumeratedRound:
    """Enumerate and merge all that can follow ``start``, a position with dice to roll, in a round that always ends.

    Set ``rerolled`` for a game that rerolls all dice that an action leaves, so the action's target does not depend on
    their faces. Then the rules are asked once for each position and action, not also for each hand. The graph is the
    same: the tests check it for every game that sets it. Raises ValueError if no dice are due at ``start``,
    RecursionError if the round need not end.
    """
    if not game.to_roll(start):
        raise ValueError(f"there are no dice to roll in {start}")
    built = _Builder(game, rerolled)
    built.node(start)
    after_of, ways_of = list(built.decisions), list(built.kinds)
    heights: list[int] = []  # of kinds: a kind's successors are numbered before it
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
