"""The words of Pig: points in the turn, points banked, and how far it is to the goal."""

from collections.abc import Mapping

from pubdice.core.dice import Hand
from pubdice.text.game_words import Count, Things
from pubdice.text.language import Language
from pubdice.text.move_words import MoveWords

from .rules import LOST, Pig, PigRound


class PigWords(MoveWords[Pig]):
    """The words of a game of moves, with these labels."""

    title = "Pig"
    tagline = "one die: roll on or hold, and a 1 loses the turn"
    labels: Mapping[str, str] = {"roll": "roll again", "hold": "hold {turn}"}
    told: Mapping[str, tuple[str, str]] = {
        "roll": ("{name} rolled on.", "You rolled on."),
        "hold": ("{name} held {turn}.", "You held {turn}."),
    }
    keys: Mapping[str, str] = {"roll": "r", "hold": "b"}

    def options(self, language: Language, game: Pig) -> str:
        """The goal."""
        return language.say("first to {goal}", goal=game.goal)

    def rolled(self, language: Language, game: Pig, name: str, before: PigRound, dice: Hand) -> list[str]:
        """The loss of a turn by a 1."""
        return [language.say("The turn is lost.")] if dice == LOST else []

    def things(self, language: Language, game: Pig, state: PigRound) -> Things:
        """The points that a 1 would lose."""
        said = language.say("{turn} this turn.", turn=state.turn)
        return Things(said, counts=(Count(language.say("This turn"), str(state.turn)),))

    def to_beat(self, language: Language, game: Pig, state: PigRound, names: tuple[str, ...]) -> list[str]:
        """The way to the goal, for the mover."""
        more = game.goal - state.banked[state.at]
        return [language.about("{name} needs {more} more.", "You need {more} more.", names[state.at], more=more)]
