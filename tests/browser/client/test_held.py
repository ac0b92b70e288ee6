"""Requests that never get an answer: each has a limit, is sent again, and the page says so and goes on."""

import pytest
from playwright.sync_api import BrowserContext, expect

from browser.client.page import Open, heard
from browser.scripted_house import House, page_html, update, view

LIMITS = """AbortSignal.timeout = ms => {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), ms);
  return limit.signal;
}"""
"""An init script: limits go by the page's clock, which a test moves on."""
LOST, BACK = "Connection lost, trying again.", "Back."


def test_a_page_of_the_house_that_never_comes_is_asked_for_again_and_the_match_goes_on(
    visit: Open, house: House, context: BrowserContext
) -> None:
    context.clock.install()
    context.add_init_script(LIMITS)
    page, line = visit(view(0, 6, 4), patience=600)
    hung = house.hang("page")
    house.html = page_html(seq=1, shape=1, extra="<p id='new'>New.</p>", patience=600)
    line.send(update(1, "Cy sits down.", shape=1))
    assert hung.wait(5)
    expect(page.locator("#connection")).to_be_hidden()
    context.clock.run_for(4_000)
    expect(page.locator("#connection")).to_have_text(LOST)
    heard(page, LOST, urgent=True)
    context.clock.run_for(8_000)
    expect(page.locator("#new")).to_have_text("New.")
    expect(page.locator("#connection")).to_be_hidden()
    heard(page, "Cy sits down.", BACK)
    heard(page, LOST, urgent=True)


def test_a_command_that_gets_no_answer_is_sent_again_under_its_key(
    visit: Open, house: House, context: BrowserContext
) -> None:
    context.clock.install()
    context.add_init_script(LIMITS)
    page, _ = visit(view(0, ask="roll"), patience=600)
    hung = house.hang("command")
    page.locator("#main").click()
    assert hung.wait(5)
    context.clock.run_for(2_000)
    expect(page.locator("#connection")).to_have_text("Sending.")
    context.clock.run_for(11_000)
    first, second = house.posted(2)
    assert first["key"] == second["key"]
    expect(page.locator("#connection")).to_be_hidden()


def test_a_stream_that_never_begins_is_asked_for_again(visit: Open, house: House, context: BrowserContext) -> None:
    context.clock.install()
    context.add_init_script(LIMITS)
    page, line = visit(view(0, ask="roll"), patience=20)
    hung = house.hang("stream")
    line.cut()
    expect(page.locator("#main")).to_be_visible()
    context.clock.run_for(1_000)
    assert hung.wait(5)
    context.clock.run_for(3_000)
    expect(page.locator("#connection")).to_have_text(LOST)
    context.clock.run_for(6_000)
    house.line().send(update(1, "On we go."))
    heard(page, BACK, "On we go.")
    expect(page.locator("#connection")).to_be_hidden()


@pytest.mark.parametrize("wait_s", [1, 60])
def test_a_move_that_came_too_fast_is_sent_again_when_the_house_takes_it_unless_that_is_long(
    visit: Open, house: House, context: BrowserContext, wait_s: int
) -> None:
    context.clock.install()
    context.add_init_script(LIMITS)
    page, _ = visit(view(0, ask="roll"), patience=600)
    house.rests_s = wait_s
    house.answers.append((429, {"code": "often", "why": "Too fast."}))
    page.locator("#main").click()
    house.posted(1)
    if wait_s > 10:
        expect(page.locator("#refusal")).to_have_text("Too fast.")
        return
    page.wait_for_timeout(200)
    context.clock.run_for(2_000)
    first, second = house.posted(2)
    assert first["key"] == second["key"]
    expect(page.locator("#refusal")).to_be_hidden()
