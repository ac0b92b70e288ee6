"""The words of Threes: its name, its house rule, and the moon."""

from pubdice.core.dice import Hand
from pubdice.core.game import RoundState
from pubdice.games.threes.rules import MOON, NO_TURN, SIXES, Threes
from pubdice.text.language import Language
from pubdice.text.turn_words import TurnWords

MOONS = {"yes": "five sixes win at once", "first": "five sixes on the first roll win at once"}


class ThreesWords(TurnWords[Threes]):
    """The words of Threes. A turn needs no face, and all five dice score."""

    title = "Threes"
    tagline = "threes count nothing, the lowest score wins"

    def aim(self, language: Language, game: Threes) -> str:
        """The aim. "Low wins" comes first, because most players expect the opposite."""
        return language.say("Low wins. Threes count nothing.")

    def options(self, language: Language, game: Threes) -> str:
        """The house rule for the moon, if it is in force."""
        return language.say(MOONS[game.moon]) if game.moon in MOONS else ""

    def counted(self, game: Threes, hand: Hand) -> Hand:
        """All dice. Players can see the threes."""
        return hand

    def total(self, game: Threes, dice: Hand) -> int:
        """The score of the dice kept so far, threes counting nothing."""
        return game.worth(dice)

    def ended(self, language: Language, game: Threes, name: str, hand: Hand, score: int) -> list[str]:
        """The score of a turn, or a note that it shot the moon."""
        if score == MOON:
            return [language.about("{name} shot the moon: five sixes!", "You shot the moon: five sixes!", name)]
        return super().ended(language, game, name, hand, score)

    def besides(self, language: Language, game: Threes, state: RoundState) -> str:
        """The moon, if the mover can still shoot it under the house rule."""
        can = {
            "no": False,
            "yes": set(state.locked) <= set(SIXES) and (not state.free or set(SIXES) <= set(state.free)),
            "first": not state.locked and state.free in ((), SIXES),
        }
        return self.score(language, game, MOON) if can[game.moon] else ""

    def score(self, language: Language, game: Threes, score: int) -> str:
        """The points, "the moon" or "no turn"."""
        if score == MOON:
            return language.say("the moon")
        return language.say("no turn") if score == NO_TURN else str(score)
