"""The comparison of a solver with the oracle (exact fractions), position by position, along random matches."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from oracles.max_n import MaxN
from pubdice.core.dice import rolls
from pubdice.core.game import Seat
from pubdice.match.match import Match, MatchState
from pubdice.solve.solver import Solver

EXACT = 1e-11


def walks(match: Match[Any, Any], seed: int, matches: int) -> Iterator[MatchState[Any]]:
    chance = Random(seed)
    for _ in range(matches):
        state = match.start()
        while True:
            yield state
            if state.over:
                break
            if match.to_draw(state):
                state = match.draw(state, Seat(chance.randrange(match.seats)))
            elif due := match.to_roll(state):
                state = match.roll(state, chance.choice([hand for hand, _ in rolls(due, match.game.faces.sides)]))
            else:
                state = match.play(state, chance.choice(match.legal(state)))


def compare(solver: Solver, oracle: MaxN, seed: int = 1, matches: int = 6, exact: float = EXACT) -> int:
    """Assert that the solver and the oracle agree in each position of some random matches. Return the number of
    positions.
    """
    seen = 0
    for state in dict.fromkeys(walks(oracle.match, seed, matches)):
        seen += 1
        right = [float(value) for value in oracle.values(state)]
        assert solver.values(state) == pytest.approx(right, abs=exact)
        if oracle.match.legal(state):
            theirs = oracle.action_values(state)
            mine = solver.action_values(state)
            assert [action for action, _ in mine] == [action for action, _ in theirs]
            assert [value for _, value in mine] == pytest.approx([float(value) for _, value in theirs], abs=exact)
            assert [action for action, _ in solver.facts(state)] == [action for action, _ in mine]
        else:
            assert list(solver.action_values(state)) == []
            assert list(solver.facts(state)) == []
    return seen
