"""Dice that may only be kept together: one press on the page, by finger or by key, marks or frees all of them."""

import re
from pathlib import Path

import pytest
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


@pytest.mark.nightly
def test_poker_dice_are_tapped_drawn_and_heard_by_their_names(chromium: Browser, tmp_path: Path) -> None:
    with House(tmp_path, *BEHIND, more_games=True) as house:
        context = context_of(chromium, house, reduced_motion="reduce")
        table = open_table(context, game="aces", dice="real")
        page = context.new_page()
        page.goto(table)
        ready(page)
        faces = page.locator("#pad .faces button")
        expect(faces).to_have_text(["9", "10", "J", "Q", "K", "A"])
        for name in ("K", "A", "10"):
            faces.get_by_text(name, exact=True).click()
        expect(page.locator("#main")).to_have_text("Confirm 10 K A")
        page.locator("#main").click()
        dice = page.locator("#dice .die:visible")
        expect(dice).to_have_count(3)
        expect(dice.locator(".pips")).to_have_text(["K", "A", "10"])
        expect(dice.first).to_have_attribute("aria-label", "Die 1, a king")
        expect(page.locator("body")).to_contain_text(re.compile("rolled a king, an ace, a ten"))
        assert dice.first.locator(".pips").evaluate("node => getComputedStyle(node).backgroundImage") == "none"
        context.close()
