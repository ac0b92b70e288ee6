"""Ship, Captain and Crew for the second time: from the page of rules alone, in fractions. Imports nothing of the house.

A turn is how many of ship, captain and crew are aboard, the rolls left, and the two cargo dice once all are. Every way
the dice can fall is looked at one by one.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal

Cargo = Literal["together", "single", "stays"]
Worth = Callable[[int], Fraction]
Pair = tuple[int, int]
ROLLS = 3
SCORES = (0, *range(2, 13))


@cache
def falls(aboard: int) -> tuple[tuple[int, Pair, Fraction], ...]:
    """What one roll brings with so many aboard: how many then are, the cargo ((0, 0) if not all), and the chance."""
    found: Counter[tuple[int, Pair]] = Counter()
    dice = 5 - aboard
    for fallen in product(range(1, 7), repeat=dice):
        left, now = list(fallen), aboard
        while now < 3 and 6 - now in left:
            left.remove(6 - now)
            now += 1
        low, high = sorted(left) if now == 3 else (0, 0)
        found[now, (low, high)] += 1
    return tuple((now, cargo, Fraction(ways, 6**dice)) for (now, cargo), ways in found.items())


def again(pair: Pair, cargo: Cargo) -> Iterator[tuple[tuple[Pair, Fraction], ...]]:
    """The ways to go on with a cargo, each as the cargoes it may lead to."""
    if cargo == "stays":
        return
    yield tuple(((one, other), Fraction(1, 36)) for one, other in product(range(1, 7), repeat=2))
    if cargo == "single":
        for held in pair:
            yield tuple(((held, new), Fraction(1, 6)) for new in range(1, 7))


def turn(worth: Worth, cargo: Cargo = "together") -> Fraction:
    """The value of a turn that is played for the best mean of what its score is worth."""

    @cache
    def rolling(aboard: int, rolls: int) -> Fraction:
        if not rolls:
            return worth(0)
        return sum(
            (
                chance * (loaded(tuple(sorted(pair)), rolls - 1) if now == 3 else rolling(now, rolls - 1))
                for now, pair, chance in falls(aboard)
            ),
            Fraction(),
        )

    @cache
    def loaded(pair: Pair, rolls: int) -> Fraction:
        ways = again(pair, cargo) if rolls else iter(())
        rolled = (sum((chance * loaded(then, rolls - 1) for then, chance in way), Fraction()) for way in ways)
        return max([worth(sum(pair)), *rolled])

    return rolling(0, ROLLS)


def best_mean(cargo: Cargo = "together") -> Fraction:
    """The highest mean score of a turn."""
    return turn(Fraction, cargo)


@cache
def all_aboard(rolls: int = ROLLS, aboard: int = 0) -> Fraction:
    """The chance of ship, captain and crew within so many rolls; nobody has a choice on the way."""
    if aboard == 3 or not rolls:
        return Fraction(aboard == 3)
    return sum((chance * all_aboard(rolls - 1, now) for now, _, chance in falls(aboard)), Fraction())


def best_chance(least: int, cargo: Cargo = "together") -> Fraction:
    """The best chance of this score or more."""
    return turn(lambda score: Fraction(score >= least), cargo)


def stopping_from(least: int) -> dict[int, Fraction]:
    """The chance of every score of a turn that rolls both cargo dice again below ``least``, and else stops."""
    chances = dict.fromkeys(SCORES, Fraction())

    def loaded(total: int, rolls: int, weight: Fraction) -> None:
        if total >= least or not rolls:
            chances[total] += weight
            return
        for one, other in product(range(1, 7), repeat=2):
            loaded(one + other, rolls - 1, weight / 36)

    def rolling(aboard: int, rolls: int, weight: Fraction) -> None:
        if not rolls:
            chances[0] += weight
            return
        for now, pair, chance in falls(aboard):
            if now == 3:
                loaded(sum(pair), rolls - 1, weight * chance)
            else:
                rolling(now, rolls - 1, weight * chance)

    rolling(0, ROLLS, Fraction(1))
    return chances


@cache
def reply(score: int, cargo: Cargo = "together", boxcars: str = "no") -> Fraction:
    """What the second of two seats gets of one round that the first ended with this score: a tie is half of it.

    So is a round that nobody scored in: the match of one round is then shared. Against boxcars that win it has no turn.
    """
    if score == 12 and boxcars == "yes":
        return Fraction()
    return turn(lambda mine: Fraction((mine > score) - (mine < score) + 1, 2), cargo)


@cache
def opener(cargo: Cargo = "together", boxcars: str = "no") -> Fraction:
    """What the first of two seats gets of one round, both playing best."""
    return turn(lambda score: 1 - reply(score, cargo, boxcars), cargo)
