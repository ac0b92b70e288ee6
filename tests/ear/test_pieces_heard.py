"""A line is heard as one sentence: decimal points end none, and what belongs to a link is in it. In both browsers."""

import re

import pytest

from ear.conftest import IN_BOTH, Place
from ear.people import opened
from ear.reader import SOLVED_S, Reader
from ear.test_answers_heard import ASKED
from ear.test_evening_heard import _finish

pytestmark = [pytest.mark.nightly, IN_BOTH]


def pieces(reader: Reader, mark: int) -> list[str]:
    """What the voice was given since a mark, a text each."""
    return [one.text for one in reader.here.heard.said[mark:]]


def one_piece(reader: Reader, mark: int, pattern: str) -> bool:
    """Whether something was heard in one text."""
    return any(re.search(pattern, text) for text in pieces(reader, mark))


def test_a_choice_and_what_it_is_worth_are_one_sentence(place: Place) -> None:
    reader, _ = place
    mark = reader.mark()
    reader.come(ASKED, "", r"Keep 3 3: 5")
    reader.until("Down", r"Keep 3 3 1: 5\.39 points, 0\.16 points lost: .* less chance of")
    assert one_piece(reader, mark, r"Keep 3 3: 5\.23 points on average\.")
    assert one_piece(reader, mark, r"Keep 3 3 1: 5\.39 points, 0\.16 points lost: ")


def test_what_cost_most_and_where_are_a_sentence_each(place: Place) -> None:
    reader, house = place
    table = opened(house, dice="real", rules={"format": "rounds 1"})
    _finish(table)
    mark = reader.mark()
    reader.come(f"{table.path}/evening", table.cookie, "Matches", "Dearest choice of the evening")
    reader.until("h", r"Dearest choice of the evening heading level 2")
    reader.until("Down", r"You, Match 1, Midnight")
    assert one_piece(reader, mark, r"was worth \d+(\.\d+)? more, out of 100\.")
    assert one_piece(reader, mark, r"You, Match 1, Midnight( visited)? link")
    assert "," not in pieces(reader, mark)


def test_the_grade_of_the_day_is_told_with_its_amount_in_one_sentence(place: Place) -> None:
    reader, _ = place
    reader.come("/daily", "", "To choose from")
    reader.until("Tab", r"Your answer.* push button")
    mark = reader.mark()
    reader.here.strike("Return")
    reader.here.heard.wait(lambda: "heading level 1" in reader.said(mark), SOLVED_S)
    reader.here.heard.settle()
    reader.here.press("ctrl+Home")
    reader.until("Down", r"is best\.")
    assert one_piece(reader, mark, r"^(Keep|Stop|Roll|Take|Shut)\b.*(is best|loses \d+\.\d.*)"), pieces(reader, mark)
