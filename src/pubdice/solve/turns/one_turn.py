"""The turn of a game with whatever solves it here: arrays where numpy is installed, else lists."""

from functools import cache, partial
from importlib import import_module

from pubdice.core.turn_game import TurnGame
from pubdice.solve.kept_files import trusted
from pubdice.solve.numpy_there import numpy_there
from pubdice.solve.turns.bare_turn import bare_turn
from pubdice.solve.turns.turn_nodes import TurnNodes


@cache
def one_turn(game: TurnGame) -> TurnNodes:
    """The turn of a game, enumerated once."""
    if not numpy_there():
        kept = import_module("pubdice.solve.bare.kept")
        return bare_turn(game, partial(kept.kept_turn, game, trusted()))
    found: TurnNodes = import_module("pubdice.solve.turns.turn").turn(game)
    return found
