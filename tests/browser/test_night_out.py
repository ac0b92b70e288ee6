"""An evening of four at phones: sealed dice, a lesson, one of them by ear alone, and what they do afterwards."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.page_players import ByEar, listen
from browser.states import Visitor
from pubdice.match.sealed_record import check_dice
from support.browser import PHONE, ask

SLOW_MS = 30_000


@pytest.mark.nightly
def test_four_at_phones_play_sealed_dice_and_settle_everything(visitor: Visitor, tmp_path: Path) -> None:
    ann = visitor(viewport=PHONE, has_touch=True, permissions=["clipboard-read", "clipboard-write"])
    bob, cid, dee = visitor(viewport=PHONE, java_script_enabled=False), visitor(viewport=PHONE), visitor(viewport=PHONE)
    table = _opened(page := ann.new_page())
    words = page.locator(".words li").all_inner_texts()

    ear = listen(cid)
    others = {"Bob": bob.new_page(), "Cid": cid.new_page(), "Dee": dee.new_page()}
    for name, phone in others.items():
        phone.goto(table)
        phone.get_by_label("Your name").fill(name)
        phone.get_by_role("button", name="Sit down").click()
        expect(phone.locator(".words li").first).to_be_visible()
        assert phone.locator(".words li").all_inner_texts() == words, name
    others["Bob"].get_by_label("Your own seed").fill("two pints")
    others["Bob"].locator("#seed button").click()
    start = page.get_by_role("button", name="Start with 4 players")
    expect(start).to_be_visible()
    start.tap()
    expect(page.locator("main[data-stage=playing]")).to_be_attached()

    _lesson_is_taken(page)  # then a bot goes on for Ann, as for Bob and Dee; Cid plays by ear
    for who in (ann, bob, dee):
        assert ask(who, table, do="give") == 200
    player = ByEar(others["Cid"], ear, "Cid", "midnight")
    assert player.play(), ear.texts
    expect(page.locator("#result")).to_be_visible()

    record = ann.request.get(f"{table}/record").text()
    _receipt_is_shared(page)
    _argument_is_settled(page, bob.new_page())
    _dice_are_checked_without_the_house(page, visitor().new_page(), record, words, tmp_path)
    _last_orders_is_played(others["Cid"])


def _opened(page: Page) -> str:
    """Ann opens a table by touch: Midnight, one round, sealed dice."""
    page.goto("/")
    page.locator("#name").fill("Ann")
    page.locator("#open summary", has_text="House rules").tap()
    page.locator("[id='midnight.rounds']").select_option("1")
    page.get_by_label("Lessons").select_option("1")
    page.get_by_label("Sealed").tap()
    page.get_by_role("button", name="Play with friends").tap()
    expect(page.get_by_role("heading", name="The dice are sealed")).to_be_visible()
    return page.url.partition("#")[0]


def _lesson_is_taken(page: Page) -> None:
    """Ann rolls, keeps the single die that loses most, is warned, asks for a hint, and keeps what it names."""
    page.locator("#main").tap()
    dice = page.locator("#dice .die[data-status=free]")
    expect(dice).to_have_count(6)
    roll = "".join(str(dice.nth(place).get_attribute("data-face")) for place in range(6))
    asked = f"/ask/midnight?roll={roll}&goal=win&to-come=3"
    known = 0
    while known < 12:  # in a row: of two houses each has solved it
        answer = page.request.get(asked, headers={"accept": "application/json"})
        known = 0 if answer.status == 202 else known + 1
        if not known:
            page.wait_for_timeout(500)
    worst = [choice["keep"][0] for choice in answer.json()["actions"] if len(choice["keep"]) == 1][-1]
    page.locator(f"#dice .die[data-face='{worst}']").first.tap()
    page.locator("#main").tap()
    expect(page.locator("#refusal")).to_contain_text(f"Keep {worst} loses")
    page.locator(f"#dice .die[data-face='{worst}']").first.tap()
    expect(page.locator("#dice .die[data-status=marked]")).to_have_count(0)
    hint = page.locator("#hinting .hint")
    for _ in range(20):  # a house that has not solved it before takes a while, and says so
        page.locator("#ask-hint").tap()
        expect(hint).to_contain_text(re.compile("is best|Ask again"), timeout=SLOW_MS)
        if "is best" in hint.inner_text():
            break
        page.wait_for_timeout(1_000)
    told = re.search(r"Keep ([\d ]+) is best", hint.inner_text())
    assert told
    for face in told[1].split():
        page.locator(f"#dice .die[data-status=free][data-face='{face}']").first.tap()
    expect(page.locator("#dice .die[data-status=marked]")).to_have_count(len(told[1].split()))
    page.locator("#main").tap()
    expect(page.locator("#dice .die[data-status=locked]")).to_have_count(len(told[1].split()))


def _receipt_is_shared(page: Page) -> None:
    page.get_by_role("link", name="What decided it").tap()
    expect(page.locator("#share")).to_be_visible(timeout=SLOW_MS)
    page.evaluate("navigator.share = undefined")
    page.get_by_role("button", name="Copy").tap()
    expect(page.locator("[aria-live=polite]").filter(has_text="Copied.")).to_be_attached()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.split() == page.locator("#share").inner_text().split()
    assert copied.strip().endswith("/receipt")


def _argument_is_settled(page: Page, stranger: Page) -> None:
    """A choice of the match, by its link, on a phone without scripts that was never at the table."""
    page.locator("summary", has_text="How this is counted").tap()
    page.get_by_text(re.compile(r"^All \d+ choices$")).tap()
    link = page.locator("details[open] details[open] a[href*='/ask/']").first
    stranger.goto(str(link.get_attribute("href")))
    expect(stranger.locator("#answer")).to_be_visible(timeout=SLOW_MS)
    expect(stranger.locator("main")).to_contain_text("That was played.")


def _dice_are_checked_without_the_house(
    page: Page, elsewhere: Page, record: str, words: list[str], folder: Path
) -> None:
    page.goto("/verify")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save this page").tap()
    saved.value.save_as(alone := folder / "verify.html")
    (proof := folder / "match.record").write_text(record)
    elsewhere.context.set_offline(True)
    elsewhere.goto(alone.as_uri())
    elsewhere.locator("#files").set_input_files(proof)
    rolls = check_dice(record).rolls
    expect(elsewhere.locator(".stamp")).to_have_text(f"✓ {rolls} of {rolls} rolls")
    assert elsewhere.locator("#answer .words li").all_inner_texts() == words


def _last_orders_is_played(page: Page) -> None:
    page.goto("/daily")
    expect(page.locator(".answers")).to_be_visible(timeout=SLOW_MS)
    page.locator(".answers button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#line")).to_contain_text("1 day")
