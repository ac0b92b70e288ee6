"""Trio, one round: three dice a seat, keep at least one of each roll, a 6 to qualify, the other two summed."""

from dataclasses import dataclass
from typing import ClassVar

from pubdice.core.dice import Hand
from pubdice.core.game import Keep, RoundState, TurnGame

NEEDED = 6


@dataclass(frozen=True, slots=True)
class Trio(TurnGame):
    """The rules of a game of one turn a seat, with three dice."""

    number_of_dice: ClassVar[int] = 3
    one_turn_each: ClassVar[bool] = True

    def worth(self, hand: Hand) -> int:
        """The sum of the two dice beside a 6, 0 without one. 12 at best.

        >>> Trio().worth((2, 5, 6)), Trio().worth((4, 5, 5))
        (7, 0)
        """
        return sum(hand) - NEEDED if NEEDED in hand else 0


# Trio's tip as a policy: a 6 first, then fives and sixes.


def tip(game: Trio, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Keep every 6; once there is one, every 5 too; where that leaves nothing, the highest die."""
    least = 5 if NEEDED in (*state.locked, *state.free) else NEEDED
    kept = tuple(face for face in state.free if face >= least) or (max(state.free),)
    return ((Keep(kept), 1),)
