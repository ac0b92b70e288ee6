"""The state space of a round, enumerated from its rules alone, or counted ply by ply (perft). Needs no numpy.

For a round that ends, the enumeration merges positions that no utility can tell apart. Definition. From a chance node,
play goes roll, choice, roll, … to an end. A choice that follows a choice counts as a roll with one outcome, so each
statement about chance positions holds for it too. Two positions are *alike* if they have the same value under best play
for every utility on the ends. Bisimulation is sufficient for that:

- Ends are alike if their results are equal.
- Decisions are alike if their sets of choices are alike.
- Chance positions are alike if every kind of decision follows in the same number of ways. A *kind* is a set of
  positions that are all alike.

The merge works from the ends of the round backward and gives equal descriptions the same number (hash-consing). It
needs only the rules object. The 12,398 positions of a Midnight turn become 22 ends, 161 kinds of chance position and
6,931 kinds of decision.

Numbers. A *node* is an end or a kind of chance position. The ends have the first numbers, then come the kinds of chance
position by height. The height is the most rolls until the end, so all followers of a node have smaller numbers. The
last node is the start. Decisions have their own numbers, also by height. A *layer* holds the kinds of chance position
of one height, and the decisions whose highest follower is one below that height.
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
    rolls: int  # the number of distinct rolls that lead out of the chance positions
    actions: int  # the number of legal actions that lead out of the decisions


def steps(game: Game[S, Any], state: S) -> Iterator[S]:
    """Yield the positions one step on: one for each roll or each legal action, in the rules' order."""
    due = game.to_roll(state)
    if due:
        return (game.roll(state, hand) for hand, _ in rolls(due, game.faces.sides))
    return (game.play(state, action) for action in game.legal(state))


def count(game: Game[S, Any], states: Iterable[S]) -> Ply:
    """Count these positions by type, with their rolls and actions."""
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
    """Count the positions of plies 0 to ``depth``. If every walk ends earlier, return fewer plies.

    Definition. A *position* is a state of one round. Two positions are the same if their states are equal. A *step* out
    of a chance position is one distinct sorted roll of the dice due. With n six-sided dice there are ``C(n + 5, 5)`` of
    them, no matter in how many ways each can fall. A step out of a decision is one legal action. A terminal position
    has no steps. *Ply* k is the set of distinct positions at the end of some walk of exactly k steps from
    ``game.start(seats)``. Ply 0 is the start alone. In a game with cycles, a position may be on many plies. The
    *reachable* positions, which ``tests/published/perft.json`` also has, are the union of all plies. ``rolls`` and
    ``actions`` count steps, not positions, because several steps may lead to the same position.

    The name comes from chess programming, which tests move generators with such counts.
    """
    ply = {game.start(seats)}
    plies = [count(game, ply)]
    while len(plies) <= depth and (ply := {after for state in ply for after in steps(game, state)}):
        plies.append(count(game, ply))
    return tuple(plies)


@dataclass(frozen=True, slots=True)
class EnumeratedLayer:
    """The chance nodes of one height of a round, and the decisions whose highest follower is one below that height."""

    decisions: tuple[int, int]  # the number of the first decision, and one more than that of the last
    after: tuple[tuple[int, ...], ...]  # for each decision the nodes that it can lead to, in ascending order
    kinds: tuple[int, int]  # the number of the first node, and one more than that of the last
    # for each node (decision that follows, number of ways to roll it)
    branches: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class EnumeratedRound:
    """A round after the merge, with nodes and decisions as numbers."""

    results: tuple[RoundResult, ...]  # the result of each end
    layers: tuple[EnumeratedLayer, ...]
    chance: dict[Any, int]  # for every position with dice to roll, or at a choice that follows a choice, its node


class _Builder:
    """The descriptions found so far, each with its number.

    Kinds of chance position have numbers from 0 up, ends from -1 down.
    """

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
        """Return the number of a position that is an end, has dice to roll, or is a choice with no roll before it."""
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
        for hand, count in rolls(due, game.faces.sides):  # if no roll is due, there is one empty hand
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
        """Return the legal actions as numbers. They are cached by the hand and its legal actions."""
        entry = self.numbered.get(hand)
        if entry is None or entry[0] != legal:
            found = [self.actions.setdefault(action, len(self.actions)) for action in legal]
            self.action.update(zip(found, legal, strict=True))
            entry = self.numbered[hand] = legal, found
        return entry[1]


class _Leads(dict[int, int]):
    """The nodes to which a position's actions lead, by action number. The rules are asked once for each action."""

    def __init__(self, built: _Builder) -> None:
        super().__init__()
        self.built = built
        self.fallen: Any = None

    def __missing__(self, number: int) -> int:
        built = self.built
        node = self[number] = built.node(built.game.play(self.fallen, built.action[number]))
        return node


def enumerated(game: Game[S, Any], start: S, rerolled: bool = False) -> EnumeratedRound:
    """Enumerate and merge all positions of a round that can follow ``start``. At ``start`` dice must be due, and the
    round must always end.

    Set ``rerolled`` if the game rerolls all dice that an action does not keep. Then the next position does not depend
    on the faces of those dice, so the rules are asked once for each position and action, and not once for each hand.
    The graph is the same either way, as the tests check for every such game.

    Raises ValueError if no dice are due at ``start``, and RecursionError if the round need not end.
    """
    if not game.to_roll(start):
        raise ValueError(f"there are no dice to roll in {start}")
    built = _Builder(game, rerolled)
    built.node(start)
    after_of, ways_of = list(built.decisions), list(built.kinds)
    heights: list[int] = []  # the height of each kind. The kinds that follow a kind are numbered before it.
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
