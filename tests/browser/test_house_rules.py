"""House rules on the front page: only those of the chosen game are there."""

import re

import pytest
from playwright.sync_api import Page, Request, Route, expect

from browser.looks import UNFOLD
from browser.scene import Scene, Visitor
from browser.states import front_priced
from pubdice.games import GAMES as GAMES_OF_THE_HOUSE
from pubdice.text.catalogues import CODES
from support.browser import SMALL, TONGUES, page_of, sit, stop_clock
from support.steady import box_of, measured

MOST_HIGH = 1600
"""The most height of a game's unfolded rules on a phone, in px (up to 2,982 before)."""
GAMES = (
    """() => [...new Set([...document.querySelectorAll('#house [name*="."]')].map(node => node.name.split('.')[0]))]"""
)
"""A script that returns the games whose rules the page has, visible or not."""


def opened(visitor: Visitor, path: str = "/") -> tuple[Page, list[str]]:
    """Open a page with its house rules folded. Return it, and the list of addresses that it requests from now on.

    The icon is left out: Chromium requests it itself after the page has loaded, but its headless shell does not.
    """
    page, asked = page_of(visitor()), list[str]()
    page.goto(path)
    page.on("request", lambda request: asked.extend([request.url] * (not request.url.endswith("/icon.svg"))))
    return page, asked


CUT = """() => [...document.querySelectorAll('select')].filter(select => select.checkVisibility()).filter(select => {
  const whole = select.cloneNode(true);
  whole.replaceChildren(select.selectedOptions[0].cloneNode(true));
  whole.style = 'position: absolute; width: auto; min-width: 0; max-width: none';
  select.after(whole);
  const isCut = whole.offsetWidth > select.offsetWidth + 1;
  whole.remove();
  return isCut;
}).map(select => `${select.name}: ${select.selectedOptions[0].text}`)"""
"""A script that returns the fields whose chosen entry is wider than the field."""


@pytest.mark.parametrize("code", [pytest.param(code, marks=[pytest.mark.nightly] * (code != "de")) for code in CODES])
def test_the_usual_rules_are_not_cut_on_the_smallest_phone(code: str, visitor: Visitor) -> None:
    page = page_of(visitor(viewport=SMALL, locale=code), "/")
    page.locator("#house > summary").click()
    for game in page.locator(".game input").evaluate_all("games => games.map(game => game.value)"):
        page.locator(f".game label:has([value='{game}'])").click()
        expect(page.locator(".kit")).to_have_attribute("data-game", game)
        page.evaluate(UNFOLD)
        assert measured(page, CUT) == [], game


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
    stop_clock(page)
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
        box = box_of(page.locator("#house"))
        assert box["height"] <= MOST_HIGH, game
        gold = page.locator(":is(.main, .gilt > :first-child):visible")
        for part in (0, 0.5, 1):
            page.evaluate(f"scrollTo(0, {box['y']} + {part} * ({box['height']} - innerHeight))")
            expect(gold).to_have_count(1)
            expect(gold).to_be_in_viewport(ratio=1)
        last, ends = box_of(page.locator("#house .fair")), box_of(gold)
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


USUAL = {"keep": "plain"}
ADDS_UP = ["If scores add up, Ship, Captain and Crew is solved for two players."] * 2
"""The sentences beside the formats ``points`` and ``total`` for more than two players."""


def asked_of(page: Page) -> list[str]:
    """Return the list of this page's requests for prices from now on."""
    found: list[str] = []

    def note(request: Request) -> None:
        if "/prices" in request.url and "/static/" not in request.url:
            found.append(request.url)

    page.on("request", note)
    return found


def test_each_choice_says_its_share_as_the_page_of_prices_does_and_the_fair_order_is_one_tap(visitor: Visitor) -> None:
    scene = Scene(visitor)
    page = front_priced(scene)
    told = scene.at("/prices/ship")
    expect(told.locator("#fair")).to_be_visible(timeout=60_000)
    for rule in ("cargo", "opener"):
        rows = told.locator(f"#{rule} tbody tr").all()
        radios = page.locator(f"[name='ship.{rule}']").all()
        assert len(rows) == len(radios) > 1
        for row, radio in zip(rows, radios, strict=True):
            share, change = row.locator("td").all_text_contents()
            expected = f"Player 1: {share}" if change == "–" else f"Player 1: {share} ({change})"
            label = page.locator(f"label[for='{radio.get_attribute('id')}']")
            expect(label.locator(".price")).to_have_text(expected)
    page.locator("#house .later > summary").click()
    name = page.get_by_role("radio", name="The winner of the last round Player 1: ")
    expect(name.locator("visible=true")).to_have_count(1)  # a screen reader reads it with the choice
    the_fair_order_is_one_tap_and_another_choice_is_priced_again(page)


