"""The Format protocol: the rules by which rounds make a match, in numbers and in words. Independent of dice and games.

A format is a frozen object with its numbers. Callers use only the protocol's methods and never test a format's type, so
a new format is one module that a kit names (``Kit.formats``). People choose a format by its kind: a name, the numbers
it asks for, and a way to read it from text.
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
"""The keys of a log's tally row besides its units. No unit can have one as its key."""
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,15}", re.ASCII)


def is_unit_key(text: str) -> bool:
    """True if a unit can have this key: up to 16 of ``a-z 0-9 - _``, a letter first, and not in ``ROW_KEYS``.

    >>> is_unit_key("pints"), is_unit_key("Pints"), is_unit_key("wins")
    (True, False, False)
    """
    return _KEY.fullmatch(text) is not None and text not in ROW_KEYS


@dataclass(frozen=True, slots=True)
class Unit:
    """A count that matches add to an evening's tally. Raises ValueError for a key that ``is_unit_key`` refuses.

    In ``owed`` and ``lost``, the name "" is the reader.
    """

    key: str  # in logs and for programs, kept permanently; formats that share a key share a column
    # an amount in words, such as "3 pints", for pages beside the matches won; None if they do not show it
    format_amount: Callable[[Language, int], str] | None = None
    label: str = ""  # in English, the heading of its column on the evening's page; "" for no column
    # the sentence that a player pays for this amount at the end of the evening
    owed: Callable[[Language, str, int], str] | None = None
    # the sentence that these players have lost the most, by this amount, and buy
    lost: Callable[[Language, Sequence[str], int], str] | None = None

    def __post_init__(self) -> None:
        if not is_unit_key(self.key):
            raise ValueError(f"no key of a unit: {self.key!r}")


@cache
def _seats(number: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, range(number)))


@quick
@dataclass(frozen=True, slots=True)
class Tally:
    """The standing of a match."""

    rounds: int  # rounds finished
    # by seat: round wins, chips won or lost, a score, or 1 for a winner who left, as the format defines it
    points: tuple[int, ...]
    pot: int = 0  # chips in the pot
    out: tuple[Seat, ...] = ()  # seats that dropped out, in that order
    resting: tuple[Seat, ...] = ()  # seats that sit out only the next round, while others play off a tie
    won: Seat | None = None  # the winner of the roll-off of a tied match

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """Every seat with the most points. After a roll-off, only its winner."""
        if self.won is not None:
            return (self.won,)
        best = max(self.points)
        return tuple(Seat(seat) for seat, points in enumerate(self.points) if points == best)

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """The seats that have not dropped out, in ascending order."""
        seats = _seats(len(self.points))
        return tuple([seat for seat in seats if seat not in self.out]) if self.out else seats

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that play the next round, in ascending order."""
        return tuple([seat for seat in self.still_in if seat not in self.resting]) if self.resting else self.still_in

    def credit(self, winners: tuple[Seat, ...]) -> "Tally":
        """The tally after one more round, with a point for each winner."""
        points = tuple([have + (seat in winners) for seat, have in enumerate(self.points)])
        return Tally(self.rounds + 1, points, self.pot, self.out)


StandingNumbers = Mapping[str, tuple[int, ...]]
"""A question's numbers, by the key of their field."""


@dataclass(frozen=True, slots=True)
class StandingField:
    """One fact about a match under way that a question can give."""

    key: str  # its flag without dashes, and its name in a form
    label: str  # the text beside its field
    meaning: str  # a line of help
    # "each": a number for each seat, in turn order from this round's opener; "seats": numbers of some seats, from 1 in
    # that order
    takes: Literal["each", "number", "seats"]


ROUND = StandingField("round", "Which round", "which round is played, from 1", "number")
"""The number of the round under way, for formats with a planned number of rounds."""


@dataclass(frozen=True, slots=True)
class StandingForm:
    """The fields that describe how a match stands, and the function that makes a tally of them."""

    fields: tuple[StandingField, ...]
    # (format, seats, numbers given, at least one) to the tally of this round with its stakes paid. Seat 0 opened the
    # round. Raises BadNotation for a standing that no match reaches.
    tally: Callable[[Any, int, StandingNumbers], Tally]


def round_number(given: StandingNumbers, most: int) -> int:
    """The number of the round under way, which is required. Raises BadNotation: "flag-missing" or "flag-number"."""
    if ROUND.key not in given:
        raise BadNotation("flag-missing", flag=ROUND.key)
    (number,) = given[ROUND.key]
    if not 1 <= number <= most:
        raise BadNotation("flag-number", flag=ROUND.key, found=number, least=1, most=most)
    return number


