"""The page as a whole: a new shape, its clock, its link, and the size of its scripts."""

import gzip
import re
import time

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from browser.client.page import PACE, Open, heard
from browser.scripted_house import STATIC, House, page_html, seat_view, told, update, view
from pubdice.server.pages.table import MODULES
from pubdice.server.web import static_files
from support.browser import stop_clock, until


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


def test_a_form_that_was_refused_keeps_what_it_holds_while_the_page_grows(visit: Open, house: House) -> None:
    form = '<form id="changing"{}><input name="stake" value="{}"></form>'
    page, line = visit(extra=form.format(' data-kept="true"', "lots"))
    house.html = page_html(seq=1, shape=2, extra=f'<p id="new">New.</p>{form.format("", "1")}')
    line.send(update(1, "Cy sits down.", shape=2))
    expect(page.locator("#new")).to_have_text("New.")
    expect(page.locator("#changing input")).to_have_value("lots")


def test_who_has_voted_is_not_asked_again(visit: Open) -> None:
    page, line = visit(extra='<button class="vote" value="1" hidden>Let a bot play for Bob</button>')
    away = {**seat_view("Bob", True, []), "votable": True}
    for seq, voted, asked in ((1, [], True), (2, [2], True), (3, [2, 0], False), (4, [], True)):
        line.send(update(seq, seats=[seat_view("Ada", False, []), {**away, "voted": voted}]))
        expect(page.locator(".vote")).to_be_visible(visible=asked)


def test_the_rows_and_a_sentence_count_down_to_when_one_may_vote(visit: Open) -> None:
    page, line = visit(extra='<p id="away" hidden></p>')
    away = {**seat_view("Bob", True, []), "note": "away", "here": False}
    now = int(time.time() * 1000)
    line.send(update(1, now=now, seats=[seat_view("Ada", False, []), {**away, "vote_at": now + 92_500}]))
    expect(page.locator("[data-seat='1'] .note")).to_have_text(re.compile(r"away 1:3\d"))
    expect(page.locator("#away")).to_have_text(re.compile(r"Bob is away, 1:3\d\."))
    expect(page.locator("#away")).to_have_text(re.compile(r"Bob is away, 1:2\d\."))
    line.send(update(2, now=now, seats=[seat_view("Ada", False, []), {**away, "vote_at": 0, "votable": True}]))
    expect(page.locator("#away")).to_be_hidden()
    expect(page.locator("[data-seat='1'] .note")).to_have_text("away")


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
    house.html = page_html(seq=3, shape=3, extra=PACE).replace('<p id="status">', '<p id="status">Page of three.')
    house.answers.append((200, {"seq": 3}))
    page.locator("#pacing button").click()
    expect(page.locator("#status")).to_have_text("Page of three.")
    line.send(update(1, "One.", status=told("old")), update(2, "Two.", status=told("old")))
    heard(page, "One.", "Two.")
    expect(page.locator("#status")).to_have_text("Page of three.")
    line.send(update(3, "Three.", status=told("new"), shape=3))
    expect(page.locator("#status")).to_have_text("new")
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


@pytest.mark.parametrize("held", [pytest.param("#heading", marks=pytest.mark.nightly), ".die[data-place='1']"])
def test_where_a_match_ends_the_focus_stays_where_it_is(held: str, visit: Open, house: House) -> None:
    """A screen reader first reads the focused element. So a focused result would come before its roll, and twice."""
    page, line = visit(view(0, 6, 4))
    page.locator(held).focus()
    over = page_html(seq=1, shape=1).replace('data-stage="playing"', 'data-stage="over"')
    house.html = re.sub('<form id="act".*</form>', '<button id="main">Rematch</button>', over, flags=re.DOTALL)
    page.evaluate("""addEventListener('focusin', () => window.moves = (window.moves ?? 0) + 1)""")
    line.send(update(1, shape=1, stage="over", mover=None, seats=[seat_view("Ada", False, [])] * 2))
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(page.locator("#table")).to_have_attribute("data-stage", "over")
    heard(page, "Space: Rematch.")
    page.keyboard.press("w")
    heard(page, "Space: Rematch.", "Bob is next.")
    assert page.evaluate("window.moves") is None
    assert page.evaluate("document.activeElement.id") == ("heading" if held == "#heading" else "")


