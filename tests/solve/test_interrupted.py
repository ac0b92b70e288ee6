"""Solving that Ctrl-C ended in between leaves no half-filled table behind: what is asked next is answered right."""

import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from oracles.exact_midnight import TURN as MIDNIGHT
from pubdice.games.ship import Ship
from pubdice.solve.pure_python.bare_turn import bare_turn
from pubdice.solve.pure_python.best_replies import BareReplies, lines_data
from pubdice.solve.turns.best_reply import Replies
from support.profiles import NIGHTLY

TRIES = 100 if NIGHTLY else 2
ALIKE = 1e-9


@pytest.mark.parametrize(
    ("game", "rules", "seats", "numpy"),
    [
        ("ship", {"format": "points 20 even"}, 2, "with"),
        ("ship", {"format": "total 2"}, 2, "with"),
        ("ship", {"format": "pot 2 2"}, 3, "with"),
        ("ship", {"format": "pot 2 2"}, 2, "without"),
        pytest.param("midnight", {"format": "rounds 2"}, 3, "with", marks=pytest.mark.nightly),
        pytest.param("midnight", {"format": "rounds 1", "follow": "yes"}, 2, "with", marks=pytest.mark.nightly),
        ("mexico", {"format": "lives 1"}, 2, "with"),
        ("mexico", {"format": "lives 1"}, 2, "without"),
        pytest.param("420", {}, 2, "with", marks=pytest.mark.nightly),
        ("420", {}, 2, "without"),
    ],
)
def test_what_is_asked_after_ctrl_c_is_answered_right(game: str, rules: dict[str, str], seats: int, numpy: str) -> None:
    script = Path(__file__).with_name("ended_between.py")
    asked = [sys.executable, str(script), game, json.dumps(rules), str(seats), str(TRIES), numpy]
    ran = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told: dict[str, Any] = json.loads(ran.stdout)
    assert len(told["after"]) == min(TRIES, told["lines"])
    for line, reached, *both in told["after"]:
        assert reached, line
        for after in both:
            wrong = [at for at, row in enumerate(after) if row != pytest.approx(told["whole"][at], abs=ALIKE)]
            assert not wrong, (line, after[wrong[0]], told["whole"][wrong[0]])


def interrupt() -> NoReturn:
    raise KeyboardInterrupt


def test_a_reply_that_is_being_looked_for_is_not_half_there(monkeypatch: pytest.MonkeyPatch) -> None:
    best, theta = np.repeat(np.arange(22), 20), np.tile(np.linspace(0.01, 0.99, 20), 22)
    found, insert, made = Replies(MIDNIGHT, fair=False), np.insert, count()
    whole = Replies(MIDNIGHT, fair=False).lines(best, theta)
    monkeypatch.setattr(np, "insert", lambda *given, **axis: interrupt() if next(made) == 9 else insert(*given, **axis))
    with pytest.raises(KeyboardInterrupt):
        found.lines(best, theta)
    assert found.lines(best, theta) == pytest.approx(whole, abs=ALIKE)


def test_nor_is_one_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
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
