"""Pints, a format the house has not, with a unit of its own: who scores least in a round buys a pint.

Who has bought fewest wins. No line outside this file knows it: a format brings along what the evening's tally counts,
how that is said, and its own German.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from pubdice.core.game import Result, Seat
from pubdice.match.formats import OPENERS, Audience, FormatField, FormatKind, RoundEnd, Tally, Unit
from pubdice.text.language import Language

MOST_ROUNDS = 9


@dataclass(frozen=True, slots=True)
class Pints:
    """A number of rounds; points are pints bought."""

    rounds: int = 3
    openers: ClassVar[tuple[str, ...]] = OPENERS
    draws_first: ClassVar[bool] = False
    prize: ClassVar[str] = "fewest pints"
    stake: ClassVar[int] = 0
    is_one_round: ClassVar[bool] = False

    @property
    def kind(self) -> FormatKind:
        return PINTS

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.rounds,)

    @property
    def rounds_planned(self) -> int:
        return self.rounds

    @property
    def words(self) -> "PintsWords":
        return PintsWords(self)

    def start(self, seats: int) -> Tally:
        return Tally(0, (0,) * seats)

    def open(self, tally: Tally) -> Tally:
        return tally

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        least = min(result.scores)
        return tally.credit(tuple(seat for seat in order if result.scores[seat] == least))

    def over(self, tally: Tally) -> bool:
        return tally.rounds >= self.rounds

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        least = min(tally.points)
        return tuple(Seat(seat) for seat, pints in enumerate(tally.points) if pints == least)

    def takings(self, tally: Tally) -> tuple[int, ...]:
        return tally.points

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        return {"pints": dict(zip(names, tally.points, strict=True))}

    def write(self) -> str:
        return PINTS.write(self.numbers)


@dataclass(frozen=True, slots=True)
class PintsWords:
    """Who buys, and how many pints everybody has bought."""

    format: Pints

    def rules(self, language: Language) -> str:
        return language.say("the lowest score buys a pint")

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        return [to.language.say("Round {number}.", number=number)]

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        bought = [seat for seat in end.order if end.after.points[seat] > end.before.points[seat]]
        return [to.language.say("A pint on {names}.", names=to.listed(bought))]

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        bought = (
            to.language.about("{name} has {pints}", "you have {pints}", to.name(seat), pints=pints)
            for seat, pints in enumerate(tally.points)
        )
        return [to.language.say("Pints bought: {pints}.", pints=", ".join(bought))]

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        names = to.listed(self.format.champions(tally))
        return [to.language.say("Fewest pints: {names}.", names=names), *self.standing(to, tally, over=True, last=last)]

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        return str(tally.points[seat])


def told(language: Language, pints: int) -> str:
    if language.code == "de":
        return f"{pints} Halbe"
    return language.count("{number} pint", "{number} pints", pints)


PINTS = FormatKind(
    "pints",
    label="Pints",
    meaning="the lowest score of each round buys a pint",
    build=Pints,
    fields=(FormatField("pints-rounds", "Rounds", 1, MOST_ROUNDS, 3),),
    unit=Unit("pints", told),
)
