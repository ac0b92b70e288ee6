"""Players come back in real pages: after a cut connection, a pause, a kill, on another phone. No move is lost or
doubled.
"""

import re
import signal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from browser.looks import RESTED
from browser.page_players import GOES_ON, JOINS, Ear, listen, state_of
from browser.scene import WITH_AN_EAR, Visitor, seated
from pubdice.server.pages import table as table_page
from pubdice.server.table.house import HEARTBEAT_S, PARTS
from pubdice.server.web.static_files import read_static
from support.browser import BEHIND, PHONE, Proxy, ask, context_of, open_table, page_of, sit
from support.house_process import House
from support.steady import measured

USUAL = {"reduced_motion": "reduce", "keep": WITH_AN_EAR}
"""Dice land at once. Other files test how they fall."""
IMPATIENT = """document.addEventListener('readystatechange', () => {
  document.querySelector('#table')?.setAttribute('data-patience', '2');
});"""
"""An init script: the page takes 2 s of silence for a dead connection, instead of 4.7 s."""
ASKED = """window.asked = 0;
window.fetch = (fetch => (...all) => { asked += /[/]events/.test(all[0]); return fetch(...all); })(fetch);"""
LOOKED_AT_AGAIN = """() => {
  const before = asked, now = Date.now;
  Date.now = () => now() + 60_000;
  document.dispatchEvent(new Event('visibilitychange', {bubbles: true}));
  Date.now = now;
  return asked - before;
}"""
"""A script: the page comes into sight after a minute of sleep. Returns the number of streams it asks for at once."""
TWO_ROUNDS = {"format": "rounds 2"}
TEMPLATE = Path(table_page.__file__).with_suffix(".html")


def sits_at(context: BrowserContext, table: str) -> tuple[Page, Ear]:
    """Open the table's page in this context, at whose turn it is. Return the page and its ear."""
    ear = listen(context)
    page = page_of(context, table)
    return page, ear


def same(page: Page, context: BrowserContext, table: str) -> Any:
    """Assert that the page shows the state of the house. Return the view."""
    view = state_of(context, table)["view"]
    expect(page.locator("#main")).to_have_text(view["main"]["label"])
    expect(page.locator("main")).to_have_attribute("data-seq", str(view["seq"]))
    shown, loose = page.locator("#dice .die:visible"), [die for die in view["dice"] if die["status"] != "locked"]
    expect(shown).to_have_count(len(loose))
    for at, die in enumerate(loose):
        expect(shown.nth(at)).to_have_attribute("data-face", str(die["face"]))
        expect(shown.nth(at)).to_have_attribute("data-status", die["status"])
    last = [line["own"].get("0", line["text"]) for line in view["last"][-1:]]
    assert page.locator("#log li").all_text_contents()[-1:] == last
    return view


def roll_and_mark(page: Page) -> None:
    """Roll six dice and keep the first."""
    page.locator("#main").click()
    page.locator("#dice [data-status=free]").first.click()
    expect(page.locator("#main")).to_have_text(re.compile("^Keep ., roll 5"))


def test_a_frozen_house_is_noticed_and_a_killed_one_waited_for_and_everything_is_there(
    chromium: Browser, tmp_path: Path, visitor: Visitor
) -> None:
    """The page should notice within 6 s (``test_a_page_hears_of_a_dead_house_within_six_seconds``). A busy machine gets
    11 s.

    That still finds a page with a patience of 20 s, which needs at least 14 s.
    """
    lost = "The connection is lost. Your seat waits. Trying again."
    with House(tmp_path, *BEHIND) as house:
        context = context_of(chromium, house)
        table = open_table(context, bots=["tip"], rules=TWO_ROUNDS)
        page, ear = sits_at(context, table)
        roll_and_mark(page)
        house.signal(signal.SIGSTOP)
        try:
            expect(page.locator("#connection")).to_have_text(lost, timeout=11_000)
        finally:
            house.signal(signal.SIGCONT)
        expect(page.locator("#connection")).to_be_hidden(timeout=15_000)
        page.keyboard.press("r")
        ear.until(page, "^(You|Ann) kept")
        ear.until(page, "^(You|Ann) rolled")
        said = [text for text in ear.texts if "onnect" in text]
        assert (said[0][:22], said[-1]) == ("The connection is lost", "Connected again.")
        assert sum(text.startswith("You rolled") for text in ear.texts) == 2

        page.wait_for_function(RESTED)
        page.locator("#dice [data-status=free]").first.click()
        expect(page.locator("#main")).to_have_text(re.compile("roll 4"))
        before = state_of(context, table)["view"]
        house.kill()
        expect(page.locator("#connection")).to_be_visible(timeout=10_000)
        page.locator("#dice [data-status=free]").first.click()
        house.open()
        expect(page.locator("#connection")).to_be_hidden(timeout=15_000)
        expect(page.locator("#dice [data-status=marked]")).to_have_count(2)
        expect(page.locator("main")).to_have_attribute("data-seq", str(before["seq"] + 1))
        after = same(page, context, table)
        assert [die["face"] for die in after["dice"]] == [die["face"] for die in before["dice"]]
        assert after["seq"] == before["seq"] + 1, "the mark counted once"
        page.keyboard.press("r")
        ear.until(page, "^(You|Ann) kept")
        ear.until(page, "^(You|Ann) rolled")
        assert [text for text in ear.texts if "onnect" in text][len(said) :] == [lost, "Connected again."]
        assert sum(text.startswith("You rolled") for text in ear.texts) == 3
        context.close()


