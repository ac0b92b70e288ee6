"""Flip, a test game in one file: one die, at most one more roll, and the lowest score wins. A 6 turns over and counts
1.

Flip has three things that no game of the house has. Its lowest score wins although it is not a ``TurnGame``. A forced
action can come before another action. A roll can end a round, even with one seat.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pubdice.core.dice import Hand
from pubdice.core.game import MoveGame, uniform
from pubdice.kit import Kit
from pubdice.match.formats import POT, ROUNDS
from pubdice.text.move_words import MoveWords

HIGH, LOW = 6, 1


@dataclass(frozen=True, slots=True)
class FlipRound:
    """A round in progress. ``have`` is the value of the mover's die, 0 before the roll. ``again`` is True after the
    mover chose to roll again.
    """

    seats: int
    scores: tuple[int, ...] = ()
    dice: Hand = ()
    have: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Flip(MoveGame[FlipRound]):
    """The rules of Flip. After the first roll the player keeps the die, or rolls it once more and must take the
    result.
    """

    lowest_wins: ClassVar[bool] = True
    one_turn_each: ClassVar[bool] = True
    moves: ClassVar[tuple[str, ...]] = ("again", "flip", "stay")

    def begin(self, seats: int) -> FlipRound:
        return FlipRound(seats)

    def legal(self, state: FlipRound) -> tuple[str, ...]:
        if not state.have or state.again:
            return ()
        return ("flip",) if state.have == HIGH else ("again", "stay")

    def after_roll(self, state: FlipRound, dice: Hand) -> FlipRound:
        if state.again:
            return FlipRound(state.seats, (*state.scores, *dice))
        return FlipRound(state.seats, state.scores, dice, dice[0])

    def after_move(self, state: FlipRound, move: str) -> FlipRound:
        if move == "flip":
            return FlipRound(state.seats, state.scores, (), LOW)
        if move == "again":
            return FlipRound(state.seats, state.scores, (), state.have, again=True)
        return FlipRound(state.seats, (*state.scores, state.have))


class FlipWords(MoveWords[Flip]):
    labels: Mapping[str, str] = {"again": "roll again", "flip": "turn the 6 over", "stay": "stay with {have}"}
    told: Mapping[str, tuple[str, str]] = {
        "flip": ("{name} turned the 6 over.", "You turned the 6 over."),
        "again": ("{name} rolled again.", "You rolled again."),
        "stay": ("{name} stayed with {have}.", "You stayed with {have}."),
    }


def tip(game: Flip, state: FlipRound) -> tuple[tuple[str, int], ...]:
    """Turn a 6 over. Stay with 3 or less."""
    legal = game.legal(state)
    return ((legal[0 if len(legal) == 1 or state.have > 3 else 1], 1),)


KIT = Kit(
    name="flip",
    build=lambda options: Flip(),
    formats=(ROUNDS, POT),
    words=FlipWords("Flip", "one die, the lowest wins"),
    policies={"tip": tip, "lucky": uniform},
    rules=lambda code: "Roll a die; a 6 is turned over and counts 1. Stay, or roll once more. The lowest score wins.",
)
