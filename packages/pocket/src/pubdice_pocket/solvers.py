"""The solvers that this package gives to a process without numpy (``pubdice.solve.without_numpy``)."""

from functools import partial
from pathlib import Path
from typing import Any

from pubdice.core.errors import Unsolved
from pubdice.core.game import GameOfTurns, unlimited
from pubdice.match.match import Match
from pubdice.solve.choose import ADDED_UP, ADDED_UP_SEATS, takes_turns, turns_alike
from pubdice.solve.solver import Solver
from pubdice.solve.without_numpy import PurePython
from pubdice_pocket.kept_figures import kept_figure
from pubdice_pocket.pure_python.bare_turn import BareTurn, bare_turn
from pubdice_pocket.pure_python.kept_solutions import kept_turn
from pubdice_pocket.pure_python.match_solver import solved_bare
from pubdice_pocket.pure_python.turn_match import BareTurnSolver
from pubdice_pocket.pure_python.two_seat_pot import two_seat_pot
from pubdice_pocket.pure_python.two_seat_race import BareRaces


def solvers(folder: Path | None = None) -> PurePython:
    """Return the solvers for one and two seats, on lists. ``folder`` has the solutions made beforehand."""

    def turn(game: GameOfTurns) -> BareTurn:
        return bare_turn(game, partial(kept_turn, game, folder))

    def figure(game: str, name: str, code: str) -> Any:
        return kept_figure(game, name, code, folder)

    return PurePython(partial(solve_bare, folder=folder), turn, partial(two_seat_pot, folder=folder), BareRaces, figure)


def solve_bare(match: Match[Any, Any], folder: Path | None = None) -> Solver:
    """Return a solver without numpy of the match. Raises Unsolved("needs-house") if only a house with numpy can solve
    the match.
    """
    game = unlimited(match.game)
    if turns_alike(game) and match.format.prize in ADDED_UP and match.seats > 1:
        # with more seats a house cannot solve it either
        code = "needs-house" if match.seats == ADDED_UP_SEATS else "adds-up-seats"
        raise Unsolved(code, title=type(game).__name__)
    if takes_turns(match):
        return BareTurnSolver(match, folder)
    return solved_bare(match)
