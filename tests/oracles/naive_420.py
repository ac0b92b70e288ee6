"""A race of two at 420 for the second time: from the rules alone, by the plainest means. Imports nothing of the house.

A strategy is what is kept with a hand against another hand. Values come by going round: what a hand is worth to the
mover is the chance to win at once and, for every hand that may come, what the other then leaves.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

Dice = tuple[int, ...]
Floats = NDArray[np.float64]
Strategy = Callable[[Dice, Dice], Sequence[Dice]]
"""What is kept of one's own hand against another; of several, each as likely as the others."""
FRESH: Dice = ()
HANDS: list[Dice] = [FRESH, *(hand for hand in combinations_with_replacement(range(1, 7), 4) if sum(hand) != 20)]
KEEPS: list[Dice] = [kept for size in range(4) for kept in combinations_with_replacement(range(1, 7), size)]
AT = {hand: at for at, hand in enumerate(HANDS)}


@cache
def keeps(hand: Dice) -> tuple[Dice, ...]:
    """What the rules allow: at least 5 a die, and nothing over 20 or before the first roll."""
    if sum(hand) > 20:
        return ((),)
    return tuple(
        sorted({kept for size in range(4) for kept in combinations(hand, size) if sum(kept) >= 5 * size or not size})
    )


@cache
def falls(kept: Dice) -> tuple[Dice, ...]:
    """Every hand that may come of it, all equally likely."""
    return tuple(tuple(sorted(kept + rolled)) for rolled in product(range(1, 7), repeat=4 - len(kept)))


@cache
def wins(kept: Dice) -> float:
    """The chance that the next roll makes 20."""
    return sum(sum(hand) == 20 for hand in falls(kept)) / len(falls(kept))


@cache
def overs(kept: Dice) -> float:
    """The chance that the next roll goes over 20."""
    return sum(sum(hand) > 20 for hand in falls(kept)) / len(falls(kept))


def _moves() -> tuple[Floats, Floats]:
    move = np.zeros((len(KEEPS), len(HANDS)))
    for at, kept in enumerate(KEEPS):
        for hand in falls(kept):
            if sum(hand) != 20:
                move[at, AT[hand]] += 1 / len(falls(kept))
    return move, np.array([wins(kept) for kept in KEEPS])


MOVE, WIN = _moves()
ALLOWED = np.array([[kept in keeps(hand) for kept in KEEPS] for hand in HANDS])


Chosen = tuple[NDArray[np.int64], Floats]
"""[option, own, other] the keeps a strategy may take, by their place in ``KEEPS``, and how likely each is."""


def chosen(strategy: Strategy) -> Chosen:
    """A strategy as numbers."""
    some = {(own, other): strategy(own, other) if own else [()] for own, other in product(HANDS, HANDS)}
    shape = (max(map(len, some.values())), len(HANDS), len(HANDS))
    keep, weight = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    for (own, other), options in some.items():
        for option, kept in enumerate(options):
            keep[option, AT[own], AT[other]] = KEEPS.index(kept)
            weight[option, AT[own], AT[other]] = 1 / len(options)
    return keep, weight


def best() -> Chosen:
    """Best play by both: of equally good keeps the first."""
    value = np.zeros((len(HANDS), len(HANDS)))
    while True:
        worth = WIN[:, None] + MOVE @ (1 - value.T)
        after = np.array([worth[allowed].max(axis=0) for allowed in ALLOWED])
        if np.abs(after - value).max() < 1e-11:
            first = np.array(
                [
                    np.flatnonzero(each)[(worth[each] > worth[each].max(axis=0) - 1e-9).argmax(axis=0)]
                    for each in ALLOWED
                ]
            )
            return first[None], np.ones((1, *first.shape))
        value = after


def race(first: Chosen, second: Chosen) -> float:
    """The first's chance to win from fresh hands."""
    mine = theirs = np.zeros((len(HANDS), len(HANDS)))
    while True:
        after = _turn(first, theirs)
        other = _turn(second, after)
        if max(np.abs(after - mine).max(), np.abs(other - theirs).max()) < 1e-8:
            return float(after[0, 0])
        mine, theirs = after, other


def _turn(strategy: Chosen, left: Floats) -> Floats:
    """[own, other] the mover's chance, if ``left`` is the other's when its turn comes."""
    worth = WIN[:, None] + MOVE @ (1 - left.T)
    keep, weight = strategy
    value: Floats = (worth[keep, np.arange(len(HANDS))] * weight).sum(axis=0)
    return value
