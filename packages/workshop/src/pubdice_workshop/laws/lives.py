"""Lives, a test format: the lowest score of a round loses a life, and the last seat with a life wins.

A seat without lives is out. If all remaining seats tie, no seat loses a life, so one seat always remains. No code
outside this file knows the format. So it shows that a format needs only one module, beside the game that uses it.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from pubdice.core.game import Result, Seat
from pubdice.match.formats import OPENERS, Audience, FormatField, FormatKind, RoundEnd, Tally
from pubdice.text.language import Language

MOST_LIVES = 9


@dataclass(frozen=True, slots=True)
class Lives:
    """The format of a match in which each seat begins with this many lives. A seat's points are the lives that it has
    left.
    """

    lives: int = 3
    openers: ClassVar[tuple[str, ...]] = OPENERS
    draws_first: ClassVar[bool] = False
    prize: ClassVar[str] = "lives"
    stake: ClassVar[int] = 0
    rounds_planned: ClassVar[int] = 0
    is_one_round: ClassVar[bool] = False

    @property
    def kind(self) -> FormatKind:
        return LIVES

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.lives,)

    @property
    def words(self) -> "LivesWords":
        return LivesWords(self)

    def start(self, seats: int) -> Tally:
        return Tally(0, (self.lives,) * seats)

    def open(self, tally: Tally) -> Tally:
        return tally

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        least = min(result.scores[seat] for seat in order)
        lowest = [seat for seat in order if result.scores[seat] == least]
        lost = lowest if len(lowest) < len(order) else []
        points = tuple(have - (seat in lost) for seat, have in enumerate(tally.points))
        out = tuple(seat for seat in order if not points[seat])
        return Tally(tally.rounds + 1, points, tally.pot, tally.out + out)

    def over(self, tally: Tally) -> bool:
        return len(tally.still_in) <= 1

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        return tally.still_in

    def takings(self, tally: Tally) -> tuple[int, ...]:
        return ()

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        return {"lives": dict(zip(names, tally.points, strict=True)), "out": [names[seat] for seat in tally.out]}

    def write(self) -> str:
        return LIVES.write(self.numbers)


@dataclass(frozen=True, slots=True)
class LivesWords:
    """The format's words: they announce lost lives, seats that are out, and the lives of each seat."""

    format: Lives

    def rules(self, language: Language) -> str:
        return language.count("{number} life each", "{number} lives each", self.format.lives)

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        return [to.language.say("Round {number}.", number=number)]

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        lost = [seat for seat in end.order if end.after.points[seat] < end.before.points[seat]]
        if not lost:
            return [to.language.say("All have the same: no player loses a life.")]
        facts = {"score": to.score(end.result.scores[lost[0]])}
        told = [to.language.say("{names} lose a life each with {score}.", names=to.listed(lost), **facts)]
        if len(lost) == 1:
            text = "{name} loses a life with {score}.", "You lose a life with {score}."
            told = [to.language.about(*text, to.name(lost[0]), **facts)]
        gone = [seat for seat in end.after.out if seat not in end.before.out]
        return told + [to.language.about("{name} is out.", "You are out.", to.name(seat)) for seat in gone]

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        lives = (
            to.language.about("{name} has {lives}", "you have {lives}", to.name(seat), lives=lives)
            for seat, lives in enumerate(tally.points)
        )
        return [to.language.say("Lives: {lives}.", lives=", ".join(lives))]

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        text = "{name} is the last one in and wins.", "You are the last one in and win."
        return [to.language.about(*text, to.name(tally.still_in[0])), *self.standing(to, tally, over=True, last=last)]

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        return "\N{BLACK HEART SUIT}" * tally.points[seat]


LIVES = FormatKind(
    "lives",
    label="Lives",
    meaning="the lowest score loses a life; the last one in wins",
    build=Lives,
    fields=(FormatField("lives", "Lives each", 1, MOST_LIVES, 3, control="choice", offered=5),),
)
