"""The notice bar of the pocket's shell: it lies over nothing, and what can wait waits until the match is over."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from pocket.pocket_players import house, set_up, there
from pocket.shell_pages import EN, chromium, context_on, engine, host, visit
from support.browser import TONGUES, phone_running, until
from support.static_host import StaticHost

__all__ = ["chromium", "host"]
PHONE = {"width": 360, "height": 640}
REFUSED = """StorageManager.prototype.persisted = StorageManager.prototype.persist = async () => false;
  window.heard = [];
  addEventListener('DOMContentLoaded', () => new MutationObserver(news => {
    for (const { addedNodes } of news) heard.push(...[...addedNodes].map(node => node.textContent));
  }).observe(document.getElementById('heard'), { childList: true }));"""
LOW = """() => {
  const last = document.body.appendChild(document.createElement('button'));
  last.textContent = 'Last';
  last.style.marginTop = `${innerHeight - last.getBoundingClientRect().top - 60}px`;
  last.focus();
}"""
LAID = """() => {
  const bar = document.getElementById('notice').getBoundingClientRect(), frame = document.querySelector('iframe');
  const { document: page } = frame.contentWindow, { height } = frame.getBoundingClientRect();
  const bottomOf = node => node.getBoundingClientRect().bottom;
  const low = selector => Math.max(...[...page.querySelectorAll(selector)].map(bottomOf));
  return { over: bottomOf(frame) - bar.top, high: bar.height / innerHeight,
    below: ['#dice .die', '#main', ':focus'].map(low).filter(bottom => bottom > height) };
}"""


@pytest.fixture
def page(chromium: Browser, host: StaticHost) -> Iterator[Page]:
    """A phone at a table where a match is being played."""
    context = context_on(chromium, host.address, viewport=PHONE)
    visit(context, engine()).close()  # no host has the table's address; the service worker does
    yield visit(context, REFUSED + engine(), "t/PLAYED")
    context.close()


def test_what_can_wait_is_told_once_and_after_the_match(page: Page) -> None:
    notice, told = page.locator("#notice"), page.locator("#told")
    page.evaluate("engine.tell({ full: true })")
    expect(told).to_have_text(EN["full"])
    notice.get_by_role("button", name=EN["ok"]).click()
    expect(notice).to_be_hidden()
    page.frames[1].evaluate("document.querySelector('main').dataset.stage = 'over'")
    expect(told).to_have_text(EN["not_persisted"])
    page.frames[1].evaluate("document.querySelector('main').dataset.stage = 'playing'")
    expect(notice).to_be_hidden()
    page.frames[1].evaluate("document.querySelector('main').dataset.stage = 'over'")
    expect(told).to_have_text(EN["not_persisted"])
    expect(notice).to_be_visible()
    until(page, "told => heard.includes(told)", EN["not_persisted"])
    said = page.evaluate("heard")
    assert [said.count(EN[key]) for key in ("full", "not_persisted")] == [1, 1], said


def test_what_has_the_focus_stays_in_sight_beside_a_notice(page: Page) -> None:
    page.frames[1].evaluate(LOW)
    page.evaluate("engine.tell({ full: true })")
    expect(page.locator("#notice")).to_be_visible()
    laid = page.evaluate(LAID)
    assert laid["over"] <= 0, "the bar lies below the house"
    assert laid["below"] == []


@pytest.mark.nightly
@pytest.mark.parametrize("locale", TONGUES)
def test_the_board_of_a_phone_has_room_beside_a_notice(pocket_folder: Path, tmp_path: Path, locale: str) -> None:
    settings: dict[str, Any] = {"viewport": PHONE, "locale": locale, "has_touch": True}
    with StaticHost(pocket_folder) as host, phone_running(tmp_path, **settings) as context:
        page = context.new_page()
        page.goto(host.address)
        there(page)
        set_up(house(page), "midnight", "rounds 1", "Ann", bots=1)
        expect(house(page).locator("#main")).to_be_visible()
        expect(page.locator("#notice")).to_be_hidden()
        page.workers[0].evaluate("postMessage({ full: true })")
        expect(page.locator("#notice")).to_be_visible()
        page.keyboard.press("r")
        house(page).locator("#dice .die").first.wait_for()
        laid = page.evaluate(LAID)
        assert (laid["over"] <= 0, laid["below"]) == (True, []), laid
        assert laid["high"] < 0.2, laid
