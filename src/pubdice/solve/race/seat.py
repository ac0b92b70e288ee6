"""One seat of a race of hands as an automaton, made from the rules, with every hand, keep and roll. Needs no numpy.

The rules are asked about a race of two, in which the second seat always rolls a hand that does not win. So the first
seat's turns follow one another. Its options depend only on its hand, and the outcome of a keep only on the dice kept.
So the rules are asked once for the rolls of each set of kept dice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any

from pubdice.core.dice import Hand, rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import Game, HandState, Keep
from pubdice.solve.race.automaton import END, Automaton, merge

HandRace = Game[Any, Keep]
"""The rules of a race of hands. Its states are ``HandState``. The game must be hashable, because the caches use it as a
key."""


@dataclass(frozen=True, slots=True)
class OneSeat:
    """The automaton of one seat, with the kind of each hand and the action of each keep."""

    automaton: Automaton
    kind: Mapping[Hand, int]
    """The kind of every hand that does not win. ``()`` is the hand before the first roll."""
    keeps: Mapping[Hand, tuple[tuple[Hand, int], ...]]
    """For each hand, its legal keeps in the rules' order, each with its action. Before the first roll, the only keep is
    ``()``."""


@cache
def one_seat(game: HandRace) -> OneSeat:
    """Make the automaton of these rules.

    If a keep cannot win at once, there is no error bound: raise Unsolved("no-bound").
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
    """Count the ways to each hand of the first seat after the roll due in this state. The key None counts wins."""
    found: dict[Hand | None, int] = {}
    for dice, times in rolls(game.to_roll(state), game.faces.sides):
        after = game.roll(state, dice)
        hand = None if game.result(after) else after.hands[0]
        found[hand] = found.get(hand, 0) + times
    return found


@cache
def turns(game: HandRace) -> tuple[Fraction, ...]:
    """Return the least expected number of turns to a win, by kind of hand, in exact fractions.

    Let T(k) be the expected turns from a hand of kind k. Policy iteration solves T(k) = 1 + min over actions of the sum
    over k' of P[action, k'] T(k').
    """
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
    """Return the expected turns after an action, times the automaton's total. ``ways``: its ways to each kind."""
    return sum((count * value for count, value in zip(ways, needed, strict=True) if count), Fraction(0))


def _solve(rows: list[tuple[int, ...]], total: int) -> list[Fraction]:
    """Solve the linear system T = 1 + P T for P = rows / total, by elimination in fractions."""
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
