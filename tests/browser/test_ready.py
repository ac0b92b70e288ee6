"""A guest says ready and takes it back, with scripts and without."""

import pytest
from playwright.sync_api import expect

from browser.conftest import Visitor
from support.browser import PHONE, open_table, sit


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_ready_is_said_and_taken_back(scripts: bool, visitor: Visitor) -> None:
    host, guest = visitor(viewport=PHONE), visitor(viewport=PHONE, java_script_enabled=scripts)
    table = open_table(host, people=None)
    sit(guest, table, "Ben")
    page, theirs = host.new_page(), guest.new_page()
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
