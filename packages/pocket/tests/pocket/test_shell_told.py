"""The sentences of the shell (the page round the engine): troubles, notices, and the panel about this device."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.looks import AXE, violations
from pocket.shell_pages import EN, RUNS, SOONER, context_on, engine, focused, house, status, visit
from pocket.test_shell_words import words
from support.browser import DESKTOP, SMALL, until
from support.static_host import StaticHost

SAYS = """([region, ...lines]) => document.getElementById(region).append(...lines.map(line => {
  const node = document.createElement('p');
  node.textContent = line;
  return node;
}))"""
"""A script that adds lines to a live region, as speech.js does in the house's page."""
HEARD = """if (top === self) {
  window.heard = [];
  window.places = new Set();
  addEventListener('DOMContentLoaded', () => ['polite', 'assertive'].forEach(name => new MutationObserver(news => {
    for (const { target, addedNodes } of news)
      for (const { localName, textContent } of addedNodes)
        if (localName === 'p') places.add(target.id) && heard.push([name, textContent]);
  }).observe(document.getElementById(`repeated-${name}`), { childList: true, subtree: true })));
}"""
"""An init script for the outer page. It records the lines of the frame that the outer page announces, and their nodes.
"""
NEW_IN_FRAME = """() => {
  const { isOld, document: page } = document.querySelector('iframe').contentWindow;
  return !isOld && page.readyState === 'complete';
}"""
EARLY = """;if (top !== self) addEventListener('DOMContentLoaded', () => {
  const line = document.createElement('p');
  line.textContent = 'Early.';
  document.getElementById('polite')?.append(line);
});"""
NBSP = "\u00a0"
LOW = """nodes => nodes.map(node => [node.textContent, node.getBoundingClientRect().height])
  .filter(([, high]) => high && high < 44)"""


def quiet(page: Page) -> None:
    """Wait until the live regions of the page in the frame are silenced, as the outer page announces their lines."""
    regions = house(page).locator("#polite, #assertive")
    expect(regions.and_(house(page).locator(":not([role], [aria-live])"))).to_have_count(2)


def says(page: Page, region: str, *lines: str) -> None:
    """Make the page in the frame announce lines at once."""
    quiet(page)
    page.frames[1].evaluate(SAYS, [region, *lines])


NIGHTLY = pytest.mark.nightly


def fails(why: str) -> str:
    return engine(f"this.tell({{ stage: 'failed', why: '{why}' }});")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        pytest.param("delete window.WebAssembly;", "no_wasm", id="wasm", marks=NIGHTLY),
        pytest.param(
            "ServiceWorkerContainer.prototype.register = () => Promise.reject(new Error('denied'));"
            "const { timeout } = AbortSignal; AbortSignal.timeout = ms => timeout.call(AbortSignal, ms / 20);",
            "no_worker",
            id="refused worker",
        ),
        pytest.param(
            "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });",
            "no_locks",
            id="locks",
            marks=NIGHTLY,
        ),
        pytest.param(
            "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });",
            "no_worker",
            id="no worker",
            marks=NIGHTLY,
        ),
        pytest.param(
            engine("setTimeout(() => this.onerror({ message: 'out of memory' }));"),
            "failed",
            id="memory",
            marks=NIGHTLY,
        ),
        pytest.param(fails("NotStored: store-unreadable {}"), "unreadable", id="damaged files", marks=NIGHTLY),
        pytest.param(fails("NotStored: store-newer {}"), "newer", id="newer files"),
        pytest.param(fails("NotStored: store-unwritable {}"), "no_room", id="no room for a file", marks=NIGHTLY),
        pytest.param(fails("QuotaExceededError: no more"), "no_room", id="no room on the way"),
        pytest.param(fails("NoModificationAllowedError: held"), "other_tab_holds", id="files held", marks=NIGHTLY),
        pytest.param(
            engine(f"{RUNS} setTimeout(() => this.onerror({{ message: 'unreachable' }}), 900);"),
            "crashed",
            id="crash",
            marks=NIGHTLY,
        ),
    ],
)
def test_trouble_is_one_sentence_and_a_way_on(home: BrowserContext, script: str, said: str) -> None:
    page = visit(home, script, ready=False)
    expect(status(page)).to_have_text(EN[said])
    expect(status(page)).not_to_have_attribute("aria-hidden", "true")
    expect(page.locator("#bar")).to_be_hidden()
    assert page.locator("iframe").count() == 0
    page.get_by_role("button", name=EN["again"]).click()
    expect(status(page)).to_have_text(EN[said])


