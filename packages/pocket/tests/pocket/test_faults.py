"""Tests of faults on phones, with the real engine. The player gets one sentence if that helps, and nothing is lost.

Each test begins with a browser in which the house was opened before (``installed``).
``ear/test_pocket_notices_heard.py`` tests the announcements for two tabs, a new version, a crash, and a browser that
stores nothing.
"""

import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect

from pocket.real_tab import (
    BEGIN_BOOK,
    DAY_MS,
    DENIED,
    EN,
    ORDER,
    READY_MS,
    ask,
    do,
    finish,
    move,
    opened,
    order,
    panel,
    play,
    ready,
    reopened,
    seq,
    shift_clock,
    told,
)
from pubdice.match.sealed_record import check_dice
from support.browser import phone_running, until
from support.console import pubdice
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
SPOIL = f"""async names => {{
  {POOL}
  window.kept = [];
  for (const handle of await pool()) {{
    const file = await handle.getFile(), path = (await file.slice(0, 512).text()).split('\\n')[0];
    if (!names.includes(path) || file.size <= 4096) continue;
    kept.push([handle, await file.arrayBuffer()]);
    const writer = await handle.createWritable({{ keepExistingData: true }});
    await writer.write({{ type: 'write', position: 4096, data: new Uint8Array(512).fill(170) }});
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
"""A script that starts the engine only after ``free()``. So a test can change the worker's browser before the start."""
REFUSES = """name => {
  FileSystemFileHandle.prototype.createSyncAccessHandle = () => Promise.reject(new DOMException('no', name));
}"""
LAST = "house.zip.lzma"  # the last file of a first visit; by then the front page is shown


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
    page.wait_for_timeout(1100)
    after = order(page)  # once there is room again, play goes on in the same tab
    now = play(page, after, 1)
    page = reopened(phone, page, host.address)
    assert seq(page, table) >= last
    assert seq(page, after) >= now


def test_sealed_dice_keys_and_the_evening_hold_while_the_clock_goes_back(
    phone: BrowserContext, host: StaticHost
) -> None:
    page = opened(phone, host.address)
    shift_clock(page, DAY_MS)  # at the next start the clock is a day back
    table = order(page, dice="sealed")
    asked = {"key": "the-same-key-twice", "do": "seed", "seed": "heads7"}
    first = ask(page, table, asked)  # now every player has a seed, so the match begins
    assert first[0] == 200, first
    last = play(page, table, 2)
    page = reopened(phone, page, host.address)
    assert ask(page, table, asked) == first, "a key counts once, whatever the clock says"
    assert seq(page, table) >= last
    finish(page, table)
    record = ask(page, f"{table}/record")[1]["text"]
    assert check_dice(record).fault is None
    status, answer = do(page, table, do="rematch")
    assert status == 200, answer
    status, records = ask(page, f"{table}/evening/records")
    assert (status, records["text"].count("\nseeds: ")) == (200, 1)


def test_after_forty_days_everything_is_there_and_goes_on(phone: BrowserContext, host: StaticHost) -> None:
    page = opened(phone, host.address)
    shift_clock(page, -40 * DAY_MS)
    over = order(page)
    finish(page, over)
    going = order(page)
    last = play(page, going, 2)
    assert page.evaluate(BEGIN_BOOK) == 200
    page = reopened(phone, page, host.address)
    assert seq(page, going) == last or seq(page, going) > last
    assert play(page, going, 1) > last
    assert ask(page, "/book/export")[0] == 200
    assert ask(page, f"{over}/record")[0] == 200
    assert ask(page, f"{over}/evening")[0] == 200
    front = ask(page, "/")[1]["text"]
    assert going.split("-")[0] in front, "the front page still leads to it"
    code = re.sub(r"^/t/|-.*$", "", over)
    assert ask(page, f"/t/{code}/state")[0] == 200, "by its code as well"


@pytest.mark.parametrize("where", [0, 0.1, 0.5, 0.9])
def test_a_damaged_snapshot_only_makes_the_start_slower(phone: BrowserContext, host: StaticHost, where: float) -> None:
    page = opened(phone, host.address)
    table = order(page)
    last = play(page, table, 2)
    assert page.evaluate(SPOIL_MEMORY, where) > 10_000_000
    page = reopened(phone, page, host.address)
    assert seq(page, table) >= last
    play(page, table, 1)


