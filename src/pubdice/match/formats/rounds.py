"""Rounds: a number of them, and the most round wins take the match."""

from dataclasses import dataclass
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
    Unit,
    for_each,
    nobody_scored,
    round_number,
    tie_field,
    winners_sentence,
    with_tie,
)
from pubdice.text.game_words import kept_names
from pubdice.text.language import Language, sentence

MOST_ROUNDS = 20
USUAL_ROUNDS = 5


class PlannedRounds(PlainFormat):
    """The numbers of a format of so many rounds, as ``Rounds`` and ``Total`` have them."""

    __slots__ = ()
    number: int
    rolloff: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of rounds, and whether a tie is rolled off."""
        return self.number, self.rolloff

    @property
    def rounds_planned(self) -> int:
        """The number of rounds."""
        return self.number

    @property
    def is_one_round(self) -> bool:
        """True if the number is 1."""
        return self.number == 1

    def over(self, tally: Tally) -> bool:
        """True after the chosen number of rounds."""
        return tally.rounds >= self.number


@dataclass(frozen=True, slots=True)
class Rounds(PlannedRounds):
    """A number of rounds, 1 to 20; a round win to every winner, tied ones too; most round wins take the match.

    Equal leaders share it, at 0 wins each too (PlayPalace, "Winning a Round", "Winning the Game"). rolloff: 1 if they
    roll one die each for it (the Incompleat Gamester, "Midnight").
    """

    number: int = USUAL_ROUNDS
    rolloff: int = 0
    prize: ClassVar[str] = "round wins"
    stake: ClassVar[int] = 0

    @property
    def kind(self) -> FormatKind:
        """The kind of format this is: rounds."""
        return ROUNDS

    @property
    def words(self) -> "RoundsWords":
        """The sentences for rounds."""
        return RoundsWords(self)

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """A round win to each winner."""
        return tally.credit(result.winners)

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """Each seat's round wins."""
        return tally.points

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """The slate as data: ``round_wins`` by name."""
        return {"round_wins": dict(zip(names, tally.points, strict=True))}


@dataclass(frozen=True, slots=True)
class RoundsWords:
    """Rounds in words. A single round is told by its scores; of several, who has won how many."""

    format: Rounds

    def rules(self, language: Language) -> str:
        """The format's own rule in words: its number of rounds."""
        rounds = language.count("{number} round", "{number} rounds", self.format.number)
        return with_tie(language, rounds, self.format)

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """The round's number, where there are several."""
        return [] if self.format.is_one_round else [to.language.say("Round {number}.", number=number)]

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """The winner of a round, and the score; of a single round only the tie that is rolled off."""
        if self.format.is_one_round:
            return _scored(to, end.result) if self.format.rolloff and len(end.after.leaders) > 1 else []
        winners = end.result.winners
        if not winners:
            return [to.language.say("Round {number}: nobody scored, nobody wins it.", number=end.number)]
        score = to.score(end.result.scores[winners[0]])
        if len(winners) == 1:
            text = "{name} wins round {number} with {score}.", "You win round {number} with {score}."
            return [to.language.about(*text, to.name(winners[0]), number=end.number, score=score)]
        tied = "Round {number}: {names} tie with {score}, a round each."
        return [to.language.say(tied, number=end.number, names=to.listed(winners), score=score)]

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """Everybody's round wins; of a single round that is over, everybody's score."""
        seats = range(len(to.names))
        if len(seats) > 1 and self.format.is_one_round and last is not None and over:
            scores = ", ".join(_name_and_points(to, seat, to.score(last.scores[seat])) for seat in seats)
            return [to.language.say("Score: {scores}.", scores=scores)]
        if len(seats) == 1 or self.format.is_one_round or not tally.rounds:
            return []
        wins = ", ".join(_name_and_points(to, seat, tally.points[seat]) for seat in seats)
        return [to.language.say("Rounds won: {wins}.", wins=wins)]

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """The seat with the most round wins; of a single round, its scores say all, each once."""
        if last is not None and self.format.is_one_round and tally.won is None:
            return _scored(to, last) if last.winners else [nobody_scored(to)]
        return [winners_sentence(to, tally, nobody_scored(to)), *self.standing(to, tally, over=True, last=last)]

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """The rounds won, where there are several to win: a chalk stroke each, five in a bundle."""
        fives, ones = divmod(tally.points[seat], 5)
        return "" if self.format.is_one_round else " ".join([*["|||||"] * fives, *["|" * ones] * (ones > 0)])


def _scored(to: Audience, last: Result) -> list[str]:
    """A single round by its scores, each once."""
    if not last.winners:
        return [to.language.say("Nobody scored.")]
    score = to.score(last.scores[last.winners[0]])
    if len(last.winners) == 1:
        text = "{name} wins with {score}.", "You win with {score}."
        decided = to.language.about(*text, to.name(last.winners[0]), score=score)
    else:
        decided = to.language.say("{names} tie with {score}.", names=to.listed(last.winners), score=score)
    others = [seat for seat in range(len(to.names)) if seat not in last.winners]
    has = "{name} has {score}.", "You have {score}."
    return [
        sentence(decided, kept_names(to.names)),
        *(to.language.about(*has, to.name(seat), score=to.score(last.scores[seat])) for seat in others),
    ]


def _name_and_points(to: Audience, seat: int, points: object) -> str:
    return to.language.about("{name} has {score}", "you have {score}", to.name(seat), score=points)


def _tally(form: Rounds, seats: int, given: StandingNumbers) -> Tally:
    """Nobody has won more rounds than are over."""
    over = round_number(given, form.number) - 1
    return Tally(over, for_each(given, "wins", () if over else (0,) * seats, 0, over))


ROUNDS = FormatKind(
    "rounds",
    label="Rounds",
    meaning="best score wins the round (ties share it); most rounds wins",
    build=Rounds,
    fields=(
        FormatField("rounds", "Rounds", 1, MOST_ROUNDS, USUAL_ROUNDS, control="choice", offered=MOST_ROUNDS),
        tie_field("rounds-tie"),
    ),
    unit=Unit("rounds", label="Rounds won"),
    standing=StandingForm(
        (ROUND, StandingField("wins", "Rounds won, in turn order", "how many rounds each seat has won", "each")), _tally
    ),
)
