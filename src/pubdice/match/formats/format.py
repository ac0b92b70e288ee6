"""The Format protocol: the rules by which rounds make a match, in numbers and in words. Knows no dice and no game.

A format is a frozen object that holds its numbers. Everything the house wants to know of it is a question it answers
here, so a new format is one module that a kit names (``Kit.formats``): nobody asks for a format's type. Its kind is how
people choose it: the name, the numbers it asks for, and how it is read from text.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, Literal, Protocol, cast

from pubdice.core.dice import whole_number
from pubdice.core.errors import BadNotation
from pubdice.core.frozen import quick
from pubdice.core.game import Result, Seat
from pubdice.text.catalogues import home_of
from pubdice.text.language import Language, OwnSentence, in_own_tongue, own_texts

ROW_KEYS = ("name", "people", "wins")
"""The keys of a row of the tally in a log besides its units, so no unit is called so."""
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,15}", re.ASCII)


def is_unit_key(text: str) -> bool:
    """True if a unit may have this key: up to 16 of ``a-z 0-9 - _``, a letter first, and none of ``ROW_KEYS``.

    >>> is_unit_key("pints"), is_unit_key("Pints"), is_unit_key("wins")
    (True, False, False)
    """
    return _KEY.fullmatch(text) is not None and text not in ROW_KEYS


@dataclass(frozen=True, slots=True)
class Unit:
    """A count that matches add to an evening's tally.

    key: its name in logs and for programs, kept permanently; formats that share a key add to one column. format_amount:
    makes an amount of it in words, such as "3 pints", as pages show it beside the matches won; None if it is not shown.
    label: the heading of its column on the evening's page, in English; "" without one. owed: a sentence that somebody
    pays for so much of it at the end of the evening. lost: that people, named, have the least of it, less than nothing,
    and buy. A name is "" for the reader. Raises ValueError for a key that ``is_unit_key`` refuses.
    """

    key: str
    format_amount: Callable[[Language, int], str] | None = None
    label: str = ""
    owed: Callable[[Language, str, int], str] | None = None
    lost: Callable[[Language, Sequence[str], int], str] | None = None

    def __post_init__(self) -> None:
        if not is_unit_key(self.key):
            raise ValueError(f"no key of a unit: {self.key!r}")


@cache
def _seats(number: int) -> tuple[Seat, ...]:
    """Seats 0, 1, … of this many."""
    return tuple(map(Seat, range(number)))


@quick
@dataclass(frozen=True, slots=True)
class Tally:
    """The standing of a match: rounds finished, each seat's points, chips in the pot, the seats that dropped out, in
    order.

    Points are round wins, or chips won and lost, or 1 for a seat that left as a winner, as the format has it.
    resting: the seats that sit out the next round only, by seat, while others play a tie off. won: the seat that has
    won the roll-off of a tied match.
    """

    rounds: int
    points: tuple[int, ...]
    pot: int = 0
    out: tuple[Seat, ...] = ()
    resting: tuple[Seat, ...] = ()
    won: Seat | None = None

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """Every seat with the most points; after a roll-off between them, the one that won it."""
        if self.won is not None:
            return (self.won,)
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


StandingNumbers = Mapping[str, tuple[int, ...]]
"""The numbers given, by the key of their field."""


@dataclass(frozen=True, slots=True)
class StandingField:
    """One fact of a match under way that a question may give.

    key: its flag without dashes, and its name in a form. label: the text beside its field. meaning: a line of help.
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
    """The fields by which a format is told how a match stands, and the tally that follows.

    tally: from the format, the number of seats and the given values, at least one, to the tally of the round under way,
    its stakes paid; seat 0 opened this round. Raises BadNotation for a standing that no match reaches.
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
"""The rules for the opener of the next round; see ``Match``."""


class Format(Protocol):
    """The rules by which rounds make a match."""

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
        """The aim of the seats, by the name that a solver knows.

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
        opener first. If several drop out together, put them in this order: then a match looks the same from every
        chair.
        """

    def over(self, tally: Tally) -> bool:
        """True when no further round is played."""

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """The winners of a match that is over with this tally; several share it."""

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """Each seat's gain or loss of a match in an evening's tally, in the kind's ``unit``; not asked without."""

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """The slate by name, as plain data for programs; ``FormatWords.standing`` has it in words."""

    def write(self) -> str:
        """The format as notation."""


