"""The page's commands to the house: each is sent once, in order. The page acts on the answers."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.client.page import PACE, Open, dressed, heard
from browser.scripted_house import House, page_html, update, view


def test_a_dropped_answer_is_asked_for_again_under_the_same_key_and_the_next_command_waits(
    visit: Open, house: House
) -> None:
    page, _ = visit(view(0, ask="roll"), extra=PACE)
    house.answers.extend([None, (200, "<html>a portal</html>")])
    page.keyboard.press("r")
    page.locator("#pacing button").click()
    posts = house.posted(4)
    assert [post["do"] for post in posts] == ["roll", "roll", "roll", "pace"]
    keys = [post["key"] for post in posts]
    assert len(set(keys[:3])) == 1
    assert keys[3] != keys[0]
    assert all(len(key) == 22 for key in keys)
    times = [int(key[:12], 16) for key in keys]
    assert 1_600_000_000_000 < times[0] <= times[3], "keys are in order of time, for the store's index"
    heard(page, "Not sent yet.")


def test_a_refusal_is_shown_and_said_at_once(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="roll"), extra=PACE)
    house.answers.append((409, {"code": "keep-one", "why": "Keep at least one."}))
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_have_text("Keep at least one.")
    heard(page, "Keep at least one.", urgent=True)
    house.answers.append((403, {"code": "host", "why": "Only the host."}))
    page.locator("#pacing button").click()
    expect(page.locator("#pacing .refusal")).to_have_text("Only the host.")
    expect(page.locator("#refusal")).to_be_visible()
    assert house.posts[-1] == {"key": house.posts[-1]["key"], "do": "pace", "ms": 400, "seen": 0}
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_be_hidden()


def test_a_house_that_cannot_store_is_asked_again_and_then_believed(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="roll"))
    house.answers.extend([(503, {"code": "stored", "why": "It could not be stored."})] * 3)
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_have_text("It could not be stored.")
    assert len({post["key"] for post in house.posted(3)}) == 1


HINTING = """<form id="hinting" method="post" action="/t/ABCDEF"><input type="hidden" name="do" value="hint">
<button id="ask-hint">Hint</button><p class="hint"></p></form>"""


def test_a_hint_on_its_way_is_told_once(visit: Open, house: House, context: BrowserContext) -> None:
    context.clock.install()
    page, _ = visit(view(0, 5, 4, 4), extra=HINTING)
    dressed(page)
    house.answers.extend([(200, {"seq": 0, "said": said}) for said in ["Sending."] * 3 + ["Keep 5."] * 2])
    page.locator("#ask-hint").click()
    for asked in range(1, 4):
        house.posted(asked)
        heard(page, "Sending.")
        expect(page.locator("#hinting .hint")).to_have_text("Sending.")
        context.clock.run_for(2_000)
    heard(page, "Sending.", "Keep 5.")
    page.locator("#ask-hint").click()
    heard(page, "Sending.", "Keep 5.", "Keep 5.")


SITTING = """<form id="sit" method="post" action="/t/ABCDEF"><input type="hidden" name="do" value="sit">
<input id="name" name="name"><button>Sit</button></form>"""


def test_a_refused_field_is_marked_described_and_has_the_focus_until_it_is_asked_again(
    visit: Open, house: House
) -> None:
    page, _ = visit(view(0, ask="roll"), extra=SITTING)
    house.answers.append((409, {"code": "name", "why": "Take another name."}))
    page.locator("#sit button").click()
    name = page.locator("#name")
    expect(name).to_be_focused()
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_have_accessible_description("Take another name.")
    name.fill("Bo")
    name.press("Enter")
    expect(name).not_to_have_attribute("aria-invalid", "true")
    expect(name).not_to_have_attribute("aria-describedby", "sit-why")


def test_a_refusal_stays_when_the_page_is_renewed_until_somebody_had_time_to_read_it(
    visit: Open, house: House, context: BrowserContext
) -> None:
    context.clock.install()
    page, line = visit(view(0, ask="roll"), extra=SITTING)
    house.answers.append((409, {"code": "name", "why": "Take another name."}))
    page.locator("#sit button").click()
    name = page.locator("#name")
    expect(name).to_have_accessible_description("Take another name.")
    for seq, wait_ms, refused in ((1, 0, True), (2, 24_100, False)):
        context.clock.run_for(wait_ms)
        # after 20 s of silence the page takes its stream for dead, and opens the next within 4 s
        line = house.line() if wait_ms else line
        house.html = page_html(seq=seq, shape=seq, extra=f"{SITTING}<p id='new'>{seq}</p>")
        line.send(update(seq, shape=seq))
        expect(page.locator("#new")).to_have_text(f"{seq}")
        expect(page.locator("#sit .refusal")).to_have_count(int(refused))
        expect(name).to_have_accessible_description("Take another name." if refused else "")


def test_a_command_that_waits_for_its_answer_is_told_of_once_and_taken_back_with_it(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="roll"))
    house.hold.clear()
    page.keyboard.press("r")
    heard(page)
    expect(page.locator("#connection")).to_have_text("Sending.")
    heard(page, "Sending.")
    page.wait_for_timeout(1_800)
    heard(page, "Sending.")
    house.hold.set()
    expect(page.locator("#connection")).to_be_hidden()
    heard(page, "Sending.")


def test_a_bank_that_is_not_offered_can_be_asked_for_by_its_key(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4, bank=None))
    expect(page.locator("#bank")).to_be_hidden()
    page.keyboard.press("b")
    assert house.posted(1)[0]["do"] == "bank"


def led_on(page: Page, house: House, go: str = "/t/GHIJKL") -> None:
    """Send a command whose answer leads to another table."""
    page.evaluate("document.body.dataset.same = 'yes'")
    house.answers.append((200, {"seq": 40, "go": go}))
    page.evaluate("document.getElementById('pacing').requestSubmit()")


def test_the_next_table_is_drawn_into_the_page_and_told_once_from_its_beginning(visit: Open, house: House) -> None:
    """A new document would be read out (860 to 1,850 letters) during the bot's first turn, which then came twice."""
    page, line = visit(seq=30, extra=PACE)
    line.send(update(31, "Ada wins.", view=view(31)))
    heard(page, "Ada wins.")
    page.evaluate("document.activeElement.blur()")
    house.html = page_html(seq=3, code="GHIJKL", rolls=0, extra="<p id='new'>Mexico</p>").replace("Before.", "Read.")
    house.html = house.html.replace('"game": "Midnight"', '"game": "Mexico"')
    led_on(page, house)
    expect(page.locator("#new")).to_be_visible()
    again = house.line()
    assert (again.begun, again.path.partition("?")[0]) == (0, "/t/GHIJKL/events")
    assert page.evaluate("location.pathname") == "/t/GHIJKL"
    expect(page.locator("#log li")).to_have_count(0)
    again.send(update(3, "The match begins.", "Bob's turn.", log=3, view=view(3, ask="roll", mover=1)))
    heard(page, "Ada wins.", "The match begins.", "Bob's turn.")
    expect(page.locator("#log li")).to_have_text(["The match begins.", "Bob's turn."])
    assert page.evaluate("document.activeElement.tagName") == "BODY", (
        "what gets the focus is read out, and ends its mode"
    )
    expect(page).to_have_title(re.compile("^Bob's turn – Mexico"))
    again.send(update(4, "Your turn.", view=view(4, ask="roll")))
    expect(page.locator("#main")).to_be_visible()
    page.keyboard.press(" ")
    assert (house.posted(2)[1]["do"], house.asked[1]) == ("roll", "/t/GHIJKL")
    assert house.posts[1]["seen"] == 4, "not what was seen of the table before"
    expect(page.locator("body")).to_have_attribute("data-same", "yes")
    house.html = page_html(seq=40)
    page.go_back()
    assert house.line().begun == 40, "the table before, as a page of its own"
    expect(page.locator("body")).not_to_have_attribute("data-same", "yes")


