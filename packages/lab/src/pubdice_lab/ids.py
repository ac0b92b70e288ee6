"""The ids of the games, such as ``pubdice/Midnight-v0`` for ``gymnasium.make``: the game's name with a capital.

``import pubdice_lab.environments`` registers them, and so does ``gymnasium.make`` with that module before the id:
``"pubdice_lab.environments:pubdice/Midnight-v0"``. The package has an entry point of the group ``gymnasium.envs`` too,
for programs that read it. Gymnasium itself has read none since 1.0. Games of other packages have ids as well.
"""

from pubdice.games import GAMES

VERSION = 0
"""The version of the environments. It grows if the same actions lead to other rewards or observations."""
NAMESPACE = "pubdice"


def game_id(game: str) -> str:
    """Return the id of a game.

    >>> game_id("midnight")
    'pubdice/Midnight-v0'
    """
    return f"{NAMESPACE}/{game.capitalize()}-v{VERSION}"


def register() -> None:
    """Register every game with two seats, the learner first, and a bot. All else is a keyword of ``make``."""
    from gymnasium.envs import registration  # noqa: PLC0415  other frameworks' ids need no Gymnasium

    for game in GAMES:
        if game_id(game) not in registration.registry:
            entry = "pubdice_lab.environments:SeatEnv"
            registration.register(game_id(game), entry, kwargs={"game": game, "seats": 2})
