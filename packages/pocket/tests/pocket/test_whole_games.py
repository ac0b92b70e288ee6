"""Whole matches in a pocket house, with its real engine and no network: on one shared phone, and with real dice."""

import re

import pytest
from playwright.sync_api import Page

from pocket.pocket_players import ByTouch, Phone, house, page, phone, record_of, set_up
from pubdice.advice.asked_match import shortest
from pubdice.games import GAMES

__all__ = ["page", "phone"]
LEFT = """async here => {
  const leaving = new AbortController();
  const { body } = await fetch(`${here}/events?from=0`, { signal: leaving.signal });
  await body.getReader().read();
  leaving.abort();
}"""


def form(game: str) -> str:
    return shortest(GAMES[game].formats[0])


@pytest.mark.nightly
def test_a_match_is_passed_round_on_one_phone_offline(page: Page, phone: Phone) -> None:
    large = re.compile(r"/pocket/(engine/.*|house\.zip)(\.lzma)?")  # with ".lzma" in nightly runs, which pack the files
    fetched = [path for path in phone.host.asked if large.fullmatch(path)]
    assert len(fetched) == len(set(fetched)) == 7, "what is large is fetched once"
    phone.host.asked.clear()
    frame = house(page)
    set_up(frame, "midnight", form("midnight"), "Ann", "Bob", bots=1)
    table = ByTouch(page)
    assert table.play(4) == ""
    frame.evaluate(LEFT, page.url)
    frame.evaluate("dispatchEvent(new Event('offline'))")
    assert re.search("win|tie|score", table.play())
    assert table.passed >= 1, "from Ann to Bob"
    record_of(frame)
    assert phone.host.asked == []
