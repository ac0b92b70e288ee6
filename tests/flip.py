"""Flip, a game the house has not, in one file: one die, the lowest wins, a 6 is turned over to count 1, one more roll.

It has what no game of the house has: the lowest score wins though turns are its own (no ``TurnGame``), a forced action
stands before another action, and a roll ends a round, also for one seat.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from pubdice.core.dice import Hand
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import MOST_SEATS, RoundResult, RoundSeat, Verb, sorted_roll, uniform
from pubdice.kit import Kit
from pubdice.match.formats import POT, ROUNDS
from pubdice.text.game_words import PlainWords
from pubdice.text.language import Language, Sentence

Act = Literal["again", "flip", "stay"]
ACTS: tuple[Act, ...] = ("again", "flip", "stay")
HIGH, LOW = 6, 1


@dataclass(frozen=True, slots=True)
class FlipRound:
    """A round under way: the scores of those who are done, the die that lies there, what it counts; 0 before a roll.

    again: whether the mover has said so, and the die is due.
    """

    seats: int
    scores: tuple[int, ...] = ()
    die: Hand = ()
    have: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Flip:
    """The rules. The die of the first roll may stay, or is rolled once more and counts as it falls."""

    least_seats: ClassVar[int] = 1
    most_seats: ClassVar[int] = MOST_SEATS
    lowest_wins: ClassVar[bool] = True

    def start(self, seats: int) -> FlipRound:
        if not self.least_seats <= seats <= self.most_seats:
            raise ValueError(f"flip seats {self.least_seats} to {self.most_seats}, not {seats}")
        return FlipRound(seats)

    def mover(self, state: FlipRound) -> RoundSeat | None:
        return RoundSeat(len(state.scores)) if len(state.scores) < state.seats else None

    def to_roll(self, state: FlipRound) -> int:
        return int(len(state.scores) < state.seats and (state.again or not state.have))

    def roll(self, state: FlipRound, hand: Hand) -> FlipRound:
        (face,) = sorted_roll(state, hand, self.to_roll(state))
        if state.again:
            return FlipRound(state.seats, (*state.scores, face))
        return FlipRound(state.seats, state.scores, (face,), face)

    def legal(self, state: FlipRound) -> tuple[Act, ...]:
        if not state.have or state.again:
            return ()
        return ("flip",) if state.have == HIGH else ("again", "stay")

    def play(self, state: FlipRound, action: Act) -> FlipRound:
        if action not in self.legal(state):
            raise IllegalAction("no-choice", state=state, action=action)
        if action == "flip":
            return FlipRound(state.seats, state.scores, (), LOW)
        if action == "again":
            return FlipRound(state.seats, state.scores, (), state.have, again=True)
        return FlipRound(state.seats, (*state.scores, state.have))

    def choose(self, state: FlipRound, verb: Verb, kept: Hand) -> Act:
        legal = self.legal(state)
        if not legal:
            raise IllegalAction("no-choice", state=state, action=verb)
        return legal[0] if verb == "roll" else legal[-1]

    def gives_up(self, state: FlipRound, action: Act) -> bool:
        return False

    def dice(self, state: FlipRound, seat: RoundSeat) -> tuple[Hand, Hand]:
        return (), state.die if seat == len(state.scores) else ()

    def kept(self, action: Act) -> Hand:
        return ()

    def score(self, state: FlipRound, seat: RoundSeat) -> int | None:
        return state.scores[seat] if seat < len(state.scores) else None

    def result(self, state: FlipRound) -> RoundResult | None:
        if len(state.scores) < state.seats:
            return None
        best = min(state.scores)
        return RoundResult(tuple(RoundSeat(at) for at, have in enumerate(state.scores) if have == best), state.scores)

    def write_action(self, action: Act) -> str:
        return action

    def read_action(self, text: str) -> Act:
        for act in ACTS:
            if text == act:
                return act
        raise BadNotation("action", found=text, shape="stay")

    def write_score(self, score: int) -> str:
        return str(score)


class FlipWords(PlainWords[Flip]):
    """Flip in words."""

    title = "Flip"
    tagline = "one die, the lowest wins"
    refusals: Mapping[str, Sentence] = {"no-choice": "There is nothing to choose yet."}

    def told(self, language: Language, game: Flip, name: str, before: FlipRound, action: Act) -> list[str]:
        if action == "flip":
            return [language.about("{name} turned the 6 over.", "You turned the 6 over.", name)]
        if action == "again":
            return [language.about("{name} rolled again.", "You rolled again.", name)]
        return [language.about("{name} stayed with {have}.", "You stayed with {have}.", name, have=before.have)]

    def ask(self, language: Language, game: Flip, state: FlipRound) -> str:
        return language.say("You have {have}. Roll again or stay?", have=state.have)

    def todo(self, language: Language, game: Flip, state: FlipRound) -> str:
        return language.say("roll again or stay")

    def status(self, language: Language, game: Flip, state: FlipRound, names: tuple[str, ...]) -> list[str]:
        return self.to_beat(language, game, state, names) if state.scores else []

    def to_beat(self, language: Language, game: Flip, state: FlipRound, names: tuple[str, ...]) -> list[str]:
        if not state.scores:
            return super().to_beat(language, game, state, names)
        best = min(state.scores)
        name = names[state.scores.index(best)]
        return [language.about("{name} leads with {score}.", "You lead with {score}.", name, score=best)]

    def choice(self, language: Language, game: Flip, state: FlipRound, action: Act) -> str:
        return language.say(
            {"again": "roll again", "flip": "turn the 6 over", "stay": "stay with {have}"}[action], have=state.have
        )

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        return [("r", language.say("roll again")), ("b", language.say("stay: your die counts"))]


def tip(game: Flip, state: FlipRound) -> tuple[tuple[Act, int], ...]:
    """Stay with less than 4; turn a 6 over."""
    legal = game.legal(state)
    return ((legal[0 if len(legal) == 1 or state.have > 3 else 1], 1),)


KIT = Kit(
    name="flip",
    options=(),
    build=lambda options: Flip(),
    formats=(ROUNDS, POT),
    names=("Ann", "Bob"),
    draws_from=0,
    words=FlipWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=lambda code: "Roll a die; a 6 is turned over and counts 1. Stay, or roll once more. The lowest score wins.",
)
