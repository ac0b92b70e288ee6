"""Which games have a file of what was worked out before (``kept``), and the folder this process takes them from."""

from hashlib import sha256
from pathlib import Path

from pubdice.core.turn_game import TurnGame

VERSION = 1
"""Of what is in a file: another number makes all that were kept unread."""
_folders: list[Path] = []
_names: set[str] = set()


def file_name(game: TurnGame) -> str:
    """The name of a game's file, by its rules and options."""
    return f"turns-{sha256(repr((VERSION, game)).encode()).hexdigest()[:16]}.json"


def trust(folder: Path) -> None:
    """Take a game that has a file in this folder for one whose turns go alike, since no other game gets one.

    Asking the rules for that (``choose.one_turn_each``) takes a browser's Python up to a second, before any answer.
    """
    _folders[:] = [folder]
    _names.clear()
    _names.update([file.name for file in folder.glob("turns-*.json")])


def trusted() -> Path | None:
    """The folder that is trusted, if there is one."""
    return _folders[0] if _folders else None


def is_kept(game: TurnGame) -> bool:
    """Whether the trusted folder has a file of a game."""
    return bool(_names) and file_name(game) in _names
