"""The table page's own scripts in a real Chromium, at a scripted house that can be late, silent, wrong or gone."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.client.page import HEAR, Open
from browser.scripted_house import House, Line, page_html, scripted, update


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context()
    context.set_default_timeout(5_000)
    yield context
    context.close()


@pytest.fixture
def house() -> Iterator[House]:
    with scripted() as house:
        yield house


@pytest.fixture
def visit(house: House, context: BrowserContext) -> Iterator[Open]:
    """Opens the page; nothing may go wrong in it but requests that the test makes fail."""
    wrong: list[str] = []

    def visit(shown: dict[str, Any] | None = None, **facts: Any) -> tuple[Page, Line]:
        house.html = page_html(**facts)
        page = context.new_page()
        page.add_init_script(HEAR)
        page.on("pageerror", lambda fault: wrong.append(str(fault)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.goto(house.address)
        line = house.line()
        if shown:
            line.send(update(shown["seq"], event="view", view=shown))
            heading = shown["heading"]
            expect(page.locator("#heading")).to_have_text(heading["own"].get(facts.get("seat", "0"), heading["text"]))
        return page, line

    yield visit
    assert [fault for fault in wrong if "Failed to load resource" not in fault] == []
