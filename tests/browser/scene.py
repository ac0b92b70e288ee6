"""Helpers for tests in browsers: visitors at pages, and a match of two that moves on without a page."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from support.browser import ask, open_table, page_of, sit

Visitor = Callable[..., BrowserContext]
WITH_AN_EAR = "with an ear"
"""The name for kept browsers that have an ear from their start."""
LONG_MS = 10_000
MIDNIGHT_3 = {"format": "rounds 3"}


@dataclass
class Scene:
    """A visitor's browsers and pages."""

    visitor: Visitor

    def at(self, path: str, context: BrowserContext | None = None) -> Page:
        """Open a page, of a new visitor or of an existing one."""
        return page_of(context or self.visitor(), path)

    def table(self, **order: object) -> tuple[BrowserContext, str]:
        """Open a table. Return the host's browser, and the table's address."""
        context = self.visitor()
        return context, open_table(context, **order)  # type: ignore[arg-type]

    def lay(self, page: Page) -> Page:
        """Wait until the page has heard from the house. Return the page."""
        page.wait_for_function("() => document.documentElement.classList.contains('js')")
        expect(page.locator("#connection")).to_be_hidden()
        return page


def speak(page: Page, tongue: str) -> None:
    """Load a table's page again in another language."""
    page.context.add_cookies([{"name": "language", "value": tongue[:2], "url": page.url}])
    page.reload()
    Scene(lambda: page.context).lay(page)


def seated(visitor: Visitor, *others: str, name: str = "Ann", **order: Any) -> tuple[list[BrowserContext], str]:
    """Open a table at which others also sit. Return each player's browser, and the table's address."""
    people = [visitor() for _ in (name, *others)]
    table = open_table(people[0], name, **{"people": len(people), **order})
    for person, other in zip(people[1:], others, strict=True):
        sit(person, table, other)
    return people, table


def keep_all(person: BrowserContext, table: str, dice: str) -> None:
    """Play a turn at Midnight with real dice, all kept at once, without a page."""
    assert ask(person, table, do="enter", dice=dice) == 200
    assert ask(person, table, do="roll", marks=[*range(6)]) == 200


def play_itself_out(context: BrowserContext, table: str, within_s: float = 20) -> None:
    """Wait, without a page, until the bots have brought the match to its end."""
    until = time.monotonic() + within_s
    while (stage := context.request.get(f"{table}/state").json()["view"]["stage"]) != "over":
        assert time.monotonic() < until, f"still {stage}"
        time.sleep(0.05)


def whole(scene: Scene, path: str, context: BrowserContext | None = None) -> Page:
    """Open a page after ``wait_for``. A page of an unfinished answer reloads itself, which would interrupt a second
    visit.
    """
    context = context or scene.visitor()
    wait_for(context, path)
    return scene.at(path, context)


def wait_for(context: BrowserContext, path: str) -> None:
    """Request a page without a browser page until its answer is complete."""
    for _ in range(120):
        if context.request.get(path).status != 202:
            break
        time.sleep(0.5)


def move(context: BrowserContext, table: str, view: dict[str, Any]) -> None:
    """Roll. If a keep is due, keep as little as allowed first."""
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
            asked = {"do": "reroll"}  # 420 may refuse to keep a single low die
    assert ask(context, table, **asked) in (200, 422), (asked, view)


FORMATS = {
    "midnight": "rounds 5",
    "420": "race",
    "mexico": "lives 3",
    "ship": "rounds 3",
    "threes": "rounds 3",
    "shutbox": "rounds 3",
}
"""A short match of each game of the house."""


class Two:
    """Ann and Ben at one table, each with a phone."""

    def __init__(self, visitor: Visitor, game: str, tongue: str = "en-GB", rules: str = "", **more: Any) -> None:
        settings = {"locale": tongue}
        self.hosts: list[BrowserContext] = [visitor(**settings), visitor(**settings)]
        self.table = open_table(self.hosts[0], people=2, game=game, rules={"format": rules or FORMATS[game]}, **more)
        sit(self.hosts[1], self.table, "Ben")
        scene = Scene(visitor)
        self.pages = [scene.lay(scene.at(self.table, host)) for host in self.hosts]

    def view(self, tongue: str = "en-GB") -> dict[str, Any]:
        """Return the current view of the table, in a language."""
        answer = self.hosts[0].request.get(f"{self.table}/state", headers={"Accept-Language": tongue})
        shown: dict[str, Any] = answer.json()["view"]
        return shown

    def step(self, view: dict[str, Any] | None = None) -> dict[str, Any]:
        """Make one move of the player at turn: a roll, or a keep of the first possible die. Return the view after it.

        ``view`` is the current view, if the caller knows it.
        """
        view = view or self.view()
        if view["moves"]:
            assert ask(self.hosts[view["mover"]], self.table, do="choose", action=view["moves"][0]["move"]) == 200
            return self.view()
        free = [die["marks"] for die in view["dice"] if die["marks"]]
        marks = (
            {}
            if view["ask"] == "roll" or view["bank"] or not free
            else {"marks": [int(one) for one in free[0].split()]}
        )
        mover = self.hosts[view["mover"]]
        if ask(mover, self.table, do="roll", **marks) != 200:
            ask(mover, self.table, do="reroll")
        return self.view()

    def until(self, mover: int, asks: str = "") -> dict[str, Any]:
        """Play until it is the turn of the seat ``mover`` (and the house asks for ``asks``). Return the view."""
        view = self.view()
        for _ in range(60):
            if view["stage"] == "over":
                raise AssertionError("the match is over")
            if view["mover"] == mover and asks in ("", view["ask"]):
                return view
            view = self.step(view)
        raise AssertionError("it never came to that")

    def seen(self, view: dict[str, Any]) -> None:
        """Wait until both pages show this view."""
        for page in self.pages:
            page.wait_for_function(f"() => +document.getElementById('table').dataset.seq >= {view['seq']}")
