"""axe finds nothing: on every page and in every state of a table, with everything unfolded."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from browser.conftest import Visitor
from browser.scene import Scene
from browser.states import STATES
from support.browser import DESKTOP, SMALL

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async rules => (await axe.run(document, {runOnly: rules, resultTypes: ['violations']})).violations.map(
  ({id, help, nodes}) => [id, help, ...nodes.map(({html, any}) => html + any.map(({message}) => message))].join(': '))
"""
UNFOLD = "document.querySelectorAll('details').forEach(details => (details.open = true))"
LOOKS: dict[str, dict[str, Any]] = {
    "light, desktop, English": {"color_scheme": "light", "size": DESKTOP, "language": "en"},
    "dark, phone, German": {"color_scheme": "dark", "size": SMALL, "language": "de"},
    "dark, desktop, English": {"color_scheme": "dark", "size": DESKTOP, "language": "en"},
    "light, phone, German": {"color_scheme": "light", "size": SMALL, "language": "de"},
}


def violations(page: Page) -> list[str]:
    """What axe finds wrong. The script is evaluated, which the page's policy does not bind.

    The window is as high as the page: axe takes what a bar covers for too small, however far it could be scrolled.
    """
    page.evaluate(UNFOLD)
    size = page.viewport_size
    assert size is not None, "every context has a size"
    high = int(page.evaluate("document.documentElement.scrollHeight"))
    page.set_viewport_size({"width": size["width"], "height": high})
    page.evaluate(AXE)
    found: list[str] = page.evaluate(RUN, RULES)
    return found


def look(page: Page, context: BrowserContext, *, color_scheme: Any, size: Any, language: str) -> None:
    """Turn the page into another look of the same state."""
    page.emulate_media(color_scheme=color_scheme, reduced_motion="reduce")
    page.set_viewport_size(size)
    if page.locator("html").get_attribute("lang") != language:
        context.add_cookies([{"name": "language", "value": language, "url": page.url}])
        page.reload()


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(state: str, visitor: Visitor) -> None:
    page = STATES[state](Scene(visitor))
    for name in list(LOOKS)[list(STATES).index(state) % 2 : 2 : 2]:
        look(page, page.context, **LOOKS[name])
        assert violations(page) == [], name


@pytest.mark.nightly
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_in_any_look(state: str, visitor: Visitor) -> None:
    page = STATES[state](Scene(visitor))
    for name, facts in LOOKS.items():
        look(page, page.context, **facts)
        assert violations(page) == [], name
