"""What counts as equal among computed values, and the order of the best."""

from itertools import product
from math import nextafter

import pytest

from pubdice.solve.numerics import NOTHING, ROUNDING, STILL, TIE, best_first, first_best, leveled

BETWEEN = 0.1234567890125
"""Rounded to 12 digits, this and the next float differ by 1e-12."""


def test_the_first_of_equal_values_is_taken_wherever_they_lie() -> None:
    values = {"b": BETWEEN, "a": nextafter(BETWEEN, 1), "c": BETWEEN - 1e-6}
    assert round(values["b"], 12) < round(values["a"], 12)
    assert first_best(values, values.__getitem__) == "b"
    assert first_best({"b": 0.5, "a": 0.5 + 2 * TIE}, {"b": 0.5, "a": 0.5 + 2 * TIE}.__getitem__) == "a"


def test_of_equal_ones_the_next_value_decides_and_then_their_order() -> None:
    worth = {"a": (0.5, 1.0), "b": (0.5 + 1e-14, 2.0), "c": (0.5, 2.0 + 1e-14), "d": (0.7, 0.0)}
    assert best_first(worth, lambda name: worth[name][0], lambda name: worth[name][1]) == ["d", "b", "c", "a"]
    assert best_first(worth, lambda name: worth[name][0]) == ["d", "a", "b", "c"]


def test_the_first_best_is_the_first_of_the_best_first() -> None:
    for steps in product((0, 0.6 * TIE, 1.2 * TIE, 1e-6), repeat=3):
        for more in product((0, 0.6 * TIE, 1.2 * TIE), repeat=3):
            values = (lambda at, each=steps: 0.5 - each[at], lambda at, each=more: 0.5 - each[at])
            for given in (values[:1], values):
                assert first_best(range(3), *given) == best_first(range(3), *given)[0], (steps, more)


def test_a_chain_of_small_steps_is_not_all_one_value() -> None:
    steps = [0.5 - at * 0.6 * TIE for at in range(4)]
    assert leveled(steps) == [steps[0], steps[0], steps[2], steps[2]]
    assert leveled([]) == []


def test_nothing_is_best_of_nothing() -> None:
    with pytest.raises(IndexError):
        first_best([], float)


def test_the_further_from_the_sum_the_wider_the_tolerance() -> None:
    assert STILL < ROUNDING < TIE < NOTHING
