"""The pocket house's service worker in a real Chromium: cached files work without a web server, and stay complete."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from pocket.small_folder import LARGE, forget_what_came, text_of, told, visit, write_small
from pubdice_pocket.build.archives import packed
from support.browser import PHONE, WITHIN_MS, until
from support.static_host import StaticHost

NIGHTLY = pytest.mark.nightly
DAMAGE = """async ([name, text]) => {
  const [key] = await caches.keys();
  const cache = await caches.open(key);
  if (text === null) await cache.delete(name); else await cache.put(name, new Response(text));
}"""
KEPT = """async ([version, name]) => {
  const key = (await caches.keys()).find(key => key.endsWith(version));
  return Boolean(key && await (await caches.open(key)).match(name));
}"""
ANOTHER = Random(1).randbytes(35_000)  # longer than 100 bytes even when packed, so it counts as a large file
WHY = """async () => {
  const found = await registering, { port1, port2 } = new MessageChannel();
  await found.update();
  return new Promise(told => {
    port1.onmessage = ({ data }) => told(data.why);
    found.installing.postMessage({ why: true }, [port2]);
  });
}"""
"""A script that tries to install a new version, and returns the reason why that failed."""
LACKS = """() => new Promise(told => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => told(data.why);
  navigator.serviceWorker.controller.postMessage({ why: true }, [port2]);
})"""
"""A script that asks the service worker why it could not deliver a requested file."""
UPDATE = "async () => { const found = await registering; await found.update().catch(() => {}); }"
TRIED_AGAIN = """registering.then(found => found.waiting !== null
  || (found.installing ? false : found.update().catch(() => {}).then(() => false)))"""
"""A script that tries the faulty version again. It waits while a version installs, as an update asked for meanwhile
would only join that try.
"""
SCRIPT_OF_TEXT = """() => {
  const made = document.createElement('script');
  made.text = 'window.ran = 1';
  document.head.append(made);
}"""
CHANGED = "new Promise(resolve => navigator.serviceWorker.addEventListener('controllerchange', resolve))"


@pytest.fixture
def phone(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport=PHONE, locale="en-GB")
    context.set_default_timeout(WITHIN_MS)
    yield context
    context.close()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Make a folder with the real service worker and a small page."""
    folder = tmp_path / "small"
    write_small(folder, "one")
    return folder


@pytest.fixture
def host(small: Path) -> Iterator[StaticHost]:
    with StaticHost(small) as host:
        yield host


def damage(page: Page, name: str, text: str | None) -> None:
    """Replace a file in the cache, or delete it."""
    page.evaluate(DAMAGE, [name, text])


def waits(page: Page) -> None:
    until(page, "registering.then(found => found.waiting !== null)")


def test_a_page_opens_again_without_its_host(phone: BrowserContext, host: StaticHost) -> None:
    visit(phone, host.address).close()
    host.stop()
    page = visit(phone, host.address)
    assert page.locator("p").inner_text() == "Small one"
    assert text_of(page, "pocket/engine/large.txt") == LARGE
    page.goto(f"{host.address}any/other/page")
    assert page.title() == "Small", "every address of the house is the page with the engine"
    until(page, "window.told !== undefined")


def test_what_is_handed_out_says_what_the_browser_is_forbidden(phone: BrowserContext, host: StaticHost) -> None:
    page = visit(phone, host.address)
    for name in ("pocket/page.js", "index.html", "files.json"):
        headers = page.evaluate("async name => Object.fromEntries((await fetch(name)).headers)", name)
        assert "'wasm-unsafe-eval'" in headers["content-security-policy"], name
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_documents_beside_the_folder_come_from_the_host(phone: BrowserContext, host: StaticHost, small: Path) -> None:
    page, asked = visit(phone, host.address), "async () => (await fetch('docs/', { method: 'HEAD' })).status"
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    assert page.evaluate(asked) == 204
    (small / "docs").mkdir()
    (small / "docs/index.html").write_text("<!doctype html><title>Documents</title>", "utf-8")
    assert page.evaluate(asked) == 200
    beside = phone.new_page()
    beside.goto(f"{host.address}docs/")
    assert beside.title() == "Documents"
    host.stop()
    assert page.evaluate(asked) == 204
    assert errors == []


def test_a_page_reaches_no_other_host_and_runs_no_text(phone: BrowserContext, host: StaticHost, small: Path) -> None:
    page = visit(phone, host.address)
    with StaticHost(small) as other:
        tried = "async at => { try { await fetch(at); return 'fetched'; } catch (error) { return error.name; } }"
        assert page.evaluate(tried, other.address) == "TypeError"
        assert other.asked == []
    page.evaluate(SCRIPT_OF_TEXT)
    assert page.evaluate("window.ran ?? 0") == 0


