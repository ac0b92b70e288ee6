"""The words of Threes beyond any game of one turn a seat: its name, its house rule, and the moon."""

from pubdice.core.dice import Hand
from pubdice.core.game import RoundState
from pubdice.games.threes.rules import MOON, NO_TURN, SIXES, Threes
from pubdice.text.language import Language
from pubdice.text.turn_words import TurnWords

MOONS = {"yes": "five sixes win at once", "first": "five sixes on the first roll win at once"}


class ThreesWords(TurnWords[Threes]):
    """The words of Threes: a turn needs no face, all five dice score, and threes nothing."""

    title = "Threes"
    tagline = "threes count nothing, the lowest score wins"

    def aim(self, language: Language, game: Threes) -> str:
        """First that few points are good, as nobody expects it."""
        return language.say("Low wins. Threes count nothing.")

    def options(self, language: Language, game: Threes) -> str:
        """The one house rule, where it is in force."""
        return language.say(MOONS[game.moon]) if game.moon in MOONS else ""

    def counted(self, game: Threes, hand: Hand) -> Hand:
        """All dice; one sees which are threes."""
        return hand

    def total(self, game: Threes, dice: Hand) -> int:
        """The dice kept so far, counted as at the end."""
        return game.worth(dice)

    def ended(self, language: Language, game: Threes, name: str, hand: Hand, score: int) -> list[str]:
        """The score of a turn, or that it won the round at once."""
        if score == MOON:
            return [language.about("{name} shot the moon: five sixes!", "You shot the moon: five sixes!", name)]
        return super().ended(language, game, name, hand, score)

    def besides(self, language: Language, game: Threes, state: RoundState) -> str:
        """The moon, as long as all dice kept are sixes and one more can be; on the first roll alone if so agreed."""
        can = {
            "no": False,
            "yes": set(state.locked) <= set(SIXES) and (not state.free or set(SIXES) <= set(state.free)),
            "first": not state.locked and state.free in ((), SIXES),
        }
        return self.score(language, game, MOON) if can[game.moon] else ""

    def score(self, language: Language, game: Threes, score: int) -> str:
        """The points, or what no dice sum to."""
        if score == MOON:
            return language.say("the moon")
        return language.say("no turn") if score == NO_TURN else str(score)
