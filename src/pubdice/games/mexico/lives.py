"""Lives, a match format: the lowest score of a round loses a life, a tie is played off, and the last seat left wins.

Sources: Wikipedia's article ("Play": one player pays each round, the loser opens the next, tied players play a round of
their own), What Game Works ("How to Win") and PairedGames ("Setup": 3 lives). docs/games/index.md has our readings.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from pubdice.core.errors import BadNotation
from pubdice.core.game import Result, Seat
from pubdice.games.mexico.rules import MEXICO
from pubdice.match.formats import (
    LEAST_TIED,
    RESTING,
    Audience,
    Format,
    FormatField,
    FormatKind,
    PlainFormat,
    RoundEnd,
    StandingField,
    StandingForm,
    StandingNumbers,
    Tally,
    for_each,
    resting_seats,
)
from pubdice.text.language import Language

MOST_LIVES = 12
USUAL_LIVES = 3
OFFERED = 6
MOST_LOST = 2


@dataclass(frozen=True, slots=True)
class Lives(PlainFormat):
    """A match of lives. ``Tally.points`` are the lives that each seat has left.

    If seats tie for the lowest score, they play the next round alone until one of them has lost. All other seats rest
    meanwhile (``Tally.resting``). Two seats never drop out together, so one is always left.
    """

    lives: int = USUAL_LIVES
    lost: int = 1
    """The lives that a round with a Mexico costs.

    Its play-offs cost the same (``Tally.pot`` is 1 in such a play-off).
    """
    openers: ClassVar[tuple[str, ...]] = ("loser", "rotate", "winner")
    prize: ClassVar[str] = "lives"
    stake: ClassVar[int] = 0
    rounds_planned: ClassVar[int] = 0
    is_one_round: ClassVar[bool] = False

    @property
    def kind(self) -> FormatKind:
        """The kind of this format, lives."""
        return LIVES

    @property
    def numbers(self) -> tuple[int, ...]:
        """The lives of each seat, then the lives that a round with a Mexico costs."""
        return (self.lives, self.lost)

    @property
    def words(self) -> "LivesWords":
        """The sentences for lives."""
        return LivesWords(self)

    def start(self, seats: int) -> Tally:
        """Return the tally before the first round: each seat has all its lives."""
        return Tally(0, (self.lives,) * seats)

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """Take lives from the lowest seat. If several seats tie for the lowest score, only they play the next round."""
        lowest = _lowest(result, order)
        doubled = self.lost > 1 and (tally.pot > 0 or MEXICO in result.scores)
        if len(lowest) > 1:
            resting = tuple(seat for seat in tally.still_in if seat not in lowest)
            return Tally(tally.rounds + 1, tally.points, int(doubled), tally.out, resting)
        loser, lost = lowest[0], self.lost if doubled else 1
        points = tuple(max(0, have - lost) if seat == loser else have for seat, have in enumerate(tally.points))
        return Tally(tally.rounds + 1, points, 0, tally.out if points[loser] else (*tally.out, loser))

    def over(self, tally: Tally) -> bool:
        """Return True if at most one seat is left."""
        return len(tally.still_in) <= 1

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Return the last seat left, as a tuple of one."""
        return tally.still_in

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the slate as data: the ``lives`` by player's name, and the names that are ``out``, in order."""
        return {"lives": dict(zip(names, tally.points, strict=True)), "out": [names[seat] for seat in tally.out]}

    def write(self) -> str:
        """Write the format as notation: ``lives 3``, or ``lives 3 mexico 2`` if a round with a Mexico costs two."""
        return LIVES.write(self.numbers) if self.lost > 1 else f"{LIVES.name} {self.lives}"


