"""Points and totals, match formats in which scores add up from round to round.

With points, the first seat to reach a number of them wins. With a total, the most points after a number of rounds win.

Sources: gamerules.com (Midnight to 100 points, Ship to 50, Threes Away over an agreed number of rounds) and Gold Cup
Games (Midnight: the top score after an agreed number of rounds). docs/games/index.md has their addresses and their
gaps.
"""

from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, ClassVar

from pubdice.core.game import Result, Seat
from pubdice.match.formats.format import (
    ROUND,
    Audience,
    FormatField,
    FormatKind,
    PlainFormat,
    RoundEnd,
    StandingField,
    StandingForm,
    StandingNumbers,
    Tally,
    for_each,
    no_points,
    round_number,
    tie_field,
    winners_sentence,
    with_tie,
)
from pubdice.match.formats.rounds import MOST_ROUNDS, USUAL_ROUNDS, PlannedRounds
from pubdice.text.language import Language

MOST_POINTS = 1_000
USUAL_POINTS = 100
MOST_A_ROUND = 1_000
"""The most points a round that a question can give a seat. No built-in game reaches it."""


def _ahead(tally: Tally, seat: Seat) -> int | None:
    """Return the highest points of the other seats. None if there is no other seat."""
    return max((points for other, points in enumerate(tally.points) if other != seat), default=None)


def _too_many(to: Audience, behind: int, seat: Seat, most: int | None) -> str:
    """Say that the seat's last turn can only tie, or cannot win any more. Return "" if it can still win.

    ``most`` is the best score of a turn, or None if there is no bound. ``behind`` is the number of points to a tie.
    """
    if most is None or behind < most:
        return ""
    if behind == most:
        return to.language.about("{name} can only tie.", "You can only tie.", to.name(seat))
    return to.language.about("{name} can't win any more.", "You can't win any more.", to.name(seat))


class PointsKept(PlainFormat):
    """The common parts of formats that add scores up: ``Points``, ``Total`` and ``LastIn``."""

    __slots__ = ()
    stake: ClassVar[int] = 0
    adds_up: ClassVar[bool] = True

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """Return the tally with the scores of the round added to the points."""
        points = list(tally.points)
        for seat in order:
            points[seat] += result.scores[seat]
        return Tally(tally.rounds + 1, tuple(points), tally.pot, tally.out)

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the slate as data: ``points`` by name."""
        return {"points": dict(zip(names, tally.points, strict=True))}


@dataclass(frozen=True, slots=True)
class Points(PointsKept):
    """A match for points. The first seat to reach the number wins at once (gamerules.com, "Midnight").

    If ``even`` is 1, the round is played out, so all seats have had as many turns. Then the most points win, and seats
    with equally many share the match. No source has this rule, but it is the fair way to play for points. If
    ``rolloff`` is 1 too, the equal seats roll one die each for the match. Without ``even`` no tie can occur, so
    ``rolloff`` needs it.
    """

    number: int = USUAL_POINTS
    even: int = 0
    rolloff: int = 0
    usual: int = field(default=USUAL_POINTS, compare=False)  # the number that the game is usually played to
    prize: ClassVar[str] = "points"
    rounds_planned: ClassVar[int] = 0
    is_one_round: ClassVar[bool] = False

    @property
    def kind(self) -> FormatKind:
        """The kind of this format."""
        return first_to(self.usual)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Three numbers: the points to reach, 1 if the round is played out, and 1 if a tie is rolled off."""
        return self.number, self.even, self.rolloff

    @property
    def words(self) -> "TotalsWords":
        """The sentences of this format."""
        return TotalsWords(self)

    def ends_by_turn(self, tally: Tally, seat: Seat, score: int) -> bool:
        """Return True if the seat has reached the number of points. False if the round must be played out."""
        return not self.even and tally.points[seat] + score >= self.number

    def needs(self, to: Audience, tally: Tally, seat: Seat, *, last: bool, most: int | None) -> list[str]:
        """Return the points that the seat needs to reach the number.

        If another seat has reached it in this round, return the points to lead instead.
        """
        ahead = _ahead(tally, seat)
        if ahead is None or ahead < self.number:
            left = self.number - tally.points[seat]
        elif told := _too_many(to, ahead - tally.points[seat], seat, most):
            return [told]
        else:
            left = ahead + 1 - tally.points[seat]
        text = ("{name} needs {number} more point.", "{name} needs {number} more points.")
        if not to.name(seat):
            text = ("You need {number} more point.", "You need {number} more points.")
        return [to.language.count(*text, left, name=to.name(seat))]

    def over(self, tally: Tally) -> bool:
        """Return True if a seat has reached the number of points."""
        return max(tally.points) >= self.number


