"""Rows that say the same are one, whatever order rolls were counted in; choices keep the order of the rules."""

from fractions import Fraction

import numpy as np
import pytest

import mexico
from oracles.expectimax import expectimax
from pubdice.core.game import RoundResult
from pubdice.solve.plain import node_rows
from pubdice.solve.plain.best_play import every_value
from pubdice.solve.plain.cycles import Numbers
from pubdice.solve.plain.node_rows import NodeRows, alike, choice_rows, roll_rows
from pubdice.solve.plain.positions import find_positions
from pubdice.solve.plain.round_graph import RoundGraph, build, by_winners
from pubdice.solve.plain.tallies import components
from small_games import LowPair, Pair, Piglet, TurnedPig


def _rows(*found: list[tuple[int, int, int]]) -> NodeRows:
    starts = np.cumsum([0, *map(len, found)])
    after, paid, ways = (np.array([step[at] for row in found for step in row], dtype=np.int64) for at in range(3))
    return NodeRows(starts, after, paid, ways)


def _lists(found: NodeRows) -> list[list[tuple[int, int, int]]]:
    steps = list(zip(found.after.tolist(), found.paid.tolist(), found.ways.tolist(), strict=True))
    return [steps[low:high] for low, high in zip(found.starts[:-1], found.starts[1:], strict=True)]


def test_rolls_are_alike_by_their_chances() -> None:
    made = roll_rows(_rows([(3, 0, 1), (2, 0, 1), (3, 0, 1)], [(2, 0, 12), (3, 0, 24)], [(3, 0, 2), (2, 1, 1)]))
    assert _lists(made) == [[(2, 0, 1), (3, 0, 2)], [(2, 0, 1), (3, 0, 2)], [(2, 1, 1), (3, 0, 2)]]
    firsts, kind = alike(made)
    assert firsts.tolist() == [0, 2]
    assert kind.tolist() == [0, 0, 1]


def test_choices_are_alike_by_the_order_of_what_they_lead_to() -> None:
    made = choice_rows(_rows([(5, 0, 1), (2, 0, 1), (5, 0, 1)], [(2, 0, 1), (5, 0, 1)], [(5, 0, 1), (2, 0, 1)]))
    assert _lists(made)[0] == [(5, 0, 1), (2, 0, 1)], "the second way to 5 adds nothing"
    assert alike(made)[1].tolist() == [0, 1, 0]


def test_hashes_are_mixed_as_splitmix64_mixes_its_counter() -> None:
    """The first numbers of its seed 1234567, as they are printed at rosettacode.org."""
    counter = np.uint64(1_234_567) + np.arange(1, 6, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    assert node_rows._mixed(counter).tolist() == [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
    ]


def test_a_collision_of_hashes_is_noticed_and_never_merges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_rows, "_mixed", np.zeros_like)
    with pytest.raises(ArithmeticError):
        alike(_rows([(1, 0, 1)], [(2, 0, 1)]))


def _by(graph_of: str, results: tuple[RoundResult, ...]) -> Numbers:
    numbered: dict[object, int] = {}
    keys = [result if graph_of == "results" else result.winners for result in results]
    return np.array([numbered.setdefault(key, len(numbered)) for key in keys])


def _graph(game: Pair | LowPair | mexico.Mexico, seats: int, by: str) -> RoundGraph:
    found = find_positions(game, seats)
    return build(found, _by(by, found.results))


@pytest.mark.parametrize("game", [Pair(), LowPair(), mexico.Mexico()], ids=["high", "low", "mexico"])
def test_ends_merged_by_winners_make_a_smaller_graph_with_the_same_values(game: Pair | LowPair | mexico.Mexico) -> None:
    found = find_positions(game, 2)
    small, large = _graph(game, 2, "winners"), _graph(game, 2, "results")
    assert small.nodes < large.nodes < len(found.mover)
    values = []
    for graph, by in ((small, "winners"), (large, "results")):
        payoff = np.zeros((graph.ends, 1, 2))
        for end, result in zip(_by(by, found.results).tolist(), found.results, strict=True):
            payoff[end, 0] = [(seat in result.winners) / max(1, len(result.winners)) for seat in range(2)]
        values.append(every_value(graph, payoff)[graph.node, 0])
    left = small.had + values[0][:, 2:], large.had + values[1][:, 2:]
    assert values[0][:, :2] == pytest.approx(values[1][:, :2], abs=1e-13)
    assert left[0] == pytest.approx(left[1], abs=1e-9), "the means of scores are the same, paid sooner or later"


def test_positions_of_a_round_that_may_come_back_are_one_where_they_are_alike() -> None:
    """Two ways to write Pig to 8: one remembers the die that lies there, of which nothing follows."""
    sizes = set()
    for game in (Piglet(8), TurnedPig(8)):
        found = find_positions(game, 2)
        sizes.add(build(found, by_winners(found)[1]).nodes)
        assert len(found.mover) > 700
    assert sizes == {590}


def test_one_seat_has_the_mean_of_the_oracle() -> None:
    game = Pair()
    found = find_positions(game, 1)
    graph = build(found, np.arange(len(found.results)))
    payoff = np.array([[[result.scores[0]]] for result in found.results], dtype=np.float64)
    right = expectimax(game, game.start(1), lambda result: Fraction(result.scores[0]))
    assert every_value(graph, payoff)[graph.start, 0, 0] == pytest.approx(float(right), abs=1e-13)


def test_components_come_after_all_that_can_follow_them() -> None:
    assert components([[1], [2], [1, 3], []]) == [[3], [1, 2], [0]]
    assert components([[0]]) == [[0]]
    deep = [[at + 1] for at in range(5000)] + [[]]
    assert components(deep)[0] == [5000]
