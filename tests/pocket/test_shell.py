"""The page round the engine, in Chromium: it loads, hands over to the house, follows it, and says what is the matter.

Where the house itself does not matter, a few pages stand in for its engine (``stand_in_engine.js``).
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Locator, Page, expect

from benchmarks.pocket import SNAPSHOT
from browser.test_axe import AXE, violations
from pocket.small_folder import until
from pocket.test_shell_words import words
from support.browser import DESKTOP, SMALL, chromium_running
from support.static_host import StaticHost

BELOW = "pub/dice/"
EN, DE = words()["en"], words()["de"]
WITHIN_MS = 60_000
FIRST_MS = 180_000
"""A first start imports everything: 20 s alone on a machine with two cores, and a minute beside other tests."""
HERE = Path(__file__).parent
RUNS = "for (const stage of ['files', 'interpreter', 'imports', 'house', 'ready']) this.tell({ stage });"
SAID = """
  window.said = [];
  addEventListener('DOMContentLoaded', () => {
    const status = document.getElementById('status');
    if (status) new MutationObserver(() => said.push(status.textContent)).observe(status, { childList: true });
  });
"""
VERSION = """new Promise(done => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => done(data.version);
  navigator.serviceWorker.controller.postMessage({ version: true }, [port2]);
})"""
LOW = """nodes => nodes.map(node => [node.textContent, node.getBoundingClientRect().height])
  .filter(([, high]) => high && high < 44)"""


def engine(starts: str = RUNS) -> str:
    """A script that stands in for the engine. starts: what it does when it is started."""
    script = (HERE / "stand_in_engine.js").read_text("utf-8")
    return f"{{{script.replace('STARTS', f'{{ {starts} }}').replace('PREFIX', f'/{BELOW[:-1]}')}}}"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with chromium_running() as browser:
        yield browser


@pytest.fixture(scope="module")
def host(pocket_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticHost]:
    """A host that has the house below a folder."""
    root = tmp_path_factory.mktemp("host")
    (root / BELOW).parent.mkdir(parents=True)
    shutil.copytree(pocket_folder, root / BELOW)
    with StaticHost(root, BELOW) as host:
        yield host


def context_on(browser: Browser, address: str, **settings: Any) -> BrowserContext:
    context = browser.new_context(
        **{"base_url": address, "viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", **settings}
    )
    context.set_default_timeout(WITHIN_MS)
    return context


@pytest.fixture(scope="module")
def home(chromium: Browser, host: StaticHost) -> Iterator[BrowserContext]:
    """A browser in which the house is installed already; without an engine, so that its storage is empty."""
    context = context_on(chromium, host.address)
    page = visit(context, engine())
    page.evaluate("localStorage.clear()")
    page.close()
    yield context
    context.close()


@pytest.fixture(autouse=True)
def closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every page of the shared browser is closed after a test, so that the next one gets the engine."""
    yield
    if "home" in request.fixturenames:
        for page in request.getfixturevalue("home").pages:
            page.evaluate("localStorage.clear()")
            page.close()


def visit(context: BrowserContext, script: str = "", path: str = "./", *, ready: bool = True) -> Page:
    page = context.new_page()
    page.add_init_script(SAID + script)
    page.goto(path)
    if ready:
        expect(page.locator("iframe:not(.waits)")).to_be_visible(timeout=WITHIN_MS)
        expect(page.locator("#start")).to_be_hidden()
    return page


