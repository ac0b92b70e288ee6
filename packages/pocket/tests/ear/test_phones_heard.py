"""Tests by ear of phones without a server: a phone is let in, leaves, and goes on as the house."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from ear.pocket_desk import HOUSE, Pocket, another_phone, pocket_at_a_desk
from ear.test_heard import focus_mode
from pocket.conftest import pocket_folder, pocket_parts
from pocket.phones import EN, Host, answer, open_table
from pocket.pocket_players import house
from pocket.test_going_on_as_host import TOLD

pytestmark = pytest.mark.nightly
__all__ = ["pocket_folder", "pocket_parts"]
CODE = "document.querySelector('#phones textarea').value"
FOCUS = "document.activeElement.localName"
IN_S = 40.0
LOST_S = 60.0  # the offer to go on comes 20 s after the connection is lost


@pytest.fixture
def pocket(request: pytest.FixtureRequest, pocket_folder: Path, tmp_path: Path) -> Iterator[Pocket]:
    with pocket_at_a_desk(pocket_folder, tmp_path, getattr(request, "param", "chromium")) as pocket:
        yield pocket


@pytest.fixture
def theirs(pocket: Pocket) -> Iterator[BrowserContext]:
    with another_phone(pocket) as theirs:
        yield theirs


def heard_once(heard: str, *sentences: str) -> None:
    """Assert that each sentence was heard whole and once, in this order."""
    said = re.sub(r"\s+", " ", heard.replace("...", "…"))
    places = [said.find(sentence) for sentence in sentences]
    assert -1 not in places, f"{sentences[places.index(-1)]!r} was not heard, but {said!r}"
    assert places == sorted(places), f"not in order: {said!r}"
    assert [said.count(sentence) for sentence in sentences] == [1] * len(sentences), said


def said_at(pocket: Pocket, key: str, *sentences: str) -> None:
    """Press a key, and hear each sentence once, in this order."""
    heard_once(pocket.press(key, re.escape(sentences[-1]), IN_S), *sentences)


def copied(pocket: Pocket) -> str:
    """Copy the code in the panel, by keys."""
    pocket.reader.until("Tab", EN["phones_by_copy"])
    pocket.reader.press("Return", "expanded")
    pocket.reader.until("Tab", f"{EN['phones_copy']} push button")
    said_at(pocket, "Return", EN["phones_copied"])
    assert pocket.ask(FOCUS) == "button", "the focus stays at the button"
    return str(pocket.ask(CODE))


def give(pocket: Pocket, code: str) -> None:
    """Paste another phone's code into the panel, by keys, and move to the button that accepts it."""
    pocket.reader.until("Tab", EN["phones_by_hand"])
    pocket.reader.press("Return", "expanded")
    pocket.reader.until("Tab", EN["phones_paste"])
    pocket.paste(code)
    pocket.reader.until("Tab", f"{EN['phones_take']} push button")


def join(pocket: Pocket, address: str, *sentences: str) -> None:
    """Follow the address of a code, and join by keys without a name. Assert that each sentence is heard once."""
    mark = pocket.reader.mark()
    pocket.follow(address)
    heard_once(pocket.hear(mark, re.escape(EN["phones_join_this"])), EN["phones_join_this"])
    pocket.reader.until("Tab", EN["phones_name"])
    said_at(pocket, "Return", *sentences)


def open_over_a_match(pocket: Pocket, *sentences: str) -> None:
    """Open the panel from the menu of a match, by keys, and hear its sentences."""
    pocket.reader.browse()
    pocket.reader.until("Tab", "(?i)menu.*collapsed")
    pocket.reader.press("Return", "expanded")
    pocket.reader.until("Tab", "Other phones link")
    said_at(pocket, "Return", *sentences)


def close_over_a_match(pocket: Pocket) -> None:
    """Close the panel with Escape. Assert that the match has the focus and answers a key of the house."""
    pocket.reader.here.press("Escape")
    assert pocket.ask(FOCUS) == "iframe", "the focus goes back to the match"
    focus_mode(pocket.reader.here)
    pocket.press("w", "[Tt]urn", 10)


def test_a_phone_is_let_in_and_goes_and_the_host_hears_of_both(pocket: Pocket, theirs: BrowserContext) -> None:
    reader = pocket.reader
    pocket.come()
    reader.browse()
    reader.until("Tab", "Player 1 entry")
    pocket.write("Ann")
    reader.until("Tab", "Everybody on their own phone push button")
    said_at(pocket, "Return", EN["phones_scan"], EN["phones_read"])
    reader.browse()
    reader.until("Tab", f"{EN['phones_more']} push button")
    said_at(pocket, "Return", EN["phones_scan"], EN["phones_read"])
    guest = theirs.new_page()
    code = answer(guest, copied(pocket), "Bob")
    give(pocket, "hello")
    said_at(pocket, "Return", EN["phones_seeking"], EN["phones_unread"])
    reader.press("shift+Tab", EN["phones_paste"])
    reader.here.press("ctrl+a")
    pocket.paste(code)
    reader.until("Tab", f"{EN['phones_take']} push button")
    said_at(pocket, "Return", EN["phones_in"])
    expect(house(guest).locator("#heading")).to_have_text("You're in")
    mark = reader.mark()
    guest.close()
    lost = EN["phones_lost_guest"].format(name="Bob")
    heard_once(pocket.hear(mark, re.escape(lost), LOST_S), lost)
    reader.until("Tab", "Send Bob away push button")
    said_at(pocket, "Return", EN["phones_gone"].format(name="Bob"))
    reader.until("Tab", f"{EN['close']} push button")
    pocket.press("Return", "document web")
    assert pocket.ask(FOCUS) == "iframe", "the focus goes back to the house"


@pytest.mark.parametrize("pocket", ["chromium", "firefox"], indirect=True)
def test_a_guest_hears_the_house_go_and_becomes_the_house(pocket: Pocket, theirs: BrowserContext) -> None:
    reader = pocket.reader
    host = Host.open(theirs, pocket.host.address)
    open_table(host, "Ann")
    join(pocket, host.let_in(), EN["phones_show"], EN["phones_seeking"], EN["phones_waits"])
    code = copied(pocket)
    mark = reader.mark()
    host.take(code)
    heard = pocket.hear(mark, r"Ready\. Join this table", IN_S)
    assert EN["phones_waits"] not in heard, "told once"
    host.close_panel()
    reader.browse()
    reader.until("Tab", "Your name entry")
    pocket.write("Bob")
    sits = ("You're in.", "At the table with you: Ann.", "Ann starts the match.")
    said_at(pocket, "Return", *sits)
    mark = reader.mark()
    host.frame.get_by_role("button", name="Start with 2 players").tap()
    pocket.hear(mark, "turn")
    open_over_a_match(pocket, EN["phones_guest"])
    close_over_a_match(pocket)
    mark = reader.mark()
    host.page.close()
    offer = (EN["phones_lost"], TOLD["going_on_what"])
    heard_once(pocket.hear(mark, re.escape(offer[-1]), LOST_S), *offer)
    reader.until("Tab", f"{TOLD['going_on_here']} push button")
    said_at(pocket, "Return", EN["phones_on"])
    close_over_a_match(pocket)
    told = str(pocket.ask(f"{HOUSE}.getElementById('story').textContent"))
    assert "Your phone is the house now." in told
