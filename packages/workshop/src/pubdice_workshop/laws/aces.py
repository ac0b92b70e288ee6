"""Aces, a test game in one file, with three poker dice (9 10 J Q K A). A player keeps at least one die of each roll.

No game of the house has such faces. So this game tests that faces are drawn, announced, typed and written by their
names.
"""

from dataclasses import dataclass
from typing import ClassVar

from pubdice.core.dice import DieFaces, Hand
from pubdice.core.game import Keep, RoundState, TurnGame
from pubdice.kit import Kit
from pubdice.text.turn_words import TurnWords

ACE = 6
POKER = DieFaces(
    ("9", "10", "J", "Q", "K", "A"),
    (
        ("a nine", "{number} nines"),
        ("a ten", "{number} tens"),
        ("a jack", "{number} jacks"),
        ("a queen", "{number} queens"),
        ("a king", "{number} kings"),
        ("an ace", "{number} aces"),
    ),
)


@dataclass(frozen=True, slots=True)
class Aces(TurnGame):
    """The rules of Aces. A hand without an ace scores 0. With an ace, each of the other two dice counts from 1 (for a
    nine) to 6 (for an ace).
    """

    faces: ClassVar[DieFaces] = POKER
    number_of_dice: ClassVar[int] = 3
    one_turn_each: ClassVar[bool] = True

    def worth(self, hand: Hand) -> int:
        return sum(hand) - ACE if ACE in hand else 0


class AcesWords(TurnWords[Aces]):
    title = "Aces"
    tagline = "three poker dice: get an ace, then score high"

    def red(self, game: Aces) -> tuple[int, ...]:
        return (ACE,)


def tip(game: Aces, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Keep all aces and kings. If there are none, keep the best die."""
    return ((Keep(tuple(face for face in state.free if face >= ACE - 1) or (max(state.free),)), 1),)


KIT = Kit(
    name="aces",
    build=lambda options: Aces(),
    words=AcesWords(),
    policies={"tip": tip},
    rules=lambda code: "Keep a die of each roll or more. You need an ace; of the others a nine counts 1, an ace 6.",
)
