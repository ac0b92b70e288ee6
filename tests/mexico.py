"""Mexico, a game the house has not: two dice, the first sets how many rolls the others have, the lowest loses a life.

A pair of different dice counts as its digits, the higher one first; a double counts a hundred times its face; 2 and 1
is Mexico, the best of all. It is played in a format of its own, ``lives``; no line outside these two files knows it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lives import LIVES
from pig import MOVES, Move, PigWords
from pubdice.core.dice import Hand
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import Game, RoundResult, RoundSeat, Verb, sorted_roll, uniform
from pubdice.kit import Kit
from pubdice.text.language import Language, told_facts

MOST_ROLLS = 3
MEXICO = 1000


def worth(hand: Hand) -> int:
    """What two dice count.

    >>> worth((1, 2)), worth((3, 3)), worth((4, 6))
    (1000, 300, 64)
    """
    low, high = hand
    return MEXICO if hand == (1, 2) else 100 * low if low == high else 10 * high + low


@dataclass(frozen=True, slots=True)
class Cups:
    """A round under way: the scores so far, how many rolls a turn has, how many the mover has had, what lies there."""

    seats: int
    scores: tuple[int, ...] = ()
    limit: int = MOST_ROLLS
    rolls: int = 0
    dice: Hand = ()


@dataclass(frozen=True, slots=True)
class Mexico:
    """The rules. The last roll a turn has is banked by itself."""

    @property
    def least_seats(self) -> int:
        return 2

    @property
    def most_seats(self) -> int:
        return 10

    @property
    def lowest_wins(self) -> bool:
        return False

    def start(self, seats: int) -> Cups:
        if not self.least_seats <= seats <= self.most_seats:
            raise ValueError(f"mexico seats {self.least_seats} to {self.most_seats}, not {seats}")
        return Cups(seats)

    def mover(self, state: Cups) -> RoundSeat | None:
        return RoundSeat(len(state.scores)) if len(state.scores) < state.seats else None

    def to_roll(self, state: Cups) -> int:
        return 0 if state.dice or self.mover(state) is None else 2

    def roll(self, state: Cups, hand: Hand) -> Cups:
        hand = sorted_roll(state, hand, self.to_roll(state))
        rolled = Cups(state.seats, state.scores, state.limit, state.rolls + 1, hand)
        return self._bank(rolled) if rolled.rolls == rolled.limit else rolled

    def _bank(self, state: Cups) -> Cups:
        limit = state.limit if state.scores else state.rolls
        return Cups(state.seats, (*state.scores, worth(state.dice)), limit)

    def legal(self, state: Cups) -> tuple[Move, ...]:
        return MOVES if state.dice else ()

    def play(self, state: Cups, action: Move) -> Cups:
        if action not in MOVES:
            raise IllegalAction("not-mexico", state=state, action=action)
        if not state.dice:
            raise IllegalAction("no-keep", state=state, action=action)
        return self._bank(state) if action == "hold" else Cups(state.seats, state.scores, state.limit, state.rolls)

    def choose(self, state: Cups, verb: Verb, kept: Hand) -> Move:
        return "hold" if verb == "bank" else "roll"

    def gives_up(self, state: Cups, action: Move) -> bool:
        return False

    def dice(self, state: Cups, seat: RoundSeat) -> tuple[Hand, Hand]:
        return (), state.dice if seat == len(state.scores) else ()

    def kept(self, action: Move) -> Hand:
        return ()

    def score(self, state: Cups, seat: RoundSeat) -> int | None:
        return state.scores[seat] if seat < len(state.scores) else None

    def result(self, state: Cups) -> RoundResult | None:
        if self.mover(state) is not None:
            return None
        best = max(state.scores)
        return RoundResult(
            tuple(RoundSeat(seat) for seat in range(state.seats) if state.scores[seat] == best), state.scores
        )

    def write_action(self, action: Move) -> str:
        return action

    def read_action(self, text: str) -> Move:
        for move in MOVES:
            if text == move:
                return move
        raise BadNotation("action", found=text, shape="hold")

    def write_score(self, score: int) -> str:
        return str(score)


def tip(game: Game[Cups, Move], state: Cups) -> tuple[tuple[Move, int], ...]:
    """Hold from 61 up."""
    return (("hold" if worth(state.dice) >= 61 else "roll", 1),)


class MexicoWords(PigWords):
    """Mexico in words: those of Pig, where one rolls or holds too, but for what the dice count."""

    title = "Mexico"
    tagline = "two dice, the lowest loses a life"

    def options(self, language: Language, game: Any) -> str:
        return ""

    def told(self, language: Language, game: Any, name: str, before: Any, action: Any) -> list[str]:
        if action == "roll":
            return [language.about("{name} rolled on.", "You rolled on.", name)]
        return [
            language.about(
                "{name} held {dice}.", "You held {dice}.", name, dice=self.score(language, game, worth(before.dice))
            )
        ]

    def rolled(self, language: Language, game: Any, name: str, before: Any, dice: tuple[int, ...]) -> list[str]:
        return [language.say("That is {dice}.", dice=self.score(language, game, worth(tuple(sorted(dice)))))]

    def to_roll(self, language: Language, game: Any, state: Any) -> str:
        return language.say("Roll 2 dice: roll {number} of {limit}.", number=state.rolls + 1, limit=state.limit)

    def ask(self, language: Language, game: Any, state: Any) -> str:
        return language.say("You have {dice}. Roll or hold?", dice=self.score(language, game, worth(state.dice)))

    def to_beat(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        if not state.scores:
            return []
        least = self.score(language, game, min(state.scores))
        return [language.say("The lowest so far is {least}.", least=least)]

    def scores(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        points = [(name, self.score(language, game, score)) for name, score in zip(names, state.scores, strict=False)]
        return [language.about("{name} {score}", "you {score}", name, score=score) for name, score in points]

    def stand(self, language: Language, game: Any, state: Any, seat: int, marked: tuple[int, ...]) -> str:
        return ""

    def score(self, language: Language, game: Any, score: int) -> str:
        return language.say("Mexico") if score == MEXICO else str(score)

    def choice(self, language: Language, game: Any, state: Any, action: Any) -> str:
        return language.say("roll again" if action == "roll" else "hold")

    def refusal(self, language: Language, game: Any, rule: str, facts: Mapping[str, Any]) -> str | None:
        return (
            language.say("In Mexico you roll or hold.", **told_facts(facts, language)) if rule == "not-mexico" else None
        )


KIT = Kit(
    name="mexican",
    options=(),
    build=lambda options: Mexico(),
    formats=(LIVES,),
    names=("Ann", "Bob"),
    draws_from=0,
    words=MexicoWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=lambda code: "The first has three rolls, and the others as many as the first took. The lowest loses a life.",
)
