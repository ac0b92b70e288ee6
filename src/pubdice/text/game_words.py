"""The words of a game: sentences for every moment of a turn; and the rail, the beam and other things, as plain data.

Views of a table hold most of that data as it is (``server.wire``): its fields are encoded in the order they stand in.

A game inherits ``PlainWords`` and writes what differs; one of one turn a seat inherits ``TurnWords`` (``turn_words``).

Pages, the terminal and the narrator know nothing else of a game's words.
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
"""Names that people at a terminal give themselves: sentences about these seats are in the second person."""


def kept_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names that stay as they are at the head of a sentence: all but "you", which is a word there."""
    return tuple([name for name in names if name and name not in YOU])


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
    """The dice a turn has won, slot by slot; their heading, and all of it in a line."""

    slots: tuple[Slot, ...]
    label: str
    total_label: str
    total: str
    said: str


@dataclass(frozen=True, slots=True)
class Beam:
    """A sum against a target, on a scale up to ``most``: the label at the target, and all of it in a line."""

    value: int
    target: int
    most: int
    label: str
    said: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A thing on the table that is no die: the number by which a move takes it (``MoveGame.takes``), and its label.

    up: it stands there still. One that is down was taken, or is closed.
    """

    number: int
    label: str
    up: bool = True


@dataclass(frozen=True, slots=True)
class Count:
    """An amount with a name, such as a bank: "This turn", "17"."""

    label: str
    amount: str


@dataclass(frozen=True, slots=True)
class Things:
    """All that lies on the table besides dice: tiles under a heading, amounts, and all of it in a line."""

    label: str = field(default="", kw_only=True)
    tiles: tuple[Tile, ...] = field(default=(), kw_only=True)
    counts: tuple[Count, ...] = field(default=(), kw_only=True)
    said: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A move as a player is offered it: its notation, its label, a letter that chooses it ("" for none).

    takes: the things it takes, by their numbers; where every move takes other things, tapping them says which is meant.
    """

    move: str
    label: str
    key: str = ""
    takes: tuple[int, ...] = ()


FEW = 4
"""As many moves at most are offered side by side, and named in the question; more are a list."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The question before an action that gives dice up: the action's label, the question, and its two answers."""

    label: str
    question: str
    yes: str
    no: str


@quick
@dataclass(frozen=True, slots=True)
class Rung:
    """A score on a ladder. here: true if the dice show it now. under: not above the lowest so far."""

    label: str
    here: bool = False
    under: bool = False


@dataclass(frozen=True, slots=True)
class Ladder:
    """Scores from the worst to the best, a few of all there are; the labels under its foot and under its top."""

    rungs: tuple[Rung, ...]
    foot: str
    top: str


