"""The words of Twenty-One. It adds totals to the words of any game of moves."""

from collections.abc import Mapping
from typing import Any

from pubdice.core.dice import Hand
from pubdice.text.language import Language
from pubdice.text.move_words import MoveWords

from .rules import OPENING, TARGET, TwentyOne, TwentyOneRound


class TwentyOneWords(MoveWords[TwentyOne]):
    title = "Twenty-One"
    tagline = "two dice, then one by one, not over 21"
    labels: Mapping[str, str] = {"draw": "draw a die", "stand": "stand with {total}"}
    told: Mapping[str, tuple[str, str]] = {
        "draw": ("{name} drew.", "You drew."),
        "stand": ("{name} stood with {total}.", "You stood with {total}."),
    }
    keys: Mapping[str, str] = {"draw": "r", "stand": "b"}

    def facts(self, language: Language, game: TwentyOne, state: TwentyOneRound, move: str) -> dict[str, Any]:
        return {"total": state.have}

    def rolled(
        self, language: Language, game: TwentyOne, name: str, before: TwentyOneRound, dice: tuple[int, ...]
    ) -> list[str]:
        """Return a sentence with the total after this roll."""
        have = sum(dice) + (0 if before.opener is not None else before.have)
        if have > TARGET:
            return [language.about("{name} has {total}: too many.", "You have {total}: too many.", name, total=have)]
        return [language.say("That makes {total}.", total=have)] if len(dice) < OPENING else []

    def stands(self, language: Language, game: TwentyOne, state: TwentyOneRound) -> list[str]:
        return [] if state.opener is not None else [language.say("You have {total}.", total=state.have)]

    def stand(self, language: Language, game: TwentyOne, state: TwentyOneRound, seat: int, marked: Hand) -> str:
        total = sum(state.hands[seat])
        return self.score(language, game, total if total <= TARGET else 0) if total else ""
