"""The ``Format`` protocol: the rules by which rounds make a match, in numbers and in words.

It knows no dice and no game.

A format is a frozen object with its numbers. Callers use only the protocol's methods and never test a format's type, so
a new format is one module that a kit names (``Kit.formats``). People choose a format by its kind. The kind has a name,
the numbers to ask for, and a way to read them from text.
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
"""The keys of a tally row in a log that are not units. No unit may have one of them as its key."""
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,15}", re.ASCII)


def is_unit_key(text: str) -> bool:
    """Return True if a unit of an evening's tally can have this key.

    A key has up to 16 of ``a-z 0-9 - _`` and begins with a letter. The keys in ``ROW_KEYS`` are taken.

    >>> is_unit_key("pints"), is_unit_key("Pints"), is_unit_key("wins")
    (True, False, False)
    """
    return _KEY.fullmatch(text) is not None and text not in ROW_KEYS


@dataclass(frozen=True, slots=True)
class Unit:
    """A count that matches add to an evening's tally, such as chips.

    Raise ValueError for an invalid key (``is_unit_key``).

    In ``owed`` and ``lost``, the name "" stands for the reader.
    """

    key: str  # for logs and programs, never changed; formats with the same key share a column
    # puts an amount in words, such as "3 pints", for pages beside the matches won; None if pages do not show it
    format_amount: Callable[[Language, int], str] | None = None
    label: str = ""  # English heading of the unit's column on the evening's page; "" for no column
    # makes the sentence that a player pays for this amount at the end of the evening
    owed: Callable[[Language, str, int], str] | None = None
    # makes the sentence that these players have lost the most (this amount each), and buy
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
    """The standing of a match: the rounds played, and each seat's points."""

    rounds: int  # the number of finished rounds
    # by seat; the format defines the count: round wins, chips won or lost, a score, or 1 for a winner who left
    points: tuple[int, ...]
    pot: int = 0  # the chips in the pot
    out: tuple[Seat, ...] = ()  # seats that dropped out, in the order in which they did
    resting: tuple[Seat, ...] = ()  # seats that sit out just the next round, in which others play off a tie
    won: Seat | None = None  # the winner of the roll-off of a tied match
    began: Seat | None = None  # the seat that opened the round, while tied seats play it again

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """All seats with the most points. After a roll-off, only its winner."""
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
        """Return the tally after one more round, with one more point for each of its winners."""
        points = tuple([have + (seat in winners) for seat, have in enumerate(self.points)])
        return Tally(self.rounds + 1, points, self.pot, self.out)


StandingNumbers = Mapping[str, tuple[int, ...]]
"""The numbers in a question about a match under way, by the key of their ``StandingField``."""


@dataclass(frozen=True, slots=True)
class StandingField:
    """One fact about a match under way that can be part of a question, such as the points so far."""

    key: str  # the flag without dashes, also the field's name in a form
    label: str  # the text beside its field
    meaning: str  # the line of help for the flag
    # "each": a number for each seat, in turn order from this round's opener; "seats": numbers of some seats, from 1 in
    # that order
    takes: Literal["each", "number", "seats"]


ROUND = StandingField("round", "Which round", "number of this round, from 1", "number")
"""The field for the number of the round under way. Formats with a planned number of rounds have it."""


LEAST_TIED = 2
RESTING = StandingField(
    "resting", "Who sits out", "if tied players play a round again: the seats that sit it out, such as 3", "seats"
)
"""The field for the seats that sit out the round under way. Formats in which tied seats play a round again have it."""


def resting_seats(given: StandingNumbers) -> tuple[Seat, ...]:
    """Return the seats that sit out the round under way, in ascending order."""
    return tuple([Seat(number - 1) for number in sorted(set(given.get(RESTING.key, ())))])


@dataclass(frozen=True, slots=True)
class StandingForm:
    """The fields that describe the standing of a match under way, and the function that makes a tally of them."""

    fields: tuple[StandingField, ...]
    # From (format, seats, numbers given, at least one), the tally of this round with its stakes paid. Seat 0 opened the
    # round. Raises BadNotation for a standing that no match reaches.
    tally: Callable[[Any, int, StandingNumbers], Tally]


def round_number(given: StandingNumbers, most: int) -> int:
    """Return the number of the round under way. Raise BadNotation if it is missing or out of bounds.

    The codes are "flag-missing" and "flag-number".
    """
    if ROUND.key not in given:
        raise BadNotation("flag-missing", flag=ROUND.key)
    (number,) = given[ROUND.key]
    if not 1 <= number <= most:
        raise BadNotation("flag-number", flag=ROUND.key, found=number, least=1, most=most)
    return number


