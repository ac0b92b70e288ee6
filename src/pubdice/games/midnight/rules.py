"""Midnight, one round: six dice a seat, keep at least one of each roll, a 1 and a 4 to qualify, the other four summed.

Sources: the encyclopedia's article ("Rules", "Variant game") and PlayPalace's rules ("Your
Turn", "Qualifying", "Scoring a Turn", "Winning a Round"). Knows one round; matches, pots and who opens are elsewhere.
"""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from pubdice.core.dice import Hand, without
from pubdice.core.game import Keep
from pubdice.core.turn_game import RoundState, TurnGame

__all__ = ["BEST", "DICE", "Keep", "Midnight", "RoundState", "counted", "lacking"]

DICE = 6
BEST = 24


@cache
def lacking(hand: Hand, need: tuple[int, int]) -> Hand:
    """The needed faces a hand does not hold.

    >>> lacking((1, 1, 3), (1, 4))
    (4,)
    """
    return tuple(face for face in need if face not in hand)


@cache
def counted(hand: Hand, need: tuple[int, int]) -> Hand:
    """The dice that count: all but one of each needed face, or none if the hand does not qualify.

    A second 1 or 4 counts its pips: only one of each is set aside (PlayPalace, "Scoring a Turn").

    >>> counted((1, 1, 4, 4, 5, 6), (1, 4))
    (1, 4, 5, 6)
    """
    return () if lacking(hand, need) else without(hand, need)


@dataclass(frozen=True, slots=True)
class Midnight(TurnGame):
    """The rules under one choice of options.

    Seats take one turn each (PlayPalace, "Gameplay"). Any of the dice just rolled are kept, at least one, and all not
    kept are rolled again (the encyclopedia, "Rules"; PlayPalace, "Your Turn"). The highest score wins, for all who tie;
    nobody wins if none qualified (PlayPalace, "Winning a Round"). A turn alone is practice.

    need: the pair that qualifies, (1, 4), or (2, 4) for the variant 2-4-24 (the encyclopedia, "Variant game").
    """

    number_of_dice: ClassVar[int] = DICE
    one_turn_each: ClassVar[bool] = True
    need: tuple[int, int] = (1, 4)

    def worth(self, hand: Hand) -> int:
        """The score of six dice: the sum of the four that count, 0 without the needed pair. 24 at best."""
        return sum(counted(hand, self.need))
