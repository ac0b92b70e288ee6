"""The table page's own scripts in a real Chromium, at a scripted house that can be late, silent, wrong or gone."""

import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="SKIPPED: playwright is not installed")
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from browser.house import ARGS, CHROMIUM
from browser.scripted_house import STATIC, House, Line, die, page_html, scripted, seat_view, update, view

MOST_BYTES = 12 * 1024


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        if os.environ.get("PUBDICE_CI"):
            pytest.fail(f"{CHROMIUM} is missing, and PUBDICE_CI says it must be there")
        pytest.skip(f"SKIPPED: no Chromium at {CHROMIUM}")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(5_000)
    yield context
    context.close()


@pytest.fixture
def house() -> Iterator[House]:
    with scripted() as house:
        yield house


Open = Callable[..., tuple[Page, Line]]


@pytest.fixture
def visit(house: House, context: BrowserContext) -> Iterator[Open]:
    """Opens the page; nothing may go wrong in it but requests that the test makes fail."""
    wrong: list[str] = []

    def visit(shown: dict[str, Any] | None = None, **facts: Any) -> tuple[Page, Line]:
        house.html = page_html(**facts)
        page = context.new_page()
        page.on("pageerror", lambda fault: wrong.append(str(fault)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.goto(house.address)
        line = house.line()
        if shown:
            line.send(update(shown["seq"], event="view", view=shown))
            expect(page.locator("#whose")).to_have_text(shown["whose"])
        return page, line

    yield visit
    assert [fault for fault in wrong if "Failed to load resource" not in fault] == []


def heard(page: Page, *lines: str, urgent: bool = False) -> None:
    """All that was said so far, in order."""
    expect(page.locator("#assertive p" if urgent else "#polite p")).to_have_text(list(lines))


def pressed(page: Page) -> list[str]:
    """The places of the dice that are shown as kept."""
    return [die.get_attribute("data-place") or "" for die in page.locator("#dice .die[aria-pressed=true]").all()]


# What is said


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


def test_the_regions_do_not_grow_for_ever(visit: Open, context: BrowserContext) -> None:
    context.clock.install()
    page, line = visit()
    line.send(update(1, *map(str, range(60))))
    expect(page.locator("#polite p")).to_have_count(60)
    line.send(update(2, "last"))
    expect(page.locator("#polite p")).to_have_count(40)
    expect(page.locator("#polite p").last).to_have_text("last")
    context.clock.run_for(15_000)
    line.send(": pulse\n\n")
    line.send(update(3, "later"))
    expect(page.locator("#polite p").last).to_have_text("later")
    context.clock.run_for(16_000)
    heard(page, "later")


# The line


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
    for _ in range(4):
        line.send(": pulse\n\n")
        page.wait_for_timeout(400)
    assert house.lines.empty()
    again = house.line(within_s=2)
    again.send(update(1, "Still here."))
    heard(page, "Still here.")


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
    house.line(within_s=10)
    expect(page.locator("#connection")).to_be_hidden()
    heard(page, "Back.")
    heard(page, "Connection lost, trying again.", urgent=True)


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


def test_a_log_that_is_shorter_than_the_page_s_makes_it_load_anew(visit: Open, house: House) -> None:
    _, line = visit(seq=9)
    assert line.begun == 9
    house.html = page_html(seq=4)
    line.send("event: reload\ndata: {}\n\n")
    assert house.line().begun == 4


# Commands


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
    heard(page, "Not sent yet.")


PACE = """<form id="pacing" method="post" action="/t/ABCDEF"><input type="hidden" name="do" value="pace">
<input type="hidden" name="key" value="12345678"><select name="ms"><option value="400">brisk</select>
<button>Set</button></form>"""


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
    assert house.posts[-1] == {"key": house.posts[-1]["key"], "do": "pace", "ms": 400}
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_be_hidden()


def test_a_house_that_cannot_store_is_asked_again_and_then_believed(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="roll"))
    house.answers.extend([(503, {"code": "stored", "why": "It could not be stored."})] * 3)
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_have_text("It could not be stored.")
    assert len({post["key"] for post in house.posted(3)}) == 1


def test_an_answer_may_lead_elsewhere(visit: Open, house: House) -> None:
    page, _ = visit(extra=PACE)
    house.answers.append((200, {"seq": 1, "go": "/t/GHIJKL"}))
    page.locator("#pacing button").click()
    page.wait_for_url("**/t/GHIJKL")


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


# Dice


def test_a_mark_shows_at_once_of_many_the_last_counts_and_a_roll_carries_them(visit: Open, house: House) -> None:
    page, line = visit(view(0, 5, 4, 4, 1))
    house.hold.clear()
    for place in (1, 2, 3):
        page.locator(f".die[data-place='{place}']").click()
    assert pressed(page) == ["1", "2", "3"]
    expect(page.locator(".die[data-place='3'] .word")).to_have_text("kept")
    page.locator("#main").click()
    line.send(update(1, view=view(1, 5, 4, 4, 1, marked=(1,))))
    expect(page.locator("main")).to_have_attribute("data-seq", "1")
    assert pressed(page) == ["1", "2", "3"], "a view older than the wish"
    house.answers.extend([(200, {"seq": 1}), (200, {"seq": 2}), (200, {"seq": 3})])
    house.hold.set()
    posts = house.posted(3)
    assert [(post["do"], post["marks"]) for post in posts] == [("mark", [0]), ("mark", [0, 1, 2]), ("roll", [0, 1, 2])]
    page.locator(".die[data-place='4']").click()
    heard(page, "Sending.")
    line.send(update(2, view=view(2, 5, 4, 4, 1, marked=(2,))))
    expect(page.locator("main")).to_have_attribute("data-seq", "2")
    assert pressed(page) == ["2"], "the house has seen the wish, and its view is right"


def test_a_refused_mark_goes_back_to_what_the_house_shows(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4))
    house.answers.append((409, {"code": "turn", "why": "It is Bob's turn."}))
    page.locator(".die[data-place='2']").click()
    heard(page, "It is Bob's turn.", urgent=True)
    assert pressed(page) == []
    heard(page)


