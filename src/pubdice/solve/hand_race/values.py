"""What each keep of a hand is worth to the seat whose turn it is."""

from collections.abc import Sequence

from pubdice.core.dice import Hand
from pubdice.solve.hand_race.races import AnySolution, races
from pubdice.solve.hand_race.seat import HandRace, OneSeat, one_seat


def keep_values(one: OneSeat, solved: AnySolution, stage: int, hands: Sequence[Hand]) -> tuple[tuple[Hand, float], ...]:
    """The mover's legal keeps with their values, in the rules' order.

    stage: the mover's place counted from Player 1. hands: the mover's first, the others in turn order.
    """
    others = [one.kind[hand] for hand in hands[1:]]
    value = {
        action: float(solved.race.after(stage, action, others)[0])
        for action in solved.race.automaton.choices[one.kind[hands[0]]]
    }
    return tuple((dice, value[action]) for dice, action in one.keeps[hands[0]])


def values_of_two(game: HandRace, own: Hand, other: Hand) -> dict[Hand, float]:
    """The dice that may be kept of a hand, in the rules' order, each with the chance to win a race of two."""
    return dict(keep_values(one_seat(game), races(game, None).solved(2, drinks=False), 0, (own, other)))