@dataclass(frozen=True, slots=True)
class Total(PlannedRounds, PointsKept):
    """A match of 1 to 20 rounds whose scores add up. The most points win.

    Seats with equally many share the match. If ``rolloff`` is 1, they roll one die each for it instead.
    """

    number: int = USUAL_ROUNDS
    rolloff: int = 0
    prize: ClassVar[str] = "total"

    @property
    def kind(self) -> FormatKind:
        """The kind of this format."""
        return TOTAL

    @property
    def words(self) -> "TotalsWords":
        """The sentences of this format."""
        return TotalsWords(self)

    def needs(self, to: Audience, tally: Tally, seat: Seat, *, last: bool, most: int | None) -> list[str]:
        """Return the points that the seat needs to lead, or to win if it is the last to play.

        Before the last round there is no such number, so return nothing.
        """
        ahead = _ahead(tally, seat)
        if ahead is None or tally.rounds + 1 < self.number:
            return []
        if told := _too_many(to, ahead - tally.points[seat], seat, most):
            return [told]
        left = ahead + 1 - tally.points[seat]
        if left <= 0:
            sure = "{name} wins with any roll.", "You win with any roll."
            return [to.language.about(*sure, to.name(seat))] if last else []
        text = ("{name} needs {number} point to lead.", "{name} needs {number} points to lead.")
        if last:
            text = ("{name} needs {number} point to win.", "{name} needs {number} points to win.")
        if not to.name(seat):
            text = ("You need {number} point to lead.", "You need {number} points to lead.")
            if last:
                text = ("You need {number} point to win.", "You need {number} points to win.")
        return [to.language.count(*text, left, name=to.name(seat))]


@dataclass(frozen=True, slots=True)
class TotalsWords:
    """The sentences of matches for points or totals: every seat's points, and the lead."""

    format: Points | Total

    def rules(self, language: Language) -> str:
        """Return the points to reach, or the number of rounds, in a few words."""
        if isinstance(self.format, Total):
            text = "{number} round, the most points win", "{number} rounds, the most points win"
            return with_tie(language, language.count(*text, self.format.number), self.format)
        if self.format.even:
            text = (
                "first to {number} point, and the round is played out",
                "first to {number} points, and the round is played out",
            )
            return with_tie(language, language.count(*text, self.format.number), self.format)
        return language.count("first to {number} point", "first to {number} points", self.format.number)

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """Return the round's number, unless the match has only one round."""
        return [] if self.format.is_one_round else [to.language.say("Round {number}.", number=number)]

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """Return no sentence. Each turn has told its score, and ``standing`` adds them up."""
        return []

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """Return every seat's points. Before the end of the match, return the lead too."""
        if not tally.rounds:
            return []
        points = [
            to.language.about("{name} has {score}", "you have {score}", to.name(seat), score=have)
            for seat, have in enumerate(tally.points)
        ]
        said = to.language.say("Points: {points}.", points=", ".join(points))
        return [said] if over or len(points) == 1 else [said, self._lead(to, tally)]

    def _lead(self, to: Audience, tally: Tally) -> str:
        leaders = tally.leaders
        if len(leaders) > 1:
            text = "{names} share the lead.", "You and {names} share the lead."
            return to.language.about_all(*text, [to.name(seat) for seat in leaders])
        ahead = tally.points[leaders[0]] - sorted(tally.points)[-2]
        return to.language.about(
            "{name} leads by {number}.", "You lead by {number}.", to.name(leaders[0]), number=ahead
        )

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """Name the seat with the most points, then return all points."""
        return [winners_sentence(to, tally, no_points(to)), *self.standing(to, tally, over=True, last=None)]

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """Return the points so far. In a match of one round, return "", because the score of the round says it."""
        return "" if self.format.is_one_round else str(tally.points[seat])


def _points_tally(form: Points, seats: int, given: StandingNumbers) -> Tally:
    """Return the tally that the numbers describe, for a question about a match under way.

    When a round begins, no seat has reached the number of points to win.
    """
    points = for_each(given, "totals", (0,) * seats, 0, form.number - 1)
    return Tally(int(any(points)), points)


def _total_tally(form: Total, seats: int, given: StandingNumbers) -> Tally:
    """Return the tally that the numbers describe, for a question about a match under way.

    In the first round, all points are 0.
    """
    over = round_number(given, form.number) - 1
    return Tally(over, for_each(given, "totals", () if over else (0,) * seats, 0, MOST_A_ROUND * over))


HAD = StandingField("totals", "Points so far, in turn order", "points of each seat from earlier rounds", "each")


def _points(number: int, even: int = 0, rolloff: int = 0, *, usual: int) -> Points:
    """Return the format with these numbers. Without ``even`` there can be no tie, so ``rolloff`` becomes 0."""
    return Points(number, even, rolloff and even, usual)


@cache
def first_to(usual: int) -> FormatKind:
    """Return the kind of a match for points. ``usual`` is the number to which the game is usually played."""
    return FormatKind(
        "points",
        label="Points",
        meaning="scores add up. The first player to reach the number wins",
        build=partial(_points, usual=usual),
        fields=(
            FormatField("points", "Points to reach", 1, MOST_POINTS, usual),
            FormatField(
                "even",
                "Once a player reaches it",
                0,
                1,
                0,
                control="choice",
                offered=1,
                word="even",
                named=("the match is over at once", "the round is played out, and the most points win (fair)"),
            ),
            tie_field("points-tie"),
        ),
        standing=StandingForm((HAD,), _points_tally),
    )


POINTS = first_to(USUAL_POINTS)
TOTAL = FormatKind(
    "total",
    label="Total",
    meaning="scores add up. The most points after the last round win",
    build=Total,
    fields=(
        FormatField("total-rounds", "Rounds", 1, MOST_ROUNDS, USUAL_ROUNDS, control="choice", offered=MOST_ROUNDS),
        tie_field("total-tie"),
    ),
    standing=StandingForm((ROUND, HAD), _total_tally),
)
