"""The way from an opened page to both phones' first roll, counted: every tap and every field."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from browser.conftest import Visitor
from support.browser import PHONE, page_of

USUAL = {"keep": "plain"}

MOST_TAPS, MOST_FIELDS = 5, 2


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
    host.wait_for_function("document.title.includes('Your turn')")
    assert held, "the page is being fetched"
    expect(host.locator("#main")).to_have_text("Start with 2 players")
    for route in held:
        route.continue_()
    expect(host.locator("#main")).to_have_text("Roll 6 dice")
