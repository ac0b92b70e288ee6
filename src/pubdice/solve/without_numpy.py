"""A registry of solvers for a process without numpy, such as a browser's.

An annex (a package that builds on this one) registers them with ``bring``, and this package gets them from
``pure_python``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pubdice.core.errors import Unsolved
from pubdice.core.game import GameOfTurns
from pubdice.match.match import Match
from pubdice.solve.solver import Solver


@dataclass(frozen=True, slots=True)
class PurePython:
    """Functions that solve in plain Python, or look up results that were computed beforehand."""

    match: Callable[[Match[Any, Any]], Solver]
    turn: Callable[[GameOfTurns], Any]
    """Returns a game's turn, as a ``turns.turn_nodes.TurnNodes``."""
    pot: Callable[[GameOfTurns, str], dict[str, Any]]
    """Returns each seat's chance to win one pot of a game for two, by the name of the rule that chooses the next
    opener, as plain data."""
    races: Callable[[Any], Any]
    """Returns the solved races of a game of hands, as a ``race.races.AnyRaces``."""
    figure: Callable[[str, str, str], Any]
    """Returns a figure of best play, an ``advice.figures.BestPlayFigure``, by the game, the figure's name and a
    language code. None if it was not computed beforehand."""


_brought: list[PurePython] = []


def bring(solvers: PurePython) -> None:
    """Register the solvers of this process."""
    _brought[:] = [solvers]


def pure_python() -> PurePython:
    """Return the registered solvers. Raises Unsolved("no-numpy") if there are none."""
    if not _brought:
        raise Unsolved("no-numpy")
    return _brought[0]
