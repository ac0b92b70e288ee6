"""Pig, a test game in one file. A player rolls one die as often as they like. A 1 ends the turn and loses its points,
and "hold" banks them. The first player to reach the target wins.

No code outside this file knows Pig, so it shows that a game needs no more than one folder.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pubdice.core.dice import Hand
from pubdice.core.game import Game, MoveGame, RoundResult, RoundSeat, uniform
from pubdice.kit import Kit, Option
from pubdice.match.formats import RACE
from pubdice.text.game_words import Count, Things
from pubdice.text.language import Language
from pubdice.text.move_words import MoveWords

FIRST = RoundSeat(0)


@dataclass(frozen=True, slots=True)
class Piggery:
    """A round in progress. ``turn`` has the points of this turn, which are not yet banked. A roll is due if ``die`` is
    empty.
    """

    banked: tuple[int, ...]
    mover: RoundSeat = FIRST
    turn: int = 0
    die: Hand = ()


@dataclass(frozen=True, slots=True)
class Pig(MoveGame[Piggery]):
    """The rules of Pig. Each turn begins with a roll."""

    target: int = 20
    least_seats: ClassVar[int] = 2
    most_seats: ClassVar[int] = 10
    moves: ClassVar[tuple[str, ...]] = ("roll", "hold")

    def begin(self, seats: int) -> Piggery:
        return Piggery((0,) * seats)

    def _won(self, state: Piggery) -> bool:
        return state.banked[state.mover] >= self.target

    def mover(self, state: Piggery) -> RoundSeat | None:
        return None if self._won(state) else state.mover

    def legal(self, state: Piggery) -> tuple[str, ...]:
        return self.moves if state.die else ()

    def after_roll(self, state: Piggery, dice: Hand) -> Piggery:
        if dice == (1,):
            return Piggery(state.banked, self._next(state))
        return Piggery(state.banked, state.mover, state.turn + dice[0], dice)

    def _next(self, state: Piggery) -> RoundSeat:
        return RoundSeat((state.mover + 1) % len(state.banked))

    def after_move(self, state: Piggery, move: str) -> Piggery:
        if move == "roll":
            return replace(state, die=())
        at = state.mover
        held = Piggery((*state.banked[:at], state.banked[at] + state.turn, *state.banked[at + 1 :]), at)
        return held if self._won(held) else replace(held, mover=self._next(held))

    def lying(self, state: Piggery, seat: RoundSeat) -> Hand:
        return state.die if seat == state.mover else ()

    def score(self, state: Piggery, seat: RoundSeat) -> int | None:
        return state.banked[seat]

    def result(self, state: Piggery) -> RoundResult | None:
        return RoundResult((state.mover,), state.banked) if self._won(state) else None


def tip(game: Game[Piggery, str], state: Piggery) -> tuple[tuple[str, int], ...]:
    """Hold with 20 points in the turn, or with enough to reach the target."""
    assert isinstance(game, Pig)
    enough = state.turn >= min(20, game.target - state.banked[state.mover])
    return (("hold" if enough else "roll", 1),)


class PigWords(MoveWords[Pig]):
    labels: Mapping[str, str] = {"roll": "roll again", "hold": "hold {turn}"}
    told: Mapping[str, tuple[str, str]] = {
        "roll": ("{name} rolled on.", "You rolled on."),
        "hold": ("{name} held {turn}.", "You held {turn}."),
    }
    keys: Mapping[str, str] = {"roll": "r", "hold": "b"}

    def options(self, language: Language, game: Pig) -> str:
        return language.say("first to {target}", target=game.target)

    def rolled(self, language: Language, game: Pig, name: str, before: Piggery, dice: tuple[int, ...]) -> list[str]:
        return [language.say("The turn is lost.")] if dice == (1,) else []

    def things(self, language: Language, game: Pig, state: Piggery) -> Things:
        """Return the points of the turn, to be shown on the table."""
        said = language.say("{turn} this turn.", turn=state.turn)
        return Things(said, counts=(Count(language.say("This turn"), str(state.turn)),))

    def to_beat(self, language: Language, game: Pig, state: Piggery, names: tuple[str, ...]) -> list[str]:
        return [language.say("{more} to go.", more=game.target - state.banked[state.mover])]

    def stand(self, language: Language, game: Pig, state: Any, seat: int, marked: tuple[int, ...]) -> str:
        return language.say("{score} banked", score=state.banked[seat])


KIT = Kit(
    name="pig",
    options=(Option("target", ("20", "50"), "the points that win", ("a short game", "a long one")),),
    build=lambda options: Pig(int(options["target"])),
    formats=(RACE,),
    words=PigWords("Pig", "one die, hold before a 1"),
    policies={"tip": tip, "lucky": uniform},
    solver=None,
    rules=lambda code: "Roll a die as often as you like; a 1 loses the turn; hold banks it. First to the target wins.",
)
