"""Pig, a third game in one file: one die, roll on as you like, a 1 loses the turn, hold banks it, first to the target.

No line outside this file knows it: that is the proof that a third game is one folder. Its actions are no keeps.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pubdice.core.dice import Hand, are_faces
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import Game, RoundResult, RoundSeat, Verb, uniform
from pubdice.kit import Kit, Option
from pubdice.match.formats import RACE
from pubdice.text.game_words import Beam, Confirmation, Rail
from pubdice.text.language import Language, Sentence, told_facts

Move = Literal["roll", "hold"]
FIRST = RoundSeat(0)
MOVES: tuple[Move, ...] = ("roll", "hold")


@dataclass(frozen=True, slots=True)
class Piggery:
    """A round under way: points banked by seat, whose turn, its points, the die that lies there (none: to roll)."""

    banked: tuple[int, ...]
    mover: RoundSeat = FIRST
    turn: int = 0
    die: Hand = ()


@dataclass(frozen=True, slots=True)
class Pig:
    """The rules. A turn begins with a roll."""

    target: int = 20

    @property
    def least_seats(self) -> int:
        return 2

    @property
    def most_seats(self) -> int:
        return 10

    @property
    def lowest_wins(self) -> bool:
        return False

    def start(self, seats: int) -> Piggery:
        if not self.least_seats <= seats <= self.most_seats:
            raise ValueError(f"pig seats {self.least_seats} to {self.most_seats}, not {seats}")
        return Piggery((0,) * seats)

    def _won(self, state: Piggery) -> bool:
        return state.banked[state.mover] >= self.target

    def mover(self, state: Piggery) -> RoundSeat | None:
        return None if self._won(state) else state.mover

    def to_roll(self, state: Piggery) -> int:
        return 0 if state.die or self._won(state) else 1

    def roll(self, state: Piggery, hand: Hand) -> Piggery:
        if not self.to_roll(state):
            raise IllegalAction("no-roll", state=state, action=hand)
        if len(hand) != 1 or not are_faces(hand):
            raise IllegalAction("roll-count", state=state, action=hand, due=1, got=len(hand))
        if hand == (1,):
            return Piggery(state.banked, self._next(state))
        return Piggery(state.banked, state.mover, state.turn + hand[0], hand)

    def _next(self, state: Piggery) -> RoundSeat:
        return RoundSeat((state.mover + 1) % len(state.banked))

    def legal(self, state: Piggery) -> tuple[Move, ...]:
        return MOVES if state.die else ()

    def play(self, state: Piggery, action: Move) -> Piggery:
        if action not in MOVES:
            raise IllegalAction("not-pig", state=state, action=action)
        if not state.die:
            raise IllegalAction("no-keep", state=state, action=action)
        if action == "roll":
            return Piggery(state.banked, state.mover, state.turn)
        points = (
            *state.banked[: state.mover],
            state.banked[state.mover] + state.turn,
            *state.banked[state.mover + 1 :],
        )
        held = Piggery(points, state.mover)
        return held if self._won(held) else Piggery(points, self._next(state))

    def choose(self, state: Piggery, verb: Verb, kept: Hand) -> Move:
        return "hold" if verb == "bank" else "roll"

    def gives_up(self, state: Piggery, action: Move) -> bool:
        return False

    def dice(self, state: Piggery, seat: RoundSeat) -> tuple[Hand, Hand]:
        return (), state.die if seat == state.mover else ()

    def kept(self, action: Move) -> Hand:
        return ()

    def score(self, state: Piggery, seat: RoundSeat) -> int | None:
        return state.banked[seat]

    def result(self, state: Piggery) -> RoundResult | None:
        return RoundResult((state.mover,), state.banked) if self._won(state) else None

    def write_action(self, action: Move) -> str:
        return action

    def read_action(self, text: str) -> Move:
        for move in MOVES:
            if text == move:
                return move
        raise BadNotation("action", found=text, shape="hold")

    def write_score(self, score: int) -> str:
        return str(score)


def tip(game: Game[Piggery, Move], state: Piggery) -> tuple[tuple[Move, int], ...]:
    """Hold at 20, or at the target."""
    assert isinstance(game, Pig)
    enough = state.turn >= min(20, game.target - state.banked[state.mover])
    return (("hold" if enough else "roll", 1),)


class PigWords:
    """Pig in words."""

    title = "Pig"
    tagline = "one die, hold before a 1"
    sides: tuple[str, ...] = ()
    faults: Mapping[str, Sentence] = {}

    def options(self, language: Language, game: Pig) -> str:
        return language.say("first to {target}", target=game.target)

    def told(self, language: Language, game: Pig, name: str, before: Piggery, action: Move) -> list[str]:
        if action == "roll":
            return [language.about("{name} rolled on.", "You rolled on.", name)]
        return [language.about("{name} held {turn}.", "You held {turn}.", name, turn=before.turn)]

    def rolled(self, language: Language, game: Pig, name: str, before: Piggery, dice: tuple[int, ...]) -> list[str]:
        return [language.say("The turn is lost.")] if dice == (1,) else []

    def to_roll(self, language: Language, game: Pig, state: Piggery) -> str:
        return language.say("Roll 1 die. {turn} this turn.", turn=state.turn)

    def ask(self, language: Language, game: Pig, state: Piggery) -> str:
        return language.say("{turn} this turn. Roll or hold?", turn=state.turn)

    def todo(self, language: Language, game: Pig, state: Piggery) -> str:
        return language.say("roll or hold")

    def to_choose(self, language: Language, game: Pig, state: Piggery) -> list[str]:
        return [self.ask(language, game, state)]

    def status(self, language: Language, game: Pig, state: Piggery, names: tuple[str, ...]) -> list[str]:
        return self.to_beat(language, game, state, names)

    def rail(self, language: Language, game: Pig, state: Piggery, name: str, marked: tuple[int, ...]) -> Rail | None:
        return None

    def beam(self, language: Language, game: Pig, state: Piggery, name: str, marked: tuple[int, ...]) -> Beam | None:
        return None

    def red(self, game: Pig) -> tuple[int, ...]:
        return ()

    def missing(self, language: Language, game: Pig, rule: str, facts: Mapping[str, Any]) -> str:
        return ""

    def question(self, language: Language, game: Pig, state: Piggery) -> Confirmation | None:
        return None

    def hint(self, language: Language, game: Pig, state: Piggery) -> str:
        return ""

    def to_beat(self, language: Language, game: Pig, state: Piggery, names: tuple[str, ...]) -> list[str]:
        return [language.say("{more} to go.", more=game.target - state.banked[state.mover])]

    def scores(self, language: Language, game: Pig, state: Piggery, names: tuple[str, ...]) -> list[str]:
        points = zip(names, state.banked, strict=True)
        return [language.about("{name} {score}", "you {score}", name, score=score) for name, score in points]

    def stand(self, language: Language, game: Pig, state: Piggery, seat: int, marked: tuple[int, ...]) -> str:
        return language.say("{score} banked", score=state.banked[seat])

    def score(self, language: Language, game: Pig, score: int) -> str:
        return str(score)

    def choice(self, language: Language, game: Pig, state: Piggery, action: Move) -> str:
        return language.say("roll again" if action == "roll" else "hold {turn}", turn=state.turn)

    def why(
        self, language: Language, game: Pig, state: Piggery, best: Mapping[str, float], other: Mapping[str, float]
    ) -> str:
        return ""

    def chance(self, language: Language, game: Pig, state: Piggery, facts: Mapping[str, float]) -> list[str]:
        return []

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        return [("r", "roll again"), ("b", "hold: bank the turn's total")]

    def refusal(self, language: Language, game: Pig, rule: str, facts: Mapping[str, Any]) -> str | None:
        return language.say("In Pig you roll or hold.", **told_facts(facts, language)) if rule == "not-pig" else None


KIT = Kit(
    name="pig",
    options=(Option("target", ("20", "50"), "the points that win", ("a short game", "a long one")),),
    build=lambda options: Pig(int(options["target"])),
    formats=(RACE,),
    names=("Ann", "Bob"),
    draws_from=0,
    words=PigWords(),
    policies={"tip": tip, "lucky": uniform},
    solver=None,
    rules=lambda code: "Roll a die as often as you like; a 1 loses the turn; hold banks it. First to the target wins.",
)
