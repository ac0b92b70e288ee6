"""A kit is a game's plug-in: its rules, options, words, policies (bots) and page of rules.

A kit also turns a header (text) into a checked match. This module knows no particular game. *The house* is the program
around the games: its tables, bots, pages and commands.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from pubdice.core.dice import MOST_SCORE_DIGITS, SIX, DieFaces, Hand, whole_number
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
    """Parse a whole number from ``least`` to ``most``, both included, from a flag. Raises
    BadNotation("flag-number").
    """
    number = whole_number(text)
    if number is None or not least <= number <= most:
        raise BadNotation("flag-number", found=text, flag=flag, least=least, most=most)
    return number


def read_numbers(flag: str, text: str) -> tuple[int, ...]:
    """Parse whole numbers from a flag. They are separated by commas or spaces, and each may have a sign.

    Raises BadNotation("flag-numbers") for any other text, for no number and for more than 20.

    >>> read_numbers("chips", "2, -3 +1")
    (2, -3, 1)
    """
    found: list[int] = []
    for word in text.replace("\N{MINUS SIGN}", "-").replace(",", " ").split():
        number = whole_number(word.removeprefix("-") if word[0] == "-" else word.removeprefix("+"), MOST_SCORE_DIGITS)
        if number is None:
            raise BadNotation("flag-numbers", found=text, flag=flag)
        found.append(-number if word[0] == "-" else number)
    if not found or len(found) > MOST_NUMBERS:
        raise BadNotation("flag-numbers", found=text, flag=flag)
    return tuple(found)


def read_dice(flag: str, text: str, die: DieFaces = SIX) -> Hand:
    """Parse dice from a flag, such as ``6,5,2`` or ``652``, as a sorted hand.

    Raises BadNotation: "flag-dice", or "flag-faces" for a die with other faces than 1 to 6.
    """
    faces = die.read(text, between=", ")
    if not faces or not all(part.strip() for part in text.split(",")):
        if not die.is_usual:
            raise BadNotation("flag-faces", found=text, flag=flag, shown=die.names)
        raise BadNotation("flag-dice", found=text, flag=flag)
    return tuple(sorted(faces))


def lazy(module: str, function: str) -> Callable[..., Any]:
    """Return a function that imports ``module`` at its first call, and then calls ``function`` there.

    Kits use it for functions that need numpy or are seldom called, so ``pubdice --help`` and a game's first prompt
    import neither. A type checker cannot check names in strings. ``test_kit.py`` checks them. It is one of the laws,
    the tests that every game must pass.
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
    choices: tuple[str, ...]  # the choices as text; the first one is the default
    meaning: str
    meanings: tuple[str, ...] = ()  # for each choice, its meaning in one line
    brief: str = ""  # two or three words with ``{choice}``, for a list of rules; "" for the key and the choice
    before: str = ""
    """The choice of every match older than this option. Headers leave it out, as a changed header would change old
    records and the sealed dice that follow from them."""
    words: str = ""
    """The words among its choices, as one sentence such as "no, yes". A translation has as many words, in the same
    order. It is shown and typed in the terminal, beside the English words (``typed_rules``)."""
    more: tuple[str, ...] = ()
    """Further choices. People may name them, but lists of rules, prices and figures have only ``choices``."""
    form: str = ""
    """The form of the further choices in a few words. It stands for them in a refusal and in help."""

    def told(self, choice: str) -> str:
        """Return the meaning of a choice. If it has none, return the choice."""
        return dict(zip(self.choices, self.meanings, strict=False)).get(choice, choice)

    def read(self, text: str) -> str:
        """Parse a choice. Commas, hyphens or spaces may stand between its words, in any order. Raises
        BadNotation("option").

        >>> Option("need", ("1 4", "2 4"), "").read("4,2")
        '2 4'
        """
        words, known = text.replace(",", " ").replace("-", " ").split(), (*self.choices, *self.more)
        choice = " ".join(words)
        if choice in known:
            return choice
        found = [each for each in known if sorted(each.split()) == sorted(words)]
        if len(found) != 1:
            offered = (*self.choices, self.form) if self.form else known
            raise BadNotation("option", found=text, key=self.key, choices=offered)
        return found[0]

    def with_usual(self, choice: str) -> "Option":
        """Return the same option with ``choice`` as its default."""
        if choice in self.more:
            return replace(self, choices=(choice, *self.choices), meanings=(choice, *self.meanings), before="")
        at = self.choices.index(choice)

        def first(texts: tuple[str, ...]) -> tuple[str, ...]:
            return (*texts[at : at + 1], *texts[:at], *texts[at + 1 :])

        before = self.before if choice == self.before else ""
        return replace(self, choices=first(self.choices), meanings=first(self.meanings), before=before)


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of a question to a solved game, on the command line and as a field of a page."""

    name: str  # without dashes
    value: str  # the placeholder of its value on the help page; "" for a switch
    meaning: str
    label: str = ""  # the label of its field on a page; "" for a flag that pages lack
    # (choice, meaning) if the field offers a few choices; the first one is the default
    choices: tuple[tuple[str, str], ...] = ()
    group: str = ""  # the heading above its field on a page; "" if the field stands above all headings


class Answer(Protocol):
    """An answer to a question. It gives its numbers to people in sentences, and to programs as data."""

    def sentences(self, language: Language) -> list[str]:
        """Return the answer in lines that sound right read aloud."""

    def data(self) -> Any:
        """Return the answer as plain data (for JSON), with unrounded numbers."""


@dataclass(frozen=True, slots=True)
class NumberedAnswer:
    """The base class of most answers: numbers by name. A subclass puts them into sentences."""

    numbers: Mapping[str, Any]

    def data(self) -> dict[str, Any]:
        """Return the numbers by name."""
        return dict(self.numbers)


Solve = Callable[..., Solver]
"""A function from a match to its solver. Its argument ``folder`` is the folder for stored solutions. Raises Unsolved or
BadNotation."""
PriceNote = Callable[[Language, Format, int], str]
"""A function from a language, a format and a number of seats to a note on the prices of a house rule, or to ""."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a solved game. The command line and pages ask it."""

    flags: tuple[Flag, ...]
    answer: Callable[..., Any]
    """A function from the given flags, by name, to an ``Answer``. A switch has the value "". Raises BadNotation and
    Unsolved."""
    lines: Callable[[Mapping[str, str], Language], Iterable[str]] | None = None
    """A function from the given flags and a language to the answer's sentences, each as soon as it is known. None if
    the answer is quick."""