def for_each(given: StandingNumbers, key: str, usual: tuple[int, ...], least: int, most: int) -> tuple[int, ...]:
    """Return a number for each seat, or ``usual`` if none are given. Empty ``usual`` means the numbers are required.

    Raise BadNotation("standing-number") for a number below ``least`` or above ``most``, or "flag-missing" if required
    numbers are missing.
    """
    numbers = given.get(key, usual)
    if not numbers:
        raise BadNotation("flag-missing", flag=key)
    if not all(least <= number <= most for number in numbers):
        raise BadNotation("standing-number", flag=key, found=numbers, least=least, most=most)
    return numbers


OPENERS = ("rotate", "fixed", "winner", "loser")
"""The names of the rules for the opener of the next round. ``Match`` explains them."""


class Format(Protocol):
    """The rules by which rounds make a match. ``PlainFormat`` has the usual parts."""

    @property
    def kind(self) -> "FormatKind":
        """The format's kind: its name, and the numbers to ask for in a form."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of this format, in the order of the kind's fields."""

    @property
    def words(self) -> "FormatWords":
        """The sentences of this format."""

    @property
    def openers(self) -> tuple[str, ...]:
        """The names of the opener rules that the format allows."""

    @property
    def draws_first(self) -> bool:
        """True if Player 1 is drawn by lot when the header names no player."""

    @property
    def prize(self) -> str:
        """The aim of the seats, by the name under which solvers know it.

        - "round wins": every winner of each of ``rounds_planned`` rounds gets one, and the most win the match.
        - "chips": every seat stakes ``stake`` a round. A sole winner takes the pot, otherwise it stays in.
        - "the round": the match has only one.
        - "leaving": a round's winners leave, and the last seat left loses.

        Give any other prize a name of its own. A solver that does not know the name raises ``Unsolved("format")``.
        """

    @property
    def stake(self) -> int:
        """The chips that every seat stakes in a round. 0 if the format has no stakes."""

    @property
    def rounds_planned(self) -> int:
        """The planned number of rounds. 0 if it depends on the play."""

    @property
    def is_one_round(self) -> bool:
        """True if the match has exactly one round."""

    def start(self, seats: int) -> Tally:
        """Return the tally before the first round."""

    def open(self, tally: Tally) -> Tally:
        """Return the tally at the start of a round, after the seats have paid their stakes."""

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """Return the tally after a round.

        ``result`` is by table seat, and a seat that did not play has score 0. ``order`` has the round's seats in turn
        order, from the opener on. If several seats drop out together, they must drop out in this order. Otherwise the
        match would differ by the numbers of the seats.
        """

    def over(self, tally: Tally) -> bool:
        """Return True if the match is over with this tally."""

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Return the winners of a match that ended with this tally. If there are several, they share the match."""

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """Return each seat's amount of the kind's ``unit``, to add to an evening's tally.

        Only called if there is a unit.
        """

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the slate by player's name, as plain data for programs.

        ``FormatWords.standing`` has the slate in words.
        """

    def write(self) -> str:
        """Return the format as notation."""


class PlainFormat:
    """The usual parts of a ``Format``: seats begin with 0 points, there are no stakes, and the most points win."""

    __slots__ = ()
    openers: ClassVar[tuple[str, ...]] = OPENERS
    draws_first: ClassVar[bool] = False

    def start(self, seats: int) -> Tally:
        """Return the tally with 0 points for each seat."""
        return Tally(0, (0,) * seats)

    def open(self, tally: Tally) -> Tally:
        """Return the tally unchanged, as there are no stakes."""
        return tally

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Return every seat with the most points."""
        return tally.leaders

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """Return (). Such a format adds no unit to an evening's tally, only the match itself."""
        return ()

    def write(self: Format) -> str:
        """Return the format as notation: the name of its kind, then its numbers."""
        return self.kind.write(self.numbers)


class EndsByTurn(Protocol):
    """A format in which a turn can end the match in the middle of a round, before other seats have had their turn."""

    def ends_by_turn(self, tally: Tally, seat: Seat, score: int) -> bool:
        """Return True if this seat's turn, with this score, ends the match.

        ``tally`` is from the start of the round.
        """


ROLL_OFF = "rolloff"
"""The word for a roll-off in notation. It is also the name of the format's number that switches roll-offs on."""


def rolls_off(form: Format) -> bool:
    """Return True if a tie for the match leads to a roll-off: each tied seat rolls one die, and the highest wins."""
    return bool(getattr(form, ROLL_OFF, 0))


def shared(form: Format) -> Format:
    """Return the same format without a roll-off. Tied seats share the match then."""
    switches = [
        0 if field.word == ROLL_OFF else number for field, number in zip(form.kind.fields, form.numbers, strict=True)
    ]
    return form.kind.build(*switches)