def test_storage_denied_is_said_and_the_house_works_without(home: BrowserContext) -> None:
    denied = (
        "StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException('denied', 'SecurityError'));"
    )
    page = visit(home, denied + engine(RUNS + "window.keeps = data.keeps;"))
    assert page.evaluate("keeps") is False
    expect(page.locator("#told")).to_have_text(EN["not_kept"])
    expect(house(page).locator("h1")).to_have_text("At /")
    page.locator("#notice").get_by_role("button", name=EN["ok"]).click()
    expect(page.locator("#notice")).to_be_hidden()
    assert focused(page) == "IFRAME"
    missing = visit(
        home, "delete StorageManager.prototype.getDirectory;" + engine(RUNS + "window.keeps = data.keeps;"), ready=False
    )
    expect(status(missing)).to_have_text(EN["other_tab"])
    missing.get_by_role("button", name=EN["here"]).click()
    expect(missing.locator("#told")).to_have_text(EN["not_kept"])


def test_erased_site_data_is_told_in_an_open_page(chromium: Browser, host: StaticHost) -> None:
    context = context_on(chromium, host.address)
    page = visit(context, engine())
    page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).unregister()")
    house(page).locator("#table").click()
    expect(status(page)).to_have_text(EN["erased"])
    assert page.locator("iframe").count() == 0
    page.get_by_role("button", name=EN["again"]).click()
    expect(page.locator("iframe:not(.waits, .early)")).to_be_visible()
    expect(status(page)).to_be_hidden()
    context.close()


def test_a_full_device_is_said_while_the_house_stays(home: BrowserContext) -> None:
    page = visit(home, engine())
    page.evaluate("engine.tell({ full: true })")
    expect(page.locator("#told")).to_have_text(EN["full"])
    page.evaluate("engine.tell({ full: true })")
    page.locator("#notice").get_by_role("button", name=EN["ok"]).click()
    expect(page.locator("#notice")).to_be_hidden()


def test_a_browser_whose_database_never_answers_opens_the_house(home: BrowserContext) -> None:
    visit(home, f"IDBFactory.prototype.open = () => ({{}});{SOONER}" + engine())


@pytest.mark.parametrize(
    ("granted", "said"), [("false", "not_persisted"), pytest.param("true", "week", marks=pytest.mark.nightly)]
)
def test_the_browser_is_asked_to_keep_tables_once_one_is_open(home: BrowserContext, granted: str, said: str) -> None:
    answers = (
        f"StorageManager.prototype.persisted = async () => {granted}; window.persists = 0;"
        f"StorageManager.prototype.persist = async () => {{ top.persists++; return {granted}; }};"
        + ("window.GestureEvent = class {};" if said == "week" else "")  # only Safari has this class
    )
    page = visit(home, answers + engine())
    assert page.evaluate("persists") == 0, "the player is asked once there is something to keep"
    house(page).locator("#table").click()
    expect(page.locator("#told")).to_have_text(EN[said])
    page.locator("#notice").get_by_role("button", name=EN["ok"]).click()
    house(page).locator("#dark").click()
    house(page).locator("#table").click()
    expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
    assert page.evaluate("persists") == 1
    house(page).get_by_role("link", name="This device").click()
    expect(page.locator("#kept")).to_have_text(EN[said])


