"""The words of a game: sentences for every moment of a turn, and the rail, the beam and other data for display.

``GameWords`` is the whole interface between a game's words and the pages, the terminal and the narrator. A game
inherits ``PlainWords``, ``TurnWords`` (one turn a seat) or ``MoveWords`` (moves), and overrides some methods.

In the display data ``said`` is the whole thing in a line of text. Views of a table hold most of this data unchanged
(``server.wire``). Its fields are encoded in the order in which they are declared.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from itertools import groupby
from types import FunctionType
from typing import Any, Generic, Protocol, TypeVar

from pubdice.core.dice import SIX, DieFaces, Hand
from pubdice.core.frozen import quick
from pubdice.core.game import Game, MoveGame, kept_by
from pubdice.text.catalogues import home_of
from pubdice.text.language import Language, OwnSentence, Refusing, Sentence, faces, localized_facts, sentence, stopped
from pubdice.text.own_names import own_names

PAIR = 2
YOU = frozenset(own_names("you"))
"""Names that people at a terminal give themselves. Sentences about these seats are in the second person."""


def kept_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names without "" and "you". A name keeps its spelling at the start of a sentence, "you" becomes "You"."""
    return tuple([name for name in names if name and name not in YOU])


@quick
@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of the rail."""

    face: int = 0
    """The face of the die in it, 0 for none."""
    want: int = 0
    """The face that the slot is for, 0 for any."""
    preview: bool = False
    """True if the die is only marked and can still be unmarked."""


@quick
@dataclass(frozen=True, slots=True)
class Rail:
    """The dice that a turn has won, slot by slot, with their total."""

    slots: tuple[Slot, ...]
    label: str
    total_label: str
    total: str
    said: str


@dataclass(frozen=True, slots=True)
class Beam:
    """A sum against a target."""

    value: int
    target: int
    most: int
    """The end of the scale."""
    label: str
    """The label at the target."""
    said: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A thing on the table that is not a die."""

    number: int
    """The number by which a move takes it (``MoveGame.takes``)."""
    label: str
    up: bool = True
    """False if it has been taken or closed."""


@dataclass(frozen=True, slots=True)
class Count:
    """An amount with a name, such as a bank: "This turn", "17"."""

    label: str
    amount: str


@dataclass(frozen=True, slots=True)
class Things:
    """All things on the table besides dice."""

    label: str = field(default="", kw_only=True)
    """The heading over the tiles."""
    tiles: tuple[Tile, ...] = field(default=(), kw_only=True)
    counts: tuple[Count, ...] = field(default=(), kw_only=True)
    said: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A move that is open to the mover."""

    move: str
    """Its notation."""
    label: str
    key: str = ""
    """The letter that chooses it, or ""."""
    takes: tuple[int, ...] = ()
    """The numbers of the things it takes. If they identify the move (``by_things``), a player may tap them instead."""


FEW = 4
"""The most moves that are offered side by side and named in the question. More are shown as a list."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The question before an action that gives dice up, with its two answers."""

    label: str
    """The label of the action."""
    question: str
    yes: str
    no: str


