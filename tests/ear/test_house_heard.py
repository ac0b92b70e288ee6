"""The house by ear: its answers, rules and prices, a night, the book, sitting down, Ship and Threes typed in."""

import re
import time

import pytest

from ear.conftest import Place
from ear.people import opened
from ear.reader import Reader
from pubdice.terminal.web_client import WebTable

pytestmark = pytest.mark.nightly
ASKED = "/ask/threes?locked=&roll=33621&moon=no&to-beat=&holders=&to-come=&ties=share"


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


OVER_S = 60.0
HEAD = "Same-dice night [A-Z ]+ heading level 1"


def test_a_night_is_begun_by_keys_and_its_ranking_is_read_by_cells(place: Place) -> None:
    reader, house = place
    cookie = opened(house).cookie
    reader.come("/night", cookie)
    reader.until("Tab", r"Game panel\. .* selected radio button")
    reader.until("Tab", r"Players at each table combo box\. 2\.")
    reader.until("Tab", "Begin the night push button")
    reader.follow(HEAD)
    night = reader.here.browser.ask("location.pathname")
    reader.until("Tab", "Your name entry")
    reader.send("Ann", "Finished loading .*Midnight")
    path = reader.here.browser.ask("location.pathname")
    _play(WebTable(f"{reader.house}{path}", time.sleep, cookie=cookie))
    heard = reader.come(night, cookie)
    assert "Finished loading Same-dice night" in heard
    reader.until("h", f"{HEAD}.*Your table heading level 2.*Who made the fewest mistakes heading level 2")
    reader.table(r"The loss of each player by their choices\. .* columns Rank column header")
    ranked = reader.cells("Down Right Right Down")
    assert ranked[0].startswith("1"), ranked
    assert "Ann" in ranked[1], ranked
    assert re.match(r"(Lost )?\d+\.\d%", ranked[2]), ranked
    assert "decision" in ranked[3], ranked


def _play(table: WebTable) -> None:
    """Ann starts with a bot beside her, and keeps all she rolls."""
    table.ask("pace", ms=0)
    table.ask("start")
    until = time.monotonic() + OVER_S
    while (view := table.state()["view"])["stage"] != "over":
        assert time.monotonic() < until, view
        if view["mover"] == 0:
            marks = {} if view["ask"] == "roll" else {"marks": [die["place"] for die in view["dice"]]}
            table.ask("roll", **marks)
        else:
            time.sleep(0.1)


def test_the_book_is_begun_by_keys_and_read_by_headings(place: Place) -> None:
    reader, house = place
    assert "Finished loading The players' book" in reader.come("/book", opened(house).cookie)
    reader.until("Tab", "Begin my book push button")
    heard = reader.follow("The players' book|Finished loading")
    assert "Begin my book" not in heard
    reader.until("h", "The players' book heading level 1.*Your book heading level 2")
    reader.until("Tab", r"Save it as a file link.*Erase everything ?\.\.\. push button")


def test_who_sits_down_hears_that_they_are_in_and_who_is_there(place: Place) -> None:
    reader, house = place
    reader.here.browser.forget()
    table = opened(house, people=None, bots=[])
    reader.come(table.path)
    reader.until("Tab", "Your name entry")
    heard = reader.type("Bob", r"You're in\.", r"At the table with you: Ann\.", "press “I'm ready”")
    assert heard.count("You're in") == 1, heard


FIELD = {"en": "Type your move entry", "de": "Tipp deinen Zug ein entry"}


def _seated(place: Place, said: str, **order: object) -> Reader:
    """Ann at a table with real dice and a bot, in the field for moves."""
    reader, house = place
    table = opened(house, dice="real", **order)
    reader.come("/help", f"language={said}")
    reader.come(table.path, table.cookie)
    reader.until("Tab", FIELD[said])
    return reader


SHIP = {
    "en": (
        (r"You rolled 6 5 3 2 1\.", r"You kept 5 6\.", r"Roll 3 dice\. 2 rolls left\.", r"You still need a 4\."),
        (r"You rolled 4 3 2\.", r"You have a cargo of 5\.", r"1 roll left\.", r"Stop, or roll again\?"),
        r"Locked: 6 5 4; rolled: 3 2\. You have 6, 5 and 4\. Score 5\.",
        r"No points yet\.",
        (r"You stopped\.", "You scored 5", r"Tip's turn\."),
        "still need",
    ),
    "de": (
        (r"Du hast 6 5 3 2 1 geworfen\.", "5 6", r"Wirf 3 Würfel\. Noch 2 Würfe\.", r"Dir fehlt noch eine 4\."),
        (
            r"Du hast 4 3 2 geworfen\.",
            "Du hast 5 geladen",
            "Noch 1 Wurf",
            "Hörst du auf, oder würfelst du noch",
        ),
        r"Fest: 6 5 4; geworfen: 3 2\. Du hast 6, 5 und 4\. Punkte: 5\.",
        r"Noch keine Punkte\.",
        ("Du hast aufgehört", "5 Punkte", "Tip ist dran"),
        "fehlt",
    ),
}


@pytest.mark.parametrize("said", SHIP)
def test_with_the_4_aboard_no_4_is_needed_and_the_choice_is_heard(place: Place, said: str) -> None:
    lacking, aboard, hand, standing, stopped, need = SHIP[said]
    reader = _seated(place, said, game="ship", rules={"format": "rounds 1"})
    reader.type("6 5 3 2 1", *lacking)
    for line, heard in (("4 3 2", aboard), ("h", (hand,)), ("s", (standing,)), ("b", stopped)):
        assert need not in reader.type(line, *heard), line


MOON = {
    "en": (r"Which dice do you keep\?", r"You shot the moon: five sixes!.*You win"),
    "de": (r"Welche Würfel behältst du\?", r"fünf Sechsen! Du gewinnst mit fünf Sechsen\."),
}


@pytest.mark.parametrize("said", MOON)
def test_the_moon_is_heard_as_what_it_is(place: Place, said: str) -> None:
    choice, shot = MOON[said]
    reader = _seated(place, said, game="threes", rules={"format": "rounds 1", "moon": "yes"})
    reader.type("6 6 6 3 3", "6 6 6 3 3", choice)
    reader.type("k 6 6 6 r", "2")
    reader.type("6 6", choice)
    heard = reader.type("k 6 6 r", shot)
    assert "30" not in heard, "the moon is no sum"
