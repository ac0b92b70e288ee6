"""What a game says and shows: sentences for every moment of a turn; and the rail and the beam, as plain data.

Pages, the terminal and the narrator know nothing else of a game's words.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pubdice.core.dice import Hand
from pubdice.core.frozen import quick
from pubdice.core.game import Game
from pubdice.text.language import Language, Refusing, Sentence, faces, localized_facts

YOU = frozenset({"you", "du"})
"""Names that people at a terminal give themselves: sentences about these seats are in the second person."""


@quick
@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of the rail. face: of the die in it, 0 for none. want: the face engraved in it, 0 for none. preview: the
    die is only marked and may still go.
    """

    face: int = 0
    want: int = 0
    preview: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Rail:
    """The dice a turn has won, slot by slot; what stands over them, and all of it in a line."""

    slots: tuple[Slot, ...]
    label: str
    total_label: str
    total: str
    said: str


@dataclass(frozen=True, slots=True)
class Beam:
    """A sum against a target, on a scale up to ``most``: what stands at the target, and all of it in a line."""

    value: int
    target: int
    most: int
    label: str
    said: str


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The question before an action that gives dice up: the action's label, the question, and its two answers."""

    label: str
    question: str
    yes: str
    no: str


class GameWords(Refusing, Protocol):
    """What a game says. States are the round's; ``names`` are those of the round's seats, in turn order.

    An empty name is the listener's: the sentence says "you". ``to_roll``, ``ask``, ``to_choose``, ``todo``, ``hint``
    and ``missing`` speak to the mover.
    """

    @property
    def title(self) -> str:
        """The game's name as people say it."""

    @property
    def tagline(self) -> str:
        """The game in half a line."""

    @property
    def sides(self) -> tuple[str, ...]:
        """What the seats are called in turn order if exactly so many play, such as "Red"; empty if nothing."""

    def options(self, language: Language, game: Any) -> str:
        """The options in force, in a few words; empty if there is nothing to say."""

    def told(self, language: Language, game: Any, name: str, before: Any, action: Any) -> list[str]:
        """Sentences for an action the named seat took in the state before it."""

    def rolled(self, language: Language, game: Any, name: str, before: Any, dice: tuple[int, ...]) -> list[str]:
        """Sentences to follow the dice themselves, which the named seat rolled."""

    def to_roll(self, language: Language, game: Any, state: Any) -> str:
        """What the mover must roll, and where the turn stands, in sentences."""

    def ask(self, language: Language, game: Any, state: Any) -> str:
        """Where the turn stands, and what the mover is asked at a decision, in sentences."""

    def todo(self, language: Language, game: Any, state: Any) -> str:
        """What the mover must do at a decision, in a few words: "keep one or more"."""

    def to_choose(self, language: Language, game: Any, state: Any) -> list[str]:
        """A decision as the mover hears it right after a roll was told: what there is to know beside the dice, if
        anything; and last, by itself, the question.
        """

    def status(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """Where the turn stands, in sentences: what the mover needs, and the score to beat; empty if neither."""

    def rail(self, language: Language, game: Any, state: Any, name: str, marked: tuple[int, ...]) -> Rail | None:
        """The dice the named mover has won, with those marked; None if the game has no rail."""

    def beam(self, language: Language, game: Any, state: Any, name: str, marked: tuple[int, ...]) -> Beam | None:
        """The sum of the named mover's dice against a target; None if the game has no beam."""

    def red(self, game: Any) -> tuple[int, ...]:
        """The faces with red pips: those a turn needs."""

    def missing(self, language: Language, game: Any, rule: str, facts: Mapping[str, Any]) -> str:
        """What an action lacks that the rules refuse, as a button's label; empty for the usual label."""

    def question(self, language: Language, game: Any, state: Any) -> Confirmation | None:
        """The question to the mover before all dice are given up; None if that is no choice here."""

    def hint(self, language: Language, game: Any, state: Any) -> str:
        """What else the mover may want to know when asked, in a sentence; empty for nothing."""

    def to_beat(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """What the mover must beat; if there is nothing yet, who goes first."""

    def scores(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """Where every seat of the round stands; nothing before there is something to tell."""

    def stand(self, language: Language, game: Any, state: Any, seat: int, marked: tuple[int, ...]) -> str:
        """What a seat's dice come to if those marked are kept, such as "17"; empty for nothing to say.

        Of the mover it may depend on anything in the state, such as the rolls it has left; of another seat on that
        seat's dice and score only, as a view is kept until those change.
        """

    def score(self, language: Language, game: Any, score: int) -> str:
        """A turn's score in a word: the number, or what a game calls that, such as "nothing"."""

    def choice(self, language: Language, game: Any, state: Any, action: Any) -> str:
        """An action as the coach advises it, such as "keep 1 4"."""

    def why(
        self, language: Language, game: Any, state: Any, best: Mapping[str, float], other: Mapping[str, float]
    ) -> str:
        """What an action gains and costs against a better one, from a solver's facts; empty if they show no difference.

        A clause to follow a semicolon: "it adds 0.6 to the mean score but costs 4.0 % of qualifying".
        """

    def chance(self, language: Language, game: Any, state: Any, facts: Mapping[str, float]) -> list[str]:
        """The mover's chances in sentences, from the state and a solver's facts; none where the facts are missing."""

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """The verbs that do something in this game, r or b, each with what it does."""


# What any game says: a game inherits ``PlainWords`` and writes what differs. Knows no game.
#
# Games of one turn a seat inherit ``TurnWords`` (``text.turn_words``), which adds what such a turn says.


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
        return language.tell(self.refusals[rule], self.localized_facts(language, facts))

    def localized_facts(self, language: Language, facts: Mapping[str, Any]) -> dict[str, object]:
        """Facts of a refusal ready for a sentence, dice in the order in which this game reads them out."""
        if self.falling:
            facts = {key: fact[::-1] if isinstance(fact, tuple) else fact for key, fact in facts.items()}
        return localized_facts(facts, language)
