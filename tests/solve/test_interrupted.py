"""Solving that Ctrl-C ended in between leaves no half-filled table behind: what is asked next is answered right."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.house_process import PROFILE

NIGHTLY = PROFILE == "nightly"
TRIES = 40 if NIGHTLY else 3
ALIKE = 1e-9
AT_NIGHT = [] if NIGHTLY else [pytest.mark.nightly]


@pytest.mark.parametrize(
    ("game", "rules", "seats", "numpy"),
    [
        ("ship", {"format": "points 20 even"}, 2, "with"),
        ("ship", {"format": "total 2"}, 2, "with"),
        ("ship", {"format": "pot 2 2"}, 3, "with"),
        ("ship", {"format": "pot 2 2"}, 2, "without"),
        pytest.param("midnight", {"format": "rounds 2"}, 3, "with", marks=AT_NIGHT),
        ("midnight", {"format": "rounds 1", "follow": "yes"}, 2, "with"),
        ("mexico", {"format": "lives 1"}, 2, "with"),
        ("mexico", {"format": "lives 1"}, 2, "without"),
        pytest.param("420", {}, 2, "with", marks=AT_NIGHT),
        ("420", {}, 2, "without"),
    ],
)
def test_what_is_asked_after_ctrl_c_is_answered_right(game: str, rules: dict[str, str], seats: int, numpy: str) -> None:
    script = Path(__file__).with_name("ended_between.py")
    asked = [sys.executable, str(script), game, json.dumps(rules), str(seats), str(TRIES), numpy]
    ran = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told: dict[str, Any] = json.loads(ran.stdout)
    assert len(told["after"]) == TRIES
    for call, reached, after in told["after"]:
        assert reached, f"call {call} of {told['calls']}"
        wrong = [at for at, row in enumerate(after) if row != pytest.approx(told["whole"][at], abs=ALIKE)]
        assert not wrong, (call, after[wrong[0]], told["whole"][wrong[0]])
