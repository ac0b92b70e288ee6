"""Last orders in a real browser: answered by keyboard without scripts, and its line copied with them."""

from playwright.sync_api import Page, expect

from browser.conftest import Visitor
from support.browser import SMALL


def _asked(page: Page) -> Page:
    page.goto("/daily")
    expect(page.locator(".answers")).to_be_visible(timeout=30_000)
    return page


def test_a_day_is_answered_by_keyboard_without_scripts(visitor: Visitor) -> None:
    page = _asked(visitor(java_script_enabled=False, viewport=SMALL).new_page())
    page.locator(".answers input").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    chosen = page.locator(".answers :checked + label").inner_text()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="That's my answer")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#line")).to_contain_text("1 day")
    expect(page.locator(".chosen")).to_contain_text("Your answer.")
    assert chosen
    expect(page.locator("#share")).to_be_hidden()
    page.get_by_role("link", name="Yesterday").click()
    expect(page.locator("#answer")).to_be_visible(timeout=30_000)


def test_the_line_is_copied_and_that_is_said(visitor: Visitor) -> None:
    context = visitor(permissions=["clipboard-read", "clipboard-write"])
    page = _asked(context.new_page())
    page.locator(".answers input").first.check()
    page.locator(".main").click()
    page.evaluate("navigator.share = undefined")
    page.locator("#share").click()
    expect(page.get_by_role("status")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.split() == page.locator("#line").inner_text().split()
