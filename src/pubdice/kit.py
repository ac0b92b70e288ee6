"""A kit is all a game brings to the house: rules from options, words, policies, its page of rules. Knows no game.

Here a header, which is text, becomes a match, which is checked.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from pubdice.core.dice import Hand, faces_in
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import Game, KeepGame, Policy, Seat
from pubdice.core.turn_game import TurnGame
from pubdice.core.whole_number import whole_number
from pubdice.failures import explain
from pubdice.match.formats import Format, FormatKind, read_kind
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import BESIDE, Header, RawHeader, Record, find_name, located, parse
from pubdice.match.record import ReplayStep, replay
from pubdice.solve.solver import Solver
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language


def read_number(flag: str, text: str, least: int, most: int) -> int:
    """A whole number given with a flag. Raises BadNotation."""
    number = whole_number(text)
    if number is None or not least <= number <= most:
        raise BadNotation("flag-number", found=text, flag=flag, least=least, most=most)
    return number


def read_numbers(flag: str, text: str) -> tuple[int, ...]:
    """Whole numbers given with a flag, parted by commas or spaces, each with a minus or a plus or without.

    Raises BadNotation("flag-numbers").

    >>> read_numbers("chips", "2, -3 +1")
    (2, -3, 1)
    """
    found: list[int] = []
    for word in text.replace("\N{MINUS SIGN}", "-").replace(",", " ").split():
        number = whole_number(word.removeprefix("-") if word[0] == "-" else word.removeprefix("+"))
        if number is None:
            raise BadNotation("flag-numbers", found=text, flag=flag)
        found.append(-number if word[0] == "-" else number)
    if not found or len(found) > MOST_NUMBERS:
        raise BadNotation("flag-numbers", found=text, flag=flag)
    return tuple(found)


def read_dice(flag: str, text: str) -> Hand:
    """Dice given with a flag, ``6,5,2`` or ``652``, as a sorted hand. Raises BadNotation."""
    faces = faces_in(text, between=", ")
    if not faces or not all(part.strip() for part in text.split(",")):
        raise BadNotation("flag-dice", found=text, flag=flag)
    return tuple(sorted(faces))


def lazy(module: str, function: str) -> Callable[..., Any]:
    """A function of a module that is imported at the first call.

    A kit names so what needs numpy or is seldom asked for: ``pubdice --help`` and the first prompt of a game load none
    of it. No checker looks behind the names, so ``tests/test_kit.py`` does.
    """
    return partial(_imported_call, module, function)


def _imported_call(module: str, function: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(import_module(module), function)(*args, **kwargs)


MOST_NUMBERS = 20
"""As many as a list given with a flag may have: no game seats more."""
PERFECT = "perfect"
"""The bot that plays by the solver of the match."""
GOAL_BOTS = ("steady", "cautious", "bold")
"""Bots that the house makes for every game of one turn a seat (``advice.bots``)."""
HEADER = ("game", "seats", "format", "opener", "first")


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule of a game: its key, the choices as text, the default first, and what it does in a line.

    meanings: what each choice does, in a line. brief: a choice in two or three words, with ``{choice}`` in them, to
    stand in a row of rules; empty for the key and the choice.
    """

    key: str
    choices: tuple[str, ...]
    meaning: str
    meanings: tuple[str, ...] = ()
    brief: str = ""

    def read(self, text: str) -> str:
        """The choice a text names; numbers may be parted by commas, hyphens or spaces. Raises BadNotation.

        >>> Option("need", ("1 4", "2 4"), "").read("2,4")
        '2 4'
        """
        choice = " ".join(text.replace(",", " ").replace("-", " ").split())
        if choice not in self.choices:
            raise BadNotation("option", found=text, key=self.key, choices=self.choices)
        return choice


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of a question: its name without dashes, what stands for its value ("" for a switch), and its meaning.

    label: what a page calls the field; "" for a flag that is left to the command line. choices: those of a field with
    a few, the usual one first, with what each means; () for a field to type into. group: the heading under which a page
    has the field with others; "" for those on top.
    """

    name: str
    value: str
    meaning: str
    label: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    group: str = ""


class AnswerQuestion(Protocol):
    """Flags to plain data; solutions may be kept in a folder between one process and the next."""

    def __call__(self, given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
        """The data. Raises BadNotation."""


class Solve(Protocol):
    """A match to its solver; solutions may be kept in a folder between one process and the next."""

    def __call__(self, match: Match[Any, Any], folder: Path | None = None) -> Solver:
        """The solver. Raises Unsolved or BadNotation for a match that is not solved."""


class AnswerMatch(Protocol):
    """A match to plain data about it; solutions may be kept in a folder between one process and the next."""

    def __call__(self, match: Match[Any, Any], folder: Path | None = None) -> dict[str, Any]:
        """The data. Raises Unsolved or BadNotation for a match that is not solved."""


Tell = Callable[[Language, dict[str, Any]], list[str]]
"""Plain data to lines."""
PriceNote = Callable[[Language, Format, int], str]
"""From a language, a format and a number of seats to a sentence on the prices of a rule's choices; "" for none."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question a solved game answers on the command line.

    answer: from the flags given, by name ("" for a switch), to plain data; raises BadNotation. tell: the data in lines.
    position: the match and the state that the flags tell (``advice.ranking``), of which a coach speaks
    in place of ``tell``; None where they tell none, and the flags are about one turn.
    """

    flags: tuple[Flag, ...]
    answer: "AnswerQuestion"
    tell: Tell
    position: Callable[[Mapping[str, str]], Any] | None = None


@dataclass(frozen=True, slots=True)
class RoundPosition:
    """How a round under way is told by flags, where it is no round of one turn a seat, which the house reads itself.

    state: from the rules, the number of seats that play this round and the flags given to the state of the round at a
    decision. Raises BadNotation for a position that no round comes to.
    """

    flags: tuple[Flag, ...]
    state: Callable[[Any, int, Mapping[str, str]], Any]


@dataclass(frozen=True, slots=True)
class Kit:
    """What the house knows of a game.

    formats: the kinds it is played in, the default first. names: default names of its seats, as many as usually play.
    draws_from: the least number of seats at which Player 1 is drawn by lot unless somebody is named; 0 for never.
    policies: the bots' ways to play, by name, the default first; in a game of one turn a seat the house adds
    ``GOAL_BOTS``, but for those named here. rules: reads the page of rules in a language, by its code, or else in
    English. thresholds: the scores that ``cautious`` and ``bold`` play for, where the game has better ones than the
    house finds.
    solver: solves a match of this game; the usual one is chosen by what the rules allow (``solve.choose``), and None
    says that the game is not solved. price: prices of the game's own, in place of the house's (``advice.questions``),
    which answers all other questions. card_lines: lines to play by, for a game with its options
    (``advice.card.LineCard``); the house prices, tells and draws them. claims: printed advice, judged
    (``advice.card.Claim``). start_odds: the odds of a match before it
    begins, as plain data, where there is a quicker way than to solve it (of a race of six: eight numbers that are kept,
    in place of 68 million). tells: how the house's answers are said, by question, where the game has words of its own
    for them. most_solved: the most seats that are solved, by the name of a format; in formats that it does not name, as
    many as can play. position: how a round under way is told by flags. price_notes: by rule, the reason for prices that
    look wrong without it. All load what is heavy only when called.
    """

    name: str
    options: tuple[Option, ...]
    build: Callable[[Mapping[str, str]], Game[Any, Any]]
    formats: tuple[FormatKind, ...]
    names: tuple[str, ...]
    draws_from: int
    words: GameWords
    policies: Mapping[str, Policy[Any, Any]]
    rules: Callable[[str], str]
    thresholds: Mapping[str, int] = field(default_factory=dict)
    solver: Solve | None = lazy("pubdice.solve.choose", "solve_match")  # noqa: RUF009  a function, and none is called
    price: Question | None = None
    card_lines: Callable[[Any], Any] | None = None
    claims: Callable[[], Sequence[Any]] | None = None
    start_odds: AnswerMatch | None = None
    tells: Mapping[str, Tell] = field(default_factory=dict)
    most_solved: Mapping[str, int] = field(default_factory=dict)
    position: RoundPosition | None = None
    price_notes: Mapping[str, PriceNote] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.usual_game, TurnGame):
            made = {
                name: partial(lazy("pubdice.advice.bots", "policy"), name, self.thresholds.get(name))
                for name in GOAL_BOTS
                if name not in self.policies
            }
            object.__setattr__(self, "policies", {**self.policies, **made})

    @property
    def usual_game(self) -> Game[Any, Any]:
        """The rules with every option as it usually is."""
        return self.build({option.key: option.choices[0] for option in self.options})

    @property
    def keeps_dice(self) -> bool:
        """Whether its actions are keeps (``KeepGame``): then help tells how to choose dice."""
        return isinstance(self.usual_game, KeepGame)

    def with_cache(self, folder: Path | None) -> "Kit":
        """The same kit, with its solutions kept in a folder."""

        def kept(question: Question | None) -> Question | None:
            return question and replace(question, answer=partial(question.answer, folder=folder))

        return replace(
            self,
            solver=self.solver and partial(self.solver, folder=folder),
            start_odds=self.start_odds and partial(self.start_odds, folder=folder),
            price=kept(self.price),
        )

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots that can be asked for, the usual one first."""
        return (*self.policies, *([PERFECT] if self.solver else []))

    def normalize(self, header: RawHeader) -> Header:
        """The header in full: checked, in canonical spelling, defaults filled in. Raises BadNotation with its place.

        What proves sealed dice, or names a duplicate night, is left out: it is about one whole record (``match``).
        """
        keys = (*HEADER, *(option.key for option in self.options))
        given, names = header.fields, header.names
        for key in given:
            if key not in keys and key not in BESIDE:
                raise BadNotation("header-key", header.keys.get(key), found=key, key=key, keys=keys)
        fields = {"game": self.name}
        for option in self.options:
            with located(header, option.key):
                fields[option.key] = option.read(given.get(option.key, option.choices[0]))
        game = self.build(fields)
        with located(header, "seats"):
            if not game.least_seats <= len(names) <= game.most_seats:
                raise BadNotation("seats", found=len(names), least=game.least_seats, most=game.most_seats)
            fields["seats"] = ", ".join(names)
        with located(header, "format"):
            form = self.format(given.get("format", self.formats[0].name))
            fields["format"] = form.write()
        with located(header, "opener"):
            opener = given.get("opener", form.openers[0])
            if opener not in form.openers:
                raise BadNotation("opener", found=opener, openers=form.openers)
            if len(form.openers) > 1:
                fields["opener"] = opener
        with located(header, "first"):
            drawn = form.draws_first or 0 < self.draws_from <= len(names)
            first = given.get("first", "draw" if drawn else names[0])
            seat = find_name(first, names)
            if seat is None and first.lower() != "draw":
                raise BadNotation("first", found=first, seats=("draw", *names))
            fields["first"] = "draw" if seat is None else names[seat]
        return Header(fields)

    def format(self, text: str) -> Format:
        """A format this game is played in. Raises BadNotation."""
        found = read_kind(text, self.formats)
        if found is None:
            raise BadNotation("format-game", found=text, formats=tuple(kind.usual.write() for kind in self.formats))
        return found

    def price_note(self, rule: str, rules: Mapping[str, str], language: Language) -> str:
        """A sentence on the prices of a rule's choices, in the match that these flags describe; "" for none."""
        note = self.price_notes.get(rule)
        return note(language, self.format(rules["format"]), int(rules["seats"])) if note else ""

    def match(self, settled: Header) -> Match[Any, Any]:
        """The match a settled header describes."""
        fields, names = settled.fields, settled.names
        form = self.format(fields["format"])
        first = None if fields["first"] == "draw" else Seat(names.index(fields["first"]))
        return Match(self.build(fields), len(names), form, fields.get("opener", form.openers[0]), first)


