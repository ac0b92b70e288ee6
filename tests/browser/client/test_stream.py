"""The page announces the events of its stream, and keeps its connection alive."""

import re
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import BrowserContext, expect

from browser.client.page import Open, heard, said
from browser.scripted_house import House, page_html, update, view
from pubdice.server.pages import table as table_page
from pubdice.server.table.house import HEARTBEAT_S, PARTS

TEMPLATE = Path(table_page.__file__).with_suffix(".html")


def test_what_comes_together_is_said_once_each_and_in_order(visit: Open) -> None:
    page, line = visit()
    line.send(update(1, "Ada rolled 1 2."), update(2, "Ada kept 1.", "Score 3."), update(3, "Bob is next."))
    heard(page, "Ada rolled 1 2.", "Ada kept 1.", "Score 3.", "Bob is next.")
    heard(page, urgent=True)
    story = ["Before.", "Ada rolled 1 2.", "Ada kept 1.", "Score 3.", "Bob is next."]
    expect(page.locator("#log li")).to_have_text(story)
    expect(page.locator("main")).to_have_attribute("data-seq", "3")


def test_the_same_words_again_are_a_new_line_and_pieces_of_a_message_make_one(visit: Open) -> None:
    page, line = visit()
    whole = update(2, "Bob rolled 6.")
    line.send(update(1, "Bob rolled 6."), whole[:40])
    heard(page, "Bob rolled 6.")
    line.send(whole[40:])
    heard(page, "Bob rolled 6.", "Bob rolled 6.")


def test_what_is_urgent_goes_to_the_assertive_region_and_brief_wording_leaves_the_rest_out(visit: Open) -> None:
    page, line = visit()
    said = (
        {"text": "Which dice?", "level": 1, "urgent": False},
        {"text": "Cy nudges Ada.", "level": 0, "urgent": True},
        "So.",
    )
    line.send(update(1, *said))
    heard(page, "Which dice?", "So.")
    heard(page, "Cy nudges Ada.", urgent=True)
    page.locator("#keys summary").click()
    page.locator("#keys [name=wording]").select_option("brief")
    line.send(update(2, *said))
    heard(page, "Which dice?", "So.", "So.")


def test_the_regions_do_not_grow_without_end(visit: Open, context: BrowserContext) -> None:
    context.clock.install(time=0)
    page, line = visit(patience=600)
    context.clock.pause_at(60)
    line.send(update(1, "One."))
    heard(page, "One.")
    line.send(update(2, *map(str, range(2, 1400))))
    expect(page.locator("#log li").last).to_have_text("1399")
    context.clock.run_for(2_000)
    assert said(page) == ["One.", *[f"{number}." for number in range(400, 1400)]]
    line.send(": pulse\n\n")
    line.send(update(3, "later"))
    heard(page, "One.", *[f"{number}." for number in range(400, 1400)], "later.")
    assert said(page)[-1] == "later."
    context.clock.run_for(4_500)
    assert said(page) == ["later."]


def test_after_a_cut_it_goes_on_from_the_last_event_and_says_nothing_twice(visit: Open, house: House) -> None:
    page, line = visit()
    line.send(update(1, "One."), update(2, "Two."))
    heard(page, "One.", "Two.")
    line.cut()
    again = house.line()
    assert again.begun == 2
    again.send(update(2, "Two."), update(3, "Three."))
    heard(page, "One.", "Two.", "Three.")
    heard(page, urgent=True)


def test_a_line_that_is_half_open_is_found_and_a_pulse_keeps_one_alive(visit: Open, house: House) -> None:
    page, line = visit(patience=1)
    page.evaluate("Math.random = () => 0")  # it reconnects first, long before it would announce the loss
    for _ in range(4):
        line.send(": pulse\n\n")
        page.wait_for_timeout(400)
    assert house.lines.empty()
    again = house.line()
    again.send(update(1, "Still here."))
    heard(page, "Still here.")


