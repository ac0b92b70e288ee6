"""Rounds of several seats: against exact fractions for two, and against a plain recursion over seats for more."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from oracles.exact_midnight import TURN, exact_duel, exact_turn
from pubdice.games.midnight.rules import Midnight
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import TIE
from pubdice.solve.turns.best_reply import Replies, replies
from pubdice.solve.turns.rounds import Before, Round, SoloRound, lanes, work_out


def share(seats: int, nobody: float = 0.0) -> Floats:
    """One pot: shared by those who tie; ``nobody``: to each if nobody wins."""
    payoff = np.zeros((1 << seats, seats))
    payoff[0] = nobody
    for winners in range(1, 1 << seats):
        payoff[winners] = [(winners >> seat & 1) / winners.bit_count() for seat in range(seats)]
    return payoff


def test_whole_numbers_agree_with_the_oracle() -> None:
    mean = [Fraction(score) for score in TURN.scores]
    assert float(exact_turn(mean)) == pytest.approx(float(TURN.best(TURN.mean[:, None])[0]), abs=1e-13)


def test_a_single_round_of_two_is_worth_what_exact_fractions_say() -> None:
    expected = exact_duel((Fraction(1), Fraction(1, 2), Fraction(0)))
    values = Round(TURN, share(2, 0.5)).values(Before(0))
    assert values == pytest.approx([float(expected), 1 - float(expected)], abs=1e-14)


def _random_payoffs(seats: int, number: int, seed: int) -> Iterator[Floats]:
    """Payoffs in which winning need not be good, nor a tie lie between winning and losing."""
    rng = np.random.default_rng(seed)
    for at in range(number):
        payoff: Floats = rng.random((1 << seats, seats))
        if at % 3 == 0:
            payoff = np.round(payoff * 2) / 2
        if at % 4 == 1:
            payoff[:, 0] = 0.25
        yield payoff


def slow_round(payoff: Floats, total: list[int]) -> Callable[[Before], Floats]:
    """A round by plain recursion over seats and scores: no tables, no lanes, no replies looked up."""
    seats = payoff.shape[1]

    @cache
    def values(seat: int, best: int, held: int) -> tuple[float, ...]:
        if seat == seats:
            return tuple(map(float, payoff[held]))
        total[0] += 1
        outcomes = []
        for rank in range(len(TURN.scores)):
            after, holders = (rank, 1 << seat) if rank > best else (best, held)
            if rank == best > 0:
                holders |= 1 << seat
            outcomes.append(values(seat + 1, after, holders))
        own = np.array([outcome[seat] for outcome in outcomes])
        span = float(np.ptp(own))
        unit = (own - own.min()) / span if span > TIE else own * 0
        chance = TURN.solve(unit).chance[TURN.start]
        return tuple(map(float, chance @ np.array(outcomes)))

    return lambda before: np.array(values(before.seat, before.best, before.holders))


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_rounds_with_any_payoffs_agree_with_a_plain_recursion(seats: int) -> None:
    for payoff in _random_payoffs(seats, 8 if seats < 3 else 4, seats):
        slow, table = slow_round(payoff, [0]), Round(TURN, payoff)
        befores = (
            [Before(0)]
            if seats == 1
            else [Before(0), Before(1), Before(1, TURN.rank(4), 1), Before(1, TURN.rank(17), 1)]
        )
        befores += (
            [Before(2), Before(2, TURN.rank(9), 1), Before(2, TURN.rank(9), 2), Before(2, TURN.rank(20), 3)]
            if seats == 3
            else []
        )
        for before in befores:
            assert table.values(before) == pytest.approx(slow(before), abs=1e-12)


def test_one_pot_among_three_agrees_with_a_plain_recursion() -> None:
    count = [0]
    assert Round(TURN, share(3)).values(Before(0)) == pytest.approx(slow_round(share(3), count)(Before(0)), abs=1e-12)
    assert count[0] == lanes(22, 3) + 64, "the last seat's 64 turns are looked up"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_that_plays_its_turn_best_is_worth_what_the_table_says(seats: int) -> None:
    """The turn solved alone, for advice, and all rounds' turns solved as lanes are one."""
    table = Round(TURN, share(seats))
    for before in (Before(0), Before(1, TURN.rank(18), 1), Before(seats - 1, TURN.rank(21), 1)):
        solved = table.solved(before)
        values = solved.chance[TURN.start] @ table.outcomes(before)
        assert values == pytest.approx(table.values(before), abs=1e-13)
        assert solved.value[TURN.start] == pytest.approx(values[before.seat], abs=1e-13)


