"""A first visit to a web server with one wrong or missing file: the page says so in a sentence that stays."""

import os
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import pubdice_pocket
from pocket.shell_pages import BELOW, WITHIN_MS, context_on, copied
from pocket.test_shell_words import words
from support.browser import until
from support.script_imports import waited_for
from support.static_host import StaticHost

STATIC = Path(pubdice_pocket.__file__).parent / "static"
NIGHTLY = pytest.mark.nightly
LOCALES = {"en": "en-GB", "de": "de-DE"}
FIRST = {"pocket/shell.js": "en", "pocket/kept_files.js": "de"}  # one file of the page, one of the engine
KINDS = ("js", "css", "html")
OTHERS = {"index.html"} | {f"pocket/{file.name}" for kind in KINDS for file in STATIC.glob(f"*.{kind}")}
LICENCES = {"pocket/licences.css", "pocket/licences.html"}  # fetched only after the house has started
SMALL = [
    *(pytest.param(name, code, id=name) for name, code in FIRST.items()),
    *(
        pytest.param(name, "en", id=name, marks=NIGHTLY)
        for name in sorted(OTHERS - FIRST.keys() - LICENCES - {"pocket/index.html", "pocket/sw.js"})
    ),
]
"""Test cases: each small file of the page and the engine, with the visitor's language."""
LARGE = ("*.asm.mjs.lzma", "*.wasm.lzma", "python_stdlib.zip.lzma", "house.zip.lzma")
COMMENTS = {".html": b"<!-- -->", ".js": b"\n// a comment\n", ".css": b"\n/* a comment */\n"}
PROGRESS = f"""async () => {{
  const {{ installing, starting }} = await import('/{BELOW}pocket/shell_page.js');
  installing(1e6, 2e6);
  starting('interpreter');
  installing(2e6, 2e6);
}}"""
"""A script that reports progress as if, after the fault, files still came and the engine started."""
NONE_INSTALLS = "navigator.serviceWorker.getRegistration().then(found => !found)"
STATES = """
  window.states = [];
  const { register } = ServiceWorkerContainer.prototype;
  ServiceWorkerContainer.prototype.register = async function (...asked) {
    const made = await register.apply(this, asked);
    made.installing?.addEventListener('statechange', ({ target }) => states.push(target.state));
    return made;
  };
"""


SCRIPTS = sorted(f"pocket/{file.name}" for file in STATIC.glob("shell*.js") if file.name != "shell_missing.js")
"""The scripts that the page needs to start."""
GONE = [
    pytest.param("pocket/shell_words.js", "en", id="words"),
    pytest.param("pocket/shell.js", "de", id="shell"),
    pytest.param("sw.js", "de", id="sw"),
    *(
        pytest.param(name, "en", id=name, marks=NIGHTLY)
        for name in [*SCRIPTS, "pocket/places.js", "sw.js"]
        if name not in ("pocket/shell_words.js", "pocket/shell.js")
    ),
]
"""Test cases: a script that is missing, so the page can't start, with the visitor's language."""


def changed(folder: Path, root: Path, name: str) -> Path:
    """Copy a host's folder with one file changed: an extra comment, or 300 zero bytes near its end if it is packed."""
    below = copied(folder, root)
    (file,) = below.rglob(name) if name.endswith(".lzma") else [below / name]
    held = file.read_bytes()
    file.unlink()  # the copy is a hard link, so writing to it would change the original
    comment = COMMENTS.get(file.suffix)
    file.write_bytes(held + comment if comment else held[:-400] + bytes(300))
    return root


def refused(page: Page, code: str = "en") -> None:
    """Assert that the page says that a file is wrong, and offers another try. Later progress reports change nothing."""
    said = words()[code]
    expect(page.locator("#status.refusal")).to_have_text(said["other_files"], timeout=WITHIN_MS)
    page.evaluate(PROGRESS)
    expect(page.locator("#status.refusal")).to_have_text(said["other_files"])
    expect(page.locator("#loading")).to_be_hidden()
    expect(page.get_by_role("button", name=said["again"])).to_be_visible()


def ended(page: Page, sentence: str) -> None:
    """Assert that the page shows and announces this sentence, and no progress."""
    expect(page.locator("#status.refusal")).to_have_text(sentence, timeout=WITHIN_MS)
    expect(page.locator("#heard")).to_have_text(sentence)
    expect(page.locator("#loading")).to_be_hidden()


def test_none_of_the_pages_scripts_begins_without_all_others() -> None:
    """If two scripts started independently, both would report the same missing file, in different words."""
    page = (STATIC / "index.html").read_text("utf-8")
    begun = re.findall(r'<script type="module" src="pocket/(\w+\.js)"', page)
    assert begun == ["begin.js", "shell.js"], "begin.js imports none, and says which is missing"
    needed = waited_for({"shell.js"}, lambda name: (STATIC / name).read_bytes())
    assert set(re.findall(r'modulepreload" href="pocket/(\w+\.js)"', page)) == needed - {"shell.js"}


