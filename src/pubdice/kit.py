"""A kit is a game's plug-in: its rules, options, words, policies and page of rules. This module names no game.

A kit also turns a header (text) into a checked match.
"""

from collections.abc import Callable, Iterable, Mapping
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
    """Parse a whole number from a flag. Raises BadNotation."""
    number = whole_number(text)
    if number is None or not least <= number <= most:
        raise BadNotation("flag-number", found=text, flag=flag, least=least, most=most)
    return number


def read_numbers(flag: str, text: str) -> tuple[int, ...]:
    """Parse whole numbers from a flag, separated by commas or spaces. Each may have a sign. Raises
    BadNotation("flag-numbers").

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
    """Parse dice from a flag, ``6,5,2`` or ``652``, as a sorted hand. Raises BadNotation."""
    faces = die.read(text, between=", ")
    if not faces or not all(part.strip() for part in text.split(",")):
        if not die.is_usual:
            raise BadNotation("flag-faces", found=text, flag=flag, shown=die.names)
        raise BadNotation("flag-dice", found=text, flag=flag)
    return tuple(sorted(faces))


def lazy(module: str, function: str) -> Callable[..., Any]:
    """A function whose module is imported at its first call.

    Kits use it for functions that need numpy or are seldom called. So ``pubdice --help`` and a game's first prompt load
    none of them. A type checker cannot see through the names, so ``test_kit.py`` of the laws checks them.
    """
    return partial(_imported_call, module, function)


def _imported_call(module: str, function: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(import_module(module), function)(*args, **kwargs)


MOST_NUMBERS = 20  # as many as any game has seats
MOST_ON_TILE = 3  # with three dice above its name, six games fit on a phone's first screen
PERFECT = "perfect"  # plays by the match's solver
LUCKY = "lucky"  # takes any legal action
GOAL_BOTS = ("steady", "cautious", "bold")  # of every game of one turn a seat (``advice.bots``)
BOT = "bot"  # as a player, the usual bot; before a colon, any bot
SOLVE = lazy("pubdice.solve.choose", "solve_match")  # the default of a kit
HEADER = ("game", "seats", "format", "opener", "first")


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule of a game."""

    key: str
    choices: tuple[str, ...]  # as text, the default first
    meaning: str
    meanings: tuple[str, ...] = ()  # of each choice, in a line
    brief: str = ""  # two or three words with ``{choice}``, for a row of rules; empty for key and choice
    before: str = ""
    """The choice of every match older than this option. Headers leave it out, as a changed header would change old
    records and the sealed dice that follow from them."""
    words: str = ""
    """The words among its choices, as one sentence such as "no, yes". A translation has as many words, in the same
    order. It is shown and typed in the terminal, beside the English words (``typed_rules``)."""

    def read(self, text: str) -> str:
        """Parse a choice, with commas, hyphens or spaces between its numbers. Raises BadNotation.

        >>> Option("need", ("1 4", "2 4"), "").read("2,4")
        '2 4'
        """
        choice = " ".join(text.replace(",", " ").replace("-", " ").split())
        if choice not in self.choices:
            raise BadNotation("option", found=text, key=self.key, choices=self.choices)
        return choice

    def with_usual(self, choice: str) -> "Option":
        """The same option with this choice first, as its default."""
        at = self.choices.index(choice)

        def first(texts: tuple[str, ...]) -> tuple[str, ...]:
            return (*texts[at : at + 1], *texts[:at], *texts[at + 1 :])

        before = self.before if choice == self.before else ""
        return replace(self, choices=first(self.choices), meanings=first(self.meanings), before=before)


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of a question."""

    name: str  # without dashes
    value: str  # the placeholder of its value; "" for a switch
    meaning: str
    label: str = ""  # of its field on a page; "" if only the command line has the flag
    choices: tuple[tuple[str, str], ...] = ()  # (choice, meaning) for a field with few choices, the default first
    group: str = ""  # the heading above its field on a page; "" for the fields on top


class Answer(Protocol):
    """An answer: a frozen value that puts its numbers into sentences, and gives them to programs as data."""

    def sentences(self, language: Language) -> list[str]:
        """The answer in lines that read well aloud."""

    def data(self) -> Any:
        """The answer as plain data, unrounded."""


@dataclass(frozen=True, slots=True)
class NumberedAnswer:
    """The base of most answers: numbers by name. Each subclass has its own sentences for them."""

    numbers: Mapping[str, Any]

    def data(self) -> dict[str, Any]:
        """The numbers."""
        return dict(self.numbers)


Solve = Callable[..., Solver]
"""From a match to its solver. ``folder`` is the folder of kept solutions. Raises Unsolved or BadNotation."""
PriceNote = Callable[[Language, Format, int], str]
"""From a language, a format and a number of seats to a sentence on the prices of a rule's choices, or ""."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a solved game, for the command line and pages."""

    flags: tuple[Flag, ...]
    answer: Callable[..., Any]
    """From the flags given, by name ("" for a switch), to an ``Answer``. Raises BadNotation and Unsolved."""


