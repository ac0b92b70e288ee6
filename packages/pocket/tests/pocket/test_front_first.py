"""Tests of the front page that is shown before the engine is there, on a first visit and at a later start. It is true,
complete, and announced.
"""

import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from pocket.real_tab import order, ready
from pocket.shell_pages import BELOW, DE, EN, WITHIN_MS, context_on, engine, focused, house, path_of, status, visit
from pocket.small_folder import lose
from pubdice.store.bundle import TABLES
from support.browser import until
from support.static_host import StaticHost

READY_MS = 180_000
SOON = """if (top === self) {
  const { setTimeout, clearTimeout } = window;
  window.soon = new Map();
  window.setTimeout = (done, ms, ...more) => {
    if (ms !== 1500) return setTimeout(done, ms, ...more);
    soon.set(-soon.size - 1, done);
    return -soon.size;
  };
  window.clearTimeout = timer => soon.delete(timer) || clearTimeout(timer);
}"""
"""A script: ``soon`` has what the page would say after 1.5 s if the engine were not there yet (``shell_page.js``)."""
FRONT = """
  this.tell({ stage: 'files' });
  const policy = ['content-security-policy', "frame-ancestors 'self'"];
  this.tell({ front: { headers: [['content-type', 'text/html; charset=utf-8'], policy], body: page('/') } });
"""
SHIPPED = "this.tell({ stage: 'files' }); this.tell({ front: true });"
CAME = f"""async ([done, of]) => (await import('/{BELOW}pocket/shell_page.js')).installing(done, of)"""
"""A script that reports some bytes of the folder as fetched."""
AGAIN = """async () => {
  const text = await (await fetch('./', { headers: { Accept: 'text/html' } })).text();
  const page = new DOMParser().parseFromString(text, 'text/html');
  const field = page.querySelector('[name=key]'), key = field.value;
  field.setAttribute('value', '');
  return [key, page.documentElement.outerHTML];
}"""
"""A script that asks for the front page again. It returns the key of the page's form, and the rest of the page."""
SERVED = f"""async () => {{
  window.others = [];
  const {{ serveBy }} = await import('/{BELOW}pocket/shell_engine.js');
  await serveBy(navigator.serviceWorker.controller, ({{ target }}) => others.push(target));
}}"""
"""A script that lets another house answer requests."""
READS = """() => {
  self.reads = [];
  const { match } = Cache.prototype, { parse } = JSON;
  Cache.prototype.match = function (asked, ...how) {
    if (`${asked}`.endsWith('/pocket/front.json')) reads.push('cache');
    return match.call(this, asked, ...how);
  };
  JSON.parse = (...given) => {
    reads.push('parse');
    return parse(...given);
  };
}"""
"""A script that makes a service worker note each time it reads or parses the shipped answers."""


HIDDEN = """() => {
  Object.defineProperty(document, 'hidden', { value: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""
POSTED = """window.posted = 0;
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (data, ...more) {
  if (data?.method === 'POST') window.posted++;
  return postMessage.call(this, data, ...more);
};"""
"""A script that counts the forms which the page has passed to the engine's worker."""


def early(home: BrowserContext, starts: str = FRONT, path: str = "./") -> Page:
    return visit(home, engine(starts), path, ready=False)


def tell(page: Page, **event: object) -> None:
    page.evaluate("event => engine.tell(event)", event)


def test_the_front_page_is_shown_early_and_stays(home: BrowserContext) -> None:
    page = early(home)
    expect(house(page).locator("h1")).to_have_text("At /")
    expect(page.locator("#start")).to_be_hidden()
    expect(page.locator("#rest")).to_contain_text(EN["coming"])
    expect(page.locator("#heard p")).to_have_text(["At /", EN["coming"]])
    assert focused(page) == "IFRAME"
    page.evaluate(CAME, [1_500_000, 3_000_000])
    expect(page.locator("#rest-amount")).to_have_text("1.5 of 3.0 MB")
    assert page.locator("#rest-bar").evaluate("bar => bar.position") == 0.5
    expect(page.locator("#start")).to_be_hidden()
    page.frames[1].evaluate("window.same = true")
    tell(page, stage="ready")
    expect(page.locator("#rest")).to_be_hidden()
    expect(page.locator("#heard")).to_contain_text(EN["ready"])
    assert page.frames[1].evaluate("same"), "nothing was loaded again below the player's finger"
    assert page.evaluate("asked").count(f"GET /{BELOW}") == 0
    page.evaluate("fetch('./').then(() => null)")
    assert page.evaluate("asked").count(f"GET /{BELOW}") == 1, "who comes to it from now on sees it as it is"


