"""The next step is on the first screen of every phone: in every lobby, and for a player who comes late to a match."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from browser.scene import Scene, Visitor, speak
from pubdice.text.catalogues import CODES
from support.browser import PHONE, PHONES, ask, open_table, page_of, sit
from support.profiles import NIGHTLY
from support.steady import measured

USUAL = {"reduced_motion": "reduce", "keep": "plain", "viewport": PHONE}
SEEN = """node => {
  const {left, top, width, height} = node.getBoundingClientRect();
  const on = [0.2, 0.5, 0.8].map(down => document.elementFromPoint(left + width / 2, top + height * down));
  return top >= 0 && top + height <= innerHeight && on.every(one => one && (node.contains(one) || one.contains(node)));
}"""
"""A script: true if a button is whole on the screen, without scrolling, and nothing covers it."""
WHOLE = """row => {
  const boxes = [...row.children].filter(node => node.checkVisibility() && !node.matches('.unseen'))
    .map(node => node.getBoundingClientRect()).filter(({width}) => width);
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return boxes.every(({left, right}) => left >= 0 && right <= innerWidth)
    && !boxes.some((one, at) => boxes.slice(at + 1).some(other => meet(one, other)));
}"""
"""A script: true if the parts of a row neither overlap nor leave the screen."""
GUESTS = "Maximiliane-Ottilie", "Ben", "Charlotte", "Dieter", "Elisabeth", "Friederike", "Gustav"


def _screens(page: Page, tongues: list[str] | tuple[str, ...] = CODES) -> Iterator[tuple[str, object]]:
    """Open the page on each phone, in each language."""
    for tongue in tongues:
        speak(page, tongue)
        for size in PHONES:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.evaluate("scrollTo(0, 0)")
            yield tongue, size


@pytest.mark.parametrize("people", [1, 2, 6, 8])
def test_the_host_can_start_at_once_however_many_have_come(people: int, visitor: Visitor) -> None:
    host = visitor()
    table = open_table(host, people=None, game="ship", rules={"format": "rounds 5"})
    for name in GUESTS[: people - 1]:
        sit(visitor(), table, name)
    page = page_of(host, table)
    for screen in _screens(page):
        assert measured(page.locator("#main"), SEEN), screen
        assert measured(page.locator(".lobby > .refusal:visible"), SEEN), "that phones can't join yet is not under it"
        names = page.locator("#seats .name")
        expect(names).to_have_count(people)
        for row in page.locator("#seats li").all():
            assert measured(row, WHOLE), (screen, row.inner_text())


def test_that_there_is_room_for_more_is_told_in_one_line(visitor: Visitor) -> None:
    host = visitor()
    table = open_table(host, people=None)
    for name in GUESTS[:5]:
        sit(visitor(), table, name)
    page = page_of(host, table)
    for tongue in CODES:
        speak(page, tongue)
        for size in (*PHONES, {"width": 1280, "height": 800}):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            lines = measured(page.locator("#seats .more > span:last-child"), LINES)
            assert lines == 1, (tongue, size)


LINES = """node => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size;
}"""
"""A script that returns the number of lines of a text."""


def test_it_stays_there_while_somebody_is_added_on_this_phone_and_the_form_closes_then(visitor: Visitor) -> None:
    host = visitor()
    table = open_table(host, people=None)
    sit(visitor(), table, "Ben")
    page = page_of(host)
    for tongue, name in zip(CODES if NIGHTLY else CODES[:2], ("Cy", "Dora", "Emil"), strict=False):
        page.goto(table)
        speak(page, tongue)
        page.locator("summary:has(~ form #other)").click()
        for size in PHONES:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.evaluate("scrollTo(0, 0)")
            assert measured(page.locator("#main"), SEEN), (tongue, size)
        page.locator("#other").fill(name)
        page.locator("#other").press("Enter")
        expect(page.locator("#seats").get_by_text(name, exact=True)).to_be_visible()
        expect(page.locator("#other")).to_be_hidden()
        assert page.evaluate("document.activeElement.matches('summary:has(~ form #other)')"), "the next is a key away"
        for size in PHONES:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.evaluate("scrollTo(0, 0)")
            assert measured(page.locator("#main"), SEEN), (tongue, size)


@pytest.mark.parametrize("game", ["midnight", "shutbox"])
def test_who_comes_late_is_a_tap_away_from_the_next_match(game: str, visitor: Visitor) -> None:
    host = visitor()
    table = open_table(host, people=None, game=game)
    for name in GUESTS[:3]:
        sit(visitor(), table, name)
    assert ask(host, table, do="start") == 200
    assert ask(host, table, do="roll") == 200
    page = Scene(visitor).at(table)
    for screen in _screens(page):
        assert measured(page.locator("#sit .main"), SEEN), screen
        assert measured(page.locator("#name"), SEEN), screen
        assert measured(page.locator("#dice .die:visible").first, SEEN), screen
