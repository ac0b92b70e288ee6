"""A race, a match format: one round decides."""

from dataclasses import dataclass
from typing import Any, ClassVar

from pubdice.core.game import Result, Seat
from pubdice.match.formats.format import Audience, FormatKind, PlainFormat, RoundEnd, Tally
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class Race(PlainFormat):
    """A match of one round (Steere, "Object of the game"). The game sets the number of turns in it."""

    openers: ClassVar[tuple[str, ...]] = ("rotate",)
    prize: ClassVar[str] = "the round"
    stake: ClassVar[int] = 0
    rounds_planned: ClassVar[int] = 0
    is_one_round: ClassVar[bool] = True
    numbers: ClassVar[tuple[int, ...]] = ()

    @property
    def kind(self) -> FormatKind:
        """The kind of this format."""
        return RACE

    @property
    def words(self) -> "RaceWords":
        """The sentences of this format."""
        return RaceWords()

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """Return the tally with one win for each winner of the round."""
        return tally.credit(result.winners)

    def over(self, tally: Tally) -> bool:
        """Return True after the one round."""
        return tally.rounds >= 1

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the slate as data: ``round_wins`` by name."""
        return {"round_wins": dict(zip(names, tally.points, strict=True))}


class RaceWords:
    """The sentences of a race: only its winner."""

    def rules(self, language: Language) -> str:
        """Return the rule that one round decides."""
        return language.say("a race: one round decides")

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """Return no sentence, because there is only one round."""
        return []

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """Return no sentence, because the match ends with the round."""
        return []

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """Return no sentence, because there is nothing to compare."""
        return []

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """Name the winner of the race."""
        return [to.language.about("{name} wins the race!", "You win the race!", to.name(tally.leaders[0]))]

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """Return "", because a match of one round has no slate."""
        return ""


RACE = FormatKind("race", label="Race", meaning="one round decides", build=Race)
