"""Solutions computed when a pocket house is built, and read when it runs."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oracles.compare import walks
from pubdice.advice.figures import figure
from pubdice.core.game import Seat, TurnGame
from pubdice.games import GAMES
from pubdice.games.ship import Ship
from pubdice.match.formats import Pot, Rounds
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice.solve.finite.enumerated import enumerated
from pubdice.text.catalogues import language
from pubdice_pocket.kept_figures import figures_json, kept_figure
from pubdice_pocket.pure_python.bare_turn import BareTurn, bare_turn, enumerated_turn
from pubdice_pocket.pure_python.best_replies import BareReplies
from pubdice_pocket.pure_python.kept_solutions import kept_lines, kept_standings, kept_turn
from pubdice_pocket.pure_python.ready_made import ArrayTurn, ready_made
from pubdice_pocket.pure_python.turn_match import EQUAL, BareTurnSolver

GAME = Ship("single")
FORMATS = (Rounds(3), Pot(1, 3))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("kept")
    name, contents = ready_made(GAME, FORMATS)
    (found / name).write_bytes(contents)
    return found


def test_arrays_and_lists_make_the_same_bytes(folder: Path) -> None:
    for turned in (ArrayTurn, BareTurn):
        name, contents = ready_made(GAME, FORMATS, turned)
        assert (folder / name).read_bytes() == contents


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["threes", "midnight"])
def test_so_are_those_of_larger_games(name: str) -> None:
    game = GAMES[name].usual_game
    assert isinstance(game, TurnGame)
    on_lists, in_arrays = BareTurn(game, enumerated_turn(game)), ArrayTurn(game, enumerated_turn(game))
    chance = Random(1)
    for _ in range(30):
        utility = [chance.choice((0.0, -0.0, 0.5, 1.0, chance.random())) for _ in on_lists.scores]
        assert in_arrays.best(utility) == on_lists.best(utility)
        arrays, lists = in_arrays.solve(utility), on_lists.solve(utility)
        assert (arrays.value, arrays.other, arrays.chance.taken) == (lists.value, lists.other, lists.chance.taken)


@pytest.mark.parametrize("opener", ["rotate", "loser"])
@pytest.mark.parametrize("form", [Rounds(3), Rounds(2), Pot(4, 2)], ids=str)
def test_a_solver_with_kept_solutions_says_what_one_without_says(folder: Path, form: Any, opener: str) -> None:
    match = Match(GAME, 2, form, opener)
    kept, fresh = BareTurnSolver(match, folder), solve_match(match)
    assert kept.bound == pytest.approx(fresh.bound, rel=0.01)
    for state in walks(match, 1, 3):
        assert kept.values(state) == pytest.approx(fresh.values(state), abs=1e-11)
    assert kept_standings(match, EQUAL, folder)


def test_the_turn_that_is_kept_is_the_one_enumerated(folder: Path) -> None:
    kept = kept_turn(GAME, folder)
    assert kept is not None
    found = enumerated(GAME, GAME.start(1))
    one, two = BareTurn(GAME, kept), BareTurn(GAME, found)
    assert one.chance == two.chance
    assert one.solve(one.mean).value == two.solve(two.mean).value


def test_all_lines_are_kept_so_no_turn_is_solved_for_a_reply(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = BareReplies(bare_turn(GAME))
    kept = BareReplies(bare_turn(GAME), kept_lines(GAME, folder))
    monkeypatch.setattr(kept, "solve_line", None)
    for best in range(len(kept.turn.scores)):
        for tenths in range(11):
            one, two = kept.line(best, tenths / 10), fresh.line(best, tenths / 10)
            height = [line[0] + tenths / 10 * line[1] for line in (one, two)]
            assert height[0] == pytest.approx(height[1], abs=1e-12)


@pytest.mark.parametrize("harm", [b"", b"{}", b"[1]", b"\xff" * 65, None])
def test_a_damaged_file_is_as_good_as_not_there(tmp_path: Path, folder: Path, harm: bytes | None) -> None:
    file = next(folder.glob("turns-*"))
    whole = file.read_bytes()
    (tmp_path / file.name).write_bytes(whole.replace(b"0.5", b"0.6", 1) if harm is None else harm)
    assert kept_turn(GAME, tmp_path) is None
    assert kept_lines(Ship(), folder) is None, "another game's"


def test_a_figure_is_read_as_it_was_drawn(tmp_path: Path) -> None:
    kit = GAMES["ship"]
    drawn = figure(kit, "last", language("de"), lambda kit, match: solve_match(match))
    (tmp_path / "figures-de.json").write_bytes(figures_json({"ship": {"last": drawn}}))
    found = kept_figure("ship", "last", "de", tmp_path)
    assert found is not None
    assert [row.cells for row in found.rows] == [row.cells for row in drawn.rows]
    assert [row.value for row in found.rows] == pytest.approx([row.value for row in drawn.rows], abs=1e-6)
    assert (found.title, found.lead, found.head, found.command) == (drawn.title, drawn.lead, drawn.head, drawn.command)
    other = replace(drawn, rows=tuple(replace(row, value=row.value and row.value * (1 + 1e-13)) for row in drawn.rows))
    same = figures_json({"ship": {"last": other}}) == (tmp_path / "figures-de.json").read_bytes()
    assert same, "whatever the last digits of the machine"
    assert kept_figure("ship", "reach", "de", tmp_path) is None
    assert kept_figure("ship", "last", "en", tmp_path) is None


@pytest.mark.parametrize("rounds", [1, 4])
def test_a_hanging_pot_is_worth_the_kept_value(folder: Path, rounds: int) -> None:
    """Take Ship, whose pots hang too often to reuse the kept values: ``_rounds_to_spare`` is 0.

    The second solver is told to reuse them, so its values differ by the effect of the bound on hanging rounds (< 1e-5).
    """
    match = Match(GAME, 2, Pot(1, 3), "rotate")
    solver, spared = BareTurnSolver(match, folder), BareTurnSolver(match, folder)
    assert solver._rounds_to_spare == 0
    spared.__dict__["_rounds_to_spare"] = 4
    start = match.draw(match.start(), Seat(0)) if match.to_draw(match.start()) else match.start()
    hung = replace(start, tally=replace(start.tally, pot=2 * (1 + rounds)))
    one, other = solver.values(hung), spared.values(hung)
    assert one != other
    assert one == pytest.approx(other, abs=1e-5)
