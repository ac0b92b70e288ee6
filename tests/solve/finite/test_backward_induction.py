"""The fast solver against the oracle in exact fractions: every position of a turn, several utilities, both needs."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from oracles.expectimax import expectimax
from pubdice.core.game import RoundResult
from pubdice.games.midnight.rules import Midnight
from pubdice.solve.arrays import Floats
from pubdice.solve.finite import backward_induction as finite
from pubdice.solve.finite.graph import Graph, enumerate_round
from pubdice.solve.numerics import ROUNDING, SAME
from pubdice.solve.turns.turn import turn

NEEDS = ((1, 4), (2, 4))
ODD = [(score * 7919 + 13) % 1009 for score in range(25)]
"""Numbers without an order."""
UTILITIES: dict[str, Callable[[int], Fraction]] = {
    "score": Fraction,
    "qualify": lambda score: Fraction(score > 0),
    "reach:20": lambda score: Fraction(score >= 20),
    "exactly:24": lambda score: Fraction(score == 24),
    "least": lambda score: Fraction(-score),
    "odd": lambda score: Fraction(ODD[score], 1009),
    "tie": lambda score: Fraction(2 * (score > 17) + (score == 17), 2),
}


BY_DAY = [*((NEEDS[0], name) for name in ("score", "least", "odd", "tie")), (NEEDS[1], "odd")]
"""Worths that rise, that are below nothing, that follow no order and that are level; the others are such too."""


@cache
def _oracle(need: tuple[int, int], name: str) -> dict[Any, Fraction]:
    """The exact value of every position of a turn."""
    memory: dict[Any, Fraction] = {}
    game = Midnight(need)

    def worth(result: RoundResult) -> Fraction:
        return UTILITIES[name](result.scores[0])

    expectimax(game, game.start(1), worth, memory)
    return memory


def _ends(graph: Graph, name: str) -> Floats:
    return np.array([float(UTILITIES[name](result.scores[0])) for result in graph.results])


@pytest.mark.parametrize(
    ("need", "name"),
    [
        pytest.param(need, name, marks=() if (need, name) in BY_DAY else pytest.mark.nightly)
        for need in NEEDS
        for name in UTILITIES
    ],
    ids=str,
)
def test_all_12398_positions_of_a_turn_are_worth_what_the_oracle_says(need: tuple[int, int], name: str) -> None:
    turned = turn(Midnight(need))
    exact = _oracle(need, name)
    value = finite.best_values(turned.graph, _ends(turned.graph, name)[:, None])[:, 0]
    assert len(exact) == 12398
    for state, expected in exact.items():
        if turned.game.to_roll(state):
            found = value[turned.graph.chance[state]]
        elif state.free:
            found = max(value[node] for _, node in turned.after(state))
        else:
            continue
        assert found == pytest.approx(float(expected), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("name", ["score", "odd"])
@pytest.mark.parametrize("need", NEEDS, ids=["1-4", "2-4"])
def test_every_keep_is_worth_what_the_oracle_says(need: tuple[int, int], name: str) -> None:
    turned = turn(Midnight(need))
    exact = _oracle(need, name)
    value = finite.best_values(turned.graph, _ends(turned.graph, name)[:, None])[:, 0]
    decisions = [state for state in exact if state.free][::7]
    for state in decisions:
        for keep, node in turned.after(state):
            expected = exact[turned.game.play(state, keep)]
            assert value[node] == pytest.approx(float(expected), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("name", ["score", "reach:20", "odd"])
def test_a_graph_that_merges_nothing_has_the_same_values(name: str) -> None:
    """Ends told apart by the dice they came from: 462 ends and 462 kinds, and not one other value."""

    class Told(Midnight):
        """Midnight whose scores tell the hand as well, so that nothing is alike."""

        __slots__ = ()

        def worth(self, hand: tuple[int, ...]) -> int:
            told = sum(hand.count(face) * 7 ** (face - 1) for face in range(1, 7))
            worth: int = Midnight.worth(self, hand)
            return worth + 25 * int(told)

    game = Told()
    graph = enumerate_round(game, game.start(1), rerolled=True)
    merged = turn(Midnight()).graph
    assert (graph.ends, graph.nodes - graph.ends) == (462, 462)
    assert graph.decisions > merged.decisions
    ends = np.array([float(UTILITIES[name](result.scores[0] % 25)) for result in graph.results])
    value = finite.best_values(graph, ends[:, None])[:, 0]
    expected = finite.best_values(merged, _ends(merged, name)[:, None])[:, 0]
    for state, node in graph.chance.items():
        assert value[node] == pytest.approx(expected[merged.chance[state]], rel=1e-13, abs=1e-14)


def _lanes(number: int, seed: int = 1) -> Floats:
    """Utilities of all kinds: random, few-valued (many ties), constant."""
    rng = np.random.default_rng(seed)
    utility: Floats = rng.random((22, number))
    utility[:, ::3] = np.round(utility[:, ::3] * 2)
    utility[:, ::7] = 1.0
    return utility


@pytest.mark.parametrize("need", NEEDS, ids=["1-4", "2-4"])
def test_distributions_sum_to_1_and_reproduce_the_values(need: tuple[int, int]) -> None:
    graph = turn(Midnight(need)).graph
    second = _ends(graph, "score")
    for utility in _lanes(8).T:
        value, chosen = finite.best_choices(graph, utility, second)
        chance = finite.distributions(graph, chosen)
        assert chance.sum(axis=1) == pytest.approx(1, abs=1e-14)
        assert (chance >= 0).all()
        assert chance @ utility == pytest.approx(value, abs=1e-13)
        assert value == pytest.approx(finite.best_values(graph, utility[:, None])[:, 0], abs=SAME * 6)


def test_lanes_give_what_one_utility_at_a_time_gives() -> None:
    graph = turn(Midnight()).graph
    second = _ends(graph, "score")
    utility = _lanes(70)
    values, chances = finite.best_values(graph, utility), finite.start_chances(graph, utility, second)
    assert finite.start_values(graph, utility) == pytest.approx(values[-1], abs=1e-13)
    for lane in range(0, 70, 3):
        _, chosen = finite.best_choices(graph, utility[:, lane], second)
        assert chances[:, lane] == pytest.approx(finite.distributions(graph, chosen)[-1], abs=1e-14)


def test_no_lanes_are_no_values() -> None:
    graph = turn(Midnight()).graph
    assert finite.start_values(graph, np.empty((22, 0))).shape == (0,)
    assert finite.start_chances(graph, np.empty((22, 0)), _ends(graph, "score")).shape == (22, 0)


def test_between_equal_choices_the_second_utility_decides() -> None:
    """Where nothing matters, the second utility is all: a constant is played for the mean score."""
    graph = turn(Midnight()).graph
    score = _ends(graph, "score")
    _, chosen = finite.best_choices(graph, np.ones(graph.ends), score)
    assert (finite.distributions(graph, chosen) @ score)[-1] == pytest.approx(
        float(finite.best_values(graph, score[:, None])[-1, 0]), abs=1e-12
    )


def test_a_second_currency_is_carried_along() -> None:
    """What best play for the first is worth in the second; without ties that is what its distribution says."""
    graph = turn(Midnight()).graph
    rng = np.random.default_rng(5)
    utility, along = rng.random((22, 9)), rng.random((22, 9))
    value, second = finite.start_pairs(graph, utility, along)
    chance = finite.start_chances(graph, utility, _ends(graph, "score"))
    assert value == pytest.approx(finite.start_values(graph, utility), abs=1e-14)
    assert second == pytest.approx((chance * along).sum(axis=0), abs=1e-13)


@pytest.mark.parametrize("name", ["score", "odd"])
def test_rounding_stays_far_within_its_bound(name: str) -> None:
    turned = turn(Midnight())
    ends = _ends(turned.graph, name)
    found = float(finite.start_values(turned.graph, ends[:, None])[0])
    error = abs(Fraction(found) - _oracle((1, 4), name)[turned.game.start(1)])
    assert error <= Fraction(ROUNDING) * Fraction(float(ends.max()))