class PlainFormat:
    """``Format`` where most formats are alike: nobody begins with a point, nobody stakes, and the most points win."""

    __slots__ = ()
    openers: ClassVar[tuple[str, ...]] = OPENERS
    draws_first: ClassVar[bool] = False

    def start(self, seats: int) -> Tally:
        """The tally without a point."""
        return Tally(0, (0,) * seats)

    def open(self, tally: Tally) -> Tally:
        """The tally unchanged: nobody stakes anything."""
        return tally

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Everyone with the most points."""
        return tally.leaders

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """Nothing: an evening counts the match itself."""
        return ()

    def write(self: Format) -> str:
        """The format as notation: its kind's name, and its numbers."""
        return self.kind.write(self.numbers)


class EndsByTurn(Protocol):
    """A format in which a turn can end the match before the others have had theirs in this round."""

    def ends_by_turn(self, tally: Tally, seat: Seat, score: int) -> bool:
        """True if the match is over with this score of a seat; tally: as the round began."""


ROLL_OFF = "rolloff"
"""The word for a roll-off in notation, and the name of a format's number that says so."""


def rolls_off(form: Format) -> bool:
    """True if those who tie for a match of this format roll one die each, and the highest wins."""
    return bool(getattr(form, ROLL_OFF, 0))


def shared(form: Format) -> Format:
    """The same format in which those who tie share the match."""
    switches = [
        0 if field.word == ROLL_OFF else number for field, number in zip(form.kind.fields, form.numbers, strict=True)
    ]
    return form.kind.build(*switches)


def tie_field(key: str) -> "FormatField":
    """The switch between a tie that is shared and a roll-off, under this key in a form."""
    return FormatField(
        key,
        "If several tie for the match",
        0,
        1,
        0,
        control="choice",
        offered=1,
        word=ROLL_OFF,
        named=("they share it", "they roll one die each, and the highest wins"),
    )


def with_tie(language: Language, rules: str, form: Format) -> str:
    """The rules of a format in a few words, with its roll-off if it has one."""
    return language.say("{rules}, a tie is rolled off", rules=rules) if rolls_off(form) else rules


def won_the_roll_off(to: "Audience", seat: Seat) -> str:
    """The sentence that ends a match which a roll-off has decided."""
    return to.language.about("{name} wins the roll-off!", "You win the roll-off!", to.name(seat))


def winners_sentence(to: "Audience", tally: Tally, nobody: str) -> str:
    """The sentence that ends a match: the winner of its roll-off, or who has the most points.

    nobody: said if nobody has any.
    """
    champions = tally.leaders
    if tally.won is not None:
        return won_the_roll_off(to, tally.won)
    if not tally.points[champions[0]]:
        return nobody
    if len(champions) == 1:
        return to.language.about("{name} wins!", "You win!", to.name(champions[0]))
    return to.language.say("It's a tie: {names}!", names=to.listed(champions))


def nobody_scored(to: "Audience") -> str:
    """The sentence that ends a match in which nobody scored: its seats share it."""
    if len(to.names) == 1:
        return to.language.say("Nobody scored, so nobody wins.")
    return to.language.say("Nobody scored, so it's a tie.")


class AddsUp(Protocol):
    """A format whose scores add up: nobody wins a round, so a turn has nobody to beat in it.

    adds_up: True.
    """

    adds_up: ClassVar[bool]

    def needs(self, to: "Audience", tally: Tally, seat: Seat, *, last: bool, most: int | None) -> list[str]:
        """The lines on what a seat needs before its turn; none where there is no number to reach.

        tally: with the scores of this round so far. last: nobody plays after it in this round. most: the best score of
        a turn; None if it has no bound.
        """


def adding(form: Format) -> AddsUp | None:
    """The format, if its scores add up."""
    return cast(AddsUp, form) if getattr(form, "adds_up", False) else None


class Audience(Protocol):
    """The audience of a match: their language, and their names for its seats."""

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
        """The slate in words, unless there is nothing to compare. last: the result of the last round."""

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """The end of a match in words, once it is over: the winner first, then the debts. last: as for ``standing``."""

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """A seat's part of the slate in a few characters, to stand beside its name; empty for nothing."""


