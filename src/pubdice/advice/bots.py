"""Bots: a policy at a seat, turned into the table's commands. Draws come in as an argument."""

from collections.abc import Callable
from typing import Any

from pubdice.core.policy import Policy, pick
from pubdice.match.match import MatchState
from pubdice.match.table import PlayAction, RollOrBank, Table, TableCommand, TableState
from pubdice.solve.numerics import first_best
from pubdice.solve.solver import Solver


class Perfect:
    """Plays best for the match as it stands, by its solver; of equally good actions the first."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    def action(self, state: MatchState[Any]) -> Any:
        """The action with the best value to the mover."""
        return first_best(self.solver.action_values(state), lambda valued: valued[1])[0]


def act(
    policy: Policy[Any, Any] | Perfect, table: Table, state: TableState, draw: Callable[[int], int]
) -> TableCommand:
    """What a bot whose turn it is asks of the table; ``draw(n)`` gives 0 … n - 1, all equally likely."""
    if table.match.to_roll(state.match):
        return RollOrBank("roll")
    if isinstance(policy, Perfect):
        return PlayAction(policy.action(state.match))
    return PlayAction(pick(policy(table.match.game, state.match.round), draw))
