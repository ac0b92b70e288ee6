"""The names of files of what was worked out before (``kept``), and the folder that this process takes them from."""

from hashlib import sha256
from pathlib import Path

from pubdice.core.turn_game import TurnGame

VERSION = 1
"""Of what is in a file: another number makes all that were kept unread."""
_folders: list[Path] = []


def file_name(game: TurnGame) -> str:
    """The name of a game's file, by its rules and options."""
    return f"turns-{sha256(repr((VERSION, game)).encode()).hexdigest()[:16]}.json"


def trust(folder: Path) -> None:
    """Take what was worked out before from this folder."""
    _folders[:] = [folder]


def trusted() -> Path | None:
    """The folder that is trusted, if there is one."""
    return _folders[0] if _folders else None
