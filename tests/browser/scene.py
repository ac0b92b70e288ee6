"""Who looks at a page of the house in a browser, and at what."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from support.browser import ask, open_table, page_of

Visitor = Callable[..., BrowserContext]
LONG_MS = 10_000
MIDNIGHT_3 = {"format": "rounds 3"}


@dataclass
class Scene:
    """Who looks, and what for."""

    visitor: Visitor

    def at(self, path: str, context: BrowserContext | None = None) -> Page:
        """A page of a new visitor, or of one there is."""
        return page_of(context or self.visitor(), path)

    def table(self, **order: object) -> tuple[BrowserContext, str]:
        """A table, and the browser of who opened it."""
        context = self.visitor()
        return context, open_table(context, **order)  # type: ignore[arg-type]

    def lay(self, page: Page) -> Page:
        """The page once it has heard from the house."""
        page.wait_for_function("() => document.documentElement.classList.contains('js')")
        expect(page.locator("#connection")).to_be_hidden()
        return page


def speak(page: Page, tongue: str) -> None:
    """Have a page of a table in another language; it is loaded again."""
    page.context.add_cookies([{"name": "language", "value": tongue[:2], "url": page.url}])
    page.reload()
    Scene(lambda: page.context).lay(page)


def play_itself_out(context: BrowserContext, table: str, within_s: float = 20) -> None:
    """Wait, without a page, until the bots have brought the match to its end."""
    until = time.monotonic() + within_s
    while (stage := context.request.get(f"{table}/state").json()["view"]["stage"]) != "over":
        assert time.monotonic() < until, f"still {stage}"
        time.sleep(0.05)


def whole(scene: Scene, path: str, context: BrowserContext | None = None) -> Page:
    """A page asked for as data until all is there: it goes on by itself, which would break off a second visit."""
    context = context or scene.visitor()
    wait_for(context, path)
    return scene.at(path, context)


def wait_for(context: BrowserContext, path: str) -> None:
    """Ask for a page as data until all is there."""
    for _ in range(120):
        if context.request.get(path).status != 202:
            break
        time.sleep(0.5)


def move(context: BrowserContext, table: str, view: dict[str, Any]) -> None:
    """Roll, or keep as little as goes and roll."""
    asked: dict[str, Any] = {"do": "roll"}
    if view.get("moves"):
        asked = {"do": "choose", "action": view["moves"][0]["move"]}
    elif view["ask"] == "keep" and not view["main"]["ready"]:
        if view["bank"]:
            asked = {"do": "bank"}
        else:
            found = [die["marks"] for die in view["dice"] if die["marks"] is not None]
            if any(ask(context, table, do="roll", marks=list(map(int, marks.split()))) == 200 for marks in found):
                return
            asked = {"do": "reroll"}  # 420 explains why a single low die may not stay
    assert ask(context, table, **asked) in (200, 422), (asked, view)
