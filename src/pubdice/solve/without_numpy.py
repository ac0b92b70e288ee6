"""Solvers for a process without numpy, such as a browser's. An annex registers them, and the core asks for them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pubdice.core.errors import Unsolved
from pubdice.core.game import GameOfTurns
from pubdice.match.match import Match
from pubdice.solve.solver import Solver


@dataclass(frozen=True, slots=True)
class PurePython:
    """Solvers in plain Python, and results computed beforehand, as functions."""

    match: Callable[[Match[Any, Any]], Solver]
    turn: Callable[[GameOfTurns], Any]
    """The turn of a game, a ``turns.turn_nodes.TurnNodes``."""
    pot: Callable[[GameOfTurns, str], dict[str, Any]]
    """Both seats' chances to take one pot, by the rule for the opener, as plain data."""
    races: Callable[[Any], Any]
    """The solved races of a game of hands, a ``race.races.AnyRaces``."""
    figure: Callable[[str, str, str], Any]
    """A figure of best play by its game, its name and a language code: an ``advice.figures.BestPlayFigure``, or None if
    none was computed beforehand."""


_brought: list[PurePython] = []


def bring(solvers: PurePython) -> None:
    """Register the solvers of this process."""
    _brought[:] = [solvers]


def pure_python() -> PurePython:
    """The registered solvers. Raises Unsolved("no-numpy") if there are none."""
    if not _brought:
        raise Unsolved("no-numpy")
    return _brought[0]
