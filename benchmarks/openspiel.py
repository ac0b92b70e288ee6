"""The common parts of our two-player games for OpenSpiel: a game's type, its figures, and a state in which one seat
wins.

OpenSpiel (https://github.com/google-deepmind/open_spiel) is no dependency of pubdice. If it is not installed, the
import of this module prints how to install it in a separate environment, and exits with status 2.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

try:
    pyspiel: Any = import_module("pyspiel")
except ImportError:
    sys.stderr.write(
        "OpenSpiel is not installed here, and pubdice does not need it. To compare:\n"
        "    python3 -m venv ../openspiel-env && ../openspiel-env/bin/pip install open_spiel cvxpy platformdirs\n"
        f"    PYTHONPATH=src ../openspiel-env/bin/python -m benchmarks.{Path(sys.argv[0]).stem}\n"
    )
    sys.exit(2)


def type_of(name: str, title: str) -> Any:
    """Return OpenSpiel's type of a game for two with open dice, in which one player wins."""
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
    )


def figures(*, actions: int, outcomes: int) -> Any:
    """Return OpenSpiel's figures of such a game. ``actions`` and ``outcomes`` are the most distinct actions and chance
    outcomes.
    """
    return pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=outcomes,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=10_000,
    )


class Race(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state of a race: two seats take turns until the seat at turn has won."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.seat = 0
        self.won = False

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def is_terminal(self) -> bool:
        """Return True if a seat has won."""
        return self.won

    def returns(self) -> list[float]:
        """Return 1 for the winner, -1 for the other seat."""
        if not self.won:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.seat == 0 else [-1.0, 1.0]
