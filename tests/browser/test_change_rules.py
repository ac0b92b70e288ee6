"""The host changes the rules in the lobby, with scripts and without; who has come already sees it."""

import pytest
from playwright.sync_api import expect

from browser.conftest import Visitor
from support.browser import PHONE, open_table, page_of, sit

USUAL = {"keep": "plain"}


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_the_rules_are_changed_in_the_lobby(scripts: bool, visitor: Visitor) -> None:
    host, guest = visitor(viewport=PHONE, java_script_enabled=scripts), visitor(viewport=PHONE)
    table = open_table(host, people=None)
    sit(guest, table, "Ben")
    theirs = page_of(guest)
    theirs.goto(table)
    page = page_of(host)
    page.goto(table)
    page.locator("#change > summary").click()
    page.locator("label", has_text="Pot").first.click()
    page.get_by_role("textbox", name="Ante").fill("3")
    page.get_by_role("button", name="Save rules").click()
    for shown in (page, theirs):
        expect(shown.locator("body")).to_contain_text("3 chips")
    expect(page.locator("#change")).not_to_have_attribute("open", "")
    expect(page.locator("[id='midnight.stake']")).to_have_value("3")
    expect(theirs.locator("#change")).to_have_count(0)
