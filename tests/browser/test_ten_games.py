"""The front page of a house with more games than ours: it shows the rules of the game that is chosen, and no others."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from support.browser import BEHIND, context_of
from support.house_process import House

MOST = 60
"""As many games as front.css can tell apart."""
MORE = """most => {
  for (const [list, one] of [['.games', '.game'], ['.kits', '.kit']])
    for (const of = document.querySelector(list); of.querySelectorAll(`:scope > ${one}`).length < most;)
      of.append(document.querySelector(one).cloneNode(true));
}"""
"""Lays so many games, as copies of the first."""
SHOWN = """() => [...document.querySelectorAll('.game > input')].map(game => {
  game.checked = true;
  return [...document.querySelectorAll('.kit')].flatMap((kit, at) => (kit.checkVisibility() ? [at] : []));
})"""
"""Chooses one game after another: the places of the rules that each shows."""


def _front(chromium: Browser, house: House) -> Page:
    page = context_of(chromium, house, reduced_motion="reduce").new_page()
    page.goto("/")
    page.locator("#house summary").click()
    return page


def test_of_ten_games_the_tenth_shows_its_own_rules_and_no_other(chromium: Browser, tmp_path: Path) -> None:
    with House(tmp_path, *BEHIND, more_games=True) as house:
        page = _front(chromium, house)
        titles = page.locator(".game .title").all_inner_texts()
        assert len(titles) == 10
        for title in (titles[9], titles[0], titles[8]):
            page.locator(".game label").filter(has=page.get_by_text(title, exact=True)).click()
            expect(page.locator(".kit > legend:visible")).to_have_text([title])
        page.evaluate(MORE, MOST)
        assert page.evaluate(SHOWN) == [[at] for at in range(MOST)]
        page.context.close()