@pytest.mark.parametrize(("name", "code"), GONE)
def test_a_missing_script_is_named(chromium: Browser, shell_folder: Path, tmp_path: Path, name: str, code: str) -> None:
    (copied(shell_folder, tmp_path) / name).unlink()
    with StaticHost(tmp_path, BELOW) as host:
        context = context_on(chromium, host.address, locale=LOCALES[code])
        page = context.new_page()
        page.goto("./")
        ended(page, words("shell_missing.js")[code]["missing"].format(files=name))
        until(page, NONE_INSTALLS, within_ms=WITHIN_MS)  # else the reloaded page would get this try's failure
        os.link(shell_folder / name, tmp_path / BELOW / name)
        page.reload()
        until(page, "navigator.serviceWorker.controller !== null", within_ms=WITHIN_MS)
        context.close()


def test_several_missing_scripts_are_named_also_where_the_host_sends_a_page_instead(
    chromium: Browser, shell_folder: Path, tmp_path: Path
) -> None:
    with StaticHost(copied(shell_folder, tmp_path).parents[1], BELOW) as host:
        # blocked, as a quick service worker would get past ``page.route`` and fetch the real files
        context = context_on(chromium, host.address, service_workers="block")
        page = context.new_page()
        for name in ("shell_device.js", "shell_page.js"):
            page.route(f"**/{name}", lambda route: route.fulfill(content_type="text/html", body="<p>Welcome</p>"))
        page.goto("./")
        files = "pocket/shell_device.js, pocket/shell_page.js"
        ended(page, words("shell_missing.js")["en"]["missing"].format(files=files))
        context.close()


@pytest.mark.parametrize(("fault", "code"), [("empty", "en"), ("cut", "de"), ("unreachable", "en")])
def test_a_script_that_does_not_come_whole_ends_the_start(
    chromium: Browser, shell_folder: Path, tmp_path: Path, fault: str, code: str
) -> None:
    with StaticHost(copied(shell_folder, tmp_path).parents[1], BELOW) as host:
        context = context_on(chromium, host.address, locale=LOCALES[code])
        page, sent = context.new_page(), (shell_folder / "pocket/shell_words.js").read_text("utf-8")

        def answer(route: Route) -> None:
            if fault == "unreachable":
                route.abort()
            else:
                route.fulfill(content_type="text/javascript", body=sent[:3000] if fault == "cut" else "")

        page.route("**/shell_words.js", answer)
        page.goto("./")
        ended(page, words("shell_missing.js")[code]["not_whole"])
        context.close()


@pytest.mark.parametrize(("name", "code"), SMALL)
def test_a_wrong_small_file_is_said_in_a_sentence(
    chromium: Browser, shell_folder: Path, tmp_path: Path, name: str, code: str
) -> None:
    with StaticHost(changed(shell_folder, tmp_path, name), BELOW) as wrong:
        context = context_on(chromium, wrong.address, locale=LOCALES[code])
        page = context.new_page()
        page.goto("./")
        refused(page, code)
        page.get_by_role("button", name=words()[code]["again"]).click()
        refused(page, code)
        shutil.copy(shell_folder / name, tmp_path / BELOW / name)
        page.reload()
        until(page, "navigator.serviceWorker.controller !== null", within_ms=WITHIN_MS)
        context.close()


@NIGHTLY
@pytest.mark.parametrize("name", LARGE)
def test_a_wrong_large_file_is_said_in_a_sentence(
    chromium: Browser, pocket_folder: Path, tmp_path: Path, name: str
) -> None:
    with StaticHost(changed(pocket_folder, tmp_path, name), BELOW) as wrong:
        context = context_on(chromium, wrong.address)
        page = context.new_page()
        page.goto("./")
        refused(page)
        context.close()


@NIGHTLY
def test_a_page_that_comes_after_the_refusal_has_it_tried_once_more_and_says_why(
    chromium: Browser, shell_folder: Path, tmp_path: Path
) -> None:
    with StaticHost(changed(shell_folder, tmp_path, "pocket/worker.js"), BELOW) as wrong:
        context = context_on(chromium, wrong.address)
        page, held = context.new_page(), list[Route]()
        page.add_init_script(STATES)
        page.route("**/shell_engine.js", lambda route: held.append(route), times=1)  # noqa: PLW0108 - Playwright marks it
        page.goto("./", wait_until="commit")
        until(page, "states.includes('redundant')", within_ms=WITHIN_MS)
        held[0].continue_()
        refused(page)
        context.close()
