"""Tests by ear of the notices on the page round the house. Each is heard once, in a plain sentence that says how to go
on, and the focus stays in place.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Worker

from ear.browsers import Chromium
from ear.pocket_desk import HOUSE, Pocket, pocket_at_a_desk
from ear.test_heard import focus_mode
from pocket.conftest import pocket_folder, pocket_parts
from pocket.real_tab import CRASH
from pocket.test_shell_words import words

pytestmark = pytest.mark.nightly
__all__ = ["pocket_folder", "pocket_parts"]
EN = words()["en"]
READY = r"Pub dice for your table"
"""The speech when the front page is there. If the start is quick, nothing more is said about the engine."""
FOCUS = "document.activeElement.id || document.activeElement.localName"
FULL = "postMessage({ full: true })"
"""The message of the engine's worker when SQLite finds no room on the device (``pocket/test_faults.py`` fills a
device)."""


@pytest.fixture
def pocket(pocket_folder: Path, tmp_path: Path) -> Iterator[Pocket]:
    with pocket_at_a_desk(pocket_folder, tmp_path) as pocket:
        yield pocket


def tab(pocket: Pocket) -> Page:
    browser = pocket.reader.here.browser
    assert isinstance(browser, Chromium)
    return browser.page


def engine(pocket: Pocket) -> Worker:
    """Return the worker of the engine. The page has another worker, which makes a snapshot of its memory."""
    return next(worker for worker in tab(pocket).workers if worker.url.endswith("/pocket/worker.js"))


def once(heard: str, key: str) -> None:
    """Assert that a notice was heard whole, and not twice."""
    assert heard.count(EN[key].split(". ")[0]) == 1, heard


def test_another_tab_takes_the_house_and_gives_it_back(pocket: Pocket) -> None:
    pocket.come()
    pocket.press("ctrl+t", "Finished loading New Tab")
    mark = pocket.reader.mark()
    pocket.type_address()
    pocket.hear(mark, r"Play here instead push button\..*only one tab can play\.")
    heard = pocket.press("Return", READY)
    assert "Taking over from the other tab" in heard
    pocket.reader.until("h", "Pub dice for your table heading level 1")
    pocket.press("ctrl+shift+Tab", r"Pubdice now plays in another tab\. Every move that was answered is saved\.")
    pocket.reader.until("Tab", "Play here instead push button")
    pocket.press("Return", READY)
    pocket.reader.until("h", "Pub dice for your table heading level 1")


def test_a_full_device_is_heard_of_in_the_middle_of_a_match(pocket: Pocket) -> None:
    pocket.come()
    pocket.begin("Ann")
    mark = pocket.reader.mark()
    focused = pocket.ask(f"{HOUSE}.activeElement.id")
    engine(pocket).evaluate(FULL)
    once(pocket.hear(mark, "until you free some space"), "full")
    assert pocket.ask(f"{HOUSE}.activeElement.id") == focused, "the focus stays"
    assert pocket.ask(FOCUS) == "iframe"
    focus_mode(pocket.reader.here)
    pocket.press("w", "turn", 10)
    pocket.reader.browse()
    pocket.reader.until("m", "Notices.*OK push button")


def test_an_engine_that_crashes_is_heard_of_and_started_again(pocket: Pocket) -> None:
    pocket.come()
    mark = pocket.reader.mark()
    engine(pocket).evaluate(CRASH)
    pocket.ask("void fetch('/help').catch(() => 0)")
    once(pocket.hear(mark, r"Try again push button\..*answered is saved\."), "crashed")
    assert pocket.ask(FOCUS) == "again"
    pocket.press("Return", READY)
    assert pocket.ask(FOCUS) == "iframe"
