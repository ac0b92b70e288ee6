"""Solvers for a process without numpy, such as a browser's: an annex brings them, and the core asks for them here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pubdice.core.errors import Unsolved
from pubdice.core.game import GameOfTurns
from pubdice.match.match import Match
from pubdice.solve.solver import Solver


@dataclass(frozen=True, slots=True)
class PurePython:
    """Solvers in Python alone, and what was worked out before, as functions.

    match: the solver of a match. turn: the turn of a game (``turns.turn_nodes.TurnNodes``). pot: both seats' chances to
    take one pot, by the rule for the opener, as plain data. races: the solved races of a game of hands
    (``race.races.AnyRaces``). figure: a figure of best play by its game, its name and a language's code, None for one
    that was not made before (``advice.figures.BestPlayFigure``).
    """

    match: Callable[[Match[Any, Any]], Solver]
    turn: Callable[[GameOfTurns], Any]
    pot: Callable[[GameOfTurns, str], dict[str, Any]]
    races: Callable[[Any], Any]
    figure: Callable[[str, str, str], Any]


_brought: list[PurePython] = []


def bring(solvers: PurePython) -> None:
    """Have this process solve by these, from now on."""
    _brought[:] = [solvers]


def pure_python() -> PurePython:
    """The solvers that were brought. Raises Unsolved("no-numpy") if there are none."""
    if not _brought:
        raise Unsolved("no-numpy")
    return _brought[0]
