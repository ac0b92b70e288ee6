"""Chooses the solver of a match whose game names none, by the rules alone."""

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeGuard

from pubdice.core.errors import Unsolved
from pubdice.core.game import GameOfTurns, TurnGame, TurnTaking, is_limited, unlimited
from pubdice.match.formats import rolls_off, shared
from pubdice.match.match import Match
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.solver import MOST_SOLVED_SEATS, TURN_PRIZES, Solver
from pubdice.solve.without_numpy import pure_python

ADDED_UP = ("points", "total")
"""The prizes of formats whose scores add up."""
ADDED_UP_SEATS = LIMITED_SEATS = 2
"""The seats for which a house solves them, by ``solve.turns.totals``; and at most where the opener limits the rolls."""


def turns_alike(game: object) -> TypeGuard[GameOfTurns]:
    """True if a round is of the kind ``solve.turns`` solves: every seat has a turn, and the better score wins.

    A score may end the round at once, such as shooting the moon, if the game says so (``wins_at_once``). The game
    declares it (``TurnTaking.one_turn_each``), in its own class: one that inherits may have other rules.
    """
    return isinstance(game, TurnTaking) and bool(vars(type(game)).get("one_turn_each"))


def one_turn_each(game: object) -> TypeGuard[TurnGame]:
    """True if, besides, dice are kept and locked in a turn, so that it can be given by its dice (``RoundState``)."""
    return isinstance(game, TurnGame) and turns_alike(game)


def takes_turns(match: Match[Any, Any]) -> bool:
    """True if ``solve.turns`` solves it: what follows a round depends on who won it alone.

    Not in a match from before ``Match.loser_lost`` where the loser opens: there the moon of Threes wins, but counts as
    the worst score, so its seat opens the next round, and the winners alone do not tell that. With more than two seats
    each round of such a match is solved by itself.
    """
    game = match.game
    if not turns_alike(game):
        return False
    if match.seats == 1:
        return True
    old = not match.loser_lost and match.opener == "loser" and not match.format.is_one_round
    if old and match.seats == 2 and game.lowest_wins:
        from pubdice.solve.turns.turn_nodes import one_turn  # noqa: PLC0415  no match of today needs it

        if one_turn(game).at_once:
            return False
    return match.format.prize in TURN_PRIZES


def refused_seats(match: Match[Any, Any]) -> Unsolved | None:
    """Why a match is not solved, where that is plain from its seats: nothing is worked out, and no numpy is loaded."""
    limits, title = is_limited(match.game), type(unlimited(match.game)).__name__
    if (turns_alike(match.game) or limits) and match.format.prize in ADDED_UP:
        return Unsolved("adds-up-seats", title=title) if match.seats > ADDED_UP_SEATS else None
    most = MOST_SOLVED_SEATS if takes_turns(match) else LIMITED_SEATS if limits else match.seats
    return Unsolved("too-many-seats", title=title, seats=match.seats, most=most) if match.seats > most else None


def solve_match(match: Match[Any, Any], folder: Path | None = None) -> Solver:
    """The solver of a match. Raises Unsolved.

    Games of one turn a seat go to ``solve.turns``, which solves six seats of Midnight, or two where scores add up, or
    where the opener limits the other's rolls. All others go to ``solve.plain``, for
    which three seats of Midnight are too many positions. Refusals are remembered, in the folder also by the next
    process: it takes up to half a minute to count that a match is too large, and the bot ``perfect`` of such a table
    asks at every move.
    Without numpy an annex solves what it can (``without_numpy``).
    A match with a roll-off is solved as one whose tie is shared (``solver.outside_round``).
    """
    if rolls_off(match.format):
        match = replace(match, format=shared(match.format))
    if not numpy_there():
        return pure_python().match(match)
    if (refused := refused_seats(match)) is not None:
        raise refused
    limits = is_limited(match.game)
    if (turns_alike(match.game) or limits) and match.format.prize in ADDED_UP and match.seats > 1:
        from pubdice.solve.turns.totals import LimitedTotals, TotalsSolver  # noqa: PLC0415  as below

        return LimitedTotals(match) if limits else TotalsSolver(match)
    if takes_turns(match):
        from pubdice.solve.turns.solver import TurnSolver  # noqa: PLC0415  numpy, for which --help need not wait

        return TurnSolver(match, folder)
    if limits:
        from pubdice.solve.turns.limited import LimitedSolver  # noqa: PLC0415  as above

        return LimitedSolver(match, folder)
    from pubdice.solve.plain.solver import PlainSolver  # noqa: PLC0415  46 ms that no game of turns waits for
    from pubdice.solve.refusals import remember, remembered  # noqa: PLC0415

    refused = remembered(match, folder)
    if refused is not None:
        raise Unsolved(refused.code, **refused.facts)
    try:
        return PlainSolver(match, folder)
    except Unsolved as error:
        remember(match, folder, error)
        raise
