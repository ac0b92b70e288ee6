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


def test_a_position_of_poker_dice_is_tapped_in_by_the_names_of_faces(chromium: Browser, tmp_path: Path) -> None:
    with House(tmp_path, *BEHIND, more_games=True) as house:
        context = context_of(chromium, house, reduced_motion="reduce")
        page = context.new_page()
        page.goto("/ask/aces")
        locked, rolled = (page.locator(f".tap[data-for={name}]") for name in ("locked", "roll"))
        page.locator("form summary").first.click()
        locked.get_by_role("button", name="A", exact=True).click()
        for name in ("10", "9", "K"):
            rolled.get_by_role("button", name=name, exact=True).click()
        field = page.get_by_role("textbox", name="What did you roll?")
        expect(field).to_have_value("10 9 K")
        for _ in range(2):
            rolled.get_by_role("button", name="Delete last").click()
        rolled.get_by_role("button", name="K", exact=True).click()
        expect(field).to_have_value("10 K")
        expect(page.locator("#tapped")).to_have_text("What did you roll?: 10 K")
        page.get_by_role("button", name="What is best?").click()
        expect(page.locator("#answer")).to_have_text("Keep K: 8.50 points on average.", timeout=30_000)
        context.close()
