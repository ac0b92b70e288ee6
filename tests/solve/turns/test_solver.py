"""Whole matches: laws of any solved match, exact fractions for two seats, pots, three seats, real play."""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from oracles.compare import walks
from oracles.exact_midnight import exact_duel
from pubdice.core.dice import rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep, Seat
from pubdice.games.midnight.rules import Midnight, RoundState
from pubdice.match.formats import OPENERS, Format, Pot, Rounds, Tally
from pubdice.match.match import Match, MatchState
from pubdice.solve import acceleration
from pubdice.solve.finite import kernels
from pubdice.solve.solver import Solver
from pubdice.solve.turns import solver as solvers
from pubdice.solve.turns.rounds import Round
from pubdice.solve.turns.solver import TurnSolver
from pubdice.solve.turns.turn import turn
from small_games import Pair
from support.profiles import NIGHTLY

TURN = turn(Midnight())
State = MatchState[RoundState]
FIRST = Seat(0)
MOST_IN_A_ROW = 60 if NIGHTLY else 20
"""States of a match that are looked at one after the other, before it is every seventh."""
BOTH = pytest.mark.parametrize("opener", OPENERS)


def _match(seats: int, form: Format, opener: str = "rotate", first: Seat | None = FIRST) -> Match[RoundState, Keep]:
    return Match(Midnight(), seats, form, opener, first)


def _start(seats: int, form: Format, opener: str = "rotate", first: Seat | None = FIRST) -> np.ndarray[Any, Any]:
    match = _match(seats, form, opener, first)
    return np.array(TurnSolver(match).values(match.start()))


# --- two seats: exact fractions, then a slow recursion for every number of rounds


def _next_opener(opener: str, lead: int) -> bool:
    """Whether the opener opens again; ``lead``: who won the round, 1 the opener, -1 the other, 0 both or nobody."""
    return {"fixed": True, "rotate": False, "winner": lead >= 0, "loser": lead <= 0}[opener]


@cache
def _exact(left: int, ahead: int, opener: str) -> Fraction:
    """The opener's share of a match in exact fractions, ``ahead`` by so many round wins."""
    if left == 0:
        return Fraction(1 + (ahead > 0) - (ahead < 0), 2)
    won, level, lost = (
        _exact(left - 1, ahead + lead, opener)
        if _next_opener(opener, lead)
        else 1 - _exact(left - 1, -ahead - lead, opener)
        for lead in (1, 0, -1)
    )
    return exact_duel((won, level, lost))


@BOTH
@pytest.mark.parametrize("number", [1, 2])
def test_short_matches_of_two_are_worth_what_exact_fractions_say(number: int, opener: str) -> None:
    match = _match(2, Rounds(number), opener)
    solver = TurnSolver(match)
    found, expected = solver.values(match.start()), _exact(number, 0, opener)
    assert abs(Fraction(found[0]) - expected) <= Fraction(solver.bound)
    assert abs(Fraction(found[1]) - (1 - expected)) <= Fraction(solver.bound)


@cache
def _slow(left: int, ahead: int, opener: str) -> float:
    """The same in floats, 23 turns solved for every standing: no lines looked up, nothing merged or cut off."""
    if left == 0:
        return (1 + (ahead > 0) - (ahead < 0)) / 2
    won, level, lost = (
        _slow(left - 1, ahead + lead, opener)
        if _next_opener(opener, lead)
        else 1 - _slow(left - 1, -ahead - lead, opener)
        for lead in (1, 0, -1)
    )
    score = np.arange(len(TURN.scores))
    second = -np.where(score[:, None] > score, lost, np.where(score[:, None] == score, level, won))
    return float(TURN.best(-TURN.best(second)[:, None])[0])


@BOTH
@pytest.mark.parametrize("number", [*range(1, 6), *(pytest.param(n, marks=pytest.mark.nightly) for n in range(6, 21))])
def test_matches_of_two_are_zero_sum_and_agree_with_a_slow_recursion(number: int, opener: str) -> None:
    values = _start(2, Rounds(number), opener)
    assert values.sum() == pytest.approx(1, abs=1e-12)
    assert values[0] == pytest.approx(_slow(number, 0, opener), abs=1e-12)


