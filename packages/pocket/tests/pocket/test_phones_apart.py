"""Phones on a Wi-Fi of their own, with no route elsewhere: they walk away and come back, or are kept apart."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from pocket.firefox_phone import HOUSE, FirefoxPhone, firefox_running
from pocket.phones import EN, Host, answer, come, open_table, phone, sit
from pocket.pocket_players import house
from pocket.test_phones_firefox import matched
from support.apart import Wifi, wifi
from support.browser import launched, program

pytestmark = pytest.mark.nightly
ASKED = """async () => {
  try { return (await fetch('/ready', { signal: AbortSignal.timeout(1000) })).status; } catch { return 0; }
}"""
BACK_S = 5.0


@pytest.fixture
def own(pocket_folder: Path, tmp_path: Path) -> Iterator[Wifi]:
    with wifi(pocket_folder, tmp_path) as own:
        yield own


@pytest.fixture
def both(own: Wifi) -> Iterator[tuple[BrowserContext, BrowserContext]]:
    """Two phones at it, which let pages use their cameras."""
    with ExitStack() as opened:
        playwright = opened.enter_context(sync_playwright())
        found = []
        for at in (0, 1):
            browser = launched(playwright.chromium, command=str(own.browser(at, program())))
            opened.callback(browser.close)
            found.append(phone(browser, permissions=["camera"]))
        yield found[0], found[1]


def back_after(guest: Page) -> float:
    """The seconds until a guest's page is answered."""
    began = monotonic()
    while guest.evaluate(ASKED) != 200:
        assert monotonic() < began + 60
    return monotonic() - began


def test_a_phone_that_walks_away_is_back_by_itself_and_has_its_seat(
    own: Wifi, both: tuple[BrowserContext, BrowserContext]
) -> None:
    host = Host.open(both[0], own.address)
    open_table(host, "Ann")
    guest = come(host, both[1])
    host.close_panel()
    sit(guest, "Bob")
    for away_s in (3, 12, 45):
        own.walk_away(1)
        guest.wait_for_timeout(away_s * 1000)
        assert guest.evaluate(ASKED) != 200
        own.come_back(1)
        assert back_after(guest) < BACK_S * 2, "on a busy machine; alone it takes 1.5 to 3 s"
        guest.wait_for_timeout(2000)
    expect(house(guest).locator("#heading")).to_have_text("You're in")
    expect(guest.locator("#phones")).to_be_hidden()


def test_where_the_wifi_keeps_phones_apart_both_say_so_and_what_helps(
    own: Wifi, both: tuple[BrowserContext, BrowserContext]
) -> None:
    own.keep_apart()
    host, page = Host.open(both[0], own.address), both[1].new_page()
    open_table(host, "Ann")
    code = answer(page, host.let_in())
    expect(page.locator("#phones-status")).to_have_text(EN["phones_apart"], timeout=12_000)
    host.take(code)
    expect(host.page.locator("#phones-status")).to_have_text(EN["phones_apart"], timeout=14_000)


def test_a_firefox_walks_away_is_back_by_itself_and_plays_to_the_end(
    own: Wifi, both: tuple[BrowserContext, BrowserContext], tmp_path: Path
) -> None:
    host = Host.open(both[0], own.address)
    open_table(host, "Ann", "midnight", "rounds 1")
    with firefox_running(tmp_path / "firefox", own, 1) as running:
        firefox = FirefoxPhone(running)
        firefox.may_use_cameras(own.address)
        host.take(firefox.answer(host.let_in()))
        firefox.is_in()
        host.close_panel()
        firefox.fill("#name", "Bob")
        firefox.press("#sit button")
        firefox.until(f"!!{HOUSE} && !{HOUSE}.querySelector('#sit')")
        for away_s in (3, 12):
            own.walk_away(1)
            host.page.wait_for_timeout(away_s * 1000)
            own.come_back(1)
            host.page.wait_for_timeout(BACK_S * 2 * 1000)
        host.frame.get_by_role("button", name="Start with 2 players").tap()
        matched(host.page, firefox)