RISEN = """() => {
  const { animate } = Element.prototype;
  window.risen = [];
  Element.prototype.animate = function (...given) {
    if (this.matches('#won > *')) risen.push(this.dataset.face);
    return animate.apply(this, given);
  };
}"""


def test_where_a_match_ends_the_dice_of_who_won_rise_one_by_one(visit: Open, house: House) -> None:
    page, line = visit(view(0, 6, 4))
    page.evaluate(RISEN)
    over = page_html(seq=1, shape=1, extra='<p id="won"><b data-face="6"></b><b data-face="4"></b></p>')
    house.html = over.replace('data-stage="playing"', 'data-stage="over"')
    line.send(update(1, shape=1, stage="over", mover=None, seats=[seat_view("Ada", False, [])] * 2))
    until(page, "() => risen.join() === '6,4'")


def test_where_a_script_does_not_come_that_few_need_a_new_stage_is_arrived_at(
    visit: Open, house: House, context: BrowserContext
) -> None:
    context.route("**/share.js", lambda route: route.abort())
    page, line = visit(view(0, 6, 4))
    page.locator("#main").focus()
    house.html = page_html(seq=1, shape=1).replace('data-stage="playing"', 'data-stage="gathering"')
    line.send(update(1, "Ann opened the rules.", shape=1, stage="gathering"))
    expect(page.locator("#heading")).to_be_focused()
    heard(page, "Ann opened the rules.")


def test_the_focus_goes_to_a_head_that_is_seen_and_after_a_seat_is_given_away_to_what_takes_it_back(
    visit: Open, house: House
) -> None:
    mine = '<details id="mine" open><summary>Mine</summary>{}</details>'
    page, line = visit(extra=mine.format('<button id="gone">Gone</button>'))
    page.locator("#gone").focus()
    house.html = page_html(seq=1, shape=1, extra=mine.format("<h2 hidden>No.</h2>"))
    line.send(update(1, shape=1))
    expect(page.locator("#mine summary")).to_be_focused()
    house.html = page_html(seq=2, shape=2, extra='<form id="resume"><button>Again</button></form>')
    line.send(update(2, shape=2))
    expect(page.locator("#resume button")).to_be_focused()


def test_once_the_match_is_over_no_move_is_offered_while_the_page_of_the_result_comes(visit: Open) -> None:
    page, line = visit(extra='<div id="acts"><button>Roll</button></div>')
    button = page.get_by_role("button", name="Roll")
    offered = """it => {
      const {x, y} = it.getBoundingClientRect();
      it.focus();
      return [document.elementFromPoint(x + 5, y + 5) === it, document.activeElement === it];
    }"""
    assert button.evaluate(offered) == [True, True], "to a finger, and to keys"
    line.send(update(1, stage="over", mover=None))
    expect(page.locator("main")).to_have_attribute("data-seq", "1")
    assert button.evaluate(offered) == [False, False], "its room stays (style sheets hide it)"


def test_who_is_player_1_is_asked_until_somebody_says_it_and_again_if_that_is_undone(visit: Open) -> None:
    page, line = visit(extra='<form id="draw"><fieldset hidden><button>Ann</button></fieldset></form>')
    for seq, asked in ((1, "draw"), (2, "roll"), (3, "draw")):
        line.send(update(seq, ask=asked))
        expect(page.get_by_role("button", name="Ann")).to_be_visible(visible=asked == "draw")


MOST_BYTES = 22 * 1024


def test_the_clock_runs_on_and_is_heard_at_half_and_near_the_end(visit: Open, context: BrowserContext) -> None:
    context.clock.install(time=1_000_000)
    page, line = visit()
    stop_clock(page)  # so a busy machine's seconds do not count
    line.send(update(1, clock=5_060_000, now=5_000_000, ask="roll"))
    expect(page.locator("#clock")).to_have_text("1:00 left")
    context.clock.run_for(15_000)
    line.send(update(2, "Still here.", clock=5_060_000, now=5_015_000, ask="roll"))
    heard(page, "Still here.")
    context.clock.run_for(16_000)
    expect(page.locator("#clock")).to_have_text("0:29 left")
    heard(page, "Still here.", "30 seconds left.")
    said, now = ["Still here.", "30 seconds left."], 5_031_000
    for seq, ahead_s, left_s in ((3, 12, 0), (4, 7, 10), (5, 5, 5), (6, 2, 3)):
        line.send(update(seq, clock=5_060_000, now=now, ask="roll", status=told(f"{seq}")))
        expect(page.locator("#status")).to_have_text(f"{seq}")
        context.clock.run_for(1000 * ahead_s)
        now += 1000 * ahead_s
        said += [f"{left_s} seconds left."] if left_s else []
        heard(page, *said)
    line.send(update(7, mover=1))
    expect(page.locator("#clock")).to_be_hidden()