@BOTH
@pytest.mark.parametrize("number", range(1, 21) if NIGHTLY else (1, 2, 3, 6, 20))
def test_every_number_of_rounds_for_every_opener_is_zero_sum_and_fair_by_name(number: int, opener: str) -> None:
    """Seats are alike: who is named first does not matter, and drawing Player 1 by lot makes it even."""
    match = _match(2, Rounds(number), opener, None)
    solver, lot = TurnSolver(match), match.start()
    values = np.array([solver.values(match.draw(lot, Seat(seat))) for seat in (0, 1)])
    assert values.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert values[1] == pytest.approx(values[0][::-1], abs=1e-14)
    assert solver.values(lot) == pytest.approx([0.5, 0.5], abs=1e-12)


# --- laws of any solved match


DUELS: tuple[Format, ...] = (Rounds(1), Rounds(3), Pot(2, 2))
THREES: tuple[Format, ...] = (Rounds(1), Rounds(2), Pot(1, 1))
CASES: list[tuple[int, Format, str]] = [
    (1, Rounds(2), "rotate"),
    *((2, form, opener) for form, opener in product(DUELS, OPENERS)),
    *((3, form, opener) for form, opener in product(THREES, ("rotate", "winner"))),
    (3, Rounds(3), "loser"),
    (3, Pot(1, 2), "loser"),
    (4, Rounds(1), "loser"),
    (5, Rounds(20), "fixed"),
]


@cache
def _solved(number: int) -> tuple[Match[RoundState, Keep], Solver]:
    """A case by its place in the list."""
    match = _match(*CASES[number])
    return match, TurnSolver(match)


def _walk(match: Match[RoundState, Keep], seed: int) -> Iterator[State]:
    """The states of a match played at random, that keeps the dice that qualify so that there is something to win."""
    rng = random.Random(seed)
    state = match.start()
    while not state.over:
        yield state
        due = match.to_roll(state)
        if due:
            state = match.roll(state, tuple(sorted(rng.choices(range(1, 7), k=due))))
        else:
            legal = match.legal(state)
            good = [keep for keep in legal if set(keep.dice) & {1, 4, 6}]
            state = match.play(state, rng.choice(good or list(legal)))
    yield state


def _same(found: Any, expected: Any, bound: float = 0.0) -> bool:
    return bool(np.abs(np.array(found) - np.array(expected)).max() < 1e-11 + 2 * bound)


@pytest.mark.parametrize(("seats", "form", "opener"), CASES, ids=str)
def test_values_are_averages_at_rolls_and_maxima_at_choices(seats: int, form: Format, opener: str) -> None:
    """Bellman's equations along a random match, through the engine; so no single deviation gains anything."""
    match, solver = _solved(CASES.index((seats, form, opener)))
    bound = solver.bound if isinstance(form, Pot) else 0.0  # where the pot is cut off moves with how long it has hung
    by_round = "one round" in solver.utility or seats == 1
    for at, state in enumerate(_walk(match, seats)):
        if state.over or (at > MOST_IN_A_ROW and at % 7):
            continue
        values = np.array(solver.values(state))
        due = match.to_roll(state)
        if due:
            if due > 4 and at > 12:
                continue
            after = sum(ways * np.array(solver.values(match.roll(state, hand))) for hand, ways in rolls(due))
            assert _same(values, after / 6**due, bound)
            continue
        mover = match.mover(state)
        assert mover is not None
        actions = solver.action_values(state)
        assert [keep for keep, _ in actions] == list(match.legal(state))
        assert values[mover] == pytest.approx(max(value for _, value in actions), abs=1e-11 + bound)
        worth = []
        for keep, value in actions:
            played = match.play(state, keep)
            if by_round and (played.over or played.number != state.number):
                continue
            found = np.array(solver.values(played))
            assert found[mover] == pytest.approx(value, abs=1e-11 + 2 * bound)
            worth.append(found)
        if len(worth) == len(actions):
            assert any(_same(values, found, bound) for found in worth)


@pytest.mark.parametrize(("seats", "form", "opener"), CASES, ids=str)
def test_values_keep_their_sum(seats: int, form: Format, opener: str) -> None:
    """Shares sum to 1. Chips and the pot on the table sum to nothing."""
    match, solver = _solved(CASES.index((seats, form, opener)))
    for state in _walk(match, 5):
        total = sum(solver.values(state))
        if solver.utility == "share of the match":
            assert total == pytest.approx(1, abs=1e-11)
        elif solver.utility.startswith("chips"):
            assert total == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("opener", ["rotate", "fixed", "winner", "loser"])
def test_seats_relabelled_are_values_relabelled(opener: str) -> None:
    """Points and turn order moved round the table together."""
    match = _match(3, Rounds(1 if opener == "loser" else 3), opener)
    solver = TurnSolver(match)
    for state in list(_walk(match, 11))[:40:5]:
        moved = replace(
            state,
            order=tuple(Seat((seat + 1) % 3) for seat in state.order),
            tally=replace(state.tally, points=(state.tally.points[-1], *state.tally.points[:-1])),
        )
        if not state.over:
            assert _same(np.roll(solver.values(state), 1), solver.values(moved))


