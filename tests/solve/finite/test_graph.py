"""The graph is the rules: its counts, its merge, and that nothing is lost by either."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pubdice.core.dice import rolls
from pubdice.games.fourtwenty import FourTwenty
from pubdice.games.midnight.rules import Midnight, RoundState
from pubdice.solve.finite.graph import Graph, enumerate_round
from pubdice.solve.turns.turn import turn

GAMES = (Midnight(), Midnight((2, 4)))
EVERY_NEED = pytest.mark.parametrize("game", GAMES, ids=["1-4", "2-4"])


def _graph(game: Midnight) -> Graph:
    return enumerate_round(game, game.start(1), rerolled=True)


def _runs(flat: Any, starts: Any) -> Iterator[list[Any]]:
    ends = [*starts[1:], len(flat)]
    for first, behind in zip(starts, ends, strict=True):
        yield list(flat[first:behind])


def _same(one: Graph, other: Graph) -> bool:
    fields = ("after", "after_starts", "branch", "prob", "branch_starts")
    return (
        one.results == other.results
        and one.chance == other.chance
        and len(one.layers) == len(other.layers)
        and all(
            mine.decisions == theirs.decisions
            and mine.kinds == theirs.kinds
            and all(np.array_equal(getattr(mine, field), getattr(theirs, field)) for field in fields)
            for mine, theirs in zip(one.layers, other.layers, strict=True)
        )
    )


@pytest.mark.parametrize(("game", "kinds", "decisions"), [(GAMES[0], 161, 6931), (GAMES[1], 167, 7060)])
def test_a_turn_has_22_ends_and_so_many_kinds_of_chance_and_decision(
    game: Midnight, kinds: int, decisions: int
) -> None:
    graph = _graph(game)
    assert (graph.ends, graph.nodes - graph.ends, graph.decisions, len(graph.layers)) == (22, kinds, decisions, 6)
    assert len(graph.chance) == 462, "every hand of 0 to 5 locked dice"
    assert graph.chance[RoundState(1)] == graph.nodes - 1, "the start is the last node"


@EVERY_NEED
def test_chances_of_every_kind_sum_to_1_and_follow_only_what_is_smaller(game: Midnight) -> None:
    graph = _graph(game)
    for layer in graph.layers:
        assert np.add.reduceat(layer.prob, layer.branch_starts) == pytest.approx(1, abs=1e-15)
        assert layer.after.max() < layer.kinds[0], "a decision leads below its own height"
        assert layer.branch.max() < layer.decisions[1]
        for run in _runs(layer.after, layer.after_starts):
            assert run == sorted(set(run))
            assert run


@EVERY_NEED
def test_no_two_decisions_and_no_two_kinds_of_a_graph_are_alike(game: Midnight) -> None:
    graph = _graph(game)
    choices = [tuple(run) for layer in graph.layers for run in _runs(layer.after, layer.after_starts)]
    kinds = [
        tuple(zip(decisions, chances, strict=True))
        for layer in graph.layers
        for decisions, chances in zip(
            _runs(layer.branch, layer.branch_starts), _runs(layer.prob, layer.branch_starts), strict=True
        )
    ]
    assert len(set(choices)) == len(choices)
    assert len(set(kinds)) == len(kinds)


@EVERY_NEED
def test_every_position_that_was_merged_has_the_branches_the_rules_give_it(game: Midnight) -> None:
    """Positions at a roll, one by one from the rules: the ways of each set of successors, as the graph has them."""
    graph = _graph(game)
    ends = {result: number for number, result in enumerate(graph.results)}
    layers = [(layer, kind) for layer in graph.layers for kind in range(*layer.kinds)]
    choices = [frozenset(run) for layer in graph.layers for run in _runs(layer.after, layer.after_starts)]
    branches: dict[int, dict[frozenset[int], float]] = {}
    for layer, kind in layers:
        at = kind - layer.kinds[0]
        first = layer.branch_starts[at]
        behind = layer.branch_starts[at + 1] if at + 1 < len(layer.branch_starts) else len(layer.branch)
        found = zip(layer.branch[first:behind], layer.prob[first:behind], strict=True)
        branches[kind] = {choices[decision]: float(prob) for decision, prob in found}
    for state, kind in graph.chance.items():
        due = game.to_roll(state)
        expected: dict[frozenset[int], Fraction] = {}
        for hand, count in rolls(due):
            fallen = game.roll(state, hand)
            after = [game.play(fallen, action) for action in game.legal(fallen)]
            results = [(game.result(each), each) for each in after]
            nodes = frozenset(graph.chance[each] if end is None else ends[end] for end, each in results)
            expected[nodes] = expected.get(nodes, Fraction(0)) + Fraction(count, 6**due)
        assert branches[kind] == {nodes: float(chance) for nodes, chance in expected.items()}


@EVERY_NEED
def test_a_keep_leads_to_the_same_place_whatever_is_rerolled_so_it_may_be_asked_once(game: Midnight) -> None:
    """What ``TurnGraph`` tells the enumeration about Midnight is true: the graph is the same without being told."""
    assert _same(_graph(game), enumerate_round(game, game.start(1)))
    assert _same(_graph(game), turn(game).graph)


def test_two_turns_one_after_the_other_have_a_graph_as_well() -> None:
    """A round of two seats: 22 scores, then 22 graphs of one turn, merged where the second seat finds the same."""
    graph = enumerate_round(Midnight(), RoundState(2, (24,)))
    assert graph.ends == 22
    assert {result.winners for result in graph.results} == {(0,), (0, 1)}


def test_a_position_with_nothing_to_roll_is_refused() -> None:
    game = Midnight()
    with pytest.raises(ValueError, match="there are no dice to roll"):
        enumerate_round(game, game.roll(game.start(1), (1, 1, 2, 3, 4, 5)))


def test_a_round_that_need_not_end_is_refused() -> None:
    game = FourTwenty()
    with pytest.raises(RecursionError):
        enumerate_round(game, game.start(2))
