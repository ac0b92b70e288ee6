"""Bots: a policy at a seat, turned into the table's commands. Draws come in as an argument."""

from collections.abc import Callable
from typing import Any

from pubdice.game import Seat
from pubdice.policy import Policy, pick
from pubdice.table import Act, Command, Do, Table, TableState


def act(policy: Policy[Any, Any], table: Table, state: TableState, draw: Callable[[int], int]) -> Command:
    """What a bot whose turn it is asks of the table; ``draw(n)`` gives 0 … n - 1, all equally likely."""
    if table.match.to_roll(state.match):
        return Do("roll")
    return Act(pick(policy(table.match.game, state.match.round), draw))


def mover_policy(table: Table, state: TableState, bots: dict[Seat, Policy[Any, Any]]) -> Policy[Any, Any] | None:
    """The policy that is to move; None if a person is, or nobody."""
    mover = table.mover(state)
    return None if mover is None else bots.get(mover)
