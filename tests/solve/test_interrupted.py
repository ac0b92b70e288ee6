"""Solving that Ctrl-C ended in between leaves no half-filled table behind: what is asked next is answered right."""

import json
import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from oracles.exact_midnight import TURN as MIDNIGHT
from pubdice.solve.turns.best_reply import Replies
from support.paths import PATHS
from support.profiles import NIGHTLY

TRIES = 100 if NIGHTLY else 2
ALIKE = 1e-9


@pytest.mark.parametrize(
    ("game", "rules", "seats"),
    [
        ("ship", {"format": "points 20 even"}, 2),
        ("ship", {"format": "total 2"}, 2),
        ("ship", {"format": "pot 2 2"}, 3),
        pytest.param("midnight", {"format": "rounds 2"}, 3, marks=pytest.mark.nightly),
        pytest.param("midnight", {"format": "rounds 1", "follow": "yes"}, 2, marks=pytest.mark.nightly),
        ("mexico", {"format": "lives 1"}, 2),
        pytest.param("420", {}, 2, marks=pytest.mark.nightly),
    ],
)
def test_what_is_asked_after_ctrl_c_is_answered_right(game: str, rules: dict[str, str], seats: int) -> None:
    is_answered_right(Path(__file__).with_name("ended_between.py"), game, rules, seats)


def is_answered_right(script: Path, game: str, rules: dict[str, str], seats: int) -> None:
    """End the solving of a match by a script, some times, and hold what it says after that to what it says at once."""
    asked = [sys.executable, str(script), game, json.dumps(rules), str(seats), str(TRIES)]
    environ = {**os.environ, "PYTHONPATH": PATHS}
    ran = subprocess.run(asked, capture_output=True, text=True, check=False, env=environ)
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


@pytest.mark.nightly
def test_a_reply_that_is_being_looked_for_is_not_half_there(monkeypatch: pytest.MonkeyPatch) -> None:
    best, theta = np.repeat(np.arange(22), 20), np.tile(np.linspace(0.01, 0.99, 20), 22)
    found, insert, made = Replies(MIDNIGHT, fair=False), np.insert, count()
    whole = Replies(MIDNIGHT, fair=False).lines(best, theta)
    monkeypatch.setattr(np, "insert", lambda *given, **axis: interrupt() if next(made) == 9 else insert(*given, **axis))
    with pytest.raises(KeyboardInterrupt):
        found.lines(best, theta)
    assert found.lines(best, theta) == pytest.approx(whole, abs=ALIKE)
