"""The end of a match on an open page: the receipt (a slip of paper) fills in by itself, and nothing else moves."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from browser.looks import look
from browser.scene import Scene, Visitor, keep_all
from browser.states import STATES
from pubdice.text.catalogues import CODES
from support.browser import SMALL, WITHIN_MS, ask, sit
from support.steady import box_of, measured, steady

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
TURN = re.compile(r"/t/[^/]+/turn$")
MOST_SHIFT = 0.05
"""The goal for the layout shift: the worst window of 5 s."""
SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const {value, startTime, hadRecentInput, sources} of list.getEntries())
      if (!hadRecentInput) shifts.push([startTime, value, sources.map(({node, previousRect, currentRect}) =>
        [node?.id || node?.className || node?.nodeName, previousRect.y, currentRect.y])]);
  }).observe({type: 'layout-shift', buffered: false});
}"""
WORST = """() => Math.max(0, ...shifts.map(([begin]) =>
  shifts.filter(([at]) => at >= begin && at < begin + 5000).reduce((sum, [, value]) => sum + value, 0)))"""
SLIP = (
    "() => { const {top, height} = document.querySelector('#turned').getBoundingClientRect(); return [top, height]; }"
)


PAGE = re.compile(r"/t/[^/]+$")
WAITS = """<section id="turned" class="slip needs-js">
<p class="waiting"><a href="{here}/receipt">What decided it</a></p>
</section>"""
"""The part of the page that the house sends while its worker still computes. The real worker may be too quick for a
test.
"""


def unknown(page: Page) -> None:
    """Change the page as if the house did not know the match's turning point yet."""

    def answer(route: Route) -> None:
        found = route.fetch()
        waits = WAITS.format(here=route.request.url.partition("#")[0])
        body = re.sub(r'<section id="turned".*?</section>', waits, found.text(), flags=re.DOTALL)
        route.fulfill(response=found, body=body)

    page.route(PAGE, answer)


