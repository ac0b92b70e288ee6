"""Ask the house on a phone: a position by tapping alone, kept in the address; by keys and by ear the same."""

import pytest
from playwright.sync_api import expect

from browser.scene import Visitor
from support.browser import PHONE, page_of

USUAL = {"keep": "plain"}


def test_a_position_is_tapped_and_its_answer_has_an_address(visitor: Visitor) -> None:
    page = page_of(visitor(viewport=PHONE, has_touch=True))
    page.goto("/ask/midnight")
    locked, rolled = (page.locator(f".tap[data-for={name}]") for name in ("locked", "roll"))
    for face in "14":
        locked.get_by_role("button", name=face, exact=True).tap()
    for face in "65522":
        rolled.get_by_role("button", name=face, exact=True).tap()
    rolled.get_by_role("button", name="Delete last").tap()
    expect(page.get_by_role("textbox", name="Just rolled")).to_have_value("6552")
    expect(page.locator("#tapped")).to_have_text("Just rolled: 6 5 5 2")
    page.get_by_role("button", name="What is best?").tap()
    expect(page.locator("#answer")).to_be_visible(timeout=30_000)
    assert "locked=14" in page.url
    assert "roll=6552" in page.url
    answer = page.locator("#answer").inner_text()
    stranger = page_of(visitor())
    stranger.goto(page.url)
    expect(stranger.locator("#answer")).to_have_text(answer, timeout=30_000)


@pytest.mark.parametrize("key", ["Enter", " "])
def test_hands_are_told_by_keys_alone(visitor: Visitor, key: str) -> None:
    page = page_of(visitor())
    page.goto("/ask/420")
    group = page.locator(".tap[data-for=hands]")
    for name in ("6", "6", "5", "2", "Next hand", "Next hand", "5"):
        group.get_by_role("button", name=name, exact=True).focus()
        page.keyboard.press(key)
    expect(page.locator("#hands")).to_have_value("6652,5")
    group.get_by_role("button", name="Delete last").focus()
    page.keyboard.press(key)
    expect(page.locator("#hands")).to_have_value("6652,")
    assert page.url.endswith("/ask/420"), "Enter taps; it does not send the form"


def test_the_dice_to_ask_about_are_two_keys_away(visitor: Visitor) -> None:
    page = page_of(visitor())
    page.goto("/ask/midnight")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the dice")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Kept before")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Just rolled")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.tap')") is None, "dice to tap are no stops for who types"


def test_lists_have_no_bullets_that_are_read_out(visitor: Visitor) -> None:
    page = page_of(visitor())
    for path in ("/help", "/privacy", "/book", "/rules/ship", "/rules/midnight"):
        page.goto(path)
        markers = page.evaluate("""[...document.querySelectorAll('ul > li')].map(item =>
          getComputedStyle(item).listStyleType)""")
        assert set(markers) <= {"none"}, path
