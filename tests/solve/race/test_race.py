"""Races of random small automata, checked state by state in plain Python, and by the other methods."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from oracles.exact_race import NotProved, exact_two_seats, inverse_mod, solved
from oracles.interval_iteration import enclose
from oracles.policy_values import evaluate
from pubdice.solve.acceleration import numba_there
from pubdice.solve.arrays import Floats
from pubdice.solve.race import compiled_sweep
from pubdice.solve.race.automaton import Automaton
from pubdice.solve.race.compiled_sweep import _compiled, fast_sweep
from pubdice.solve.race.race import SolvedRace, plain_pay, respond, solve
from pubdice.solve.race.sweep import GREEDY, RESPONSE, SweepStage, sweep, table
from solve.automata import TOTAL, any_automaton


def worst_fault(race: SolvedRace) -> float:
    """How far any state is from the Bellman equation, summed in plain Python."""
    automaton, seats, worst = race.automaton, race.seats, 0.0
    for stage in range(len(race.values)):
        for state in product(range(automaton.kinds), repeat=seats):
            worth = {}
            for action in automaton.choices[state[0]]:
                found = [automaton.wins[action] / TOTAL * pay for pay in race.pay[stage]]
                for kind, ways in enumerate(automaton.ways[action]):
                    after = race.value(stage + 1, (*state[1:], kind))
                    for seat in range(seats):
                        found[seat] += ways / TOTAL * after[seat - 1]
                worth[action] = found
            best = max(worth, key=lambda action: worth[action][0])
            worst = max(worst, *(abs(a - b) for a, b in zip(worth[best], race.value(stage, state), strict=True)))
    return worst


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_every_state_meets_the_bellman_equation(seats: int, seed: int) -> None:
    race = solve(any_automaton(seed), seats)
    assert race.residual <= 1e-14
    assert worst_fault(race) < 1e-13
    assert np.abs(race.values.sum(axis=1) - 1).max() < 1e-12
    assert respond(race).nash_conv < 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_prizes_that_depend_on_the_stage_are_paid_at_that_stage(seed: int) -> None:
    pay = np.random.default_rng(seed).random((3, 3))
    pay[:, 0] += 1  # to win is best
    race = solve(any_automaton(seed), 3, pay)
    assert race.values.shape == (3, 3, 27)
    assert worst_fault(race) < 1e-13


def test_equal_prizes_at_every_stage_are_the_plain_race() -> None:
    automaton = any_automaton(1)
    plain, staged = solve(automaton, 3), solve(automaton, 3, np.repeat(plain_pay(3), 3, axis=0))
    for stage in range(3):
        assert np.abs(plain.values[0] - staged.values[stage]).max() < plain.bound + staged.bound


def test_one_kind_is_a_geometric_series() -> None:
    """Everybody wins with 1/4 a turn: Player 1 has 1/4 / (1 - (3/4)^n)."""
    coin = Automaton((6,), ((18,),), ((0,),), TOTAL)
    for seats in range(2, 6):
        expected = [0.25 * 0.75**seat / (1 - 0.75**seats) for seat in range(seats)]
        assert solve(coin, seats).start() == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("seed", range(10))
def test_two_seats_three_ways_agree(seed: int) -> None:
    automaton = any_automaton(seed, kinds=5, actions=8)
    race, enclosed, exact = solve(automaton, 2), enclose(automaton), exact_two_seats(automaton)
    assert enclosed.width <= 1e-12
    for state, numerator in enumerate(exact.numerators):
        value = Fraction(numerator, exact.denominator)
        assert Fraction(float(enclosed.lower[state])) <= value <= Fraction(float(enclosed.upper[state]))
        assert abs(value - Fraction(float(race.values[0, 0, state]))) <= race.bound


@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_the_policy_by_one_linear_system(seed: int) -> None:
    pay = np.random.default_rng(seed).random((3, 3))
    pay[:, 0] += 1  # to win is best
    race = solve(any_automaton(seed), 3, pay)
    direct = evaluate(race.automaton, race.policy, pay)
    assert np.abs(direct.values - race.values).max() < race.bound + direct.bound


def test_two_seats_share_one_win() -> None:
    values = solve(any_automaton(2), 2).values[0]
    assert np.abs(values.sum(axis=0) - 1).max() < 1e-14


def test_a_wrong_policy_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    automaton = Automaton((2, 12), ((22,), (12,)), ((0, 1),), TOTAL)
    worse = evaluate(automaton, np.zeros((1, 1), dtype=np.uint8), plain_pay(2))
    monkeypatch.setattr("oracles.exact_race.solve", lambda *_: worse)
    with pytest.raises(NotProved):
        exact_two_seats(automaton)


def test_equal_actions_are_counted_and_the_first_is_taken() -> None:
    """Two kinds that do the same, left unmerged: to go to either is equally good."""
    twins = Automaton((6, 6), ((18, 0), (0, 18)), ((0, 1), (1, 0)), TOTAL)
    exact = exact_two_seats(twins)
    assert (exact.worse, exact.equal) == (0, 4)
    assert exact.start == Fraction(4, 7)
    assert solve(twins, 3).policy.reshape(2, 4).tolist() == [[0] * 4, [1] * 4]


def test_whole_number_systems_are_solved_exactly() -> None:
    rng = np.random.default_rng(4)
    matrix = rng.integers(-50, 50, (12, 12))
    matrix[0, 0] = 0  # a row must be exchanged
    right = rng.integers(-50, 50, 12)
    numerators, denominator = solved(matrix, right)
    for row, whole in zip(matrix.tolist(), right.tolist(), strict=True):
        assert sum(a * b for a, b in zip(row, numerators, strict=True)) == whole * denominator
    with pytest.raises(ZeroDivisionError):
        inverse_mod(np.ones((2, 2), dtype=np.int64))


def test_a_best_response_gains_what_the_policy_gives_away() -> None:
    """Two actions, the worse one is played: the deviator alone plays the better one."""
    automaton = Automaton((2, 12), ((22,), (12,)), ((0, 1),), TOTAL)
    worse = evaluate(automaton, np.zeros((1, 1), dtype=np.uint8), plain_pay(2))
    found = respond(worse)
    first, second = 0.5 / (1 - 0.5 * 22 / 24), 22 / 24 * 0.5 / (1 - 0.5 * 22 / 24)
    assert worse.start() == pytest.approx([1 / (2 - 2 / 24), 1 - 1 / (2 - 2 / 24)], abs=1e-13)
    assert found.start == pytest.approx([first, second], abs=found.bound)
    assert found.nash_conv == pytest.approx(first + second - 1, abs=2 * found.bound)
    assert found.regret == pytest.approx(float(found.gains.max()), abs=found.bound)


def test_a_race_that_cannot_be_is_refused() -> None:
    for seats, pay in ((1, None), (3, plain_pay(2))):
        with pytest.raises(ValueError, match="no race"):
            solve(any_automaton(0), seats, pay)


def _turn(automaton: Automaton, seats: int, rng: np.random.Generator) -> SweepStage:
    size = automaton.kinds**seats
    rows = [rng.choice(choices, size // automaton.kinds) for choices in automaton.choices]
    policy = np.concatenate(rows).astype(np.uint8)
    there: Floats = rng.random((seats, size))
    return SweepStage(
        there, rng.random((seats, size)), rng.random(seats), policy, np.zeros((seats, size), dtype=np.float32)
    )


@pytest.mark.skipif(not numba_there(), reason="numba is not installed")
@pytest.mark.parametrize("mode", [GREEDY, RESPONSE])
@pytest.mark.parametrize("seats", [3, *[pytest.param(many, marks=pytest.mark.nightly) for many in (2, 7)]])
def test_the_compiled_sweep_gives_the_numbers_of_numpy(mode: int, seats: int) -> None:
    automaton = any_automaton(7, kinds=4, actions=9)
    plain, fast = (_turn(automaton, seats, np.random.default_rng(1)) for _ in range(2))
    rules = table(automaton)
    assert fast_sweep()(rules, fast, mode) == pytest.approx(sweep(rules, plain, mode), abs=1e-15)
    assert np.abs(plain.out - fast.out).max() < 1e-7
    assert (plain.policy == fast.policy).all()


@pytest.mark.skipif(not numba_there(), reason="numba is not installed")
def test_the_compiled_sweep_does_not_depend_on_the_number_of_threads() -> None:
    automaton, rules = any_automaton(7, kinds=8, actions=9), table(any_automaton(7, kinds=8, actions=9))
    found = []
    for threads in (1, 2, 3):
        turn = _turn(automaton, 6, np.random.default_rng(1))
        found.append((fast_sweep(None, threads)(rules, turn), turn.out.tobytes()))
    assert found[0] == found[1] == found[2]


@pytest.mark.skipif(not numba_there(), reason="numba is not installed")
def test_the_compiled_race_is_the_race_of_numpy() -> None:
    automaton = any_automaton(3, kinds=4, actions=9)
    plain, fast = solve(automaton, 4), solve(automaton, 4, kernel=fast_sweep())
    assert np.abs(plain.values - fast.values).max() < 1e-14
    assert (plain.policy == fast.policy).all()


def test_the_loop_is_compiled_once_a_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compiled_sweep, "compile_all", made := Mock(return_value=[compiled_sweep._block]))
    for _ in range(2):
        fast_sweep(tmp_path)
    assert made.call_count == 1, "the cache of _compiled"


def test_residuals_take_half_as_much_memory_as_values() -> None:
    kernel = Mock(wraps=sweep)
    respond(solve(any_automaton(0), 2, kernel=kernel), kernel=kernel)
    stages = [call.args[1] for call in kernel.call_args_list]
    assert {stage.here.nbytes / stage.out.nbytes for stage in stages} == {2.0}, "PRECISION"


@pytest.mark.nightly
@pytest.mark.skipif(not numba_there(), reason="numba is not installed")
def test_compiled_code_that_is_damaged_or_cannot_be_kept_is_compiled_again(tmp_path: Path) -> None:
    rules, seen = table(any_automaton(7)), []
    (tmp_path / "file").write_text("no folder")
    for folder in (tmp_path / "kept", tmp_path / "file"):
        for _ in range(2):
            turn = _turn(any_automaton(7), 3, np.random.default_rng(1))
            _compiled.cache_clear()
            seen.append(fast_sweep(folder)(rules, turn))
            for path in (tmp_path / "kept").rglob("*.nb?"):
                path.write_bytes(b"damaged")
    assert len(set(seen)) == 1