def test_a_house_that_stands_still_for_three_seconds_loses_no_page_and_after_longer_they_come_spread_out(
    visit: Open, context: BrowserContext
) -> None:
    """Run 60 phones at a table on one virtual clock. The house stops just before a heartbeat.

    With a heartbeat each 3 s and a patience of 4.5 s, a stop of 1.7 s would make all phones reconnect within 0.1 s.
    """
    context.clock.install()
    page, _ = visit()
    patience_s = re.search(r"frame.pocket else ([\d.]+) ", TEMPLATE.read_text(encoding="utf-8"))
    assert patience_s
    beat_ms = round(1_000 * HEARTBEAT_S)
    page.evaluate("dispatchEvent(new Event('pagehide'))")  # closes the page's own stream
    page.evaluate(CROWD, {"pages": 60, "parts": PARTS, "beat": beat_ms, "patience": 1_000 * float(patience_s[1])})
    asked: dict[int, list[int]] = {}
    for still_ms in (1_700, 2_500, 3_000, 3_700, 5_000):
        page.evaluate("still_ms => { crowd.asked = []; crowd.stops = still_ms }", still_ms)
        context.clock.run_for(beat_ms + still_ms + beat_ms)
        asked[still_ms] = sorted(page.evaluate("crowd.asked"))
        assert page.evaluate("crowd.open.size") == 60
    assert [len(asked[still_ms]) for still_ms in (1_700, 2_500, 3_000)] == [0, 0, 0]
    assert 15 < len(asked[3_700]) < 45, "those that hear it in time stay"
    assert len(asked[5_000]) == 60, "each once"
    assert all(sum(begin <= at < begin + 100 for at in asked[5_000]) <= 15 for begin in asked[5_000])


CROWD = """async ({pages, parts, beat, patience}) => {
  const {listen} = await import('/static/line.js'), told = new TextEncoder();
  const crowd = window.crowd = {open: new Map(), asked: [], waiting: [], stops: 0, still: false};
  let seed = 1;
  Math.random = () => (seed = seed * 48271 % 2147483647) / 2147483647;
  const begin = (address, signal) => new Response(new ReadableStream({start: stream => {
    stream.enqueue(told.encode('retry: 1000\\n\\n'));
    crowd.open.set(address, stream);
    signal.addEventListener('abort', () => crowd.open.get(address) === stream && crowd.open.delete(address));
  }}), {headers: {'Content-Type': 'text/event-stream'}});
  window.fetch = (address, {signal}) => new Promise((answer, refuse) => {
    crowd.asked.push(Date.now());
    signal.addEventListener('abort', () => refuse(signal.reason));
    const hear = () => signal.aborted || answer(begin(address, signal));
    if (crowd.still) crowd.waiting.push(hear); else hear();
  });
  const send = part => {
    if (!part && crowd.stops) {
      crowd.still = true;
      setTimeout(go, crowd.stops);
      crowd.stops = 0;
    }
    if (crowd.still) return crowd.waiting.push(() => send(part));
    if (!part) for (const stream of crowd.open.values()) stream.enqueue(told.encode(': heartbeat\\n\\n'));
    setTimeout(send, beat / parts, (part + 1) % parts);
  };
  const go = () => {
    crowd.still = false;
    for (const late of crowd.waiting.splice(0)) late();
  };
  for (let page = 0; page < pages; page++) listen(() => page, patience, () => true, () => {}).renew();
  send(0);
}"""
"""A script: many phones' streams of one table, and a house that sends heartbeats like the real one, or stops."""


def test_a_gap_is_not_told_of_but_asked_for(visit: Open, house: House) -> None:
    page, line = visit()
    line.send(update(1, "One."), update(3, "Three."))
    again = house.line()
    assert again.begun == 1
    heard(page, "One.")
    again.send(update(3, "Two.", "Three.", log=2))
    heard(page, "One.", "Two.", "Three.")


def test_a_house_that_is_gone_is_said_once_and_so_is_its_return(visit: Open, house: House) -> None:
    page, line = visit()
    house.shut = True
    line.cut()
    expect(page.locator("#connection")).to_be_visible()
    heard(page, "Connection lost, trying again.", urgent=True)
    house.shut = False
    house.line()
    expect(page.locator("#connection")).to_be_hidden()
    heard(page, "Back.")
    heard(page, "Connection lost, trying again.", urgent=True)


def test_a_device_without_a_network_says_so_at_once_and_comes_back_by_itself(visit: Open, house: House) -> None:
    page, _ = visit()
    page.evaluate("dispatchEvent(new Event('offline'))")
    heard(page, "Connection lost, trying again.", urgent=True)
    again = house.line()
    again.send(update(1, "On."))
    heard(page, "Back.", "On.")
    expect(page.locator("#connection")).to_be_hidden()
    heard(page, "Connection lost, trying again.", urgent=True)


