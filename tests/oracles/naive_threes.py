"""Threes for the second time: solved from the page of rules alone, in fractions. Imports nothing of the house.

A turn is how many dice are still to roll and what the kept ones count. Every keep of at least one die of every roll is
looked at. Kept dice count six each only if all of them are sixes, so the sum knows a turn that can still end with five.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Literal

Moon = Literal["no", "yes", "first"]
Worth = Callable[[int], Fraction]
DICE = 5
MOON = -1
"""The score of five sixes where they win at once."""


@cache
def rolls(number: int) -> tuple[tuple[tuple[tuple[int, int], ...], Fraction], ...]:
    """How so many dice can fall, with the chances: each as what may be kept of it, (dice, points), at least one."""
    counts: dict[tuple[int, ...], int] = {}
    for fallen in product((1, 2, 0, 4, 5, 6), repeat=number):
        key = tuple(sorted(fallen))
        counts[key] = counts.get(key, 0) + 1
    return tuple(
        (
            tuple(sorted({(size, sum(kept)) for size in range(1, number + 1) for kept in combinations(fallen, size)})),
            Fraction(ways, 6**number),
        )
        for fallen, ways in counts.items()
    )


def ended(points: int, moon: Moon, first: bool) -> int:
    """The score of a turn whose dice count so much; first: it ended with its first roll."""
    return MOON if points == 6 * DICE and (moon == "yes" or (moon == "first" and first)) else points


def turn(worth: Worth, moon: Moon = "no") -> Fraction:
    """The value of a turn that is played for the best mean of what its score is worth."""

    @cache
    def value(left: int, points: int) -> Fraction:
        return sum(
            (chance * max(at(left, points, kept) for kept in keeps) for keeps, chance in rolls(left)), Fraction()
        )

    def at(left: int, points: int, kept: tuple[int, int]) -> Fraction:
        size, more = kept
        if size < left:
            return value(left - size, points + more)
        return worth(ended(points + more, moon, left == DICE))

    return value(DICE, 0)


@cache
def best_mean(dice: int = DICE) -> Fraction:
    """The lowest mean that so many dice can be played for."""
    if not dice:
        return Fraction()
    return sum(
        (chance * min(more + best_mean(dice - size) for size, more in keeps) for keeps, chance in rolls(dice)),
        Fraction(),
    )


def best_chance(*scores: int, moon: Moon = "no") -> Fraction:
    """The best chance to end a turn with one of these scores."""
    return turn(lambda score: Fraction(score in scores), moon)


def distribution() -> dict[int, Fraction]:
    """The chance of every score of a turn played for the lowest mean; of equal keeps the one of fewest dice."""

    @cache
    def of(left: int) -> dict[int, Fraction]:
        if not left:
            return {0: Fraction(1)}
        total: dict[int, Fraction] = {}
        for keeps, chance in rolls(left):
            size, more = min(keeps, key=lambda kept: (kept[1] + best_mean(left - kept[0]), kept[0]))
            for points, weight in of(left - size).items():
                total[points + more] = total.get(points + more, Fraction()) + chance * weight
        return total

    return of(DICE)


@cache
def reply(score: int, moon: Moon = "no") -> Fraction:
    """What the second of two seats gets of one round that the first ended with this score: a tie is half of it."""

    def share(mine: int) -> Fraction:
        return Fraction((mine < score) - (mine > score) + 1, 2)

    return Fraction() if score == MOON else turn(share, moon)


@cache
def opener(moon: Moon = "no") -> Fraction:
    """What the first of two seats gets of one round, both playing best."""
    return turn(lambda score: 1 - reply(score, moon), moon)
