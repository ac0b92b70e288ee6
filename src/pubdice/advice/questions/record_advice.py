"""``advise`` for any position of any solved game: a record that ends where somebody has to choose."""

from typing import Any

from pubdice.advice.coach import Advice, Coach
from pubdice.core.game import Game
from pubdice.solve.solver import as_counted


def as_data(game: Game[Any, Any], coach: Coach, advice: Advice) -> dict[str, Any]:
    """The advice as plain data for programs: every legal action, best first, written as in records.

    keep: the dice an action leaves lying, the greatest first. What else a solver knows of an action stands beside its
    value, by name.
    """
    actions = [
        {
            "action": game.write_action(choice.action),
            "keep": sorted(game.kept(choice.action), reverse=True),
            "value": as_counted(coach.solver.utility, choice.value),
            "lost": choice.lost,
            "verdict": choice.verdict,
            **choice.facts,
        }
        for choice in advice.choices
    ]
    return {
        "value": as_counted(coach.solver.utility, advice.best.value),
        "utility": coach.solver.utility,
        "actions": actions,
        "bound": coach.solver.bound,
    }