def test_everything_is_saved_to_a_file_and_read_back(home: BrowserContext, tmp_path: Path) -> None:
    page = visit(home, engine(), "t/ABCDEF")
    house(page).get_by_role("link", name="This device").click()
    panel = page.get_by_role("dialog", name=EN["device_title"])
    expect(panel).to_be_visible()
    with page.expect_download() as saved:
        panel.get_by_role("button", name=EN["save"]).click()
    assert saved.value.suggested_filename == "pubdice.zip"
    assert Path(saved.value.path()).read_bytes() == b"every table"
    expect(page.locator("#answer")).to_have_text("Saved as pubdice.zip.")
    page.evaluate("window.large = true")
    with page.expect_download():
        panel.get_by_role("button", name=EN["save"]).click()
    expect(page.locator("#answer")).to_have_text(EN["saved_large"].format(name="pubdice.zip", of="100.0"))
    choose(page, tmp_path, b"short")
    expect(page.locator("#answer")).to_have_text("That is no house.")
    stay, replace = (panel.get_by_role("button", name=EN[word]) for word in ("stay", "replace"))
    expect(stay).to_be_hidden()
    choose(page, tmp_path, b"long enough")
    expect(stay).to_be_focused()
    expect(stay).to_have_accessible_description(re.compile(r"^a\.zip replaces everything here.* here: 3\..* file: 5\."))
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_have_text(EN["stayed"])
    assert focused(page) == "read"
    choose(page, tmp_path, b"long enough")
    expect(stay).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    house(page).get_by_role("link", name="This device").first.click()
    expect(replace).to_be_hidden()
    assert "restore" not in page.evaluate("asked"), "neither answer has changed anything"
    choose(page, tmp_path, b"long enough")
    expect(stay).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_have_text(EN["restored"])
    assert page.evaluate("asked").count("restore") == 1
    expect(house(page).locator("h1")).to_have_text("At /")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.locator("iframe")).to_be_focused()


def test_an_empty_device_reads_a_file_without_a_warning(home: BrowserContext, tmp_path: Path) -> None:
    page = visit(home, engine(), "t/ABCDEF")
    page.evaluate("window.isEmpty = true")
    house(page).get_by_role("link", name="This device").click()
    choose(page, tmp_path, b"long enough")
    take = page.get_by_role("button", name=EN["take"])
    expect(take).to_be_focused()
    expect(page.locator("#sure .main")).to_have_text(EN["take"])
    assert page.locator("#sure .refusal").count() == 0
    expect(page.locator("#question")).to_have_text(EN["sure_empty"].format(name="a.zip", there=5))
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_have_text(EN["restored"])


def test_a_page_never_says_unchanged_while_a_file_is_read(home: BrowserContext, tmp_path: Path) -> None:
    """A slow phone reads a file for minutes. If the engine breaks then, it may already have replaced all tables."""
    page = visit(home, engine(), "t/ABCDEF")
    page.evaluate("Object.assign(window, { reads: true, isEmpty: true })")
    house(page).get_by_role("link", name="This device").click()
    choose(page, tmp_path, b"long enough")
    page.get_by_role("button", name=EN["take"]).click()
    answer = page.locator("#answer")
    expect(answer).to_have_text(EN["reading"].format(name="a.zip"))
    page.evaluate("engine.onerror({ message: 'unreachable' })")
    expect(status(page)).to_have_text(EN["crashed"])
    expect(answer).to_have_text("")


def test_an_engine_that_ended_leaves_no_player_waiting(home: BrowserContext, tmp_path: Path) -> None:
    page = visit(home, engine(), "t/ABCDEF")
    house(page).get_by_role("link", name="This device").click()
    page.evaluate(
        """() => {
          const read = File.prototype.arrayBuffer;
          File.prototype.arrayBuffer = async function () {
            await new Promise(later => (window.goOn = later));
            return read.call(this);
          };
        }"""
    )
    choose(page, tmp_path, b"long enough")
    answer = page.locator("#answer")
    expect(answer).to_have_text(EN["reading"].format(name="a.zip"))
    page.evaluate("engine.onerror({ message: 'unreachable' })")
    page.evaluate("goOn()")
    expect(answer).to_have_text("")