def _lowest(result: Result, order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    least = min(result.scores[seat] for seat in order)
    return tuple(seat for seat in order if result.scores[seat] == least)


@dataclass(frozen=True, slots=True)
class LivesWords:
    """The sentences of a match of lives."""

    format: Lives

    def rules(self, language: Language) -> str:
        """Return the number of lives. If a round with a Mexico costs more than one, return that number too."""
        lives = language.count("{number} life each", "{number} lives each", self.format.lives)
        if self.format.lost == 1:
            return lives
        return language.say("{lives}, {number} lost if a player rolls Mexico", lives=lives, number=self.format.lost)

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """Return the round's number. In a play-off, return its players too."""
        if not tally.resting:
            return [to.language.say("Round {number}.", number=number)]
        text = "Round {number} is a play-off: {names}."
        return [to.language.say(text, number=number, names=to.listed(tally.playing))]

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """Say which seat lost, with its score, and if it is out. After a tie, name the tied seats."""
        language, lowest = to.language, _lowest(end.result, end.order)
        facts: dict[str, Any] = {"score": to.score(end.result.scores[lowest[0]])}
        if len(lowest) > 1:
            text = "{names} tie for the lowest with {score}.", "You and {names} tie for the lowest with {score}."
            return [language.about_all(*text, [to.name(seat) for seat in lowest], **facts)]
        loser = lowest[0]
        lost, left = end.before.points[loser] - end.after.points[loser], end.after.points[loser]
        name = to.name(loser)
        told = (
            (
                "{name} has the lowest, {score}, and loses a life.",
                "{name} has the lowest, {score}, and loses {number} lives.",
            )
            if name
            else (
                "You have the lowest, {score}, and lose a life.",
                "You have the lowest, {score}, and lose {number} lives.",
            )
        )
        gone = [] if left else [language.about("{name} is out.", "You are out.", name)]
        return [language.count(*told, lost, name=name, **facts), *gone]

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """Return the lives left of every seat that is still in the match."""
        if not tally.rounds or over or tally.resting:
            return []
        lives = [
            to.language.about("{name} has {score}", "you have {score}", to.name(seat), score=tally.points[seat])
            for seat in tally.still_in
        ]
        return [to.language.say("Lives: {lives}.", lives=", ".join(lives))]

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """Return the winner, and the number of lives it has left."""
        seat = tally.still_in[0]
        won = to.language.about("{name} wins!", "You win!", to.name(seat))
        return [won, to.language.count("{number} life left.", "{number} lives left.", tally.points[seat])]

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """Return a heart for each life, filled if the seat still has it.

        If there are more lives than can be seen at a glance (``OFFERED``), return their number with one heart.
        """
        left = tally.points[seat]
        if self.format.lives > OFFERED:
            return f"{left}\N{NO-BREAK SPACE}\N{BLACK HEART SUIT}"
        return "\N{BLACK HEART SUIT}" * left + "\N{WHITE HEART SUIT}" * (self.format.lives - left)


def same_openers(language: Language, form: Format, seats: int) -> str:
    """Return the reason why loser and winner as opener give the same chances. Return "" if the chances may differ.

    The chances are the same for two seats that lose one life a round. The proof is as for the serve in racket games:

    - A tie is played off with the same opener, so each decided round has one opener. Best play of a round does not
      depend on the lives left, so an opener wins it with the same chance q each time.
    - Let each seat have n lives. Seat 0 opens the first round. After that a seat opens once for each round it has won
      (or lost, under the other rule). So by the end of the match seat 0 has opened at most n decided rounds and seat 1
      at most n - 1.
    - Play on until seat 0 has opened n and seat 1 has opened n - 1. The match winner has n wins of these 2 n - 1
      rounds, so the extra rounds change nothing.
    - Under both rules, seat 0's chance to win the match is therefore the chance of at least n wins in these rounds: n
      with chance q, and n - 1 with chance 1 - q.

    If Mexico costs two lives, a match of several lives has another number of rounds, and the proof fails.
    """
    if not isinstance(form, Lives) or seats != LEAST_TIED or min(form.lost, form.lives) > 1:
        return ""
    if form.lives == 1:
        return language.say(
            "With two players and one life, loser or winner makes no difference: only a tie leads to another round, "
            "and the same player starts it."
        )
    return language.say(
        "With two players, loser or winner makes no difference: if you play all {rounds} rounds, not counting ties, "
        "the first player starts {first} of them and the other {second}, only in another order.",
        rounds=2 * form.lives - 1,
        first=form.lives,
        second=form.lives - 1,
    )


def _tally(form: Lives, seats: int, given: StandingNumbers) -> Tally:
    """Return the tally that the flags describe. Raise BadNotation if no match reaches it."""
    lives = for_each(given, "lives-left", (form.lives,) * seats, 0, form.lives)
    (doubled,) = given.get("doubled", (0,))
    if not 0 <= doubled < form.lost:
        raise BadNotation("flag-number", flag="doubled", found=doubled, least=0, most=form.lost - 1)
    out = tuple([Seat(seat) for seat, left in enumerate(lives) if not left])
    resting = resting_seats(given)
    tally = Tally(1, lives, doubled, out, resting)  # any number of rounds, but not 0: the match is under way
    if form.over(tally):
        raise BadNotation("standing-over")
    if len(tally.playing) < LEAST_TIED or set(resting) & set(out):
        raise BadNotation("standing-resting", flag=RESTING.key)
    return tally


LIVES = FormatKind(
    "lives",
    label="Lives",
    meaning="the lowest score loses a life, a tie for it is played off. The last player left wins",
    build=Lives,
    fields=(
        FormatField("lives", "Lives each", 1, MOST_LIVES, USUAL_LIVES, control="choice", offered=OFFERED),
        FormatField(
            "mexico", "Lives lost with Mexico", 1, MOST_LOST, 1, control="choice", offered=MOST_LOST, word="mexico"
        ),
    ),
    standing=StandingForm(
        (
            StandingField("lives-left", "Lives left, in turn order", "lives left at each seat", "each"),
            RESTING,
            StandingField(
                "doubled",
                "Play-off after a Mexico (1: yes)",
                "1 in a play-off of a round with a Mexico, if a Mexico costs more",
                "number",
            ),
        ),
        _tally,
    ),
)