@pytest.mark.parametrize(("locale", "begins"), [("de-AT", "de"), ("fr-FR", "en")])
def test_a_house_without_tables_is_shown_as_it_is_shipped(
    chromium: Browser, host: StaticHost, locale: str, begins: str
) -> None:
    context = context_on(chromium, host.address, locale=locale)
    page = visit(context, engine(SHIPPED), ready=False)
    language, path, origin, key = house(page).locator("body").inner_text(timeout=WITHIN_MS).split()
    assert (language, path, origin) == (begins, f"/{BELOW}", host.address.removesuffix(f"/{BELOW}"))
    assert len(key) == 36, "a random one: an order is taken once under each"
    [worker] = context.service_workers
    worker.evaluate(READS)
    for _ in range(2):
        assert page.evaluate("fetch('static/a.css').then(answer => answer.text())") == "a {}"
    assert worker.evaluate("reads") == [], "the answers are read once, and not again for each style and script"
    page.evaluate("fetch('pocket/front.json').then(answer => answer.text())")
    assert worker.evaluate("reads") == ["cache"], "nothing was noted"
    context.close()


def test_all_else_waits_for_the_engine(home: BrowserContext) -> None:
    page = early(home)
    expect(page.locator("iframe:not(.waits)")).to_be_visible()
    others = """Promise.all([['./', { method: 'POST' }], ['./?x', {}], ['rules', {}], ['static/b.css', {}]].map(
      ([at, how]) => fetch(at, how)))"""
    page.evaluate(f"{others}.then(() => null)")
    asked = [each.split()[0:2] for each in page.evaluate("asked") if " " in each]
    assert sorted(asked) == sorted(
        [["POST", f"/{BELOW}"], ["GET", f"/{BELOW}?x"], ["GET", f"/{BELOW}rules"], ["GET", f"/{BELOW}static/b.css"]]
    )
    tell(page, stage="ready")
    expect(page.locator("iframe:not(.early)")).to_be_visible()
    page.evaluate("fetch('./').then(() => null)")
    assert f"GET /{BELOW}" in page.evaluate("asked")


def test_an_answer_may_lead_to_the_engines_front_page(home: BrowserContext) -> None:
    page = early(home)
    expect(page.locator("iframe:not(.waits)")).to_be_visible()
    for target in ("./", "language", "./"):
        page.evaluate(f"fetch('{target}').then(() => null)")
    assert [each for each in page.evaluate("asked") if " " in each] == [f"GET /{BELOW}language", f"GET /{BELOW}"]


def test_a_players_tap_is_told_at_once_and_a_fetch_is_not(home: BrowserContext) -> None:
    page = early(home, f"window.holds = true; {FRONT}")
    expect(page.locator("#rest")).to_contain_text(EN["coming"])
    page.frames[1].evaluate("void fetch('./?x', { headers: { Accept: 'text/html' } })")
    until(page, f"asked.includes('GET /{BELOW}?x')")
    expect(page.locator("#rest")).to_contain_text(EN["coming"])
    house(page).locator("#table").click(no_wait_after=True)
    expect(page.locator("#rest")).to_contain_text(EN["chosen"])
    expect(page.locator("#heard p").last).to_have_text(EN["chosen"])


def test_an_engine_that_comes_soon_is_not_told(home: BrowserContext) -> None:
    page = visit(home, SOON + engine(FRONT), ready=False)
    expect(page.locator("iframe:not(.waits)")).to_be_visible()
    page.frames[1].evaluate("window.looked = 0; void addEventListener('online', () => (looked += 1))")
    tell(page, stage="ready")
    expect(page.locator("iframe:not(.early)")).to_be_visible()
    page.evaluate("soon.forEach(tells => tells())")
    expect(page.locator("#rest")).to_be_hidden()
    expect(page.locator("#heard p")).to_have_text(["At /"])
    assert page.frames[1].evaluate("looked") == 1


def test_another_house_in_this_browser_answers_for_itself(home: BrowserContext) -> None:
    page = early(home)
    expect(page.locator("iframe:not(.waits)")).to_be_visible()
    page.evaluate(SERVED)
    page.evaluate("void fetch('./')")
    until(page, f"others.includes('/{BELOW}')")


@pytest.mark.parametrize("path", ["./#new", "./#play"])
def test_a_place_in_the_front_page_is_shown_early_too(home: BrowserContext, path: str) -> None:
    page = early(home, path=path)
    expect(page.locator("iframe.early:not(.waits)")).to_be_visible()
    assert path_of(page) == f"/{BELOW}{path[2:]}"


def test_a_notice_waits_for_the_end_of_an_early_match(home: BrowserContext) -> None:
    page = early(home)
    expect(page.locator("iframe:not(.waits)")).to_be_visible()
    page.frames[1].evaluate("location.href = 't/PLAYED'")
    expect(house(page).locator("h1")).to_have_text("At /t/PLAYED")
    tell(page, stage="ready")
    expect(page.locator("iframe:not(.early)")).to_be_visible()
    expect(page.locator("#rest")).to_be_hidden()
    expect(page.locator("#notice")).to_be_hidden()
    page.frames[1].evaluate("location.href = '../'")
    expect(page.locator("#told")).to_have_text(EN["not_persisted"])


