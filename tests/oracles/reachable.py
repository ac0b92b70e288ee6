"""All positions a game reaches, each once: the union of the plies that ``solve.finite.enumerated`` counts."""

from dataclasses import dataclass
from typing import Any, TypeVar

from pubdice.core.game import Game
from pubdice.solve.finite.enumerated import Ply, count, steps

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class ReachableCount:
    """Counts over all reachable positions, or over those found before the limit stopped the search.

    depth: the greatest least number of steps from the start to a position counted. closed: nothing was left to find.
    """

    total: Ply
    depth: int
    closed: bool


def reachable(game: Game[S, Any], seats: int, limit: int) -> ReachableCount:
    """All reachable positions, searched breadth-first and stopped after the ply that finds more than ``limit``."""
    start = game.start(seats)
    seen, fresh, depth = {start}, {start}, 0
    while fresh and len(seen) <= limit:
        fresh = {after for state in fresh for after in steps(game, state)} - seen
        seen |= fresh
        depth += bool(fresh)
    return ReachableCount(count(game, seen), depth, not fresh)
