"""A first visit to a web server with one wrong or missing file: the page says so in a sentence that stays."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import pubdice_pocket
from pocket.shell_pages import BELOW, WITHIN_MS, context_on, copied
from pocket.test_shell_words import words
from support.browser import until
from support.script_imports import waited_for
from support.static_host import StaticHost

STATIC = Path(pubdice_pocket.__file__).parent / "static"
LOCALES = {"en": "en-GB", "de": "de-DE"}
PROGRESS = f"""async () => {{
  const {{ installing, starting }} = await import('/{BELOW}pocket/shell_page.js');
  installing(1e6, 2e6);
  starting('interpreter');
  installing(2e6, 2e6);
}}"""
"""A script that reports progress as if, after the fault, files still came and the engine started."""


def changed(folder: Path, root: Path, name: str) -> Path:
    """Copy a host's folder, with an extra comment in one script."""
    file = copied(folder, root) / name
    held = file.read_bytes()
    file.unlink()  # the copy is a hard link, so writing to it would change the original
    file.write_bytes(held + b"\n// a comment\n")
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


@pytest.mark.nightly
def test_a_missing_service_worker_is_named(chromium: Browser, shell_folder: Path, tmp_path: Path) -> None:
    (copied(shell_folder, tmp_path) / "sw.js").unlink()
    with StaticHost(tmp_path, BELOW) as host:
        context = context_on(chromium, host.address)
        page = context.new_page()
        page.goto("./")
        ended(page, words("shell_missing.js")["en"]["missing"].format(files="sw.js"))
        context.close()


def test_several_missing_scripts_are_named(chromium: Browser, shell_folder: Path, tmp_path: Path) -> None:
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


def test_a_script_that_comes_cut_off_ends_the_start(chromium: Browser, shell_folder: Path, tmp_path: Path) -> None:
    with StaticHost(copied(shell_folder, tmp_path).parents[1], BELOW) as host:
        context = context_on(chromium, host.address, locale="de-DE")
        page, sent = context.new_page(), (shell_folder / "pocket/shell_words.js").read_text("utf-8")
        page.route("**/shell_words.js", lambda route: route.fulfill(content_type="text/javascript", body=sent[:3000]))
        page.goto("./")
        ended(page, words("shell_missing.js")["de"]["not_whole"])
        context.close()


@pytest.mark.parametrize(
    ("name", "code"),
    [("pocket/kept_files.js", "de"), pytest.param("pocket/shell.js", "en", marks=pytest.mark.nightly)],
)
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
