"""The evening is planned on the page, in the lobby and between matches, and everybody sees what comes next."""

from playwright.sync_api import expect

from browser.conftest import Visitor
from browser.scene import Scene
from support.browser import ask, sit


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
