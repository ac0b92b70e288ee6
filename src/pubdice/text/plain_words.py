"""What any game says: a game inherits ``PlainWords`` and writes what differs. Knows no game.

Games of one turn a seat inherit ``TurnWords`` (``text.turn_words``), which adds what such a turn says.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from pubdice.core.dice import Hand
from pubdice.core.game import Game
from pubdice.text.game_words import Beam, Confirmation, Rail
from pubdice.text.language import Language, Sentence, faces, told_facts

G = TypeVar("G", bound=Game[Any, Any])


class PlainWords(ABC, Generic[G]):
    """Satisfies ``GameWords``; a game must write title, tagline, ``todo`` and ``status``.

    Every other method says what a game with nothing of its own says there: often nothing. Where actions are no keeps,
    the game writes ``told``, ``choice``, ``ask`` and ``verbs`` as well, which speak of dice that are kept. falling:
    whether dice are read out from the highest down; usually they are from the lowest up. refusals: sentences for what
    this game alone forbids, by the code of the refusal; the house has those for keeps.
    """

    title: str
    tagline: str
    sides: tuple[str, ...] = ()
    faults: Mapping[str, Sentence] = {}
    refusals: Mapping[str, Sentence] = {}
    falling: bool = False

    def faces(self, dice: Hand) -> str:
        """Sorted dice as this game reads them out."""
        return faces(dice[::-1] if self.falling else dice)

    def options(self, language: Language, game: G) -> str:
        """Nothing: the game has no options, or does not say which are in force."""
        return ""

    def told(self, language: Language, game: G, name: str, before: Any, action: Any) -> list[str]:
        """Which dice the seat kept."""
        dice = self.faces(game.kept(action))
        return [language.about("{name} kept {dice}.", "You kept {dice}.", name, dice=dice)]

    def rolled(self, language: Language, game: G, name: str, before: Any, dice: tuple[int, ...]) -> list[str]:
        """Nothing beyond the dice themselves."""
        return []

    def to_roll(self, language: Language, game: G, state: Any) -> str:
        """Where the turn stands, and how many dice."""
        rolls = language.count("Roll {number} die.", "Roll {number} dice.", game.to_roll(state))
        return " ".join([*self.stands(language, game, state), rolls])

    def ask(self, language: Language, game: G, state: Any) -> str:
        """Where the turn stands, and what to keep."""
        return " ".join([*self.stands(language, game, state), language.say("Which dice do you keep?")])

    def to_choose(self, language: Language, game: G, state: Any) -> list[str]:
        """Where the turn stands, and the question."""
        return [self.ask(language, game, state)]

    def stands(self, language: Language, game: G, state: Any) -> list[str]:
        """To the mover, where the turn stands: nothing."""
        return []

    @abstractmethod
    def todo(self, language: Language, game: G, state: Any) -> str:
        """What the mover must do at a decision, in a few words."""

    def hint(self, language: Language, game: G, state: Any) -> str:
        """Nothing: the question says it all."""
        return ""

    @abstractmethod
    def status(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """Where the turn stands, in sentences."""

    def rail(self, language: Language, game: G, state: Any, name: str, marked: Hand) -> Rail | None:
        """Nothing is won before the end."""
        return None

    def beam(self, language: Language, game: G, state: Any, name: str, marked: Hand) -> Beam | None:
        """Nothing to reach exactly."""
        return None

    def red(self, game: G) -> tuple[int, ...]:
        """None: no face is needed more than another."""
        return ()

    def missing(self, language: Language, game: G, rule: str, facts: Mapping[str, Any]) -> str:
        """Nothing of its own."""
        return ""

    def question(self, language: Language, game: G, state: Any) -> Confirmation | None:
        """Nothing: no dice are given up."""
        return None

    def to_beat(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """Nothing yet: who goes first."""
        return [language.about("{name} goes first.", "You go first.", names[0])]

    def scores(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """Nothing: the dice on the table say it all."""
        return []

    def stand(self, language: Language, game: G, state: Any, seat: int, marked: Hand) -> str:
        """Nothing beside the dice themselves."""
        return ""

    def score(self, language: Language, game: G, score: int) -> str:
        """The number, as a numeral."""
        return str(score)

    def choice(self, language: Language, game: G, state: Any, action: Any) -> str:
        """Which dice to keep."""
        return language.say("keep {dice}", dice=self.faces(game.kept(action)))

    def why(
        self, language: Language, game: G, state: Any, best: Mapping[str, float], other: Mapping[str, float]
    ) -> str:
        """Nothing: what a choice is worth says it all."""
        return ""

    def chance(self, language: Language, game: G, state: Any, facts: Mapping[str, float]) -> list[str]:
        """Nothing beyond the match's own chances."""
        return []

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Only rolling: there is nothing to bank."""
        return [("r", language.say("keep what is marked, and roll the others"))]

    def refusal(self, language: Language, game: G, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Why this game forbids it; what any game of keeps forbids, the house says."""
        if rule not in self.refusals:
            return None
        return language.tell(self.refusals[rule], self.told_facts(language, facts))

    def told_facts(self, language: Language, facts: Mapping[str, Any]) -> dict[str, object]:
        """Facts of a refusal ready for a sentence, dice in the order in which this game reads them out."""
        if self.falling:
            facts = {key: fact[::-1] if isinstance(fact, tuple) else fact for key, fact in facts.items()}
        return told_facts(facts, language)