class GameWords(Refusing, Protocol):
    """The words of a game. States are the round's; ``names`` are those of the round's seats, in turn order.

    An empty name is the listener's: the sentence says "you". ``to_roll``, ``rolls_on``, ``ask``, ``to_choose``,
    ``todo``, ``hint`` and ``missing`` speak to the mover.
    """

    @property
    def title(self) -> str:
        """The game's name as people say it."""

    @property
    def short(self) -> str:
        """The title where a dozen letters have room; empty if the whole one has."""

    @property
    def tagline(self) -> str:
        """The game in half a line."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the seats in turn order if exactly this many play, such as "Red"; empty if it has none."""

    def aim(self, language: Language, game: Any) -> str:
        """The aim of the game in a sentence, which stands on the board until somebody has scored."""

    def options(self, language: Language, game: Any) -> str:
        """The options in force, in a few words; empty if there is nothing to say."""

    def action_sentences(self, language: Language, game: Any, name: str, before: Any, action: Any) -> list[str]:
        """Sentences for an action the named seat took in the state before it."""

    def rolled(self, language: Language, game: Any, name: str, before: Any, dice: tuple[int, ...]) -> list[str]:
        """Sentences to follow the dice themselves, which the named seat rolled."""

    def to_roll(self, language: Language, game: Any, state: Any) -> str:
        """The dice the mover must roll, and the standing of the turn, in sentences."""

    def rolls_on(self, language: Language, game: Any, state: Any) -> list[str]:
        """The dice the mover must roll in the midst of a turn: the number first, by itself, then facts beside it."""

    def ask(self, language: Language, game: Any, state: Any) -> str:
        """The standing of the turn, and the question to the mover at a decision, in sentences."""

    def todo(self, language: Language, game: Any, state: Any) -> str:
        """The mover's task at a decision, in a few words: "keep one or more"."""

    def to_choose(self, language: Language, game: Any, state: Any) -> list[str]:
        """A decision as the mover hears it right after a roll: facts beside the dice, if any; and last, by itself, the
        question.
        """

    def status(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """The standing of the turn, in sentences: the mover's need, and the score to beat; empty if neither."""

    def rail(self, language: Language, game: Any, state: Any, name: str, marked: tuple[int, ...]) -> Rail | None:
        """The dice the named mover has won, with those marked; None if the game has no rail."""

    def beam(self, language: Language, game: Any, state: Any, name: str, marked: tuple[int, ...]) -> Beam | None:
        """The sum of the named mover's dice against a target; None if the game has no beam."""

    def ladder(self, language: Language, game: Any, state: Any) -> Ladder | None:
        """The place of the mover's dice among all scores; None if the game has no ladder."""

    def things(self, language: Language, game: Any, state: Any) -> Things | None:
        """The mover's things on the table that are no dice; None if the game has none."""

    def key(self, game: Any, action: Any) -> str:
        """The letter that chooses a move, beside its notation and its number; empty for none."""

    def red(self, game: Any) -> tuple[int, ...]:
        """The faces with red pips: those a turn needs."""

    def missing(self, language: Language, game: Any, rule: str, facts: Mapping[str, Any]) -> str:
        """The lack of an action that the rules refuse, as a button's label; empty for the usual label."""

    def question(self, language: Language, game: Any, state: Any) -> Confirmation | None:
        """The question to the mover before all dice are given up; None if that is no choice here."""

    def hint(self, language: Language, game: Any, state: Any) -> str:
        """A further hint that the mover may ask for, in a sentence; empty for nothing."""

    def to_beat(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """The score that the mover must beat; if there is none yet, the seat that goes first."""

    def scores(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """The standing of every seat of the round; empty before there is something to say."""

    def stand(self, language: Language, game: Any, state: Any, seat: int, marked: tuple[int, ...]) -> str:
        """The total of a seat's dice if those marked are kept, such as "17"; empty for nothing to say.

        Of the mover it may depend on anything in the state, such as the rolls it has left; of another seat on that
        seat's dice and score only, as a view is kept until those change.
        """

    def score(self, language: Language, game: Any, score: int) -> str:
        """A turn's score in a word: the number, or what a game calls that, such as "nothing"."""

    def choice(self, language: Language, game: Any, state: Any, action: Any) -> str:
        """An action as the coach advises it, such as "keep 1 4"; of a game of moves also the label of its button."""

    def why(
        self, language: Language, game: Any, state: Any, best: Mapping[str, float], other: Mapping[str, float]
    ) -> str:
        """The gain and the cost of an action against a better one, from a solver's facts; empty if they show no
        difference.

        A clause to follow a colon: "0.6 points more on average, but 4.0% less chance of a score".
        """

    def chance(self, language: Language, game: Any, state: Any, facts: Mapping[str, float]) -> list[str]:
        """The mover's chances in sentences, from the state and a solver's facts; none where the facts are missing."""

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """The words that do something in this game, such as r and b, each with what it does."""


def offers(words: GameWords, language: Language, game: Game[Any, Any], state: Any) -> tuple[Offer, ...]:
    """The moves open to the mover, in the rules' order; none where actions are keeps, or there is nothing to choose."""
    if not isinstance(game, MoveGame):
        return ()
    return tuple([
        Offer(move, sentence(words.choice(language, game, state, move)), words.key(game, move), game.takes(move))
        for move in game.legal(state)
    ])  # fmt: skip


def by_things(offered: Sequence[Offer]) -> bool:
    """True if things say which move is meant: each takes some, and no two the same."""
    taken = {frozenset(offer.takes) for offer in offered}
    return len(taken) == len(offered) and frozenset() not in taken


G = TypeVar("G", bound=Game[Any, Any])


def speak_own(words: type) -> None:
    """Let all that a game's class of words says be said from the game's own catalogue.

    Its methods get the language as the game speaks it, and its title, tagline, sides and tables know their game.
    A class of the house's stays as it is.
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
"""The attributes that a game writes once, and the house says."""


def _own(said: Any, home: str) -> Any:
    """A sentence, or all in a row or a table, as the game's own."""
    if isinstance(said, str):
        return OwnSentence.of(said, home)
    if isinstance(said, Mapping):
        return {key: _own(each, home) for key, each in said.items()}
    return tuple(_own(each, home) for each in said) if isinstance(said, tuple) else said


def give_home(words: Any, home: str) -> None:
    """Let words that a game has from the house, but for a title and a tagline, be that game's own."""
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
    """The package of the game with these words; "" where they are nobody's."""
    return str(getattr(words, "home", ""))


def tongue_of(words: object, language: Language) -> Language:
    """The language as a game with these words speaks it."""
    return language.own[getattr(words, "home", "")]


def told_dice(language: Language, game: Game[Any, Any], dice: Iterable[int]) -> str:
    """Dice as they are read out, in the order given: the names of their faces, or the words for neighbours of a face.

    The words are those of the game's catalogue: "2 kings, an ace".
    """
    die = game.faces
    if die.is_usual:
        return faces(dice)
    if not die.words:
        return die.shown(dice)
    own = language.own[home_of(type(game).__module__)]
    return ", ".join([own.count(*die.words[face - 1], len(list(alike))) for face, alike in groupby(dice)])


def needed_faces(language: Language, game: Game[Any, Any]) -> tuple[str, ...]:
    """The words for one die of each face ("an ace"), or the names."""
    die = game.faces
    if not die.words:
        return die.names
    own = language.own[home_of(type(game).__module__)]
    return tuple([own.count(one, many, 1) for one, many in die.words])


def rolls_to_set(language: Language, most: int) -> str:
    """To the opener, before its first roll."""
    return language.say("You set the number of rolls: up to {number}.", number=most)


def rolls_for_others(language: Language, seats: int, rolls: int) -> str:
    """Once the opener's turn is over, in a round of so many seats."""
    one, many = "Everybody else has {number} roll.", "Everybody else has up to {number} rolls."
    if seats == PAIR:
        one, many = "The other player has {number} roll.", "The other player has up to {number} rolls."
    return language.count(one, many, rolls)


def rolls_you_have(language: Language, left: int) -> str:
    """To the mover, before a roll."""
    return language.count("You have {number} roll left.", "You have {number} rolls left.", left)


def rolls_left(language: Language, left: int) -> str:
    """To everybody, of the mover's turn."""
    return language.count("{number} roll left.", "{number} rolls left.", left)


class PlainWords(ABC, Generic[G]):
    """Satisfies ``GameWords``; a game of keeps must write title, tagline, ``todo`` and ``status``.

    Every other method has the words for a game with nothing of its own there: often nothing. Games of moves inherit
    ``MoveWords`` (``text.move_words``).
    falling: true if dice are read out from the highest down; usually they are from the lowest up. refusals: sentences
    for what this game alone forbids, by the code of the refusal; the house has those for keeps. home: the game's
    package, found by itself: all that is written there is said from the catalogue there (``speak_own``).
    """

    title: str
    short: str = ""
    tagline: str
    sides: tuple[str, ...] = ()
    faults: Mapping[str, Sentence] = {}
    refusals: Mapping[str, Sentence] = {}
    falling: bool = False
    home: str = ""

    def __init_subclass__(cls, **facts: Any) -> None:
        super().__init_subclass__(**facts)
        speak_own(cls)

    def faces(self, dice: Hand) -> str:
        """Sorted dice as this game reads them out."""
        return faces(dice[::-1] if self.falling else dice)

    def dice(self, language: Language, game: G, dice: Hand) -> str:
        """Sorted dice as this game reads them out, with the words of its die."""
        return (
            self.faces(dice) if game.faces is SIX else told_dice(language, game, dice[::-1] if self.falling else dice)
        )

    def aim(self, language: Language, game: G) -> str:
        """The game in half a line, as a sentence."""
        return stopped(sentence(language.say(self.tagline)))

    def options(self, language: Language, game: G) -> str:
        """Nothing: the game has no options, or does not say which are in force."""
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
        """To the mover, where the turn stands: nothing."""
        return []

    @abstractmethod
    def todo(self, language: Language, game: G, state: Any) -> str:
        """The mover's task at a decision, in a few words."""

    def hint(self, language: Language, game: G, state: Any) -> str:
        """Nothing: the question says it all."""
        return ""

    @abstractmethod
    def status(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """The standing of the turn, in sentences."""

    def rail(self, language: Language, game: G, state: Any, name: str, marked: Hand) -> Rail | None:
        """Nothing is won before the end."""
        return None

    def beam(self, language: Language, game: G, state: Any, name: str, marked: Hand) -> Beam | None:
        """Nothing to reach exactly."""
        return None

    def ladder(self, language: Language, game: G, state: Any) -> Ladder | None:
        """Nobody has to learn an order of scores."""
        return None

    def things(self, language: Language, game: G, state: Any) -> Things | None:
        """Nothing but dice."""
        return None

    def key(self, game: G, action: Any) -> str:
        """No letter: dice are marked."""
        return ""

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
        """Nothing yet: the seat that goes first."""
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
        """The dice to keep."""
        return language.say("keep {dice}", dice=self.dice(language, game, kept_by(game, action)))

    def why(
        self, language: Language, game: G, state: Any, best: Mapping[str, float], other: Mapping[str, float]
    ) -> str:
        """Nothing: the value of a choice says it all."""
        return ""

    def chance(self, language: Language, game: G, state: Any, facts: Mapping[str, float]) -> list[str]:
        """Nothing beyond the match's own chances."""
        return []

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Only rolling: there is nothing to bank."""
        return [("r", language.say("keep what is marked, and roll the others"))]

    def refusal(self, language: Language, game: G, rule: str, facts: Mapping[str, Any]) -> str | None:
        """The reason this game forbids it; the house has those of any game of keeps."""
        if rule not in self.refusals:
            return None
        own = language.own[self.home]
        return own.tell(self.refusals[rule], self.localized_facts(own, facts))

    def localized_facts(self, language: Language, facts: Mapping[str, Any]) -> dict[str, object]:
        """Facts of a refusal ready for a sentence, dice in the order in which this game reads them out.

        Those that a table tells as they lie stay so.
        """
        if self.falling:
            hands = {key: fact for key, fact in facts.items() if isinstance(fact, tuple) and [*fact] == sorted(fact)}
            facts = {**facts, **{key: hand[::-1] for key, hand in hands.items()}}
        return localized_facts(facts, language)


VALUES = ("share", "win", "buy", "round_wins", "chips", "score", "value")
"""Names for the values of the seats in plain data."""
CHANCES = VALUES[:3]
"""Those of them that are read in percent."""
UNITS = {"chips": "{amount} chips", "score": "{amount} points"}
"""Forms for those that are amounts, where rows of several kinds stand together."""


def values_of(data: Mapping[str, Any]) -> tuple[str, list[float]]:
    """The name of the values in plain data, and each seat's, in turn order."""
    name = next(name for name in VALUES if name in data)
    return name, data[name]


def seat_values(language: Language, data: Mapping[str, Any]) -> list[str]:
    """The worth of the match to each seat, as it is read out."""
    name, values = values_of(data)
    return [language.per_cent(value) if name in CHANCES else language.number(value, 3) for value in values]


def kept_dice(language: Language, row: Mapping[str, Any], none: str = "no dice", *, die: DieFaces = SIX) -> str:
    """The dice that a keep leaves lying, by the names of their faces. none: what is said where it leaves none."""
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
    """All keeps but the first, the best: what each is worth and what it loses, and why.

    worth: a value as it is said. reason: what a keep gains and costs against the best; "" where nothing is known. die:
    all faces.
    """
    lines = []
    for row in rows[1:]:
        why = reason(rows[0], row) if row["lost"] > 0 else language.say("it is as good")
        text = "Keep {dice}: {value}, {lost} lost: {why}." if why else "Keep {dice}: {value}, {lost} lost."
        told = {"value": worth(row["value"]), "lost": worth(row["lost"])}
        lines.append(language.say(text, dice=kept_dice(language, row, none, die=die), why=why, **told))
    return lines
