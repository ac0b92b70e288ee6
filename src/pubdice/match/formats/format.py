"""What a format is: how rounds make a match, and what is said and shown of it. Knows no dice and no game.

A format is a frozen object that holds its numbers. Everything the house wants to know of it is a question it answers
here, so a new format is one module that a kit names (``Kit.formats``): nobody asks for a format's type. Its kind is how
people choose it: the name, the numbers it asks for, and how it is read from text.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Protocol

from pubdice.core.errors import BadNotation
from pubdice.core.frozen import quick
from pubdice.core.game import Result, Seat
from pubdice.core.whole_number import whole_number
from pubdice.text.language import Language

# Units of an evening's tally: what the matches of a format add to, counted beside the matches won.


ROW_KEYS = ("name", "people", "wins")
"""What a row of the tally has besides its units, by key in a log, so no unit is called so."""
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,15}", re.ASCII)


def is_unit_key(text: str) -> bool:
    """Whether a unit may have this key: up to 16 of ``a-z 0-9 - _``, a letter first, and none of ``ROW_KEYS``.

    >>> is_unit_key("pints"), is_unit_key("Pints"), is_unit_key("wins")
    (True, False, False)
    """
    return _KEY.fullmatch(text) is not None and text not in ROW_KEYS


@dataclass(frozen=True, slots=True)
class Unit:
    """What a match adds to an evening's tally.

    key: its name in logs and for programs, kept permanently; formats that share a key add to one column. told: an
    amount of it as pages show it beside the matches won, such as "3 pints"; None if it is counted and not shown.
    label: what heads a column of amounts on the evening's page, in English; "" if it has none there. owed: a sentence
    that somebody pays for so much of it at the end of the evening. lost: that people, named, have the least of it, less
    than nothing, and buy.
    Raises ValueError for a key that ``is_unit_key`` refuses.
    """

    key: str
    told: Callable[[Language, int], str] | None = None
    label: str = ""
    owed: Callable[[Language, str, int], str] | None = None
    lost: Callable[[Language, Sequence[str], int], str] | None = None

    def __post_init__(self) -> None:
        if not is_unit_key(self.key):
            raise ValueError(f"no key of a unit: {self.key!r}")


# What a match has come to: plain numbers, which every format reads in its own way. Knows no game.


@cache
def _seats(number: int) -> tuple[Seat, ...]:
    """Every seat of so many."""
    return tuple(map(Seat, range(number)))


@quick
@dataclass(frozen=True, slots=True)
class Tally:
    """What a match has come to: rounds finished, each seat's points, chips in the pot, who has dropped out, in order.

    Points are round wins, or chips won and lost, or 1 for a seat that left as a winner, as the format has it.
    resting: the seats that sit out the next round only, by seat, while others play a tie off.
    """

    rounds: int
    points: tuple[int, ...]
    pot: int = 0
    out: tuple[Seat, ...] = ()
    resting: tuple[Seat, ...] = ()

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """Every seat with the most points."""
        best = max(self.points)
        return tuple(Seat(seat) for seat, points in enumerate(self.points) if points == best)

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """The seats that have not dropped out, by seat."""
        seats = _seats(len(self.points))
        return tuple([seat for seat in seats if seat not in self.out]) if self.out else seats

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that play the next round, by seat."""
        return tuple([seat for seat in self.still_in if seat not in self.resting]) if self.resting else self.still_in

    def credit(self, winners: tuple[Seat, ...]) -> "Tally":
        """One round more, with a point for each winner."""
        points = tuple([have + (seat in winners) for seat, have in enumerate(self.points)])
        return Tally(self.rounds + 1, points, self.pot, self.out)


# How a match under way is told by a few numbers: each format says which it takes, and makes its tally of them.


StandingNumbers = Mapping[str, tuple[int, ...]]
"""The numbers given, by the key of their field."""


@dataclass(frozen=True, slots=True)
class StandingField:
    """One thing to say of a match under way.

    key: its flag without dashes, and its name in a form. label: what people read beside it. meaning: a line of help.
    takes: "each" is a number for each seat, in turn order from the seat that opened this round; "number" one number;
    "seats" the numbers of some seats, from 1 in that order.
    """

    key: str
    label: str
    meaning: str
    takes: Literal["each", "number", "seats"]