def test_a_page_hears_of_a_dead_house_within_six_seconds() -> None:
    """Check by the code that a page waits longer than the longest silence of a healthy house, and tells the player
    within 6 s.
    """
    line, page = read_static("line.js").decode(), TEMPLATE.read_text(encoding="utf-8")
    silence, said = re.search(r"frame.pocket else ([\d.]+) ", page), re.search(r"missing\(patience_ms / (\d)\)", line)
    assert silence
    assert said
    silence_s = float(silence[1])
    assert silence_s > HEARTBEAT_S + HEARTBEAT_S / PARTS + 3.0, "a heartbeat may be three seconds late"
    assert silence_s + silence_s / int(said[1]) < 6.0


@pytest.mark.parametrize(
    ("impatient", "within_ms"),
    [pytest.param(True, 6_000, id="2 s"), pytest.param(False, 12_000, id="4.7 s", marks=pytest.mark.nightly)],
)
def test_a_wire_gone_silent_is_found_and_at_once_by_who_looks_again(
    impatient: bool, within_ms: int, visitor: Visitor, wire: Proxy
) -> None:
    """Test a phone that was in a pocket: its scripts stood still, and its connection died without notice."""
    context, beside = visitor(port=wire.port), visitor()
    context.add_init_script(ASKED)
    if impatient:
        context.add_init_script(IMPATIENT)
    table = open_table(beside, "Bob", people=2, rules=TWO_ROUNDS)
    page, ear = sits_at(context, table)
    page.locator("#sit [name=name]").fill("Ann")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("#heading")).to_have_text("Bob's turn")
    for how_often, marks in enumerate(({}, {"marks": [0]}), 1):
        page.wait_for_timeout(300)
        wire.fall_silent()
        assert ask(beside, table, do="roll", **marks) == 200
        if how_often == 2:
            assert page.evaluate(LOOKED_AT_AGAIN) == 1, "at once, not when its patience is over"
        found = ear.until(page, "^The connection is lost|^Bob rolled", within_ms)
        if not found[0].startswith("Bob"):  # the browser first tries its other open connections, which are all dead
            ear.until(page, "^Bob rolled", within_ms)
        assert sum(text.startswith("Bob rolled") for text in ear.texts) == how_often
        expect(page.locator("#dice .die:visible")).to_have_count(7 - how_often)


def test_back_and_forward_show_the_table_as_it_is_now(visitor: Visitor) -> None:
    (context, _), table = seated(visitor, "Bob", rules=TWO_ROUNDS)
    page, ear = sits_at(context, table)
    roll_and_mark(page)
    page.locator("#menu > summary").click()
    page.get_by_role("link", name="Rules", exact=True).click()
    page.wait_for_url("**/rules/midnight")
    assert ask(context, table, do="roll") == 200
    page.go_back()
    expect(page.locator("#dice")).to_have_attribute("data-rolls", "2")
    same(page, context, table)
    page.locator("#dice [data-status=free]").first.click()
    page.go_forward()
    page.go_back()
    expect(page.locator("#dice [data-status=marked]")).to_have_count(1)
    same(page, context, table)
    assert ear.faults == []


