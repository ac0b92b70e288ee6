"""Rounds that tied seats play again, solved: against the rules alone, and by the equation of best play."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from oracles import naive_midnight, naive_replays, naive_ship, naive_threes
from oracles.compare import compare, walks
from oracles.equation import holds
from oracles.max_n import MaxN, settled
from oracles.naive_replays import Worth, chips, share
from play import KITS
from pubdice.core.errors import Unsolved
from pubdice.core.game import Result, RoundState, Seat
from pubdice.games.shutbox.rules import BoxRound
from pubdice.match.match import Match, MatchState
from pubdice.solve.choose import solve_match
from pubdice.solve.solver import Solver
from pubdice.solve.turns import solver as solvers
from pubdice.solve.turns.solver import TurnSolver
from support.profiles import NIGHTLY

EXACT = 1e-9
OPENERS = ("rotate", "fixed", "winner", "loser")


def _match(kit: str, form: str, seats: int, opener: str = "rotate", **options: str) -> Match[Any, Any]:
    usual = {option.key: option.choices[0] for option in KITS[kit].options}
    return Match(KITS[kit].build(usual | options), seats, KITS[kit].format(form), opener)


def _each(turn: Any) -> naive_replays.Turns:
    return lambda worths: [float(turn(worth)) for worth in worths]


def _midnight(worths: Sequence[Worth]) -> list[float]:
    values = naive_midnight.values(np.array([[worth(score) for worth in worths] for score in range(25)]))
    return [float(value) for value in values]


def _shut(worth: Worth) -> float:
    """Shut the Box from its rules alone: two dice, the sum of the tiles left."""
    falls = [one + other for one, other in product(range(1, 7), repeat=2)]

    @cache
    def rolling(up: tuple[int, ...]) -> float:
        return sum(rolled(up, fall) for fall in falls) / len(falls) if up else worth(0)

    @cache
    def rolled(up: tuple[int, ...], fall: int) -> float:
        ways = [part for size in range(1, len(up) + 1) for part in combinations(up, size) if sum(part) == fall]
        if not ways:
            return worth(sum(up))
        return max(rolling(tuple(tile for tile in up if tile not in part)) for part in ways)

    return rolling(tuple(range(1, 10)))


def _most(one: int, other: int) -> bool:
    return one > other


def _least(one: int, other: int) -> bool:
    return one < other


NAIVE = {
    "midnight": naive_replays.Round(_midnight, tuple(range(25)), _most),
    "ship": naive_replays.Round(_each(naive_ship.turn), naive_ship.SCORES, _most),
    "threes": naive_replays.Round(_each(naive_threes.turn), tuple(range(31)), _least),
    "shutbox": naive_replays.Round(_each(_shut), tuple(range(46)), _least, at_once=(0,)),
}
"""Each game under its usual rules. The score 0 at Midnight and Ship is a miss, and two misses are no win."""


def _position(kit: str, score: int) -> Any:
    return BoxRound(2, (score,)) if kit == "shutbox" else RoundState(2, (score,))


@cache
def _chance(kit: str) -> float:
    """The opener's chance to win a round in the end, proven by the naive rules."""
    match = _match(kit, "rounds 1 replay", 2)
    found = float(solve_match(match).values(match.start())[0])
    assert NAIVE[kit].proves(found, EXACT / 10)
    return found


@pytest.mark.parametrize("kit", NAIVE)
def test_two_seats_have_the_values_of_the_rules_alone(kit: str) -> None:
    chance, checked = _chance(kit), 0
    after = NAIVE[kit].after(chance)
    for opener, rounds in product(OPENERS, (1, 2, 3, 5)):
        match, pot = (_match(kit, f"{form} {rounds} replay", 2, opener) for form in ("rounds", "pot 1 rounds"))
        solver, chip_solver = solve_match(match), solve_match(pot)
        assert solver.bound < EXACT
        assert chip_solver.bound < EXACT
        assert chip_solver.values(pot.start())[0] == pytest.approx(chips(chance, opener, rounds), abs=EXACT)
        for won in [row for length in range(rounds) for row in product((0, 1), repeat=length)]:
            state = match.start()
            for winner in won:
                state = _ended(match, state, winner)
            first = state.order[0]
            left, lead = rounds - len(won), state.tally.points[first] - state.tally.points[1 - first]
            right = share(chance, opener, left, lead)
            assert solver.values(state)[first] == pytest.approx(right, abs=EXACT)
            again = match.ended(state, state.round, Result(state.order, (7, 7)))
            assert solver.values(again)[first] == pytest.approx(right, abs=EXACT), "a replay is worth the round"
            both = share(1.0, opener, left, lead), share(0.0, opener, left, lead)
            checked += 3
            if len(won) < 2:
                one, other = (_share_after(match, state, seat, opener, chance) for seat in (first, 1 - first))
                assert one + 1e-12 >= other, both
                for score, part in list(after.items())[:: 1 if kit == "ship" else 5]:
                    at = match.at(again, _position(kit, score))
                    if match.mover(at) is not None and score not in NAIVE[kit].at_once:
                        value = other + (one - other) * part
                        assert solver.values(at)[first] == pytest.approx(value, abs=EXACT)
                        checked += 1
    assert checked >= 300


