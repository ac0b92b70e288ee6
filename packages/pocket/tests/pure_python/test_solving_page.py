"""The limits without numpy in docs/solve/solving.md agree with the solvers."""

from pathlib import Path

import pytest

from pubdice.core.game import TurnGame
from pubdice.games import GAMES
from pubdice.match.formats import Pot
from pubdice.match.match import Match
from pubdice_pocket.build.solutions import FORMATS
from pubdice_pocket.pure_python import turn_match as bare
from pubdice_pocket.pure_python.ready_made import ready_made
from pubdice_pocket.pure_python.round_positions import MOST_MOVES, MOST_POSITIONS
from pubdice_pocket.pure_python.small_standings import MOST_STANDINGS
from support.paths import ROOT

PAGE = " ".join((ROOT / "docs/solve/solving.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    "said",
    [
        f"- more than {('two', 'three')[bare.MOST_BARE_SEATS - 2]} seats,",
        f"a pot of more than {bare.MOST_PLANNED} rounds in a game of one turn a seat",
        f"more than {MOST_POSITIONS:,} positions of a round, {MOST_MOVES:,} moves of them or {MOST_STANDINGS:,} stand",
        f"to {bare.SPARED:.0e}".replace("e-11", "e-11 antes"),
    ],
)
def test_the_limits_on_the_page_are_those_of_the_solvers(said: str) -> None:
    assert said in PAGE


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "spared"), [("threes", 5), ("midnight", 4)])
def test_a_pot_that_hung_for_long_is_worth_a_fresh_one(game: str, spared: int, tmp_path: Path) -> None:
    """The test makes the solver's file, as the build of a pocket house does. That takes 13 s for Threes."""
    rules = GAMES[game].usual_game
    assert isinstance(rules, TurnGame)
    name, made = ready_made(rules, FORMATS)
    (tmp_path / name).write_bytes(made)
    assert bare.BareTurnSolver(Match(rules, 2, Pot(1, 5)), tmp_path)._rounds_to_spare == spared
    assert "at Midnight that has hung for up to 4 rounds (at Threes for up to 5)" in PAGE
