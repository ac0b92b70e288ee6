"""Phones on a simulated Wi-Fi walk out of reach, or the Wi-Fi keeps them apart."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from pocket.phones import EN, Host, answer, come, open_table, phone, sit
from pocket.pocket_players import house
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
    """Start two phones on the Wi-Fi ``own``. Their pages may use cameras."""
    with ExitStack() as opened:
        playwright = opened.enter_context(sync_playwright())
        found = []
        for at in (0, 1):
            browser = launched(playwright.chromium, command=str(own.browser(at, program())))
            opened.callback(browser.close)
            found.append(phone(browser, permissions=["camera"]))
        yield found[0], found[1]


def back_after(guest: Page) -> float:
    """Return the seconds until the host answers a request of a guest's page."""
    began = monotonic()
    while guest.evaluate(ASKED) != 200:
        assert monotonic() < began + 60
    return monotonic() - began


def test_a_phone_walks_away_and_is_back_at_its_seat(own: Wifi, both: tuple[BrowserContext, BrowserContext]) -> None:
    host = Host.open(both[0], own.address)
    open_table(host, "Ann")
    guest = come(host, both[1])
    host.close_panel()
    sit(guest, "Bob")
    for away_s in (3, 12):
        own.walk_away(1)
        guest.wait_for_timeout(away_s * 1000)
        assert guest.evaluate(ASKED) != 200
        own.come_back(1)
        assert back_after(guest) < BACK_S * 2, "on a busy machine; alone it takes 1.5 to 3 s"
        guest.wait_for_timeout(2000)  # the two agree on the next spare line, which no page shows
    expect(house(guest).locator("#heading")).to_have_text("You're in")
    expect(guest.locator("#phones")).to_be_hidden()


def test_both_phones_say_that_the_wifi_keeps_them_apart(own: Wifi, both: tuple[BrowserContext, BrowserContext]) -> None:
    own.keep_apart()
    host, page = Host.open(both[0], own.address), both[1].new_page()
    open_table(host, "Ann")
    code = answer(page, host.let_in())
    expect(page.locator("#phones-status")).to_have_text(EN["phones_apart"], timeout=12_000)
    host.take(code)
    expect(host.page.locator("#phones-status")).to_have_text(EN["phones_apart"], timeout=14_000)
