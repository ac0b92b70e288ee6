"""A guest says ready and takes it back, with scripts and without."""

import pytest
from playwright.sync_api import expect

from browser.conftest import Visitor
from support.browser import PHONE, open_table, page_of, sit

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
    page = page_of(guest)
    page.goto(table)
    for place, line in zip((page.locator("#status"), page.locator(".lobby .waiting")), told, strict=True):
        expect(place).to_have_text(line)
        expect(place).to_be_in_viewport(ratio=1)
    expect(page.locator("#seats .more")).to_have_count(0)  # a free seat is a row already
    sit(last, table, "Cem")
    expect(page.locator("#table")).to_have_attribute("data-stage", "playing")
