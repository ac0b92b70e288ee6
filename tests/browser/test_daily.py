"""Last orders in a real browser: answered by one tap, and by keyboard without scripts; its line copied with them."""

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Visitor
from support.browser import PHONE, PHONES, SMALL, TONGUES, page_of

USUAL = {"keep": "plain"}


def _asked(page: Page) -> Page:
    page.goto("/daily")
    expect(page.locator(".answers")).to_be_visible(timeout=30_000)
    return page


@pytest.mark.parametrize("tongue", TONGUES)
def test_one_tap_on_an_answer_is_the_answer_and_answers_are_equal_plates(tongue: str, visitor: Visitor) -> None:
    """Ship: to stop, or to give up the cargo, which is much longer in words."""
    page = page_of(visitor(viewport=PHONE, has_touch=True, locale=tongue), "/drill/ship/5")
    plates = page.locator("main form button")
    expect(plates).to_have_count(2, timeout=30_000)
    for size in PHONES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        boxes = [box for plate in plates.all() if (box := plate.bounding_box())]
        assert len({(round(box["width"]), round(box["height"])) for box in boxes}) == 1, (size, boxes)
        looks = plates.evaluate_all("plates => plates.map(one => getComputedStyle(one).background)")
        assert len(set(looks)) == 1, "none is golden"
    plates.last.tap()
    expect(page.locator(".keep.chosen")).to_be_visible()


NEED = """() => [...document.querySelectorAll('.free > *')].map(die => {
  const {color} = getComputedStyle(die.querySelector('.pips'));
  return [Number(die.dataset.face), color];
})"""


def test_only_a_face_that_is_still_needed_is_red_and_a_cargo_never_is(visitor: Visitor) -> None:
    page = page_of(visitor())
    seen = set()
    for number in range(1, 13):
        page.goto(f"/drill/ship/{number}")
        expect(page.locator(".answers")).to_be_attached(timeout=30_000)
        locked = [int(str(die.get_attribute("data-face"))) for die in page.locator(".locked > *").all()]
        red = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--need')")
        page.evaluate("red => { document.body.style.color = red; }", red)
        red = page.evaluate("getComputedStyle(document.body).color")
        for face, color in page.evaluate(NEED):
            if face in locked or face < 4:
                assert color != red, (number, face, "is no part of the crew any more")
            seen.add((face > 3, face in locked, color == red))
    assert (True, True, False) in seen, "a cargo with a face of the crew"
    assert (True, False, True) in seen, "a face that the crew lacks"


def test_a_bar_has_dice_or_words_beside_it(visitor: Visitor) -> None:
    page, words = page_of(visitor(viewport=PHONE)), set()
    for number in range(1, 9):
        page.goto(f"/drill/ship/{number}")
        expect(page.locator(".answers button").first).to_be_visible(timeout=30_000)
        page.locator(".answers button").first.click()
        expect(page.locator(".keep").first).to_be_visible()
        for row in page.locator(".keep").all():
            beside = row.locator(".dice").bounding_box()
            assert beside
            assert beside["height"] >= 10
            assert row.locator(".mini").count() or row.locator(".dice").inner_text()
            words.add(row.locator(".dice").inner_text())
    assert "Give up the cargo" in words


def test_the_line_is_copied_and_that_is_said(visitor: Visitor) -> None:
    context = visitor(permissions=["clipboard-read", "clipboard-write"])
    page = _asked(page_of(context))
    page.locator(".answers button").first.click()
    page.evaluate("navigator.share = undefined")
    page.locator("#share").click()
    expect(page.locator("[aria-live=polite]")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.split() == page.locator("#line").inner_text().split()


def test_the_line_has_a_square_for_each_day_and_gives_nothing_away(visitor: Visitor) -> None:
    page = _asked(page_of(visitor()))
    answer = page.locator(".answers button").first.inner_text()
    page.locator(".answers button").first.click()
    line = page.locator("#line")
    grade = page.locator(".days li").get_attribute("class")
    square = {"best": "🟩", "close": "🟨", "off": "🟥"}[str(grade)]
    assert line.inner_text().splitlines()[1] == square
    assert answer not in line.inner_text()


def test_the_list_of_answers_shows_itself_to_keys_and_lays_the_dice(visitor: Visitor) -> None:
    page = page_of(visitor(), "/drill/threes/7")
    expect(page.locator(".taps")).to_be_attached(timeout=30_000)
    first = page.locator(".answers button").first
    assert page.locator(".answers").evaluate("node => getComputedStyle(node).position") == "absolute"
    first.focus()
    assert page.locator(".answers").evaluate("node => getComputedStyle(node).position") == "static"
    expect(page.locator(".free > .kept")).to_have_count(1)
    expect(page.locator("form .main")).to_have_text(first.inner_text())
    page.keyboard.press("Enter")
    expect(page.locator(".keep.chosen")).to_be_visible()


def test_in_420_to_keep_nothing_is_an_answer_of_its_own(visitor: Visitor) -> None:
    page = page_of(visitor(viewport=SMALL, has_touch=True), "/drill/420/7")
    expect(page.locator(".taps")).to_be_attached(timeout=30_000)
    expect(page.locator("form .second")).to_have_text("Reroll all four")
    page.locator("form .second").tap()
    expect(page.locator(".keep.chosen")).to_be_visible()
    assert page.url.endswith("keep=k-")
