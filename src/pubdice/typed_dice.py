"""The dice that a typed line names, by face or by position (PlayPalace, "Keyboard Shortcuts"), to keep or to reroll.

If a line names the dice to reroll, the player keeps all others (Steere, "Reroll note"). A mark on the table always
means a die to keep, also in this case.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Literal

from pubdice.core.dice import hands
from pubdice.core.game import Game, kept_by
from pubdice.match.table import Die
from pubdice.typed import Choose, How

Keys = Literal["face", "position"]
Why = Literal["none", "few", "marked", "unmarked"]


class NoSuchDieError(Exception):
    """A digit that names no die. ``why`` is the reason.

    - "none": no die shows that face, or lies in that place.
    - "few": fewer dice show it than the line names.
    - "marked": all such dice are marked already.
    - "unmarked": no such die is marked.
    """

    def __init__(self, digit: int, keys: Keys, why: Why) -> None:
        super().__init__(f"{keys} {digit} {why}")
        self.digit, self.keys, self.why = digit, keys, why


def choose(
    dice: tuple[Die, ...], marks: tuple[int, ...], choice: Choose, keys: Keys, stays: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Return the marks after a choice. Raises NoSuchDieError.

    Marks are places from 0, in the order in which the dice were marked.

    - By position, a digit is a place, counted from 1. By face, it is any die of that face. A face named twice means two
      dice.
    - A toggle marks the named dice that are not marked yet. If all of them are marked, it unmarks them.
    - ``stays``: places of dice that are kept even without a mark. If another die shows the same face, that die is
      marked first.
    """
    free = [die for die in dice if die.status != "locked"]
    if choice.how in ("toggle", "mark"):
        free.sort(key=lambda die: die.place in stays)
    if choice.how == "keep":
        return _mark(free, (), choice.digits, keys)
    if choice.how == "reroll":
        rerolled = _mark(free, (), choice.digits, keys)
        return tuple(die.place for die in free if die.place not in rerolled)
    if choice.how == "mark":
        return _mark(free, marks, choice.digits, keys)
    if choice.how == "unmark":
        return _unmark(free, marks, choice.digits, keys)
    for digit in dict.fromkeys(choice.digits):
        times = choice.digits.count(digit)
        named = _named(free, digit, keys)
        still_free = len(set(named).difference(marks))
        if times > len(named):
            raise NoSuchDieError(digit, keys, "few" if named else "none")
        if still_free:
            marks = _mark(free, marks, (digit,) * min(times, still_free), keys)
        else:
            marks = _unmark(free, marks, (digit,) * times, keys)
    return marks


def _named(free: list[Die], digit: int, keys: Keys) -> list[int]:
    return [die.place for die in free if digit == (die.face if keys == "face" else die.place + 1)]


def _mark(free: list[Die], marks: tuple[int, ...], digits: tuple[int, ...], keys: Keys) -> tuple[int, ...]:
    for digit in digits:
        named = _named(free, digit, keys)
        places = [place for place in named if place not in marks]
        if not places:
            few: Why = "few" if digits.count(digit) > len(named) else "marked"
            raise NoSuchDieError(digit, keys, few if named else "none")
        marks = (*marks, places[0])
    return marks


def _unmark(free: list[Die], marks: tuple[int, ...], digits: tuple[int, ...], keys: Keys) -> tuple[int, ...]:
    for digit in digits:
        named = _named(free, digit, keys)
        places = [place for place in marks if place in named]
        if not places:
            raise NoSuchDieError(digit, keys, "unmarked" if named else "none")
        marks = tuple(mark for mark in marks if mark != places[-1])
    return marks


Names = Literal["keep", "reroll"]  # the dice that this player names: those to keep, or those to reroll
_TURNED: dict[How, How] = {"keep": "reroll", "reroll": "keep"}


@dataclass(frozen=True, slots=True)
class Rerolls:
    """The dice that a player has named for a reroll: their places in the order named, and the decision they belong
    to.
    """

    decision: Hashable = None
    places: tuple[int, ...] = ()

    def at(self, decision: Hashable, dice: tuple[Die, ...], marks: tuple[int, ...]) -> "Rerolls":
        """Return the places to reroll at this decision, given the marks on the table.

        They are the places named so far, if the marks are exactly the other dice. If not, the marks were changed in
        another way, and the places are all unmarked dice. Without any marks, no die is named for a reroll.
        """
        if self.begun(decision) and set(others(dice, self.places)) == set(marks):
            return self
        return Rerolls(decision if marks else None, others(dice, marks) if marks else ())

    def begun(self, decision: Hashable) -> bool:
        """Return True if dice were named for a reroll at this decision."""
        return self.decision == decision

    def choose(self, decision: Hashable, dice: tuple[Die, ...], choice: Choose, keys: Keys) -> "Rerolls":
        """Return the places to reroll after a choice, which names dice to reroll. Raises NoSuchDieError."""
        turned = replace(choice, how=_TURNED.get(choice.how, choice.how))
        return Rerolls(decision, choose(dice, self.places, turned, keys))

    def back(self, decision: Hashable) -> "Rerolls":
        """Return the places to reroll without the last one named, to undo it."""
        return Rerolls(decision, self.places[:-1])


def others(dice: tuple[Die, ...], places: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places of the dice that are neither locked nor in ``places``."""
    return tuple(die.place for die in dice if die.status != "locked" and die.place not in places)


def picks_dice(game: Game[Any, Any]) -> bool:
    """Return True if a player may keep some dice of a first roll and reroll the others. False if all dice go together,
    as in Mexico without holding, and in a game of moves.
    """
    seats = max(2, game.least_seats)
    start = game.start(seats)
    due = game.to_roll(start)
    for hand in hands(due, game.faces.sides):
        state = start
        for _ in range(seats):  # at 420 each seat rolls before the first choice
            state = game.roll(state, hand) if game.to_roll(state) == due else state
        if any(0 < len(kept_by(game, action)) < due for action in game.legal(state)):
            return True
    return False
