"""Eights, a race of hands in one file: two dice a seat, keep a 2 or more or none and roll the rest, exactly 8 wins.

No line of the house knows it: what it answers about Eights, it answers about any race of hands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pubdice.core.dice import Hand, together
from pubdice.core.game import Game, Keep, KeepGame, RoundResult, RoundSeat, keeps, sorted_roll, uniform
from pubdice.games import GAMES
from pubdice.kit import Kit, lazy
from pubdice.match.formats import DRINKS, RACE
from pubdice.text.game_words import PlainWords
from pubdice.text.language import Language

DICE, TARGET = 2, 8
SOLVER = "pubdice.solve.race.races"


@dataclass(frozen=True, slots=True)
class Table:
    """Every seat's hand, whose turn it is, and what it keeps."""

    hands: tuple[Hand, ...]
    mover: RoundSeat
    kept: Hand | None


@dataclass(frozen=True, slots=True)
class Eights(KeepGame):
    """The rules."""

    least_seats: ClassVar[int] = 2
    most_seats: ClassVar[int] = 9

    def start(self, seats: int) -> Table:
        return Table(((),) * seats, RoundSeat(0), ())

    def _won(self, state: Table) -> bool:
        return state.kept is None and sum(state.hands[state.mover]) == TARGET

    def mover(self, state: Table) -> RoundSeat | None:
        return None if self._won(state) else state.mover

    def to_roll(self, state: Table) -> int:
        return 0 if state.kept is None else DICE - len(state.kept)

    def roll(self, state: Table, hand: Hand) -> Table:
        new = together(state.kept or (), sorted_roll(state, hand, self.to_roll(state)))
        hands = (*state.hands[: state.mover], new, *state.hands[state.mover + 1 :])
        if sum(new) == TARGET:
            return Table(hands, state.mover, None)
        following = RoundSeat((state.mover + 1) % len(hands))
        return Table(hands, following, None if hands[following] else ())

    def legal(self, state: Table) -> tuple[Keep, ...]:
        if state.kept is not None or self._won(state):
            return ()
        return tuple(keep for keep in keeps(state.hands[state.mover]) if len(keep.dice) < DICE and 1 not in keep.dice)

    def play(self, state: Table, action: Keep) -> Table:
        assert action in self.legal(state)
        return Table(state.hands, state.mover, action.dice)

    def gives_up(self, state: Table, action: Keep) -> bool:
        return not action.dice

    def dice(self, state: Table, seat: RoundSeat) -> tuple[Hand, Hand]:
        return (), state.hands[seat]

    def score(self, state: Table, seat: RoundSeat) -> int | None:
        return sum(state.hands[seat]) or None

    def result(self, state: Table) -> RoundResult | None:
        return RoundResult((state.mover,), tuple(map(sum, state.hands))) if self._won(state) else None


class EightsWords(PlainWords[Game[Any, Any]]):
    """What Eights says."""

    title = "Eights"
    tagline = "first to make exactly 8"

    def todo(self, language: Language, game: Game[Any, Any], state: Table) -> str:
        return "keep one or none"

    def status(self, language: Language, game: Game[Any, Any], state: Table, names: tuple[str, ...]) -> list[str]:
        return []


def tell_keeps(language: Language, data: Mapping[str, Any]) -> list[str]:
    """The values alone, with two decimals."""
    return [f"{row['keep']}: {row['value']:.2f}" for row in data["actions"]] or [f"{data['value']:.2f}"]


KIT = Kit(
    name="eights",
    options=(),
    build=lambda options: Eights(),
    formats=(RACE, DRINKS),
    names=("Ann", "Bob"),
    draws_from=3,
    words=EightsWords(),
    policies={"tip": uniform, "lucky": uniform},
    solver=lazy(SOLVER, "HandRaceSolver"),
    start_odds=lazy(SOLVER, "start_odds"),
    most_solved={"race": 4, "drinks": 3},
    tell_hands=tell_keeps,
    rules=GAMES["420"].rules,
)
