"""Rounds that tied seats play again have the same values without numpy, for two seats."""

from typing import Any

import pytest

from oracles.compare import walks
from play import KITS
from pubdice.core.errors import Unsolved
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice_pocket.solvers import solve_bare

EXACT = 1e-9
OPENERS = ("rotate", "fixed", "winner", "loser")


def _match(kit: str, form: str, seats: int, opener: str = "rotate") -> Match[Any, Any]:
    return Match(KITS[kit].usual_game, seats, KITS[kit].format(form), opener)


@pytest.mark.parametrize("kit", ["ship", pytest.param("threes", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("form", ["rounds 2 replay", "pot 1 rounds 2 replay"])
def test_a_pocket_has_the_same_values_for_two(kit: str, form: str) -> None:
    for opener in OPENERS:
        match = _match(kit, form, 2, opener)
        house, pocket = solve_match(match), solve_bare(match)
        assert pocket.bound < EXACT
        for at, state in enumerate(walks(match, 4, 3)):
            if at % 4 == 0:
                assert pocket.values(state) == pytest.approx(house.values(state), abs=1e-11)


def test_a_pocket_refuses_three() -> None:
    with pytest.raises(Unsolved) as refused:
        solve_bare(_match("ship", "rounds 1 replay", 3))
    assert refused.value.code == "needs-house"
