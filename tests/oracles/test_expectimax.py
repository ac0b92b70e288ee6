"""The oracle itself, on games small enough to do by hand."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oracles.expectimax import expectimax
from pubdice.core.dice import Hand
from pubdice.core.game import RoundResult, RoundSeat
from pubdice.games.midnight.rules import Midnight, RoundState


@dataclass(frozen=True)
class HighDie:
    """Throw a die; keep it or throw once more: 17/4, as every book has it."""

    throws: int = 2

    def start(self) -> tuple[int, int]:
        return (self.throws, 0)

    def to_roll(self, state: tuple[int, int]) -> int:
        return int(state[0] > 0 and state[1] == 0)

    def roll(self, state: tuple[int, int], hand: Hand) -> tuple[int, int]:
        return (state[0] - 1, hand[0])

    def legal(self, state: tuple[int, int]) -> tuple[str, ...]:
        return ("stop", "on") if state[0] and state[1] else ()

    def play(self, state: tuple[int, int], action: str) -> tuple[int, int]:
        return (0, state[1]) if action == "stop" else (state[0], 0)

    def result(self, state: tuple[int, int]) -> RoundResult | None:
        return RoundResult((RoundSeat(0),), (state[1],)) if not state[0] and state[1] else None


def _pips(result: RoundResult) -> Fraction:
    return Fraction(result.scores[0])


def test_one_die_with_a_second_throw_is_worth_17_quarters() -> None:
    game: Any = HighDie()
    assert expectimax(game, game.start(), _pips) == Fraction(17, 4)


def test_one_die_with_three_throws_is_worth_14_thirds() -> None:
    game: Any = HighDie(3)
    assert expectimax(game, game.start(), _pips) == Fraction(14, 3)


def test_what_is_remembered_is_every_position_and_is_used_again() -> None:
    memory: dict[Any, Fraction] = {}
    value = expectimax(Midnight(), Midnight().start(1), _pips, memory)
    assert len(memory) == 12398
    assert expectimax(Midnight(), RoundState(1), _pips, memory) == value


def test_the_last_die_is_an_average_of_six_faces() -> None:
    """1 4 6 6 6 locked: whatever the last die shows is added."""
    assert expectimax(Midnight(), RoundState(1, (), (1, 4, 6, 6, 6)), _pips) == 18 + Fraction(7, 2)
