"""The games for TextArena: ``import pubdice_lab.textarena``, then ``textarena.make("pubdice/Midnight-v0")``.

The module needs the extra ``textarena``. Under the id, an agent sees all messages so far, as in TextArena's own games.
With ``-raw`` behind the id, it sees the new ones. Further keywords of ``make`` are the rules: ``need="2 4"``.
"""

from types import SimpleNamespace
from typing import Any

import textarena

from pubdice.games import GAMES
from pubdice_lab.ids import game_id
from pubdice_lab.text_match import TextMatch


class TextArenaMatch(TextMatch, textarena.Env):  # type: ignore[misc]  # the package has no types
    """A match as an environment of TextArena, with messages of its kinds."""

    @property
    def state(self) -> Any:
        """The facts that TextArena's wrappers ask for: the names, and the seat that must choose."""
        roles = {textarena.GAME_ID: "GAME", **dict(enumerate(self.names))}
        mover = self.table.state.mover
        return SimpleNamespace(num_players=len(self.names), current_player_id=mover, role_mapping=roles, logs=[])

    def get_observation(self) -> Any:
        """Return the seat that must choose, and its news as one message."""
        seat, text = super().get_observation()
        return seat, [(textarena.GAME_ID, text, textarena.ObservationType.GAME_MESSAGE)]


def register() -> None:
    """Register every game under its id, as text of all messages so far, and as messages with ``-raw`` behind it."""
    for game in GAMES:
        for ending, wrappers in (("", [textarena.wrappers.LLMObservationWrapper]), ("-raw", [])):
            textarena.register(game_id(game) + ending, TextArenaMatch, wrappers, game=game)


register()
