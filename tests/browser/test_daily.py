"""Last orders in a real browser: answered by keyboard without scripts, and its line copied with them."""

from playwright.sync_api import Page, expect

from browser.conftest import Visitor
from support.browser import SMALL, page_of

USUAL = {"keep": "plain"}


def _asked(page: Page) -> Page:
    page.goto("/daily")
    expect(page.locator(".answers")).to_be_visible(timeout=30_000)
    return page


def test_a_day_is_answered_by_keyboard_without_scripts(visitor: Visitor) -> None:
    page = _asked(page_of(visitor(java_script_enabled=False, viewport=SMALL)))
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
    page = _asked(page_of(context))
    page.locator(".answers input").first.focus()
    page.locator(".answers input").first.check()
    page.locator(".main").click()
    page.evaluate("navigator.share = undefined")
    page.locator("#share").click()
    expect(page.locator("[aria-live=polite]")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.split() == page.locator("#line").inner_text().split()


def test_the_line_has_a_square_for_each_day_and_gives_nothing_away(visitor: Visitor) -> None:
    page = _asked(page_of(visitor()))
    answer = page.locator(".answers label").first.inner_text()
    page.locator(".answers input").first.focus()
    page.locator(".answers input").first.check()
    page.locator(".main").click()
    line = page.locator("#line")
    grade = page.locator(".days li").get_attribute("class")
    square = {"best": "🟩", "close": "🟨", "off": "🟥"}[str(grade)]
    assert line.inner_text().splitlines()[1] == square
    assert answer not in line.inner_text()


def test_dice_are_tapped_and_the_button_says_what_that_answers(visitor: Visitor) -> None:
    page = page_of(visitor(viewport=SMALL, has_touch=True))
    page.goto("/drill/threes/7")
    dice, button = page.locator(".free > [data-face]"), page.locator("form .main")
    expect(button).to_have_text("Choose the dice you keep", timeout=30_000)
    button.tap(force=True)
    expect(button).to_have_text("Choose the dice you keep")  # nothing is sent without an answer
    dice.nth(0).tap()
    dice.nth(3).tap()
    faces = sorted([str(dice.nth(at).get_attribute("data-face")) for at in (0, 3)])
    expect(button).to_have_text(f"Keep {' '.join(faces)}")
    expect(page.locator(".answers :checked")).to_have_value(f"k{''.join(faces)}")
    dice.nth(3).tap()
    dice.nth(0).tap()
    expect(button).to_have_text("Choose the dice you keep")  # to keep nothing is no answer here
    dice.nth(1).tap()
    button.tap()
    expect(page.locator(".keep.chosen")).to_contain_text("This answer.")


def test_the_list_of_answers_shows_itself_to_keys_and_lays_the_dice(visitor: Visitor) -> None:
    page = page_of(visitor())
    page.goto("/drill/threes/7")
    expect(page.locator(".taps")).to_be_attached(timeout=30_000)
    first = page.locator(".answers input").first
    assert page.locator(".answers").evaluate("node => getComputedStyle(node).position") == "absolute"
    first.focus()
    assert page.locator(".answers").evaluate("node => getComputedStyle(node).position") == "static"
    page.keyboard.press("Space")
    expect(page.locator(".free > .kept")).to_have_count(1)
    expect(page.locator("form .main")).to_have_text(page.locator(".answers label").first.inner_text())


def test_in_420_to_keep_nothing_is_an_answer_of_its_own(visitor: Visitor) -> None:
    page = page_of(visitor(viewport=SMALL, has_touch=True))
    page.goto("/drill/420/7")
    expect(page.locator(".taps")).to_be_attached(timeout=30_000)
    page.locator("form .second").tap()
    expect(page.locator(".answers :checked")).to_have_value("k-")
    expect(page.locator("form .main")).to_have_text("Reroll all four")