def _ended(match: Match[Any, Any], state: MatchState[Any], winner: int) -> MatchState[Any]:
    """The match after one seat has won the round, and the other has the worse score."""
    best = 2 if match.game.lowest_wins else 5
    scores = [7 - best] * match.seats
    scores[winner] = best
    return match.ended(state, state.round, Result((Seat(winner),), tuple(scores)))


def _share_after(match: Match[Any, Any], state: MatchState[Any], winner: int, opener: str, chance: float) -> float:
    """The share of the opener of ``state`` once a seat has won its round."""
    after, first = _ended(match, state, winner), state.order[0]
    if after.over:
        return match.shares(after.tally)[first]
    opens = after.order[0]
    left, lead = (
        match.format.rounds_planned - after.tally.rounds,
        after.tally.points[opens] - after.tally.points[1 - opens],
    )
    found = share(chance, opener, left, lead)
    return found if opens == first else 1 - found


@pytest.mark.parametrize(
    ("form", "seats", "hold"),
    [
        ("rounds 1 replay", 2, "none"),
        ("rounds 1 replay", 2, "1 2"),
        ("pot 2 rounds 1 replay", 2, "none"),
        *[("rounds 2 replay", 2, "none")] * NIGHTLY,
    ],
)
def test_mexico_has_the_values_of_an_iteration_over_the_match_itself(form: str, seats: int, hold: str) -> None:
    match = _match("mexico", form, seats, hold=hold)
    oracle = MaxN(match, 1, settled(match, lambda state: (state.order, state.tally)))
    assert compare(solve_match(match), oracle, matches=40, exact=EXACT) >= 100


MANY = [
    ("ship", "rounds 1 replay", 3, "rotate"),
    ("ship", "rounds 2 replay", 3, "winner"),
    ("ship", "pot 2 rounds 2 replay", 4, "fixed"),
    ("ship", "rounds 2 replay", 5, "rotate"),
    ("threes", "rounds 2 replay", 3, "rotate"),
    ("mexico", "rounds 2 replay", 3, "fixed"),
    ("mexico", "pot 1 rounds 2 replay", 3, "rotate"),
    *[("midnight", "rounds 1 replay", 3, "rotate")] * NIGHTLY,
]


@pytest.mark.parametrize(("kit", "form", "seats", "opener"), MANY)
def test_many_seats_play_best_each_for_itself(kit: str, form: str, seats: int, opener: str) -> None:
    match = _match(kit, form, seats, opener)
    solver = solve_match(match)
    assert "one round" not in solver.utility
    replayed = 0
    for at, state in enumerate(walks(match, 5, 60 if kit == "mexico" else 12)):
        replayed += state.tally.began is not None
        if state.tally.began is not None or at % 9 == 0:
            holds(match, solver, state, 1e-11)
    assert replayed > 5, "the walks have come through replays"


def test_a_match_that_is_too_large_is_solved_one_round_at_a_time() -> None:
    match = _match("ship", "rounds 20 replay", 5)
    solver = solve_match(match)
    assert solver.utility == "round wins, one round at a time"
    assert solver.bound < EXACT
    state = next(state for state in walks(match, 1, 3) if state.tally.began is not None and len(state.order) == 2)
    had = state.tally.points
    assert sum(solver.values(state)) - sum(had) == pytest.approx(1, abs=EXACT), "one seat wins the round"
    assert [value - had[seat] for seat, value in enumerate(solver.values(state)) if seat not in state.order] == [0] * 3
    with pytest.raises(Unsolved) as refused:
        solve_match(_match("ship", "rounds 1 replay", 7))
    assert refused.value.facts["most"] == 6


def test_best_replies_that_never_settle_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice.solve.turns.rounds.MOST_STEPS", 1)
    match = _match("ship", "rounds 1 replay", 3)
    with pytest.raises(Unsolved) as refused:
        TurnSolver(match).values(match.start())
    assert refused.value.code == "unsettled"


def test_a_followed_opener_is_solved_with_replays() -> None:
    match = _match("midnight", "rounds 2 replay", 2, follow="yes")
    solver: Solver = solve_match(match)
    assert isinstance(solver, solvers.TurnSolver)
    for at, state in enumerate(walks(match, 2, 2)):
        if at % 6 == 0:
            holds(match, solver, state, 1e-11)
    start = match.start()
    tied = match.ended(start, start.round, Result(start.order, (9, 9)))
    assert solver.values(tied) == pytest.approx(solver.values(replace(start, round=tied.round)), abs=1e-12)
