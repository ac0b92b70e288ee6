"""Files that are there but cannot be opened, with the real engine: one sentence, nothing lost, and then it goes on."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import BrowserContext, Error, Page, expect

from pocket.real_tab import EN, opened, order, play, ready, seq, told
from support.browser import phone_running, until

pytestmark = pytest.mark.nightly
QUIET_PAGE = "pocket/licences.html"
"""A page of the same origin that runs no engine."""
POOL = """const pool = async () => {
  const root = await navigator.storage.getDirectory(), files = [];
  for await (const [name, folder] of root.entries()) if (name.startsWith('pubdice files'))
    for await (const [, handle] of folder.entries()) files.push(handle);
  return files;
};"""
HOLD = f"""async () => {{
  {POOL}
  window.held = [];
  for (const file of await pool()) held.push(await file.createWritable({{ keepExistingData: true }}));
  return held.length;
}}"""
LET_GO = "async () => { for (const writer of held) await writer.abort(); }"
SUMS = f"""async () => {{
  {POOL}
  const sums = {{}};
  for (const handle of await pool()) {{
    const file = await handle.getFile(), path = (await file.slice(0, 512).text()).split('\\n')[0];
    const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
    if (path.startsWith('house.db')) sums[path] = `${{file.size}} ${{sum.slice(0, 8)}}`;
  }}
  return sums;
}}"""
SPOIL = f"""async ([names, from, mark]) => {{
  {POOL}
  window.kept ??= [];
  for (const handle of await pool()) {{
    const file = await handle.getFile(), path = (await file.slice(0, 512).text()).split('\\n')[0];
    if (!names.includes(path) || file.size <= 4096) continue;
    kept.push([handle, await file.arrayBuffer()]);
    const writer = await handle.createWritable({{ keepExistingData: true }});
    await writer.write({{ type: 'write', position: 4096 + from, data: new Uint8Array(512).fill(mark) }});
    await writer.close();
  }}
  return kept.length;
}}"""
MEND = """async () => {
  for (const [handle, bytes] of kept) {
    const writer = await handle.createWritable();
    await writer.write(bytes);
    await writer.close();
  }
}"""
WAITS = """
if (self.top === self) {
  const Real = window.Worker, freed = new Promise(free => { window.free = free; });
  window.Worker = class extends Real {
    postMessage(...all) { freed.then(() => super.postMessage(...all)); }
  };
}"""
"""Begins the engine once ``free()`` is called: until then its worker can be told what its browser refuses."""
REFUSES = """name => {
  FileSystemFileHandle.prototype.createSyncAccessHandle = () => Promise.reject(new DOMException('no', name));
}"""


@pytest.fixture(scope="module")
def played(pocket_host: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, int]:
    """The folder of a browser with a table under way, that table, and the last event that was answered there."""
    folder = tmp_path_factory.mktemp("played")
    with phone_running(folder) as context:
        page = opened(context, pocket_host)
        table = order(page)
        return folder, table, play(page, table, 2)


@pytest.fixture
def phone(played: tuple[Path, str, int], tmp_path: Path) -> Iterator[BrowserContext]:
    folder = shutil.copytree(played[0], tmp_path / "phone", ignore=shutil.ignore_patterns("Singleton*"))
    with phone_running(folder) as context:
        yield context


def beside(phone: BrowserContext, host: str) -> Page:
    """A page that can reach the files, and leaves them alone until it is told to."""
    page = phone.new_page()
    page.goto(host + QUIET_PAGE)
    return page


def visit(phone: BrowserContext, host: str, script: str = "") -> Page:
    page = phone.new_page()
    page.add_init_script(script)
    page.goto(host)
    return page


def goes_on(page: Page, played: tuple[Path, str, int]) -> None:
    """The button leads to the house, with all that was there, and the table plays on."""
    page.get_by_role("button", name=EN["again"]).click()
    ready(page)
    _, table, last = played
    assert seq(page, table) >= last
    play(page, table, 1)


def test_files_that_another_page_holds_without_the_lock(
    phone: BrowserContext, pocket_host: str, played: tuple[Path, str, int]
) -> None:
    other = beside(phone, pocket_host)
    before = other.evaluate(SUMS)
    assert other.evaluate(HOLD) > 2
    page = visit(phone, pocket_host)
    told(page, "other_tab_holds")
    page.get_by_role("button", name=EN["again"]).click()
    told(page, "other_tab_holds")
    assert page.locator("iframe").count() == 0, "no empty house is shown"
    assert other.evaluate(SUMS) == before
    other.evaluate(LET_GO)
    other.close()
    goes_on(page, played)


@pytest.mark.parametrize("name", ["UnknownError", "NotFoundError"])
def test_files_for_which_the_browser_gives_no_access_handle(
    phone: BrowserContext, pocket_host: str, played: tuple[Path, str, int], name: str
) -> None:
    other = beside(phone, pocket_host)
    before = other.evaluate(SUMS)
    page = visit(phone, pocket_host, WAITS)
    refuse(page, name)
    told(page, "failed")
    expect(page.locator("#cause")).to_contain_text(name)
    assert page.locator("iframe").count() == 0, "no empty house is shown"
    assert other.evaluate(SUMS) == before
    other.close()
    page.close()
    page = visit(phone, pocket_host, WAITS)
    until(page, "!!window.free")
    page.evaluate("free()")
    ready(page)
    _, table, last = played
    assert seq(page, table) >= last


def refuse(page: Page, name: str) -> None:
    """Let the engine's browser refuse access handles, and then begin."""
    if not page.workers:
        page.wait_for_event("worker")
    page.workers[0].evaluate(REFUSES, name)
    page.evaluate("free()")


@pytest.mark.parametrize("names", [["house.db", "house.db-wal"], ["house.db.seals"]])
def test_a_damaged_file_is_said_and_left_alone(
    phone: BrowserContext, pocket_host: str, played: tuple[Path, str, int], names: list[str]
) -> None:
    other = beside(phone, pocket_host)
    assert other.evaluate(SPOIL, [names, 0, 170]) > 0
    before = other.evaluate(SUMS)
    page = visit(phone, pocket_host)
    told(page, "unreadable")
    page.get_by_role("button", name=EN["again"]).click()
    told(page, "unreadable")
    assert page.locator("iframe").count() == 0, "no empty house is shown"
    page.get_by_role("button", name=EN["device_title"]).click()
    expect(page.get_by_role("dialog", name=EN["device_title"])).to_be_visible()
    expect(page.locator("#save")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=EN["device_title"])).to_be_focused()
    with suppress(Error):
        page.close()
    assert {name: other.evaluate(SUMS)[name] for name in names if name in before} == {
        name: before[name] for name in names if name in before
    }
    other.evaluate(MEND)
    other.close()
    page = opened(phone, pocket_host)
    _, table, last = played
    assert seq(page, table) >= last
    play(page, table, 1)
