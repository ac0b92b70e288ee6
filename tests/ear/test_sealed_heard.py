"""Sealed dice by ear: the eight words are heard before the match, and the check after it says what it found."""

import re
import time
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from ear.people import opened
from ear.reader import reading

pytestmark = pytest.mark.nightly
MOST_KEYS = 60
SPOKEN_S = 1.0
"""A line has been spoken, and none comes after it: Down at once would cut it off."""
OVER_S = 60.0


def test_the_words_of_the_seal_and_the_check_are_heard(tmp_path: Path) -> None:
    with reading(tmp_path) as (reader, house):
        here = reader.here
        table = opened(house, people=None, dice="sealed")
        here.browser.open(table.house, table.path, table.cookie)
        here.heard.settle(2.0)
        here.hush()
        seal = table.state()["view"]["seal"]
        assert seal["unseeded"] == [], "the page has added this phone's seed by itself"
        assert here.browser.ask("document.activeElement.id") == "heading", "adding a seed moves nobody"
        mark = len(here.heard.said)
        here.press("ctrl+Home")
        places = [-1]
        for _ in range(MOST_KEYS):
            here.press("Down")
            here.heard.settle(SPOKEN_S)
            told = reader.said(mark).partition("The dice are sealed")[2]
            places = [found.start() if (found := re.search(rf"\b{word}\b", told)) else -1 for word in seal["words"]]
            if -1 not in places:
                break
        assert -1 not in places, reader.said(mark)
        assert places == sorted(places), "in their order"

        table.ask("start")
        table.ask("give")
        until = time.monotonic() + OVER_S
        while table.state()["view"]["stage"] != "over":
            assert time.monotonic() < until
            time.sleep(0.5)
        here.heard.settle(2.0)
        mark = len(here.heard.said)
        here.browser.ask("document.querySelector('a[href$=\"/verify\"]').focus()")
        here.press("Return")
        here.heard.settle(2.0)
        assert "Checked" in reader.said(mark), "the answer has the focus"
        for _ in range(MOST_KEYS):
            if re.search(r"All rolls match it: \d+ of \d+", reader.said(mark)):
                break
            here.press("Down")
        assert re.search(r"All rolls match it: \d+ of \d+", reader.said(mark))
