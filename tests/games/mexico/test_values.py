"""What matches of Mexico are worth: the house's solver of any match against the oracle in fractions."""

import pytest

from oracles.naive_mexico import Naive, Standing
from play import Case
from pubdice.core.dice import rolls
from pubdice.core.game import Keep
from pubdice.games.mexico import KIT
from pubdice.games.mexico.rules import MEXICO, worth
from pubdice.solve.plain.solver import PlainSolver

EXACT = 1e-12


def _solver(seats: int, form: str, hold: str = "none") -> PlainSolver:
    fields = ("hold", hold), ("format", form), ("opener", "loser")
    return PlainSolver(Case(KIT, fields).table(seats)[1].match)


@pytest.mark.parametrize(
    ("seats", "lives", "lost", "hold"),
    [
        (2, 1, 1, "none"),
        (2, 2, 1, "none"),
        (2, 2, 2, "none"),
        (2, 1, 1, "1 2"),
        pytest.param(2, 3, 1, "none", marks=pytest.mark.nightly),
        pytest.param(2, 3, 2, "1 2", marks=pytest.mark.nightly),
        pytest.param(3, 1, 1, "none", marks=pytest.mark.nightly),
        pytest.param(3, 1, 1, "1 2", marks=pytest.mark.nightly),
    ],
)
def test_the_houses_solver_finds_the_oracles_shares(seats: int, lives: int, lost: int, hold: str) -> None:
    solver = _solver(seats, f"lives {lives} mexico {lost}", hold)
    found = solver.values(solver.match.start())
    assert found == pytest.approx(
        [float(share) for share in Naive(hold != "none", lost).match(seats, lives)], abs=EXACT
    )


@pytest.mark.nightly
def test_standings_in_the_middle_of_a_match_are_worth_what_the_oracle_says() -> None:
    """After each round of a match that the opener lost with 31 against 64: seat 0 opens with one life less."""
    solver, naive = _solver(2, "lives 3"), Naive()
    match, state = solver.match, solver.match.start()
    for lives in ((2, 3), (1, 3)):
        state = match.play(match.roll(state, (1, 3)), Keep.of(1, 3))
        state = match.play(match.roll(state, (4, 6)), Keep.of(4, 6))
        assert (state.tally.points, state.order) == (lives, (0, 1))
        exact = naive.value(Standing(lives, (0, 1)))
        assert solver.values(state) == pytest.approx([float(share) for share in exact], abs=EXACT)


def test_the_opener_of_the_smallest_match_stops_with_54_at_first_and_with_61_at_the_second_roll() -> None:
    """As every pair of thresholds says (tests/oracles/test_naive_mexico.py)."""
    solver = _solver(2, "lives 1")
    match, start = solver.match, solver.match.start()
    first = [match.roll(start, hand) for hand, _ in rolls(2)]
    again = match.play(match.roll(start, (1, 3)), Keep())
    second = [match.roll(again, hand) for hand, _ in rolls(2)]
    for states, least in ((first, 54), (second, 61)):
        for state in states:
            assert state.round is not None
            values, dice = dict(solver.action_values(state)), state.round.free
            score = worth(dice)
            stops = score == MEXICO or values[Keep(dice)] > values[Keep()]
            assert stops == (score >= least), score