def comes(page: Page, noted: Sequence[object]) -> None:
    """Wait until a route has recorded a request."""
    for _ in range(WITHIN_MS // 20):
        if noted:
            return
        page.wait_for_timeout(20)
    raise AssertionError("the page never asked")


def last_roll(scene: Scene, people: int = 2) -> tuple[Page, BrowserContext, str, str]:
    """Play with real dice up to the last roll. Return Ann's page, the last player's browser, the table, and the dice of
    that roll.
    """
    host, table = scene.table(people=people, dice="real", rules={"format": "rounds 1"})
    everybody = [host, *[scene.visitor() for _ in range(people - 1)]]
    for guest, name in zip(everybody[1:], ("Ben", "Charlotte", "Dora", "Emil", "Fay", "Gus", "Hal"), strict=False):
        sit(guest, table, name)
    for person in everybody[:-1]:
        keep_all(person, table, "664414")
    return scene.lay(scene.at(table, host)), everybody[-1], table, "666641"


def rolls(mover: BrowserContext, table: str, dice: str) -> None:
    """Make the last roll and keep, which end the match."""
    keep_all(mover, table, dice)


@pytest.mark.parametrize("size", [SMALL, PHONE, DESKTOP], ids=lambda size: f"{size['width']}")
def test_the_slip_fills_in_by_itself_and_nothing_moves_for_it(size: Any, visitor: Visitor) -> None:
    page, mover, table, dice = last_roll(Scene(visitor))
    page.set_viewport_size(size)
    steady(page)
    held: list[Route] = []
    unknown(page)
    page.route(TURN, lambda route: held.append(route) if not held else route.continue_())
    assert ask(mover, table, do="enter", dice=dice) == 200
    expect(page.locator("#dice .die")).to_have_count(6)
    steady(page)
    page.evaluate(SHIFTS)
    assert ask(mover, table, do="roll", marks=[*range(6)]) == 200
    expect(page.locator("#heading")).to_have_text("Ben wins with 24")
    slip = page.locator("#turned")
    expect(slip.get_by_role("link", name="What decided it")).to_have_count(1)
    expect(page.locator("#next #main")).to_be_in_viewport(ratio=1)  # the page did not wait for the slip
    before = page.evaluate(SLIP)
    comes(page, held)
    page.unroute(PAGE)
    held[0].continue_()
    expect(slip.locator("h2")).to_contain_text("It turned here")
    expect(slip.locator("svg circle")).to_have_count(1)
    expect(slip).to_contain_text(re.compile(r"Ben rolled 6 6 6 6 4 1\. \d+% before it, 100% after it\."))
    assert page.evaluate(SLIP) == before
    steady(page)
    assert page.evaluate(WORST) <= MOST_SHIFT, page.evaluate("shifts")
    expect(page.locator("#next #main")).to_be_in_viewport(ratio=1)
    box, chart = box_of(slip), box_of(slip.locator("svg"))
    assert chart["height"] > 60
    assert chart["y"] + chart["height"] <= box_of(slip.locator("p"))["y"] + 1
    assert slip.locator("p").evaluate("node => node.getBoundingClientRect().bottom") <= box["y"] + box["height"]


@pytest.mark.parametrize("real", [True, False], ids=["real dice", "dice of the house"])
@pytest.mark.parametrize("size", [SMALL, *[pytest.param(size, marks=pytest.mark.nightly) for size in (PHONE, DESKTOP)]])
def test_dice_and_rail_stay_in_their_place_until_the_page_of_the_end_is_there(
    size: Any, real: bool, visitor: Visitor
) -> None:
    scene = Scene(visitor)
    host, table = scene.table(people=2, dice="real" if real else "house", rules={"format": "rounds 1"})
    sit(guest := scene.visitor(), table, "Ben")
    pages = [scene.lay(scene.at(table, person)) for person in (host, guest)]
    for page in pages:
        page.set_viewport_size(size)
    for mover in (host, guest):
        for page in pages:
            page.unroute_all(behavior="ignoreErrors")
            page.route(PAGE, lambda _: None)  # so the page of the match's end does not come
        before = []
        assert ask(mover, table, do="enter", dice="664414") == 200 if real else ask(mover, table, do="roll") == 200
        for page in pages:
            expect(page.locator("#dice .die:visible")).to_have_count(6)
            before.append(measured(page, PLACES))
        assert ask(mover, table, do="roll", marks=[*range(6)]) == 200
    for page, places in zip(pages, before, strict=True):
        expect(page.locator("#main")).to_be_hidden()
        assert measured(page, PLACES) == places
        assert page.locator("#table").get_attribute("data-stage") == "playing"


PLACES = """() => ['#heading', '#dish', '#rail', '#seats'].map(name => {
  const {top, bottom} = document.querySelector(name).getBoundingClientRect();
  return [name, Math.round(top), Math.round(bottom)];
})"""


CLIPPED = """() => {
  const dialog = document.querySelector('#carding').content.firstElementChild.cloneNode(true);
  dialog.prepend(Object.assign(document.createElement('canvas'), {width: 1080}));
  document.querySelector('main').append(dialog);
  dialog.showModal();
  const buttons = [...dialog.querySelectorAll('button')];
  const clipped = buttons.filter(button => button.scrollWidth > button.clientWidth).map(button => button.textContent);
  dialog.remove();
  return clipped;
}"""
"""A script that returns the buttons under the result's picture whose words are wider than they are."""


def test_the_words_of_the_buttons_under_the_picture_fit_in_every_language(visitor: Visitor) -> None:
    page = STATES["over"](Scene(visitor))
    for code in CODES:
        look(page, page.context, color_scheme="light", size=SMALL, language=code)
        assert page.evaluate(CLIPPED) == [], code


def test_the_house_has_begun_it_before_any_page_asks(visitor: Visitor) -> None:
    page, mover, table, dice = last_roll(Scene(visitor))
    page.route(TURN, lambda route: route.abort())
    rolls(mover, table, dice)
    expect(page.locator("#heading")).to_have_text("Ben wins with 24")
    for _ in range(200):
        page.reload()
        if page.locator("#turned svg").count():
            break
        page.wait_for_timeout(100)
    expect(page.locator("#turned h2")).to_contain_text("It turned here")


LINKS = "links => links.filter(link => link.checkVisibility()).map(link => link.href)"


@pytest.mark.parametrize("size", [SMALL, PHONE, DESKTOP], ids=lambda size: f"{size['width']}")
def test_eight_at_midnight_are_told_why_nothing_turned_and_no_link_leads_to_a_refusal(
    size: Any, visitor: Visitor
) -> None:
    page, mover, table, dice = last_roll(Scene(visitor), people=8)
    page.set_viewport_size(size)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    rolls(mover, table, dice)
    expect(page.locator("#heading")).to_have_text("Hal wins with 24")
    result, evening = (box_of(page.locator(part)) for part in ("#result", "#evening"))
    assert evening["y"] - (result["y"] + result["height"]) < 64, "no room is held for a slip"
    page.locator("#more > summary").click()
    expect(page.get_by_text("Midnight is solved for 6 seats at most.")).to_be_visible()
    links = page.locator("#play a[href^='/t/']").evaluate_all(LINKS)
    assert links
    refused = {link: status for link in links if (status := page.request.get(link).status) not in (200, 202)}
    assert refused == {}, "202 is a page that a busy house still works out"
    assert not [url for url in asked if TURN.search(url)], "the page knows already"


def test_a_match_found_too_large_while_its_slip_waits_says_why_there(visitor: Visitor) -> None:
    page, mover, table, dice = last_roll(Scene(visitor))
    unknown(page)
    why = "This match is too large to solve."
    page.route(TURN, lambda route: route.fulfill(status=422, json={"code": "too-large", "why": why}))
    rolls(mover, table, dice)
    expect(page.locator("#heading")).to_have_text("Ben wins with 24")
    expect(page.locator("#turned")).to_have_text(why)
    expect(page.locator("#turned .waiting")).to_have_count(0)
    page.locator("#more > summary").click()
    expect(page.get_by_role("link", name="Save")).to_be_visible()
    links = page.locator("#play a").evaluate_all(LINKS)
    assert [link for link in links if re.search("/(receipt|ask)", link)] == [], "they would refuse"
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize("status", [None, 500], ids=["hangs", "fails"])
def test_without_an_answer_the_slip_is_the_link_to_the_receipt(status: int | None, visitor: Visitor) -> None:
    page, mover, table, dice = last_roll(Scene(visitor))
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if status is not None:
            route.fulfill(status=status, json={})

    unknown(page)
    page.route(TURN, answer)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    rolls(mover, table, dice)
    expect(page.locator("#heading")).to_have_text("Ben wins with 24")
    comes(page, asked)
    page.wait_for_timeout(500)
    link = page.locator("#turned").get_by_role("link", name="What decided it")
    expect(link).to_be_visible()
    expect(page.locator("#turned .waiting")).to_have_count(1)
    expect(page.locator("#connection, #refusal").locator("visible=true")).to_have_count(0)
    expect(page.locator("#next #main")).to_be_in_viewport(ratio=1)
    assert len(asked) == 1
    assert faults == []
    link.click()  # still without an answer: one would replace the link under the press
    page.wait_for_url(lambda url: url.endswith("/receipt"))
    page.unroute_all(behavior="ignoreErrors")


def test_the_slip_and_the_picture_of_another_match_are_asked_for_again(visitor: Visitor) -> None:
    """The page is not loaded again for the next table, so it must ask for that match's slip and picture."""
    scene = Scene(visitor)
    page, mover, table, dice = last_roll(scene)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("Object.defineProperty(navigator, 'canShare', { value: undefined })")
    rolls(mover, table, dice)
    expect(page.locator("#turned h2")).to_contain_text("It turned here")
    page.locator("[data-card]").click()
    page.locator("dialog").get_by_role("button", name="Close").click()
    page.locator("#next #main").click()
    page.wait_for_url(lambda url: not url.endswith(table))
    again = "/" + page.url.split("/", 3)[3].partition("#")[0]
    assert ask(mover, table, do="rematch") == 200
    for number, person in enumerate((mover, page.context, mover, page.context)):
        view = person.request.get(f"{again}/state").json()["view"]
        if view["stage"] == "over":
            break
        seat = person.request.get(f"{again}/state").json()["seat"]
        if view["mover"] == seat:
            keep_all(person, again, "664414" if number < 2 else "655541")
    expect(page.locator("#table")).to_have_attribute("data-stage", "over")
    expect(page.locator("#turned h2")).to_contain_text("It turned here")
    page.locator("[data-card]").click()
    expect(page.locator("dialog canvas")).to_be_visible()
    assert any(url.endswith(f"{again}/receipt.svg") for url in asked), "not the picture of the match before"
