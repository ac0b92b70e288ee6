"""Ask the house on a phone: a position by tapping alone, kept in the address; by keys and by ear the same."""

import re

import pytest
from playwright.sync_api import expect

from browser.scene import Visitor
from support.browser import PHONES, SMALL, TONGUES, page_of

USUAL = {"keep": "plain"}


@pytest.mark.parametrize("key", ["Enter", " "])
def test_hands_are_told_by_keys_alone(visitor: Visitor, key: str) -> None:
    page = page_of(visitor(), "/ask/420")
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
    page = page_of(visitor(), "/ask/midnight")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the dice")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="What did you roll?")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="What is best?")).to_be_focused()  # dice to tap are no stops for who types
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Kept before")).to_be_focused()


GOLD = """() => {
  const gold = getComputedStyle(document.querySelector('form .main')).backgroundImage;
  return [...document.querySelectorAll('main *')].filter(node =>
    node.checkVisibility() && getComputedStyle(node).backgroundImage === gold).length;
}"""
"""How much on the page is as golden as the button that answers."""
ASKED_FIRST = {"en-GB": "What did you roll?", "de-DE": "Was hast du gewürfelt?", "es": "¿Qué has tirado?"}


@pytest.mark.parametrize("tongue", TONGUES)
def test_what_was_rolled_six_faces_and_the_answer_come_first_and_all_else_under_more(
    tongue: str, visitor: Visitor
) -> None:
    page = page_of(visitor(locale=tongue))
    for game in ("midnight", "ship", "threes", "mexico", "420"):
        page.goto(f"/ask/{game}")
        for size in PHONES:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            shown = page.locator("form label:visible, form [data-face]:visible, form .main")
            boxes = [box for one in shown.all() if (box := one.bounding_box())]
            assert len(boxes) == 1 + 6 + 1, "a question, six faces, the answer"
            rows = sorted({box["y"] for box in boxes[1:7]})
            assert len(rows) == (2 if size is SMALL else 1)
            assert boxes[0]["y"] < rows[0], (game, size)
            assert rows[-1] + boxes[6]["height"] <= boxes[7]["y"], (game, size)
            assert boxes[7]["y"] + boxes[7]["height"] <= page.viewport_size["height"], (game, size)  # type: ignore[index]
        if game != "420":
            expect(page.locator("form label").first).to_have_text(ASKED_FIRST[tongue])
        assert page.evaluate(GOLD) == 1
        page.locator("form summary").first.click()
        expect(page.locator("form .tap .wide:last-child:visible")).to_have_count(1)
    page.goto("/ask/shutbox")
    page.set_viewport_size(SMALL)
    expect(page.locator("form .main:visible")).to_be_in_viewport(ratio=1)


def test_a_long_title_is_short_on_its_chip_and_whole_to_the_ear(visitor: Visitor) -> None:
    page = page_of(visitor(locale="de-DE", viewport=SMALL), "/ask/midnight")
    chips = page.locator(".chips a")
    assert len({round(chip.bounding_box()["y"]) for chip in chips.all()}) == 2, "two rows of six"  # type: ignore[index]
    expect(page.get_by_role("link", name="Schiff, Kapitän und Mannschaft")).to_have_text("Schiff")


def test_more_stands_open_where_something_in_it_is_at_fault_or_filled_in(visitor: Visitor) -> None:
    page = page_of(visitor(java_script_enabled=False))
    for query, is_open in (
        ("roll=1234567&need=1+4&ties=share", False), ("roll=666666&to-beat=99", True), ("locked=1&need=1+4", True),
        ("roll=66", False), ("roll=654321&wins=2,0", True), ("roll=654321&need=2+4&to-beat=x", True),
    ):  # fmt: skip
        page.goto(f"/ask/midnight?{query}")
        expect(page.locator("#refusal")).to_be_visible()
        expect(page.locator("#locked")).to_be_visible(visible=is_open)
    page.locator("#roll").fill("65432")
    page.locator("form .main").click()
    expect(page).to_have_url(re.compile("roll=65432"))


def test_lists_have_no_bullets_that_are_read_out(visitor: Visitor) -> None:
    page = page_of(visitor())
    for path in ("/help", "/privacy", "/book", "/rules/ship", "/rules/midnight"):
        page.goto(path)
        markers = page.evaluate("""[...document.querySelectorAll('ul > li')].map(item =>
          getComputedStyle(item).listStyleType)""")
        assert set(markers) <= {"none"}, path
