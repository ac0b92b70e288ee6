"""Every box of every option, and the match for the last one in, by an oracle that knows no code of the house."""

from itertools import chain, combinations
from typing import Any, cast

import numpy as np
import pytest

from oracles import plain_box
from pubdice.core.errors import Unsolved
from pubdice.games.shutbox.rules import BoxRound, ShutTheBox
from pubdice.match.formats import LastIn
from pubdice.match.match import Match
from pubdice.solve.plain.solver import PlainSolver
from pubdice.solve.turns.totals import TotalsSolver
from pubdice.solve.turns.turn_nodes import one_turn

DICE = ("no", "maysix", *[pytest.param(die, marks=pytest.mark.nightly) for die in ("may", "must", "six")])


def subsets(tiles: int) -> list[tuple[int, ...]]:
    every = chain.from_iterable(combinations(range(1, tiles + 1), size) for size in range(1, tiles + 1))
    return list(every)


@pytest.mark.parametrize("die", DICE)
@pytest.mark.parametrize(
    ("tiles", "left"),
    [
        (9, "sum"),
        (9, "digits"),
        pytest.param(10, "sum", marks=pytest.mark.nightly),
        pytest.param(10, "digits", marks=pytest.mark.nightly),
        pytest.param(12, "sum", marks=pytest.mark.nightly),
    ],
)
def test_every_box_has_the_oracles_chance_to_be_shut_and_mean(tiles: int, left: str, die: str) -> None:
    game = ShutTheBox(die, left, tiles)
    turned: Any = one_turn(game)
    assert tuple(sorted(plain_box.box(tiles))) == game.box
    shut = [0.0] * (len(turned.scores) - 1) + [1.0]
    goals = ((shut, lambda score: int(score == 0), 1e-12), (turned.mean, lambda score: -score, 1e-9))
    for utility, worth, near in goals:
        solved, oracle = turned.solve(utility), plain_box.boxes(die, left, worth)
        compared = 0
        for up in subsets(tiles):
            state = BoxRound(1, up=up)
            if state not in turned.chance and not game.legal(state):
                continue  # no turn comes to it
            legal = game.legal(state)
            nodes = [turned.chance[game.play(state, move)] for move in legal] or [turned.chance[state]]
            found = max(float(solved.value[node]) for node in nodes)
            assert found == pytest.approx(float(oracle(frozenset(up))), rel=near, abs=near), up
            compared += 1
        assert compared >= 300


def needs(match: Match[Any, Any], number: int) -> np.ndarray[Any, Any]:
    """[needs of the opener, needs of the other] the opener's share, of a solver."""
    solver = TotalsSolver(match)
    solver.values(match.start())
    return solver._to_points._opener[1 : number + 1, 1 : number + 1]


@pytest.mark.parametrize("shut", [0, 1])
@pytest.mark.parametrize(
    ("number", "die", "left", "tiles"),
    [
        (7, "no", "sum", 9),
        pytest.param(2, "maysix", "digits", 9, marks=pytest.mark.nightly),
        pytest.param(4, "six", "sum", 10, marks=pytest.mark.nightly),
        pytest.param(18, "must", "sum", 9, marks=pytest.mark.nightly),
    ],
)
def test_each_total_of_a_match_for_the_last_one_in_is_the_oracles(
    number: int, die: str, left: str, tiles: int, shut: int
) -> None:
    found = needs(Match(ShutTheBox(die, left, tiles), 2, LastIn(number, shut)), number)
    oracle = plain_box.last_in(tiles, die, left, number, bool(shut))
    for x, y in np.ndindex(number, number):
        assert found[x, y] == pytest.approx(float(oracle(number - 1 - x, number - 1 - y)), abs=1e-9), (x, y)


@pytest.mark.parametrize(
    ("opener", "shut"),
    [
        ("winner", 0),
        pytest.param("loser", 1, marks=pytest.mark.nightly),
        *[pytest.param(opener, 0, marks=pytest.mark.nightly) for opener in ("rotate", "fixed", "loser")],
        *[pytest.param(opener, 1, marks=pytest.mark.nightly) for opener in ("rotate", "fixed", "winner")],
    ],
)
def test_each_opener_is_what_is_found_without_taking_turns_apart(opener: str, shut: int) -> None:
    match: Any = Match(ShutTheBox(), 2, LastIn(2, shut), opener)
    assert TotalsSolver(match).values(match.start()) == pytest.approx(
        PlainSolver(match).values(match.start()), abs=1e-9
    )


def test_what_is_too_large_is_refused_with_the_number_that_would_do() -> None:
    for game, most in ((ShutTheBox(), 300), (ShutTheBox(tiles=12), 100)):
        match: Any = Match(game, 2, LastIn(1_000))
        with pytest.raises(Unsolved, match="too-many-points") as refused:
            TotalsSolver(match)
        assert cast(int, refused.value.facts["most"]) >= most, "with numba"
    with pytest.raises(Unsolved, match="too-many-endings") as refused:
        one_turn(ShutTheBox("no", "digits", 12))
    assert refused.value.facts == {"count": 3154, "most": 2000}
