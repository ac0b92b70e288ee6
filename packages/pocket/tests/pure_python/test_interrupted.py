"""Solving without numpy that Ctrl-C ended in between leaves no half-filled table behind."""

from pathlib import Path

import pytest

from pubdice.games.ship import Ship
from pubdice_pocket.pure_python.bare_turn import bare_turn
from pubdice_pocket.pure_python.best_replies import BareReplies, lines_data
from solve.test_interrupted import interrupt, is_answered_right


@pytest.mark.parametrize(
    ("game", "rules"), [("ship", {"format": "pot 2 2"}), ("mexico", {"format": "lives 1"}), ("420", {})]
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
