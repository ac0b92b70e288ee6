"""The words of Threes: its name, its house rule, and the moon."""

from pubdice.core.dice import Hand
from pubdice.core.game import RoundState
from pubdice.games.threes.rules import MOON, NO_TURN, SIXES, Threes
from pubdice.text.language import Language
from pubdice.text.turn_words import TurnWords

MOONS = {"yes": "five sixes win at once", "first": "five sixes on the first roll win at once"}


class ThreesWords(TurnWords[Threes]):
    """The words of Threes. A turn needs no particular face, and all five dice score."""

    title = "Threes"
    tagline = "threes count nothing, the lowest score wins"

    def aim(self, language: Language, game: Threes) -> str:
        """Return the aim. "Low wins" comes first, because most players expect the opposite."""
        return language.say("Low wins. Threes count nothing.")

    def options(self, language: Language, game: Threes) -> str:
        """Return the house rule for five sixes ("the moon"). Return "" if they only score 30."""
        return language.say(MOONS[game.moon]) if game.moon in MOONS else ""

    def counted(self, game: Threes, hand: Hand) -> Hand:
        """Return all dice. The threes are not left out, because players can see them."""
        return hand

    def total(self, game: Threes, dice: Hand) -> int:
        """Return the score of the dice kept so far, in which threes count nothing."""
        return game.worth(dice)

    def ended(self, language: Language, game: Threes, name: str, hand: Hand, score: int) -> list[str]:
        """Return the score of a turn. If it is the moon, say that instead."""
        if score == MOON:
            return [language.about("{name} shot the moon: five sixes!", "You shot the moon: five sixes!", name)]
        return super().ended(language, game, name, hand, score)

    def besides(self, language: Language, game: Threes, state: RoundState) -> str:
        """Return the moon as another way to beat the best score, if the mover can still shoot it.

        Otherwise return "".
        """
        can = {
            "no": False,
            "yes": set(state.locked) <= set(SIXES) and (not state.free or set(SIXES) <= set(state.free)),
            "first": not state.locked and state.free in ((), SIXES),
        }
        return self.score(language, game, MOON) if can[game.moon] else ""

    def score(self, language: Language, game: Threes, score: int) -> str:
        """Return the score as people say it: the points, "the moon" or "no turn"."""
        if score == MOON:
            return language.say("the moon")
        return language.say("no turn") if score == NO_TURN else str(score)
