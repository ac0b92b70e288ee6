"""House rules on the front page: those of the chosen game are there, and of no other."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import Visitor
from pubdice.games import GAMES as GAMES_OF_THE_HOUSE
from support.browser import TONGUES, page_of

USUAL = {"keep": "plain"}
MOST_HIGH = 1600
"""Of the rules of a game as they are unfolded, in pixels of a phone; they were up to 2,982."""
GAMES = (
    """() => [...new Set([...document.querySelectorAll('#house [name*="."]')].map(node => node.name.split('.')[0]))]"""
)
"""The games whose rules can be chosen in the page, seen or not."""


def opened(visitor: Visitor, path: str = "/") -> tuple[Page, list[str]]:
    """A page with its house rules folded, and the addresses that it asks from now on.

    Without its icon, which Chromium itself asks for once the page stands, and its shell does not.
    """
    page, asked = page_of(visitor()), list[str]()
    page.goto(path)
    page.on("request", lambda request: asked.extend([request.url] * (not request.url.endswith("/icon.svg"))))
    return page, asked


def test_rules_that_people_come_back_to_before_others_are_there_are_seen(visitor: Visitor) -> None:
    page, _ = opened(visitor)
    page.locator("#house > summary").click()
    first = page.locator(".game input:checked").get_attribute("value") or ""
    late: list[Route] = []
    page.route(re.compile("/houserules$"), lambda asked: late.append(asked))  # noqa: PLW0108 - Playwright marks what it is given
    page.locator(".game label", has_text="Ship").click()
    expect(page.locator(".kit")).to_be_hidden()
    page.locator(f".game label:has([value={first}])").click()
    expect(page.locator(".kit")).to_be_visible()
    for asked in late:
        asked.continue_()
    expect(page.locator(".kit")).to_have_attribute("data-game", first)
    expect(page.locator(".kit")).to_be_visible()


def test_where_the_house_does_not_answer_no_other_rules_stand_there_and_the_game_starts(visitor: Visitor) -> None:
    page, _ = opened(visitor)
    page.route(re.compile("/houserules$"), lambda route: route.abort())
    page.locator("#house > summary").click()
    page.locator(".game label", has_text="Ship").click()
    expect(page.locator(".kit")).to_be_hidden()
    page.unroute_all()
    page.locator("#house > summary").click()
    page.locator("#house > summary").click()
    expect(page.locator(".kit")).to_have_attribute("data-game", "ship")
    expect(page.locator(".kit")).to_be_visible()


def test_rules_whose_request_hangs_are_asked_for_again_and_a_button_leads_there_meanwhile(visitor: Visitor) -> None:
    page = page_of(visitor())
    page.clock.install()
    page.goto("/")
    hung: list[Route] = []
    page.route(re.compile("/houserules$"), lambda route: route.continue_() if hung else hung.append(route))
    button = page.get_by_role("button", name="House rules of the chosen game")
    page.locator("#house > summary").click()
    page.locator(".game label", has_text="Ship").click()
    expect(page.locator(".kit")).to_be_hidden()
    expect(button).to_be_hidden()
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    page.clock.run_for(9_500)
    expect(button).to_be_visible()
    page.clock.run_for(3_000)
    expect(page.locator(".kit")).to_have_attribute("data-game", "ship")
    expect(page.locator(".kit")).to_be_visible()
    expect(button).to_be_hidden()


def test_the_form_of_a_night_has_the_rules_of_its_game(visitor: Visitor) -> None:
    page, asked = opened(visitor, "/night")
    page.locator("#house > summary").click()
    page.locator(".game label", has_text="Threes").click()
    expect(page.locator(".kit")).to_have_attribute("data-game", "threes")
    assert page.evaluate(GAMES) == ["threes"]
    assert [url.partition("/houserules")[2] for url in asked] == ["/night"]


@pytest.mark.parametrize("tongue", TONGUES)
def test_rules_of_every_game_are_two_groups_and_end_at_gold_which_is_in_sight_all_the_way(
    tongue: str, visitor: Visitor
) -> None:
    page = page_of(visitor(viewport={"width": 390, "height": 844}, locale=tongue))
    for game in GAMES_OF_THE_HOUSE:
        page.goto("/")
        page.locator(f"label[for=game-{game}]").click()
        page.locator("#house > summary").click()
        expect(page.locator(".kit")).to_have_attribute("data-game", game)
        box = page.locator("#house").bounding_box()
        assert box
        assert box["height"] <= MOST_HIGH, game
        gold = page.locator(":is(.main, .gilt > :first-child):visible")
        for part in (0, 0.5, 1):
            page.evaluate(f"scrollTo(0, {box['y']} + {part} * ({box['height']} - innerHeight))")
            expect(gold).to_have_count(1)
            expect(gold).to_be_in_viewport(ratio=1)
        last, ends = page.locator("#house .fair").bounding_box(), gold.bounding_box()
        assert last
        assert ends
        assert last["y"] + last["height"] <= ends["y"], "at the end gold covers nothing"
        expect(page.locator("#house .later > *:visible")).to_have_count(1)
        page.locator("#house .later > summary").click()
        expect(page.locator("[name=clock]")).to_be_visible()
        expect(page.locator(f"#house .next [name='{game}.opener']").first).to_be_visible(visible=game != "420")


def test_a_refusal_under_more_unfolds_it(visitor: Visitor) -> None:
    page, _ = opened(visitor)
    page.locator("#name").fill("Ann")
    page.locator("#house > summary").click()
    page.locator("#house .later > summary").click()
    page.locator("[name=clock]").evaluate("select => select.add(new Option('?', 'x', true, true))")
    page.locator("#house .later > summary").click()
    page.locator("#house .go > :first-child").click()
    expect(page.locator("#refusal")).to_be_in_viewport()
    expect(page.locator("[name=clock]")).to_be_focused()
    expect(page.locator("[name=clock]")).to_be_visible()
