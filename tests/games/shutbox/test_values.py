"""What Shut the Box is worth, by an oracle that knows no code of the house: subsets of nine tiles, sums of two dice."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

from pubdice.games.shutbox.rules import ShutTheBox
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice.solve.plain.solver import PlainSolver
from pubdice.solve.solver import Solver
from pubdice.solve.turns.solver import TurnSolver

SUMS = Counter(map(sum, product(range(1, 7), repeat=2)))
Up = frozenset[int]


@cache
def following(up: Up, total: int) -> tuple[Up, ...]:
    """What may be up after a roll of so much."""
    return tuple(
        up.difference(part) for size in range(1, 5) for part in combinations(sorted(up), size) if sum(part) == total
    )


def worth(up: Up, ends: dict[int, float]) -> float:
    """The mean worth of a turn from here, played best for what each score is worth."""

    @cache
    def value(up: Up) -> float:
        if not up:
            return ends[0]
        mean = 0.0
        for total, ways in SUMS.items():
            after = following(up, total)
            mean += ways / 36 * (max(map(value, after)) if after else ends[sum(up)])
        return mean

    return value(up)


ALL = frozenset(range(1, 10))
SCORES = range(46)
SOLVERS = pytest.mark.parametrize("solver", [TurnSolver, PlainSolver])


@SOLVERS
def test_the_mean_of_a_turn_is_that_of_the_oracle(solver: Callable[[Any], Solver]) -> None:
    match = Match(ShutTheBox(), 1, Rounds(1))
    (value,) = solver(match).values(match.start())
    assert abs(value) == pytest.approx(-worth(ALL, {score: -float(score) for score in SCORES}), abs=1e-10)


@cache
def opener() -> float:
    """The share of who opens a round of two.

    The second seat wins with less and shares with as much; the first plays for what that leaves. 0 wins at once.
    """
    lost = {
        beat: worth(ALL, {score: (score < beat) + 0.5 * (score == beat) for score in SCORES}) for beat in SCORES if beat
    }
    return worth(ALL, {0: 1.0, **{score: 1 - second for score, second in lost.items()}})


@pytest.mark.parametrize("solver", [TurnSolver, pytest.param(PlainSolver, marks=pytest.mark.nightly)])
def test_the_share_of_who_opens_is_that_of_the_oracle(solver: Callable[[Any], Solver]) -> None:
    share, match = opener(), Match(ShutTheBox(), 2, Rounds(1))
    assert solver(match).values(match.start()) == pytest.approx((share, 1 - share), abs=1e-10)


@pytest.mark.parametrize(
    ("die", "left"),
    [
        ("no", "sum"),
        pytest.param("no", "digits", marks=pytest.mark.nightly),
        pytest.param("may", "sum", marks=pytest.mark.nightly),
        ("may", "digits"),
        ("must", "sum"),
        pytest.param("must", "digits", marks=pytest.mark.nightly),
    ],
)
def test_up_to_six_may_play_for_a_round_and_the_shares_make_one(die: str, left: str) -> None:
    for seats in range(2, 7):
        match: Any = Match(ShutTheBox(die, left), seats, Rounds(1))
        solver = solve_match(match)
        assert isinstance(solver, TurnSolver)
        assert sum(solver.values(match.start())) == pytest.approx(1, abs=1e-12)


@pytest.mark.nightly
@pytest.mark.parametrize("die", ["may", "must"])
def test_two_have_the_shares_that_are_found_without_taking_turns_apart(die: str) -> None:
    match: Any = Match(ShutTheBox(die), 2, Rounds(2))
    expected = PlainSolver(match).values(match.start())
    assert TurnSolver(match).values(match.start()) == pytest.approx(expected, abs=1e-12)