@dataclass(frozen=True, slots=True)
class RoundPosition:
    """The flags that describe a position within a round.

    Games with one turn a seat need no such flags, because the house has flags for all of them.
    """

    flags: tuple[Flag, ...]
    state: Callable[[Any, int, Mapping[str, str]], Any]
    """A function from the rules, the number of seats and the flags to the state of the round, which is at a decision.

    Raises BadNotation for a position that no play can reach."""


@dataclass(frozen=True, slots=True, repr=False)
class Kit:
    """A game's plug-in. It needs a name, rules and words. All other fields have defaults.

    A field that needs a slow module imports it only when it is called.
    """

    name: str
    build: Callable[[Mapping[str, str]], Game[Any, Any]]  # makes the rules from the options' choices by key
    words: GameWords
    options: tuple[Option, ...] = ()
    formats: tuple[FormatKind, ...] = (ROUNDS,)  # the first one is the default
    names: tuple[str, ...] = ("Ann", "Bob")  # default names of the seats; their number is the usual number of players
    draws_from: int = 0
    """The number of seats from which Player 1 is drawn by lot, unless the header names one. 0 if a lot is never
    drawn."""
    policies: Mapping[str, Policy[Any, Any]] = field(default_factory=dict)
    """The bots' policies by name. The first one is the usual bot.

    The house adds ``lucky``, and ``GOAL_BOTS`` in games with one turn a seat. A policy of the same name here replaces
    the house's."""
    rules: Callable[[str], str] | None = None
    """A function from a language's code to the page of rules, in English if the page is not translated.

    None reads ``RULES.md`` in the game's folder. If that file does not exist, the page is the game's tagline."""
    thresholds: Mapping[str, int] = field(default_factory=dict)
    """The scores that the bots ``cautious`` and ``bold`` play for. A bot without an entry gets one that the house works
    out."""
    solver: Solve | None = SOLVE
    """A function that solves a match. By default ``solve.choose`` picks the solver that the rules allow. None if the
    game is not solved."""
    price: Callable[..., Any] | None = None
    """Answers the question ``price`` (the price of each house rule), instead of ``advice.questions``."""
    price_lines: Callable[..., Iterable[str]] | None = None
    """Yields the sentences of ``price`` one at a time (``Question.lines``)."""
    card_lines: Callable[[Any], Any] | None = None
    """A function from the rules to the lines of best play on a card (``advice.card.LineCard``). The house prices and
    draws them."""
    start_odds: Callable[..., dict[str, Any]] | None = None
    """A function that gives the odds of a match before its first roll, as plain data, faster than the solver.

    For a race of six players at 420, eight stored numbers replace 68 million values."""
    tell_hands: Callable[[Language, Mapping[str, Any]], list[str]] | None = None
    """A function that puts advice on a position into sentences, if the position was described by its hands.

    None if only a record can describe a position of this game."""
    most_solved: Mapping[str, int] = field(default_factory=dict)
    """For a format by name, the most seats for which it is solved. A format without an entry has no such limit."""
    position: RoundPosition | None = None  # the flags for a position within a round
    price_notes: Mapping[str, PriceNote] = field(default_factory=dict)
    """For a house rule by key, a function that gives the reason for its prices, if they look wrong without one."""
    joins: str = ""
    """The date, such as ``2026-12-01``, on which the game joined Last orders (the daily position). "" if it was there
    from the start.

    Earlier days have no position of this game, so their positions stay the same."""
    # up to three faces drawn for the game in a menu, as 2 1 for Mexico; if empty, ``emblem`` picks them
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
        """Return the page of rules in the language with this code, or in English if it is not translated.

        If the game has no page, return its tagline.
        """
        if self.rules is not None:
            return self.rules(code)
        with suppress(FileNotFoundError, ModuleNotFoundError, ValueError):
            return page(self.home or type(self.usual_game).__module__.rpartition(".")[0], code)
        return stopped(sentence(language(code).say(self.words.tagline)))

    @property
    def emblem(self) -> Hand:
        """The faces drawn for the game in a menu, at most three.

        They are ``tile``. If that is empty, they are the faces that a turn needs. If a turn needs none, they are the
        highest faces, one for each die of the first roll.
        """
        game = self.usual_game
        faces = self.tile or self.words.red(game)
        if not faces:
            due = game.to_roll(game.start(max(1, game.least_seats)))
            faces = tuple(range(game.faces.sides, 0, -1))[: max(1, due)]
        return faces[:MOST_ON_TILE]

    @property
    def one_round(self) -> dict[str, str]:
        """The header fields of a match of one round. Empty if the game has no format "rounds", as 420."""
        return {"format": "rounds 1"} if "rounds" in [kind.name for kind in self.formats] else {}

    @property
    def home(self) -> str:
        """The package of the game, such as "pubdice.games.mexico". Its folder has the translations. "" if the words
        name none.
        """
        return getattr(self.words, "home", "")

    def tongue(self, language: Language) -> Language:
        """Return the language as this game speaks it: its own catalogue is looked up before the house's."""
        return language.own[self.home]

    @property
    def usual_game(self) -> Game[Any, Any]:
        """The rules with default options."""
        return self.build({option.key: option.choices[0] for option in self.options})

    def with_usual(self, options: Mapping[str, str]) -> "Kit":
        """Return the same kit with these choices as the defaults of its options. ``options`` has a choice by an
        option's key.
        """
        return replace(
            self,
            options=tuple([each.with_usual(options.get(each.key, each.choices[0])) for each in self.options]),
        )

    @property
    def keeps_dice(self) -> bool:
        """True if the game's actions are keeps (``KeepGame``), so help explains how to choose dice."""
        return isinstance(self.usual_game, KeepGame)

    @property
    def tells_chances(self) -> bool:
        """True if the game is solved and its words have a sentence for the mover's chances."""
        return self.solver is not None and getattr(type(self.words), "chance", None) is not PlainWords.chance

    def with_cache(self, folder: Path | None) -> "Kit":
        """Return the same kit with ``folder`` as the place for stored solutions."""
        return replace(
            self,
            solver=self.solver and partial(self.solver, folder=folder),
            start_odds=self.start_odds and partial(self.start_odds, folder=folder),
            price=self.price and partial(self.price, folder=folder),
            price_lines=self.price_lines and partial(self.price_lines, folder=folder),
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
        """Raise BadNotation("option-game"), or "no-options", if a key is no house rule of the game."""
        known = tuple(option.key for option in self.options)
        for key in keys:
            if key not in known:
                if not known:
                    raise BadNotation("no-options", key=key, title=self.words.title)
                raise BadNotation("option-game", key=key, title=self.words.title, options=known)

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
        """Return default names for a number of seats. Raises BadNotation("seats") if the game does not allow that
        number.
        """
        game = self.usual_game
        if not game.least_seats <= number <= game.most_seats:
            raise BadNotation("seats", found=number, least=game.least_seats, most=game.most_seats)
        return tuple([self.names[at] if at < len(self.names) else f"Seat {at + 1}" for at in range(number)])

    def normalize(self, header: RawHeader) -> Header:
        """Check a header, write each value in its canonical form and fill in defaults. Raises BadNotation with its
        place.

        The result has no proof of sealed dice and no name of a duplicate night, because they belong to a whole record.
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
        """Return a short description of a format of this game."""
        return form.words.rules(self.tongue(language))

    def price_note(self, rule: str, rules: Mapping[str, str], language: Language) -> str:
        """Return a note on the prices of a house rule, in the match that the flags ``rules`` describe, or ""."""
        note = self.price_notes.get(rule)
        return note(self.tongue(language), self.format(rules["format"]), int(rules["seats"])) if note else ""

    def _built(self, fields: Mapping[str, str]) -> Game[Any, Any]:
        return self.build({**{option.key: option.before for option in self.options if option.before}, **fields})

    def match(self, settled: Header) -> Match[Any, Any]:
        """Return the match of a normalized header."""
        fields, names = settled.fields, settled.names
        form = self.format(fields["format"])
        first = None if fields["first"] == "draw" else Seat(names.index(fields["first"]))
        return Match(self._built(fields), len(names), form, fields.get("opener", form.openers[0]), first)
