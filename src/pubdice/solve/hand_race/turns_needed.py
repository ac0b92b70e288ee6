"""The fewest turns that a seat needs on average to win a race of hands, whatever the others do, in exact fractions.

With T(k) the turns a hand of kind k still needs, T(k) = 1 + min over actions of the sum over k' of P[action, k'] T(k'),
found by policy iteration over the automaton's ways.
"""

from fractions import Fraction
from functools import cache

from pubdice.solve.hand_race.seat import HandRace, one_seat


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