def test_facts_are_the_chances_of_the_turn() -> None:
    match = _match(2, Rounds(1))
    solver = TurnSolver(match)
    state = match.roll(match.start(), (1, 4, 6, 6, 6, 6))
    facts = dict(solver.facts(state))
    everything = facts[Keep((1, 4, 6, 6, 6, 6))]
    assert everything["mean"] == 24
    assert everything["qualify"] == 1
    assert solver.facts(match.start()) == []
    assert all(0 <= fact["qualify"] <= 1 + 1e-12 for fact in facts.values())


# --- pots


def test_one_pot_agrees_with_going_round_until_nothing_moves() -> None:
    """A single pot of two, the same seat opening: v = value of a round in which v is what carrying is worth."""
    match = _match(2, Pot(1, 1), "fixed")
    solver = TurnSolver(match)
    found = solver.values(match.start())
    # chips by rounds hung: x(h) is what the opener wins on top of half the pot of 2 (h + 1) chips
    excess = 0.0
    score = np.arange(len(TURN.scores))
    for hung in range(40, -1, -1):
        half = hung + 1.0
        second = -np.where(score[:, None] > score, -half, np.where(score[:, None] == score, excess, half))
        excess = float(TURN.best(-TURN.best(second)[:, None])[0])
    assert found == pytest.approx((excess, -excess), abs=solver.bound + 1e-10)


@cache
def _long_pot(opener: str) -> tuple[float, float]:
    """The opener's value of a pot with much room, and its bound."""
    match = _match(2, Pot(1, 3), opener)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solvers, "HANGING", 30)
        solver = TurnSolver(match)
        return solver.values(match.start())[0], solver.bound


