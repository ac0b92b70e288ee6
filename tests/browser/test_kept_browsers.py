"""Browsers that a test leaves like new ones for the next test."""

from browser.scene import Visitor
from support.browser import left, page_of


def test_a_browser_is_kept_unless_a_test_set_its_clock(visitor: Visitor) -> None:
    context = visitor()
    page = page_of(context, "/")
    assert left(context)
    page.clock.install()
    assert not left(context), "a cover that lies over a page for 400 ms would lie there for good"