def test_a_table_under_way_is_told_from_now_on_and_its_story_is_the_houses(visit: Open, house: House) -> None:
    page, _ = visit(seq=30, extra=PACE)
    house.html = page_html(seq=9, code="GHIJKL", rolls=2).replace("Before.", "Bob rolled 6.")
    house.html = house.html.replace('tabindex="-1"></h1>', 'tabindex="-1">Bob is next</h1>')
    led_on(page, house)
    again = house.line()
    assert again.begun == 9
    heard(page, "Bob is next.")
    again.send(update(10, "Bob scored 6."))
    heard(page, "Bob is next.", "Bob scored 6.")
    expect(page.locator("#log li")).to_have_text(["Bob rolled 6.", "Bob scored 6."])


@pytest.mark.parametrize("there", ["no table", "a newer house", "a fault"])
def test_where_the_next_table_cannot_be_drawn_the_browser_goes_there(visit: Open, house: House, there: str) -> None:
    page, _ = visit(seq=30, extra=PACE)
    house.html = page_html(seq=3, code="GHIJKL")
    if there == "no table":
        house.html = "<title>Elsewhere</title><p>Elsewhere.</p>"
    elif there == "a newer house":
        house.html = house.html.replace("/static/table.js", "/static/./table.js")
    else:
        page.route(
            "**/t/GHIJKL", lambda route: route.continue_() if route.request.is_navigation_request() else route.abort()
        )
    led_on(page, house)
    expect(page.locator("body")).not_to_have_attribute("data-same", "yes")
    assert page.evaluate("location.pathname") == "/t/GHIJKL"


