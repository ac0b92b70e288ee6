"""Positions are what the rules say, each once, and no more of them are asked for than the limits allow."""

from typing import Any

import numpy as np
import pytest

import mexico
import small_games
from pubdice.core.errors import Unsolved
from pubdice.core.game import Game
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.solve.finite.enumerated import steps
from pubdice.solve.plain.cycles import heights, rows
from pubdice.solve.plain.positions import CHANCE, END, Positions, find_positions

SMALL: tuple[tuple[Game[Any, Any], int], ...] = (
    (mexico.Mexico(), 2),
    (small_games.Piglet(4), 2),
    (small_games.Piglet(3), 3),
)
EVERY = pytest.mark.parametrize(("game", "seats"), SMALL, ids=["mexico-2", "piglet-2", "piglet-3"])


def _states(found: Positions) -> list[Any]:
    return list(found.number)


@EVERY
def test_every_position_that_can_be_reached_is_found_once(game: Game[Any, Any], seats: int) -> None:
    found = find_positions(game, seats)
    seen, fresh = {game.start(seats)}, {game.start(seats)}
    while fresh:
        fresh = {after for state in fresh for after in steps(game, state)} - seen
        seen |= fresh
    assert set(found.number) == seen
    assert sorted(found.number.values()) == list(range(len(found.mover)))


@EVERY
def test_followers_and_movers_are_those_of_the_rules(game: Game[Any, Any], seats: int) -> None:
    found = find_positions(game, seats)
    states = _states(found)
    for state, at in found.number.items():
        after = [states[each] for each in found.after[found.starts[at] : found.starts[at + 1]]]
        if found.mover[at] == END:
            assert found.results[found.result[at]] == game.result(state)
            assert not after
        elif found.mover[at] == CHANCE:
            assert game.to_roll(state)
            assert found.ways[found.starts[at] : found.starts[at + 1]].sum() == 6 ** game.to_roll(state)
        else:
            assert found.mover[at] == game.mover(state)
            assert after == [game.play(state, action) for action in game.legal(state)]


def test_a_round_of_mexico_ends_and_one_of_piglet_need_not() -> None:
    ends = find_positions(mexico.Mexico(), 2)
    height = heights(ends.starts, ends.after)
    assert height.min() == 0
    assert (height[ends.after] < np.repeat(height, np.diff(ends.starts))).all(), "what follows is lower"
    endless = find_positions(small_games.Piglet(4), 2)
    assert heights(endless.starts, endless.after)[0] == -1
    assert (heights(endless.starts, endless.after)[endless.mover == END] == 0).all()


def test_too_many_positions_or_moves_are_refused_with_the_count_and_the_limit() -> None:
    with pytest.raises(Unsolved) as refused:
        find_positions(FourTwenty(), 3, most=1000)
    assert refused.value.code == "too-many-positions"
    assert refused.value.facts["most"] == 1000
    assert 1000 < int(str(refused.value.facts["count"])) <= 1000 + 126, "stopped after the position that was too much"
    with pytest.raises(Unsolved) as refused:
        find_positions(FourTwenty(), 3, most_moves=5000)
    assert refused.value.code == "too-many-moves"
    assert 5000 < int(str(refused.value.facts["count"])) <= 5000 + 126


def test_progress_is_told_how_many_are_done() -> None:
    told: list[tuple[int, int]] = []
    found = find_positions(mexico.Mexico(), 2, lambda done, total: told.append((done, total)), every=500)
    assert told == [(done, 0) for done in range(0, len(found.mover), 500)]
    assert len(told) > 3


def test_runs_are_picked_in_the_order_asked_for() -> None:
    assert rows(np.array([0, 2, 2, 5]), np.array([1, 2, 0])).tolist() == [2, 3, 4, 0, 1]
