"""The choice of a solver for a match, from the rules alone, for games that do not bring a solver of their own."""

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

ADDED_UP = ("points", "total", "last in")
"""The prizes (``Format.prize``) of the formats that add up the scores of the rounds."""
ADDED_UP_SEATS = LIMITED_SEATS = 2
"""``ADDED_UP_SEATS``: the number of seats that ``solve.turns.totals`` solves. ``LIMITED_SEATS``: the most seats of a
match in which the opener's number of rolls limits the other seats."""


def turns_alike(game: object) -> TypeGuard[GameOfTurns]:
    """Return True if ``solve.turns`` can solve a round of this game: every seat has one turn, and the best score wins.

    A score may also win the round at once (``wins_at_once``), such as shooting the moon. The game's own class must
    declare ``TurnTaking.one_turn_each``. A subclass does not inherit the declaration, as it may have other rules.
    """
    return isinstance(game, TurnTaking) and bool(vars(type(game)).get("one_turn_each"))


def one_turn_each(game: object) -> TypeGuard[TurnGame]:
    """Return True if ``turns_alike``, and turns also keep and lock dice, so dice describe a turn (``RoundState``)."""
    return isinstance(game, TurnGame) and turns_alike(game)


def takes_turns(match: Match[Any, Any]) -> bool:
    """Return True if ``solve.turns`` solves the match. It does if the rest of the match depends only on the winners of
    a round, and not on the scores.

    One kind of two-seat match fails this test: a match recorded before ``Match.loser_lost`` existed, in which the loser
    of a round opens the next. There the moon of Threes wins the round but counts as its worst score, so the winner
    opens the next round. The winners alone do not show that. With more than two seats, ``solve.turns`` solves each
    round of such a match by itself.
    """
    game = match.game
    if not turns_alike(game):
        return False
    if match.seats == 1:
        return True
    old = not match.loser_lost and match.opener == "loser" and not match.format.is_one_round
    if old and match.seats == 2 and game.lowest_wins:
        from pubdice.solve.turns.turn_nodes import one_turn  # noqa: PLC0415  no current match needs it

        if one_turn(game).at_once:
            return False
    return match.format.prize in TURN_PRIZES


def refused_seats(match: Match[Any, Any]) -> Unsolved | None:
    """Return the refusal of a match with too many seats, or None. Computes nothing and does not load numpy."""
    limits, title = is_limited(match.game), type(unlimited(match.game)).__name__
    if (turns_alike(match.game) or limits) and match.format.prize in ADDED_UP:
        return Unsolved("adds-up-seats", title=title) if match.seats > ADDED_UP_SEATS else None
    most = MOST_SOLVED_SEATS if takes_turns(match) else LIMITED_SEATS if limits else match.seats
    return Unsolved("too-many-seats", title=title, seats=match.seats, most=most) if match.seats > most else None


def solve_match(match: Match[Any, Any], folder: Path | None = None) -> Solver:
    """Return the solver of a match. Raises Unsolved if the match is too large, or if no solver fits it.

    - ``solve.turns`` solves games in which each seat has one turn, such as Midnight with up to six seats. If scores add
      up, or if the opener limits the rolls, it solves only two seats.
    - ``solve.plain`` solves all other games. For it, three seats of Midnight would already have too many positions. Its
      refusals are cached, in memory and in the folder, because counting a match that is too large takes up to half a
      minute, and the bot ``perfect`` asks at every move.
    - If numpy is missing, an annex solves what it can (``without_numpy``).

    A match with a roll-off is solved as a match in which tied seats share the prize (``solver.outside_round``).
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
        from pubdice.solve.turns.solver import TurnSolver  # noqa: PLC0415  loads numpy, which --help must not wait for

        return TurnSolver(match, folder)
    if limits:
        from pubdice.solve.turns.limited import LimitedSolver  # noqa: PLC0415  as above

        return LimitedSolver(match, folder)
    from pubdice.solve.plain.solver import PlainSolver  # noqa: PLC0415  46 ms, needless for games of turns
    from pubdice.solve.refusals import remember, remembered  # noqa: PLC0415

    refused = remembered(match, folder)
    if refused is not None:
        raise Unsolved(refused.code, **refused.facts)
    try:
        return PlainSolver(match, folder)
    except Unsolved as error:
        remember(match, folder, error)
        raise
