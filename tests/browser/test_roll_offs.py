"""A roll-off on a real page: one die each, entered as it fell, drawn, heard, and the winner told."""

from playwright.sync_api import Page, expect

from browser.conftest import Visitor
from browser.page_players import ready
from support.browser import open_table


def _enter(page: Page, faces: str) -> None:
    buttons = page.locator("#pad .faces button")
    expect(buttons).to_have_count(6)
    for face in faces:
        buttons.nth(int(face) - 1).click()
    page.locator("#main").click()


def test_those_who_tie_enter_one_die_each_and_the_highest_wins(visitor: Visitor) -> None:
    context = visitor(reduced_motion="reduce")
    rules = {"format": "rounds 1 rolloff"}
    page = context.new_page()
    page.goto(open_table(context, game="mexico", dice="real", bots=["tip"], rules=rules))
    ready(page)
    _enter(page, "65")
    page.locator("#bank").click()
    _enter(page, "65")
    expect(page.locator("body")).to_contain_text("Roll-off: you and Tip roll one die each, the highest wins.")
    expect(page.locator("#counter")).to_have_text("Roll-off")
    _enter(page, "3")
    expect(page.locator("body")).to_contain_text("Roll-off: you have 3.")
    _enter(page, "5")
    expect(page.locator("body")).to_contain_text("Tip wins the roll-off!")
