"""A stranger who knows one solved game finds the same thing of the other by name."""

from pathlib import Path

import pubdice.games

GAMES = Path(pubdice.games.__file__).parent


def _files(game: str) -> set[str]:
    folder = GAMES / game
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in (".py", ".md", ".po")}


def test_what_midnight_has_420_has_under_the_same_name() -> None:
    assert _files("midnight") <= _files("fourtwenty")
    assert {"rules.py", "card.py", "words.py"} < _files("midnight")
