"""Which solver a match gets that names none of its own: by what its rules allow, and by nothing else."""

from pathlib import Path
from typing import Any, TypeGuard

from pubdice.core.errors import Unsolved
from pubdice.core.turn_game import TurnGame
from pubdice.match.match import Match
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.solver import Solver

TURN_PRIZES = ("round wins", "chips")
"""What ``solve.turns`` knows how to play for (``Format.prize``)."""

MOST_REFUSED = 100
_REFUSED: dict[Match[Any, Any], Unsolved] = {}
"""Matches that ``solve.plain`` has refused in this process, with why."""


def one_turn_each(game: object) -> TypeGuard[TurnGame]:
    """Whether a round goes as ``solve.turns`` takes it to: every seat has a turn, and the better score wins.

    A score may end the round at once, such as shooting the moon, if the game says so (``wins_at_once``). The game
    declares it (``TurnGame.one_turn_each``), in its own class: one that inherits may have other rules.
    """
    return isinstance(game, TurnGame) and bool(vars(type(game)).get("one_turn_each"))


def solve_match(match: Match[Any, Any], folder: Path | None = None) -> Solver:
    """The solver of a match. Raises Unsolved.

    Games of one turn a seat go to ``solve.turns``, which solves six seats of Midnight. All others go to
    ``solve.plain``, for which three seats of Midnight are too many positions. What is refused is remembered: it takes
    up to half a minute to count that a match is too large, and the bot ``perfect`` of such a table asks at every move.
    Without numpy matches of one and two seats are solved, by ``solve.pure_python``.
    """
    if not numpy_there():
        return _bare(match, folder)
    if one_turn_each(match.game) and match.format.prize in TURN_PRIZES:
        from pubdice.solve.turns.solver import TurnSolver  # noqa: PLC0415  numpy, for which --help need not wait

        return TurnSolver(match, folder)
    from pubdice.solve.plain.solver import PlainSolver  # noqa: PLC0415  46 ms that no game of turns waits for

    refused = _REFUSED.get(match)
    if refused is not None:
        raise Unsolved(refused.code, **refused.facts)
    try:
        return PlainSolver(match, folder)
    except Unsolved as error:
        if len(_REFUSED) == MOST_REFUSED:
            del _REFUSED[next(iter(_REFUSED))]
        _REFUSED[match] = error.with_traceback(None)
        raise


def _bare(match: Match[Any, Any], folder: Path | None) -> Solver:
    """The solver of a match where there is no numpy. Raises Unsolved("needs-house") for what is too large."""
    from pubdice.solve.pure_python.match_solver import solved_bare  # noqa: PLC0415  not loaded where numpy is
    from pubdice.solve.pure_python.turn_match import BareTurnSolver  # noqa: PLC0415

    if one_turn_each(match.game) and match.format.prize in TURN_PRIZES:
        return BareTurnSolver(match, folder)
    return solved_bare(match)
