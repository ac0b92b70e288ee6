"""Bots: a policy at a seat, turned into the table's commands. Draws come in as an argument."""

from collections.abc import Callable
from typing import Any

from pubdice.match import MatchState
from pubdice.policy import Policy, pick
from pubdice.solve.solver import Solver
from pubdice.table import Act, Command, Do, Table, TableState


class Perfect:
    """Plays best for the match as it stands, by its solver; of equally good actions the first."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    def action(self, state: MatchState[Any]) -> Any:
        """The action with the best value to the mover."""
        return max(self.solver.action_values(state), key=lambda valued: round(valued[1], 12))[0]


def act(policy: Policy[Any, Any] | Perfect, table: Table, state: TableState, draw: Callable[[int], int]) -> Command:
    """What a bot whose turn it is asks of the table; ``draw(n)`` gives 0 … n - 1, all equally likely."""
    if table.match.to_roll(state.match):
        return Do("roll")
    if isinstance(policy, Perfect):
        return Act(policy.action(state.match))
    return Act(pick(policy(table.match.game, state.match.round), draw))