# A record read whole: checked against the rules, with all that follows from it. Handed the games, knows none.
#
# Every reader of records begins here: the terminal, the library, tools.


@dataclass(frozen=True, slots=True)
class Checked:
    """A record that is sound: the kit of its game, its header in full, the match, and every step of it."""

    kit: Kit
    header: Header
    match: Match[Any, Any]
    steps: tuple[ReplayStep[MatchState[Any]], ...]


def kit_of(record: Record, games: Mapping[str, Kit]) -> Kit:
    """The kit of the game a record names. Raises BadNotation("game")."""
    name = record.header.fields["game"]
    if name.lower() not in games:
        raise BadNotation("game", record.header.places["game"], found=name, games=tuple(games))
    return games[name.lower()]


def read_checked(text: str, games: Mapping[str, Kit], language: Language) -> Checked:
    """A whole record, checked. Raises BadNotation or IllegalAction, with the place, and told in the language."""
    kit = match = None
    try:
        record = parse(text)
        kit = kit_of(record, games)
        header = kit.normalize(record.header)
        match = kit.match(header)
        try:
            return Checked(kit, header, match, tuple(replay(match, record)))
        except IllegalAction as error:
            if error.code != "turn" or match.opener != "loser":
                raise
            before = replace(match, loser_lost=False)  # a record of before ``Match.loser_lost`` was so
            with suppress(BadNotation, IllegalAction):
                return Checked(kit, header, before, tuple(replay(before, record)))
            raise
    except (BadNotation, IllegalAction) as error:
        error.told = explain(language, error, kit.words if kit else None, match.game if match else None)
        raise
