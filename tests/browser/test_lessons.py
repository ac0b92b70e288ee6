"""Lessons and chances on real pages: seen, heard, by keys and without scripts."""

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from browser.conftest import WITH_AN_EAR, Visitor
from browser.page_players import listen, ready
from support.browser import ask, open_table, page_of, sit

USUAL = {"reduced_motion": "reduce", "keep": WITH_AN_EAR}
"""Dice lie at once: how they fall is seen in other files."""
ROLL = "2 6 4 1 3 5"
SOLVED_MS = 60_000


def entered(page: Page) -> None:
    """Type in real dice, of which a 2 alone is a bad keep."""
    page.locator("#line").fill(ROLL)
    page.locator("#line").press("Enter")
    expect(page.locator("#dice .die[data-face='6']")).to_be_visible()


@pytest.fixture
def most_warnings() -> int:
    """How often a choice may be warned of: each house remembers its own warnings alone."""
    return 1


def test_a_costly_choice_is_heard_and_nothing_happens_until_it_is_made_again(
    visitor: Visitor, most_warnings: int
) -> None:
    ann, bob = visitor(), visitor()
    table = open_table(ann, people=2, dice="real", rules={"format": "rounds 2"}, lessons=2, chances=True)
    sit(bob, table, "Bob")
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


def test_chances_are_heard_after_a_turn_and_their_table_opens_by_keys(visitor: Visitor) -> None:
    ann = visitor()
    table = open_table(ann, people=1, bots=["tip"], rules={"format": "rounds 9"}, chances=True, pace_ms=400)
    ear = listen(ann)
    page = page_of(ann)
    streams: list[str] = []
    page.on("request", lambda request: streams.append(request.url) if "/events" in request.url else None)
    page.goto(table)
    ready(page)
    expect(page.locator("#chances b").first).to_be_visible(timeout=SOLVED_MS)
    streams.clear()
    summary = page.locator("#chances summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#chances tbody tr").first).to_be_visible()
    ask(ann, table, do="roll")
    expect(page.locator("#chances tbody tr")).to_have_count(2)
    expect(summary).to_be_focused()
    ask(ann, table, do="give")
    ear.until(page, "^Tip's turn")
    ask(ann, table, do="pause")  # a busy machine would stay behind bots that go on
    ear.until(page, r"^Chances: You \d+\.\d%, Tip \d+\.\d%\.$")
    assert page.locator("#key-chances").input_value() == "C"
    page.locator("#heading").focus()
    page.keyboard.press("c")
    ear.until(page, r"^You \d+\.\d%, Tip \d+\.\d%\.$")
    assert not streams, "chances end no stream"


def test_without_scripts_the_page_has_hints_warnings_and_chances(visitor: Visitor) -> None:
    ann = visitor(java_script_enabled=False)
    table = open_table(ann, people=1, bots=["tip"], dice="real", rules={"format": "rounds 2"}, lessons=2, chances=True)
    page = page_of(ann)
    for _ in range(60):
        page.goto(table)
        if page.locator("#chances b").count():
            break
        page.wait_for_timeout(500)
    page.locator("#line").fill(ROLL)
    page.locator("#typed button").click()
    page.locator("#ask-hint").click()
    expect(page.locator("#hinting .hint")).to_contain_text("Keep 6 is best")
    page.locator("#dice .die[data-face='2']").click()
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_contain_text("Keep 2 loses")
    page.locator("#main").click()
    expect(page.locator("#dice .die[data-status=locked]")).to_have_count(1)


def test_a_hint_that_comes_after_the_next_roll_is_neither_shown_nor_said(visitor: Visitor) -> None:
    ann, held = visitor(keep=""), list[tuple[Route, APIResponse]]()
    table = open_table(ann, people=1, bots=["tip"], dice="real", rules={"format": "rounds 2"}, lessons=2)
    ear = listen(ann)
    page = page_of(ann)

    def hold(route: Route) -> None:
        if '"hint"' in (route.request.post_data or ""):
            held.append((route, route.fetch()))
        else:
            route.continue_()

    page.goto(table)
    ready(page)
    entered(page)
    told = page.locator("#hinting .hint")
    for _ in range(SOLVED_MS // 1000):
        page.locator("#ask-hint").click()
        page.wait_for_timeout(1000)
        if "is best" in told.inner_text():  # the house has worked it out
            break
    ear.settle(page)
    page.route("**/*", hold)
    page.locator("#ask-hint").click()
    for _ in range(SOLVED_MS // 100):
        page.wait_for_timeout(100)
        if held:
            break
    ask(ann, table, do="type", text="k 6 r")  # on another page: this one sends nothing before it has its answer
    ask(ann, table, do="type", text="5 5 4 3 2")
    expect(page.locator("#dice .die[data-face='5']")).to_have_count(2)
    route, answer = held[0]
    assert "Keep 6 is best" in answer.text()
    with page.expect_response(lambda response: '"hint"' in (response.request.post_data or "")):
        route.fulfill(response=answer)
    page.wait_for_timeout(300)
    expect(told).to_be_empty()
    assert not [line for line in ear.settle(page) if "is best" in line]
    page.unroute("**/*")
    page.locator("#ask-hint").click()
    expect(told).to_contain_text("is best")
