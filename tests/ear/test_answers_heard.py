"""Last orders, the drill and Ask the house in focus mode, normal and sticky: what is asked and the answer are heard.

In normal focus mode a page that comes is read in browse mode, to which Orca goes by itself; in sticky mode it stays.
"""

import re
from collections.abc import Iterator

import pytest

from ear.conftest import IN_BOTH, Place
from ear.reader import Reader
from ear.test_heard import focus_mode

pytestmark = [pytest.mark.nightly, IN_BOTH]
WAYS = pytest.mark.parametrize("sticky", [True, False], ids=["sticky", "normal"])
GRADE = r"(Best!|Close: \d+\.\d%|\d+\.\d% off|\d+\.\d+ points? off|\d+\.\d+ off|Close: \d+\.\d+)"
ASKED = "/ask/threes?locked=&roll=33621&moon=no&to-beat=&holders=&to-come=&ties=share"


@pytest.fixture
def reader(place: Place) -> Iterator[Reader]:
    """In browse mode, in a browser that no house knows."""
    reader, _ = place
    reader.here.browser.forget()
    yield reader
    reader.browse()


def answered(reader: Reader, *, sticky: bool) -> str:
    """Choose the first answer of a position, and send it off: all that is heard from then on."""
    focus_mode(reader.here, sticky=sticky)
    button = reader.until("Tab", r"Your answer.* push button")
    assert "Choose" not in button, "it says what it does"
    heard = reader.press("Return", GRADE)
    assert "middle dot" not in heard
    if sticky:
        assert "Browse mode" not in heard
    grade = re.search(GRADE, heard)
    assert grade
    assert heard.count(f"{grade[0]} heading level 1") == 1, "the answer is told once"
    return heard


@WAYS
def test_last_orders_is_answered_in_focus_mode(reader: Reader, sticky: bool) -> None:
    reader.come("/daily", "", "To choose from")
    answered(reader, sticky=sticky)
    assert reader.here.browser.ask("document.activeElement.localName") == "h1", "from there the answer is read on"


@WAYS
def test_a_drill_is_answered_and_goes_on_in_focus_mode(reader: Reader, sticky: bool) -> None:
    reader.come("/drill/threes", "", "To choose from")
    answered(reader, sticky=sticky)
    reader.until("Tab", "Next position (visited )?link")
    reader.press("Return", "Threes: position 2")


@WAYS
def test_the_house_is_asked_in_focus_mode(reader: Reader, sticky: bool) -> None:
    reader.come(ASKED, "", "Keep 3 3: 5")  # so that the answer is at hand when it is asked for
    reader.come("/ask/threes", "", "Set up any position")
    reader.press("Return", r"What did you roll\? entry")  # on "Skip to the dice", which is the first thing there
    focus_mode(reader.here, sticky=sticky)
    heard = reader.type("33621", r"Keep 3 3: 5\.23 points on average\.")
    if sticky:
        assert "Browse mode" not in heard