def test_dice_keep_their_places_and_show_what_fell(visit: Open) -> None:
    page, line = visit(view(0))
    expect(page.locator(".die:visible")).to_have_count(0)
    shown = view(1, counter="Roll 2", rolls=2)
    shown["dice"] = [die(2, 6, "locked"), die(5, 3)]
    line.send(update(1, view=shown))
    expect(page.locator(".die:not([hidden])")).to_have_count(2)
    expect(page.locator(".die[data-place='5']")).to_have_attribute("data-face", "3")
    expect(page.locator(".die.tumble")).to_have_count(1)
    locked = page.locator(".die[data-place='2']")
    expect(locked).to_have_attribute("aria-disabled", "true")
    locked.dispatch_event("click")
    heard(page, "That die is locked.")


def test_real_dice_are_entered_with_the_enter_key(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 2, ask="enter", main={"do": "enter", "label": "Enter"}))
    page.keyboard.press("r")
    expect(page.locator("#enter")).to_be_focused()
    page.keyboard.type("3 4 5")
    page.keyboard.press("Enter")
    post = house.posted(1)[0]
    assert (post["do"], post["dice"]) == ("enter", "3 4 5")
    expect(page.locator("#enter")).to_have_value("")


def test_a_button_the_keyboard_is_on_stays_until_it_is_left(visit: Open, house: House) -> None:
    page, line = visit(view(0, ask="roll"))
    page.keyboard.press("Tab")
    expect(page.locator("#main")).to_be_focused()
    line.send(update(1, mover=1))
    expect(page.locator("#wait")).to_have_text("Bob is rolling.")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Enter")
    heard(page, "Bob is next.")
    assert house.posts == []
    line.send(update(2))
    expect(page.locator("#main:not([aria-disabled])")).to_be_focused()
    line.send(update(3, mover=1))
    expect(page.locator("#main[aria-disabled]")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#main")).to_be_hidden()


# Keys


def test_every_key_answers(visit: Open, house: House) -> None:
    page, line = visit(view(0, 5, 4, 4, mover=1))
    said: list[str] = []

    def answers(key: str, *lines: str) -> None:
        page.keyboard.press(key)
        said.extend(lines)
        heard(page, *said)

    for key in ("r", "b", " ", "1", "Shift+4"):
        answers(key, "Bob is next.")
    answers("h", "Ada has 3 dice.")
    answers("S", "Bob 20.", "Bob leads.")
    answers("t", "To beat: 20.")
    answers("w", "Bob is next.")
    answers("l", "Bob scored 20.")
    line.send(update(1, view=view(1, 5, 4, 4, beat="")))
    expect(page.locator("#main")).to_be_visible()
    answers("t", "Nothing yet.")
    answers("1", "Die 1, five: kept.")
    answers("1", "Die 1, five: free.")
    answers("6", "No die in place 6.")
    answers("Shift+Digit4", "Die 2, four: kept.")
    answers("Shift+Digit4", "Die 3, four: kept.")
    answers("Shift+Digit4", "Die 2, four: kept.", "Die 3, four: kept.")
    answers("Shift+Digit6", "No 6 to choose.")
    page.locator(".die[data-place='1']").focus()
    answers("1")
    expect(page.locator(".die[data-place='1']")).to_have_attribute("aria-pressed", "true")
    house.answers.append((409, {"code": "bank", "why": "No banking here."}))
    page.keyboard.press("b")
    heard(page, "No banking here.", urgent=True)
    assert house.posts[-1]["do"] == "bank"
    assert house.posts[-1]["marks"] == [0, 1, 2]


def test_number_keys_by_face_go_through_the_dice_of_it(visit: Open) -> None:
    page, _ = visit(view(0, 5, 4, 4))
    page.locator("#keys summary").click()
    page.locator("#keys [name=digits]").select_option("face")
    page.locator("#keys summary").focus()
    for _ in range(3):
        page.keyboard.press("4")
    kept = ["Die 2, four: kept.", "Die 3, four: kept."]
    heard(page, *kept, "Die 2, four: free.", "Die 3, four: free.")


def test_keys_are_left_alone_in_fields_in_combinations_on_other_controls_and_when_off(
    visit: Open, house: House
) -> None:
    page, _ = visit(view(0, ask="roll"), extra='<input id="name"><button id="other" type="button">Other</button>')
    page.locator("#name").focus()
    page.keyboard.type("rb h?1")
    expect(page.locator("#name")).to_have_value("rb h?1")
    page.locator("#other").focus()
    page.keyboard.press(" ")
    page.keyboard.press("Alt+h")
    page.keyboard.press("Control+l")
    page.keyboard.down("w")
    page.keyboard.down("w")
    page.keyboard.up("w")
    heard(page, "Bob is next.")
    page.locator("#keys summary").click()
    page.locator("#keys [name=keys]").uncheck()
    page.locator("#other").focus()
    page.keyboard.press("w")
    page.keyboard.press("r")
    heard(page, "Bob is next.")
    assert house.posts == []


def test_keys_can_be_changed_taken_ones_are_refused_and_all_is_remembered(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="roll"))
    page.locator("#keys summary").click()
    field = page.locator("[data-key-for=beat]")
    field.focus()
    page.keyboard.type("w")
    heard(page, "That key is taken.", urgent=True)
    expect(field).to_have_value("T")
    page.keyboard.type("5")
    expect(page.locator("#assertive p")).to_have_count(2)
    page.keyboard.type("x")
    heard(page, "Key changed.")
    page.locator("[data-key-for=bank]").focus()
    page.keyboard.press("Delete")
    page.reload()
    house.line().send(update(0, event="view"))
    expect(page.locator("[data-key-for=beat]")).to_have_value("X")
    expect(page.locator("[data-key-for=bank]")).to_have_value("")
    for key in ("t", "b", "x"):
        page.keyboard.press(key)
    heard(page, "To beat: 20.")