def test_the_focus_is_in_the_house_as_soon_as_the_panel_closes(home: BrowserContext) -> None:
    assert focused_at_close(home) == "IFRAME", "a busy browser draws the page, and takes the focus away, only later"
    expect(house(home.pages[-1]).get_by_role("link", name="This device")).to_be_focused()


def test_a_panel_that_is_open_again_by_then_keeps_the_focus(home: BrowserContext) -> None:
    assert focused_at_close(home, "document.getElementById('device').onclick();") == "panel-title"


def test_a_sentence_of_the_frame_is_said_once_round_it(home: BrowserContext) -> None:
    page = visit(home, HEARD + SOONER + engine())
    expect(status(page)).to_have_attribute("aria-hidden", "true")  # "Ready." is announced with the page's heading
    says(page, "polite", "One.", "And more.")
    says(page, "assertive", "Your turn.")
    says(page, "polite", "Two.")
    says(page, "polite", "Two.\u00a0")
    says(page, "polite", "Two.")
    expected = [
        ["polite", "One.\nAnd more."],
        ["assertive", "Your turn."],
        *(["polite", f"Two.{x}"] for x in ("", NBSP, "")),
    ]
    until(page, "count => heard.length === count", len(expected))
    page.frames[1].evaluate("document.querySelectorAll('#polite, #assertive').forEach(each => each.replaceChildren())")
    assert page.evaluate("heard") == expected, "an equal line differs by a no-break space, which Orca needs"
    assert page.evaluate("places.size") > 1, "Firefox drops some of what comes to one node"
    page.evaluate("heard.length = 0")
    house(page).locator("#dark").click()
    expect(house(page).get_by_role("heading", name="At /dark")).to_be_visible()
    says(page, "polite", "The next page.")
    until(page, "() => heard.length > 0")
    assert page.evaluate("heard") == [["polite", "The next page."]]
    expect(page.locator("#repeated-polite p, #repeated-assertive p")).to_have_count(0, timeout=15_000)


def test_an_early_sentence_of_a_page_is_said_too(home: BrowserContext) -> None:
    page = visit(home, HEARD + engine() + EARLY)
    until(page, "() => heard.length > 0")
    assert page.evaluate("heard") == [["polite", "Early."]]


def test_a_page_behind_a_panel_says_nothing(home: BrowserContext) -> None:
    page = visit(home, HEARD + engine())
    house(page).get_by_role("link", name="This device").click()
    expect(page.get_by_role("dialog", name=EN["device_title"])).to_be_visible()
    says(page, "polite", "Behind it.")
    page.keyboard.press("Escape")
    expect(house(page).locator("html:not([inert])")).to_be_attached()
    says(page, "polite", "In front.")
    until(page, "() => heard.length > 0")
    assert page.evaluate("heard") == [["polite", "In front."]]


def test_another_houses_page_floods_neither_memory_nor_ear(home: BrowserContext) -> None:
    page = visit(home, HEARD + engine())
    quiet(page)
    for number in range(60):  # each 20th line is long, so one long line stays; drawing one takes 50 ms
        page.frames[1].evaluate(SAYS, ["polite", f"{number} {'x' * (1 if number % 20 else 20_000)}"])
    until(page, "() => heard.length === 60")
    there = page.locator("#repeated-polite p").all_text_contents()
    assert len(there) <= 32
    assert 1000 < max(map(len, there)) <= 10_000


