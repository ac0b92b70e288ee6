"""Midnight for the second time: solved from the rules alone, by the plainest means. Imports nothing of the house.

A turn is its locked dice. Every roll of the others is looked at, every keep of at least one die, and the best is taken.
Scores are 0 to 24, and a distribution is 25 chances.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

Dice = tuple[int, ...]
Floats = NDArray[np.float64]
Keeps = Callable[[Dice, Dice], Sequence[Dice]]
"""What is kept of the dice rolled, when some are locked; of several, each as likely as the others."""
SCORES = np.arange(25.0)


@cache
def rolls(number: int) -> tuple[tuple[Dice, float], ...]:
    """The ways so many dice can fall, sorted, with their chances."""
    return tuple(
        (dice, factorial(number) / prod(map(factorial, Counter(dice).values())) / 6**number)
        for dice in combinations_with_replacement(range(1, 7), number)
    )


@cache
def keeps(rolled: Dice) -> tuple[Dice, ...]:
    """Every keep of at least one die."""
    return tuple(sorted({kept for size in range(1, len(rolled) + 1) for kept in combinations(rolled, size)}))


def score(dice: Dice, need: tuple[int, int] = (1, 4)) -> int:
    """The other four dice, if there are a 1 and a 4, or another pair that is needed."""
    return sum(dice) - sum(need) if need[0] in dice and need[1] in dice else 0


def locks() -> Iterator[Dice]:
    """Every set of locked dice, the full ones first."""
    for number in range(6, -1, -1):
        yield from combinations_with_replacement(range(1, 7), number)


def _join(locked: Dice, kept: Dice) -> Dice:
    return tuple(sorted(locked + kept))


def best(utility: Floats) -> Floats:
    """The distribution of best play for a worth of each score; of equal keeps, the one with the best mean score."""
    known: dict[Dice, tuple[float, float, Floats]] = {}
    for locked in locks():
        if len(locked) == 6:
            known[locked] = (float(utility[score(locked)]), float(score(locked)), np.eye(25)[score(locked)])
            continue
        total = np.zeros(25)
        for rolled, chance in rolls(6 - len(locked)):
            offered = [known[_join(locked, kept)] for kept in keeps(rolled)]
            total += chance * max(offered, key=lambda each: (round(each[0], 11), round(each[1], 11)))[2]
        known[locked] = (float(total @ utility), float(total @ SCORES), total)
    return known[()][2]


def _any(locked: Dice, rolled: Dice) -> Sequence[Dice]:
    return keeps(rolled)


def values(utilities: Floats, allowed: Keeps = _any, need: tuple[int, int] = (1, 4)) -> Floats:
    """The values of best play for several worths of each score, [25, lanes], where only some keeps are allowed."""
    known: dict[Dice, Floats] = {}
    for locked in locks():
        if len(locked) == 6:
            known[locked] = utilities[score(locked, need)]
            continue
        known[locked] = sum(
            (chance * np.max([known[_join(locked, kept)] for kept in allowed(locked, rolled)], axis=0))
            for rolled, chance in rolls(6 - len(locked))
        )
    return known[()]


def played(policy: Keeps) -> Floats:
    """The distribution of a policy."""
    known: dict[Dice, Floats] = {}

    def at(locked: Dice) -> Floats:
        if len(locked) == 6:
            end: Floats = np.eye(25)[score(locked)]
            return end
        if locked not in known:
            total = np.zeros(25)
            for rolled, chance in rolls(6 - len(locked)):
                chosen = policy(locked, rolled)
                for kept in chosen:
                    total += chance / len(chosen) * at(_join(locked, kept))
            known[locked] = total
        return known[locked]

    return at(())


def against(beat: int) -> Floats:
    """The share of a round of two that each score has against another."""
    share: Floats = (np.sign(SCORES - beat) + 1) / 2
    return share