def for_each(given: StandingNumbers, key: str, usual: tuple[int, ...], least: int, most: int) -> tuple[int, ...]:
    """A number within bounds for each seat, or ``usual`` if none are given. If ``usual`` is empty, they are required.

    Raises BadNotation: "standing-number" or "flag-missing".
    """
    numbers = given.get(key, usual)
    if not numbers:
        raise BadNotation("flag-missing", flag=key)
    if not all(least <= number <= most for number in numbers):
        raise BadNotation("standing-number", flag=key, found=numbers, least=least, most=most)
    return numbers


OPENERS = ("rotate", "fixed", "winner", "loser")
"""The rules for the opener of the next round. ``Match`` explains them."""


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
        """The sentences of this format."""

    @property
    def openers(self) -> tuple[str, ...]:
        """The opener rules that the format allows."""

    @property
    def draws_first(self) -> bool:
        """True if a lot draws Player 1 unless a player is named."""

    @property
    def prize(self) -> str:
        """The aim of the seats, by the name that a solver knows.

        - "round wins": one for every winner of each of ``rounds_planned`` rounds, and the most win.
        - "chips": every seat stakes ``stake`` a round. A sole winner takes the pot, otherwise it stays in.
        - "the round": there is only one.
        - "leaving": a round's winners leave, and the last seat left loses.

        Give any other prize a name of its own. A solver that does not know the name raises ``Unsolved("format")``.
        """

    @property
    def stake(self) -> int:
        """Chips that every seat stakes in a round. 0 if the format has no stakes."""

    @property
    def rounds_planned(self) -> int:
        """The planned number of rounds. 0 if the play decides."""

    @property
    def is_one_round(self) -> bool:
        """True if the match has exactly one round."""

    def start(self, seats: int) -> Tally:
        """The tally before the first round."""

    def open(self, tally: Tally) -> Tally:
        """The tally at the start of a round, with the stakes paid."""

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """The tally after a round.

        ``result`` is by table seat, and a seat that was out has score 0. ``order`` has the round's seats in turn order,
        the opener first. If several seats drop out together, put them in this order. Then the match is the same from
        every seat.
        """

    def over(self, tally: Tally) -> bool:
        """True if no further round is played."""

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """The winners of a match that ended with this tally. Several share it."""

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """Each seat's part in an evening's tally, in the kind's ``unit``. Not called for a kind without a unit."""

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """The slate by name, as plain data for programs. ``FormatWords.standing`` has the slate in words."""

    def write(self) -> str:
        """The format as notation."""


class PlainFormat:
    """The common parts of ``Format``: seats begin with 0 points, there are no stakes, and the most points win."""

    __slots__ = ()
    openers: ClassVar[tuple[str, ...]] = OPENERS
    draws_first: ClassVar[bool] = False

    def start(self, seats: int) -> Tally:
        """The tally with 0 points each."""
        return Tally(0, (0,) * seats)

    def open(self, tally: Tally) -> Tally:
        """The tally unchanged, as there are no stakes."""
        return tally

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Every seat with the most points."""
        return tally.leaders

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """Empty: an evening counts only the match itself."""
        return ()

    def write(self: Format) -> str:
        """The format as notation: its kind's name and its numbers."""
        return self.kind.write(self.numbers)


class EndsByTurn(Protocol):
    """A format in which a turn can end the match before the other seats have had a turn in this round."""

    def ends_by_turn(self, tally: Tally, seat: Seat, score: int) -> bool:
        """True if this turn's score ends the match. ``tally`` is from the start of the round."""


ROLL_OFF = "rolloff"
"""The word for a roll-off in notation, and the name of a format's number that switches it on."""


def rolls_off(form: Format) -> bool:
    """True if a tie for the match leads to a roll-off: one die each, and the highest wins."""
    return bool(getattr(form, ROLL_OFF, 0))


def shared(form: Format) -> Format:
    """The same format with ties shared instead of rolled off."""
    switches = [
        0 if field.word == ROLL_OFF else number for field, number in zip(form.kind.fields, form.numbers, strict=True)
    ]
    return form.kind.build(*switches)


def tie_field(key: str) -> "FormatField":
    """The choice between a shared tie and a roll-off, with this key in a form."""
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
    """The sentence that ends a match decided by a roll-off."""
    return to.language.about("{name} wins the roll-off!", "You win the roll-off!", to.name(seat))


def winners_sentence(to: "Audience", tally: Tally, nobody: str) -> str:
    """The sentence that ends a match: its winners, or ``nobody`` if all points are 0."""
    champions = tally.leaders
    if tally.won is not None:
        return won_the_roll_off(to, tally.won)
    if not tally.points[champions[0]]:
        return nobody
    if len(champions) == 1:
        return to.language.about("{name} wins!", "You win!", to.name(champions[0]))
    return to.language.say("It's a tie: {names}!", names=to.listed(champions))


def nobody_scored(to: "Audience") -> str:
    """The sentence that ends a match in which every score was 0. Its seats share it."""
    if len(to.names) == 1:
        return to.language.say("Nobody scored, so nobody wins.")
    return to.language.say("Nobody scored, so it's a tie.")