@dataclass(frozen=True, slots=True)
class RoundPosition:
    """The flags that describe a round under way. Games of one turn a seat need none: the house has flags for them."""

    flags: tuple[Flag, ...]
    state: Callable[[Any, int, Mapping[str, str]], Any]
    """From the rules, the number of seats in the round and the flags to the state, at a decision. Raises BadNotation
    for a position that no round reaches."""


@dataclass(frozen=True, slots=True, repr=False)
class Kit:
    """A game's plug-in for the house. It needs a name, rules and words. Everything else has a default.

    Fields load heavy modules only when they are called.
    """

    name: str
    build: Callable[[Mapping[str, str]], Game[Any, Any]]  # from options, by key, to the rules
    words: GameWords
    options: tuple[Option, ...] = ()
    formats: tuple[FormatKind, ...] = (ROUNDS,)  # the default first
    names: tuple[str, ...] = ("Ann", "Bob")  # default names of seats, as many as usually play
    draws_from: int = 0
    """From this number of seats on, Player 1 is drawn by lot, unless the header names one. 0 for never."""
    policies: Mapping[str, Policy[Any, Any]] = field(default_factory=dict)
    """The bots' policies by name, the default first. The house adds ``lucky`` and, in games of one turn a seat,
    ``GOAL_BOTS``. Policies named here take precedence."""
    rules: Callable[[str], str] | None = None
    """From a language's code to the page of rules, in English if there is no translation. The default reads
    ``RULES.md`` in the game's folder, and without that file returns the tagline."""
    thresholds: Mapping[str, int] = field(default_factory=dict)
    """Scores that ``cautious`` and ``bold`` play for, if the game has better ones than the house finds."""
    solver: Solve | None = SOLVE
    """Solves a match. The default picks a solver by the rules (``solve.choose``). None if the game is not solved."""
    price: Callable[..., Any] | None = None
    """Answers the question ``price`` in place of the house (``advice.questions``)."""
    card_lines: Callable[[Any], Any] | None = None
    """From the rules to the lines of the card (``advice.card.LineCard``). The house prices, tells and draws them."""
    start_odds: Callable[..., dict[str, Any]] | None = None
    """The odds of a match before it begins, as plain data, if there is a quicker way than the solver. For a race of six
    at 420 eight stored numbers replace 68 million values."""
    tell_hands: Callable[[Language, Mapping[str, Any]], list[str]] | None = None
    """Tells the keeps of a position that hands describe. None if only a record can describe a position."""
    most_solved: Mapping[str, int] = field(default_factory=dict)
    """By format, the most seats that are solved; other formats have no such limit."""
    position: RoundPosition | None = None  # describes a round under way by flags
    price_notes: Mapping[str, PriceNote] = field(default_factory=dict)
    """By rule, the reason for prices that look wrong without it."""
    joins: str = ""
    """The date, such as ``2026-12-01``, from which the game takes part in Last orders. Earlier days keep their
    questions. "" if it always took part."""
    tile: Hand = ()  # up to three faces that stand for the game, as 2 1 for Mexico; if empty, see ``emblem``

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
        """The page of rules in the language with that code, or in English."""
        if self.rules is not None:
            return self.rules(code)
        with suppress(FileNotFoundError, ModuleNotFoundError, ValueError):
            return page(self.home or type(self.usual_game).__module__.rpartition(".")[0], code)
        return stopped(sentence(language(code).say(self.words.tagline)))

    @property
    def emblem(self) -> Hand:
        """The faces that stand for the game in a menu, three at most.

        They are ``tile``, or else the faces that a turn needs, or else the highest ones, as many as the dice of the
        first roll.
        """
        game = self.usual_game
        faces = self.tile or self.words.red(game)
        if not faces:
            due = game.to_roll(game.start(max(1, game.least_seats)))
            faces = tuple(range(game.faces.sides, 0, -1))[: max(1, due)]
        return faces[:MOST_ON_TILE]

    @property
    def one_round(self) -> dict[str, str]:
        """The header fields of a match of one round. Empty if the game has no rounds, as 420."""
        return {"format": "rounds 1"} if "rounds" in [kind.name for kind in self.formats] else {}

    @property
    def home(self) -> str:
        """The package of the game, in which its sentences are translated. "" if its words name none."""
        return getattr(self.words, "home", "")

    def tongue(self, language: Language) -> Language:
        """A language with this game's own sentences first."""
        return language.own[self.home]

    @property
    def usual_game(self) -> Game[Any, Any]:
        """The rules with default options."""
        return self.build({option.key: option.choices[0] for option in self.options})

    def with_usual(self, options: Mapping[str, str]) -> "Kit":
        """The same kit with these choices as default options."""
        return replace(
            self,
            options=tuple([each.with_usual(options.get(each.key, each.choices[0])) for each in self.options]),
        )

    @property
    def keeps_dice(self) -> bool:
        """True if actions are keeps (``KeepGame``). Then help explains how to choose dice."""
        return isinstance(self.usual_game, KeepGame)

    @property
    def tells_chances(self) -> bool:
        """True if the game is solved and its words tell the mover's chances."""
        return self.solver is not None and getattr(type(self.words), "chance", None) is not PlainWords.chance

    def with_cache(self, folder: Path | None) -> "Kit":
        """The same kit with a folder for its solutions."""
        return replace(
            self,
            solver=self.solver and partial(self.solver, folder=folder),
            start_odds=self.start_odds and partial(self.start_odds, folder=folder),
            price=self.price and partial(self.price, folder=folder),
        )

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of all bots, the default first."""
        return (*self.policies, *([PERFECT] if self.solver else []))

    def check_bot(self, name: str) -> None:
        """Raise BadNotation("bot") if no bot has that name."""
        if name not in self.bots:
            raise BadNotation("bot", found=name, bots=self.bots)

    def check_options(self, keys: Iterable[str]) -> None:
        """Raises BadNotation("option-game" or "no-options") for a key that is no house rule of the game."""
        known = tuple(option.key for option in self.options)
        for key in keys:
            if key not in known:
                code = "option-game" if known else "no-options"
                raise BadNotation(code, key=key, title=self.words.title, options=known)

    def read_bot(self, text: str) -> str:
        """The name of the bot that a text names: ``bot`` (the usual one), ``bot:tip`` or ``tip``. Raises
        BadNotation("bot").
        """
        kind, colon, which = text.partition(":")
        name = text.strip()
        if kind.strip().lower() == BOT:
            name = which.strip() if colon else next(iter(self.policies))
        if name.lower() not in self.bots:
            raise BadNotation("bot", found=name, bots=self.bots)
        return name.lower()

    def numbered(self, number: int) -> tuple[str, ...]:
        """The default names of so many seats. Raises BadNotation("seats") if the game does not seat that many."""
        game = self.usual_game
        if not game.least_seats <= number <= game.most_seats:
            raise BadNotation("seats", found=number, least=game.least_seats, most=game.most_seats)
        return tuple([self.names[at] if at < len(self.names) else f"Seat {at + 1}" for at in range(number)])

    def normalize(self, header: RawHeader) -> Header:
        """Check a header, spell it canonically and fill in defaults. Raises BadNotation with its place.

        It drops proofs of sealed dice and names of duplicate nights, as they belong to a whole record.
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
        """Parse a format of this game. Raises BadNotation."""
        found = read_kind(text, self.formats)
        if found is None:
            raise BadNotation("format-game", found=text, formats=tuple(kind.usual.write() for kind in self.formats))
        return found

    def format_rules(self, form: Format, language: Language) -> str:
        """A format of this game in a few words."""
        return form.words.rules(self.tongue(language))

    def price_note(self, rule: str, rules: Mapping[str, str], language: Language) -> str:
        """A sentence on the prices of a rule's choices, in the match that these flags describe, or ""."""
        note = self.price_notes.get(rule)
        return note(self.tongue(language), self.format(rules["format"]), int(rules["seats"])) if note else ""

    def _built(self, fields: Mapping[str, str]) -> Game[Any, Any]:
        return self.build({**{option.key: option.before for option in self.options if option.before}, **fields})

    def match(self, settled: Header) -> Match[Any, Any]:
        """The match of a normalized header."""
        fields, names = settled.fields, settled.names
        form = self.format(fields["format"])
        first = None if fields["first"] == "draw" else Seat(names.index(fields["first"]))
        return Match(self._built(fields), len(names), form, fields.get("opener", form.openers[0]), first)
