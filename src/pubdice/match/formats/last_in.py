"""Last one in, a match format: low scores add up, a seat that reaches a number is out, and the last seat left wins.

Sources: Goki's leaflet for Shut the Box (over 45 points a player "must leave the game and the other participants
continue playing"), Board Game Arena ("The game ends when only one player remains") and a maker's page (a player
with 100 points is eliminated). *Wooden Toys* has Canoga, in which a shut box wins at once. No source says what happens
if all seats left reach the number in one round. The lowest total of them wins here.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from pubdice.core.errors import BadNotation
from pubdice.core.game import Result, Seat
from pubdice.match.formats.format import (
    Audience,
    FormatField,
    FormatKind,
    RoundEnd,
    StandingForm,
    StandingNumbers,
    Tally,
    for_each,
    tie_field,
    with_tie,
    won_the_roll_off,
)
from pubdice.match.formats.totals import HAD, MOST_A_ROUND, MOST_POINTS, USUAL_POINTS, PointsKept
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class LastIn(PointsKept):
    """A match of low scores. ``Tally.points`` are the totals, and ``Tally.out`` has the seats that reached the number.

    If all seats left reach it in one round, the lowest total of that round stays in and wins. Seats with equal totals
    share the match. If ``rolloff`` is 1, they roll one die each for it instead. If ``shut`` is 1, a turn that scores 0
    wins the match at once (``Tally.pot`` is 1 then).
    """

    number: int = USUAL_POINTS
    shut: int = 0
    rolloff: int = 0
    prize: ClassVar[str] = "last in"
    rounds_planned: ClassVar[int] = 0
    is_one_round: ClassVar[bool] = False

    @property
    def kind(self) -> FormatKind:
        """The kind of this format."""
        return LAST_IN

    @property
    def numbers(self) -> tuple[int, ...]:
        """Three numbers: the total that puts a seat out, 1 if a score of 0 wins, and 1 if a tie is rolled off."""
        return self.number, self.shut, self.rolloff

    @property
    def words(self) -> "LastInWords":
        """The sentences of this format."""
        return LastInWords(self)

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """Add the scores up, and put out all seats that have reached the number. The lowest of all seats left stays."""
        points = list(tally.points)
        for seat in order:
            points[seat] += result.scores[seat]
        least = min(points[seat] for seat in order)
        staying = [seat for seat in order if points[seat] == least or points[seat] < self.number]
        shut = [seat for seat in order if self.shut and not result.scores[seat]]
        out = [seat for seat in order if seat not in (shut or staying)]
        return Tally(tally.rounds + 1, tuple(points), int(bool(shut)), (*tally.out, *out))

    def over(self, tally: Tally) -> bool:
        """Return True if one seat is left of several, if all seats left have reached the number, or after a shut."""
        left = tally.still_in
        return tally.pot > 0 or len(left) == 1 < len(tally.points) or tally.points[left[0]] >= self.number

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Return the seats left, or the winner of their roll-off."""
        return tally.still_in if tally.won is None else (tally.won,)

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the slate as data: ``points`` by player's name, and the names that are ``out``, in order."""
        return {**PointsKept.slate(self, tally, names), "out": [names[seat] for seat in tally.out]}

    def needs(self, to: Audience, tally: Tally, seat: Seat, *, last: bool, most: int | None) -> list[str]:
        """Return the score with which the seat reaches the number. If all others have, return the score to win.

        ``tally`` includes this round's scores so far.
        """
        others = [tally.points[other] for other in tally.still_in if other != seat]
        if others and min(others) >= self.number:
            text = "{name} wins with less than {number}.", "You win with less than {number}."
            return [to.language.about(*text, to.name(seat), number=min(others) - tally.points[seat])]
        # Not "is out": if all reach the number in this round, the lowest total wins.
        text = "{name} reaches {goal} with {number} or more.", "You reach {goal} with {number} or more."
        return [to.language.about(*text, to.name(seat), goal=self.number, number=self.number - tally.points[seat])]


@dataclass(frozen=True, slots=True)
class LastInWords:
    """The sentences of a match for the last one in."""

    format: LastIn

    def rules(self, language: Language) -> str:
        """Return the number that puts a player out. Name the score that wins at once and the roll-off, if any."""
        text = "{number} points and you are out, the last one in wins"
        if self.format.shut:
            text = "{number} points and you are out, the last one in wins, a 0 wins at once"
        return with_tie(language, language.say(text, number=self.format.number), self.format)

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """Return the round's number."""
        return [to.language.say("Round {number}.", number=number)]

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """Return the seats that this round has put out by their points."""
        gone = [] if end.after.pot else end.after.out[len(end.before.out) :]
        return [to.language.about("{name} is out.", "You are out.", to.name(seat)) for seat in gone]

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """Return the points of every seat that is still in. After the match, return all points."""
        if not tally.rounds:
            return []
        points = [
            to.language.about("{name} has {score}", "you have {score}", to.name(seat), score=tally.points[seat])
            for seat in (range(len(tally.points)) if over else tally.still_in)
        ]
        return [to.language.say("Points: {points}.", points=", ".join(points))]

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """Return the winner, then all points."""
        champions, about = self.format.champions(tally), to.language.about
        if tally.won is not None:
            won = won_the_roll_off(to, tally.won)
        elif len(tally.points) == 1 and not tally.pot:
            won = about("{name} is out.", "You are out.", to.name(champions[0]))
        elif len(champions) > 1:
            won = to.language.say("It's a tie: {names}!", names=to.listed(champions))
        elif tally.pot:
            won = about("{name} wins at once!", "You win at once!", to.name(champions[0]))
        elif tally.points[champions[0]] >= self.format.number:
            won = about("{name} wins!", "You win!", to.name(champions[0]))
        else:
            won = about(
                "{name} is the last one in and wins!", "You are the last one in and win!", to.name(champions[0])
            )
        return [won, *self.standing(to, tally, over=True, last=None)]

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """Return the points so far."""
        return str(tally.points[seat])


def _tally(form: LastIn, seats: int, given: StandingNumbers) -> Tally:
    """Return the tally that the numbers describe, for a question about a match under way.

    Raise BadNotation if at most one seat of several is left.
    """
    points = for_each(given, "totals", (0,) * seats, 0, form.number + MOST_A_ROUND)
    out = tuple([Seat(seat) for seat, had in enumerate(points) if had >= form.number])
    if len(out) >= max(1, seats - 1):
        raise BadNotation("standing-over")
    return Tally(int(any(points)), points, 0, out)


LAST_IN = FormatKind(
    "out",
    label="Last one in",
    meaning="low scores add up. A player who reaches the number is out. The last one in wins",
    build=LastIn,
    fields=(
        FormatField("out", "Out at", 1, MOST_POINTS, USUAL_POINTS),
        FormatField(
            "out-shut",
            "A score of 0",
            0,
            1,
            0,
            control="choice",
            offered=1,
            word="shut",
            named=("wins the round", "wins the match at once"),
        ),
        tie_field("out-tie"),
    ),
    standing=StandingForm((HAD,), _tally),
)
