"""Rounds that need not end, for any number of seats: solved where the play found settles and comes to an end."""

from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import pytest

from oracles.compare import walks
from oracles.equation import holds
from pubdice.core.dice import Hand
from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep, RoundState, TurnGame
from pubdice.failures import OTHER, exit_status, sentence
from pubdice.match.formats import Drinks, Format, Pot, Race, Rounds
from pubdice.match.match import Match
from pubdice.solve.plain import best_play
from pubdice.solve.plain.solver import PlainSolver
from pubdice.text.language import Language
from small_games import Piglet


@dataclass(frozen=True, slots=True)
class Again(TurnGame):
    """One die, rolled as often as one likes."""

    number_of_dice: ClassVar[int] = 1
    scoreless: ClassVar[int | None] = None

    def worth(self, hand: Hand) -> int:
        return hand[0]

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        return (Keep(()), Keep(state.free)) if state.free else ()

    def play(self, state: RoundState, action: Keep) -> RoundState:
        return self.scored(state, action.dice) if action.dice else RoundState(state.seats, state.scores)


@dataclass(frozen=True, slots=True)
class Shy(Again):
    """The same, but a die that stays scores nothing."""

    def worth(self, hand: Hand) -> int:
        return 0


def _in_turn(target: int, seats: int) -> dict[tuple[tuple[int, ...], int], list[float]]:
    """Pig from the rules, by value iteration: (banked from the mover on, turn) → values from the mover on."""
    places = [*product(product(range(target), repeat=seats), range(target + 1))]
    worth = {place: [0.0] * seats for place in places}
    for _ in range(2000):
        moved = 0.0
        for banked, turn in places:
            found = [part / 6 for part in _passed(worth[(*banked[1:], banked[0]), 0])]
            for face in range(2, 7):
                more = min(turn + face, target)
                again, total = worth[banked, more], banked[0] + more
                held = [1.0] + [0.0] * (seats - 1)
                if total < target:
                    held = _passed(worth[(*banked[1:], total), 0])
                best = again if again[0] >= held[0] - 1e-12 else held
                found = [have + part / 6 for have, part in zip(found, best, strict=True)]
            moved = max([moved, *(abs(a - b) for a, b in zip(found, worth[banked, turn], strict=True))])
            worth[banked, turn] = found
        if moved < 1e-15:
            return worth
    raise AssertionError("not still")


def _passed(values: list[float]) -> list[float]:
    """Values from the next mover on, as seen from the one before it."""
    return [values[-1], *values[:-1]]


@pytest.mark.parametrize(("target", "seats"), [(3, 3), (5, 3), (3, 4)])
def test_pig_of_three_and_four_is_what_going_through_its_rules_settles_on(target: int, seats: int) -> None:
    match = Match(Piglet(target), seats, Race())
    solver, worth = PlainSolver(match), _in_turn(target, seats)
    assert solver.values(match.start()) == pytest.approx(worth[(0,) * seats, 0], abs=1e-12)
    assert 0 < solver.bound < 1e-12
    for state in walks(match, 4, 6):
        if state.round is not None and not state.over and not state.round.die:
            mover, banked = state.round.mover, state.round.banked
            here = worth[(*banked[mover:], *banked[:mover]), state.round.turn]
            turned = [here[(seat - mover) % seats] for seat in range(seats)]
            assert solver.values(state) == pytest.approx(turned, abs=1e-12)


ENDLESS: list[tuple[Any, int, Format]] = [
    (Piglet(3), 3, Drinks()),
    (Piglet(3), 3, Rounds(2)),
    (Piglet(3), 2, Pot(1, 2)),
    (Again(), 3, Rounds(1)),
    (Again(), 2, Rounds(2)),
    (Shy(), 2, Rounds(2)),
]


@pytest.mark.parametrize(("game", "seats", "form"), ENDLESS, ids=str)
def test_values_are_what_best_play_makes_of_those_after_them(game: Any, seats: int, form: Format) -> None:
    match = Match(game, seats, form)
    solver = PlainSolver(match)
    for state in walks(match, 2, 3):
        holds(match, solver, state, 1e-11)
    total = sum(solver.values(match.start()))
    assert total == pytest.approx({"chips": 0, "chance of not buying": seats - 1}.get(solver.utility, 1), abs=1e-11)


def test_two_seats_have_the_same_values_by_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(Piglet(4), 2, Race())
    twice = PlainSolver(match)
    assert twice._solution(32).is_two_sided
    before = twice.values(match.start())
    monkeypatch.setattr("pubdice.solve.plain.match_graph.Payoffs.constant", lambda _: None)
    once = PlainSolver(match)
    assert not once._solution(32).is_two_sided
    assert once.values(match.start()) == pytest.approx(before, abs=1e-12)


def test_a_single_seat_rolls_until_it_has_the_best_there_is() -> None:
    match = Match(Again(), 1, Rounds(1))
    solver = PlainSolver(match)
    assert solver.values(match.start()) == pytest.approx((6,), abs=1e-11)
    fallen = match.roll(match.start(), (5,))
    assert [value for _, value in solver.action_values(fallen)] == pytest.approx([6, 5], abs=1e-11)


def test_nobody_puts_an_end_off_for_nothing() -> None:
    """Every die scores nothing, and to roll again comes first in the rules; a round of it ends all the same."""
    match = Match(Shy(), 3, Rounds(1))
    solver = PlainSolver(match)
    assert solver.values(match.start()) == pytest.approx((1 / 3,) * 3, abs=1e-12)
    fallen = match.roll(match.start(), (5,))
    assert len({value for _, value in solver.action_values(fallen)}) == 1


@pytest.mark.parametrize("seats", [1, 3])
def test_what_has_not_settled_is_refused_in_a_sentence(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_play, "MOST_SWEEPS", 50)
    match = Match(Again(), seats, Rounds(1))
    solver = PlainSolver(match)
    with pytest.raises(Unsolved) as refused:
        solver.values(match.start())
    assert sentence(Language(), refused.value) == "This match is not solved: its values did not settle in 50 steps."
    assert exit_status(refused.value) == OTHER == 1
