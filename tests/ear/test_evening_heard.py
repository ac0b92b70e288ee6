"""A match with lessons and chances by ear, then what decided it, its costly choice once more, and the evening."""

import re
import time
from collections.abc import Iterator

import pytest

from ear.people import opened
from ear.reader import Reader, reading
from pubdice.terminal.web_client import HouseError, WebTable
from support.house_process import House

pytestmark = pytest.mark.nightly
Place = tuple[Reader, WebTable]
ROLL = "2 6 4 1 3 5"
"""Of which a 2 alone is a bad keep."""
OVER_S = 60.0


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with reading(tmp_path_factory.mktemp("ear")) as (reader, house):
        yield reader, _table(house)


def _table(house: House) -> WebTable:
    """A table with lessons and chances at which Ann types in the dice that everybody rolls."""
    return opened(house, dice="real", rules={"format": "rounds 1"}, lessons=2, chances=True)


def test_a_hint_a_warning_and_everybodys_chances_are_heard(place: Place) -> None:
    reader, table = place
    reader.come(table.path, table.cookie)
    reader.until("Tab", "Type your move entry")
    heard = reader.type(ROLL, rf"You rolled {ROLL}\.")
    assert "no dice to keep" not in heard, "dice typed in are no choice"
    reader.until("shift+Tab", "Hint push button")
    reader.press("Return", r"Keep 6 is best: \d+\.\d% \(share of the match\)\.")
    reader.until("shift+Tab", "Die 1, two toggle button not pressed")
    reader.press("Return", "pressed")
    reader.until("Tab", "Keep 2 push button")
    heard = reader.press(
        "Return", r"Keep 2 loses \d+\.\d%.*Keep 6 is best\.", "Nothing has happened yet", "do it again"
    )
    assert "You kept" not in heard
    heard = reader.press("Return", r"You kept 2\.", r"Locked: 2\.", "Roll 5 dice")
    assert "loses" not in heard, "it was meant"
    reader.until("Tab", "Type your move entry")
    reader.type("6 6 1 4 5", r"You rolled 6 6 1 4 5\.")
    heard = reader.type("k 6 6 1 4 5 r", r"You scored 19", r"Tip's turn\.", r"Ann \d+\.\d%, Tip \d+\.\d%\.")
    tip = re.findall(r"Tip (\d+\.\d%)\.", heard)[-1]
    reader.until("shift+Tab", "The whole match toggle button collapsed")
    reader.press("Return", "expanded")
    reader.browse()
    reader.table(r"The share of the match, with best play after it\. table with \d+ rows 3 columns Move column header")
    first = reader.cells("Down Right Right Left")
    assert first[0].startswith("Start row header"), first
    assert re.match(r"Tip \d+\.\d%", first[2]), first
    assert re.match(r"Ann \d+\.\d%", first[3]), first
    last = reader.cells("End Left")
    assert tip in last[0], "the last row has what was heard after the turn"
    assert last[1].startswith("Ann "), last


def test_what_decided_it_is_heard_and_the_costly_choice_is_asked_again(place: Place) -> None:
    reader, table = place
    _finish(table)
    assert "Finished loading What decided it" in reader.come(f"{table.path}/receipt", table.cookie)
    reader.until("h", r"(your side|against you|You threw it away) heading level 1.*Chance to win heading level 2")
    reader.until("h", r"Who was lucky\? Who played better\? heading level 2")
    reader.table(r"table with 3 rows 3 columns")
    luck = reader.cells("Right Down Down")
    assert luck[0].startswith("You column header"), luck
    assert re.search(r"(lucky|average) [+−]?\d+\.", luck[1]), luck
    assert re.search(r"Mistakes gave away \d+\.", luck[2]), luck
    reader.until("h", "The choice that cost most heading level 2")
    reader.until("Down", r"You kept [1-6]\..* Keep [1-6 ]+ was worth \d+ more, out of 100\.")
    reader.until("Tab", "How this is counted toggle button collapsed")
    reader.press("Return", "expanded")
    reader.browse()
    reader.table(r"You\. Chance to win table with \d+ rows 2 columns Seat row header")
    bill = reader.cells("Right Down Left Down")
    assert re.match(r"\d+\.\d%", bill[0]), bill
    assert re.match(r"Luck [+−]\d+\.\d%", bill[1]), bill
    assert bill[2].startswith("Luck row header"), bill
    assert bill[3].startswith("Skill row header"), bill
    reader.until("h", "Play it again heading level 2")
    reader.until("Tab", "Ask me link")
    reader.follow("Finished loading Play it again")
    reader.until("h", r"You rolled this\. What would you do now\? heading level 2")
    reader.until("Tab", r"Your choice panel\. .* not selected radio button")
    reader.press("space", "selected")
    reader.until("Tab", "Answer push button")
    reader.follow("Finished loading Play it again", r"Not quite\.|Best!")
    reader.table(r"What each was worth\. .* table with \d+ rows 2 columns Choice column header")
    rows = reader.cells("Down Right")
    assert re.match(r"Keep [1-6 ]+ row header", rows[0]), rows
    assert re.search(r"\d+\.\d%", rows[1]), rows


def test_the_evenings_tally_and_its_dearest_choice_are_heard(place: Place) -> None:
    reader, table = place
    _finish(table)
    assert "Finished loading The evening" in reader.come(f"{table.path}/evening", table.cookie)
    reader.until("h", "The evening heading level 1.*Tally heading level 2")
    reader.table("table with 3 rows 3 columns Player column header")
    tally = reader.cells("Down Right Down")
    assert re.match(r"(You|Tip) row header", tally[0]), tally
    assert tally[1].startswith("1"), tally
    assert re.match(r"(You|Tip) 0", tally[2]), tally
    reader.until("h", "Matches heading level 2.*Dearest choice of the evening heading level 2")
    reader.until("Down", r"You kept [1-6]\..* Keep [1-6 ]+ was worth \d+ more.*You, Match 1, Midnight link")


def _finish(table: WebTable) -> None:
    """Type in what is still to be rolled, and play it badly."""
    until = time.monotonic() + OVER_S
    while (view := table.state()["view"])["stage"] != "over":
        assert time.monotonic() < until, view
        if view["ask"] == "enter":
            table.ask("enter", dice="1 4 6 6 6 6"[: 2 * view["due"] - 1])
        elif view["ask"] == "keep" and view["mover"] == 0:
            _keep_one(table, view)
        else:
            time.sleep(0.3)


def _keep_one(table: WebTable, view: dict[str, list[dict[str, object]]]) -> None:
    """Ann keeps her first die, whatever it costs."""
    marks = [next(die["place"] for die in view["dice"] if die["status"] == "free")]
    for _ in range(2):  # the house may warn once
        try:
            table.ask("roll", marks=marks)
        except HouseError:
            continue
        return