def test_help_takes_the_focus_and_gives_it_back(visit: Open) -> None:
    page, _ = visit(view(0, ask="roll"))
    page.locator("#main").focus()
    page.keyboard.press("?")
    expect(page.locator("#keys summary")).to_be_focused()
    expect(page.locator("#keys")).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(page.locator("#main")).to_be_focused()
    expect(page.locator("#keys:not([open])")).to_be_attached()


def test_keys_answer_before_the_first_view_has_come(visit: Open) -> None:
    page, _ = visit()
    page.keyboard.press("t")
    page.keyboard.press("r")
    heard(page, "Sending.", "Sending.")


# The page anew


def test_another_shape_grows_into_the_page_and_keeps_focus_typing_and_what_is_open(visit: Open, house: House) -> None:
    extra = '<details id="mine"><summary>Mine</summary></details><form id="sit"><input name="name" id="name"></form>'
    page, line = visit(extra=extra)
    page.locator("#mine summary").click()
    page.locator("#name").fill("Ada")
    page.locator("#name").evaluate("node => node.setSelectionRange(1, 2)")
    line.send(update(1, "Before it."))
    house.html = page_html(seq=2, shape=2, extra=f'<p id="new">New.</p>{extra}', seat="1")
    line.send(update(2, "Cy sits down.", shape=2))
    expect(page.locator("#new")).to_have_text("New.")
    expect(page.locator("#name")).to_be_focused()
    expect(page.locator("#name")).to_have_value("Ada")
    assert page.locator("#name").evaluate("node => [node.selectionStart, node.selectionEnd]") == [1, 2]
    expect(page.locator("#mine")).to_have_attribute("open", "")
    main = page.locator("main")
    expect(main).to_have_attribute("data-seat", "1")
    expect(main).to_have_attribute("data-seq", "2")
    heard(page, "Before it.", "Cy sits down.")
    expect(page.locator("#log li")).to_have_text(["Before.", "Before it.", "Cy sits down."])
    line.send(update(3, "On.", shape=2))
    heard(page, "Before it.", "Cy sits down.", "On.")


