"""Lessons (warnings of costly choices) and chances on real pages: seen, announced, by keys and without scripts."""

import pytest
from playwright.sync_api import Page, expect

from browser.page_players import listen, ready
from browser.scene import WITH_AN_EAR, Visitor, seated
from support.browser import page_of

USUAL = {"reduced_motion": "reduce", "keep": WITH_AN_EAR}
"""Dice land at once. Other files test how they fall."""
ROLL = "2 6 4 1 3 5"
SOLVED_MS = 60_000


def entered(page: Page) -> None:
    """Type in real dice. To keep the 2 alone is a bad choice."""
    page.locator("#line").fill(ROLL)
    page.locator("#line").press("Enter")
    expect(page.locator("#dice .die[data-face='6']")).to_be_visible()


@pytest.fixture
def most_warnings() -> int:
    """Return the most warnings of one choice. Each house remembers only its own warnings."""
    return 1


def test_a_costly_choice_is_heard_and_nothing_happens_until_it_is_made_again(
    visitor: Visitor, most_warnings: int
) -> None:
    (ann, bob), table = seated(visitor, "Bob", dice="real", rules={"format": "rounds 2"}, lessons=2, chances=True)
    ear = listen(ann)
    page, watching = page_of(ann), page_of(bob)
    for one in (page, watching):
        one.goto(table)
        ready(one)
    first = watching.locator("#chances b").first
    expect(first).to_be_visible(timeout=SOLVED_MS)
    begun = first.inner_text()
    entered(page)
    expect(first).not_to_have_text(begun)
    after = first.inner_text()
    expect(page.locator("#chances b").first).to_have_text(after)

    page.locator("#ask-hint").click()
    expect(page.locator("#hinting .hint")).to_contain_text("Keep 6 is best")
    ear.until(page, "Keep 6 is best")
    expect(watching.locator("#ask-hint")).to_be_hidden()
    page.locator("#dice .die[data-face='2']").click()
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_contain_text("Keep 2 loses")
    expect(first).to_have_text(after)
    ear.until(page, r"Keep 2 loses .*Nothing has happened yet\. If you mean it, do it again\.")
    for _ in range(most_warnings):
        with page.expect_response(table) as answered:
            page.locator("#main").click()
        if answered.value.ok:
            break
    expect(page.locator("#dice .die[data-status=locked]")).to_have_count(1)
    expect(first).not_to_have_text(after)
    expect(page.locator("#hinting .hint")).to_be_empty()
