"""Rounds, a match format: the seat with the most wins in a planned number of rounds takes the match."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pubdice.core.game import Result, Seat
from pubdice.match.formats.format import (
    RESTING,
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
    Unit,
    for_each,
    in_replay,
    no_points,
    played_again,
    replay_field,
    round_number,
    tie_field,
    told_again,
    undecided,
    winners_sentence,
    with_tie,
)
from pubdice.text.game_words import kept_names
from pubdice.text.language import Language, sentence

MOST_ROUNDS = 20
USUAL_ROUNDS = 5


class PlannedRounds(PlainFormat):
    """The common parts of formats with a planned number of rounds: ``Rounds`` and ``Total``."""

    __slots__ = ()
    number: int
    rolloff: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of rounds, then 1 if a tie is rolled off or 0 if it is shared."""
        return self.number, self.rolloff

    @property
    def rounds_planned(self) -> int:
        """The number of rounds."""
        return self.number

    @property
    def is_one_round(self) -> bool:
        """True if the match has only one round."""
        return self.number == 1

    def over(self, tally: Tally) -> bool:
        """Return True after the planned number of rounds."""
        return tally.rounds >= self.number


@dataclass(frozen=True, slots=True)
class Rounds(PlannedRounds):
    """A match of 1 to 20 rounds.

    Every winner of a round scores a win, even if several tie. The most wins take the match. If several seats have the
    most, they share it, even with 0 wins each (PlayPalace, "Winning a Round", "Winning the Game"). If ``rolloff`` is 1,
    they roll one die each for it instead (the Incompleat Gamester, "Midnight"). If ``replay`` is 1, the seats that tie
    for a round play it again alone (Eighty Games, "Ship, Captain, Crew"), and the last one left scores the win.
    """

    number: int = USUAL_ROUNDS
    rolloff: int = 0
    replay: int = 0
    prize: ClassVar[str] = "round wins"
    stake: ClassVar[int] = 0

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of rounds, then 1 for a roll-off, and 1 for replays."""
        return self.number, self.rolloff, self.replay

    @property
    def kind(self) -> FormatKind:
        """The kind of this format."""
        return ROUNDS

    @property
    def words(self) -> "RoundsWords":
        """The sentences of this format."""
        return RoundsWords(self)

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """Return the tally with a win for each winner of the round. A tied round may be played again first.

        At the end of the match, ``resting`` has the seats that sat out the last replay.
        """
        if undecided(self, tally, result):
            return played_again(tally, result, order)
        after = tally.credit(result.winners)
        return replace(after, resting=tally.resting) if tally.resting and self.over(after) else after

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """Return the number of rounds that each seat has won."""
        return tally.points

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the slate as data: ``round_wins`` by name."""
        return {"round_wins": dict(zip(names, tally.points, strict=True))}


@dataclass(frozen=True, slots=True)
class RoundsWords:
    """The sentences of a match of rounds. A single round has its scores, several rounds have the wins of each seat."""

    format: Rounds

    def rules(self, language: Language) -> str:
        """Return the number of rounds. If a tie is rolled off, say that too."""
        rounds = language.count("{number} round", "{number} rounds", self.format.number)
        return with_tie(language, rounds, self.format)

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """Return the round's number, if the match has several rounds. A replay's players are known from the tie."""
        if self.format.is_one_round or tally.began is not None:
            return []
        return [to.language.say("Round {number}.", number=number)]

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """Return the winner of the round, with the score.

        In a match of a single round, return nothing, unless a tie leads to a replay or a roll-off.
        """
        if end.after.began is not None:
            return [told_again(to, end)]
        if self.format.is_one_round:
            rolled = self.format.rolloff and len(end.after.leaders) > 1
            return _scored(to, end.result, end.order) if rolled else []
        winners = end.result.winners
        if not winners:
            return [to.language.say("Round {number}: no points, no winner.", number=end.number)]
        score = to.score(end.result.scores[winners[0]])
        if len(winners) == 1:
            text = "{name} wins round {number} with {score}.", "You win round {number} with {score}."
            return [to.language.about(*text, to.name(winners[0]), number=end.number, score=score)]
        tied = "Round {number}: {names} tie with {score}, a round each."
        return [to.language.say(tied, number=end.number, names=to.listed(winners), score=score)]

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """Return every seat's round wins. After a match of a single round, return every seat's score instead.

        A replay begins without the slate, because nothing on it has changed.
        """
        seats = range(len(to.names))
        if len(seats) > 1 and self.format.is_one_round and last is not None and over:
            scores = ", ".join(_name_and_points(to, seat, to.score(last.scores[seat])) for seat in tally.playing)
            return [to.language.say("Score: {scores}.", scores=scores)]
        if len(seats) == 1 or self.format.is_one_round or not tally.rounds or (tally.began is not None and not over):
            return []
        wins = ", ".join(_name_and_points(to, seat, tally.points[seat]) for seat in seats)
        return [to.language.say("Rounds won: {wins}.", wins=wins)]

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """Name the seat with the most round wins, then return all wins.

        After a single round, return the winner and the scores, each only once.
        """
        if last is not None and self.format.is_one_round and tally.won is None:
            return _scored(to, last, tally.playing) if last.winners else [no_points(to)]
        return [winners_sentence(to, tally, no_points(to)), *self.standing(to, tally, over=True, last=last)]

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """Return the rounds won as chalk strokes in bundles of five. In a match of one round, return ""."""
        fives, ones = divmod(tally.points[seat], 5)
        return "" if self.format.is_one_round else " ".join([*["|||||"] * fives, *["|" * ones] * (ones > 0)])


def _scored(to: Audience, last: Result, playing: tuple[Seat, ...]) -> list[str]:
    if not last.winners:
        return [to.language.say("No points.")]
    score = to.score(last.scores[last.winners[0]])
    if len(last.winners) == 1:
        text = "{name} wins with {score}.", "You win with {score}."
        decided = to.language.about(*text, to.name(last.winners[0]), score=score)
    else:
        decided = to.language.say("{names} tie with {score}.", names=to.listed(last.winners), score=score)
    others = [seat for seat in playing if seat not in last.winners]
    has = "{name} has {score}.", "You have {score}."
    return [
        sentence(decided, kept_names(to.names)),
        *(to.language.about(*has, to.name(seat), score=to.score(last.scores[seat])) for seat in others),
    ]


def _name_and_points(to: Audience, seat: int, points: object) -> str:
    return to.language.about("{name} has {score}", "you have {score}", to.name(seat), score=points)


def _tally(form: Rounds, seats: int, given: StandingNumbers) -> Tally:
    """Return the tally that the numbers describe, for a question about a match under way.

    A seat has won no more rounds than are over.
    """
    over = round_number(given, form.number) - 1
    tally = Tally(over, for_each(given, "wins", () if over else (0,) * seats, 0, over))
    return in_replay(form, tally, given)


ROUNDS = FormatKind(
    "rounds",
    label="Rounds",
    meaning="best score wins the round (ties share it). Most rounds win the match",
    build=Rounds,
    fields=(
        FormatField("rounds", "Rounds", 1, MOST_ROUNDS, USUAL_ROUNDS, control="choice", offered=MOST_ROUNDS),
        tie_field("rounds-tie"),
        replay_field("rounds-replay", "each wins it"),
    ),
    unit=Unit("rounds", label="Rounds won"),
    standing=StandingForm(
        (ROUND, StandingField("wins", "Rounds won, in turn order", "rounds won by each seat", "each"), RESTING), _tally
    ),
)