def tie_field(key: str) -> "FormatField":
    """Return the field of a form that chooses between a shared tie and a roll-off. ``key`` is its key."""
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


REPLAY = "replay"
"""The word in notation for rounds that tied seats play again. It is also the name of the format's number for it."""


def replays(form: Format) -> bool:
    """Return True if the seats that tie for a round play it again alone, until one is left."""
    return bool(getattr(form, REPLAY, 0))


def replay_field(key: str, usual: str) -> "FormatField":
    """Return the field of a form that chooses between the usual end of a tied round and a replay."""
    return FormatField(
        key,
        "If several tie for a round",
        0,
        1,
        0,
        control="choice",
        offered=1,
        word=REPLAY,
        named=(usual, "they play it again alone"),
    )


def undecided(form: Format, tally: Tally, result: Result) -> bool:
    """Return True if seats play this round again. A seat that plays alone never does."""
    return replays(form) and len(result.winners) != 1 and len(tally.points) > 1


def played_again(tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
    """Return the tally for the replay of a round, which does not count yet. Without a winner, all its seats play it."""
    resting = tuple([seat for seat in tally.still_in if seat not in (result.winners or order)])
    return replace(tally, resting=resting, began=order[0] if tally.began is None else tally.began)


def in_replay(form: Format, tally: Tally, given: StandingNumbers) -> Tally:
    """Return the tally of a replay if ``given`` names seats that sit it out. Seat 0 opened the round.

    Raise BadNotation if the format has no replay, or if fewer than two seats are left.
    """
    resting = resting_seats(given)
    if not resting:
        return tally
    if not replays(form):
        other = next(field.key for field in form.kind.fields if field.word == REPLAY)
        raise BadNotation("flag-only", flag=RESTING.key, other=other)
    if len(tally.points) - len(resting) < LEAST_TIED:
        raise BadNotation("standing-resting", flag=RESTING.key)
    return replace(tally, resting=resting, began=Seat(0))


def told_again(to: "Audience", end: "RoundEnd") -> str:
    """Return the sentences on a round that is played again."""
    winners = end.result.winners
    if not winners:
        texts = "No points, so {names} play the round again.", "No points, so you and {names} play the round again."
        return to.language.about_all(*texts, [to.name(seat) for seat in end.after.playing])
    text = (
        "{names} tie with {score}. They play the round again.",
        "You and {names} tie with {score}. You play the round again.",
    )
    score = to.score(end.result.scores[winners[0]])
    return to.language.about_all(*text, [to.name(seat) for seat in winners], score=score)


def with_tie(language: Language, rules: str, form: Format) -> str:
    """Add the replay and the roll-off to the rules of a format in a few words, if it has them."""
    if replays(form):
        rules = language.say("{rules}, tied players play a round again", rules=rules)
    return language.say("{rules}, a tie is rolled off", rules=rules) if rolls_off(form) else rules


def won_the_roll_off(to: "Audience", seat: Seat) -> str:
    """Return the sentence that ends a match decided by a roll-off."""
    return to.language.about("{name} wins the roll-off!", "You win the roll-off!", to.name(seat))


def winners_sentence(to: "Audience", tally: Tally, no_winner: str) -> str:
    """Return the sentence that names the match's winners. If all points are 0, return ``no_winner``."""
    champions = tally.leaders
    if tally.won is not None:
        return won_the_roll_off(to, tally.won)
    if not tally.points[champions[0]]:
        return no_winner
    if len(champions) == 1:
        return to.language.about("{name} wins!", "You win!", to.name(champions[0]))
    return to.language.say("It's a tie: {names}!", names=to.listed(champions))


def no_points(to: "Audience") -> str:
    """Return the sentence for the end of a match in which every score was 0. All seats share such a match."""
    if len(to.names) == 1:
        return to.language.say("No points, so no winner.")
    return to.language.say("No points, so it's a tie.")


class AddsUp(Protocol):
    """A format that adds up the scores of all rounds. A round has no winner, so no turn has a score to beat.

    ``adds_up`` is True.
    """

    adds_up: ClassVar[bool]

    def needs(self, to: "Audience", tally: Tally, seat: Seat, *, last: bool, most: int | None) -> list[str]:
        """Return sentences on the points that the seat needs in its turn. Empty if there is no number to reach.

        ``tally`` includes this round's scores so far. ``last`` is True if no seat plays after this one in the round.
        ``most`` is the best score of a turn, or None if there is no bound.
        """


def adding(form: Format) -> AddsUp | None:
    """Return the format if it adds scores up, otherwise None."""
    return cast(AddsUp, form) if getattr(form, "adds_up", False) else None


class Audience(Protocol):
    """A listener to a match: the language, and the names of the seats as this listener hears them."""

    @property
    def language(self) -> Language:
        """The listener's language."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""

    def name(self, seat: int) -> str:
        """Return a seat's name. Return "" for the listener's own seat, which is "you"."""

    def listed(self, seats: Iterable[int]) -> str:
        """Return the names of these seats as a list in words: "Ann, Bob and you"."""

    def score(self, score: int) -> str:
        """Return a turn's score in the game's words."""


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """The end of a round. ``result`` and ``order`` are as in ``Format.settle``."""

    number: int
    result: Result
    order: tuple[Seat, ...]
    before: Tally  # the tally of this round, with its stakes paid
    after: Tally  # the tally after this round


class FormatWords(Protocol):
    """A format's sentences. The listener is "you" in them."""

    def rules(self, language: Language) -> str:
        """Return the format's rules in a few words."""

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """Return sentences on a round that begins: its number, if a match can have several rounds."""

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """Return sentences on a round that has ended. Return none if ``ending`` says the same."""

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """Return the slate in words. Empty if there is nothing to compare.

        ``last`` is the result of the round before.
        """

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """Return the end of a match in words: the winner, then the debts. ``last`` is the result of the last round."""

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """Return a seat's part of the slate in a few characters, for the space beside the name. It can be ""."""


@dataclass(frozen=True, slots=True)
class FormatField:
    """A number to ask for when a player chooses a format.

    With ``named`` it is a switch. Notation has its ``word`` for 1 and nothing for 0.
    """

    key: str  # the field's name in a form
    label: str  # the text beside its field
    least: int
    most: int
    usual: int  # the number if notation leaves it out
    control: Literal["choice", "number"] = "number"  # a "choice" offers the numbers up to ``offered``
    offered: int = 0
    word: str = ""  # the word before the number in notation
    named: tuple[str, ...] = ()  # for a switch, the meanings of 0 and 1, in English

    @property
    def choices(self) -> range:
        """The numbers from which a control of the type "choice" lets people choose."""
        return range(self.least, min(self.most, self.offered) + 1)

    def read(self, text: str) -> int:
        """Return the number that a text spells. Raise BadNotation if it is no number, or out of bounds."""
        number = whole_number(text)
        if number is None or not self.least <= number <= self.most:
            raise BadNotation("format-number", found=text, least=self.least, most=self.most)
        return number


@dataclass(frozen=True, slots=True)
class FormatKind:
    """A kind of format: its name in notation, a label, a line of explanation, its numbers, and its constructor."""

    name: str
    label: str
    meaning: str
    build: Callable[..., Format]
    fields: tuple[FormatField, ...] = ()  # the numbers to ask for; switches come last
    unit: Unit | None = None  # the unit that its matches add to an evening's tally, if any
    # describes a match under way; None if nothing matters but the number of seats still in
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
        """A pattern for typing the format after a flag, such as "lives:N:N" or "points:N[:even]"."""
        return ":".join([self.name, *["N" for field in self.fields if not field.named]]) + self.switched("[:{word}]")

    def switched(self, text: str) -> str:
        """Repeat ``text`` for each switch of the format, with the switch's word in place of ``{word}``."""
        return "".join(text.format(word=field.word) for field in self.fields if field.named)

    def write(self, numbers: tuple[int, ...]) -> str:
        """Return the notation for these numbers, even if the format does not allow them."""
        words = [self.name]
        for field, number in zip(self.fields, numbers, strict=True):
            if field.named:
                words += [field.word] * number
            else:
                words += [field.word, str(number)] if field.word else [str(number)]
        return " ".join(words)

    def read(self, words: list[str]) -> Format:
        """Return the format whose numbers are in ``words``, the words after its name.

        A missing number is the usual one.

        Switches come last, in any order. Raise BadNotation for numbers or words that do not fit, and for a switch that
        needs another switch that is off.
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
    """Return the texts of a kind that belongs to a game. They become sentences in that game's own catalogue."""
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
    """Return the kind of format whose name begins the notation. None if there is none."""
    first = text.replace(":", " ").split()[:1]
    return next((kind for kind in kinds if first == [kind.name]), None)


def read_kind(text: str, kinds: tuple[FormatKind, ...]) -> Format | None:
    """Return the format that a text names, if its kind is among ``kinds``. None if it is not.

    Raise BadNotation if the kind is among them, but its numbers are wrong.
    """
    kind = find_kind(text, kinds)
    return None if kind is None else kind.read(text.replace(":", " ").split()[1:])