def house(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def status(page: Page) -> Locator:
    return page.locator("#status")


def path_of(page: Page) -> str:
    return str(page.evaluate("location.pathname + location.search + location.hash"))


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.nodeName"))


def test_a_first_visit_tells_how_far_it_is_then_the_house_is_there_with_the_focus(
    chromium: Browser, host: StaticHost
) -> None:
    context = context_on(chromium, host.address)
    page = context.new_page()
    page.add_init_script(
        SAID + "window.bytes = []; setInterval(() => { const b = document.getElementById('amount')?.textContent;"
        " if (b && b !== bytes.at(-1)) bytes.push(b); }, 10);"
    )
    page.goto("./")
    expect(page.locator("#start")).to_be_hidden(timeout=FIRST_MS)
    said, numbers = page.evaluate("said"), page.evaluate("bytes")
    steps = [EN[each] for each in ("installing", "interpreter", "imports", "house", "ready")]
    assert [each for each in said if each in steps] == steps
    loaded = [float(found[1]) for each in numbers if (found := re.fullmatch(r"([\d.]+) of [\d.]+ MB", each))]
    assert loaded == sorted(loaded)
    assert loaded[-1] > 5
    assert focused(page) == "IFRAME"
    assert page.title() == "Pub dice for your table | Pubdice"
    house(page).locator("#name").fill("Ann")
    house(page).locator("#open button.main").click()
    house(page).locator("#main").wait_for()
    expect(page).to_have_url(re.compile(rf"/{BELOW}t/[^/]+$"))
    table, title = page.url, page.title()
    assert "Midnight" in title
    until(page, SNAPSHOT, within_ms=FIRST_MS)
    page.reload()
    expect(page.locator("#start")).to_be_hidden(timeout=FIRST_MS)
    house(page).locator("#main").wait_for()
    assert (page.url, page.title()) == (table, title), "the table is still there"
    assert EN["interpreter"] not in page.evaluate("said"), "it began with the snapshot of memory"
    second = context.new_page()
    second.goto(table)
    expect(status(second)).to_have_text(EN["other_tab"])
    second.get_by_role("button", name=EN["here"]).click()
    house(second).locator("#main").wait_for()
    assert second.title() == title
    expect(status(page)).to_have_text(EN["moved_away"])
    context.close()


def test_the_address_the_title_the_language_and_the_theme_follow_the_house(home: BrowserContext) -> None:
    page = visit(home, engine())
    assert (path_of(page), page.title()) == (f"/{BELOW}", "At / | Pubdice")
    house(page).locator("#table").click()
    expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
    assert (path_of(page), page.title()) == (f"/{BELOW}t/ABCDEF", "At /t/ABCDEF | Pubdice")
    page.frames[1].evaluate("document.title = 'Your turn – Midnight'")
    expect(page).to_have_title("Your turn – Midnight")
    house(page).locator("#dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    house(page).locator("#german").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("iframe")).to_have_attribute("title", DE["frame"])
    page.go_back()
    expect(page).to_have_title("At /dark | Pubdice")
    page.go_back()
    expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
    assert path_of(page) == f"/{BELOW}t/ABCDEF"
    page.go_forward()
    expect(house(page).locator("h1")).to_have_text("At /dark")
    assert path_of(page) == f"/{BELOW}dark"


@pytest.mark.parametrize("path", ["t/ABCDEF", "t/ABCDEF?step=3#play", "index.html", ""])
def test_a_link_opened_directly_lands_on_its_page(home: BrowserContext, path: str) -> None:
    page = visit(home, engine(), path)
    there = path.removesuffix("index.html")
    expect(house(page).locator("h1")).to_have_text(f"At /{there.partition('#')[0]}")
    assert path_of(page) == f"/{BELOW}{there}"
    assert page.evaluate("document.querySelector('link[rel=manifest]').href").endswith(f"/{BELOW}manifest.webmanifest")


def test_an_address_with_two_slashes_leads_to_no_other_host(home: BrowserContext) -> None:
    page = visit(home, engine())
    asked = page.evaluate(
        "async () => { history.replaceState(null, '', `${location.origin}//other.example/t`);"
        f" const {{ wanted }} = await import('/{BELOW}pocket/shell_frame.js');"
        " return [wanted(new URL('/', location.origin)), location.origin]; }"
    )
    assert asked[0] == f"{asked[1]}//other.example/t"


def test_nothing_but_the_house_can_be_reached_with_the_tab_key(home: BrowserContext) -> None:
    page = visit(home, engine())
    assert focused(page) == "IFRAME"
    found = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        found.add(focused(page))
    assert found <= {"IFRAME", "BODY"}


def test_a_form_of_another_website_is_told_from_one_of_the_house(
    home: BrowserContext, host: StaticHost, tmp_path: Path
) -> None:
    page = visit(home, engine())
    house(page).locator("#move").click()
    expect(house(page).locator("h1")).to_have_text("At /move")
    move = f"POST /{BELOW}move"
    assert page.evaluate("asked.at(-1)") == f"{move} same-origin"
    (tmp_path / "other.html").write_text(
        f'<iframe name="in"></iframe><form method="post" target="in" action="{host.address}move"><button id="in">'
        f'in</button></form><form method="post" action="{host.address}move"><button id="top">top</button></form>'
    )
    with StaticHost(tmp_path) as other:  # another port is another origin
        foreign = home.new_page()
        foreign.goto(f"{other.address}other.html")
        foreign.locator("#in").click()
        until(page, "asked.at(-1).endsWith('cross-site')")
        assert page.evaluate("asked.at(-1)") == f"{move} cross-site", "which the house refuses, as from any browser"
        count = page.evaluate("asked.length")
        foreign.locator("#top").click()
        expect(status(foreign)).to_have_text(EN["other_tab"])
        assert page.evaluate("asked.length") == count, "the whole page is the shell, and only asks to see something"


def test_a_second_tab_says_so_and_can_take_over(home: BrowserContext) -> None:
    first = visit(home, engine(), "t/ABCDEF")
    second = visit(home, engine(), ready=False)
    expect(status(second)).to_have_text(EN["other_tab"])
    assert second.locator("iframe").count() == 0
    second.get_by_role("button", name=EN["here"]).click()
    expect(second.locator("#start")).to_be_hidden()
    expect(status(first)).to_have_text(EN["moved_away"])
    assert first.evaluate("asked").count("end") == 1, "its files are closed before the other tab opens them"
    assert first.locator("iframe").count() == 0
    here = first.get_by_role("button", name=EN["here"])
    expect(here).to_be_focused()
    expect(here).to_have_accessible_description(EN["moved_away"])
    first.get_by_role("button", name=EN["here"]).click()
    expect(house(first).locator("h1")).to_have_text("At /t/ABCDEF")
    expect(status(second)).to_have_text(EN["moved_away"])


def test_a_tab_that_is_closed_lets_the_next_one_play(home: BrowserContext) -> None:
    visit(home, engine()).close()
    visit(home, engine())


@pytest.mark.parametrize(
    ("script", "said", "button"),
    [
        ("delete window.WebAssembly;", "no_wasm", True),
        ("Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });", "no_worker", True),
        ("ServiceWorkerContainer.prototype.register = () => Promise.reject(new Error('denied'));", "no_worker", True),
        ("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });", "no_locks", True),
        (engine("this.tell({ stage: 'failed', why: 'ImportError: no msgspec' });"), "failed", True),
        (engine("this.tell({ stage: 'failed', why: 'NotStored: store-unreadable {}' });"), "unreadable", True),
        (engine("setTimeout(() => this.onerror({ message: 'out of memory' }));"), "failed", True),
        (
            engine("this.tell({ stage: 'failed', why: 'NoModificationAllowedError: held' });"),
            "other_tab_holds",
            True,
        ),
        (engine(f"{RUNS} setTimeout(() => this.onerror({{ message: 'unreachable' }}), 900);"), "crashed", True),
    ],
    ids=["wasm", "no worker", "refused worker", "locks", "start", "damaged files", "memory", "files held", "crash"],
)
def test_trouble_is_one_sentence_and_a_way_on(home: BrowserContext, script: str, said: str, *, button: bool) -> None:
    page = visit(home, script, ready=False)
    expect(status(page)).to_have_text(EN[said])
    expect(page.locator("#bar")).to_be_hidden()
    assert page.locator("iframe").count() == 0
    assert page.get_by_role("button", name=EN["again"]).is_visible() is button
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


def test_a_full_device_is_said_while_the_house_stays(home: BrowserContext) -> None:
    page = visit(home, engine())
    page.evaluate("engine.tell({ full: true })")
    expect(page.locator("#told")).to_have_text(EN["full"])
    page.evaluate("engine.tell({ full: true })")
    page.locator("#notice").get_by_role("button", name=EN["ok"]).click()
    expect(page.locator("#notice")).to_be_hidden()


@pytest.mark.parametrize(("granted", "said"), [("true", "persisted"), ("false", "not_persisted"), ("true", "week")])
def test_the_browser_is_asked_to_keep_tables_once_one_is_open(
    chromium: Browser, host: StaticHost, granted: str, said: str
) -> None:
    context = context_on(chromium, host.address)
    answers = (
        f"StorageManager.prototype.persisted = async () => {granted}; window.persists = 0;"
        f"StorageManager.prototype.persist = async () => {{ top.persists++; return {granted}; }};"
        + ("window.GestureEvent = class {};" if said == "week" else "")  # as Safari has it
    )
    page = visit(context, answers + engine())
    assert page.evaluate("persists") == 0, "nobody is asked before there is something to keep"
    house(page).locator("#table").click()
    expect(page.locator("#told")).to_have_text(EN[said])
    page.locator("#notice").get_by_role("button", name=EN["ok"]).click()
    house(page).locator("#dark").click()
    house(page).locator("#table").click()
    expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
    assert page.evaluate("persists") == 1
    house(page).get_by_role("link", name="This device").click()
    expect(page.locator("#kept")).to_have_text(EN[said])
    context.close()


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
    expect(page.locator("#answer")).to_have_text("Everything in a.zip is here again.")
    assert page.evaluate("asked").count("restore") == 1
    expect(house(page).locator("h1")).to_have_text("At /")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert focused(page) == "IFRAME"


def choose(page: Page, folder: Path, contents: bytes) -> None:
    """Choose a file to be read back, in the panel."""
    (folder / "a.zip").write_bytes(contents)
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name=EN["read_back"]).click()
    chosen.value.set_files(folder / "a.zip")


def test_a_new_version_is_offered_and_used_only_when_somebody_says_so(
    chromium: Browser, pocket_folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(pocket_folder, tmp_path / BELOW)
    with StaticHost(tmp_path, BELOW) as host:
        context = context_on(chromium, host.address)
        page = visit(context, engine())
        house(page).locator("#table").click()
        expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
        page.locator("#notice").get_by_role("button", name=EN["ok"]).click()
        worker = tmp_path / BELOW / "sw.js"
        worker.write_text(re.sub(r'("version": ")', r"\1next-", worker.read_text("utf-8"), count=1))
        page.evaluate("window.stays = true; navigator.serviceWorker.getRegistration().then(each => each.update())")
        expect(page.locator("#notice")).to_contain_text(EN["new_version"])
        assert focused(page) == "IFRAME"
        page.wait_for_timeout(1000)
        assert page.evaluate("stays"), "it never reloads by itself"
        page.get_by_role("button", name=EN["later"]).click()
        page.reload()
        expect(page.locator("#told")).to_have_text(EN["new_version"])
        page.get_by_role("button", name=EN["use_it"]).click()
        page.wait_for_function("() => !window.stays")
        expect(house(page).locator("h1")).to_have_text("At /t/ABCDEF")
        expect(page.locator("#notice")).to_be_hidden()
        assert page.evaluate(VERSION).startswith("next-")
        context.close()


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize(("size", "code"), [(SMALL, "de"), (DESKTOP, "en")], ids=["phone", "desktop"])
def test_axe_finds_nothing_and_nothing_is_cut_off(home: BrowserContext, look: Any, size: Any, code: str) -> None:
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
    """Nothing is wrong for axe, in the house's frame either; nothing is too wide, or too low to be tapped."""
    for frame in page.frames[1:]:
        frame.evaluate(AXE)
    assert violations(page) == [], name
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    assert page.locator("button, summary").evaluate_all(LOW) == [], name
