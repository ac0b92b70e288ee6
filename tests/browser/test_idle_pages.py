"""A minute in which nobody does anything, on nine pages: hardly anything is called or asked for by itself."""

from playwright.sync_api import Request

from browser.client.test_costs_of_scripts import COUNT
from browser.conftest import Visitor
from support.browser import page_of

QUARTER_MS = 15_000
LOOKS = {"/": 4}
"""Pages that look for news by themselves, and how often in a minute: the front page's tables."""
PAGES = ("/", "/help", "/privacy", "/rules/ship", "/ask/ship", "/daily", "/verify", "/night", "/book")


def test_in_a_minute_a_page_does_nothing_but_look_for_news(visitor: Visitor) -> None:
    context = visitor()
    context.clock.install(time=1_000_000)
    context.add_init_script(COUNT)
    page, asked = page_of(context), list[str]()

    def note(request: Request) -> None:
        asked.append(f"{request.method} {request.url}")

    found = {}
    for path in PAGES:
        page.goto(path)
        page.evaluate("fired = {}")
        asked.clear()
        page.on("request", note)
        for _ in range(4):  # by parts, as what follows from an answer is asked for after it
            context.clock.run_for(QUARTER_MS)
            page.evaluate("() => fetch(location.href)")  # a trip to the house and back
        page.remove_listener("request", note)
        most = LOOKS.get(path, 0)
        fired, others = page.evaluate("fired"), asked[:]
        if sum(fired.values()) > 2 * most or len(others) > 4 + most:
            found[path] = fired, others
    assert not found
