"""The games for PettingZoo, by name: ``from pubdice_lab.pettingzoo import midnight_v0``, then ``midnight_v0.env()``.

``env`` takes the keywords of ``environments.aec``. ``raw_env`` makes the same match without wrappers.
"""

from functools import partial
from types import SimpleNamespace
from typing import Any

from pubdice.games import GAMES
from pubdice_lab.environments import RawRound, aec, module_name

GAME_MODULES = {
    module_name(kit): SimpleNamespace(env=partial(aec, game), raw_env=partial(RawRound, game))
    for game, kit in GAMES.items()
}
"""The functions of each game, by the name to import."""
__all__ = ["GAME_MODULES", *GAME_MODULES]  # noqa: PLE0604  names made from the games


def __getattr__(name: str) -> Any:
    if name in GAME_MODULES:
        return GAME_MODULES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