def test_a_damaged_file_heals(phone: BrowserContext, host: StaticHost) -> None:
    page = visit(phone, host.address)
    for wrong in ("damaged", "one more", "", None):
        damage(page, "pocket/said.txt", wrong)
        forget_what_came(page)
        host.asked.clear()
        assert text_of(page, "pocket/said.txt") == "one"
        assert text_of(page, "pocket/said.txt") == "one"
        forget_what_came(page)
        assert text_of(page, "pocket/said.txt") == "one"
        assert host.asked == ["/pocket/said.txt"], "fetched once, and kept"


def test_a_damaged_file_heals_from_the_browsers_cache_offline(phone: BrowserContext, host: StaticHost) -> None:
    page = visit(phone, host.address)
    host.stop()
    damage(page, "pocket/said.txt", "damaged")
    assert text_of(page, "pocket/said.txt") == "one"


def test_a_damaged_file_without_a_network_is_told_in_a_sentence(phone: BrowserContext, host: StaticHost) -> None:
    page = visit(phone, host.address)
    host.stop()
    forget_what_came(page)
    damage(page, "pocket/engine/large.txt", "damaged")
    sentence = "A part of Pubdice on this device is damaged. Connect to the network"
    assert text_of(page, "pocket/engine/large.txt").startswith(sentence)
    until(page, "told.some(each => each.damaged)")
    damage(page, "index.html", None)
    page.reload()
    assert page.locator("p").inner_text().startswith(sentence)
    host.start()
    page.reload()
    assert page.locator("p").inner_text() == "Small one"
    assert text_of(page, "pocket/engine/large.txt") == LARGE


def test_a_file_that_the_host_has_wrong_is_not_called_damaged(
    phone: BrowserContext, host: StaticHost, small: Path
) -> None:
    (small / "pocket/said.txt").write_text("another", "utf-8")
    page = visit(phone, host.address, installed=False)
    until(page, "navigator.serviceWorker.controller !== null")
    assert page.evaluate("async () => (await fetch('pocket/said.txt')).status") == 503
    assert page.evaluate(LACKS) == "differs"
    assert told(page, "damaged") == []


def test_a_damaged_script_of_the_page_itself_is_told_too(phone: BrowserContext, host: StaticHost) -> None:
    page = visit(phone, host.address)
    host.stop()
    forget_what_came(page)
    damage(page, "pocket/page.js", "damaged")
    page.goto(f"{host.address}t/KORBUM")
    until(page, "document.querySelector('p').textContent.startsWith('A part of Pubdice')")
    host.start()
    page.reload()
    assert page.locator("p").inner_text() == "Small one"
    until(page, "window.told !== undefined")


def test_a_new_version_waits_until_the_page_says_so(phone: BrowserContext, host: StaticHost, small: Path) -> None:
    page = visit(phone, host.address)
    host.asked.clear()
    write_small(small, "two")
    page.evaluate(UPDATE)
    waits(page)
    assert sorted(host.asked) == ["/index.html", "/pocket/said.txt", "/sw.js"], "what has not changed is not fetched"
    assert text_of(page, "pocket/said.txt") == "one"
    page.reload()
    assert page.locator("p").inner_text() == "Small one", "one page opened again does not make it change"
    assert page.evaluate("caches.keys().then(keys => keys.length)") == 2
    page.evaluate(f"void (window.changed = {CHANGED})")
    page.evaluate("registering.then(found => found.waiting.postMessage({ skipWaiting: true }))")
    page.evaluate("changed")
    page.reload()
    assert page.locator("p").inner_text() == "Small two"
    assert page.evaluate("caches.keys().then(keys => keys.length)") == 1


def test_a_new_version_is_used_once_no_page_is_open(phone: BrowserContext, host: StaticHost, small: Path) -> None:
    page = visit(phone, host.address)
    write_small(small, "two")
    page.evaluate(UPDATE)
    waits(page)
    page.goto("about:blank")
    host.stop()
    again = visit(phone, host.address)
    until(again, "document.querySelector('p').textContent === 'Small two' || location.reload()")


@pytest.mark.parametrize(
    "fault",
    ["changed", "cut", *(pytest.param(each, marks=NIGHTLY) for each in ("longer", "packed cut", "packed shorter"))],
)
def test_a_version_that_is_not_whole_leaves_the_old_one(
    fault: str, phone: BrowserContext, host: StaticHost, small: Path
) -> None:
    page = visit(phone, host.address)
    version = write_small(small, "two", extra=b"some more")
    extra, large = small / "pocket/extra.txt", small / "pocket/engine/large.txt.lzma"
    if fault == "changed":
        extra.write_bytes(b"some mora")
    elif fault == "longer":
        extra.write_bytes(b"some more" * 1_000_000)
    elif fault == "cut":
        host.cut = {"index.html"}
    else:
        version = write_small(small, "two", extra=b"some more", large=ANOTHER)
        large.write_bytes(large.read_bytes()[:30] if fault == "packed cut" else packed(b"another" * 400))
    assert page.evaluate(WHY) == ("network" if fault == "cut" else "differs")
    until(page, "registering.then(found => found.installing === null)")
    assert text_of(page, "pocket/said.txt") == "one"
    page.reload()
    assert page.locator("p").inner_text() == "Small one"
    host.cut = set()
    until(page, KEPT, [version, "pocket/said.txt"])
    write_small(small, "two", extra=b"some more", **({"large": ANOTHER} if fault.startswith("packed") else {}))
    host.asked.clear()
    until(page, TRIED_AGAIN)
    assert "/pocket/said.txt" not in host.asked, "what came whole was kept for the next try"


