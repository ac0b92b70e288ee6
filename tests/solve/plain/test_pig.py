"""Pig for two, a race with a choice each turn: solved in blocks, with the bound printed, up to 100 in the night.

The oracle is value iteration over Pig's own three numbers (``oracles.naive_pig``). Neller and Presser, Optimal play of
the dice game Pig, UMAP Journal 25 (2004), print 0.5306 for the opener of a game to 100.
"""

import json
import subprocess
import sys

import numpy as np
import pytest

from oracles.compare import walks
from oracles.equation import holds
from oracles.naive_pig import pig
from pubdice.core.errors import Unsolved
from pubdice.failures import sentence
from pubdice.match.formats import Race, Rounds
from pubdice.match.match import Match
from pubdice.solve.plain import forecast, two_sided
from pubdice.solve.plain.positions import END, Positions, find_positions
from pubdice.solve.plain.solver import PlainSolver
from pubdice.text.language import Language
from small_games import Piglet, TurnedPig
from support.paths import LAWS

MEGABYTES = 2_000
"""What Pig to 100 may take."""


@pytest.mark.parametrize("target", [6, 20, *(pytest.param(each, marks=pytest.mark.nightly) for each in (30, 50))])
def test_pig_is_what_value_iteration_over_its_three_numbers_says(target: int) -> None:
    match, worth = Match(TurnedPig(target), 2, Race()), pig(target)
    solver = PlainSolver(match)
    assert solver.values(match.start()) == pytest.approx((worth[0, 0, 0], 1 - worth[0, 0, 0]), abs=1e-12)
    assert 0 < solver.bound < 1e-11
    looked = 0
    for state in walks(match, 6, 1):
        if state.over or state.round is None or state.round.die:
            continue
        banked, mover, turn = state.round.banked, state.round.mover, state.round.turn
        if banked[mover] + turn < target:
            right = worth[banked[mover], banked[1 - mover], turn]
            assert solver.values(state)[mover] == pytest.approx(right, abs=1e-12)
            looked += 1
    assert looked > 1


def test_seats_that_are_turned_round_are_one_and_change_no_value() -> None:
    turned, apart = (find_positions(TurnedPig(12), 2, turned=each) for each in (True, False))
    assert len(turned.number) * 2 == pytest.approx(len(apart.number), rel=0.05)
    assert len(turned.mover) == len(apart.mover)
    assert len(turned.after) == len(apart.after)
    assert set(turned.results) == set(apart.results)
    game, place = TurnedPig(12), dict[int, int]()
    for state, number in apart.number.items():
        found = turned.at(game, state)
        assert found is not None
        place[number] = found
    for there, here in place.items():
        assert turned.mover[here] == apart.mover[there]
        after = turned.after[turned.starts[here] : turned.starts[here + 1]].tolist()
        right = [place[each] for each in apart.after[apart.starts[there] : apart.starts[there + 1]].tolist()]
        assert [_told(turned, each) for each in after] == [_told(turned, each) for each in right]
        if turned.mover[here] == END:
            assert turned.results[turned.result[here]] == apart.results[apart.result[there]]


def _told(found: Positions, position: int) -> object:
    """A position by its number, an end by its result."""
    return found.results[found.result[position]] if found.mover[position] == END else position


@pytest.mark.parametrize("opener", ["rotate", "loser"])
def test_seats_are_told_apart_where_the_match_is_not_the_same_for_both(opener: str) -> None:
    match = Match(TurnedPig(5), 2, Rounds(3), opener)
    solver = PlainSolver(match)
    for state in walks(match, 4, 5):
        holds(match, solver, state, 1e-11)


def test_what_newton_finds_is_what_sweeps_find(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(Piglet(8), 2, Race())
    quick = PlainSolver(match)
    monkeypatch.setattr(two_sided, "MOST_COLUMNS", 0)
    slow = PlainSolver(match)
    for state in walks(match, 4, 2):
        assert quick.values(state) == pytest.approx(slow.values(state), abs=1e-12)


def test_a_guess_that_proves_nothing_is_left_for_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(Piglet(5), 2, Race())
    right = PlainSolver(match).values(match.start())
    monkeypatch.setattr(
        two_sided,
        "_newton",
        lambda table, block, start, least, most: np.full((len(block.columns), table.shape[1]), 0.9),
    )
    assert PlainSolver(match).values(match.start()) == pytest.approx(right, abs=1e-12)


class Counted(TurnedPig):
    """Pig that counts how often it is asked to roll."""

    rolled = 0

    def roll(self, state, hand):  # type: ignore[no-untyped-def]
        Counted.rolled += 1
        return TurnedPig.roll(self, state, hand)


@pytest.mark.parametrize(("target", "seats"), [(300, 2), (100, 3)])
def test_what_is_far_too_large_is_refused_at_once_with_a_size_that_is_solved(target: int, seats: int) -> None:
    Counted.rolled = 0
    with pytest.raises(Unsolved) as refused:
        PlainSolver(Match(Counted(target), seats, Race()))
    assert Counted.rolled < 200_000, "a second, at some microseconds each"
    assert refused.value.code == "too-large"
    assert refused.value.facts["field"] == "target"
    size = int(str(refused.value.facts["size"]))
    assert f"With target {size} or less it is." in sentence(Language(), refused.value)
    assert 15 < size < (110 if seats == 2 else 30)
    if seats > 2:
        find_positions(TurnedPig(size), seats)


@pytest.mark.nightly
def test_a_guess_never_refuses_what_is_solved() -> None:
    """The power by which a round grows is guessed from its smallest sizes, so it is tried on one that is known."""
    found = find_positions(TurnedPig(40), 2)
    ahead = forecast.forecast(TurnedPig(40), 2)
    assert ahead.moves == pytest.approx(len(found.after), rel=0.3)
    assert ahead.field == "target"


# VmHWM, as the most memory that ``getrusage`` tells of has that of the process before it, which starts this one.
CHILD = """
import json, re, sys
from pathlib import Path
sys.path.insert(0, {laws!r})
from pubdice.match.formats import Race
from pubdice.match.match import Match
from pubdice.solve.plain.solver import PlainSolver
from small_games import TurnedPig
match = Match(TurnedPig(100), 2, Race())
solver = PlainSolver(match)
value = solver.values(match.start())[0]
memory = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
print(json.dumps([value, solver.bound, memory]))
"""


@pytest.mark.nightly
def test_pig_to_a_hundred_is_what_neller_and_presser_printed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD.format(laws=str(LAWS))], capture_output=True, text=True, check=True
    )
    value, bound, memory = json.loads(done.stdout)
    assert round(value, 4) == 0.5306
    assert value == pytest.approx(0.5305927, abs=5e-8), "by an oracle of its own, in plain Python"
    assert bound < 1e-9
    assert memory < MEGABYTES
