"""A kit is all a game brings to the house: rules from options, words, policies, its page of rules. Knows no game.

Here a header, which is text, becomes a match, which is checked.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from pubdice.core.dice import SIX, DieFaces, Hand, whole_number
from pubdice.core.errors import BadNotation
from pubdice.core.game import Game, KeepGame, Policy, Seat, TurnGame, uniform
from pubdice.match.formats import ROUNDS, Format, FormatKind, read_kind
from pubdice.match.header import BESIDE, Header, RawHeader, find_name, located
from pubdice.match.match import Match
from pubdice.solve.solver import Solver
from pubdice.text.catalogues import home_of, language, page
from pubdice.text.game_words import GameWords, PlainWords, give_home
from pubdice.text.language import Language, own_texts, sentence, stopped


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


def read_dice(flag: str, text: str, die: DieFaces = SIX) -> Hand:
    """Dice given with a flag, ``6,5,2`` or ``652``, as a sorted hand. Raises BadNotation."""
    faces = die.read(text, between=", ")
    if not faces or not all(part.strip() for part in text.split(",")):
        if not die.is_usual:
            raise BadNotation("flag-faces", found=text, flag=flag, shown=die.names)
        raise BadNotation("flag-dice", found=text, flag=flag)
    return tuple(sorted(faces))


def lazy(module: str, function: str) -> Callable[..., Any]:
    """A function of a module that is imported at the first call.

    A kit names so what needs numpy or is seldom asked for: ``pubdice --help`` and the first prompt of a game load none
    of it. No checker looks behind the names, so ``test_kit.py`` of the laws does.
    """
    return partial(_imported_call, module, function)


def _imported_call(module: str, function: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(import_module(module), function)(*args, **kwargs)


MOST_NUMBERS = 20
"""As many as a list given with a flag may have: no game seats more."""
MOST_ON_TILE = 3
"""Dice that have room above a game's name, six games to a phone's first screen."""
PERFECT = "perfect"
"""The bot that plays by the solver of the match."""
LUCKY = "lucky"
"""The bot that takes any legal action."""
GOAL_BOTS = ("steady", "cautious", "bold")
"""Bots that the house makes for every game of one turn a seat (``advice.bots``)."""
SOLVE = lazy("pubdice.solve.choose", "solve_match")
"""The solver of a kit that names none."""
HEADER = ("game", "seats", "format", "opener", "first")


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule of a game: its key, the choices as text, the default first, and its meaning in a line.

    meanings: of each choice, in a line. brief: a choice in two or three words, with ``{choice}`` in them, to stand in a
    row of rules; empty for the key and the choice. before: the choice by which the game was always played before it had
    this option; headers leave it out, so that records stay as they were, and with them the sealed dice that follow from
    a header.
    """

    key: str
    choices: tuple[str, ...]
    meaning: str
    meanings: tuple[str, ...] = ()
    brief: str = ""
    before: str = ""

    def read(self, text: str) -> str:
        """The choice a text names; numbers may be parted by commas, hyphens or spaces. Raises BadNotation.

        >>> Option("need", ("1 4", "2 4"), "").read("2,4")
        '2 4'
        """
        choice = " ".join(text.replace(",", " ").replace("-", " ").split())
        if choice not in self.choices:
            raise BadNotation("option", found=text, key=self.key, choices=self.choices)
        return choice

    def with_usual(self, choice: str) -> "Option":
        """The same option with this choice first, as the usual one."""
        at = self.choices.index(choice)

        def first(texts: tuple[str, ...]) -> tuple[str, ...]:
            return (*texts[at : at + 1], *texts[:at], *texts[at + 1 :])

        before = self.before if choice == self.before else ""
        return replace(self, choices=first(self.choices), meanings=first(self.meanings), before=before)


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of a question: its name without dashes, the placeholder of its value ("" for a switch), and its meaning.

    label: of its field on a page; "" for a flag that is left to the command line. choices: those of a field with a few,
    the usual one first, with what each means; () for a field to type into. group: the heading under which a page has
    the field with others; "" for those on top.
    """

    name: str
    value: str
    meaning: str
    label: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    group: str = ""


class Answer(Protocol):
    """An answer: a frozen value of numbers that says itself in a language, and gives its data to programs."""

    def sentences(self, language: Language) -> list[str]:
        """The answer in lines made to be heard."""

    def data(self) -> Any:
        """The answer as plain data, unrounded."""


@dataclass(frozen=True, slots=True)
class NumberedAnswer:
    """The form of most answers: numbers by name, as programs get them. Each kind says them in its own sentences."""

    numbers: Mapping[str, Any]

    def data(self) -> dict[str, Any]:
        """The numbers."""
        return dict(self.numbers)


Solve = Callable[..., Solver]
"""A match to its solver, and with ``folder``, where solutions are kept. Raises Unsolved or BadNotation."""
PriceNote = Callable[[Language, Format, int], str]
"""From a language, a format and a number of seats to a sentence on the prices of a rule's choices; "" for none."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question a solved game answers on the command line.

    answer: from the flags given, by name ("" for a switch), to an ``Answer``; raises BadNotation and Unsolved.
    """

    flags: tuple[Flag, ...]
    answer: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class RoundPosition:
    """The flags that describe a round under way, unless a round is one turn a seat, which the house reads itself.

    state: from the rules, the number of seats that play this round and the flags given to the state of the round at a
    decision. Raises BadNotation for a position that no round reaches.
    """

    flags: tuple[Flag, ...]
    state: Callable[[Any, int, Mapping[str, str]], Any]


@dataclass(frozen=True, slots=True, repr=False)
class Kit:
    """A game as the house knows it: its rules, words, formats, bots and solvers. It needs a name, rules and words.

    build: the rules with these options, by key. formats: the kinds it is played in, the default first. names: default
    names of its seats, as many as usually play. draws_from: the least number of seats at which Player 1 is drawn by lot
    unless somebody is named; 0 for never. policies: the bots' ways to play, by name, the default first. The house adds
    ``lucky``, who does anything, and in a game of one turn a seat ``GOAL_BOTS``, but for those named here. rules: reads
    the page of rules in a language, by its code, or else in English; the usual one is ``RULES.md`` in the game's
    folder, and where there is none, the game's line. thresholds: the scores that ``cautious`` and ``bold`` play for,
    where the game has better ones than the house finds.
    solver: solves a match of this game; the usual one is chosen by what the rules allow (``solve.choose``), and None
    says that the game is not solved. price: answers with prices of the game's own, in place of the house's
    (``advice.questions``), which answers all other questions. card_lines: lines to play by, for a game with its options
    (``advice.card.LineCard``); the house prices, tells and draws them. start_odds: the odds of a match before it
    begins, as plain data, where there is a quicker way than to solve it (of a race of six: eight numbers that are kept,
    in place of 68 million). tell_hands: how the keeps are said of a position that all its hands describe; None where
    only a record says it. most_solved: the most seats that are solved, by the name of a format; in formats that it does
    not name, as many as can play. position: how a round under way is told by flags. price_notes: by rule, the reason
    for prices that look wrong without it. joins: the day, as
    ``2026-12-01``, from which the game goes round in Last orders, so that earlier days ask what they asked; "" from the
    first. tile: up to three faces that stand for the game where one is chosen, as 2 and 1 do for Mexico; without them
    ``emblem`` finds some. All load what is heavy only when called.
    """

    name: str
    build: Callable[[Mapping[str, str]], Game[Any, Any]]
    words: GameWords
    options: tuple[Option, ...] = ()
    formats: tuple[FormatKind, ...] = (ROUNDS,)
    names: tuple[str, ...] = ("Ann", "Bob")
    draws_from: int = 0
    policies: Mapping[str, Policy[Any, Any]] = field(default_factory=dict)
    rules: Callable[[str], str] | None = None
    thresholds: Mapping[str, int] = field(default_factory=dict)
    solver: Solve | None = SOLVE
    price: Callable[..., Any] | None = None
    card_lines: Callable[[Any], Any] | None = None
    start_odds: Callable[..., dict[str, Any]] | None = None
    tell_hands: Callable[[Language, Mapping[str, Any]], list[str]] | None = None
    most_solved: Mapping[str, int] = field(default_factory=dict)
    position: RoundPosition | None = None
    price_notes: Mapping[str, PriceNote] = field(default_factory=dict)
    joins: str = ""
    tile: Hand = ()

    def __post_init__(self) -> None:
        give_home(self.words, home_of(type(self.usual_game).__module__))
        object.__setattr__(self, "options", tuple(own_texts(option, self.home) for option in self.options))
        if self.position is not None:
            flags = tuple(own_texts(flag, self.home) for flag in self.position.flags)
            object.__setattr__(self, "position", replace(self.position, flags=flags))
        if LUCKY not in self.policies:
            object.__setattr__(self, "policies", {**self.policies, LUCKY: uniform})
        if isinstance(self.usual_game, TurnGame):
            made = {
                name: partial(lazy("pubdice.advice.bots", "policy"), name, self.thresholds.get(name))
                for name in GOAL_BOTS
                if name not in self.policies
            }
            object.__setattr__(self, "policies", {**self.policies, **made})

    def __repr__(self) -> str:
        return f"Kit({self.name!r})"

    def page(self, code: str) -> str:
        """The page of rules in a language, by its code, or else in English."""
        if self.rules is not None:
            return self.rules(code)
        with suppress(FileNotFoundError, ModuleNotFoundError, ValueError):
            return page(self.home or type(self.usual_game).__module__.rpartition(".")[0], code)
        return stopped(sentence(language(code).say(self.words.tagline)))

    @property
    def emblem(self) -> Hand:
        """The faces that stand for the game where one is chosen, three at most.

        Its own; else those that a turn needs; else the highest ones, as many as the dice of the first roll.
        """
        game = self.usual_game
        faces = self.tile or self.words.red(game)
        if not faces:
            due = game.to_roll(game.start(max(1, game.least_seats)))
            faces = tuple(range(game.faces.sides, 0, -1))[: max(1, due)]
        return faces[:MOST_ON_TILE]

    @property
    def one_round(self) -> dict[str, str]:
        """The line of a header for a match of one round; none where the game has no rounds, as at 420."""
        return {"format": "rounds 1"} if "rounds" in [kind.name for kind in self.formats] else {}

    @property
    def home(self) -> str:
        """The package of the game, which its sentences are translated in; "" if its words name none."""
        return getattr(self.words, "home", "")

    def tongue(self, language: Language) -> Language:
        """A language as this game speaks it."""
        return language.own[self.home]

    @property
    def usual_game(self) -> Game[Any, Any]:
        """The rules with every option as it usually is."""
        return self.build({option.key: option.choices[0] for option in self.options})

    def with_usual(self, options: Mapping[str, str]) -> "Kit":
        """The same kit with these choices of its options as the usual ones."""
        return replace(
            self,
            options=tuple([each.with_usual(options.get(each.key, each.choices[0])) for each in self.options]),
        )

    @property
    def keeps_dice(self) -> bool:
        """True if its actions are keeps (``KeepGame``): then help tells how to choose dice."""
        return isinstance(self.usual_game, KeepGame)

    @property
    def tells_chances(self) -> bool:
        """True if it is solved, and its words say the mover's chances."""
        return self.solver is not None and getattr(type(self.words), "chance", None) is not PlainWords.chance

    def with_cache(self, folder: Path | None) -> "Kit":
        """The same kit, with its solutions kept in a folder."""
        return replace(
            self,
            solver=self.solver and partial(self.solver, folder=folder),
            start_odds=self.start_odds and partial(self.start_odds, folder=folder),
            price=self.price and partial(self.price, folder=folder),
        )

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots that can be asked for, the usual one first."""
        return (*self.policies, *([PERFECT] if self.solver else []))

    def check_bot(self, name: str) -> None:
        """Raise BadNotation("bot") for a name that no bot has."""
        if name not in self.bots:
            raise BadNotation("bot", found=name, bots=self.bots)

    def numbered(self, number: int) -> tuple[str, ...]:
        """The usual names of so many seats. Raises BadNotation("seats") where the game does not seat as many."""
        game = self.usual_game
        if not game.least_seats <= number <= game.most_seats:
            raise BadNotation("seats", found=number, least=game.least_seats, most=game.most_seats)
        return tuple([self.names[at] if at < len(self.names) else f"Seat {at + 1}" for at in range(number)])

    def normalize(self, header: RawHeader) -> Header:
        """The header in full: checked, in canonical spelling, defaults filled in. Raises BadNotation with its place.

        Proofs of sealed dice and names of duplicate nights are left out: they are about one whole record (``match``).
        """
        die = self.usual_game.faces
        keys = (*HEADER, *(option.key for option in self.options), *([] if die.is_usual else ["faces"]))
        given, names = header.fields, header.names
        for key in given:
            if key not in keys and key not in BESIDE:
                raise BadNotation("header-key", header.keys.get(key), found=key, key=key, keys=keys)
        fields = {"game": self.name}
        if not die.is_usual:
            fields["faces"] = die.describe()
            if given.get("faces", fields["faces"]) != fields["faces"]:
                raise BadNotation("faces-line", header.places.get("faces"), faces=fields["faces"])
        for option in self.options:
            with located(header, option.key):
                choice = option.read(given.get(option.key, option.choices[0]))
            if choice != option.before:
                fields[option.key] = choice
        game = self._built(fields)
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

    def format_rules(self, form: Format, language: Language) -> str:
        """A format of this game in a few words."""
        return form.words.rules(self.tongue(language))

    def price_note(self, rule: str, rules: Mapping[str, str], language: Language) -> str:
        """A sentence on the prices of a rule's choices, in the match that these flags describe; "" for none."""
        note = self.price_notes.get(rule)
        return note(self.tongue(language), self.format(rules["format"]), int(rules["seats"])) if note else ""

    def _built(self, fields: Mapping[str, str]) -> Game[Any, Any]:
        """The rules that a settled header names."""
        return self.build({**{option.key: option.before for option in self.options if option.before}, **fields})

    def match(self, settled: Header) -> Match[Any, Any]:
        """The match a settled header describes."""
        fields, names = settled.fields, settled.names
        form = self.format(fields["format"])
        first = None if fields["first"] == "draw" else Seat(names.index(fields["first"]))
        return Match(self._built(fields), len(names), form, fields.get("opener", form.openers[0]), first)