SET = """window.ahead = 0;
const { now } = Date;
Date.now = () => now() + ahead;"""
"""An init script: the test can set the device's clock."""


@pytest.mark.parametrize("ahead_ms", [45_000, -3_600_000])
def test_a_clock_goes_by_the_house_s_time_however_the_device_s_is_set(
    ahead_ms: int, visit: Open, house: House, context: BrowserContext
) -> None:
    """A clock that stopped during the device's sleep looks the same as a wrong clock. The house's time is right."""
    context.clock.install(time=1_000_000)
    context.add_init_script(SET)
    page, line = visit(patience=600, extra='<p id="away" hidden></p>')
    stop_clock(page)
    away = {**seat_view("Bob", True, []), "note": "away", "vote_at": 5_090_000}
    seats = [seat_view("Ada", False, []), away]
    line.send(update(1, clock=5_060_000, now=5_000_000, ask="roll", seats=seats))
    expect(page.locator("#clock")).to_have_text("1:00 left")
    page.evaluate("ms => { ahead = ms }", ahead_ms)
    context.clock.run_for(1_000)
    expect(page.locator("#clock")).to_have_text("0:59 left")
    expect(page.locator("#away")).to_have_text("Bob is away, 1:29.")
    line = house.line()
    line.send(update(1, event="view", clock=5_060_000, now=5_030_000, ask="roll", seats=seats))
    expect(page.locator("#clock")).to_have_text("0:30 left")
    context.clock.run_for(2_000)
    expect(page.locator("#clock")).to_have_text("0:28 left")
    expect(page.locator("#away")).to_have_text("Bob is away, 0:58.")
    assert house.lines.empty(), "it was asked once"


def test_a_clock_is_not_set_back_where_a_view_is_drawn_again(
    visit: Open, house: House, context: BrowserContext
) -> None:
    context.clock.install(time=1_000_000)
    page, line = visit(patience=600)
    stop_clock(page)
    line.send(update(1, clock=5_060_000, now=5_000_000, ask="roll"))
    expect(page.locator("#clock")).to_have_text("1:00 left")
    context.clock.run_for(15_000)
    expect(page.locator("#clock")).to_have_text("0:45 left")
    house.answers.append((409, {"code": "no", "why": "Not now."}))
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_have_text("Not now.")
    expect(page.locator("#clock")).to_have_text("0:45 left")


def test_a_clock_stops_when_the_match_is_over(visit: Open, context: BrowserContext) -> None:
    context.clock.install(time=1_000_000)
    page, line = visit(patience=600)
    stop_clock(page)
    line.send(update(1, clock=5_030_000, now=5_000_000, ask="roll"))
    expect(page.locator("#clock")).to_have_text("0:30 left")
    line.send(update(2, "You win.", stage="over", mover=None))
    heard(page, "You win.")
    context.clock.run_for(29_000)
    line.send(update(3, "Bob thanks."))
    heard(page, "You win.", "Bob thanks.")


