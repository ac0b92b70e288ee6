"""The words of a game: sentences for every moment of a turn, and data for the drawings beside them.

Two such drawings have names of their own. A *rail* shows the dice won so far, slot by slot (Midnight). A *beam* is a
bar that shows a total against a target (420).

Pages, the terminal and the narrator know a game's words only through the protocol ``GameWords``. A game inherits
``PlainWords``, ``TurnWords`` (one turn a seat) or ``MoveWords`` (moves), and overrides some methods.

In each drawing's data, ``said`` is the whole drawing as a line of text. Views of a table hold most of this data
unchanged (``server.wire``), with the fields in the order in which they are declared.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, wraps
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
"""Names that a person at a terminal gives to themselves. Sentences about that seat say "you"."""


@lru_cache(maxsize=1024)
def kept_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names whose spelling must not change at the start of a sentence: all except "" and "you"."""
    return tuple([name for name in names if name and name not in YOU])


@quick
@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one die on the rail."""

    face: int = 0
    """The face of the die in the slot. 0 if the slot is empty."""
    want: int = 0
    """The face that the slot is for. 0 if it is for any face."""
    preview: bool = False
    """True if the die in the slot is only marked, so it can still be taken back."""


@quick
@dataclass(frozen=True, slots=True)
class Rail:
    """The dice that the mover has won in this turn, slot by slot, with their total."""

    slots: tuple[Slot, ...]
    label: str
    total_label: str
    total: str
    said: str


@dataclass(frozen=True, slots=True)
class Beam:
    """A total drawn as a bar against a target."""

    value: int
    target: int
    most: int
    """The number at the end of the scale."""
    label: str
    """The label beside the target."""
    said: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A thing on the table that is not a die, such as a tile of Shut the Box."""

    number: int
    """The number of the tile. A move names the tiles that it takes by their numbers (``MoveGame.takes``)."""
    label: str
    up: bool = True
    """False if the tile has been taken or closed."""


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
    """A legal move, as it is shown to the mover."""

    move: str
    """The notation of the move."""
    label: str
    key: str = ""
    """The letter that chooses the move, or ""."""
    takes: tuple[int, ...] = ()
    """The numbers of the things that the move takes. If they tell all moves apart (``by_things``), a player may tap the
    things instead."""


FEW = 4
"""The most moves that are drawn side by side and named in the question. More moves are shown as a list."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question to a player who is about to give up dice, with its two answers."""

    label: str
    """The label of the button for the action."""
    question: str
    yes: str
    no: str


