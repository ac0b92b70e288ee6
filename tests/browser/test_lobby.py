"""The lobby on real pages, with scripts and without: rules are changed, an evening is planned, guests say ready."""

import pytest
from playwright.sync_api import expect

from browser.scene import Scene, Visitor
from support.browser import PHONE, ask, open_table, page_of, sit

USUAL = {"keep": "plain"}


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
    expect(page.locator("#seats .more")).to_have_count(0)  # a free seat is a row already
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
