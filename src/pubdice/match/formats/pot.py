"""A pot, a match format: every seat stakes chips each round, and a sole winner takes them all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pubdice.core.errors import BadNotation
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
    played_again,
    replay_field,
    round_number,
    told_again,
    undecided,
    winners_sentence,
    with_tie,
)
from pubdice.match.formats.rounds import MOST_ROUNDS, USUAL_ROUNDS
from pubdice.text.language import Language

MOST_POT_ROUNDS = 1_000
MOST_STAKE = 1_000_000
LONGEST_HELD = 20
"""The most rounds after the planned ones that a question about a pot can give."""
CHIPS = "chips"


@dataclass(frozen=True, slots=True)
class Pot(PlainFormat):
    """A match for a pot. Every seat stakes chips each round, and a sole winner takes the pot.

    After a tie or a round without a winner, the pot stays for the next round. The encyclopedia ("Rules") says that a
    tie carries the stakes, but gives no end of the match. Here the match ends after ``rounds`` rounds if the pot is
    empty. Otherwise it goes on until a seat takes the pot.

    If ``replay`` is 1, the seats that tie play the round again alone, for the pot as it stands, until one takes it
    (Wikipedia, "Threes", has a roll-off with an extra stake).
    """

    stake: int = 1
    rounds: int = USUAL_ROUNDS
    replay: int = 0
    prize: ClassVar[str] = "chips"
    is_one_round: ClassVar[bool] = False

    @property
    def kind(self) -> FormatKind:
        """The kind of this format."""
        return POT

    @property
    def numbers(self) -> tuple[int, ...]:
        """The stake, the number of rounds, then 1 for replays."""
        return self.stake, self.rounds, self.replay

    @property
    def words(self) -> "PotWords":
        """The sentences of this format."""
        return PotWords(self)

    @property
    def rounds_planned(self) -> int:
        """The rounds after which the match ends. If chips are then in the pot, it goes on."""
        return self.rounds

    def open(self, tally: Tally) -> Tally:
        """Return the tally after every seat pays its stake into the pot. A replay costs nothing more."""
        if tally.began is not None:
            return tally
        points = tuple(chips - self.stake for chips in tally.points)
        return Tally(tally.rounds, points, tally.pot + self.stake * len(points), tally.out)

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        """Return the tally after the round: a sole winner takes the pot, otherwise it stays for the next round."""
        if undecided(self, tally, result):
            return played_again(tally, result, order)
        if len(result.winners) != 1:
            return Tally(tally.rounds + 1, tally.points, tally.pot, tally.out)
        points = tuple(chips + tally.pot * (seat == result.winners[0]) for seat, chips in enumerate(tally.points))
        return Tally(tally.rounds + 1, points, 0, tally.out)

    def over(self, tally: Tally) -> bool:
        """Return True if the planned rounds are over and the pot is empty."""
        return tally.rounds >= self.rounds and tally.pot == 0

    def takings(self, tally: Tally) -> tuple[int, ...]:
        """Return the chips that each seat has won or lost."""
        return tally.points

    def slate(self, tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the slate as data: the ``chips`` by player's name, and the chips in the ``pot``."""
        return {"chips": dict(zip(names, tally.points, strict=True)), "pot": tally.pot}


@dataclass(frozen=True, slots=True)
class PotWords:
    """The sentences of a match for a pot: the chips in it, the seat that takes it, and each seat's gain or loss."""

    format: Pot

    def rules(self, language: Language) -> str:
        """Return the stake and the number of rounds in a few words."""
        rounds = language.count("{number} round", "{number} rounds", self.format.rounds)
        chips = _chips(language, self.format.stake)
        rules = language.say("a pot, everyone antes {chips} a round, {rounds}", chips=chips, rounds=rounds)
        return with_tie(language, rules, self.format)

    def opens(self, to: Audience, number: int, tally: Tally) -> list[str]:
        """Return the round's number, with the chips in the pot. A replay's players are known from the tie."""
        if tally.began is not None:
            return []
        pot = _chips(to.language, tally.pot)
        return [to.language.say("Round {number}, {pot} in the pot.", number=number, pot=pot)]

    def ended(self, to: Audience, end: RoundEnd) -> list[str]:
        """Say which seat takes the pot, or that it stays in.

        If it stays after the last planned round, announce one more.
        """
        say, winners = to.language.say, end.result.winners
        if end.after.began is not None:
            return [told_again(to, end)]
        facts: dict[str, Any] = {"number": end.number, "pot": end.before.pot}
        if not winners:
            carried = say("Round {number}: no points. The pot of {pot} stays in.", **facts)
        else:
            facts["score"] = to.score(end.result.scores[winners[0]])
            if len(winners) == 1:
                text = (
                    "Round {number}: {name} takes the pot of {pot} with {score}.",
                    "Round {number}: you take the pot of {pot} with {score}.",
                )
                return [to.language.about(*text, to.name(winners[0]), **facts)]
            tied = "Round {number}: {names} tie with {score}. The pot of {pot} stays in."
            carried = say(tied, names=to.listed(winners), **facts)
        if end.number < self.format.rounds:
            return [carried]
        return [carried, say("The pot is still in, so there is one more round.")]

    def standing(self, to: Audience, tally: Tally, *, over: bool, last: Result | None) -> list[str]:
        """Return each seat's gain or loss, and the chips in the pot."""
        say = to.language.say
        if tally.began is not None and not over:
            return []
        pot = [say("In the pot: {pot}.", pot=_chips(to.language, tally.pot))] if tally.pot else []
        return [say("Score: {scores}.", scores=_slate(to, tally)), *pot]

    def ending(self, to: Audience, tally: Tally, last: Result | None) -> list[str]:
        """Return the winner, then each seat's gain or loss."""
        even = to.language.say("That was the last round, and everybody is even.")
        return [winners_sentence(to, tally, even), *self.standing(to, tally, over=True, last=None)]

    def seat_note(self, tally: Tally, seat: Seat) -> str:
        """Return the chips that the seat has won or lost, with a sign."""
        points = tally.points[seat]
        return f"{points:+d}".replace("-", "\N{MINUS SIGN}") if points else "0"