def test_without_storage_it_plays_and_everything_can_be_saved(
    phone: BrowserContext, host: StaticHost, tmp_path: Path
) -> None:
    page = opened(phone, host.address, DENIED)
    told(page, "not_kept")
    page.locator("#notice").get_by_role("button", name=EN["ok"]).click()
    # not 420, where one roll in 37 would end the match
    table = order(page, game="midnight", rules={"format": "rounds 5"})
    play(page, table, 1)
    panel(page)
    expect(page.locator("#kept")).to_have_text(EN["not_kept"])
    told_by = pubdice("restore", str(saved(page, tmp_path)), data=tmp_path)
    assert table in told_by.out.replace("\n", " "), told_by


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


@pytest.mark.parametrize("name", ["UnknownError", "NotFoundError"])
def test_files_for_which_the_browser_gives_no_access_handle(host: StaticHost, played: Played, name: str) -> None:
    other, table, last = played
    before = other.evaluate(SUMS)
    page = visit(other, host, WAITS)
    if not page.workers:
        page.wait_for_event("worker")
    page.workers[0].evaluate(REFUSES, name)
    page.evaluate("free()")
    told(page, "failed")
    expect(page.locator("#cause")).to_contain_text(name)
    assert page.locator("iframe").count() == 0, "no empty house is shown"
    assert other.evaluate(SUMS) == before
    page.close()
    page = visit(other, host, WAITS)
    until(page, "!!window.free")
    page.evaluate("free()")
    goes_on(page, table, last)


@pytest.mark.parametrize("names", [["house.db", "house.db-wal"], ["house.db.seals"]])
def test_a_damaged_file_is_said_and_left_alone(host: StaticHost, played: Played, names: list[str]) -> None:
    other, table, last = played
    assert other.evaluate(SPOIL, names) > 0
    before = other.evaluate(SUMS)
    page = visit(other, host)
    told(page, "unreadable")
    page.get_by_role("button", name=EN["again"]).click()
    told(page, "unreadable")
    assert page.locator("iframe").count() == 0, "no empty house is shown"
    device = page.get_by_role("button", name=EN["device_title"])
    device.click()
    expect(page.get_by_role("dialog", name=EN["device_title"])).to_be_visible()
    expect(page.locator("#save")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(device).to_be_focused()
    with suppress(Error):
        page.close()
    after: dict[str, Any] = other.evaluate(SUMS)
    assert {name: after[name] for name in names if name in before} == {
        name: before[name] for name in names if name in before
    }
    other.evaluate(MEND)
    other.close()
    goes_on(visit(other, host), table, last)


def test_a_first_visit_whose_network_goes_before_the_last_file_is_told_and_goes_on(
    pocket_folder: Path, tmp_path: Path
) -> None:
    """The visit also goes on if the phone was closed meanwhile, and has no network when it is opened again."""
    with StaticHost(pocket_folder) as host:
        host.cut = {LAST}
        for is_back in (False, True):
            with phone_running(tmp_path / "phone") as context:
                page = context.new_page()
                page.goto(host.address)
                told(page, "no_network")
                if is_back:
                    host.cut = set()
                    host.start()
                    page.get_by_role("button", name=EN["again"]).click()
                    assert play(page, order(ready(page)), 3) > 0
            host.stop()


def choose(page: Page, file: Path) -> None:
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name=EN["read_back"]).click()
    chosen.value.set_files(file)


def test_a_file_is_read_back_on_another_phone_and_a_bad_one_changes_nothing(
    installed: Path, host: StaticHost, tmp_path: Path
) -> None:
    with copied(installed, tmp_path / "one") as context:
        page = opened(context, host.address)
        table = order(page)
        finish(page, table)
        record = ask(page, f"{table}/record")[1]["text"]
        panel(page)
        file = saved(page, tmp_path)
    whole = file.read_bytes()
    damaged = "That file is damaged, or Pubdice didn't save it. Nothing changed."
    large = whole + bytes(200_000_000 - len(whole))
    with copied(installed, tmp_path / "other") as context:
        page = opened(context, host.address)
        own = order(page)
        panel(page)
        for content, sentence in ((whole[:-100], damaged), (large, EN["too_large"].format(of="100.0"))):
            (tmp_path / "bad.zip").write_bytes(content)
            choose(page, tmp_path / "bad.zip")
            expect(page.locator("#answer")).to_have_text(sentence, timeout=READY_MS)
            assert ask(page, f"{own}/state")[0] == 200
        choose(page, file)
        asked = EN["sure"].format(name=file.name, here=1, there=1)
        expect(page.locator("#question")).to_have_text(asked, timeout=READY_MS)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#answer")).to_have_text(EN["restored"].format(name=file.name), timeout=READY_MS)
        assert ask(page, f"{own}/state")[0] == 404, "it was replaced, as was said"
        page = reopened(context, page, host.address)
        assert ask(page, f"{table}/record")[1]["text"] == record
        assert play(page, order(page), 1) > 0
