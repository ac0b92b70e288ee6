"""A process without numpy: what an annex brings solves there, and without one a sentence says what is missing."""

import subprocess
import sys
from unittest.mock import Mock

import pytest

from pubdice.core.errors import Unsolved
from pubdice.games.ship import Ship
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.solve import choose, without_numpy
from pubdice.solve.choose import solve_match
from pubdice.solve.without_numpy import PurePython, bring

MATCH = Match(Ship(), 2, Rounds(1))
ASKS = """
import sys
sys.modules["numpy"] = None  # as if it were not installed
from pubdice.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "words",
    [
        "odds ship --format rounds:1",
        "odds ship --format pot:1",
        "odds midnight",
        "odds 420",
        "advise ship --roll 6,5,4,2,1",
        "advise mexico --roll 6,4",
    ],
)
def test_a_command_that_needs_numpy_says_so_in_a_sentence(words: str) -> None:
    asked = [sys.executable, "-c", ASKS, *words.split()]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    told = "Advice needs numpy. To install it: pip install numpy.\n"
    assert (done.returncode, done.stdout, done.stderr.endswith(told)) == (1, "", True), done.stderr
    assert done.stderr.count("\n") == 1


def test_what_is_brought_solves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "numpy_there", lambda: False)
    monkeypatch.setattr(without_numpy, "_brought", [])
    with pytest.raises(Unsolved, match="no-numpy"):
        solve_match(MATCH)
    solver = Mock()
    bring(PurePython(solver.match, solver.turn, solver.pot, solver.races, solver.figure))
    assert solve_match(MATCH) is solver.match.return_value
    solver.match.assert_called_once_with(MATCH)