@quick
@dataclass(frozen=True, slots=True)
class Rung:
    """A score on a ladder."""

    label: str
    here: bool = False
    """True if the dice show it now."""
    under: bool = False
    """True if it is not above the lowest score so far."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """A selection of scores from the worst to the best, with labels under the worst and the best."""

    rungs: tuple[Rung, ...]
    foot: str
    top: str


class GameWords(Refusing, Protocol):
    """The words of a game.

    A ``state`` is a state of the round. ``names`` has a name for each seat of the round, in turn order. An empty name
    means the listener, and its sentence says "you". ``to_roll``, ``rolls_on``, ``ask``, ``to_choose``, ``todo``,
    ``hint`` and ``missing`` speak to the mover.
    """

    @property
    def title(self) -> str:
        """The game's name."""

    @property
    def short(self) -> str:
        """A title of at most a dozen letters. Empty if ``title`` is as short."""

    @property
    def tagline(self) -> str:
        """The game in half a line."""

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of the seats, such as "Red", used in a game with exactly as many seats. May be empty."""

    def aim(self, language: Language, game: Any) -> str:
        """The aim of the game in a sentence. The board shows it until the first score."""

    def options(self, language: Language, game: Any) -> str:
        """The options in force, in a few words, or ""."""

    def action_sentences(self, language: Language, game: Any, name: str, before: Any, action: Any) -> list[str]:
        """Sentences on an action of the named seat. before: the state it was taken in."""

    def rolled(self, language: Language, game: Any, name: str, before: Any, dice: tuple[int, ...]) -> list[str]:
        """Sentences on a roll of the named seat. The dice themselves have been read out before."""

    def to_roll(self, language: Language, game: Any, state: Any) -> str:
        """The number of dice to roll, and the standing of the turn, in sentences."""

    def rolls_on(self, language: Language, game: Any, state: Any) -> list[str]:
        """The same within a turn, in parts: the number of dice, then further facts."""

    def ask(self, language: Language, game: Any, state: Any) -> str:
        """The standing of the turn, and the question at a decision, in sentences."""

    def todo(self, language: Language, game: Any, state: Any) -> str:
        """The mover's task at a decision, in a few words: "keep one or more"."""

    def to_choose(self, language: Language, game: Any, state: Any) -> list[str]:
        """The same right after a roll, in parts: facts that were not read out with the dice, then the question."""

    def status(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """The standing of the turn, in sentences: the mover's need, and the score to beat. May be empty."""

    def rail(self, language: Language, game: Any, state: Any, name: str, marked: tuple[int, ...]) -> Rail | None:
        """The dice that the mover has won or marked. None if the game has no rail. name: the mover's."""

    def beam(self, language: Language, game: Any, state: Any, name: str, marked: tuple[int, ...]) -> Beam | None:
        """The sum of the mover's dice against a target. None if the game has no beam. name: the mover's."""

    def ladder(self, language: Language, game: Any, state: Any) -> Ladder | None:
        """The place of the mover's dice among all scores. None if the game has no ladder."""

    def things(self, language: Language, game: Any, state: Any) -> Things | None:
        """The mover's things on the table besides dice. None if the game has none."""

    def key(self, game: Any, action: Any) -> str:
        """The letter that chooses a move, besides its notation and its number, or ""."""

    def red(self, game: Any) -> tuple[int, ...]:
        """The faces that a turn needs, shown with red pips."""

    def missing(self, language: Language, game: Any, rule: str, facts: Mapping[str, Any]) -> str:
        """The label of the button for an action that the rules refuse: the need it fails. "" for the usual label."""

    def question(self, language: Language, game: Any, state: Any) -> Confirmation | None:
        """The question before the mover gives up all dice. None if the game never asks."""

    def hint(self, language: Language, game: Any, state: Any) -> str:
        """A hint that the mover may ask for, in a sentence, or ""."""

    def to_beat(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """The score that the mover must beat. Before the first score, the seat that goes first."""

    def scores(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """The standing of every seat of the round. May be empty."""

    def stand(self, language: Language, game: Any, state: Any, seat: int, marked: tuple[int, ...]) -> str:
        """The total of a seat's dice if the marked ones are kept, such as "17", or "".

        For the mover it may depend on anything in the state. For another seat it may depend only on that seat's dice
        and score, because a view is cached until they change.
        """

    def score(self, language: Language, game: Any, score: int) -> str:
        """A turn's score in a word: the number, or the game's word for it, such as "nothing"."""

    def choice(self, language: Language, game: Any, state: Any, action: Any) -> str:
        """An action as advice, such as "keep 1 4". In a game of moves also the label of its button."""

    def why(
        self, language: Language, game: Any, state: Any, best: Mapping[str, float], other: Mapping[str, float]
    ) -> str:
        """The gains and costs of an action against the best one, from a solver's facts. "" if there is no cost.

        A clause to follow a colon: "0.6 points more on average, but 4.0% less chance of a score".
        """

    def chance(self, language: Language, game: Any, state: Any, facts: Mapping[str, float]) -> list[str]:
        """The mover's chances in sentences, from the state and a solver's facts. Empty if the facts are missing."""

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """The typed commands of this game, such as r and b, each with a description."""


def offers(words: GameWords, language: Language, game: Game[Any, Any], state: Any) -> tuple[Offer, ...]:
    """The moves open to the mover, in the rules' order. Empty in a game of keeps."""
    if not isinstance(game, MoveGame):
        return ()
    return tuple([
        Offer(move, sentence(words.choice(language, game, state, move)), words.key(game, move), game.takes(move))
        for move in game.legal(state)
    ])  # fmt: skip


def by_things(offered: Sequence[Offer]) -> bool:
    """True if the things taken identify each move: each takes some, and no two take the same."""
    taken = {frozenset(offer.takes) for offer in offered}
    return len(taken) == len(offered) and frozenset() not in taken


G = TypeVar("G", bound=Game[Any, Any])


def speak_own(words: type) -> None:
    """Make a game's class of words use the game's own catalogue. A class of the house stays unchanged.

    Its methods get the game's own ``Language``. Its title, tagline, sides and tables become ``OwnSentence``s.
    """
    home = home_of(words.__module__)
    if not home:
        return
    for name, member in list(vars(words).items()):
        if isinstance(member, FunctionType) and member.__code__.co_varnames[1:2] == ("language",):
            setattr(words, name, _in_own_tongue(member, home))
        elif name in TABLES:
            setattr(words, name, _own(member, home))
    words.home = home  # type: ignore[attr-defined]


TABLES = ("title", "short", "tagline", "sides", "labels", "told")
"""Attributes with sentences of the game that the house's code says."""


def _own(said: Any, home: str) -> Any:
    """The same data with each sentence as an ``OwnSentence``."""
    if isinstance(said, str):
        return OwnSentence.of(said, home)
    if isinstance(said, Mapping):
        return {key: _own(each, home) for key, each in said.items()}
    return tuple(_own(each, home) for each in said) if isinstance(said, tuple) else said


def give_home(words: Any, home: str) -> None:
    """Give a game's package to words of a class of the house, such as ``MoveWords(title, tagline)``."""
    if home and not tongue_home(words) and hasattr(words, "__dict__"):
        for name in ("title", "tagline"):
            setattr(words, name, _own(getattr(words, name), home))
        words.home = home


def _in_own_tongue(method: FunctionType, home: str) -> Callable[..., Any]:
    @wraps(method)
    def told(self: Any, language: Language, *facts: Any, **named: Any) -> Any:
        return method(self, language.own[home], *facts, **named)

    return told


def tongue_home(words: object) -> str:
    """The package of the game with these words, or ""."""
    return str(getattr(words, "home", ""))


def tongue_of(words: object, language: Language) -> Language:
    """The same language with the catalogue of the game with these words."""
    return language.own[getattr(words, "home", "")]


def told_dice(language: Language, game: Game[Any, Any], dice: Iterable[int]) -> str:
    """Dice in words, in the order given: names of faces, or runs of a face counted in words, such as "2 kings, an ace".

    The words are from the game's catalogue.
    """
    die = game.faces
    if die.is_usual:
        return faces(dice)
    if not die.words:
        return die.shown(dice)
    own = language.own[home_of(type(game).__module__)]
    return ", ".join([own.count(*die.words[face - 1], len(list(alike))) for face, alike in groupby(dice)])


def needed_faces(language: Language, game: Game[Any, Any]) -> tuple[str, ...]:
    """The words for one die of each face, such as "an ace", or else the names of the faces."""
    die = game.faces
    if not die.words:
        return die.names
    own = language.own[home_of(type(game).__module__)]
    return tuple([own.count(one, many, 1) for one, many in die.words])


def rolls_to_set(language: Language, most: int) -> str:
    """A sentence to the opener before its first roll."""
    return language.say("You set the number of rolls: up to {number}.", number=most)


def rolls_for_others(language: Language, seats: int, rolls: int) -> str:
    """A sentence after the opener's turn. seats: the number in the round."""
    one, many = "Everybody else has {number} roll.", "Everybody else has up to {number} rolls."
    if seats == PAIR:
        one, many = "The other player has {number} roll.", "The other player has up to {number} rolls."
    return language.count(one, many, rolls)


def rolls_you_have(language: Language, left: int) -> str:
    """A sentence to the mover before a roll."""
    return language.count("You have {number} roll left.", "You have {number} rolls left.", left)


def rolls_left(language: Language, left: int) -> str:
    """A sentence to all on the mover's turn."""
    return language.count("{number} roll left.", "{number} rolls left.", left)


class PlainWords(ABC, Generic[G]):
    """Defaults for ``GameWords``. A game of keeps must write title, tagline, ``todo`` and ``status``.

    All other methods suit a game without words of its own, and often return nothing. Games of moves inherit
    ``MoveWords`` (``text.move_words``).
    """

    title: str
    short: str = ""
    tagline: str
    sides: tuple[str, ...] = ()
    faults: Mapping[str, Sentence] = {}
    refusals: Mapping[str, Sentence] = {}
    """Sentences for this game's own refusals, by code. The house has sentences for any game (``language.RULES``)."""
    falling: bool = False
    """True if dice are read out from the highest down. The usual order is from the lowest up."""
    home: str = ""
    """The game's package, whose catalogue its sentences are in. Set automatically (``speak_own``)."""

    def __init_subclass__(cls, **facts: Any) -> None:
        super().__init_subclass__(**facts)
        speak_own(cls)

    def faces(self, dice: Hand) -> str:
        """Sorted dice in this game's order."""
        return faces(dice[::-1] if self.falling else dice)

    def dice(self, language: Language, game: G, dice: Hand) -> str:
        """Sorted dice in this game's order, with the words of its die."""
        return (
            self.faces(dice) if game.faces is SIX else told_dice(language, game, dice[::-1] if self.falling else dice)
        )

    def aim(self, language: Language, game: G) -> str:
        """The tagline as a sentence."""
        return stopped(sentence(language.say(self.tagline)))

    def options(self, language: Language, game: G) -> str:
        """Nothing."""
        return ""

    def action_sentences(self, language: Language, game: G, name: str, before: Any, action: Any) -> list[str]:
        """The dice the seat kept."""
        dice = self.dice(language, game, kept_by(game, action))
        return [language.about("{name} kept {dice}.", "You kept {dice}.", name, dice=dice)]

    def rolled(self, language: Language, game: G, name: str, before: Any, dice: tuple[int, ...]) -> list[str]:
        """Nothing beyond the dice themselves."""
        return []

    def to_roll(self, language: Language, game: G, state: Any) -> str:
        """The standing of the turn, and the number of dice."""
        return " ".join([*self.stands(language, game, state), PlainWords.rolls_on(self, language, game, state)[0]])

    def rolls_on(self, language: Language, game: G, state: Any) -> list[str]:
        """The number of dice alone."""
        return [language.count("Roll {number} die.", "Roll {number} dice.", game.to_roll(state))]

    def ask(self, language: Language, game: G, state: Any) -> str:
        """The standing of the turn, and the dice to keep."""
        return " ".join([*self.stands(language, game, state), language.say("Which dice do you keep?")])

    def to_choose(self, language: Language, game: G, state: Any) -> list[str]:
        """The standing of the turn, and the question."""
        return [self.ask(language, game, state)]

    def stands(self, language: Language, game: G, state: Any) -> list[str]:
        """The standing of the turn, said to the mover: nothing."""
        return []

    @abstractmethod
    def todo(self, language: Language, game: G, state: Any) -> str:
        """The mover's task at a decision, in a few words."""

    def hint(self, language: Language, game: G, state: Any) -> str:
        """Nothing."""
        return ""

    @abstractmethod
    def status(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """The standing of the turn, in sentences."""

    def rail(self, language: Language, game: G, state: Any, name: str, marked: Hand) -> Rail | None:
        """No rail."""
        return None

    def beam(self, language: Language, game: G, state: Any, name: str, marked: Hand) -> Beam | None:
        """No beam."""
        return None

    def ladder(self, language: Language, game: G, state: Any) -> Ladder | None:
        """No ladder."""
        return None

    def things(self, language: Language, game: G, state: Any) -> Things | None:
        """No things."""
        return None

    def key(self, game: G, action: Any) -> str:
        """No letter."""
        return ""

    def red(self, game: G) -> tuple[int, ...]:
        """No faces."""
        return ()

    def missing(self, language: Language, game: G, rule: str, facts: Mapping[str, Any]) -> str:
        """The usual label."""
        return ""

    def question(self, language: Language, game: G, state: Any) -> Confirmation | None:
        """No question."""
        return None

    def to_beat(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """The seat that goes first."""
        return [language.about("{name} goes first.", "You go first.", names[0])]

    def scores(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """Nothing."""
        return []

    def stand(self, language: Language, game: G, state: Any, seat: int, marked: Hand) -> str:
        """Nothing."""
        return ""

    def score(self, language: Language, game: G, score: int) -> str:
        """The number in digits."""
        return str(score)

    def choice(self, language: Language, game: G, state: Any, action: Any) -> str:
        """The dice to keep."""
        return language.say("keep {dice}", dice=self.dice(language, game, kept_by(game, action)))

    def why(
        self, language: Language, game: G, state: Any, best: Mapping[str, float], other: Mapping[str, float]
    ) -> str:
        """Nothing."""
        return ""

    def chance(self, language: Language, game: G, state: Any, facts: Mapping[str, float]) -> list[str]:
        """Nothing."""
        return []

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Rolling alone."""
        return [("r", language.say("keep what is marked, and roll the others"))]

    def refusal(self, language: Language, game: G, rule: str, facts: Mapping[str, Any]) -> str | None:
        """The game's own reason to refuse (``refusals``). None if it has none, and the house's sentence applies."""
        if rule not in self.refusals:
            return None
        own = language.own[self.home]
        return own.tell(self.refusals[rule], self.localized_facts(own, facts))

    def localized_facts(self, language: Language, facts: Mapping[str, Any]) -> dict[str, object]:
        """Facts of a refusal ready for a sentence, with sorted dice in this game's order. Unsorted dice keep theirs."""
        if self.falling:
            hands = {key: fact for key, fact in facts.items() if isinstance(fact, tuple) and [*fact] == sorted(fact)}
            facts = {**facts, **{key: hand[::-1] for key, hand in hands.items()}}
        return localized_facts(facts, language)


VALUES = ("share", "win", "buy", "round_wins", "chips", "score", "value")
"""The keys for the values of the seats in plain data."""
CHANCES = VALUES[:3]
"""The keys whose values are shown in percent."""
UNITS = {"chips": "{amount} chips", "score": "{amount} points"}
"""Sentences for the keys whose values are amounts, if rows of several kinds are listed together."""


def values_of(data: Mapping[str, Any]) -> tuple[str, list[float]]:
    """The key of the values in plain data, and the value of each seat in turn order."""
    name = next(name for name in VALUES if name in data)
    return name, data[name]


def seat_values(language: Language, data: Mapping[str, Any]) -> list[str]:
    """The value of the match to each seat, in words."""
    name, values = values_of(data)
    return [language.per_cent(value) if name in CHANCES else language.number(value, 3) for value in values]


def kept_dice(language: Language, row: Mapping[str, Any], none: str = "no dice", *, die: DieFaces = SIX) -> str:
    """The dice of a keep, by the names of their faces. none: the words for a keep of no dice."""
    return die.shown(row["keep"]) or language.say(none)


def other_keeps(
    language: Language,
    rows: Sequence[Mapping[str, Any]],
    worth: Callable[[float], str],
    reason: Callable[[Mapping[str, Any], Mapping[str, Any]], str],
    none: str = "no dice",
    *,
    die: DieFaces = SIX,
) -> list[str]:
    """A line for each keep but the first, the best one: its value, its loss and the reason.

    - ``worth``: turns a value into words.
    - ``reason``: a clause on a keep's gains and costs against the best, or "".
    - ``none``: the words for a keep of no dice.
    """
    lines = []
    for row in rows[1:]:
        why = reason(rows[0], row) if row["lost"] > 0 else language.say("it is as good")
        text = "Keep {dice}: {value}, {lost} lost: {why}." if why else "Keep {dice}: {value}, {lost} lost."
        told = {"value": worth(row["value"]), "lost": worth(row["lost"])}
        lines.append(language.say(text, dice=kept_dice(language, row, none, die=die), why=why, **told))
    return lines
