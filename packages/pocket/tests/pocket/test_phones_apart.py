"""Phones on a simulated Wi-Fi walk out of reach, or the Wi-Fi keeps them apart. Firefox is a guest of Chromium, and
then its host.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from pocket.firefox_phone import HOUSE, FirefoxPhone, firefox_running
from pocket.phones import BREAK, EN, PEERS, Host, answer, come, open_table, phone, sit
from pocket.pocket_players import READY, ByTouch, house
from support.apart import Wifi, wifi
from support.browser import launched, program, until

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


NO_WORD_MS = 9500  # longer than the 8 s after which a guest says whether it can reach the host
BACK_MS = 30_000
MATCH_S = 180
"""The time limit of a match on a busy machine. Counting the loops of ``matched`` would not do, as in many of them no
phone can move.
"""
CUT = """async () => {
  while (!peers[1]?.remoteDescription) await new Promise(later => setTimeout(later, 50));
  BREAK;
}""".replace("BREAK", BREAK)
"""A script that breaks the line between the phones (their WebRTC connection) once a spare line is agreed."""
STATUS = "document.querySelector('#phones-status').textContent"


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[FirefoxPhone]:
    with firefox_running(tmp_path / "firefox") as firefox:
        yield FirefoxPhone(firefox)


def matched(page: Page, firefox: FirefoxPhone) -> None:
    """Play the match to its end, each player on their own phone. After each move, both screens must show the same."""
    ours = ByTouch(page)
    # before both phones show that the match has begun, either player may press the start button
    expect(house(page).locator("#table")).to_have_attribute("data-stage", "playing")
    firefox.until(f"{HOUSE}?.querySelector('#table')?.dataset.stage === 'playing'")
    ends = time.monotonic() + MATCH_S
    while time.monotonic() < ends:
        now = str(house(page).locator("#table").get_attribute("data-seq"))
        try:
            firefox.until(f"{HOUSE}?.querySelector('#table')?.dataset.seq === {now!r}", 1000)
        except AssertionError:
            continue  # Chromium's page still shows earlier events one by one, so ``now`` was not the last
        if ours.sees("#result"):
            firefox.until(f"!!{HOUSE}?.querySelector('#result')")
            return
        if not firefox.play_once() and (ours.sees(READY) or ours.sees("#main[data-waiting]")):
            ours.play(1)
    raise AssertionError("the match never ends")


def test_a_firefox_sits_down_at_the_table_of_a_chromium(
    chromium: Browser, firefox: FirefoxPhone, pocket_host: str
) -> None:
    ours = phone(chromium)
    ours.add_init_script(PEERS)
    host = Host.open(ours, pocket_host)
    open_table(host, "Ann", "midnight", "rounds 1")
    code = firefox.answer(host.let_in())
    firefox.until(f"{STATUS} === {EN['phones_waits']!r}", NO_WORD_MS)
    host.take(code)
    firefox.is_in()
    host.close_panel()
    firefox.fill("#name", "Bob")
    firefox.press("#sit button")
    firefox.until(f"!!{HOUSE} && !{HOUSE}.querySelector('#sit')")
    host.page.evaluate(CUT)
    until(host.page, "peers.some((peer, at) => at && peer.connectionState === 'connected')", within_ms=BACK_MS)
    host.frame.get_by_role("button", name="Start with 2 players").tap()
    matched(host.page, firefox)
    ours.close()
