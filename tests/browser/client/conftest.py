"""Runs the table page's scripts in a real Chromium, at a scripted house that can be late, silent, wrong or gone."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, expect

from browser.client.page import HEAR, Open
from browser.scripted_house import House, Line, page_html, scripted, update


def _context(chromium: Browser) -> BrowserContext:
    context = chromium.new_context()
    context.set_default_timeout(60_000)
    return context


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = _context(chromium)
    yield context
    context.close()


@pytest.fixture(scope="module")
def kept(chromium: Browser) -> Iterator[list[Page]]:
    """The page for a file's tests that change nothing in their browser. A new browser would cost each 0.14 s of
    processor.
    """
    pages: list[Page] = []
    yield pages
    for page in pages:
        page.context.close()


@pytest.fixture
def house() -> Iterator[House]:
    with scripted() as house:
        yield house


@pytest.fixture
def visit(request: pytest.FixtureRequest, house: House, chromium: Browser, kept: list[Page]) -> Iterator[Open]:
    """A function that opens the page. The only faults allowed are requests that the test makes fail.

    A test with ``context`` may change it, so it has its own browser. All other tests share one. Each of their houses is
    a different origin with empty storage, so the page is like new.
    """
    wrong: list[str] = []
    is_own = "context" in request.fixturenames
    pages: list[Page] = []

    def fail(fault: Error) -> None:
        wrong.append(str(fault))

    def hear(said: ConsoleMessage) -> None:
        if said.type == "error":
            wrong.append(said.text)

    def page_of() -> Page:
        if not is_own and kept:
            return kept.pop()
        context = request.getfixturevalue("context") if is_own else _context(chromium)
        page: Page = context.new_page()
        page.add_init_script(HEAR)
        return page

    def visit(shown: dict[str, Any] | None = None, **facts: Any) -> tuple[Page, Line]:
        house.html = page_html(**facts)
        page = page_of()
        pages.append(page)
        page.on("pageerror", fail)
        page.on("console", hear)
        page.goto(house.address)
        line = house.line()
        if shown:
            line.send(update(shown["seq"], event="view", view=shown))
            heading = shown["heading"]
            expect(page.locator("#heading")).to_have_text(heading["own"].get(facts.get("seat", "0"), heading["text"]))
        return page, line

    yield visit
    assert [fault for fault in wrong if "Failed to load resource" not in fault] == []
    for page in [] if is_own else pages:
        page.remove_listener("pageerror", fail)
        page.remove_listener("console", hear)
        page.unroute_all()
        page.goto("about:blank")
        page.mouse.move(0, 0)
        kept.append(page)
