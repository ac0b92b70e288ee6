"""What Twenty-One says: totals, who has to be beaten, drawing and standing."""

from collections.abc import Mapping

from pubdice.core.dice import Hand
from pubdice.text.game_words import PlainWords
from pubdice.text.language import Language, Sentence

from .rules import OPENING, TARGET, Move, Round, TwentyOne


class TwentyOneWords(PlainWords[TwentyOne]):
    """Nothing is kept: the dice add up."""

    title = "Twenty-One"
    tagline = "two dice, then one by one; not over 21"
    refusals: Mapping[str, Sentence] = {"no-choice": "There is nothing to choose yet."}

    def score(self, language: Language, game: TwentyOne, score: int) -> str:
        """The total, or "nothing"."""
        return str(score) if score else language.say("nothing")

    def told(self, language: Language, game: TwentyOne, name: str, before: Round, action: Move) -> list[str]:
        """Who draws, and who stands with what."""
        if action == "draw":
            return [language.about("{name} drew.", "You drew.", name)]
        return [language.about("{name} stood with {total}.", "You stood with {total}.", name, total=before.have)]

    def rolled(self, language: Language, game: TwentyOne, name: str, before: Round, dice: tuple[int, ...]) -> list[str]:
        """What the dice come to."""
        have = sum(dice) + (0 if before.opener is not None else before.have)
        if have > TARGET:
            return [language.about("{name} has {total}: too many.", "You have {total}: too many.", name, total=have)]
        return [language.say("That makes {total}.", total=have)] if len(dice) < OPENING else []

    def stands(self, language: Language, game: TwentyOne, state: Round) -> list[str]:
        """What the mover has."""
        return [] if state.opener is not None else [language.say("You have {total}.", total=state.have)]

    def ask(self, language: Language, game: TwentyOne, state: Round) -> str:
        """What there is, and the choice."""
        return " ".join([*self.stands(language, game, state), language.say("Draw or stand?")])

    def todo(self, language: Language, game: TwentyOne, state: Round) -> str:
        """Two ways to go on."""
        return language.say("draw or stand")

    def status(self, language: Language, game: TwentyOne, state: Round, names: tuple[str, ...]) -> list[str]:
        """The best so far."""
        return self.to_beat(language, game, state, names) if state.totals else []

    def to_beat(self, language: Language, game: TwentyOne, state: Round, names: tuple[str, ...]) -> list[str]:
        """The highest total; before there is any, who goes first."""
        if not state.totals:
            return super().to_beat(language, game, state, names)
        best = max(state.totals)
        if not best:
            return []
        name = names[state.totals.index(best)]
        return [language.about("{name} leads with {total}.", "You lead with {total}.", name, total=best)]

    def scores(self, language: Language, game: TwentyOne, state: Round, names: tuple[str, ...]) -> list[str]:
        """What everybody has."""
        has = [
            language.about("{name} {total}", "you {total}", name, total=self.stand(language, game, state, seat, ()))
            for seat, name in enumerate(names)
            if state.hands[seat]
        ]
        return [language.say("So far: {totals}.", totals=", ".join(has))] if has else []

    def stand(self, language: Language, game: TwentyOne, state: Round, seat: int, marked: Hand) -> str:
        """The total."""
        total = sum(state.hands[seat])
        return self.score(language, game, total if total <= TARGET else 0) if total else ""

    def choice(self, language: Language, game: TwentyOne, state: Round, action: Move) -> str:
        """Draw, or stand."""
        if action == "draw":
            return language.say("draw a die")
        return language.say("stand with {total}", total=state.have)

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Both."""
        return [("r", language.say("draw a die")), ("b", language.say("stand: your total counts"))]