def test_progress_is_told_in_the_bytes_that_are_fetched(phone: BrowserContext, host: StaticHost, small: Path) -> None:
    page = visit(phone, host.address, installed=False)
    until(page, "navigator.serviceWorker.controller !== null")
    assert text_of(page, "pocket/engine/large.txt") == LARGE, "the first that asks for it gets it as it comes"
    until(page, "told.some(each => each.installing && each.installing.done === each.installing.of)")
    first, *_, last = [each for each in told(page, "installing") if isinstance(each, dict)] * 2
    sent = (small / "pocket/engine/large.txt.lzma").stat().st_size
    assert 0 < first["done"] <= last["done"] == last["of"] == sent < len(LARGE) / 100


def test_two_folders_of_one_host_keep_their_own(phone: BrowserContext, tmp_path: Path) -> None:
    write_small(tmp_path / "site/a", "one")
    write_small(tmp_path / "site/b/c", "two")
    with StaticHost(tmp_path / "site") as host:
        visit(phone, f"{host.address}a/").close()
        visit(phone, f"{host.address}b/c/").close()
        write_small(tmp_path / "site/a", "three")
        page = visit(phone, f"{host.address}a/")
        page.evaluate(UPDATE)
        waits(page)
        page.evaluate(f"void (window.changed = {CHANGED})")
        page.evaluate("registering.then(found => found.waiting.postMessage({ skipWaiting: true }))")
        page.evaluate("changed")
        host.stop()
        assert visit(phone, f"{host.address}a/").locator("p").inner_text() == "Small three"
        assert visit(phone, f"{host.address}b/c/").locator("p").inner_text() == "Small two"


def test_the_service_worker_of_a_folder_speaks_to_its_own_pages(phone: BrowserContext, tmp_path: Path) -> None:
    write_small(tmp_path / "site/a", "one")
    write_small(tmp_path / "site/b", "two")
    with StaticHost(tmp_path / "site") as host:
        a, b = visit(phone, f"{host.address}a/"), visit(phone, f"{host.address}b/")
        a.evaluate("play('first')")
        b.evaluate("void (window.answer = fetch('t/KORBUM').then(answer => answer.text()))")
        until(b, "told.some(each => each.engineWanted)")
        assert told(a, "engineWanted") == [], "it would lend its engine to another house"
        b.evaluate("play('second')")
        assert b.evaluate("answer") == "second GET /b/t/KORBUM"
        b.evaluate(
            "async () => { const { active } = await navigator.serviceWorker.getRegistration('../a/');"
            " active.postMessage({ engine: true }, [new MessageChannel().port2]); }"
        )
        assert text_of(a, "t/KORBUM") == "first GET /a/t/KORBUM", "a page of another folder is not its engine"


def test_requests_reach_the_engine_after_the_worker_ended(phone: BrowserContext, host: StaticHost) -> None:
    page = visit(phone, host.address)
    page.evaluate("play('first')")
    assert text_of(page, "t/KORBUM?big=1") == "first GET /t/KORBUM?big=1"
    session = phone.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")
    assert text_of(page, "t/KORBUM") == "first GET /t/KORBUM"
    first = told(page, "engineWanted")
    session.send("ServiceWorker.stopAllWorkers")
    assert text_of(page, "t/KORBUM") == "first GET /t/KORBUM"
    assert len(set(told(page, "engineWanted"))) == len(first) + 1 == 2, "each start of it has a name of its own"


def test_a_silent_engine_is_given_up_and_a_loading_one_is_not(
    phone: BrowserContext, host: StaticHost, small: Path
) -> None:
    worker = small / "sw.js"
    before, wait, after = worker.read_text("utf-8").partition("HEAD_WITHIN_MS = 120_000")
    assert wait
    worker.write_text(f"{before}HEAD_WITHIN_MS = 2_000{after}", "utf-8")
    page = visit(phone, host.address)
    page.evaluate("play('silent')")
    assert text_of(page, "t/KORBUM") == "Pubdice does not answer. Reload this page. No game is lost."
    page.evaluate("play('loading')")
    assert text_of(page, "t/KORBUM") == "loading GET /t/KORBUM", "after three times as long"


def test_an_engine_whose_page_is_closed_is_told_in_a_sentence(phone: BrowserContext, host: StaticHost) -> None:
    first, second = visit(phone, host.address), visit(phone, host.address)
    first.evaluate("play('silent')")
    second.evaluate("void (window.answer = fetch('t/KORBUM').then(answer => answer.text()))")
    first.close()
    assert second.evaluate("answer") == "Pubdice is not running. Reload this page."
    second.evaluate("play('second')")
    assert text_of(second, "t/KORBUM") == "second GET /t/KORBUM"