@BOTH
@pytest.mark.parametrize("hanging", [2, 4, 12])
def test_the_bound_of_a_pot_holds_for_every_seat_that_may_get_the_pot_at_the_end(
    hanging: int, opener: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off earlier, the bound is wider and still true: the value with much more room lies within it."""
    match = _match(2, Pot(1, 3), opener)
    value, bound = _long_pot(opener)
    assert bound < 1e-9
    monkeypatch.setattr(solvers, "HANGING", hanging)
    short = TurnSolver(match)
    assert abs(short.values(match.start())[0] - value) <= short.bound + bound
    assert (short.bound > 1e-6) == (hanging < 12), "wide enough to mean something, narrow enough to be of use"


def test_the_bound_of_a_pot_of_three_is_what_is_shared_out_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    match = _match(3, Pot(1, 1))
    monkeypatch.setattr(solvers, "HANGING", 20)
    value = np.array(TurnSolver(match).values(match.start()))
    monkeypatch.setattr(solvers, "HANGING", 4)
    short = TurnSolver(match)
    assert np.abs(np.array(short.values(match.start())) - value).max() <= short.bound
    assert short.bound < 1e-2


def test_a_pot_that_has_hung_long_is_followed_as_far_again() -> None:
    match = _match(2, Pot(1, 2))
    solver = TurnSolver(match)
    start = match.start()
    hung = replace(start, tally=Tally(13, (-14, -14), 28), number=14)
    values = solver.values(hung)
    assert sum(values) == pytest.approx(0, abs=1e-9)
    assert values[0] == pytest.approx(-0.9, abs=0.9), "half of 28 chips, less 14, and the second seat's advantage"
    assert len(solver._standings) == 1


def test_stakes_scale_pots() -> None:
    one, thousand = _start(2, Pot(1, 3)), _start(2, Pot(1000, 3))
    assert one * 1000 == pytest.approx(thousand, rel=1e-9)


# --- what is exact, and what says it is not


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("opener", OPENERS)
def test_a_single_round_is_exact_for_two_to_six_seats(seats: int, opener: str) -> None:
    match = _match(seats, Rounds(1), opener)
    solver = TurnSolver(match)
    assert solver.utility == "share of the match"
    values = solver.values(match.start())
    assert sum(values) == pytest.approx(1, abs=1e-12)


def test_a_round_nobody_wins_is_shared_by_all() -> None:
    match = _match(3, Rounds(1))
    state = match.start()
    assert state.round is not None
    nobody = match.at(state, RoundState(3, (0, 0)))
    values = TurnSolver(match).values(nobody)
    assert values[0] == values[1] > 0
    assert values[2] == pytest.approx(1 - 2 * values[0])
    assert values[0] == pytest.approx((1 - 0.957) / 3, abs=1e-3), "all miss: a third each"


@pytest.mark.parametrize("compiled", [False, True])
def test_what_does_not_fit_says_so(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceleration, "numba_there", lambda: compiled)
    whole = {
        (seats, number): TurnSolver(_match(seats, Rounds(number))).utility == "share of the match"
        for seats, number in product(range(2, 7), range(1, 21))
    }
    most = {seats: max(number for number in range(1, 21) if whole[seats, number]) for seats in range(2, 7)}
    assert most == ({2: 20, 3: 20, 4: 6, 5: 3, 6: 2} if compiled else {2: 20, 3: 8, 4: 2, 5: 1, 6: 1})
    assert all(whole[seats, number] for seats, number in whole if number <= most[seats])


def test_who_opens_by_losing_is_played_round_by_round_with_three() -> None:
    assert TurnSolver(_match(3, Rounds(2), "loser")).utility == "round wins, one round at a time"
    assert TurnSolver(_match(3, Pot(1, 1), "loser")).utility == "chips, one round at a time"
    assert TurnSolver(_match(2, Rounds(2), "loser")).utility == "share of the match"


@pytest.mark.parametrize(("seats", "form"), [(2, Rounds(1)), (3, Rounds(2))], ids=["whole", "one round at a time"])
def test_a_round_is_solved_once_for_all_its_states(seats: int, form: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "Round", made := Mock(wraps=Round))
    solver = TurnSolver(match := Match(Pair(), seats, form, "loser"))
    assert len({solver.values(state) for state in walks(match, 1, 3) if state.round is not None}) > 5
    assert made.call_count == 1, "the key of TurnSolver._round"


def test_more_than_six_seats_are_refused() -> None:
    with pytest.raises(Unsolved) as caught:
        TurnSolver(_match(7, Rounds(1)))
    assert caught.value.code == "too-many-seats"
    assert caught.value.facts == {"title": "Midnight", "seats": 7, "most": 6}


def test_another_game_is_refused() -> None:
    with pytest.raises(TypeError, match="no game of one turn a seat"):
        TurnSolver(Match("chess", 2, Rounds(1)))  # type: ignore[arg-type]


@pytest.mark.skipif(not acceleration.numba_there(), reason="needs the extra fast: pip install 'pubdice[fast]'")
def test_three_seats_are_worth_the_same_with_numba_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "pays", lambda *_: False)
    plain = _start(3, Rounds(3))
    monkeypatch.setattr(kernels, "pays", lambda *_: True)
    assert _start(3, Rounds(3)) == pytest.approx(plain, abs=1e-11)


# --- the solved policy through the real engine


def _play(match: Match[RoundState, Keep], solver: TurnSolver, rng: random.Random, known: dict[Any, Keep]) -> State:
    state = match.start()
    while not state.over:
        due = match.to_roll(state)
        if due:
            state = match.roll(state, tuple(sorted(rng.choices(range(1, 7), k=due))))
            continue
        key = (state.tally, state.order, state.round)
        if key not in known:
            known[key] = max(solver.action_values(state), key=lambda action: action[1])[0]
        state = match.play(state, known[key])
    return state


PLAYED: list[tuple[int, Format, str]] = [
    (2, Rounds(3), "fixed"),
    (2, Rounds(2), "winner"),
    (2, Pot(1, 1), "rotate"),
    (3, Rounds(1), "rotate"),
]


@pytest.mark.parametrize(
    "turns", [4_000, pytest.param(1_000_000, marks=pytest.mark.nightly)], ids=["default", "million"]
)
@pytest.mark.parametrize(("seats", "form", "opener"), PLAYED, ids=str)
def test_solved_play_through_the_engine_wins_what_the_values_say(
    seats: int, form: Format, opener: str, turns: int
) -> None:
    """Four matches of 4,000 turns each, 16,000 in all; nightly a million each. Within four standard errors."""
    match = _match(seats, form, opener)
    solver = TurnSolver(match)
    rng, known = random.Random(1424), dict[Any, Keep]()
    found = []
    played = 0
    while played < turns:
        end = _play(match, solver, rng, known)
        played += seats * end.tally.rounds
        found.append(solver.values(end))
    results = np.array(found)
    error = results.std(axis=0, ddof=1) / sqrt(len(results))
    assert (np.abs(results.mean(axis=0) - solver.values(match.start())) <= 4 * error + 1e-12).all()
