"""Dice named to be rerolled: the others stay (Steere, "Reroll note"). The table's marks are still the dice kept."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Literal

from pubdice.match.tray import Die
from pubdice.typed.grammar import Choose, How
from pubdice.typed.marks import Keys, choose

Names = Literal["keep", "reroll"]
"""Whether people name the dice to keep or the dice to reroll."""
_TURNED: dict[How, How] = {"keep": "reroll", "reroll": "keep"}


@dataclass(frozen=True, slots=True)
class Rerolls:
    """The places named to be rerolled at one decision, in the order they were named."""

    decision: Hashable = None
    places: tuple[int, ...] = ()

    def at(self, decision: Hashable, dice: tuple[Die, ...], marks: tuple[int, ...]) -> "Rerolls":
        """The places named at a decision where these dice are marked: if nothing is marked yet, nothing is named."""
        if self.begun(decision) and set(others(dice, self.places)) == set(marks):
            return self
        return Rerolls(decision if marks else None, others(dice, marks) if marks else ())

    def begun(self, decision: Hashable) -> bool:
        """True if dice were named at this decision."""
        return self.decision == decision

    def choose(self, decision: Hashable, dice: tuple[Die, ...], choice: Choose, keys: Keys) -> "Rerolls":
        """The places named after a choice. Raises NoSuchDieError."""
        turned = replace(choice, how=_TURNED.get(choice.how, choice.how))
        return Rerolls(decision, choose(dice, self.places, turned, keys))

    def back(self, decision: Hashable) -> "Rerolls":
        """The places named, without the last."""
        return Rerolls(decision, self.places[:-1])


def others(dice: tuple[Die, ...], places: tuple[int, ...]) -> tuple[int, ...]:
    """The places of all other dice that may be chosen."""
    return tuple(die.place for die in dice if die.status != "locked" and die.place not in places)
