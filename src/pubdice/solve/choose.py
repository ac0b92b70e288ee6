"""Which solver a match gets that names none of its own: by what its rules allow, and by nothing else."""

from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any, TypeGuard

from pubdice.core.dice import hands
from pubdice.core.errors import Unsolved
from pubdice.core.turn_game import RoundState, TurnGame
from pubdice.match.match import Match
from pubdice.solve.kept_files import is_kept
from pubdice.solve.numpy_there import numpy_there
from pubdice.solve.solver import Solver
from pubdice.solve.turn_walk import turns_alike

TURN_PRIZES = ("round wins", "chips")
"""What ``solve.turns`` knows how to play for (``Format.prize``)."""

TRIED = 10
"""Scores of which all triples are tried, some more at most: a round of three is asked 1,728 times at most."""
MOST_REFUSED = 100
_REFUSED: dict[Match[Any, Any], Unsolved] = {}
"""Matches that ``solve.plain`` has refused in this process, with why."""


def one_turn_each(game: object) -> TypeGuard[TurnGame]:
    """Whether a round goes as ``solve.turns`` takes it to: every seat has a turn, and the better score wins.

    A score may end the round at once, such as shooting the moon, if the game says so (``wins_at_once``). As a game that
    inherits from ``TurnGame`` may do other things besides, the rules are asked: after each finished hand, about pairs
    and triples of scores, and whether a turn goes alike whatever was scored before it (``turn_walk``). Rules that
    change with a fourth seat alone are not found out.
    """
    return isinstance(game, TurnGame) and game.least_seats == 1 and game.most_seats > 1 and _one_turn_each(game)


@cache
def _one_turn_each(game: TurnGame) -> bool:
    if is_kept(game):  # no other game has a file
        return True
    if not turns_alike(game):
        return False
    scores = sorted({game.scored(game.start(1), hand).scores[0] for hand in hands(game.number_of_dice)})
    few = sorted({*scores[:: 1 + len(scores) // TRIED], *scores[-1:]})
    triples = product(few, repeat=3) if game.most_seats > 2 else ()
    return all(_better_wins(game, each) for each in chain(product(scores, repeat=2), triples))


def _better_wins(game: TurnGame, scores: tuple[int, ...]) -> bool:
    result = game.result(RoundState(len(scores), scores))
    best = max(scores, key=game.better)
    expected = () if best == game.scoreless else tuple([at for at, score in enumerate(scores) if score == best])
    return result is not None and result.winners == expected


def solve_match(match: Match[Any, Any], folder: Path | None = None) -> Solver:
    """The solver of a match. Raises Unsolved.

    Games of one turn a seat go to ``solve.turns``, which solves six seats of Midnight. All others
    go to ``solve.plain``, for which three seats of Midnight are too many positions. What is refused is remembered:
    it takes up to half a minute to count that a match is too large, and the bot ``perfect`` of such a table asks at
    every move. Without numpy matches of one and two seats are solved, by ``solve.bare``.
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
    from pubdice.solve.bare.match_solver import solved_bare  # noqa: PLC0415  not loaded where numpy is
    from pubdice.solve.bare.turn_match import BareTurnSolver  # noqa: PLC0415

    if one_turn_each(match.game) and match.format.prize in TURN_PRIZES:
        return BareTurnSolver(match, folder)
    return solved_bare(match)
