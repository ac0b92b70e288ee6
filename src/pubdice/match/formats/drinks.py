"""Drinks, a match format: each round's winner leaves, and the last seat left pays for the others."""

from dataclasses import dataclass
from typing import Any, ClassVar

from pubdice.core.game import Result, Seat
from pubdice.match.formats.format import Audience, FormatKind, PlainFormat, RoundEnd, Tally, Unit
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class Drinks(PlainFormat):
    """A match for drinks. Each round's winner drops out, and the last seat left buys (Steere, "Multiplayer 420")."""

    openers: ClassVar[tuple[str, ...]] = ("rotate",)
    draws_first: ClassVar[bool] = True
    prize: ClassVar[str] = "leaving"
    stake: ClassVar[int] = 0
    rounds_planned: ClassVar[int] = 0
    is_one_round: ClassVar[bool] = False
    numbers: ClassVar[tuple[int, ...]] = ()

    @property
    def kind(self) -> FormatKind:
        """The kind of this format."""
        return DRINKS

    @property
    def words(self) -> "DrinksWords":
        """The sentences of this format."""
        return DrinksWords()

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """Return the tally after the round's winners have dropped out."""
        credited = tally.credit(result.winners)
        return Tally(credited.rounds, credited.points, tally.pot, tally.out + result.winners)

    def over(self, tally: Tally) -> bool:
        """Return True if at most one seat is left."""
        return len(tally.still_in) <= 1

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Return every seat but the buyer."""
        return tuple(sorted(tally.out))

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """Return one round of drinks for the buyer and 0 for each other seat."""
        buys = buyer(tally)
        return tuple([int(seat == buys) for seat in range(len(tally.points))])

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the slate as data: the names that are ``out``, in order, and the ``buyer``.

        The buyer is None until only one seat is left.
        """
        last = buyer(tally)
        return {"out": [names[seat] for seat in tally.out], "buyer": None if last is None else names[last]}


def buyer(tally: Tally) -> Seat | None:
    """Return the seat that buys the drinks, the last one left. None while several are left."""
    left = tally.still_in
    return left[0] if tally.out and len(left) == 1 else None


class DrinksWords:
    """The sentences of a match for drinks: the seats out, the seats still in, and the buyer."""

    def rules(self, language: Language) -> str:
        """Return the rule that the last seat buys."""
        return language.say("the last one left buys the drinks")

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """Return the number of a round that begins."""
        return [to.language.say("Round {number}.", number=number)]

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """Say which seats drop out at the end of the round."""
        winners = end.result.winners
        if not winners:
            return [to.language.say("Round {number}: no points, no winner.", number=end.number)]
        if len(winners) > 1:
            several = "{names} win round {number} and are out: no drinks to buy."
            return [to.language.say(several, names=to.listed(winners), number=end.number)]
        text = (
            "{name} wins round {number} and is out: no drinks to buy.",
            "You win round {number} and are out: no drinks to buy.",
        )
        return [to.language.about(*text, to.name(winners[0]), number=end.number)]

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """Return the seats still in. At the end of the match, return the drinks that the buyer owes."""
        if over:
            return _bought(to, tally)
        return [to.language.say("Still in: {names}.", names=to.listed(tally.still_in))] if tally.out else []

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """Name the buyer, and say which drinks the buyer owes."""
        buys = buyer(tally)
        if buys is None:
            return [to.language.say("No player is left to buy the drinks.")]
        text = (
            "{name} is buying!",
            "You're buying!",
        )
        return [to.language.about(*text, to.name(buys)), *_bought(to, tally)]

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """Return "". Pages mark the seats that are out in another way."""
        return ""


def _bought(to: Audience, tally: Tally) -> list[str]:
    buys = buyer(tally)
    if buys is None:
        return []
    text = "{name} owes {names} a drink each.", "You owe {names} a drink each."
    if len(tally.out) == 1:
        text = "{name} owes {names} a drink.", "You owe {names} a drink."
    return [to.language.about(*text, to.name(buys), names=to.listed(sorted(tally.out)))]


def _owed(language: Language, name: str, amount: int) -> str:
    text = "{name} buys a round of drinks.", "{name} buys {number} rounds of drinks."
    if not name:
        text = "You buy a round of drinks.", "You buy {number} rounds of drinks."
    return language.count(*text, amount, name=name)


DRINKS = FormatKind(
    "drinks",
    label="Drinks",
    meaning="the winner of each round drops out. The last player left buys the drinks",
    build=Drinks,
    unit=Unit("drinks", label="Rounds of drinks", owed=_owed),
)
