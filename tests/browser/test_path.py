"""Counts the steps from an opened page to the first roll on both phones, and checks the lobby's texts on the way."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browser.scene import Scene, Visitor
from support.browser import PHONE, ask, open_table, page_of, sit

USUAL = {"keep": "plain"}

MOST_TAPS, MOST_FIELDS = 5, 2
MOST_WORDS, MOST_DECISIONS, MOST_IN_ALL = 40, 2, 60
"""The most words and decisions on the host's whole way, and the most words of the front page (162 before)."""
READ = """() => {
  const isSeen = node => node.checkVisibility({visibilityProperty: true}) && !node.closest('.unseen');
  const read = 'h1, .hero p, #open .field > label, .game > :has(:checked), .game > p, .lobby ~ * h2, #status, .main';
  const texts = [...document.querySelectorAll(`main :is(${read})`)].filter(isSeen).map(node => node.innerText);
  return texts.map(text => text.toLowerCase().replace(/\\.$/, ''));
}"""
"""A script that returns the texts to read before the gold button: headings, questions, the choice, the aim."""
DECISIONS = """() => {
  const isSeen = node => (node.labels?.[0] ?? node).checkVisibility({visibilityProperty: true});
  const asked = [...document.querySelectorAll('main :is([type=radio], [type=checkbox], select)')].filter(isSeen);
  const groups = new Set(asked.map(({name}) => name)).size;
  return groups + ([...document.querySelectorAll('main :is(.main, .second)')].filter(isSeen).length > 1 ? 1 : 0);
}"""
"""A script that returns the number of choices on a screen. Several large buttons are one choice."""


class Hands:
    """Taps and fields of a player, counted."""

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
    hands.taps += 1  # the guest scans the code
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


def meet(host: Page, guest: Page) -> None:
    """Open a table for friends from Ann's front page, and let Ben sit down at it."""
    host.locator("#name").fill("Ann")
    host.get_by_role("button", name="Play with friends").tap()
    host.wait_for_url(re.compile("/t/[A-Z]{6}"))
    guest.goto(host.url)
    guest.locator("#sit [name=name]").fill("Ben")
    guest.locator("#sit button").first.tap()
    expect(host.locator("#main")).to_have_text("Start with 2 players")


def test_the_host_reads_40_words_and_decides_twice_on_the_way_to_the_first_roll(visitor: Visitor) -> None:
    host, guest, read, decisions = phone(visitor), phone(visitor), list[str](), 0
    host.goto("/")
    host.evaluate("document.querySelector('#lobby')?.remove()")  # without the public tables of other tests
    assert len(host.locator("body").inner_text().split()) <= MOST_IN_ALL
    read += host.evaluate(READ)
    decisions += host.evaluate(DECISIONS)
    meet(host, guest)
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


@pytest.mark.nightly
def test_no_button_says_roll_that_would_start(visitor: Visitor) -> None:
    """The stream reports the match while the page still shows the lobby."""
    host, guest, held = phone(visitor, keep=""), phone(visitor), list[Route]()
    host.goto("/")
    meet(host, guest)
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


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_ready_is_said_and_taken_back(scripts: bool, visitor: Visitor) -> None:
    host, guest = visitor(viewport=PHONE), visitor(viewport=PHONE, java_script_enabled=scripts)
    table = open_table(host, people=None)
    sit(guest, table, "Ben")
    page, theirs = page_of(host), page_of(guest)
    page.goto(table)
    theirs.goto(table)
    said, back = theirs.locator("#ready #main"), theirs.get_by_role("button", name="I'm not ready yet")
    for _ in range(2):
        expect(said).to_have_text("I'm ready")
        expect(back).to_have_count(0)
        said.click()
        expect(said).to_have_text("Waiting for the others")
        expect(said).to_have_attribute("aria-disabled", "true")
        back.click()
    expect(said).to_have_text("I'm ready")
    expect(said).not_to_have_attribute("aria-disabled", "true")
    expect(page.locator("#polite")).to_contain_text("Ben is not ready yet.")