def test_a_seat_taken_away_is_gone_from_the_page_too(visit: Open, house: House) -> None:
    page, line = visit()
    house.html = page_html(seq=1, shape=1).replace('<li data-seat="1">', '<li id="gone">')
    line.send(update(1, "One seat now.", shape=1, seats=[seat_view("Ada", False, [])]))
    expect(page.locator("#gone")).to_be_attached()
    expect(page.locator("li[data-seat='0'] .name")).to_have_text("Ada")
    heard(page, "One seat now.")


def test_a_page_fetched_ahead_of_the_stream_is_not_drawn_back_and_nothing_goes_unsaid(
    visit: Open, house: House
) -> None:
    page, line = visit(extra=PACE)
    house.html = page_html(seq=3, shape=3, extra=PACE).replace('<p id="beat">', '<p id="beat">Page of three.')
    house.answers.append((200, {"seq": 3}))
    page.locator("#pacing button").click()
    expect(page.locator("#beat")).to_have_text("Page of three.")
    line.send(update(1, "One.", beat="old"), update(2, "Two.", beat="old"))
    heard(page, "One.", "Two.")
    expect(page.locator("#beat")).to_have_text("Page of three.")
    line.send(update(3, "Three.", beat="new", shape=3))
    expect(page.locator("#beat")).to_have_text("new")
    heard(page, "One.", "Two.", "Three.")


def test_where_the_focused_control_is_gone_the_focus_stays_near(visit: Open, house: House) -> None:
    strip = '<section id="strip"><h2>Seat</h2><p>You watch.</p><form id="sit"><button>Sit</button></form></section>'
    page, line = visit(extra=strip)
    page.locator("#sit button").focus()
    house.html = page_html(seq=1, shape=1, extra='<section id="strip"><h2>Seat</h2><p>You sit.</p></section>')
    line.send(update(1, shape=1))
    expect(page.locator("#strip h2")).to_be_focused()
    expect(page.locator("#strip")).to_have_text("SeatYou sit.")
    house.html = page_html(seq=2, shape=2, extra='<section id="strip"><h2>Seat</h2><p>Still.</p></section>')
    line.send(update(2, shape=2))
    expect(page.locator("#strip")).to_have_text("SeatStill.")
    expect(page.locator("#strip h2")).to_be_focused()


# The rest


def test_the_clock_runs_on_and_is_heard_at_half_and_near_the_end(visit: Open, context: BrowserContext) -> None:
    context.clock.install(time=1_000_000)
    page, line = visit()
    line.send(update(1, clock=5_060_000, now=5_000_000, ask="roll"))
    expect(page.locator("#clock")).to_have_text("1:00 left")
    context.clock.run_for(15_000)
    heard(page)
    line.send(": pulse\n\n")
    page.wait_for_timeout(50)
    context.clock.run_for(16_000)
    expect(page.locator("#clock")).to_have_text("0:29 left")
    heard(page, "30 seconds left.")
    line.send(update(2, mover=1))
    expect(page.locator("#clock")).to_be_hidden()


def test_the_link_is_copied(visit: Open, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page, _ = visit(
        extra='<button data-copy="https://x.test/t/ABCDEF">Copy</button><button data-share="">Share</button>'
    )
    page.locator("[data-copy]").click()
    heard(page, "Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "https://x.test/t/ABCDEF"


def test_the_scripts_are_small_and_build_no_markup_from_text() -> None:
    sources = {path.name: path.read_bytes() for path in sorted(STATIC.glob("*.js"))}
    sizes = {name: len(gzip.compress(source, 9)) for name, source in sources.items()}
    assert sum(sizes.values()) <= MOST_BYTES, sizes
    for banned in (b"innerHTML", b"eval(", b"new Function", b".style", b"document.write"):
        assert not [name for name, source in sources.items() if banned in source], banned