def test_no_file_is_saved_or_read_before_the_engine_is_there(home: BrowserContext) -> None:
    page = early(home)
    house(page).get_by_role("link", name="This device").click()
    expect(page.locator("#panel")).to_be_visible()
    expect(page.locator("#save")).to_be_hidden()
    tell(page, stage="ready")
    expect(page.locator("#save")).to_be_visible()


def test_a_lacking_engine_is_told_in_place_of_the_page(home: BrowserContext) -> None:
    page = early(home)
    expect(page.locator("#rest")).to_be_visible()
    tell(page, slow=True)
    tell(page, stage="failed", why="out of memory")
    expect(status(page)).to_have_text(EN["failed"])
    expect(page.locator("iframe")).to_have_count(0)
    for below in ("#rest", "#notice"):
        expect(page.locator(below)).to_be_hidden()
    expect(page.get_by_role("button", name=EN["again"])).to_be_focused()


def test_notices_wait_for_the_engine(home: BrowserContext) -> None:
    page = early(home, FRONT + "this.tell({ kept: false });")
    expect(page.locator("#rest")).to_be_visible()
    expect(page.locator("#notice")).to_be_hidden()
    tell(page, stage="ready")
    expect(page.locator("#told")).to_have_text(EN["not_kept"])


def test_a_slow_engine_is_told_below_the_page(home: BrowserContext) -> None:
    page = early(home)
    expect(page.locator("#rest")).to_be_visible()
    tell(page, slow=True)
    expect(page.locator("#told")).to_have_text(EN["slow"])
    expect(house(page).locator("h1")).to_have_text("At /")
    tell(page, stage="ready")
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#rest")).to_be_hidden()


def test_another_page_waits_for_the_engine(home: BrowserContext) -> None:
    page = early(home, FRONT + "this.tell({ stage: 'house' });", "t/ABCDEF")
    expect(status(page)).to_have_text(EN["house"])
    expect(page.locator("iframe")).to_have_count(0)
    tell(page, stage="ready")
    expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")


def test_the_engine_may_be_there_before_the_page_is(home: BrowserContext) -> None:
    page = visit(home, engine(FRONT + "this.tell({ stage: 'ready' });"))
    expect(page.locator("#heard p")).to_have_text([f"{EN['ready']} At /"])
    expect(page.locator("#rest")).to_be_hidden()
    assert page.evaluate("asked").count(f"GET /{BELOW}") == 1


@pytest.fixture
def slow_host(quick_folder: Path, tmp_path: Path) -> Iterator[StaticHost]:
    """A host with a path that must be escaped in a page. It sends the house only when a test allows it."""
    name = "tom&jerry's$$"
    (tmp_path / name).symlink_to(quick_folder)
    with StaticHost(tmp_path, f"{name}/") as found:
        found.held = {"house.zip", "house.zip.lzma"}
        yield found


def tables_of(page: Page, folder: Path) -> int:
    """Return the number of this device's tables, from the saved file."""
    house(page).locator("a[href='#this-device']").dispatch_event("click")
    with page.expect_download() as download:
        page.locator("#save").click()
    file = folder / "saved.zip"
    download.value.save_as(file)
    with zipfile.ZipFile(file) as bundle:
        (folder / TABLES).write_bytes(bundle.read(TABLES))
    with closing(sqlite3.connect(folder / TABLES)) as tables:
        return int(tables.execute("SELECT count(*) FROM tables").fetchone()[0])


def test_a_table_ordered_early_opens_once_the_engine_is_there(
    chromium: Browser, slow_host: StaticHost, tmp_path: Path
) -> None:
    context = context_on(chromium, slow_host.address, locale="de-AT")
    page = context.new_page()
    page.add_init_script(POSTED)
    page.goto("./")
    expect(page.locator("#rest")).to_be_visible(timeout=WITHIN_MS)
    expect(page.locator("#rest")).to_contain_text(DE["coming"])
    frame = page.frames[1]
    until(page, "document.querySelector('iframe').contentDocument.readyState === 'complete'")
    assert frame.evaluate("[...document.styleSheets].every(sheet => sheet.cssRules.length > 0)")
    assert frame.evaluate("document.documentElement.matches('.js')"), "its scripts run"
    key, _ = frame.evaluate(AGAIN)
    assert len(key) == 36, "a random one: an order is taken once under each"
    page.evaluate("void (window.after = fetch('rules/midnight'))")
    house(page).locator("#name").fill("Ann")
    orders = 0
    for game, way in (("midnight", "phone"), ("midnight", "phone"), ("mexico", "friends")):
        house(page).locator(f"label[for=game-{game}]").click()
        house(page).locator(f"#open button[value={way}]").first.click(no_wait_after=True)
        expect(page.locator("#rest")).to_contain_text(DE["chosen"])
        until(page, "count => window.posted === count", (orders := orders + 1))
    assert path_of(page) == "/tom&jerry's$$/"
    slow_host.let_go.set()
    house(page).locator("#main").wait_for(timeout=READY_MS)
    expect(page.locator("#rest")).to_be_hidden()
    assert re.fullmatch(r"/tom&jerry's\$\$/t/\w+-\w+", path_of(page))
    expect(page).to_have_title(re.compile("Mexico"))
    expect(house(page).locator("#door svg"), "it is for other phones").to_be_visible(timeout=READY_MS)
    assert page.evaluate("after.then(answer => answer.status)") == 200
    house(page).locator("a.brand").click()
    expect(house(page).locator("#open")).to_be_attached()
    assert house(page).locator(f'a[href*="{path_of(page)}t/"]').count() == 1, "of three orders the last counts"
    assert tables_of(page, tmp_path) == 1
    context.close()


