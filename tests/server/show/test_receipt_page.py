"""The picture of the chances and its table: within bounds, however long a match is and however many play."""

from dataclasses import replace
from itertools import combinations
from sys import setprofile

import pytest

from pubdice.advice.receipt_parts import ReceiptMove
from pubdice.server.charts import DASHES, FOOT, HIGH, LEFT, MOST_POINTS, TOP, WIDE
from pubdice.server.pages.receipt import MOST_ROWS, chart_of, rows
from server.samples.advice import receipt, turning_point


def long_match(moves: int, ends: int) -> tuple[ReceiptMove, ...]:
    """So many moves, of which every third ends a turn, or a round."""
    one = receipt(2, 2).moves[1]
    return tuple(replace(one, ends=ends if at % 3 == 2 else 0) for at in range(moves))


@pytest.mark.parametrize("seats", [1, 2, 3, 6])
@pytest.mark.parametrize("moves", [2, 12, 900])
def test_every_line_and_name_stands_in_the_picture(seats: int, moves: int) -> None:
    found = chart_of(receipt(seats, moves), moves - 1)
    assert len(found.lines) == seats
    for line in found.lines:
        points = [tuple(map(float, point.split(","))) for point in line.points.split()]
        assert len(points) == min(moves, len(points)) <= MOST_POINTS + 1
        assert points[0][0] == LEFT
        assert all(LEFT <= x <= WIDE and TOP <= y <= HIGH - FOOT for x, y in points)
        assert 0 < line.x < WIDE
        assert 0 < line.y < HIGH
    assert len({line.dashes for line in found.lines}) == min(seats, len(DASHES))


def test_names_keep_apart_where_there_is_room() -> None:
    low = receipt(3, 12)
    found = chart_of(replace(low, turning=turning_point(low.names, [(900, 500, 100)] * 12)), 0)
    for one, other in combinations(found.lines, 2):
        assert abs(one.y - other.y) >= 12 or abs(one.x - other.x) >= 40


def test_the_table_has_every_move_or_every_turn_or_every_round_and_never_too_many() -> None:
    assert len(rows(long_match(MOST_ROWS, 1))) == MOST_ROWS
    turns = rows(long_match(2 * MOST_ROWS, 1))
    assert all(move.ends for _, move in turns[1:])
    assert len(rows(long_match(9 * MOST_ROWS, 2))) <= MOST_ROWS + 1
    numbers = [number for number, _ in turns]
    assert numbers == sorted(numbers)
    assert numbers[0] == 0


def test_amounts_have_a_scale_of_their_own() -> None:
    chips = receipt(2, 12)
    turn = turning_point(chips.names, [(at * 50, -at * 50) for at in range(12)])
    found = chart_of(replace(chips, turning=replace(turn, chances=False, scale=100)), 3)
    assert [label for _, label in found.grid] == ["−6", "0", "6"]


def test_the_mark_of_where_it_turned_lies_on_a_line() -> None:
    low = receipt(2, 6)
    heights = (500, 520, 480, 900, 880, 1000)
    found = chart_of(replace(low, turning=turning_point(low.names, [(each, 1000 - each) for each in heights])), 0)
    assert found.turned == 3
    points = [tuple(map(float, point.split(","))) for point in found.lines[0].points.split()]
    (left, above), (right, below) = points[2:4]
    assert found.turn == pytest.approx(((left + right) / 2, (above + below) / 2), abs=0.1)


def test_a_long_match_of_six_is_drawn_in_few_calls() -> None:
    """Everybody at every table waits for a page that is drawn."""
    long = receipt(6, 900)
    calls = 0

    def count(*event: object) -> None:
        nonlocal calls
        calls += str(event[1]).endswith("call")

    setprofile(count)
    try:
        chart_of(long, 0)
    finally:
        setprofile(None)
    assert calls < 50_000, "it was a million"
