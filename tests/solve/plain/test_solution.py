"""What was solved is kept under what it follows from, and read only for the same; progress is told in numbers."""

from pathlib import Path
from typing import Any

import pytest

import mexico
from lives import Lives
from pubdice.core.game import Seat
from pubdice.games.mexico.rules import Mexico
from pubdice.match.formats import Pot, Rounds
from pubdice.match.match import Match
from pubdice.solve.plain import solution
from pubdice.solve.plain.solver import PlainSolver
from small_games import LowPair, Pair


def test_a_second_solver_reads_what_the_first_has_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(Pair(), 2, Rounds(3))
    first = PlainSolver(match, tmp_path)
    values, bound = first.values(match.start()), first.bound
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(solution, "solve_whole", None)
    second = PlainSolver(match, tmp_path)
    assert (second.values(match.start()), second.bound) == (values, bound)


def test_other_rules_formats_openers_and_versions_have_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    matches: list[Match[Any, Any]] = [
        Match(Pair(), 2, Rounds(3)),
        Match(LowPair(), 2, Rounds(3)),
        Match(Pair(), 2, Rounds(2)),
        Match(Pair(), 2, Rounds(3), "winner"),
        Match(Pair(), 3, Rounds(3)),
        Match(Pair(), 2, Pot(1, 3)),
        Match(mexico.Mexico(), 2, Lives(1)),
    ]

    def keys() -> set[str]:
        return {PlainSolver(match)._solution(32).key for match in matches}

    before = keys()
    assert len(before) == len(matches)
    assert keys() == before, "the same in the same process"
    monkeypatch.setattr(solution, "VERSION", 0)
    assert not keys() & before


def test_a_choice_that_turns_while_values_settle_leaves_a_small_bound() -> None:
    """In step 9 of 21 a seat turns to another choice, and the change is 12,573 times the change before."""
    solver = PlainSolver(Match(Mexico(), 3, Rounds(5, replay=1), first=Seat(0)))
    assert sum(solver.values(solver.match.start())) == pytest.approx(1, abs=1e-11)
    assert solver.bound < 1e-11


def test_a_damaged_file_is_solved_again(tmp_path: Path) -> None:
    match = Match(mexico.Mexico(), 2, Lives(1))
    values = PlainSolver(match, tmp_path).values(match.start())
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:-7] + b"damaged")
    assert PlainSolver(match, tmp_path).values(match.start()) == values


def test_progress_is_told_while_counting_and_while_solving() -> None:
    told: list[tuple[int, int]] = []
    match = Match(mexico.Mexico(), 2, Lives(3))
    solver = PlainSolver(match, progress=lambda done, total: told.append((done, total)))
    counted = len(told)
    assert counted
    assert (9, 9) in told
    solver.values(match.start())
    assert told[counted:][-1] == (9, 9)
    assert [done for done, _ in told[counted:]] == sorted(done for done, _ in told[counted:])