def test_the_page_says_nothing_as_it_comes_that_a_reader_reads_anyway_and_the_first_w_is_answered(
    visit: Open, house: House
) -> None:
    page, line = visit()
    line.send(update(0, event="view"))
    expect(page.locator("#heading")).to_be_visible()
    heard(page)
    line.send(update(1, "On.", shape=1), update(1, event="view", shape=1))
    line.cut()
    house.line().send(update(1, event="view"))
    heard(page, "On.")
    page.keyboard.press("w")
    heard(page, "On.", "Bob is next.")
    page.reload()
    line = house.line()
    line.send(update(1, "News."), update(1, event="view"), update(2, "Then."))
    heard(page, "News.", "Then.")


def test_what_happened_before_a_match_while_the_page_came_is_drawn(visit: Open, house: House) -> None:
    """Another tab may send a seed between the page's load and its stream. The page must then not ask for it."""
    page, line = visit()
    house.html = page_html(seq=1, extra="<p id='new'>1</p>")
    line.send(update(1, event="view", stage="gathering"))
    expect(page.locator("#new")).to_have_text("1")


def test_an_update_is_one_node_and_what_comes_close_behind_it_another(visit: Open) -> None:
    page, line = visit()
    line.send(update(1, "One.", "Two", {"text": "Now!", "level": 0, "urgent": True}), update(2, "Three."))
    line.send(update(3, "Four."))
    heard(page, "One.", "Two.", "Three.", "Four.")
    assert page.locator("#assertive p").all_text_contents() == ["Now!"]
    assert page.locator("#polite p").all_text_contents() == ["One.\nTwo.\nThree.\nFour."], "they waited together"


def test_what_is_said_again_differs_by_a_space_that_nobody_hears(visit: Open) -> None:
    page, _ = visit(view(0, mover=1))
    nodes = page.locator("#polite p")
    for number in (1, 2, 3):
        page.keyboard.press("w")
        expect(nodes).to_have_count(number)
    assert nodes.all_text_contents() == ["Bob is next.", "Bob is next.\u00a0", "Bob is next."]


def test_updates_keep_a_gap_in_which_a_screen_reader_takes_the_last(visit: Open) -> None:
    page, line = visit(view(0, mover=1))
    page.evaluate(TIMES)
    for number in range(1, 6):
        page.keyboard.press("wtsl"[number % 4])
        line.send(update(number, f"Line {number}.", view=view(number, mover=1)))
    expect(page.locator("#polite p").last).to_contain_text("Line 5.")
    times = page.evaluate("window.times")
    assert len(times) > 1
    assert min(after - before for before, after in pairwise(times)) > 249


def test_on_a_device_whose_frames_are_late_updates_wait_for_them(visit: Open) -> None:
    page, line = visit(view(0, mover=1))
    page.evaluate(TIMES)
    page.evaluate("() => { requestAnimationFrame = deed => setTimeout(deed, 400); }")
    for number in (1, 2):
        line.send(update(number, f"Line {number}.", view=view(number, mover=1)))
    expect(page.locator("#polite p").last).to_contain_text("Line 2.")
    first, second = page.evaluate("window.times")
    assert second - first > 250 + 2 * 400


TIMES = """() => {
  window.times = [];
  new MutationObserver(records => records.some(({addedNodes}) => addedNodes.length) && times.push(performance.now()))
    .observe(document.getElementById('polite'), {childList: true, subtree: true});
}"""


def test_a_house_that_closes_is_come_back_to_quietly(visit: Open, house: House) -> None:
    page, line = visit(patience=2)
    line.send("event: closing\ndata: {}\n\n")
    again = house.line()
    again.send(update(1, "On we go."))
    heard(page, "On we go.")
    heard(page, urgent=True)


def test_a_page_put_aside_lets_its_line_go_and_takes_a_new_one_on_return(visit: Open, house: House) -> None:
    page, _ = visit()
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    page.wait_for_timeout(100)
    assert house.lines.empty()
    page.evaluate("dispatchEvent(new Event('pageshow'))")
    assert house.line().begun == 0


def test_who_goes_away_is_said_though_nothing_is_stored_of_it(visit: Open) -> None:
    page, line = visit()
    line.send(update(1, "One."), update(1, "Bob has lost the connection.", event="view"), update(1, event="view"))
    heard(page, "One.", "Bob has lost the connection.")
    expect(page.locator("#log li")).to_have_text(["Before.", "One."])


def test_a_log_that_is_shorter_than_the_page_s_makes_it_load_again(visit: Open, house: House) -> None:
    _, line = visit(seq=9)
    assert line.begun == 9
    house.html = page_html(seq=4)
    line.send("event: reload\ndata: {}\n\n")
    assert house.line().begun == 4