@pytest.mark.nightly
def test_a_seat_is_taken_on_another_phone_by_its_four_words_and_both_stay_in_step(visitor: Visitor) -> None:
    laptop, phone = visitor(), visitor()
    table = open_table(laptop, bots=["tip"], rules=TWO_ROUNDS)
    page, ear = sits_at(laptop, table)
    page.locator("#menu > summary").click()
    page.locator("#mine > summary").click()
    words = page.locator(".four").inner_text()
    other, heard = sits_at(phone, table)
    other.locator("summary", has_text="another phone").click()
    other.locator("#four").fill("four wrong words here")
    other.get_by_role("button", name="Continue here").click()
    heard.until(other, "^No seat at this table has those four words")
    expect(other.locator("#four")).to_be_focused()
    expect(other.locator("#four")).to_have_attribute("aria-invalid", "true")
    expect(other.locator("#four")).to_have_accessible_description(
        re.compile("^No seat at this table has those four words")
    )
    other.locator("#four").fill(words.upper())
    other.get_by_role("button", name="Continue here").click()
    expect(other.locator("#main")).to_have_text("Roll 6 dice")
    ear.until(page, "^You have this seat on another phone too")
    other.locator("#main").click()
    expect(page.locator("#dice .die:visible")).to_have_count(6)
    page.wait_for_function(RESTED)
    page.locator("#dice .die").nth(2).click()
    expect(other.locator("#dice .die").nth(2)).to_have_attribute("aria-pressed", "true")
    other.locator("#dice .die").nth(4).click()
    expect(page.locator("#dice [aria-pressed=true]")).to_have_count(2)
    page.keyboard.press("r")
    for each in (page, other):
        expect(each.locator("#dice")).to_have_attribute("data-rolls", "2")
        expect(each.locator("#dice [data-status=locked]")).to_have_count(2)
        same(each, laptop, table)


@pytest.mark.nightly
def test_a_lost_seat_is_voted_a_bot_and_given_back_on_return(visitor: Visitor) -> None:
    (ann, bob), table = seated(visitor, "Bob", grace_s=0, rules={"format": "rounds 3"})
    other, _ = sits_at(bob, table)
    page, ear = sits_at(ann, table)
    expect(other.locator("#main")).to_be_hidden()
    other.close()
    ear.until(page, r"^Bob has lost the connection\.", 15_000)  # after 4 s at one house, up to 12 s over two houses
    page.get_by_role("button", name="Vote: bot for Bob").click()
    ear.until(page, r"^A bot.* plays for Bob\b")
    other = page_of(bob, table)
    ear.until(page, r"^Bob plays again\.")
    expect(other.locator("#seats [data-seat='1']")).to_have_attribute("data-kind", "person")


def test_a_rematch_by_one_tap_brings_everybody_along(visitor: Visitor) -> None:
    (ann, bob), table = seated(visitor, "Bob", bots=["tip"])
    (page, ear), (other, heard) = sits_at(ann, table), sits_at(bob, table)
    for context in (ann, bob):
        ask(context, table, do="give")
    ear.until(page, " wins? |tie", 20_000)
    expect(page.locator("#result")).to_be_visible()
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: not url.split("#")[0].endswith(table))
    heard.until(other, GOES_ON)
    other.get_by_role("button", name=JOINS).click()
    other.wait_for_url(lambda url: table not in url)
    expect(other.locator("#seats .name")).to_have_text(page.locator("#seats .name").all_text_contents())
    assert sorted(page.locator("#seats .name").all_text_contents()) == ["Ann", "Bob", "Tip"]
    assert other.url.split("#")[0] == page.url.split("#")[0]


@pytest.mark.nightly
def test_the_end_is_not_shown_before_its_style(visitor: Visitor) -> None:
    """Without the style sheet a die is as wide as the page, and the buttons are out of sight."""
    context = visitor(viewport=PHONE, keep="")
    page, held = page_of(context), list[Route]()
    page.route("**/over.css", lambda style: held.append(style))  # noqa: PLW0108 - Playwright marks what it is given
    table = open_table(context, people=2, game="420", rules={"format": "race"}, dice="real")
    sit(visitor(), table, "Ben")
    page.goto(table)
    with page.expect_request("**/over.css"):
        assert ask(context, table, do="enter", dice="5555") == 200
    page.wait_for_timeout(300)
    assert page.locator("#result").count() == 0
    expect(page.locator("#main")).to_be_visible()
    for style in held:
        style.continue_()
    expect(page.get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)
    assert measured(page.locator("#won > *").first, "die => die.getBoundingClientRect().width") < 100
    page.locator("head link[href*=over]").wait_for(state="detached")