class AddsUp(Protocol):
    """A format that adds scores up. A round has no winner, so no turn has a score to beat. ``adds_up`` is True."""

    adds_up: ClassVar[bool]

    def needs(self, to: "Audience", tally: Tally, seat: Seat, *, last: bool, most: int | None) -> list[str]:
        """The lines on a seat's need before its turn. Empty if there is no number to reach.

        ``tally`` includes this round's scores so far. ``last`` is True if no seat plays after this one in the round.
        ``most`` is the best score of a turn, None if there is no bound.
        """


def adding(form: Format) -> AddsUp | None:
    """The format if its scores add up, otherwise None."""
    return cast(AddsUp, form) if getattr(form, "adds_up", False) else None


class Audience(Protocol):
    """A listener to a match: their language, and their names for its seats."""

    @property
    def language(self) -> Language:
        """The listener's language."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""

    def name(self, seat: int) -> str:
        """A seat's name. Empty for the listener's own seat."""

    def listed(self, seats: Iterable[int]) -> str:
        """Seats in a row, as in "Ann, Bob and you"."""

    def score(self, score: int) -> str:
        """A turn's score, as the game calls it."""


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """A round that has ended. ``result`` and ``order`` are as in ``Format.settle``."""

    number: int
    result: Result
    order: tuple[Seat, ...]
    before: Tally  # with this round's stakes paid
    after: Tally  # after the round is settled


class FormatWords(Protocol):
    """A format's sentences. The listener is "you" in them."""

    def rules(self, language: Language) -> str:
        """The format in a few words."""

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """The lines for a round that begins: its number, if there can be several rounds."""

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """The lines for a round that has ended. Empty if ``ending`` says the same."""

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """The slate in words. Empty if there is nothing to compare. ``last`` is the last round's result."""

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """The end of a match in words: the winner first, then the debts. ``last`` is the last round's result."""

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """A seat's part of the slate in a few characters, for the space beside its name. Can be empty."""


@dataclass(frozen=True, slots=True)
class FormatField:
    """A number that a format asks for. A switch (``named``) is written as its ``word`` for 1, and left out for 0."""

    key: str  # its name in a form
    label: str  # the text beside its field
    least: int
    most: int
    usual: int  # its value if left out
    control: Literal["choice", "number"] = "number"  # "choice" offers the numbers up to ``offered``
    offered: int = 0
    word: str = ""  # comes before the number in notation
    named: tuple[str, ...] = ()  # for a switch, the meanings of 0 and 1, in English

    @property
    def choices(self) -> range:
        """The numbers that a choice offers."""
        return range(self.least, min(self.most, self.offered) + 1)

    def read(self, text: str) -> int:
        """The number in a text. Raises BadNotation."""
        number = whole_number(text)
        if number is None or not self.least <= number <= self.most:
            raise BadNotation("format-number", found=text, least=self.least, most=self.most)
        return number


@dataclass(frozen=True, slots=True)
class FormatKind:
    """A kind of format: its name in notation, a label and a line of explanation, its numbers, its builder."""

    name: str
    label: str
    meaning: str
    build: Callable[..., Format]
    fields: tuple[FormatField, ...] = ()  # switches come last
    unit: Unit | None = None  # of its part in an evening's tally; None for no part
    # describes a match under way; None if only the number of seats still in matters
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
        """The way to type it after a flag, such as "lives:N:N" or "points:N[:even]"."""
        return ":".join([self.name, *["N" for field in self.fields if not field.named]]) + self.switched("[:{word}]")

    def switched(self, text: str) -> str:
        """``text`` once for each switch of the format, with the switch's word for ``{word}``."""
        return "".join(text.format(word=field.word) for field in self.fields if field.named)

    def write(self, numbers: tuple[int, ...]) -> str:
        """Notation with these numbers, allowed or not."""
        words = [self.name]
        for field, number in zip(self.fields, numbers, strict=True):
            if field.named:
                words += [field.word] * number
            else:
                words += [field.word, str(number)] if field.word else [str(number)]
        return " ".join(words)

    def read(self, words: list[str]) -> Format:
        """The format with the numbers in these words, which follow its name. Missing numbers are the usual ones.

        Switches come last, in any order. Raises BadNotation, also for a switch that needs another one that is off.
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
    """The texts of a kind of format that belongs to a game, as sentences in that game's catalogue."""
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
    """The kind of format whose name begins a piece of notation. None if there is none."""
    first = text.replace(":", " ").split()[:1]
    return next((kind for kind in kinds if first == [kind.name]), None)


def read_kind(text: str, kinds: tuple[FormatKind, ...]) -> Format | None:
    """The format of one of these kinds that a text names. None if it names none. Raises BadNotation for its numbers."""
    kind = find_kind(text, kinds)
    return None if kind is None else kind.read(text.replace(":", " ").split()[1:])