ROUND = StandingField("round", "Which round", "which round is played, from 1", "number")
"""The number of the round under way, for formats that plan how many there are."""


@dataclass(frozen=True, slots=True)
class StandingForm:
    """What a format asks for to know how a match stands, and the tally that follows.

    tally: from the format, the number of seats and what is given, which is never nothing, to the tally of the round
    under way, its stakes paid; seat 0 opened this round. Raises BadNotation for what no match comes to.
    """

    fields: tuple[StandingField, ...]
    tally: Callable[[Any, int, StandingNumbers], Tally]


def round_number(given: StandingNumbers, most: int) -> int:
    """The round under way, which has to be said. Raises BadNotation: "flag-missing" or "flag-number"."""
    if ROUND.key not in given:
        raise BadNotation("flag-missing", flag=ROUND.key)
    (number,) = given[ROUND.key]
    if not 1 <= number <= most:
        raise BadNotation("flag-number", flag=ROUND.key, found=number, least=1, most=most)
    return number


def for_each(given: StandingNumbers, key: str, usual: tuple[int, ...], least: int, most: int) -> tuple[int, ...]:
    """A number for each seat within bounds, the usual ones if none are given; () where they have to be.

    Raises BadNotation: "standing-number" or "flag-missing".
    """
    numbers = given.get(key, usual)
    if not numbers:
        raise BadNotation("flag-missing", flag=key)
    if not all(least <= number <= most for number in numbers):
        raise BadNotation("standing-number", flag=key, found=numbers, least=least, most=most)
    return numbers


OPENERS = ("rotate", "fixed", "winner", "loser")
"""Who may open the next round; see ``Match``."""


class Format(Protocol):
    """How rounds make a match."""

    @property
    def kind(self) -> "FormatKind":
        """The format's kind: its name, and the numbers that a form asks for."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Its numbers, in the order of the kind's fields."""

    @property
    def words(self) -> "FormatWords":
        """The sentences for this format."""

    @property
    def openers(self) -> tuple[str, ...]:
        """The opener rules that the format allows."""

    @property
    def draws_first(self) -> bool:
        """True if Player 1 is drawn by lot unless somebody is named."""

    @property
    def prize(self) -> str:
        """What the seats play for, as a solver needs to know it.

        "round wins": one to every winner of each of ``rounds_planned`` rounds, and the most win. "chips": all stake
        ``stake`` a round, a sole winner takes the pot, else it stays in. "the round": there is only one. "leaving": a
        round's winners leave, and the last one left loses. For any other prize give it a name of its own: a solver
        that does not know it raises ``Unsolved("format")``.
        """

    @property
    def stake(self) -> int:
        """Chips every seat stakes in a round; 0 where there are none."""

    @property
    def rounds_planned(self) -> int:
        """The number of rounds that a match is set up for; 0 if the play decides."""

    @property
    def is_one_round(self) -> bool:
        """True if there is exactly one round."""

    def start(self, seats: int) -> Tally:
        """The tally before the first round."""

    def open(self, tally: Tally) -> Tally:
        """The tally as a round begins: stakes are paid here."""

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """The tally after a round.

        result: in table seats; seats that were out have score 0. order: the seats that played it, in turn order, the
        opener first. Where several drop out together, put them in this order: then a match looks the same from
        every chair.
        """

    def over(self, tally: Tally) -> bool:
        """True when no further round is played."""

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """The winners of a match that is over with this tally; several share it."""

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """How much each seat takes from a match into an evening's tally, in the kind's ``unit``; not asked without."""

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """Who owes what, by name, as plain data for programs; ``FormatWords.standing`` has the slate in words."""

    def write(self) -> str:
        """The format as notation."""


