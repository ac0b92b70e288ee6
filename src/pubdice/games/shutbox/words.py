"""The words of Shut the Box: the tiles that are up, and the tiles that are shut."""

from collections.abc import Mapping
from typing import Any

from pubdice.games.shutbox.rules import TILES, BoxRound, ShutTheBox
from pubdice.text.game_words import Count, Things, Tile
from pubdice.text.language import Language
from pubdice.text.move_words import MoveWords


class ShutTheBoxWords(MoveWords[ShutTheBox]):
    """The words of Shut the Box."""

    title = "Shut the Box"
    tagline = "two dice, nine tiles; shut them all"
    labels: Mapping[str, str] = {"": "shut {taken}", "one": "roll one die", "two": "roll two dice"}
    told: Mapping[str, tuple[str, str]] = {
        "": ("{name} shut {taken}.", "You shut {taken}."),
        "one": ("{name} took one die.", "You took one die."),
        "two": ("{name} took two dice.", "You took two dice."),
    }

    def aim(self, language: Language, game: ShutTheBox) -> str:
        """The aim, in a sentence."""
        return language.say("Shut tiles that add up to your dice; what stays up counts against you.")

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Rolling, and shutting tiles by their numbers."""
        own = language.own[self.home]
        return [("r", own.say("roll the dice")), ("4 5", own.say("shut these tiles, which add up to the dice"))]

    def refusal(self, language: Language, game: ShutTheBox, rule: str, facts: Mapping[str, Any]) -> str | None:
        """The reason for a refusal. For a move that is not open, it names tiles that may be shut."""
        if rule != "not-open" or not (taken := game.takes(facts["moves"][0])):
            return super().refusal(language, game, rule, facts)
        text = "You can't do that now. Name tiles that are up and add up to the dice, such as {tiles}."
        return language.own[self.home].say(text, tiles=" ".join(map(str, taken)))

    def options(self, language: Language, game: ShutTheBox) -> str:
        """The house rules in force, except the usual ones."""
        said = []
        if game.die != "no":
            text = (
                "one die or two once 7, 8 and 9 are shut" if game.die == "may" else "one die once 7, 8 and 9 are shut"
            )
            said.append(language.say(text))
        if game.left == "digits":
            said.append(language.say("the tiles left are read as one number"))
        return "; ".join(said)

    def action_sentences(
        self, language: Language, game: ShutTheBox, name: str, before: BoxRound, action: str
    ) -> list[str]:
        """The tiles shut, and a note if the box is shut."""
        said = super().action_sentences(language, game, name, before, action)
        return [*said, language.say("The box is shut!")] if len(game.takes(action)) == len(before.up) else said

    def rolled(
        self, language: Language, game: ShutTheBox, name: str, before: BoxRound, dice: tuple[int, ...]
    ) -> list[str]:
        """The score if no tiles add up to the dice, else nothing."""
        after = game.after_roll(before, tuple(sorted(dice)))
        if len(after.scores) == len(before.scores):
            return []
        text = "{name} found nothing to shut and scored {score}.", "You found nothing to shut and scored {score}."
        return [language.about(*text, name, score=self.score(language, game, game.worth(before.up)))]

    def to_beat(self, language: Language, game: ShutTheBox, state: BoxRound, names: tuple[str, ...]) -> list[str]:
        """The best score so far, and the mover's need."""
        said = super().to_beat(language, game, state, names)
        scores = [score for _, score in self.scored(game, state, names)]
        mover = game.mover(state)
        if not scores or mover is None:
            return said
        text = "{name} needs less than {score}.", "You need less than {score}."
        return [*said, language.about(*text, names[mover], score=min(scores))]

    def things(self, language: Language, game: ShutTheBox, state: BoxRound) -> Things:
        """The box: every tile, and the score of the tiles that are up."""
        left = self.score(language, game, game.worth(state.up))
        said = language.say("Up: {tiles}. They count {left}.", tiles=" ".join(map(str, state.up)), left=left)
        tiles = tuple([Tile(tile, str(tile), tile in state.up) for tile in TILES])
        return Things(said, label=language.say("The box"), tiles=tiles, counts=(Count(language.say("Left"), left),))

    def todo(self, language: Language, game: ShutTheBox, state: BoxRound) -> str:
        """The sum to shut, or the choice of one die or two."""
        if not state.dice:
            return super().todo(language, game, state)
        return language.say("shut {total}", total=sum(state.dice))

    def asks(self, language: Language, game: ShutTheBox, state: BoxRound) -> str:
        """The question for the tiles to shut, or for the number of dice."""
        if not state.dice:
            return super().asks(language, game, state)
        return language.say("Which tiles do you shut for {total}?", total=sum(state.dice))
