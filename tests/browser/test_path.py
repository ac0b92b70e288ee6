"""The way from an opened page to both phones' first roll, counted: taps, fields, words and decisions."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from browser.scene import Visitor
from support.browser import PHONE, page_of

USUAL = {"keep": "plain"}

MOST_TAPS, MOST_FIELDS = 5, 2
MOST_WORDS, MOST_DECISIONS, MOST_IN_ALL = 40, 2, 60
"""On the host's whole way; and on the front page all words together, which were 162."""
READ = """() => {
  const isSeen = node => node.checkVisibility({visibilityProperty: true}) && !node.closest('.unseen');
  const read = 'h1, .hero p, #open .field > label, .game > :has(:checked), .game > p, .lobby ~ * h2, #status, .main';
  const texts = [...document.querySelectorAll(`main :is(${read})`)].filter(isSeen).map(node => node.innerText);
  return texts.map(text => text.toLowerCase().replace(/\\.$/, ''));
}"""
"""What one has to read on a screen to press what is gold: headings, what is asked, what is chosen, the aim."""
DECISIONS = """() => {
  const isSeen = node => (node.labels?.[0] ?? node).checkVisibility({visibilityProperty: true});
  const asked = [...document.querySelectorAll('main :is([type=radio], [type=checkbox], select)')].filter(isSeen);
  const groups = new Set(asked.map(({name}) => name)).size;
  return groups + ([...document.querySelectorAll('main :is(.main, .second)')].filter(isSeen).length > 1 ? 1 : 0);
}"""
"""Groups of things to choose from that stand on a screen; several large buttons are one."""


class Hands:
    """Taps and fills, and counts."""

    def __init__(self) -> None:
        self.taps = self.fields = 0

    def tap(self, what: Locator) -> None:
        self.taps += 1
        what.tap()

    def fill(self, what: Locator, text: str) -> None:
        self.fields += 1
        what.fill(text)


def phone(visitor: Visitor, **more: Any) -> Page:
    settings: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True, **more}
    return page_of(visitor(**settings))


def test_two_phones_see_the_first_roll_after_five_taps_and_two_names(visitor: Visitor) -> None:
    hands, host, guest = Hands(), phone(visitor), phone(visitor)
    host.goto("/")
    hands.fill(host.locator("#name"), "Ann")
    hands.tap(host.get_by_role("button", name="Play with friends"))
    host.wait_for_url(re.compile("/t/[A-Z]{6}"))
    hands.taps += 1  # the code is scanned
    guest.goto(host.url)
    hands.fill(guest.locator("#sit [name=name]"), "Ben")
    hands.tap(guest.locator("#sit button").first)
    expect(host.locator("#seats .name").filter(has_text="Ben")).to_be_visible()
    hands.tap(host.locator("#start button").first)
    expect(host.locator("#main")).to_have_text("Roll 6 dice")
    hands.tap(host.locator("#main"))
    for page in (host, guest):
        expect(page.locator("#dice .die:visible")).to_have_count(6)
    assert (hands.taps <= MOST_TAPS, hands.fields <= MOST_FIELDS) == (True, True), (hands.taps, hands.fields)


def test_the_host_reads_40_words_and_decides_twice_on_the_way_to_the_first_roll(visitor: Visitor) -> None:
    host, guest, read, decisions = phone(visitor), phone(visitor), list[str](), 0
    host.goto("/")
    host.evaluate("document.querySelector('#lobby')?.remove()")  # the public tables of other tests
    assert len(host.locator("body").inner_text().split()) <= MOST_IN_ALL
    read += host.evaluate(READ)
    decisions += host.evaluate(DECISIONS)
    host.locator("#name").fill("Ann")
    host.get_by_role("button", name="Play with friends").tap()
    host.wait_for_url(re.compile("/t/[A-Z]{6}"))
    guest.goto(host.url)
    guest.locator("#sit [name=name]").fill("Ben")
    guest.locator("#sit button").first.tap()
    expect(host.locator("#main")).to_have_text("Start with 2 players")
    read += host.evaluate(READ)
    decisions += host.evaluate(DECISIONS)
    host.locator("#main").tap()
    expect(host.locator("#main")).to_have_text("Roll 6 dice")
    read += host.evaluate(READ)
    decisions += host.evaluate(DECISIONS)
    words = re.findall(r"[^\W\d][\w'-]*", " ".join(read))
    assert len(words) <= MOST_WORDS, " ".join(words)
    assert decisions <= MOST_DECISIONS


def test_a_game_against_a_bot_takes_a_name_and_one_tap(visitor: Visitor) -> None:
    hands, page = Hands(), phone(visitor)
    page.goto("/")
    hands.fill(page.locator("#name"), "Ann")
    hands.tap(page.get_by_role("button", name="Play a bot"))
    expect(page.locator("#main")).to_have_text("Roll 6 dice")
    hands.tap(page.locator("#main"))
    expect(page.locator("#dice .die:visible")).to_have_count(6)
    assert (hands.taps, hands.fields) == (2, 1)


def test_no_button_says_roll_that_would_start(visitor: Visitor) -> None:
    """The stream tells of the match while the page is still the lobby's."""
    host, guest, held = phone(visitor, keep=""), phone(visitor), list[Route]()
    host.goto("/")
    host.locator("#name").fill("Ann")
    host.get_by_role("button", name="Play with friends").tap()
    host.wait_for_url(re.compile("/t/[A-Z]{6}"))
    guest.goto(host.url)
    guest.locator("#sit [name=name]").fill("Ben")
    guest.locator("#sit button").first.tap()
    expect(host.locator("#main")).to_have_text("Start with 2 players")
    host.route(
        re.compile("/t/[^/]*$"),
        lambda route: held.append(route) if route.request.method == "GET" else route.continue_(),
    )
    host.locator("#main").tap()
    expect(guest.locator("#table[data-stage=playing]")).to_be_attached()
    host.wait_for_function("() => document.title.includes('Your turn')")
    assert held, "the page is being fetched"
    expect(host.locator("#main")).to_have_text("Start with 2 players")
    for route in held:
        route.continue_()
    expect(host.locator("#main")).to_have_text("Roll 6 dice")
