"""A stranger who knows one solved game finds the same thing of the other by name."""

from pathlib import Path

import pubdice.games

GAMES = Path(pubdice.games.__file__).parent


def _files(game: str) -> set[str]:
    folder = GAMES / game
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in (".py", ".md", ".po")}
    return {name.replace("card/lines.py", "card.py") for name in found}


def test_what_midnight_has_420_has_under_the_same_name() -> None:
    """But for its card: Midnight's has numbers to find and two goals, so it is priced and laid out by itself."""
    assert {name for name in _files("midnight") if not name.startswith("card/")} <= _files("fourtwenty")
    assert {"rules.py", "tips.py", "claims.py", "card.py", "words.py"} < _files("midnight")