ENGINE = "pyodide.asm.wasm"
KILLED = """document.addEventListener(
  'visibilitychange', event => window.killed && event.stopImmediatePropagation(), true,
);"""
"""A script for a tab. Once ``killed`` is set, the tab ends without notice, as on a phone without power."""
KEPT = """async () => {
  const root = await navigator.storage.getDirectory();
  for await (const folder of root.values())
    for await (const file of folder.kind === 'directory' ? folder.values() : [])
      if ((await (await file.getFile()).slice(0, 6).text().catch(() => '')) === 'front\\n') return true;
  return false;
}"""
"""A script whose value is true if this device keeps a front page."""


@pytest.fixture(scope="module")
def phone(chromium: Browser, quick_folder: Path) -> Iterator[tuple[StaticHost, BrowserContext]]:
    """A host, and a browser for its house. Starting a browser costs 5 s of processor time, so each test goes on in the
    tab of the one before.
    """
    with StaticHost(quick_folder) as static:
        context = context_on(chromium, static.address)
        context.add_init_script(KILLED)
        yield static, context
        context.close()


@pytest.fixture
def device(phone: tuple[StaticHost, BrowserContext]) -> tuple[StaticHost, Page]:
    """The host, and a tab at the front page. The device keeps this page for the next start."""
    static, context = phone
    static.let_go.set()
    static.held, static.let_go = set(), Event()
    if context.pages and house(context.pages[-1]).locator("a.brand").is_visible():
        page = context.pages[-1]
        house(page).locator("a.brand").click()
    else:
        page = context.new_page()
        page.goto("./")
    ready(page)
    expect(house(page).locator("#open")).to_be_attached(timeout=READY_MS)
    until(page, KEPT, within_ms=READY_MS)
    return static, page


def begun_again(static: StaticHost, page: Page) -> Page:
    """Kill this tab, and open the house in another one. The host sends the engine only when a test allows it."""
    static.held = {ENGINE, f"{ENGINE}.lzma"}
    lose(page, f"pocket/engine/{ENGINE}")
    page.evaluate("window.killed = true")
    page.close()
    again = page.context.new_page()
    again.goto("./")
    return again


def quiet_table(page: Page) -> str:
    """Open a table at which nothing happens without a player. Return its address."""
    return order(page, game="midnight", people=2, bots=[], rules={"format": "rounds 1"})


def row(page: Page, table: str) -> Locator:
    return house(page).locator(f'#page a[href="{table}"]')


@pytest.mark.nightly
def test_a_later_start_shows_tables_before_the_engine(device: tuple[StaticHost, Page]) -> None:
    static, page = device
    table = quiet_table(page)
    assert not page.evaluate(KEPT), "it has a table less than the house"
    house(page).locator("a.brand").click()
    expect(row(page, table)).to_be_visible()
    until(page, KEPT)
    again = begun_again(static, page)
    expect(again.locator("iframe.early")).to_be_visible(timeout=READY_MS)
    expect(row(again, table)).to_be_visible()
    house(again).locator("#player2").fill("Bob")
    static.let_go.set()
    ready(again)
    expect(row(again, table)).to_be_visible()
    expect(house(again).locator("#player2")).to_have_value("Bob")
    row(again, table).click()
    expect(again).to_have_url(re.compile(f"{table}$"))


@pytest.mark.nightly
def test_a_hidden_page_has_the_front_page_kept_as_it_is_then(device: tuple[StaticHost, Page]) -> None:
    static, page = device
    table = quiet_table(page)
    page.evaluate(HIDDEN)
    until(page, KEPT)
    again = begun_again(static, page)
    expect(again.locator("iframe.early")).to_be_visible(timeout=READY_MS)
    expect(row(again, table)).to_be_visible()
