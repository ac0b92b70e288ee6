"""The house's answers by ear: a position asked by keys, the day's position, rules with their price, best play."""

import re
from collections.abc import Iterator

import pytest

from ear.people import opened
from ear.reader import Reader, reading
from support.house_process import House

pytestmark = pytest.mark.nightly
Place = tuple[Reader, House]
ASKED = "/ask/threes?locked=&roll=33621&moon=no&to-beat=&holders=&to-come=&ties=share"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with reading(tmp_path_factory.mktemp("ear")) as place:
        yield place


def test_the_house_is_asked_by_keys_and_its_answer_is_heard_on_arrival(place: Place) -> None:
    reader, _ = place
    reader.come(ASKED)  # so that the answer is at hand when it is asked for
    reader.come("/ask/threes")
    reader.until("Tab", r"More (toggle button collapsed|collapsed push button)")
    reader.press("Return", "expanded")
    reader.until("Tab", r"Kept before entry")
    heard = reader.send("33621", r'Fill in "What did you roll?"\.')
    assert "combo box" not in heard, "nothing of the form is told before why there is no answer"
    reader.come("/ask/threes")
    reader.until("Tab", r"What did you roll\? entry")
    reader.send("33621", r"Keep 3 3: 5\.23 points on average\.", r"heading level 2")
    reader.until("h", r"Keep 3 3: 5\.23 points")
    reader.until(
        "Down", r"Keep 3 3: 5\.23 points on average\..*Keep 3 3 1: 5\.39 points, 0\.16 points lost: .* less chance of"
    )
    reader.until("Tab", r"What did you roll\? entry")


def test_last_orders_is_answered_by_keys_and_its_grade_is_heard(place: Place) -> None:
    reader, _ = place
    assert "Finished loading Last orders" in reader.come("/daily")
    reader.until("h", r"Last orders \d+ heading level 1")
    reader.until("Down", r"To choose from: [1-6 ]+\.")
    reader.until("Tab", r"Your answer panel\..* push button")
    reader.follow(r"Finished loading (Best!|Close: |[\d.,]+%? .*off)")
    reader.until("h", r"(Best!|off) heading level 1.*The answer heading level 2")
    reader.until("Down", r"best.*Your answer\.|Your answer\..*best")
    reader.until("h", r"1 day heading level 2")
    reader.until("Down", r"Puzzle \d+: (best|close|off)")


def test_a_picture_of_best_play_says_what_it_shows_and_its_table_is_read(place: Place) -> None:
    reader, _ = place
    assert "Finished loading Best play at Ship" in reader.come("/best-play/ship")
    reader.until("h", "What to expect from a turn heading level 2")
    heard = reader.until("Down", r"The columns go from 0 to 12\. The highest is at 0: \d+\.\d%\. .*numbers\. image")
    assert heard.count("You play for the best mean score") == 1, "the lead is not told again by the picture"
    reader.until("Tab", "The numbers as a table toggle button collapsed")
    reader.press("Return", "expanded")
    reader.browse()
    reader.table(r"What to expect from a turn table with 13 rows 2 columns Score column header")
    cells = reader.cells("Down Right Down")
    assert cells[0].endswith("row header. Row 2, column 1."), cells
    assert "%" in cells[1], cells
    assert "%" in cells[2], cells
    assert cells[2].endswith("Row 3, column 2."), cells


def test_the_switches_of_a_table_are_heard_and_what_they_change(place: Place) -> None:
    reader, house = place
    table = opened(house, people=None, bots=[])
    reader.come(table.path, table.cookie)
    reader.until("Tab", "House rules toggle button collapsed")
    reader.press("Return", "expanded")
    reader.until("Tab", r"Lessons Hints for everybody, .* combo box\. no lessons")
    reader.press("Down", "warn from a loss of")
    reader.until("Tab", r"Chances .* combo box\. hidden")
    reader.press("Down", "shown to everybody")
    reader.until("Tab", r"Are these rules fair\? toggle button collapsed")
    reader.press("Return", "expanded")
    reader.wait_for("[...document.querySelectorAll('.price')].some(price => price.textContent.includes('%'))")
    heard = reader.until(
        "shift+Tab", r"Dice you need panel\. 1 and 4 \(standard\) Player 1: \d+\.\d% selected radio button"
    )
    assert "Lessons" in heard
    reader.until("Tab", "Save rules push button")
    reader.follow("Loading")
    assert table.state()["view"]["stage"] == "gathering"
    there = reader.here.browser.ask("document.querySelector('#menu a[href^=\"/prices\"]').getAttribute('href')")
    reader.come(there, table.cookie)
    reader.table(r"Share of the match table with 2 rows 2 columns Player 1 row header")
    shares = reader.cells("Right Down Left")
    assert ["%" in share for share in shares] == [True, True, False], shares
    reader.table(r"Choice column header")
    prices = reader.cells("Down Right Right Down Left")
    assert re.match(r"1 and 4 \(standard\), ?now row header", prices[0]), prices
    assert prices[2].startswith("Difference"), prices
    assert re.match(r"Player 1 \d+\.\d%", prices[4]), prices