class Audience(Protocol):
    """Who hears of a match: their language, and what they call its seats."""

    @property
    def language(self) -> Language:
        """The language they hear."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all seats."""

    def name(self, seat: int) -> str:
        """A seat's name; empty for the listener's own."""

    def listed(self, seats: Iterable[int]) -> str:
        """Seats in a row, as in "Ann, Bob and you"."""

    def score(self, score: int) -> str:
        """A turn's score, as the game calls it."""


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """A round that has ended: its number, its result and order as ``Format.settle`` has them, the tally on each side.

    before: as the round was played, stakes paid. after: settled.
    """

    number: int
    result: Result
    order: tuple[Seat, ...]
    before: Tally
    after: Tally


class FormatWords(Protocol):
    """A format's sentences; the listener is "you" in them."""

    def rules(self, language: Language) -> str:
        """The format in a few words."""

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """The lines for a round that begins: its number, where there may be more than one."""

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """The lines for a round that has ended; none where ``ending`` says the same."""

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """The slate in words, where there is something to compare. last: how the last round ended."""

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """How the match ended, once it is over: first who wins, then who owes what. last: as for ``standing``."""

    def beside(self, tally: Tally, seat: Seat) -> str:
        """A seat's part of the slate in a few characters, to stand beside its name; empty for nothing."""


@dataclass(frozen=True, slots=True)
class FormatField:
    """A number that a format asks for.

    key: its name in a form. label: what people read beside it. least, most: its bounds. usual: its value if left out.
    control: "choice" offers the numbers up to ``offered``, "number" is typed. word: stands before it in notation.
    """

    key: str
    label: str
    least: int
    most: int
    usual: int
    control: Literal["choice", "number"] = "number"
    offered: int = 0
    word: str = ""

    @property
    def choices(self) -> range:
        """The numbers a choice offers."""
        return range(self.least, min(self.most, self.offered) + 1)

    def read(self, text: str) -> int:
        """The number that a text writes. Raises BadNotation."""
        number = whole_number(text)
        if number is None or not self.least <= number <= self.most:
            raise BadNotation("format-number", found=text, least=self.least, most=self.most)
        return number


@dataclass(frozen=True, slots=True)
class FormatKind:
    """A kind of format: its name in notation, its label and what it means in a line, its numbers, how it is built.

    unit: what its matches add to an evening's tally; None for nothing. standing: how a match under way is told; None
    where nothing but who is still in counts for what follows.
    """

    name: str
    label: str
    meaning: str
    build: Callable[..., Format]
    fields: tuple[FormatField, ...] = ()
    unit: Unit | None = None
    standing: StandingForm | None = None

    @property
    def usual(self) -> Format:
        """The format with its usual numbers."""
        return self.build(*(field.usual for field in self.fields))

    def write(self, numbers: tuple[int, ...]) -> str:
        """Notation with these numbers, which need not be allowed."""
        words = [self.name]
        for field, number in zip(self.fields, numbers, strict=True):
            words += [field.word, str(number)] if field.word else [str(number)]
        return " ".join(words)

    def read(self, words: list[str]) -> Format:
        """The format with the numbers in these words, which follow its name; others are usual. Raises BadNotation."""
        numbers = list(words)
        for at, field in enumerate(self.fields):
            if field.word in numbers[: at + 1]:
                found = numbers.index(field.word)
                before = [*numbers[:found], *(str(left.usual) for left in self.fields[found:at])]
                numbers = [*before, *numbers[found + 1 :]]
        if len(numbers) > len(self.fields):
            raise BadNotation("format-words", found=" ".join([self.name, *words]), shape=self.usual.write())
        usual = (str(field.usual) for field in self.fields[len(numbers) :])
        return self.build(*(field.read(text) for field, text in zip(self.fields, [*numbers, *usual], strict=True)))


def find_kind(text: str, kinds: tuple[FormatKind, ...]) -> FormatKind | None:
    """Which of these kinds a piece of notation names first; None for none of them."""
    first = text.replace(":", " ").split()[:1]
    return next((kind for kind in kinds if first == [kind.name]), None)


def read_kind(text: str, kinds: tuple[FormatKind, ...]) -> Format | None:
    """The format of one of these kinds that a text names; None if it names none. Raises BadNotation for its numbers."""
    kind = find_kind(text, kinds)
    return None if kind is None else kind.read(text.replace(":", " ").split()[1:])
