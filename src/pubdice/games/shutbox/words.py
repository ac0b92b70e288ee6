"""The words of Shut the Box: the tiles that are up, and the tiles that are shut."""

from collections.abc import Mapping
from typing import Any

from pubdice.games.shutbox.rules import TILES, BoxRound, ShutTheBox
from pubdice.text.game_words import Count, Things, Tile
from pubdice.text.language import Language
from pubdice.text.move_words import MoveWords

DIE = {
    "may": "one die or two once every tile above 6 is shut",
    "must": "one die once every tile above 6 is shut",
    "six": "one die once the tiles left make 6 or less",
    "maysix": "one die or two once the tiles left make 6 or less",
}
"""The house rules on one die in a few words."""


class ShutTheBoxWords(MoveWords[ShutTheBox]):
    """The words of Shut the Box."""

    title = "Shut the Box"
    tagline = "two dice and nine tiles to shut"
    labels: Mapping[str, str] = {"": "shut {taken}", "one": "roll one die", "two": "roll two dice"}
    told: Mapping[str, tuple[str, str]] = {
        "": ("{name} shut {taken}.", "You shut {taken}."),
        "one": ("{name} took one die.", "You took one die."),
        "two": ("{name} took two dice.", "You took two dice."),
    }

    def aim(self, language: Language, game: ShutTheBox) -> str:
        """Return the aim in a sentence."""
        return language.say("Shut tiles that add up to your dice. Tiles left up count against you.")

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Return the keys for rolling and for shutting tiles by their numbers."""
        own = language.own[self.home]
        return [("r", own.say("roll the dice")), ("4 5", own.say("shut these tiles: they add up to the dice"))]

    def refusal(self, language: Language, game: ShutTheBox, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Say why an action is refused. If tiles cannot be shut now, name some that can."""
        if rule != "not-open" or not (taken := game.takes(facts["moves"][0])):
            return super().refusal(language, game, rule, facts)
        text = "You can't do that now. Name tiles that are up and add up to the dice, such as {tiles}."
        return language.own[self.home].say(text, tiles=" ".join(map(str, taken)))

    def options(self, language: Language, game: ShutTheBox) -> str:
        """Return the house rules in force, but not the standard ones."""
        said = [] if game.box == TILES else [language.say("{number} tiles", number=game.tiles)]
        if game.die != "no":
            said.append(language.say(DIE[game.die]))
        if game.left == "digits":
            said.append(language.say("the tiles left are read as one number"))
        return "; ".join(said)

    def action_sentences(
        self, language: Language, game: ShutTheBox, name: str, before: BoxRound, action: str
    ) -> list[str]:
        """Say which tiles the mover shut. If all tiles are shut, say that too."""
        said = super().action_sentences(language, game, name, before, action)
        return [*said, language.say("The box is shut!")] if len(game.takes(action)) == len(before.up) else said

    def rolled(
        self, language: Language, game: ShutTheBox, name: str, before: BoxRound, dice: tuple[int, ...]
    ) -> list[str]:
        """Return the mover's score if no tiles add up to the dice. Otherwise return nothing."""
        after = game.after_roll(before, tuple(sorted(dice)))
        if len(after.scores) == len(before.scores):
            return []
        text = "{name} found nothing to shut and scored {score}.", "You found nothing to shut and scored {score}."
        return [language.about(*text, name, score=self.score(language, game, game.worth(before.up)))]

    def to_beat(self, language: Language, game: ShutTheBox, state: BoxRound, names: tuple[str, ...]) -> list[str]:
        """Return the best score of the round so far, and the score that the mover must get below."""
        said = super().to_beat(language, game, state, names)
        scores = [score for _, score in self.scored(game, state, names)]
        mover = game.mover(state)
        if not scores or mover is None:
            return said
        text = "{name} needs less than {score}.", "You need less than {score}."
        return [*said, language.about(*text, names[mover], score=min(scores))]

    def things(self, language: Language, game: ShutTheBox, state: BoxRound) -> Things:
        """Return the box: every tile, and the score of the tiles that are up."""
        left = self.score(language, game, game.worth(state.up))
        # Read as one number, the tiles say what they count: 12345678 would be said twice.
        text = "Up: {tiles}." if game.left == "digits" else "Up: {tiles}. They count {left}."
        said = language.say(text, tiles=" ".join(map(str, state.up)), left=left)
        tiles = tuple([Tile(tile, str(tile), tile in state.up) for tile in game.box])
        return Things(said, label=language.say("The box"), tiles=tiles, counts=(Count(language.say("Left"), left),))

    def todo(self, language: Language, game: ShutTheBox, state: BoxRound) -> str:
        """Return the mover's task in a few words: the sum to shut, or the choice of one die or two."""
        if not state.dice:
            return super().todo(language, game, state)
        return language.say("shut {total}", total=sum(state.dice))

    def asks(self, language: Language, game: ShutTheBox, state: BoxRound) -> str:
        """Return the question which tiles to shut, or how many dice to roll."""
        if not state.dice:
            return super().asks(language, game, state)
        return language.say("Which tiles do you shut for {total}?", total=sum(state.dice))
