"""Rounds followed from their rules alone, without numpy: enumerated, counted ply by ply, and by a given policy.

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

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pubdice.core.dice import Hand, rolls
from pubdice.core.game import Game, Policy, RoundResult

# Perft for dice: how many positions a game reaches, ply by ply and in all. Knows the Game protocol and counting only.
#
# Definition. A *position* is a state of one round; two positions are the same if the states are equal. A *step* out
# of a chance position is one distinct sorted roll of the dice due (so ``C(n + 5, 5)`` of them for n dice, however
# many ways each can fall); a step out of a decision is one legal action; out of a terminal position there is none.
# *Ply* k is the set of distinct positions that some walk of exactly k steps from ``game.start(seats)`` ends in: ply 0
# is the start alone, and in a game with cycles a position may stand on many plies. The *reachable* positions, which
# ``tests/published/perft.json`` has too, are the union of all plies. ``rolls`` and ``actions`` count steps, not the
# positions they lead to: several steps may meet in one position.
#
# The name and the habit, counts of positions as test data for move generation, are chess programming's.


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
    """Plies 0 to ``depth``; fewer if every walk has ended before."""
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


# What a given policy comes to, exactly: the chances of every result of a round that ends. Knows no game.
#
# With pi(a | state) the share of the weights a policy gives an action, the chances follow the policy down the rules,
#
#     C(end) = 1 at its result,   C(roll) = sum over hands of ways / s^n · C(after),
#     C(decision) = sum over a of pi(a | decision) · C(after a),
#
# every position worked out once, and only those that the policy reaches. Nothing is maximised and nothing is drawn:
# these are sums of nonnegative products of chances, and rounding is below 1e-13 (see ``backward_induction``).
# ``value`` is the same with a utility in the place of the results, V(end) = u(result), and quicker by as much as a
# number is smaller than a table.
#
# A ``Sheet`` remembers how the rules go on from each position, so that policy after policy can be tried on it.


Chances = dict[RoundResult, float]
RollOutcome = tuple[float, Any, dict[Any, Any] | None]
"""One outcome of a roll: its chance, the position it makes, and the target of each action there; None: no choice."""
AllowedActions = Callable[[Any], Sequence[Any]]
RoundStep = RoundResult | list[tuple[float, list[int]]]
"""A result, or of each outcome of a roll its chance and the numbers of the positions that may follow."""


class Sheet:
    """The positions of a round from ``start`` on; each is asked of the rules once, when a policy first reaches it."""

    def __init__(self, game: Game[Any, Any], start: Any) -> None:
        self.game = game
        self.start = start
        self._falls: dict[Any, list[RollOutcome]] = {}
        self._one_of: dict[Any, Any] = {}  # equal positions are one object, which is found again without a comparison
        self._held_to: AllowedActions | None = None
        self._held: list[RoundStep] = []

    def falls(self, state: Any) -> list[RollOutcome]:
        """All rolls at a chance node, with how often each falls; at a choice, which is there already, that alone."""
        found = self._falls.get(state)
        if found is None:
            game, due = self.game, self.game.to_roll(state)
            fallen = rolls(due, game.faces.sides) if due else ()
            outcomes = [(count, game.roll(state, hand)) for hand, count in fallen] or [(1, state)]
            found = self._falls[state] = [
                (count / game.faces.sides**due, each, {} if game.legal(each) else None) for count, each in outcomes
            ]
        return found

    def value(self, policy: Policy[Any, Any], utility: Callable[[RoundResult], float], start: Any = None) -> float:
        """The policy's value, on average. Raises RecursionError if the round need not end."""
        game, known = self.game, dict[Any, float]()

        def at(state: Any) -> float:
            value = known.get(state)
            if value is None:
                result = game.result(state)
                value = known[state] = utility(result) if result is not None else rolled(state)
            return value

        def rolled(state: Any) -> float:
            total = 0.0
            for chance, fallen, after in self.falls(state):
                if after is None:
                    total += chance * at(fallen)
                    continue
                weighted = policy(game, fallen)
                weights = chance if len(weighted) == 1 else chance / sum(weight for _, weight in weighted)
                for action, weight in weighted:
                    total += weights * (weight if len(weighted) > 1 else 1) * at(self._after(fallen, after, action))
            return total

        return at(self.start if start is None else start)

    def chances(self, policy: Policy[Any, Any], start: Any = None) -> Chances:
        """The chance of every result under the policy. Raises RecursionError if the round need not end."""
        known: dict[Any, Chances] = {}

        def at(state: Any) -> Chances:
            found = known.get(state)
            if found is None:
                result = self.game.result(state)
                found = known[state] = {result: 1.0} if result is not None else rolled(state)
            return found

        def rolled(state: Any) -> Chances:
            total: Chances = {}
            for chance, fallen, after in self.falls(state):
                weighted = () if after is None else policy(self.game, fallen)
                weights = sum(weight for _, weight in weighted)
                parts = [(chance * weight / weights, self._after(fallen, after, act)) for act, weight in weighted]
                for share, following in parts or [(chance, fallen)]:
                    for result, part in at(following).items():
                        total[result] = total.get(result, 0.0) + share * part
            return total

        return at(self.start if start is None else start)

    def best(self, allowed: AllowedActions, utility: Callable[[RoundResult], float]) -> float:
        """The value of best play among policies held to some of the legal actions: ``allowed`` at each decision.

        How the round goes on under the same ``allowed`` is remembered for the next utility.
        """
        if allowed is not self._held_to:
            self._held_to, self._held = allowed, self._steps(allowed)
        value: list[float] = []
        for step in self._held:
            total = 0.0
            if isinstance(step, RoundResult):
                total = utility(step)
            else:
                for chance, following in step:
                    total += chance * max([value[number] for number in following])
            value.append(total)
        return value[-1]

    def _steps(self, allowed: AllowedActions) -> list[RoundStep]:
        """The positions that are reached, each after all that follow it; the start is the last."""
        numbers, steps = dict[Any, int](), list[RoundStep]()

        def at(state: Any) -> int:
            number = numbers.get(state)
            if number is None:
                result = self.game.result(state)
                step = rolled(state) if result is None else result
                number = numbers[state] = len(steps)
                steps.append(step)
            return number

        def rolled(state: Any) -> RoundStep:
            step = []
            for chance, fallen, after in self.falls(state):
                following = [fallen] if after is None else [self._after(fallen, after, act) for act in allowed(fallen)]
                step.append((chance, list(map(at, following))))
            return step

        at(self.start)
        return steps

    def _after(self, fallen: Any, after: dict[Any, Any] | None, action: Any) -> Any:
        assert after is not None, "asked where there is a choice"
        found = after.get(action)
        if found is None:
            made = self.game.play(fallen, action)
            found = after[action] = self._one_of.setdefault(made, made)
        return found
