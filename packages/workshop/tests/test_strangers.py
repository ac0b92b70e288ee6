"""Games as strangers write them pass the check: a choice of ends, and boxes to fill."""

import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from pubdice_workshop.check import LAWS, Checker, check
from support.strangers import write_boxes, write_ends

QUICK = ("one_game", *(f"laws/test_{name}_laws.py" for name in ("move", "rules", "spoken", "turns", "words")))


@pytest.mark.parametrize(
    ("write", "laws"),
    [
        pytest.param(write_ends, QUICK, id="ends"),
        pytest.param(write_boxes, ("one_game", "laws/test_move_laws.py", "laws/test_roll_off_laws.py"), id="boxes"),
        pytest.param(write_ends, LAWS, id="all of ends", marks=pytest.mark.nightly),
        pytest.param(write_boxes, LAWS, id="all of boxes", marks=pytest.mark.nightly),
    ],
)
def test_a_strangers_game_holds(
    write: Callable[[Path], Path], laws: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ends has a choice of dice to stop on, and classes named as pubdice's own. Boxes has three turns a seat."""
    found = StringIO()
    if laws is not LAWS:
        monkeypatch.setattr(os, "cpu_count", lambda: 1)
        monkeypatch.setattr(Checker, "_types", lambda self: None)
    status = check(str(write(tmp_path).parents[1]), found, 1_200, laws)
    assert status == 0, found.getvalue()
