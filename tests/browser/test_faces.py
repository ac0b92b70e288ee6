"""Poker dice on real pages: drawn by their names, heard, and entered as they fell."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from browser.page_players import ready
from support.browser import BEHIND, context_of, open_table
from support.house_process import House


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
