"""Questions that are left and asked again come to what they come to at once, and hold nobody up meanwhile."""

import asyncio
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import pytest

from pubdice.core.errors import Unsolved
from pubdice.games.midnight import Midnight
from pubdice.games.ship import Ship
from pubdice.server import processes
from pubdice.server.processes import DirectWorker
from pubdice.solve.pauses import PausedError, ResumableJob, Steps, may_pause, pausing
from pubdice.solve.turns import totals
from pubdice.solve.turns.totals import FirstTo, MostAfter, RoundScores
from pubdice.solve.turns.win import Win
from small_games import OneRoll


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


@pytest.fixture(params=[OneRoll(), Ship(), Midnight()], ids=lambda game: type(game).__name__)
def scores(request: pytest.FixtureRequest) -> RoundScores:
    """A game whose least score is 1, 2 or 4 points."""
    found: RoundScores = totals._scores(request.param, "rotate" if request.param == Midnight() else "winner", False)
    return found


@cache
def _at_once(scores: RoundScores, even: bool) -> FirstTo:
    whole = FirstTo(scores, even)
    whole.reach(40)
    return whole


def _is_as_at_once(tables: FirstTo, number: int) -> None:
    """Hold all entries up to a number of points to those that are worked out in one go."""
    whole = _at_once(tables.scores, tables.even)
    assert tables.number >= number
    assert tables.bound < 1e-9
    for name in ("_opener", "_second"):
        one, other = (getattr(each, name)[..., : number + 1, : number + 1] for each in (tables, whole))
        np.testing.assert_allclose(one, other, atol=1e-12)


@pytest.mark.parametrize("even", [False, True])
def test_so_do_tables_of_points_for_fewer_and_for_more_than_those_under_way(scores: RoundScores, even: bool) -> None:
    tables = FirstTo(scores, even)
    left, _ = times_left(lambda: tables.reach(15))
    assert left == (28 // scores.least + 1) * scores.kinds, "after each kind of the opener's scores, in each step"
    with pytest.raises(PausedError), pausing(always):
        tables.reach(26)
    for number in (17, 21, 35, 30, 40):  # the third is more than the steps under way lead to
        left, _ = times_left(partial(tables.reach, number))
        _is_as_at_once(tables, number)
    assert left > 0


def test_tables_of_points_that_ctrl_c_ended_are_worked_out_again(
    scores: RoundScores, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = FirstTo(scores, False)
    places: list[tuple[object, str]] = [(totals, "_with_room"), (np, "argsort"), (np, "split"), (tables, "_settle")]
    for of, name in places:
        with monkeypatch.context() as patch:
            patch.setattr(of, name, _interrupt)
            with pytest.raises(KeyboardInterrupt):
                tables.reach(40)
        assert tables.number == 0, "nothing is known that was not worked out"
    tables.reach(9)
    for number in (9, 10, 40):
        tables.reach(number)
        _is_as_at_once(tables, number)


def _interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_so_does_a_total(scores: RoundScores, monkeypatch: pytest.MonkeyPatch) -> None:
    parted, whole = MostAfter(scores, 3), MostAfter(scores, 3)
    with monkeypatch.context() as patch:
        patch.setattr(parted, "_before_opener", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            parted.reach()
    left, _ = times_left(parted.reach)
    assert left == 2 * scores.kinds, "after each kind of the opener's scores, in the rounds that are left"
    whole.reach()
    for name in ("_opener", "_second"):
        for one, other in zip(getattr(parted, name), getattr(whole, name), strict=True):
            np.testing.assert_array_equal(one, other)


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
