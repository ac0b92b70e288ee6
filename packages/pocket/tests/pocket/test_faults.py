"""Tests of faults on phones, with the real engine. The player gets one sentence if that helps, and nothing is lost.

Each test begins with a browser in which the house was opened before (``installed``).
``ear/test_pocket_notices_heard.py`` tests the announcements for two tabs, a new version, a crash, and a browser that
stores nothing.
"""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from pocket.real_tab import (
    EN,
    ORDER,
    READY_MS,
    ask,
    finish,
    move,
    opened,
    order,
    play,
    ready,
    reopened,
    seq,
    told,
)
from support.browser import phone_running
from support.static_host import StaticHost

pytestmark = pytest.mark.nightly
ESTIMATE = "navigator.storage.estimate().then(found => found.usage)"
KEPT = """async () => {
  const root = await navigator.storage.getDirectory();
  for await (const [name, folder] of root.entries()) if (name.startsWith('pubdice memory'))
    for await (const [file, handle] of folder.entries()) if (file.endsWith('.memory'))
      return (await (await handle.getFile()).slice(0, 15).text()) === 'pubdice memory ';
}"""
SPOIL_MEMORY = """async where => {
  const root = await navigator.storage.getDirectory();
  for await (const [name, folder] of root.entries()) if (name.startsWith('pubdice memory'))
    for await (const [file, handle] of folder.entries()) if (file.endsWith('.memory')) {
      const spoilt = new Uint8Array(4096).fill(170);
      const whole = await handle.getFile(), writer = await handle.createWritable({ keepExistingData: where > 0 });
      if (where > 0) await writer.write({ type: 'write', position: Math.floor(whole.size * where), data: spoilt });
      await writer.close();
      return whole.size;
    }
}"""
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


@pytest.fixture(scope="module")
def host(pocket_folder: Path) -> Iterator[StaticHost]:
    with StaticHost(pocket_folder) as host:
        yield host


@pytest.fixture(scope="module")
def installed(host: StaticHost, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a browser in which the house was opened twice. So the browser has a snapshot of the engine's
    memory.
    """
    folder = tmp_path_factory.mktemp("installed")
    with phone_running(folder) as context:
        page = opened(context, host.address)
        by = time.monotonic() + READY_MS / 1000
        while not page.evaluate(KEPT) and time.monotonic() < by:
            page.wait_for_timeout(100)
        reopened(context, page, host.address)
    return folder


@contextmanager
def copied(installed: Path, folder: Path) -> Iterator[BrowserContext]:
    shutil.copytree(installed, folder, ignore=shutil.ignore_patterns("Singleton*"))
    with phone_running(folder, accept_downloads=True) as context:
        yield context


@pytest.fixture
def phone(installed: Path, tmp_path: Path) -> Iterator[BrowserContext]:
    with copied(installed, tmp_path / "phone") as context:
        yield context


def fill(page: Page, table: str) -> int:
    """Make moves, or else open tables, until the device is full. Return the last stored event of the first table."""
    last, at = 0, table
    for _ in range(400):
        # when the disk is full, a bot's move is never stored, so ``move`` waits in vain for our turn and raises
        with suppress(AssertionError):
            status, answer = move(page, at, 2)
            if status == 503:
                break
            last = max(last, answer.get("seq", 0)) if at == table else last
            if status:
                continue
        status, answer = ask(page, "/tables", {**ORDER, "key": f"no-room-{time.monotonic_ns()}"})
        if status == 503:
            break
        at = answer.get("go", at)
    assert (status, answer["why"]) == (503, "Couldn't save that. Nothing changed. Try again.")
    return last


def test_a_full_device_refuses_in_a_sentence_and_loses_nothing(phone: BrowserContext, host: StaticHost) -> None:
    page = opened(phone, host.address)
    table = order(page)
    finish(page, table)
    over, table = table, order(page)
    session = phone.new_cdp_session(page)
    origin = host.address.rstrip("/")
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": page.evaluate(ESTIMATE)})
    last = fill(page, table)
    told(page, "full")
    assert seq(page, table) >= last
    assert "seats: Ann" in ask(page, f"{over}/record")[1]["text"], "everything can be read"
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    by = time.monotonic() + READY_MS / 1000
    while (found := ask(page, "/tables", {**ORDER, "key": f"room-{time.monotonic_ns()}"}))[0] == 503:
        assert time.monotonic() < by, "once there is room again, play goes on in the same tab"
    after = found[1]["go"]
    now = play(page, after, 1)
    page = reopened(phone, page, host.address)
    assert seq(page, table) >= last
    assert seq(page, after) >= now


@pytest.mark.parametrize("where", [0, 0.1, 0.5, 0.9])
def test_a_damaged_snapshot_only_makes_the_start_slower(phone: BrowserContext, host: StaticHost, where: float) -> None:
    page = opened(phone, host.address)
    table = order(page)
    last = play(page, table, 2)
    assert page.evaluate(SPOIL_MEMORY, where) > 10_000_000
    page = reopened(phone, page, host.address)
    assert seq(page, table) >= last
    play(page, table, 1)


def saved(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name=EN["save"]).click()
    download.value.save_as(folder / "saved.zip")
    return folder / "saved.zip"


Played = tuple[Page, str, int]


@pytest.fixture
def played(phone: BrowserContext, host: StaticHost) -> Played:
    """A page that can reach the files without an engine, with a table under way and its last answered event."""
    page = opened(phone, host.address)
    table = order(page)
    last = play(page, table, 2)
    page.close()
    beside = phone.new_page()
    beside.goto(f"{host.address}pocket/licences.html")
    return beside, table, last


def visit(beside: Page, host: StaticHost, script: str = "") -> Page:
    page = beside.context.new_page()
    page.add_init_script(script)
    page.goto(host.address)
    return page


def goes_on(page: Page, table: str, last: int) -> None:
    """Assert that the house has all its data, and that play goes on at the table."""
    ready(page)
    assert seq(page, table) >= last
    play(page, table, 1)


def test_files_that_another_page_holds_without_the_lock(host: StaticHost, played: Played) -> None:
    other, table, last = played
    before = other.evaluate(SUMS)
    assert other.evaluate(HOLD) > 2
    page = visit(other, host)
    told(page, "other_tab_holds")
    again = page.get_by_role("button", name=EN["again"])
    again.click()
    told(page, "other_tab_holds")
    assert page.locator("iframe").count() == 0, "no empty house is shown"
    assert other.evaluate(SUMS) == before
    other.evaluate(LET_GO)
    other.close()
    again.click()
    goes_on(page, table, last)
