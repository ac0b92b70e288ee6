"""Cycles are cut so that a pass works out what is left, and blocks stand after all that they lead to."""

from random import Random

import numpy as np
import pytest

from pubdice.solve.plain.cycles import Numbers, cycles, heights
from pubdice.solve.plain.tallies import components


def _random(seed: int) -> tuple[Numbers, Numbers, list[list[int]]]:
    """A graph as runs and as lists; -1 stands for what is outside it."""
    draw = Random(seed)
    count = draw.randint(1, 40)
    after = [[draw.randrange(-1, count) for _ in range(draw.randint(1, 3))] for _ in range(count)]
    starts = np.cumsum([0, *map(len, after)])
    return starts, np.array([each for some in after for each in some]), after


@pytest.mark.parametrize("seed", range(40))
def test_cycles_are_the_strongly_connected_components_in_the_order_of_their_followers(seed: int) -> None:
    starts, flat, after = _random(seed)
    found = cycles(starts, flat)
    inside = [sorted(each for each in set(some) if each >= 0) for some in after]
    right = {tuple(each) for each in components(inside)}
    mine = {tuple(np.flatnonzero(found.cycle == each).tolist()) for each in np.unique(found.cycle)}
    assert mine == right
    for node, some in enumerate(inside):
        for each in some:
            if found.cycle[each] == found.cycle[node]:
                assert found.block[each] == found.block[node]
            else:
                assert found.block[each] < found.block[node]


@pytest.mark.parametrize("seed", range(40))
def test_once_cut_nothing_of_a_cycle_comes_back(seed: int) -> None:
    starts, flat, after = _random(seed)
    found = cycles(starts, flat)
    for node, some in enumerate(after):
        for each in some:
            inner = each >= 0 and found.cycle[each] == found.cycle[node]
            if inner and not found.cut[each] and not found.cut[node]:
                assert found.height[each] < found.height[node]
    for each in np.unique(found.cycle):
        columns = found.column[(found.cycle == each) & (found.cut == 1)]
        assert sorted(columns.tolist()) == list(range(len(columns)))


def test_two_turns_that_lead_to_each_other_are_cut_once() -> None:
    chain = [1, 2, 3, 4, 5, 0]
    found = cycles(np.arange(7), np.array(chain))
    assert found.cut.sum() == 1


def test_heights_of_what_comes_back_are_not_known() -> None:
    assert heights(np.array([0, 1, 2, 3, 3]), np.array([1, 0, 3])).tolist() == [-1, -1, 1, 0]
