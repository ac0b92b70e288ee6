"""Questions that are left and asked again come to what they come to at once, and hold nobody up meanwhile."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from pubdice.core.errors import Unsolved
from pubdice.core.game import Seat
from pubdice.games.mexico import Mexico
from pubdice.games.mexico.lives import Lives
from pubdice.games.ship import Ship
from pubdice.match.formats import Points, Pot, Total
from pubdice.match.match import Match
from pubdice.server import processes
from pubdice.server.processes import DirectWorker
from pubdice.solve.pauses import PausedError, ResumableJob, Steps, may_pause, pausing
from pubdice.solve.pure_python import round_positions
from pubdice.solve.pure_python.match_solver import BareMatchSolver, solved_bare
from pubdice.solve.pure_python.turn_match import BareTurnSolver
from pubdice.solve.turns import totals
from pubdice.solve.turns.goals import Win
from pubdice.solve.turns.totals import TotalsSolver


def always() -> bool:
    return True


def times_left(ask: Callable[[], object]) -> tuple[int, object]:
    """How often a question is left if each part is enough, and what it comes to."""
    for left in range(10_000):
        try:
            with pausing(always):
                return left, ask()
        except PausedError:
            pass
    raise AssertionError("never done")


def test_nothing_pauses_unless_somebody_says_so() -> None:
    may_pause()


def test_a_chase_that_is_left_after_each_turn_solved_comes_to_the_same() -> None:
    parted, whole = Win(Ship(), "share", 4), Win(Ship(), "share", 4)
    left, found = times_left(lambda: parted.to_beat(6, 1, 2))
    assert left > 10
    assert found == whole.to_beat(6, 1, 2)


def test_so_do_the_standings_of_a_pot() -> None:
    match = Match(Ship(), 2, Pot(1, 3), "rotate", Seat(0))
    start = match.start()
    parted = BareTurnSolver(match)
    left, found = times_left(lambda: parted.values(start))
    assert left > 10
    assert found == BareTurnSolver(match).values(start)


@pytest.fixture
def no_tables() -> Iterator[None]:
    """No tables of totals are kept from before, nor for later tests."""
    for known in (totals._first_to, totals._most_after):
        known.cache_clear()
    yield
    for known in (totals._first_to, totals._most_after):
        known.cache_clear()


@pytest.mark.parametrize("form", [Points(40), Points(40, 1), Total(6)])
@pytest.mark.usefixtures("no_tables")
def test_so_do_the_tables_of_points(form: Points | Total) -> None:
    match = Match(Ship(), 2, form, "winner", Seat(0))
    left, found = times_left(lambda: TotalsSolver(match).values(match.start()))
    assert left >= 6
    totals._first_to.cache_clear()
    totals._most_after.cache_clear()
    assert found == TotalsSolver(match).values(match.start())


@pytest.mark.usefixtures("no_tables")
def test_tables_that_were_left_answer_for_fewer_points_and_for_more() -> None:
    def value(number: int) -> tuple[float, ...]:
        match = Match(Ship(), 2, Points(number), "winner", Seat(0))
        return TotalsSolver(match).values(match.start())

    numbers = (12, 50, 30, 70)
    whole = []
    for number in numbers:
        totals._first_to.cache_clear()
        whole.append(value(number))
    totals._first_to.cache_clear()
    with pytest.raises(PausedError), pausing(always):
        value(50)
    left, twelve = times_left(lambda: value(12))
    assert 0 < left < 12, "no further than what was asked for"
    later = [times_left(partial(value, number))[1] for number in numbers[1:]]
    assert [twelve, *later] == [pytest.approx(each, abs=1e-12) for each in whole]


def test_so_does_a_match_that_is_no_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(Mexico(), 2, Lives(4), "rotate", Seat(0))
    start = match.start()
    left, parted = times_left(lambda: solved_bare(match))
    assert left > 10
    assert isinstance(parted, BareMatchSolver)
    assert parted.values(start) == solved_bare(match).values(start)
    assert parted.bound < 1e-11
    monkeypatch.setattr(round_positions, "MOST_POSITIONS", 100)
    for _ in range(2):
        with pytest.raises(Unsolved, match="needs-house"):
            solved_bare(match)


def test_others_have_their_turn_between_the_parts_of_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "PART_S", 0)
    parted, turns = Win(Ship(), "share", 4), [0]

    async def others() -> None:
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    async def asked() -> object:
        beside = asyncio.ensure_future(others())
        found = await DirectWorker().run(parted.to_beat, 6, 1, 2)
        beside.cancel()
        return found

    assert asyncio.run(asked()) == Win(Ship(), "share", 4).to_beat(6, 1, 2)
    assert turns[0] > 10


def _steps(fails: bool) -> Steps[str]:
    yield
    may_pause()
    yield
    if fails:
        raise Unsolved("unsettled")
    return "done"


def test_work_in_parts_is_left_between_its_steps_only() -> None:
    work = ResumableJob(_steps(fails=False))
    with pausing(always):
        assert [work.go_on(always) for _ in range(4)] == [None, None, "done", "done"]


def test_work_that_fails_fails_whenever_it_is_asked_again() -> None:
    work = ResumableJob(_steps(fails=True))
    assert work.go_on(always) is None
    for _ in range(2):
        with pytest.raises(Unsolved):
            work.go_on()