@pytest.mark.parametrize(
    ("tongue", "told"),
    [
        (
            "en-GB",
            [
                "At the table with you: Ann and Tip. The match begins once every seat is taken, or when Ann starts it.",
                "Waiting for 1 more player",
            ],
        ),
        (
            "de-DE",
            [
                "Mit dir am Tisch: Ann und Tip. Es geht los, wenn alle Plätze besetzt sind oder Ann startet.",
                "Noch 1 Person fehlt",
            ],
        ),
    ],
)
def test_a_guest_at_fixed_seats_reads_who_is_here_and_what_comes_next(
    tongue: str, told: list[str], visitor: Visitor
) -> None:
    host, guest, last = visitor(), visitor(viewport=PHONE, locale=tongue), visitor()
    table = open_table(host, people=3, bots=["tip"], rules={"format": "rounds 3"})
    sit(guest, table, "Ben")
    page = page_of(guest, table)
    for place, line in zip((page.locator("#status"), page.locator(".lobby .waiting")), told, strict=True):
        expect(place).to_have_text(line)
        expect(place).to_be_in_viewport(ratio=1)
    expect(page.locator("#seats .more")).to_have_count(0)  # no such row, as a free seat already has its own
    sit(last, table, "Cem")
    expect(page.locator("#table")).to_have_attribute("data-stage", "playing")


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_the_rules_are_changed_in_the_lobby(scripts: bool, visitor: Visitor) -> None:
    host, guest = visitor(viewport=PHONE, java_script_enabled=scripts), visitor(viewport=PHONE)
    table = open_table(host, people=None)
    sit(guest, table, "Ben")
    theirs = page_of(guest, table)
    page = page_of(host, table)
    page.locator("#change > summary").click()
    page.locator("label", has_text="Pot").first.click()
    page.get_by_role("textbox", name="Ante").fill("3")
    page.get_by_role("button", name="Save rules").click()
    for shown in (page, theirs):
        expect(shown.locator("body")).to_contain_text("3 chips")
    expect(page.locator("#change")).not_to_have_attribute("open", "")
    expect(page.locator("[id='midnight.stake']")).to_have_value("3")
    expect(theirs.locator("#change")).to_have_count(0)


def test_the_host_plans_with_a_few_taps_and_the_others_see_it(visitor: Visitor) -> None:
    scene = Scene(visitor)
    host, table = scene.table(people=None, rules={"format": "rounds 1"}, pace_ms=0)
    sit(guest := scene.visitor(), table, "Bob")
    mine, others = scene.lay(scene.at(table, host)), scene.lay(scene.at(table, guest))
    assert others.locator("#plan").count() == 0
    mine.locator("#plan > summary").click()
    for length in ("One match", "Best of 3", "All evening"):
        expect(mine.get_by_role("button", name=length)).to_have_attribute(
            "aria-pressed", "true" if length == "One match" else "false"
        )
    mine.get_by_role("button", name="All evening").click()
    expect(others.locator("#planned")).to_have_text(
        "Then 420, then Mexico, then Ship, Captain and Crew, then Threes, then Shut the Box."
    )
    expect(mine.get_by_role("button", name="All evening")).to_have_attribute("aria-pressed", "true")
    mine.get_by_role("button", name="Best of 3").click()
    expect(others.locator("#planned")).to_have_text("Match 1, best of 3.")
    expect(mine.locator("#planned")).to_be_visible()
    mine.locator("#plan-other > summary").click()
    mine.locator("#plan-play").select_option(label="Threes: 5 rounds")
    mine.locator("#plan-more button").click()
    expect(others.locator("#planned")).to_have_text("Match 1, best of 3. Then Threes.")
    ask(host, table, do="start")
    for phone in (host, guest):
        ask(phone, table, do="give")
    expect(mine.locator("#main")).to_have_text("Next match", timeout=60_000)
    expect(others.locator("#planned")).to_contain_text("Next: Midnight, match 2, best of 3.")
    mine.locator("#more > summary").click()
    mine.locator("#plan > summary").click()
    mine.locator("#unplan-1 button").click()
    expect(others.locator("#planned")).not_to_contain_text("Threes")
    others.locator("#more > summary").click()
    others.get_by_role("link", name="The evening", exact=True).last.click()
    expect(others.get_by_role("heading", level=1)).to_have_text("The evening")
