"""The front page of a house with more games than ours: it shows the rules of the game that is chosen, and no others."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from support.browser import BEHIND, context_of
from support.house_process import House

GAMES = 10
"""As many as the house with more has at least."""


def _front(chromium: Browser, house: House, **settings: Any) -> Page:
    page = context_of(chromium, house, reduced_motion="reduce", **settings).new_page()
    page.goto("/")
    page.locator("#house > summary").click()
    return page


def test_of_ten_games_the_tenth_shows_its_own_rules_and_no_other(chromium: Browser, tmp_path: Path) -> None:
    with House(tmp_path, *BEHIND, more_games=True) as house:
        page = _front(chromium, house)
        games = page.locator(".game").all()
        assert len(games) >= GAMES
        for game in (games[9], games[0], games[8], *games):
            game.locator("label").click()
            expect(page.locator(".kit:visible")).to_have_count(1)
            expect(page.locator(".kit")).to_have_attribute(
                "data-game", game.locator("input").get_attribute("value") or ""
            )
            title = game.locator("input").get_attribute("aria-label") or game.locator("label").inner_text()
            expect(page.locator(".kit > legend:visible")).to_have_text([title])
            expect(page.locator(".other")).to_be_hidden()
        page.context.close()


def test_without_scripts_each_of_ten_games_has_its_rules_one_button_away(chromium: Browser, tmp_path: Path) -> None:
    with House(tmp_path, *BEHIND, more_games=True) as house:
        page = _front(chromium, house, java_script_enabled=False)
        titles = [title for title in page.locator(".game label").all_inner_texts() if title != "Ship"]
        assert len(titles) >= GAMES
        for title in (titles[9], titles[0], titles[8]):
            page.locator(".game label").get_by_text(title, exact=True).click()
            expect(page.locator(".kit > legend:visible")).to_have_count(0)
            page.get_by_role("button", name="House rules of the chosen game").click()
            expect(page.locator(".kit > legend:visible")).to_have_text([title])
        page.context.close()
