"""Dice that are kept only together, on the page: one press, by finger or by key, marks or frees them all."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browser.page_players import ready
from support.browser import BEHIND, ask, context_of, open_table
from support.house_process import House

CARGO = (3, 4)


def _expect(page: Page, status: str, main: str) -> None:
    for place in CARGO:
        expect(page.locator(f"#dice [data-place='{place}']")).to_have_attribute("data-status", status)
    expect(page.locator("#main")).to_have_text(main)


def test_one_press_marks_both_dice_of_the_cargo_and_another_frees_them(chromium: Browser, tmp_path: Path) -> None:
    with House(tmp_path, *BEHIND, more_games=True) as house:
        context = context_of(chromium, house, reduced_motion="reduce")
        page = context.new_page()
        table = open_table(context, game="crew", dice="real")
        page.goto(table)
        ready(page)
        for dice in ("65411", "33"):
            assert ask(context, table, do="enter", dice=dice) == 200
            page.locator("#dice [data-place='3']").wait_for()
            if dice == "65411":
                assert ask(context, table, do="roll") == 200
        again = "Roll the two dice again"
        _expect(page, "free", again)
        page.locator("#dice [data-place='3']").click()
        _expect(page, "marked", "Keep both, score 6")
        page.locator("#dice [data-place='4']").click()
        _expect(page, "free", again)
        page.locator("#heading").focus()
        page.keyboard.press("Shift+Digit3")
        _expect(page, "marked", "Keep both, score 6")
        page.keyboard.press("4")
        _expect(page, "free", "Roll the two dice again")
        page.locator("#dice [data-place='4']").click()
        page.locator("#main:not([aria-disabled])").click()
        page.locator("#table[data-stage=over]").wait_for()
        context.close()
