"""The turn of a match is the move that its receipt marks, told by the same sentence to each reader."""

from functools import cache

import pytest

from advice.known_match import coached
from pubdice.advice.analysis import Analysis, AnalysisJob
from pubdice.advice.receipt import build_receipt
from pubdice.advice.receipt_parts import Receipt
from pubdice.advice.turning import TurningPoint, find_turning_point, turning_of
from pubdice.library.match_in_play import cup, new_match
from pubdice.library.players import HouseBot, play_out
from pubdice.match.narrate import Narrator
from pubdice.server.charts import LOW, chart
from pubdice.server.pages.receipt import chart_of
from pubdice.text.catalogues import language


@cache
def matches(game: str, form: str, seats: int) -> tuple[Analysis, Analysis, Receipt]:
    """A match without its replays and with them, and its receipt as the second seat reads it."""
    text = play_out(new_match(game, seats, format=form), HouseBot("lucky", cup(7)), cup(7)).record
    job = AnalysisJob(*coached(text, language("en")))
    sooner = job.reviewed()
    assert sooner is not None
    whole = job.go_on()
    assert whole is not None
    return sooner, whole, build_receipt(whole, language("en"), 1)


@pytest.mark.parametrize(
    ("game", "form", "seats"), [("midnight", "rounds 3", 2), ("420", "race", 2), ("threes", "rounds 1", 3)]
)
def test_it_is_the_move_that_the_receipt_marks_in_the_same_words(game: str, form: str, seats: int) -> None:
    sooner, _, receipt = matches(game, form, seats)
    found = find_turning_point(sooner, language("en"))
    assert found == receipt.turning, "one function decides"
    assert len(found.rows) == len(receipt.moves)
    assert found.said == (receipt.moves[0].said, receipt.moves[-1].said)
    assert found.move == chart_of(receipt, 0).turned == turning_of(found.rows)[0] > 0
    turn = receipt.moves[found.move]
    assert (found.where, found.dice) == (turn.where, turn.dice)
    assert found.told_to(1).startswith(f"{turn.lines[0]} "), "as the second seat reads it"
    assert found.told_to(None) != found.told_to(found.seat), "to others the mover has a name"
    assert found.choices == len(receipt.questions)
    assert found.asked == (receipt.dearest.dice if receipt.dearest else ())
    assert bool(found.challenge) == bool(receipt.dearest)


def test_chances_before_and_after_are_whole_percents_of_the_mover() -> None:
    found = find_turning_point(matches("midnight", "rounds 3", 2)[0], language("en"))
    before, after = [round(found.rows[at][found.seat] / 10) for at in (found.move - 1, found.move)]
    assert [each.replace("\N{NO-BREAK SPACE}", "") for each in found.change] == [f"{before}%", f"{after}%"]
    assert found.told[0].endswith(f" {before}% before it, {after}% after it.")
    german = find_turning_point(matches("midnight", "rounds 3", 2)[0], language("de"))
    assert f"{before}\N{NO-BREAK SPACE}%" in german.told[0]


def test_the_dot_is_on_the_line_of_who_moved() -> None:
    found: TurningPoint = find_turning_point(matches("midnight", "rounds 3", 2)[0], language("en"))
    for seat in (0, 1):
        drawn = chart(found.names, found.rows, found.said, found, at=0, tall=LOW, of=seat)
        points = [tuple(map(float, point.split(","))) for point in drawn.lines[seat].points.split(" ")]
        (_, high), (_, low) = sorted(points[found.move - 1 : found.move + 1], key=lambda point: point[1])
        assert high <= drawn.turn[1] <= low
        assert drawn.turned == found.move


def test_a_move_of_which_a_game_says_nothing_is_told_by_its_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    sooner = matches("midnight", "rounds 3", 2)[0]
    monkeypatch.setattr(Narrator, "tell", lambda *_: [])
    found = find_turning_point(sooner, language("en"))
    before, after = found.change
    assert found.told == (f"{before} before it, {after} after it.",) * 3


def test_nothing_turns_where_nobodys_value_changes() -> None:
    assert turning_of([(5, 5), (5, 5)]) == (0, 0)
    assert turning_of([(5, 5)]) == (0, 0)
    assert turning_of([(5, 5), (5, 6), (7, 4)]) == (2, 0)