def _chips(language: Language, number: int) -> str:
    return language.count("{number} chip", "{number} chips", number)


def _slate(to: Audience, tally: Tally) -> str:
    def stand(name: str, chips: int) -> str:
        text = "{name} is up {chips}", "you are up {chips}"
        if chips <= 0:
            text = ("{name} is down {chips}", "you are down {chips}") if chips else ("{name} is even", "you are even")
        return to.language.about(*text, name, chips=abs(chips))

    return ", ".join(stand(to.name(seat), chips) for seat, chips in enumerate(tally.points))


def _lost(language: Language, names: Sequence[str], amount: int) -> str:
    others = [name for name in names if name]
    if not others:
        text = (
            "You have lost one chip, the most, and buy.",
            "You have lost {number} chips, the most, and buy.",
        )
        return language.count(*text, amount)
    if len(names) == 1:
        text = (
            "{name} has lost one chip, the most, and buys.",
            "{name} has lost {number} chips, the most, and buys.",
        )
        return language.count(*text, amount, name=names[0])
    text = (
        "{names} have lost one chip each, the most, and share the bill.",
        "{names} have lost {number} chips each, the most, and share the bill.",
    )
    if len(others) < len(names):
        text = (
            "You and {names} have lost one chip each, the most, and share the bill.",
            "You and {names} have lost {number} chips each, the most, and share the bill.",
        )
    return language.one_list(language.count(*text, amount, names=language.join(others)), others)


def _tally(form: Pot, seats: int, given: StandingNumbers) -> Tally:
    """Return the tally that the numbers describe, for a question about a pot. Raise BadNotation if no match reaches it.

    The pot holds all chips that the seats have lost. A seat's gains are a whole number of times all seats' stakes.
    """
    number, all_stakes = round_number(given, MOST_POT_ROUNDS + LONGEST_HELD), form.stake * seats
    paid = form.stake * number
    chips = for_each(given, CHIPS, (-paid,) * seats if number == 1 else (), -paid, paid * seats)
    pot = -sum(chips)
    if not all_stakes <= pot <= all_stakes * number or any((have + paid) % all_stakes for have in chips):
        raise BadNotation("standing-pot", flag=CHIPS, ante=form.stake, paid=paid, together=all_stakes)
    held = pot // all_stakes - 1
    if number - held > form.rounds:
        raise BadNotation("standing-over")
    return in_replay(form, Tally(number - 1, chips, pot), given)


POT = FormatKind(
    "pot",
    label="Pot",
    meaning="everyone antes up each round. The best score takes the pot. On a tie it stays in",
    build=Pot,
    fields=(
        FormatField("stake", "Ante", 1, MOST_STAKE, 1),
        FormatField(
            "pot-rounds",
            "Rounds (more if the pot is still in)",
            1,
            MOST_POT_ROUNDS,
            USUAL_ROUNDS,
            control="choice",
            offered=MOST_ROUNDS,
            word="rounds",
        ),
        replay_field("pot-replay", "the pot stays in"),
    ),
    unit=Unit("chips", label="Chips", lost=_lost),
    standing=StandingForm(
        (
            ROUND,
            StandingField(
                CHIPS,
                "Chips won or lost, in turn order",
                "gain of each seat so far, with a minus for a loss, and with the antes of this round paid",
                "each",
            ),
            RESTING,
        ),
        _tally,
    ),
)