@pytest.mark.nightly
def test_nothing_behind_a_panel_can_be_reached(
    home: BrowserContext,
) -> None:
    page = visit(home, engine())
    page.evaluate("engine.tell({ full: true })")
    expect(page.locator("#told")).to_have_text(EN["full"])
    page.bring_to_front()
    house(page).get_by_role("link", name="This device").click()
    panel = page.get_by_role("dialog", name=EN["device_title"])
    expect(panel).to_be_visible()
    stops = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        stops.add(focused(page))
    assert stops - {"BODY"} == {"save", "read", "licences", "close"}, "as in a modal dialog"
    assert page.locator("dialog:modal").count() == 0, "a frame that was inert itself is lost to Orca"
    expect(page.locator("#documents")).to_be_hidden()
    page.locator("#save").focus()
    page.evaluate("Object.assign(document.querySelector('iframe').contentWindow, { isOld: true }).location.reload()")
    until(page, NEW_IN_FRAME)
    expect(house(page).locator("html[inert] h1")).to_be_attached()
    assert focused(page) == "save", "nor a page that comes meanwhile"
    page.mouse.click(2, 2)  # beside the panel, on the frame
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(house(page).locator("html:not([inert]) h1")).to_be_attached()
    expect(page.locator("iframe")).to_be_focused()
    page.locator("#notice").get_by_role("button", name=EN["ok"]).click()
    expect(page.locator("#notice")).to_be_hidden()


def test_a_dialog_of_the_house_is_out_of_reach_below_a_panel(home: BrowserContext) -> None:
    """The card of a result is a modal dialog. A screen reader would read it instead of the panel."""
    page = visit(home, engine())
    frame = house(page)
    frame.locator("body").evaluate(
        "body => { body.insertAdjacentHTML('beforeend', '<dialog><button>Save</button></dialog>');"
        " body.querySelector('dialog').showModal(); }"
    )
    frame.locator("a", has_text="This device").dispatch_event("click")
    expect(page.locator("#panel-title")).to_be_focused()
    takes_focus = "node => { node.focus(); return document.activeElement === node; }"
    card = frame.locator("dialog button")
    assert not card.evaluate(takes_focus)
    page.keyboard.press("Escape")
    expect(page.locator("#panel-title")).to_be_hidden()
    reached = f"() => ({takes_focus})(document.querySelector('dialog button'))"
    until(page.frames[1], reached)  # the frame hears that the panel closed a moment later


def focused_at_close(home: BrowserContext, meanwhile: str = "") -> str:
    """Close the panel, and return the id or node name of the element that has the focus at the panel's "close" event.

    ``meanwhile`` is a script that runs between the call of ``close`` and that event.
    """
    page = visit(home, engine())
    house(page).get_by_role("link", name="This device").click()
    expect(page.locator("#panel-title")).to_be_focused()
    told = "document.activeElement.id || document.activeElement.nodeName"
    return str(
        page.evaluate(
            "() => new Promise(tell => { const panel = document.getElementById('panel');"
            f" panel.addEventListener('close', () => tell({told})); panel.close(); {meanwhile} }})"
        )
    )


def choose(page: Page, folder: Path, contents: bytes) -> None:
    (folder / "a.zip").write_bytes(contents)
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name=EN["read_back"]).click()
    chosen.value.set_files(folder / "a.zip")


@pytest.mark.parametrize(
    ("size", "code", "look"),
    [
        pytest.param(SMALL, "de", "light", marks=pytest.mark.nightly),
        pytest.param(SMALL, "he", "light", marks=pytest.mark.nightly),
        pytest.param(DESKTOP, "en", "dark"),
    ],
    ids=["widest", "right to left", "dark"],
)
def test_axe_finds_nothing_and_nothing_is_cut_off(home: BrowserContext, size: Any, code: str, look: Any) -> None:
    told = words()[code]
    speaks = f"Object.defineProperty(Navigator.prototype, 'languages', {{ value: ['{code}-XX', 'en'] }});"

    def looked_at(starts: str, path: str = "./", *, ready: bool = False) -> Page:
        page = visit(home, speaks + engine(starts), path, ready=ready)
        page.emulate_media(color_scheme=look)
        page.set_viewport_size(size)
        return page

    page = looked_at("this.tell({ stage: 'house' });")
    expect(status(page)).to_have_text(told["house"])
    checked(page, "loading")
    page.get_by_role("button", name=told["device_title"]).click()
    expect(page.locator("#offline")).to_have_text(told["offline_yes"])
    checked(page, "panel")
    page.close()
    page = looked_at("this.tell({ stage: 'failed', why: 'ImportError: no module named msgspec' });")
    expect(status(page)).to_have_text(told["failed"])
    checked(page, "failed")
    page.close()
    page = looked_at(RUNS, code, ready=True)
    page.evaluate("engine.tell({ full: true })")
    expect(page.locator("#told")).to_have_text(told["full"])
    checked(page, "notice")


