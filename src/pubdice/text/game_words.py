"""What a game says and shows: sentences for every moment of a turn; and the rail and the beam, as plain data.

Pages, the terminal and the narrator know nothing else of a game's words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pubdice.core.frozen import quick
from pubdice.text.language import Language, Refusing

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
