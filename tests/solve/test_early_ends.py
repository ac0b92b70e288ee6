"""Three seats and four in matches that end early: a seat drops out, or nobody can catch up; against fractions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import pytest

from lives import Lives
from oracles.compare import compare, walks
from oracles.equation import holds
from oracles.max_n import MaxN
from pubdice.core.dice import Hand
from pubdice.core.game import Result, Seat
from pubdice.match.formats import Rounds, Tally
from pubdice.match.match import Match
from pubdice.solve.plain.solver import PlainSolver
from pubdice.solve.solver import Solver
from pubdice.solve.turns.solver import TurnSolver
from small_games import Bust, LowPair, OneRoll

SOLVERS: dict[str, Callable[[Match[Any, Any]], Solver]] = {"plain": PlainSolver, "turns": TurnSolver}


@dataclass(frozen=True, slots=True)
class UntilDecided(Rounds):
    """Rounds that end once nobody can catch up with a leader, or draw level."""

    def over(self, tally: Tally) -> bool:
        left = self.number - tally.rounds
        behind = sorted(max(tally.points) - have for have in tally.points)
        return left == 0 or behind[1] > left


@dataclass(frozen=True, slots=True)
class Knockout(Lives):
    """The lowest score of a round is out, of several the last in turn order; the last one in wins."""

    prize: ClassVar[str] = "knockout"

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        least = min(result.scores[seat] for seat in order)
        lost = [seat for seat in order if result.scores[seat] == least][-1]
        points = tuple([have - (seat == lost) for seat, have in enumerate(tally.points)])
        return Tally(tally.rounds + 1, points, 0, (*tally.out, *([lost] if not points[lost] else [])))


@dataclass(frozen=True, slots=True)
class FirstTo(Rounds):
    """The first with so many round wins; where several get there together, they share the match."""

    prize: ClassVar[str] = "first to"
    rounds_planned: ClassVar[int] = 0
    is_one_round: ClassVar[bool] = False

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        return tally.credit(result.winners or order[-1:])

    def over(self, tally: Tally) -> bool:
        return max(tally.points) >= self.number


@dataclass(frozen=True, slots=True)
class High(OneRoll):
    """One die, rolled once or twice, of which only a 5 and a 6 count. No two keeps of it have the same mean."""

    def worth(self, hand: Hand) -> int:
        return max(0, hand[0] - 4)


@cache
def _oracle(opener: str) -> MaxN:
    return MaxN(Match(High(), 3, UntilDecided(3), opener))


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("opener", ["winner", pytest.param("rotate", marks=pytest.mark.nightly)])
def test_rounds_that_end_once_they_are_decided(name: str, opener: str) -> None:
    oracle = _oracle(opener)
    early = [state for state in walks(oracle.match, 1, 30) if state.over and state.tally.rounds < 3]
    assert early
    solver = SOLVERS[name](oracle.match)
    assert solver.utility == "share of the match"
    assert compare(solver, oracle, matches=10) > 20


@pytest.mark.parametrize("name", SOLVERS)
def test_where_keeps_are_equal_in_all_either_solver_has_an_equilibrium(name: str) -> None:
    """One kept 2 has the mean of another roll, so a seat that is behind takes either: the solvers differ by 1e-5."""
    match = Match(OneRoll(), 3, UntilDecided(3))
    solver = SOLVERS[name](match)
    for state in walks(match, 1, 20):
        holds(match, solver, state, 1e-12)


@pytest.mark.parametrize(
    ("game", "seats", "form", "opener"),
    [
        (OneRoll(), 3, Knockout(1), "rotate"),
        (OneRoll(), 3, Knockout(2), "loser"),
        (OneRoll(), 4, Knockout(1), "winner"),
        (Bust(), 3, Knockout(1), "loser"),
        (OneRoll(), 3, FirstTo(2), "rotate"),
        (Bust(), 3, FirstTo(2), "fixed"),
        pytest.param(LowPair(), 3, Knockout(1), "rotate", marks=pytest.mark.nightly),
    ],
    ids=str,
)
def test_matches_in_which_seats_drop_out_or_get_there_first(game: Any, seats: int, form: Any, opener: str) -> None:
    match = Match(game, seats, form, opener)
    oracle = MaxN(match, -1 if isinstance(game, LowPair) else 1)
    solver = PlainSolver(match)
    assert compare(solver, oracle, matches=10) > 20
    assert sum(solver.values(match.start())) == pytest.approx(1, abs=1e-12)


def test_a_seat_that_is_out_has_nothing_and_asks_for_nothing() -> None:
    match = Match(OneRoll(), 3, Knockout(1))
    solver = PlainSolver(match)
    out = [state for state in walks(match, 3, 10) if state.tally.out and not state.over]
    assert out
    for state in out:
        assert solver.values(state)[state.tally.out[0]] == 0
        assert match.mover(state) != state.tally.out[0]