def checked(page: Page, name: str) -> None:
    """Assert that axe finds no fault, in the house's frame either, and that no element is too wide or too low to tap.

    Behind a dialog the frame's page is inert. Axe would find elements half behind the table's bar too small.
    """
    for frame in page.frames[1:] if page.locator("dialog[open]").count() == 0 else []:
        frame.evaluate(AXE)
    assert violations(page) == [], name
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    assert page.locator("button, summary").evaluate_all(LOW) == [], name


PHONE = {"width": 360, "height": 640}
REFUSED = """StorageManager.prototype.persisted = StorageManager.prototype.persist = async () => false;
  window.heard = [];
  addEventListener('DOMContentLoaded', () => new MutationObserver(news => {
    for (const { addedNodes } of news) heard.push(...[...addedNodes].map(node => node.textContent));
  }).observe(document.getElementById('heard'), { childList: true }));"""
LAST = """() => {
  const last = document.body.appendChild(document.createElement('button'));
  last.textContent = 'Last';
  last.style.marginTop = `${innerHeight - last.getBoundingClientRect().top - 60}px`;
  last.focus();
}"""
LAID = """() => {
  const bar = document.getElementById('notice').getBoundingClientRect(), frame = document.querySelector('iframe');
  const { document: page } = frame.contentWindow, { height } = frame.getBoundingClientRect();
  const bottomOf = node => node.getBoundingClientRect().bottom;
  const low = selector => Math.max(...[...page.querySelectorAll(selector)].map(bottomOf));
  return { over: bottomOf(frame) - bar.top, high: bar.height / innerHeight,
    below: ['#dice .die', '#main', ':focus'].map(low).filter(bottom => bottom > height) };
}"""


@pytest.fixture
def page(chromium: Browser, host: StaticHost) -> Iterator[Page]:
    """Open the page of a table whose match is under way, on a phone."""
    context = context_on(chromium, host.address, viewport=PHONE)
    visit(context, engine()).close()  # the service worker has a page at the table's address; the host has none
    yield visit(context, REFUSED + engine(), "t/PLAYED")
    context.close()


@pytest.mark.nightly
def test_what_can_wait_is_told_once_and_after_the_match(page: Page) -> None:
    notice, told = page.locator("#notice"), page.locator("#told")
    page.evaluate("engine.tell({ full: true })")
    expect(told).to_have_text(EN["full"])
    notice.get_by_role("button", name=EN["ok"]).click()
    expect(notice).to_be_hidden()
    page.frames[1].evaluate("document.querySelector('main').dataset.stage = 'over'")
    expect(told).to_have_text(EN["not_persisted"])
    page.frames[1].evaluate("document.querySelector('main').dataset.stage = 'playing'")
    expect(notice).to_be_hidden()
    page.frames[1].evaluate("document.querySelector('main').dataset.stage = 'over'")
    expect(told).to_have_text(EN["not_persisted"])
    expect(notice).to_be_visible()
    until(page, "told => heard.includes(told)", EN["not_persisted"])
    said = page.evaluate("heard")
    assert [said.count(EN[key]) for key in ("full", "not_persisted")] == [1, 1], said


@pytest.mark.nightly
def test_what_has_the_focus_stays_in_sight_beside_a_notice(page: Page) -> None:
    page.frames[1].evaluate(LAST)
    page.evaluate("engine.tell({ full: true })")
    expect(page.locator("#notice")).to_be_visible()
    laid = page.evaluate(LAID)
    assert laid["over"] <= 0, "the bar lies below the house"
    assert laid["below"] == []