@quick
@dataclass(frozen=True, slots=True)
class Rung:
    """One score of a ladder."""

    label: str
    here: bool = False
    """True if the mover's dice show this score now."""
    under: bool = False
    """True if this score is no better than the lowest score so far in the round."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """A selection of scores in a row, from the worst to the best. ``foot`` and ``top`` are the labels at its two
    ends.
    """

    rungs: tuple[Rung, ...]
    foot: str
    top: str


class GameWords(Refusing, Protocol):
    """The words of a game.

    Most methods get the same arguments. ``state`` is a state of the round. ``names`` has a name for each seat of the
    round, in turn order. An empty name is the listener's, and a sentence about that seat says "you". These methods
    speak to the mover: ``to_roll``, ``rolls_on``, ``ask``, ``to_choose``, ``todo``, ``hint`` and ``missing``.
    """

    @property
    def title(self) -> str:
        """The game's name."""

    @property
    def short(self) -> str:
        """A title of at most a dozen letters. Empty if ``title`` itself is as short as that."""

    @property
    def tagline(self) -> str:
        """A description of the game in half a line."""

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of the seats, such as "Red". They are used if the game has exactly that many seats. May be empty."""

    def aim(self, language: Language, game: Any) -> str:
        """Return the aim of the game in a sentence. A page shows it until the first score."""

    def options(self, language: Language, game: Any) -> str:
        """Return a few words on the options that this match is played with, or ""."""

    def action_sentences(self, language: Language, game: Any, name: str, before: Any, action: Any) -> list[str]:
        """Return sentences on an action of the named seat. ``before`` is the state before the action."""

    def rolled(self, language: Language, game: Any, name: str, before: Any, dice: tuple[int, ...]) -> list[str]:
        """Return sentences on a roll of the named seat. The caller has already read out the dice."""

    def to_roll(self, language: Language, game: Any, state: Any) -> str:
        """Return the state of the turn (such as the locked dice) and the number of dice to roll, in sentences."""

    def rolls_on(self, language: Language, game: Any, state: Any) -> list[str]:
        """Return the same as ``to_roll`` for a later roll of a turn, in parts: the number of dice, then further
        facts.
        """

    def ask(self, language: Language, game: Any, state: Any) -> str:
        """Return the state of the turn and the question to the mover, in sentences."""

    def todo(self, language: Language, game: Any, state: Any) -> str:
        """Return the mover's task at a decision in a few words: "keep one or more"."""

    def to_choose(self, language: Language, game: Any, state: Any) -> list[str]:
        """Return the same as ``ask`` for a decision right after a roll, in parts: facts, then the question.

        Facts that were read out with the roll are left out.
        """

    def status(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """Return the state of the turn for a spectator, in sentences: the faces that the mover needs and the score to
        beat. May be empty.
        """

    def rail(self, language: Language, game: Any, state: Any, name: str, marked: tuple[int, ...]) -> Rail | None:
        """Return the rail: the dice that the mover has won or marked. None if the game has no rail. ``name`` is the
        mover's.
        """

    def beam(self, language: Language, game: Any, state: Any, name: str, marked: tuple[int, ...]) -> Beam | None:
        """Return the beam: the total of the mover's dice against a target. None if the game has no beam. ``name`` is
        the mover's.
        """

    def ladder(self, language: Language, game: Any, state: Any) -> Ladder | None:
        """Return the ladder: the score of the mover's dice among all scores. None if the game has no ladder."""

    def things(self, language: Language, game: Any, state: Any) -> Things | None:
        """Return the things in front of the mover that are not dice. None if the game has no such things."""

    def key(self, game: Any, action: Any) -> str:
        """Return the letter that chooses a move, or "". A move can also be chosen by its notation or its number."""

    def red(self, game: Any) -> tuple[int, ...]:
        """Return the faces that a turn needs. They are drawn with red pips."""

    def missing(self, language: Language, game: Any, rule: str, facts: Mapping[str, Any]) -> str:
        """Return the label of a button whose action the rules refuse: the need that the action fails. "" for the usual
        label.
        """

    def question(self, language: Language, game: Any, state: Any) -> Confirmation | None:
        """Return the question to a mover who is about to give up all dice. None if the game never asks."""

    def hint(self, language: Language, game: Any, state: Any) -> str:
        """Return a hint that the mover may ask for, in a sentence, or ""."""

    def to_beat(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """Return the score that the mover must beat. Before the first score, return the seat that goes first."""

    def scores(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        """Return the scores of the round, in sentences. May be empty."""

    def stand(self, language: Language, game: Any, state: Any, seat: int, marked: tuple[int, ...]) -> str:
        """Return the total of a seat's dice if the marked dice are kept, such as "17", or "".

        For the mover, it may depend on anything in the state. For another seat, it may depend only on that seat's dice
        and score, because the result is cached until they change.
        """

    def score(self, language: Language, game: Any, score: int) -> str:
        """Return a turn's score in a word: the number, or the game's own word, such as "nothing"."""

    def choice(self, language: Language, game: Any, state: Any, action: Any) -> str:
        """Return an action as advice, such as "keep 1 4". In a game of moves, it is also the label of the button."""

    def why(
        self, language: Language, game: Any, state: Any, best: Mapping[str, float], other: Mapping[str, float]
    ) -> str:
        """Return the reason why an action is worse than the best one: its gains and costs. "" if it costs nothing.

        The reason is a clause that follows a colon: "0.6 points more on average, but 4.0% less chance of a score".
        ``best`` and ``other`` are a solver's facts about the two actions.
        """

    def chance(self, language: Language, game: Any, state: Any, facts: Mapping[str, float]) -> list[str]:
        """Return the mover's chances in sentences, from a solver's facts about the position. Empty if the facts are
        missing.
        """

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Return the commands that a player of this game can type, such as r and b, each with its meaning."""


def offers(words: GameWords, language: Language, game: Game[Any, Any], state: Any) -> tuple[Offer, ...]:
    """Return the mover's legal moves, as they are shown, in the order of the rules. Empty in a game of keeps."""
    if not isinstance(game, MoveGame):
        return ()
    return tuple([
        Offer(move, sentence(words.choice(language, game, state, move)), words.key(game, move), game.takes(move))
        for move in game.legal(state)
    ])  # fmt: skip


def by_things(offered: Sequence[Offer]) -> bool:
    """Return True if the things that a move takes tell the moves apart: each move takes things, and no two take the
    same.
    """
    taken = {frozenset(offer.takes) for offer in offered}
    return len(taken) == len(offered) and frozenset() not in taken


G = TypeVar("G", bound=Game[Any, Any])


def speak_own(words: type) -> None:
    """Make a game's class of words use the game's own catalogue. A class of pubdice itself stays unchanged.

    From then on, the class's methods get the game's own ``Language``. Its title, tagline, sides and tables become
    ``OwnSentence``s, sentences that are looked up in the game's catalogue.
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
"""Class attributes with sentences that pubdice's own code says. They need ``OwnSentence``, because that code has no
game's ``Language``."""


def _own(said: Any, home: str) -> Any:
    """Return the same data with each sentence turned into an ``OwnSentence``."""
    if isinstance(said, str):
        return OwnSentence.of(said, home)
    if isinstance(said, Mapping):
        return {key: _own(each, home) for key, each in said.items()}
    return tuple(_own(each, home) for each in said) if isinstance(said, tuple) else said


def give_home(words: Any, home: str) -> None:
    """Set ``home``, the game's package, on words whose class belongs to pubdice, such as ``MoveWords(title, tagline)``.

    The title and the tagline are then looked up in the game's catalogue.
    """
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
    """Return the package of the game that these words belong to, or ""."""
    return str(getattr(words, "home", ""))


def tongue_of(words: object, language: Language) -> Language:
    """Return the language with the catalogue of the game that these words belong to."""
    return language.own[getattr(words, "home", "")]


def told_dice(language: Language, game: Game[Any, Any], dice: Iterable[int]) -> str:
    """Return dice in words, in the order given.

    They are the names of the faces. If the die has words, equal neighbours are counted in words: "2 kings, an ace".
    These words are looked up in the game's catalogue.
    """
    die = game.faces
    if die.is_usual:
        return faces(dice)
    if not die.words:
        return die.shown(dice)
    own = language.own[home_of(type(game).__module__)]
    return ", ".join([own.count(*die.words[face - 1], len(list(alike))) for face, alike in groupby(dice)])


def needed_faces(language: Language, game: Game[Any, Any]) -> tuple[str, ...]:
    """Return the words for one die of each face, such as "an ace". If the die has no words, return the names of its
    faces.
    """
    die = game.faces
    if not die.words:
        return die.names
    own = language.own[home_of(type(game).__module__)]
    return tuple([own.count(one, many, 1) for one, many in die.words])


def rolls_to_set(language: Language, most: int) -> str:
    """Return a sentence to the opener before its first roll: the number of the opener's rolls limits all other seats
    (``OpenerLimits``).
    """
    return language.say("You set the number of rolls: up to {number}.", number=most)


def rolls_for_others(language: Language, seats: int, rolls: int) -> str:
    """Return a sentence on the rolls that the opener's turn leaves to the other seats. ``seats`` is the number of seats
    in the round.
    """
    one, many = "Everybody else has {number} roll.", "Everybody else has up to {number} rolls."
    if seats == PAIR:
        one, many = "The other player has {number} roll.", "The other player has up to {number} rolls."
    return language.count(one, many, rolls)


def rolls_you_have(language: Language, left: int) -> str:
    """Return a sentence to the mover on the rolls that are left in its turn."""
    return language.count("You have {number} roll left.", "You have {number} rolls left.", left)


def rolls_left(language: Language, left: int) -> str:
    """Return a sentence to all on the rolls that are left in the mover's turn."""
    return language.count("{number} roll left.", "{number} rolls left.", left)


class PlainWords(ABC, Generic[G]):
    """Defaults for ``GameWords``. A game of keeps must write title, tagline, ``todo`` and ``status``.

    All other methods have a default that suits a game without words of its own. Many return nothing. Games of moves
    inherit ``MoveWords`` instead (``text.move_words``).
    """

    title: str
    short: str = ""
    tagline: str
    sides: tuple[str, ...] = ()
    faults: Mapping[str, Sentence] = {}
    refusals: Mapping[str, Sentence] = {}
    """Sentences for refusals that only this game has, by code. ``language.RULES`` has the sentences for all games."""
    falling: bool = False
    """True if dice are read out from the highest to the lowest. Usually they are read out from the lowest up."""
    home: str = ""
    """The game's package, whose folder has the game's catalogues. It is set automatically (``speak_own``)."""

    def __init_subclass__(cls, **facts: Any) -> None:
        super().__init_subclass__(**facts)
        speak_own(cls)

    def faces(self, dice: Hand) -> str:
        """Return sorted dice in the order in which this game reads them out."""
        return faces(dice[::-1] if self.falling else dice)

    def dice(self, language: Language, game: G, dice: Hand) -> str:
        """Return sorted dice in the order in which this game reads them out, with the words of its die."""
        return (
            self.faces(dice) if game.faces is SIX else told_dice(language, game, dice[::-1] if self.falling else dice)
        )

    def aim(self, language: Language, game: G) -> str:
        """Return the tagline as a sentence."""
        return stopped(sentence(language.say(self.tagline)))

    def options(self, language: Language, game: G) -> str:
        """Return nothing."""
        return ""

    def action_sentences(self, language: Language, game: G, name: str, before: Any, action: Any) -> list[str]:
        """Return a sentence with the dice that the seat kept."""
        dice = self.dice(language, game, kept_by(game, action))
        return [language.about("{name} kept {dice}.", "You kept {dice}.", name, dice=dice)]

    def rolled(self, language: Language, game: G, name: str, before: Any, dice: tuple[int, ...]) -> list[str]:
        """Return nothing, because the dice themselves have been read out."""
        return []

    def to_roll(self, language: Language, game: G, state: Any) -> str:
        """Return the state of the turn, and the number of dice."""
        return " ".join([*self.stands(language, game, state), PlainWords.rolls_on(self, language, game, state)[0]])

    def rolls_on(self, language: Language, game: G, state: Any) -> list[str]:
        """Return the number of dice alone."""
        return [language.count("Roll {number} die.", "Roll {number} dice.", game.to_roll(state))]

    def ask(self, language: Language, game: G, state: Any) -> str:
        """Return the state of the turn, and the question which dice the mover keeps."""
        return " ".join([*self.stands(language, game, state), language.say("Which dice do you keep?")])

    def to_choose(self, language: Language, game: G, state: Any) -> list[str]:
        """Return the state of the turn, and the question."""
        return [self.ask(language, game, state)]

    def stands(self, language: Language, game: G, state: Any) -> list[str]:
        """Return the state of the turn for the mover. Here that is nothing."""
        return []

    @abstractmethod
    def todo(self, language: Language, game: G, state: Any) -> str:
        """Return the mover's task at a decision, in a few words."""

    def hint(self, language: Language, game: G, state: Any) -> str:
        """Return nothing."""
        return ""

    @abstractmethod
    def status(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """Return the state of the turn for a spectator, in sentences."""

    def rail(self, language: Language, game: G, state: Any, name: str, marked: Hand) -> Rail | None:
        """Return None: no rail."""
        return None

    def beam(self, language: Language, game: G, state: Any, name: str, marked: Hand) -> Beam | None:
        """Return None: no beam."""
        return None

    def ladder(self, language: Language, game: G, state: Any) -> Ladder | None:
        """Return None: no ladder."""
        return None

    def things(self, language: Language, game: G, state: Any) -> Things | None:
        """Return None: no things besides dice."""
        return None

    def key(self, game: G, action: Any) -> str:
        """Return "": no letter."""
        return ""

    def red(self, game: G) -> tuple[int, ...]:
        """Return (): no face is needed."""
        return ()

    def missing(self, language: Language, game: G, rule: str, facts: Mapping[str, Any]) -> str:
        """Return "", for the usual label."""
        return ""

    def question(self, language: Language, game: G, state: Any) -> Confirmation | None:
        """Return None: never ask."""
        return None

    def to_beat(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """Return a sentence on the seat that goes first."""
        return [language.about("{name} goes first.", "You go first.", names[0])]

    def scores(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """Return nothing."""
        return []

    def stand(self, language: Language, game: G, state: Any, seat: int, marked: Hand) -> str:
        """Return nothing."""
        return ""

    def score(self, language: Language, game: G, score: int) -> str:
        """Return the number in digits."""
        return str(score)

    def choice(self, language: Language, game: G, state: Any, action: Any) -> str:
        """Return the dice to keep, as "keep 1 4"."""
        return language.say("keep {dice}", dice=self.dice(language, game, kept_by(game, action)))

    def why(
        self, language: Language, game: G, state: Any, best: Mapping[str, float], other: Mapping[str, float]
    ) -> str:
        """Return nothing."""
        return ""

    def chance(self, language: Language, game: G, state: Any, facts: Mapping[str, float]) -> list[str]:
        """Return nothing."""
        return []

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Return the one command r, to roll."""
        return [("r", language.say("keep what is marked, and roll the others"))]

    def refusal(self, language: Language, game: G, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Return the game's own sentence for a refusal (``refusals``). None if the sentence for all games is used."""
        if rule not in self.refusals:
            return None
        own = language.own[self.home]
        return own.tell(self.refusals[rule], self.localized_facts(own, facts))

    def localized_facts(self, language: Language, facts: Mapping[str, Any]) -> dict[str, object]:
        """Make the facts of a refusal ready for a sentence. Sorted dice come in this game's order, unsorted dice as
        they are.
        """
        if self.falling:
            hands = {key: fact for key, fact in facts.items() if isinstance(fact, tuple) and [*fact] == sorted(fact)}
            facts = {**facts, **{key: hand[::-1] for key, hand in hands.items()}}
        return localized_facts(facts, language)


VALUES = ("share", "win", "buy", "round_wins", "chips", "score", "value")
"""The possible keys of the seats' values in an answer's plain data. Each answer has one of them."""
CHANCES = VALUES[:3]
"""The keys whose values are shown in percent: shares and chances."""
UNITS = {"chips": "{amount} chips", "score": "{amount} points"}
"""Words for values that are amounts. They are used where values of several kinds are listed together."""


def values_of(data: Mapping[str, Any]) -> tuple[str, list[float]]:
    """Return the key of the seats' values in an answer's plain data, and the value of each seat in turn order."""
    name = next(name for name in VALUES if name in data)
    return name, data[name]


def seat_values(language: Language, data: Mapping[str, Any]) -> list[str]:
    """Return the value of the match to each seat, in words."""
    name, values = values_of(data)
    return [language.per_cent(value) if name in CHANCES else language.number(value, 3) for value in values]


def keep_words(language: Language, row: Mapping[str, Any], die: DieFaces = SIX) -> str:
    """Return a keep in words, with its dice by the names of their faces: "Keep 1 4", "Keep none"."""
    return language.say("Keep {dice}", dice=die.shown(row["keep"])) if row["keep"] else language.say("Keep none")


def other_keeps(
    language: Language,
    rows: Sequence[Mapping[str, Any]],
    worth: Callable[[float], str],
    reason: Callable[[Mapping[str, Any], Mapping[str, Any]], str],
    die: DieFaces = SIX,
) -> list[str]:
    """Return a line for each keep except the first, which is the best: its value, its loss and the reason.

    - ``worth``: turns a value into words.
    - ``reason``: gives a clause on a keep's gains and costs against the best keep, or "".
    """
    lines = []
    for row in rows[1:]:
        why = reason(rows[0], row) if row["lost"] > 0 else language.say("it is as good")
        text = "{choice}: {value}, {lost} lost: {why}." if why else "{choice}: {value}, {lost} lost."
        told = {"value": worth(row["value"]), "lost": worth(row["lost"])}
        lines.append(language.say(text, choice=keep_words(language, row, die), why=why, **told))
    return lines
