"""One seat of a race as a small automaton: kinds of hand, and actions that win or lead to another kind. Knows no game.

A *kind* is a block of hands the rules cannot tell apart (``minimize``). In kind k the seat takes one of the actions
``choices[k]``; action o wins at once in ``wins[o]`` of ``total`` ways and leads to kind k' in ``ways[o][k']`` of them,
``wins[o] + sum(ways[o]) = total``. Whole numbers throughout: floats are made from them where they are wanted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import chain
from math import lcm
from typing import Any

from pubdice.core.dice import Hand, rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import Game, HandState, Keep

# Positions that can never be told apart: the coarsest partition of a graph of choices, by refinement. Knows no game.
#
# Definition. Items 0 … N - 1 each offer actions; an action is a distribution, whole-number ways by the item reached,
# or ``END`` where play stops with a win. All actions count the same total of ways. A partition of the items is
# *stable* if any two items of a block offer the same set of distributions over blocks (and ``END``); equal
# distributions within one item count once. There is a coarsest stable partition (bisimulation, the union of all of
# them), and there every function of blocks that solves a Bellman equation of the items solves it on the blocks, so
# values may be computed on blocks.
#
# Algorithm. Start with one block; split blocks by what their items offer over the present blocks; stop when nothing
# splits. Each step is exact integer arithmetic, and the N - 1 possible splits bound the number of steps.
#
# Reference: R. Paige, R. Tarjan, Three partition refinement algorithms (1987); the plain version here, which is quick
# enough for hundreds of items.


END = -1

Distribution = Mapping[int, int]
Merged = tuple[tuple[int, int], ...]
"""A distribution over blocks: (block or END, ways), ascending."""


def over_blocks(distribution: Distribution, block: Sequence[int]) -> Merged:
    """The distribution over blocks; ``END`` stays itself.

    >>> over_blocks({0: 1, 1: 2, END: 3}, [0, 0])
    ((-1, 3), (0, 3))
    """
    ways: dict[int, int] = {}
    for item, count in distribution.items():
        reached = END if item == END else block[item]
        ways[reached] = ways.get(reached, 0) + count
    return tuple(sorted(ways.items()))


def lump(offers: Sequence[Sequence[Distribution]]) -> tuple[int, ...]:
    """The block of each item in the coarsest stable partition, numbered in the order the blocks first appear.

    >>> lump([[{1: 1, END: 1}], [{0: 1, END: 1}], [{2: 1, END: 1}, {END: 2}]])
    (0, 0, 1)
    """
    block = [0] * len(offers)
    blocks = 1 if offers else 0
    while True:
        seen: dict[int, Merged] = {}  # the same distribution may be offered by many items: merge it once
        number: dict[tuple[int, frozenset[Merged]], int] = {}
        finer = []
        for item, actions in enumerate(offers):
            for action in actions:
                if id(action) not in seen:
                    seen[id(action)] = over_blocks(action, block)
            offered = frozenset(seen[id(action)] for action in actions)
            finer.append(number.setdefault((block[item], offered), len(number)))
        block = finer
        if len(number) == blocks:
            return tuple(block)
        blocks = len(number)


@dataclass(frozen=True, slots=True)
class Automaton:
    """Kinds 0 … K - 1, actions 0 … M - 1, and the kind a fresh seat is in."""

    wins: tuple[int, ...]
    ways: tuple[tuple[int, ...], ...]
    choices: tuple[tuple[int, ...], ...]
    total: int
    start: int = 0

    def __post_init__(self) -> None:
        for won, ways in zip(self.wins, self.ways, strict=True):
            if won + sum(ways) != self.total or len(ways) != len(self.choices):
                raise ValueError(f"an action counts {won} + {ways}, not {self.total} ways over {len(self.choices)}")

    @property
    def kinds(self) -> int:
        """The number of kinds of hand."""
        return len(self.choices)

    @property
    def least_win(self) -> Fraction:
        """The least chance any action has of winning at once: 1 less it is the contraction modulus of a race."""
        return Fraction(min(self.wins), self.total)

    def key(self) -> str:
        """A hash of every number in it."""
        told = repr((self.wins, self.ways, self.choices, self.total, self.start))
        return sha256(told.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Merge:
    """An automaton made by merging items: the kind of each item, and the action that each of its offers has become."""

    automaton: Automaton
    kind: tuple[int, ...]
    action: tuple[tuple[int, ...], ...]


def merge(offers: Sequence[Sequence[Mapping[int, int]]], start: int = 0) -> Merge:
    """The automaton of these items (see ``minimize``), all actions of which count the same total of ways.

    Kinds and actions are numbered in the order they first appear. Offers of one item that have become equal are one
    action; an item's choices stand in the order of the first item of its kind.
    """
    kind = lump(offers)
    kinds = max(kind) + 1
    number: dict[Merged, int] = {}
    seen: dict[int, int] = {}  # the same offer may be made by many items: merge it once
    for offer in chain.from_iterable(offers):
        if id(offer) not in seen:
            seen[id(offer)] = number.setdefault(over_blocks(offer, kind), len(number))
    action = tuple(tuple(seen[id(offer)] for offer in offered) for offered in offers)
    choices: list[tuple[int, ...]] = [()] * kinds
    for item, block in enumerate(kind):
        choices[block] = choices[block] or tuple(dict.fromkeys(action[item]))
    merged = [dict(offer) for offer in number]
    automaton = Automaton(
        tuple(ways.get(END, 0) for ways in merged),
        tuple(tuple(ways.get(block, 0) for block in range(kinds)) for ways in merged),
        tuple(choices),
        sum(merged[0].values()),
        kind[start],
    )
    return Merge(automaton, kind, action)


# One seat of a race of hands as an automaton, made by driving the rules: every hand, keep and roll. Needs no numpy.
#
# A second seat is parked: it rolls hands that do not win, so that the first seat's turns follow one another. What the
# first seat can do then depends on its hand alone, and what comes of a keep on the dice kept alone, so each set of
# dice kept is rolled out once. The rules object is asked for all of it.


HandRace = Game[Any, Keep]
"""The rules of a race of hands: its states are ``HandState``, and what is solved is remembered by its hash."""


@dataclass(frozen=True, slots=True)
class OneSeat:
    """The automaton, the kind of every hand that does not win (``()`` is fresh), and what each legal keep has become.

    keeps: for each hand, its legal keeps with their actions in the automaton, in the rules' order; the fresh seat's
    first roll stands there as keeping nothing.
    """

    automaton: Automaton
    kind: Mapping[Hand, int]
    keeps: Mapping[Hand, tuple[tuple[Hand, int], ...]]


@cache
def one_seat(game: HandRace) -> OneSeat:
    """The automaton of these rules.

    Raises Unsolved("no-bound") if some keep cannot win at once: errors are bounded by the least such chance.
    """
    fresh = game.start(2)
    parked = next(
        hand for hand, _ in rolls(game.to_roll(fresh), game.faces.sides) if game.result(game.roll(fresh, hand)) is None
    )
    rolled: dict[Hand, dict[Hand | None, int]] = {(): outcomes(game, fresh)}
    kept: dict[Hand, list[Hand]] = {(): [()]}
    number: dict[Hand, int] = {(): 0}
    pending = [hand for hand in rolled[()] if hand is not None]
    for hand in pending:
        if hand in number:
            continue
        number[hand] = len(number)
        state = game.roll(game.roll(fresh, hand), parked)
        kept[hand] = []
        for keep in game.legal(state):
            kept[hand].append(keep.dice)
            if keep.dice not in rolled:
                rolled[keep.dice] = outcomes(game, game.play(state, keep))
                pending += [after for after in rolled[keep.dice] if after is not None]
    total = lcm(*(sum(ways.values()) for ways in rolled.values()))
    offer = {
        dice: {
            END if hand is None else number[hand]: times * (total // sum(ways.values())) for hand, times in ways.items()
        }
        for dice, ways in rolled.items()
    }
    merged = merge([[offer[dice] for dice in kept[hand]] for hand in number])
    if not merged.automaton.least_win:
        raise Unsolved("no-bound")
    keeps = {
        hand: tuple(zip(kept[hand], actions, strict=True)) for hand, actions in zip(number, merged.action, strict=True)
    }
    return OneSeat(merged.automaton, dict(zip(number, merged.kind, strict=True)), keeps)


def outcomes(game: HandRace, state: HandState) -> dict[Hand | None, int]:
    """The first seat's hand after each roll due in this state, None where it wins, with its ways."""
    found: dict[Hand | None, int] = {}
    for dice, times in rolls(game.to_roll(state), game.faces.sides):
        after = game.roll(state, dice)
        hand = None if game.result(after) else after.hands[0]
        found[hand] = found.get(hand, 0) + times
    return found


