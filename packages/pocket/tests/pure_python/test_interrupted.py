"""Ctrl-C during solving without numpy leaves no half-filled table of values."""

from pathlib import Path

import pytest

from pubdice.core.errors import Unsolved
from pubdice.core.game import Seat
from pubdice.games.mexico import Mexico
from pubdice.games.mexico.lives import Lives
from pubdice.games.ship import Ship
from pubdice.match.formats import Pot
from pubdice.match.match import Match
from pubdice_pocket.pure_python import round_positions
from pubdice_pocket.pure_python.bare_turn import bare_turn
from pubdice_pocket.pure_python.best_replies import BareReplies, lines_data
from pubdice_pocket.pure_python.match_solver import BareMatchSolver, solved_bare
from pubdice_pocket.pure_python.turn_match import BareTurnSolver
from solve.test_interrupted import interrupt, is_answered_right
from solve.test_pauses import times_left


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        pytest.param("ship", {"format": "pot 2 2"}, marks=pytest.mark.nightly),
        ("mexico", {"format": "lives 1"}),
        pytest.param("420", {}, marks=pytest.mark.nightly),
    ],
)
def test_what_is_asked_after_ctrl_c_is_answered_right(game: str, rules: dict[str, str]) -> None:
    is_answered_right(Path(__file__).with_name("ended_without_numpy.py"), game, rules, 2)


def test_a_reply_that_is_being_looked_for_is_not_half_there(monkeypatch: pytest.MonkeyPatch) -> None:
    found, whole = BareReplies(bare_turn(Ship())), BareReplies(bare_turn(Ship()))
    whole.complete()
    for best in range(len(found.turn.scores)):
        found.line(best, 0.0)
    with monkeypatch.context() as patched:
        patched.setattr(found, "solve_line", lambda *_: interrupt())
        with pytest.raises(KeyboardInterrupt):
            found.complete()
    found.complete()
    assert lines_data(found.known) == lines_data(whole.known)


def test_a_pot_left_after_each_turn_comes_to_the_same() -> None:
    match = Match(Ship(), 2, Pot(1, 3), "rotate", Seat(0))
    start = match.start()
    parted = BareTurnSolver(match)
    left, found = times_left(lambda: parted.values(start))
    assert left > 10
    assert found == BareTurnSolver(match).values(start)


def test_so_does_a_match_that_is_no_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(Mexico(), 2, Lives(4), "rotate", Seat(0))
    start = match.start()
    left, parted = times_left(lambda: solved_bare(match))
    assert left > 10
    assert isinstance(parted, BareMatchSolver)
    assert parted.values(start) == solved_bare(match).values(start)
    assert parted.bound < 1e-11
    monkeypatch.setattr(round_positions, "MOST_POSITIONS", 100)
    for _ in range(2):
        with pytest.raises(Unsolved, match="needs-house"):
            solved_bare(match)
