"""Mexico, a test game: two dice, and the lowest score loses a life.

The number of rolls that the first player takes is the limit for the others. Two different dice count as a number, the
higher digit first. A double counts 100 times its face. 2 and 1 is Mexico, the best throw. The game has its own format,
``lives``. No code outside these two files knows the game.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lives import LIVES
from pubdice.core.dice import Hand
from pubdice.core.game import Game, MoveGame, uniform
from pubdice.kit import Kit
from pubdice.text.language import Language
from pubdice.text.move_words import MoveWords

MOST_ROLLS = 3
MEXICO = 1000


def worth(hand: Hand) -> int:
    """Return the score of two dice.

    >>> worth((1, 2)), worth((3, 3)), worth((4, 6))
    (1000, 300, 64)
    """
    low, high = hand
    return MEXICO if hand == (1, 2) else 100 * low if low == high else 10 * high + low


@dataclass(frozen=True, slots=True)
class Cups:
    """A round in progress. ``limit`` is the most rolls in a turn. ``rolls`` counts the mover's rolls."""

    seats: int
    scores: tuple[int, ...] = ()
    limit: int = MOST_ROLLS
    rolls: int = 0
    dice: Hand = ()


@dataclass(frozen=True, slots=True)
class Mexico(MoveGame[Cups]):
    """The rules of Mexico. After the last roll allowed, the turn ends without a choice."""

    least_seats: ClassVar[int] = 2
    most_seats: ClassVar[int] = 10
    number_of_dice: ClassVar[int] = 2
    moves: ClassVar[tuple[str, ...]] = ("roll", "hold")

    def begin(self, seats: int) -> Cups:
        return Cups(seats)

    def legal(self, state: Cups) -> tuple[str, ...]:
        return self.moves if state.dice else ()

    def after_roll(self, state: Cups, dice: Hand) -> Cups:
        rolled = Cups(state.seats, state.scores, state.limit, state.rolls + 1, dice)
        return self._bank(rolled) if rolled.rolls == rolled.limit else rolled

    def _bank(self, state: Cups) -> Cups:
        limit = state.limit if state.scores else state.rolls
        return Cups(state.seats, (*state.scores, worth(state.dice)), limit)

    def after_move(self, state: Cups, move: str) -> Cups:
        return self._bank(state) if move == "hold" else Cups(state.seats, state.scores, state.limit, state.rolls)


def tip(game: Game[Cups, str], state: Cups) -> tuple[tuple[str, int], ...]:
    """Hold with a score of 61 or more."""
    return (("hold" if worth(state.dice) >= 61 else "roll", 1),)


class MexicoWords(MoveWords[Mexico]):
    labels: Mapping[str, str] = {"roll": "roll again"}
    told: Mapping[str, tuple[str, str]] = {
        "roll": ("{name} rolled on.", "You rolled on."),
        "hold": ("{name} held {have}.", "You held {have}."),
    }
    keys: Mapping[str, str] = {"roll": "r", "hold": "b"}

    def facts(self, language: Language, game: Mexico, state: Cups, move: str) -> dict[str, Any]:
        return {"have": self.score(language, game, worth(state.dice))}

    def rolled(self, language: Language, game: Mexico, name: str, before: Cups, dice: tuple[int, ...]) -> list[str]:
        return [language.say("That is {dice}.", dice=self.score(language, game, worth(tuple(sorted(dice)))))]

    def score(self, language: Language, game: Mexico, score: int) -> str:
        return language.say("Mexico") if score == MEXICO else str(score)


KIT = Kit(
    name="mexican",
    build=lambda options: Mexico(),
    formats=(LIVES,),
    words=MexicoWords("Mexico", "two dice, the lowest loses a life"),
    policies={"tip": tip, "lucky": uniform},
    rules=lambda code: "The first has three rolls, and the others as many as the first took. The lowest loses a life.",
)
