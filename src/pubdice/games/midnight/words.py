"""What Midnight says beyond any game of one turn a seat: its name, its house rule, and which dice score."""

from pubdice.core.dice import Hand
from pubdice.games.midnight.rules import Midnight, counted
from pubdice.text.language import Language
from pubdice.text.turn_words import TurnWords


class MidnightWords(TurnWords[Midnight]):
    """What Midnight says: a turn needs the pair that qualifies, and the other four dice score."""

    title = "Midnight"
    tagline = "get a 1 and a 4, then score high"

    def options(self, language: Language, game: Midnight) -> str:
        """The one house rule: which pair qualifies."""
        return language.say("you need a {first} and a {second}", first=game.need[0], second=game.need[1])

    def red(self, game: Midnight) -> tuple[int, ...]:
        """The faces shown in red: the needed pair."""
        return game.need

    def counted(self, game: Midnight, hand: Hand) -> Hand:
        """All dice but the pair."""
        return counted(hand, game.need)