def test_rounds_worked_out_together_are_what_they_are_alone() -> None:
    payoffs = np.stack(list(_random_payoffs(3, 6, 9)))
    together = work_out(TURN, payoffs)
    for at, payoff in enumerate(payoffs):
        alone = work_out(TURN, payoff[None])
        for mine, theirs in zip(together, alone, strict=True):
            assert mine[at] == pytest.approx(theirs[0], abs=1e-12)


def test_more_columns_than_seats_are_averaged_along_and_change_nothing() -> None:
    payoff = share(3)
    wider = np.concatenate([payoff, payoff.sum(axis=1, keepdims=True)], axis=1)
    values = work_out(TURN, wider[None])[0][0, 0, 0]
    assert values[:3] == pytest.approx(Round(TURN, payoff).values(Before(0)), abs=1e-14)
    assert values[3] == pytest.approx(values[:3].sum(), abs=1e-14)


def test_seats_of_a_pot_share_all_of_it_and_the_last_does_best() -> None:
    for seats in (2, 3, 4, 5, 6):
        values = Round(TURN, share(seats, 1 / seats)).values(Before(0))
        assert values.sum() == pytest.approx(1, abs=1e-12)
        assert (np.diff(values) > 0).all(), "who plays later knows more"


def test_a_round_that_decides_nothing_is_played_for_the_mean_score() -> None:
    table = Round(TURN, np.full((4, 2), 0.5))
    assert table.values(Before(0)) == pytest.approx([0.5, 0.5])
    assert float(table.solved(Before(0)).chance[TURN.start] @ TURN.mean) == pytest.approx(
        float(TURN.best(TURN.mean[:, None])[0]), abs=1e-12
    )


def test_alone_is_the_mean_score() -> None:
    alone = SoloRound(TURN, np.zeros((2, 1)))
    assert alone.values(Before(0))[0] == pytest.approx(18.676337195775712, abs=1e-12)
    assert alone.values(Before(1, TURN.rank(17), 1)) == pytest.approx([17])
    assert (alone.outcomes(Before(0))[:, 0] == TURN.mean).all()


@pytest.mark.parametrize("fair", [False, True])
def test_replies_are_worth_what_a_turn_solved_for_them_is(fair: bool) -> None:
    found = Replies(TURN, fair)
    rng = np.random.default_rng(3)
    theta = np.concatenate([rng.random(180), [0.0, 1.0, 0.5, 1e-15, 1 - 1e-15, 0.25]])
    best = rng.integers(0, len(TURN.scores), len(theta))
    lines = found.lines(best, theta)
    score = np.arange(len(TURN.scores))[:, None]
    utility = (score > best) + theta * (score == best)
    value = TURN.best(utility)
    assert lines[:, 0] + theta * lines[:, 1] == pytest.approx(value, abs=2e-12)
    if fair:
        chances = TURN.chances(utility)
        assert lines[:, 0] == pytest.approx((chances * (score > best)).sum(axis=0), abs=1e-11)
        assert lines[:, 1] == pytest.approx((chances * (score == best)).sum(axis=0), abs=1e-11)


def test_replies_once_known_are_never_solved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Replies(TURN, False)
    best, theta = np.repeat(np.arange(22), 300), np.tile(np.linspace(0, 1, 300), 22)
    lines = found.lines(best, theta)
    monkeypatch.setattr(found, "_best", lambda *_: pytest.fail("solved again"))
    between = np.clip(theta + 1e-7, 0, 1)
    assert found.lines(best, between) == pytest.approx(lines, abs=1e-2)
    value, again = lines[:, 0] + theta * lines[:, 1], found.lines(best, between)
    assert again[:, 0] + between * again[:, 1] == pytest.approx(value, abs=1e-6)


def test_threads_that_ask_at_once_are_told_what_one_is() -> None:
    """All matches of a process share the replies of a game."""
    best, theta = np.repeat(np.arange(16, 22), 30), np.tile(np.linspace(0.003, 0.997, 30), 6)
    shared, alone = Replies(TURN, False), Replies(TURN, False).lines(best, theta)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(shared.lines, best[part::4], theta[part::4]) for part in range(4)]
            told = [one.result() for one in asked]
    finally:
        sys.setswitchinterval(before)
    for part, lines in enumerate(told):
        height, expected = (each[:, 0] + theta[part::4] * each[:, 1] for each in (lines, alone[part::4]))
        assert height == pytest.approx(expected, abs=2e-12)


def test_replies_are_kept_for_a_pair() -> None:
    assert replies(Midnight(), True) is replies(Midnight(), True)