def test_who_watches_follows_to_the_next_table_in_the_same_page(visit: Open, house: House) -> None:
    page, _ = visit(seq=30, seat="", extra='<p><a id="main" href="/t/GHIJKL">Go to the next match</a></p>')
    page.evaluate("document.body.dataset.same = 'yes'; document.querySelector('#act #main').remove()")
    house.html = page_html(seq=3, seat="", code="GHIJKL", rolls=0)
    page.get_by_text("Go to the next match").click()
    assert house.line().begun == 0
    expect(page.locator("body")).to_have_attribute("data-same", "yes")


def test_who_sits_down_stays_on_the_page_and_listens_as_who_they_are_now(visit: Open, house: House) -> None:
    page, _ = visit(extra=PACE)
    page.evaluate("document.body.dataset.same = 'yes'")
    house.html = page_html(seq=1, shape=1, extra="<p id='new'>You sit.</p>")
    house.answers.append((200, {"seq": 1, "go": "/t/ABCDEF"}))
    page.locator("#pacing button").click()
    expect(page.locator("#new")).to_be_visible()
    again = house.line()
    assert again.begun == 0
    again.send(update(1, "Ada takes a seat.", shape=1))
    heard(page, "Ada takes a seat.")
    expect(page.locator("body")).to_have_attribute("data-same", "yes")


LIMITS = """AbortSignal.timeout = ms => {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), ms);
  return limit.signal;
}"""
"""An init script: time limits follow the page's clock, which the test moves on."""
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
    assert hung.wait(60)
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
    assert hung.wait(60)
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
    assert hung.wait(60)
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


FORM = """<form id="typed" method="post" action="/t/ABCDEF"><input type="hidden" name="key" value="12345678">
<input type="hidden" name="do" value="type"><input id="line" name="text"><button>Send</button></form>"""


def test_an_answer_is_said_once_the_focus_stays_and_the_field_is_empty(visit: Open, house: House) -> None:
    page, line = visit(view(0, 5, 4, 4), extra=FORM)
    house.answers.append((200, {"seq": 0, "said": "You have 5 4 4."}))
    field = page.locator("#line")
    field.focus()
    page.keyboard.type("h")
    page.keyboard.press("Enter")
    heard(page, "You have 5 4 4.")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    assert {key: value for key, value in house.posts[-1].items() if key != "key"} == {
        "do": "type",
        "text": "h",
        "seen": 0,
    }
    house.answers.append((200, {"seq": 1, "said": ""}))
    page.keyboard.type("4 r")
    page.keyboard.press("Enter")
    line.send(update(1, "Ada rolled 2 2."))
    heard(page, "You have 5 4 4.", "Ada rolled 2 2.")
    expect(field).to_be_focused()


def test_what_is_typed_while_the_house_answers_stays(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4, 4), extra=FORM)
    house.answers.extend([(200, {"seq": 0, "said": "20 to beat."})] * 2)
    field = page.locator("#line")
    for meanwhile, stays in ((" 4 r", " 4 r"), ("h", "h")):
        house.hold.clear()
        field.fill("s")
        field.press("Enter")
        house.posted(1)
        if meanwhile == "h":
            field.fill("h")
        else:
            field.press_sequentially(meanwhile)
        house.hold.set()
        heard(page, "20 to beat.", *["20 to beat."] * (meanwhile == "h"))
        expect(field).to_have_value(stays)


def test_a_name_may_be_a_word_of_the_wire(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4, 4), extra=FORM)
    page.locator("#line").fill("true")
    page.locator("#line").press("Enter")
    assert house.posted(1)[0]["text"] == "true"


def test_an_empty_line_asks_the_open_question(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4, 4), extra=FORM)
    house.answers.append((200, {"seq": 0, "said": "Your turn: keep one or more."}))
    page.locator("#line").press("Enter")
    heard(page, "Your turn: keep one or more.")


def test_a_refused_line_stays_in_the_field(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4, 4), extra=FORM)
    house.answers.append((409, {"code": "typed-word", "why": "That means nothing here."}))
    field = page.locator("#line")
    field.fill("fly")
    field.press("Enter")
    heard(page, "That means nothing here.", urgent=True)
    expect(field).to_have_value("fly")
    expect(field).to_be_focused()


def test_the_example_is_of_now_and_stays_while_somebody_types(visit: Open) -> None:
    """A screen reader reads a field's description again if it changes, and would talk over announcements."""
    page, line = visit(view(0, 5, 4, 4, example="5 r: Keep 5."), extra=f'{FORM}<span id="example"></span>')
    example = page.locator("#example")
    expect(example).to_have_text("5 r: Keep 5.")
    page.locator("#line").focus()
    line.send(update(1, view=view(1, 6, 4, 4, example="6 r: Keep 6.")))
    expect(page.locator(".die[data-place='0']")).to_have_attribute("data-face", "6")
    expect(example).to_have_text("5 r: Keep 5.")
    page.locator("#play [tabindex='-1']").first.focus()
    expect(example).to_have_text("6 r: Keep 6.")
    line.send(update(2, view=view(2, mover=1, example="r: Roll 6 dice.")))
    expect(example).to_have_text("")