def test_the_link_is_copied(visit: Open, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page, _ = visit(
        extra='<button data-copy="https://x.test/t/ABCDEF">Copy</button><button data-share="">Share</button>'
    )
    page.locator("[data-copy]").click()
    heard(page, "Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "https://x.test/t/ABCDEF"


SHARES = """
navigator.canShare = ({files}) => files.length === 1;
navigator.share = async ({files, text}) => {
  const {width, height} = await createImageBitmap(files[0]);
  window.shared = [files[0].name, files[0].type, width, height, text];
};
"""
"""An init script: the device can share pictures, unlike a headless browser."""
OVER = "<button data-card>Share</button>"
DRAWN = """<svg xmlns="http://www.w3.org/2000/svg" width="108" height="140">
<title>Midnight: Bob beats Ann 3 : 1.</title><desc>https://x.test/t/ABCDEF/receipt</desc>{}</svg>"""
CHART = '<polyline points="0,0 1,1"/>'


class Drawing:
    """The house's drawing of a receipt, and the requests for it."""

    def __init__(self, context: BrowserContext) -> None:
        self.asked, self.body = list[Route](), DRAWN.format("")
        context.route("**/receipt.svg", self.answer)

    def answer(self, route: Route) -> None:
        """Answer a request. Only those for the words (by ``fetch``) count, not those for the picture."""
        self.asked += [route] * (route.request.resource_type == "fetch")
        route.fulfill(body=self.body, content_type="image/svg+xml", status=200 if self.body else 503)

    def wait(self, page: Page, times: int) -> None:
        """Wait until there were ``times`` requests."""
        by = time.monotonic() + 8
        while len(self.asked) < times:
            assert time.monotonic() < by
            page.wait_for_timeout(20)


def test_a_result_is_shared_as_the_houses_picture_and_in_its_words(visit: Open, context: BrowserContext) -> None:
    context.add_init_script(SHARES)
    Drawing(context)
    page, _ = visit(extra=OVER)
    page.locator("[data-card]").click()
    page.wait_for_function("() => window.shared")
    words = "Midnight: Bob beats Ann 3 : 1. https://x.test/t/ABCDEF/receipt"
    assert page.evaluate("shared") == ["pubdice.png", "image/png", 108, 140, words]


def test_a_picture_is_drawn_before_it_is_asked_for_and_again_while_there_is_more_to_come(
    visit: Open, context: BrowserContext
) -> None:
    context.add_init_script(SHARES)
    drawing = Drawing(context)
    page, _ = visit(extra=OVER)
    assert drawing.asked == [], "the match is not over"
    page.locator("main").evaluate("main => (main.dataset.stage = 'over')")
    drawing.wait(page, 1)
    page.wait_for_timeout(200)
    drawing.body = DRAWN.format(CHART)
    button = page.locator("[data-card]")
    button.dispatch_event("pointerdown")
    drawing.wait(page, 2)
    page.wait_for_timeout(200)
    button.dispatch_event("pointerdown")
    button.dispatch_event("click")
    page.wait_for_function("() => window.shared")
    assert len(drawing.asked) == 2, "that is all there is"


REFUSES = """
navigator.canShare = () => true;
navigator.share = async () => { throw new DOMException('too late', 'NotAllowedError'); };
"""
CARDING = """<template id="carding"><dialog class="carding"><p><button data-save>Save</button>
<button data-copy>Copy</button><button data-close>Close</button></p></dialog></template>"""


def test_where_the_press_is_too_long_ago_the_picture_is_shown_instead(visit: Open, context: BrowserContext) -> None:
    context.add_init_script(REFUSES)
    Drawing(context)
    page, _ = visit(extra=OVER + CARDING)
    page.locator("[data-card]").click()
    expect(page.locator("dialog.carding canvas")).to_be_visible()
    assert page.locator("[data-copy]").get_attribute("data-copy") == (
        "Midnight: Bob beats Ann 3 : 1. https://x.test/t/ABCDEF/receipt"
    )


def test_a_picture_that_does_not_come_is_said_on_the_button(visit: Open, context: BrowserContext) -> None:
    drawing = Drawing(context)
    drawing.body = ""
    page, _ = visit(extra=OVER)
    button = page.locator("[data-card]")
    button.click()
    expect(button).to_have_text("Not accepted.")
    expect(button).to_have_text("Share")


def code_of(source: bytes) -> list[bytes]:
    """Return the lines of a script, with empty lines in place of comments, so the line numbers stay."""
    lines, inside = [], False
    for line in source.splitlines():
        text = line.strip()
        comment = inside or text.startswith((b"/**", b"//"))
        if inside or text.startswith(b"/**"):
            inside = not text.endswith(b"*/")
        lines.append(b"" if comment else line)
    return lines


def test_the_scripts_are_small_and_build_no_markup_from_text() -> None:
    sources = {path.name: path.read_bytes() for path in sorted(STATIC.glob("*.js"))}
    sent = {name: static_files.served(name) for name in sources}
    sizes = {name: len(static_files.compressed(name)) for name in sources}
    assert sum(sizes[f"{name}.js"] for name in ("table", *MODULES)) <= MOST_BYTES, (
        sizes
    )  # other pages: tests/server/show/test_pages.py
    assert sizes["verify.js"] < 5_000, "the whole check of a record, of dice with names too"
    assert max(size for name, size in sizes.items() if name != "table.js") < 5_000
    for name, body in sent.items():
        assert gzip.decompress(static_files.compressed(name)) == body
        assert body.splitlines() == code_of(sources[name])
    for banned in (b"innerHTML", b"eval(", b"new Function", b".style", b"document.write"):
        assert not [name for name, source in sources.items() if banned in source], banned


LOCKS = """
window.asked = [];
window.held = 0;
class Lock {
  released = false;
  release() {
    held--;
    this.released = true;
  }
}
Object.defineProperty(navigator, 'wakeLock', { value: { request: () => new Promise(given => asked.push(given)) } });
window.give = () => {
  held++;
  asked.shift()(new Lock());
};
"""
"""An init script: the device grants a wake lock when the test calls ``give``."""


@pytest.mark.parametrize(
    "is_late", [pytest.param(False, id="given in time", marks=pytest.mark.nightly), pytest.param(True, id="given late")]
)
def test_one_lock_keeps_the_screen_lit_until_the_match_is_over(
    visit: Open, context: BrowserContext, *, is_late: bool
) -> None:
    context.add_init_script(LOCKS)
    page, line = visit(view(0, ask="roll"))
    line.send(update(1, "Ada rolled 3 4."))
    heard(page, "Ada rolled 3 4.")
    assert page.evaluate("asked.length") == 1, "a view that comes meanwhile asks for no other"
    if not is_late:
        assert page.evaluate("give(), held") == 1
    line.send(update(2, "Bob wins.", stage="over", mover=None))
    heard(page, "Ada rolled 3 4.", "Bob wins.")
    if is_late:
        assert page.evaluate("give(), held") == 1
    until(page, "held === 0")
    assert page.evaluate("asked.length") == 0


AUDIO = "window.AudioContext = class extends AudioContext { constructor() { super(); window.audio = this; } };"
STATE = "window.audio?.state"
LONGEST_MS = 5_000
"""A time longer than any sound, and than the page's wait for the next sound."""


def comes_to(page: Page, state: str) -> bool:
    """Wait until the page's audio is in a state. Return True if it stays there."""
    until(page, f"state => {STATE} === state", state)
    return bool(page.evaluate(STATE) == state)


def test_the_sound_of_a_page_rests_after_a_while_and_runs_again_with_the_next(
    visit: Open, context: BrowserContext
) -> None:
    context.add_init_script(AUDIO)
    context.clock.install()
    page, line = visit(view(0, 5, 4, 4, 1))
    page.keyboard.press("1")
    assert comes_to(page, "running")
    context.clock.run_for(LONGEST_MS)
    assert comes_to(page, "suspended")
    line.send(update(1, mover=1, view=view(1, 5, 4, 4, 1, mover=1)))
    line.send(update(2, mover=0, view=view(2, 5, 4, 4, 1)))
    assert comes_to(page, "running")
    context.clock.run_for(LONGEST_MS)
    assert comes_to(page, "suspended")


WHEN = """
addEventListener('keydown', () => {
  self.isSeen = false;
  requestAnimationFrame(() => requestAnimationFrame(() => { self.isSeen = true; }));
}, true);
self.heard = [];
const make = BaseAudioContext.prototype.createBuffer;
BaseAudioContext.prototype.createBuffer = function (...of) {
  heard.push(isSeen);
  return make.apply(this, of);
};
"""
"""An init script that records for each sound if the pressed die is on the screen by then."""


def test_a_die_is_seen_before_its_sound_is_worked_out(visit: Open, context: BrowserContext) -> None:
    context.add_init_script(WHEN)
    page, _ = visit(view(0, 5, 4, 4, 1))
    with page.expect_response("**/sound.js"):
        page.keyboard.press("1")
    while not page.evaluate("heard.length"):  # the first press only loads the sounds
        page.keyboard.press("1")
        page.wait_for_timeout(100)
    assert all(page.evaluate("heard"))
