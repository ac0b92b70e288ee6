"""Check a solver by the equation of best play, from each position to the next, without solving anything.

    V(roll) = sum over hands of ways / 6^n · V(after),   V(choice) = V(after a),

Here a is an action that is best for the mover. Values that satisfy this in every position, and equal the payoffs at the
ends, are an equilibrium in which each seat plays best for itself. If two actions are equal for the mover, the solver
may take either. So this check is weaker than ``max_n``, but it works for matches too large for that oracle.
"""

from typing import Any

import pytest

from pubdice.core.dice import rolls
from pubdice.match.match import Match, MatchState
from pubdice.solve.solver import Solver


def holds(match: Match[Any, Any], solver: Solver, state: MatchState[Any], exact: float) -> None:
    """Assert that the values of a state follow from the values of the states after it."""
    here = list(solver.values(state))
    if due := match.to_roll(state):
        sides = match.game.faces.sides
        after = [(solver.values(match.roll(state, hand)), ways) for hand, ways in rolls(due, sides)]
        mean = [sum(values[seat] * ways for values, ways in after) / sides**due for seat in range(match.seats)]
        assert here == pytest.approx(mean, abs=exact)
    elif actions := match.legal(state):
        mover = match.mover(state)
        assert mover is not None
        follow = [list(solver.values(match.play(state, action))) for action in actions]
        assert [value for _, value in solver.action_values(state)] == pytest.approx(
            [values[mover] for values in follow], abs=exact
        )
        best = max(values[mover] for values in follow)
        assert any(values == pytest.approx(here, abs=exact) for values in follow if values[mover] >= best - exact)
