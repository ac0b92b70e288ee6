"""Idle pages: without a player's action they call and request hardly anything, and nothing moves."""

from playwright.sync_api import Request, expect

from browser.client.test_costs_of_scripts import COUNT
from browser.scene import Visitor, wait_for
from sentences import ANNEXES, SOURCE
from support.browser import ask, open_table, page_of

QUARTER_MS = 15_000
LOOKS = {"/": 4}
"""The pages that ask for news by themselves, with the requests a minute. The front page asks for its tables."""
PAGES = ("/", "/help", "/privacy", "/rules/ship", "/ask/ship", "/daily", "/verify", "/night", "/book")
MOVING = """() => document.getAnimations()
  .filter(({effect}) => effect.getComputedTiming().endTime > 60_000)
  .map(({animationName, effect: {target, pseudoElement}}) =>
    `${animationName ?? 'a script'} moves ${target.cloneNode().outerHTML.slice(0, 80)} ${pseudoElement ?? ''}`)"""
"""A script that returns animations longer than a minute or endless, as each frame costs battery."""


def test_in_a_minute_a_page_does_nothing_but_look_for_news(visitor: Visitor) -> None:
    context = visitor()
    context.clock.install(time=1_000_000)
    context.add_init_script(COUNT)
    page, asked = page_of(context), list[str]()

    def note(request: Request) -> None:
        if not request.url.endswith("/icon.svg"):  # Chromium requests the tab's icon at any time
            asked.append(f"{request.method} {request.url}")

    found = {}
    for path in PAGES:
        wait_for(context, path)
        page.goto(path)
        page.evaluate("fired = {}")
        asked.clear()
        page.on("request", note)
        for _ in range(4):  # in parts, so requests that follow from an answer are also made
            context.clock.run_for(QUARTER_MS)
            page.evaluate("() => fetch(location.href)")  # wait for one request and its answer
        page.remove_listener("request", note)
        most = LOOKS.get(path, 0)
        fired, others, moving = page.evaluate("fired"), asked[:], page.evaluate(MOVING)
        if sum(fired.values()) > 2 * most or len(others) > 4 + most or moving:
            found[path] = fired, others, moving
    assert not found


def test_nothing_moves_on_at_a_table_that_waits(visitor: Visitor) -> None:
    context = visitor()
    page = page_of(context)
    table = open_table(context, bots=["tip"])
    assert ask(context, table, do="roll") == 200
    for path, shown in ((table, "#dice .die"), (open_table(context, people=3), "#seats")):
        page.goto(path)
        expect(page.locator(shown).first).to_be_visible()
        expect(page.locator("link[data-usual]")).to_be_attached()  # set by a script once it has drawn a view
        moving = page.evaluate(MOVING)
        assert not moving, moving


def test_no_style_is_without_end() -> None:
    """Check all style sheets, so also pages and states that no other test opens."""
    files = [file for folder in (SOURCE, *ANNEXES.values()) for file in folder.rglob("*.css")]
    styles = {file.name: file.read_text(encoding="utf-8").split("\n") for file in files}
    lines = {f"{name}:{at}": line for name, style in styles.items() for at, line in enumerate(style, 1)}
    assert len(lines) > 1000, "the styles are elsewhere"
    assert not {at: line for at, line in lines.items() if "infinite" in line}
