"""A stranger who knows one solved game finds the same thing of the other by name."""

from pathlib import Path

import pubdice.games

GAMES = Path(pubdice.games.__file__).parent


def _files(game: str) -> set[str]:
    folder = GAMES / game
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in (".py", ".md", ".po")}
    return {name for name in found if not name.startswith("solving/")}


def test_what_midnight_has_420_has_under_the_same_name_but_for_what_their_solvers_are_made_of() -> None:
    """Midnight inherits from the house what any game of one turn a seat says, so it has fewer files."""
    assert _files("midnight") <= _files("fourtwenty")
    assert {"rules.py", "tips.py", "solver.py", "claims.py", "card/costs.py", "words/play.py"} < _files("midnight")


def test_both_games_set_one_policy_against_another_in_the_same_module() -> None:
    for game in ("midnight", "fourtwenty"):
        assert (GAMES / game / "solving" / "contest.py").is_file()