# The fewest turns that a seat needs on average to win a race of hands, whatever the others do, in exact fractions.
#
# With T(k) the turns a hand of kind k still needs, T(k) = 1 + min over actions of the sum over k' of P[action, k']
# T(k'), found by policy iteration over the automaton's ways.


@cache
def turns(game: HandRace) -> tuple[Fraction, ...]:
    """The least expected number of turns to a win, by kind of hand."""
    automaton = one_seat(game).automaton
    choice = [actions[-1] for actions in automaton.choices]
    while True:
        needed = _solve([automaton.ways[action] for action in choice], automaton.total)
        better = [
            min(actions, key=lambda action: (mean(automaton.ways[action], needed), action != chosen))
            for actions, chosen in zip(automaton.choices, choice, strict=True)
        ]
        if better == choice:
            return tuple(1 + value / automaton.total for value in (mean(automaton.ways[a], needed) for a in choice))
        choice = better


def mean(ways: tuple[int, ...], needed: list[Fraction]) -> Fraction:
    """The turns still needed after an action, times the automaton's total; ``ways``: of the action, by kind."""
    return sum((count * value for count, value in zip(ways, needed, strict=True) if count), Fraction(0))


def _solve(rows: list[tuple[int, ...]], total: int) -> list[Fraction]:
    """T = 1 + P T for P = rows / total, by elimination in fractions."""
    size = len(rows)
    matrix = [
        [Fraction((at == column) * total - count, total) for column, count in enumerate(row)] + [Fraction(1)]
        for at, row in enumerate(rows)
    ]
    for pivot in range(size):
        scale = matrix[pivot][pivot]
        matrix[pivot] = [value / scale for value in matrix[pivot]]
        for at in range(size):
            factor = matrix[at][pivot]
            if at != pivot and factor:
                matrix[at] = [value - factor * other for value, other in zip(matrix[at], matrix[pivot], strict=True)]
    return [row[-1] for row in matrix]