def the_fair_order_is_one_tap_and_another_choice_is_priced_again(page: Page) -> None:
    """Go on with the form whose choices have their prices."""
    order = page.locator(".fairest")
    expect(order).to_contain_text("Fairest: 10 rounds")
    page.get_by_role("button", name="Take this order").click()
    expect(page.locator("[name='ship.rounds']")).to_have_value("10")
    expect(order).to_contain_text("These rules are the fairest", timeout=60_000)
    expect(page.get_by_role("button", name="Take this order")).to_be_hidden()
    status = page.locator(".priced [role=status]")
    before = status.inner_text()
    page.locator("label", has_text="Always the same player").locator("visible=true").click()
    expect(status).not_to_have_text(before, timeout=60_000)
    page.locator("#players").select_option("9")
    expect(status).to_have_text("Ship, Captain and Crew is solved for 6 seats at most.", timeout=60_000)
    expect(page.locator(".price")).to_have_text(ADDS_UP)  # other choices have none, as it would say nothing new


def test_a_lost_line_is_said_and_the_next_choice_asks_again(visitor: Visitor) -> None:
    page = page_of(visitor(), "/")
    page.route("**/prices", lambda route: route.abort())
    page.locator(".game label", has_text="Ship").click()  # its prices are computed fastest
    page.locator("#house > summary").click()
    page.locator("#house .fair > summary").click()
    status = page.locator(".priced [role=status]")
    expect(status).to_have_text("That did not work. Try again.")
    page.unroute("**/prices")
    page.locator("#house .later > summary").click()
    page.locator("label", has_text="Always the same player").locator("visible=true").click()
    expect(status).to_contain_text("Player 1 has", timeout=60_000)


def test_prices_whose_request_hangs_are_said_to_fail_and_asked_for_again(visitor: Visitor) -> None:
    page = page_of(visitor())
    page.clock.install()
    page.goto("/")
    hangs, hung = True, list[Route]()
    page.route("**/prices", lambda route: hung.append(route) if hangs else route.continue_())
    page.locator(".game label", has_text="Ship").click()
    page.locator("#house > summary").click()
    page.locator("#house .fair > summary").click()
    page.clock.run_for(1_000)
    page.clock.run_for(10_000)
    status = page.locator(".priced [role=status]")
    expect(status).to_have_text("That did not work. Try again.")
    hangs = False
    page.clock.resume()
    expect(status).to_contain_text("Player 1 has")


@pytest.mark.nightly
def test_a_table_s_form_prices_its_own_rules_for_those_who_sit_there(visitor: Visitor) -> None:
    scene = Scene(visitor)
    host, table = scene.table(game="ship", people=None, rules={"format": "rounds 3"})
    page = scene.at(table, host)
    found = asked_of(page)
    scene.lay(page)
    sit(visitor(), table, "Bob")
    expect(page.locator("#seats .name")).to_have_count(2)
    assert found == [], "nothing is asked while the rules are closed"
    page.locator("#change > summary").click()
    page.locator("#change .fair > summary").click()
    prices = page.locator("#changing .price")
    expect(prices.first).to_contain_text("Player 1: 4", timeout=60_000)
    expect(page.locator("#players")).to_have_value("2")
    expect(page.get_by_role("button", name="Take this order")).to_be_visible(timeout=60_000)
    sit(visitor(), table, "Cy")  # reloads the page, which has prices again
    expect(page.locator("#seats .name")).to_have_count(3)
    expect(page.locator("#players")).to_have_value("3")
    expect(prices.first).to_contain_text("Player 1: 3", timeout=60_000)
    assert any("/prices/ship?" in url and "seats=3" in url and "rounds:3" in url for url in found)
    page.locator("#changing label", has_text="Each die by itself").click()
    expect(prices.first).to_contain_text("Player 1: ", timeout=60_000)
    page.get_by_role("button", name="Save rules").click()
    expect(page.locator("#facts")).to_contain_text("cargo dice rolled one by one")


def test_a_table_s_form_has_no_prices_without_scripts_but_their_page(visitor: Visitor) -> None:
    host, table = Scene(visitor).table(game="ship", people=None)
    state = host.storage_state()
    page = page_of(visitor(java_script_enabled=False, storage_state=state), table)
    page.locator("#change > summary").click()
    expect(page.locator("#changing .priced")).to_be_hidden()
    expect(page.get_by_role("link", name="Are these rules fair?")).to_be_visible()
