"""What each keep of a hand is worth to the seat whose turn it is."""

from collections.abc import Sequence

from pubdice.core.dice import Hand
from pubdice.solve.hand_race.seat import OneSeat
from pubdice.solve.hand_race.solutions import Solution


def keep_values(one: OneSeat, solved: Solution, stage: int, hands: Sequence[Hand]) -> tuple[tuple[Hand, float], ...]:
    """The mover's legal keeps with their values, in the rules' order.

    stage: the mover's place counted from Player 1. hands: the mover's first, the others in turn order.
    """
    others = [one.kind[hand] for hand in hands[1:]]
    value = {
        action: float(solved.race.after(stage, action, others)[0])
        for action in solved.race.automaton.choices[one.kind[hands[0]]]
    }
    return tuple((dice, value[action]) for dice, action in one.keeps[hands[0]])