@dataclass(frozen=True, slots=True)
class FormatField:
    """A number that a format asks for.

    key: its name in a form. label: the text beside its field. usual: its value if left out. control: "choice" offers
    the numbers up to ``offered``, "number" is typed. word: stands before it in notation. named: what 0 and 1 mean, for
    a switch, in English; then the word alone stands in notation for 1, and nothing for 0.
    """

    key: str
    label: str
    least: int
    most: int
    usual: int
    control: Literal["choice", "number"] = "number"
    offered: int = 0
    word: str = ""
    named: tuple[str, ...] = ()

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
    """A kind of format: its name in notation, its label and meaning in a line, its numbers, its builder.

    Switches (``FormatField.named``) stand last among the fields.
    unit: the count its matches add to an evening's tally; None for nothing. standing: the fields that describe a match
    under way; None if only the seats still in count for the rest.
    """

    name: str
    label: str
    meaning: str
    build: Callable[..., Format]
    fields: tuple[FormatField, ...] = ()
    unit: Unit | None = None
    standing: StandingForm | None = None

    def __post_init__(self) -> None:
        if home := home_of(self.build.__module__):
            for name, value in _own_texts(self, home).items():
                object.__setattr__(self, name, value)

    @property
    def usual(self) -> Format:
        """The format with its usual numbers."""
        return self.build(*(field.usual for field in self.fields))

    @property
    def shape(self) -> str:
        """The form in which it is typed after a flag, such as "lives:N:N" or "points:N[:even]"."""
        return ":".join([self.name, *["N" for field in self.fields if not field.named]]) + self.switched("[:{word}]")

    def switched(self, text: str) -> str:
        """Each switch of the format in a text with its ``{word}``, one after the other."""
        return "".join(text.format(word=field.word) for field in self.fields if field.named)

    def write(self, numbers: tuple[int, ...]) -> str:
        """Notation with these numbers, which need not be allowed."""
        words = [self.name]
        for field, number in zip(self.fields, numbers, strict=True):
            if field.named:
                words += [field.word] * number
            else:
                words += [field.word, str(number)] if field.word else [str(number)]
        return " ".join(words)

    def read(self, words: list[str]) -> Format:
        """The format with the numbers in these words, which follow its name; others are usual. Raises BadNotation.

        Switches come last, in any order; one that the format cannot have without another is refused.
        """
        numbers, fields, switches = list(words), list[FormatField](), dict[str, int]()
        for field in self.fields:
            if field.named:
                switches[field.word] = 0
            else:
                fields.append(field)
        while numbers and switches.get(numbers[-1]) == 0:
            switches[numbers.pop()] = 1
        for at, field in enumerate(fields):
            if field.word in numbers[: at + 1]:
                found = numbers.index(field.word)
                before = [*numbers[:found], *(str(left.usual) for left in fields[found:at])]
                numbers = [*before, *numbers[found + 1 :]]
        if len(numbers) > len(fields):
            shape = self.usual.write() + self.switched(" [{word}]")
            raise BadNotation("format-words", found=" ".join([self.name, *words]), shape=shape)
        usual = (str(field.usual) for field in fields[len(numbers) :])
        read = [field.read(text) for field, text in zip(fields, [*numbers, *usual], strict=True)]
        built = self.build(*read, *switches.values())
        if lost := [word for word, on in switches.items() if on and word not in built.write().split()]:
            whole = self.build(*read, *(1 for _ in switches)).write()
            raise BadNotation("format-switch", found=" ".join([self.name, *words]), word=lost[0], shape=whole)
        return built


def _own_texts(kind: FormatKind, home: str) -> dict[str, Any]:
    """The parts of a game's own kind of format that are said, as sentences of that game."""
    unit, standing = kind.unit, kind.standing
    if unit is not None:
        told: dict[str, Any] = {
            name: in_own_tongue(getattr(unit, name), home) for name in ("format_amount", "owed", "lost")
        }
        unit = replace(unit, label=OwnSentence.of(unit.label, home), **told)
    if standing is not None:
        standing = replace(standing, fields=tuple(own_texts(each, home) for each in standing.fields))
    return {
        "label": OwnSentence.of(kind.label, home),
        "meaning": OwnSentence.of(kind.meaning, home),
        "fields": tuple(
            replace(
                each,
                label=OwnSentence.of(each.label, home),
                named=tuple(OwnSentence.of(name, home) for name in each.named),
            )
            for each in kind.fields
        ),
        "unit": unit,
        "standing": standing,
    }


def find_kind(text: str, kinds: tuple[FormatKind, ...]) -> FormatKind | None:
    """The kind of format that a piece of notation names first; None for none of them."""
    first = text.replace(":", " ").split()[:1]
    return next((kind for kind in kinds if first == [kind.name]), None)


def read_kind(text: str, kinds: tuple[FormatKind, ...]) -> Format | None:
    """The format of one of these kinds that a text names; None if it names none. Raises BadNotation for its numbers."""
    kind = find_kind(text, kinds)
    return None if kind is None else kind.read(text.replace(":", " ").split()[1:])
