"""The usual match of each game for two, solved in this thread; numba compiles nothing, and nothing is kept."""

from costs.counting import counted_calls
from costs.measured import Cost, cost_of
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.header import RawHeader


def cost_of_solution(kit: Kit) -> Cost:
    """The cost of the chances of a match's start."""
    match = kit.match(kit.normalize(RawHeader({"game": kit.name, "seats": "Ann, Bob"})))
    assert kit.solver is not None
    with counted_calls() as calls:
        kit.solver(match).values(match.start())
    return cost_of(calls)


def measure() -> dict[str, Cost]:
    """Every game of the house."""
    return {f"A match of {name}, solved": cost_of_solution(kit) for name, kit in GAMES.items()}
