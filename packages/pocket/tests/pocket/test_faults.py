"""What goes wrong on phones, with the real engine: one sentence where a person needs one, and nothing is lost.

Every test begins with a browser in which the house was opened once before (``installed``).
"""

import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pocket.real_tab import (
    BEGIN_BOOK,
    DAY_MS,
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
from pocket.small_folder import forget_what_came, publish
from pubdice.match.sealed_record import check_dice
from support.browser import chromium_running, phone_running
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
SPOIL = """async where => {
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
HALVE = """async () => {
  const cache = await caches.open((await caches.keys())[0]), names = await cache.keys();
  await Promise.all(names.filter((_, at) => at % 2).map(name => cache.delete(name)));
  return names.length;
}"""
CRASH = "() => { Date.now = () => { throw new WebAssembly.RuntimeError('unreachable'); }; }"
DENIED = """StorageManager.prototype.getDirectory = () =>
  Promise.reject(new DOMException('denied', 'SecurityError'));"""
UPDATED = "navigator.serviceWorker.getRegistration().then(each => each.update())"
RELOADED = "() => !window.stays"


@pytest.fixture(scope="module")
def site(pocket_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(pocket_folder, tmp_path_factory.mktemp("site") / "site")


@pytest.fixture(scope="module")
def host(site: Path) -> Iterator[StaticHost]:
    with StaticHost(site) as host:
        yield host


@pytest.fixture(scope="module")
def installed(host: StaticHost, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a browser in which the house was opened twice: it has a snapshot."""
    folder = tmp_path_factory.mktemp("installed")
    with phone_running(folder) as context:
        page = opened(context, host.address)
        by = time.monotonic() + READY_MS / 1000
        while not page.evaluate(KEPT) and time.monotonic() < by:
            page.wait_for_timeout(100)
        reopened(context, page, host.address)
    return folder


@pytest.fixture
def phone(installed: Path, tmp_path: Path) -> Iterator[BrowserContext]:
    folder = shutil.copytree(installed, tmp_path / "phone", ignore=shutil.ignore_patterns("Singleton*"))
    with phone_running(folder) as context:
        yield context


def fill(page: Page, table: str) -> int:
    """Move until no move is stored, or else open tables; the last stored line of the first table."""
    last, at = 0, table
    for _ in range(400):
        with suppress(AssertionError):  # a bot that finds no room tries again and again
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
    assert (status, answer["why"]) == (503, "Couldn't save that. Nothing changed; try again.")
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
    after = order(page)  # with room again it goes on, in the same tab
    now = play(page, after, 1)
    page = reopened(phone, page, host.address)
    assert seq(page, table) >= last
    assert seq(page, after) >= now


def test_a_clock_set_back_in_the_middle_of_a_game_holds_nothing_up(phone: BrowserContext, host: StaticHost) -> None:
    page = opened(phone, host.address)
    table = order(page)
    last = play(page, table, 2)
    shift_clock(page, -DAY_MS)
    again = play(page, table, 3)  # the bot has its turns in between
    assert again > last
    page = reopened(phone, page, host.address)
    assert seq(page, table) >= again
    assert play(page, table, 1) > again or ask(page, f"{table}/state")[1]["view"]["stage"] == "over"


def test_sealed_dice_keys_and_the_evening_hold_while_the_clock_goes_back(
    phone: BrowserContext, host: StaticHost
) -> None:
    page = opened(phone, host.address)
    shift_clock(page, DAY_MS)  # the next start is a day before this one
    table = order(page, dice="sealed")
    asked = {"key": "the-same-key-twice", "do": "seed", "seed": "heads7"}
    first = ask(page, table, asked)  # everybody has a seed then, and the match begins
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


def test_two_tabs_hand_a_game_to_and_fro(phone: BrowserContext, host: StaticHost) -> None:
    first = opened(phone, host.address)
    table = order(first)
    last, tabs = play(first, table, 2), [first]
    second = phone.new_page()
    second.goto(host.address)
    tabs.append(second)
    told(second, "other_tab")
    for turn in (1, 0, 1):
        here, other = tabs[turn], tabs[1 - turn]
        other.evaluate(f"void fetch('{table}/state')")  # in the middle of a request
        here.get_by_role("button", name=EN["here"]).click()
        ready(here)
        told(other, "moved_away")
        assert seq(here, table) >= last
        last = max(last, play(here, table, 1))


def test_a_new_version_in_the_middle_of_a_game(phone: BrowserContext, host: StaticHost, site: Path) -> None:
    page = opened(phone, host.address)
    table = order(page)
    last = play(page, table, 2)
    worker = site / "sw.js"
    before = worker.read_text("utf-8")
    try:
        publish(worker, re.sub(r'("version": ")', r"\1next-", before, count=1).encode())
        page.evaluate(f"window.stays = true; {UPDATED}")
        told(page, "new_version")
        last = max(last, play(page, table, 1))
        page.get_by_role("button", name=EN["use_it"]).click()
        page.wait_for_function(RELOADED)
        ready(page)
        assert seq(page, table) >= last
        play(page, table, 1)
    finally:
        publish(worker, before.encode())


@pytest.mark.parametrize("where", [0, 0.1, 0.5, 0.9])
def test_a_damaged_snapshot_only_makes_the_start_slower(phone: BrowserContext, host: StaticHost, where: float) -> None:
    page = opened(phone, host.address)
    table = order(page)
    last = play(page, table, 2)
    assert page.evaluate(SPOIL, where) > 10_000_000
    page = reopened(phone, page, host.address)
    assert seq(page, table) >= last
    play(page, table, 1)


def test_half_a_cache_heals_or_says_what_to_do(phone: BrowserContext, host: StaticHost) -> None:
    page = opened(phone, host.address)
    table = order(page)
    last = play(page, table, 2)
    assert page.evaluate(HALVE) > 20
    forget_what_came(page)
    host.stop()
    try:
        page.close()
        page = phone.new_page()
        page.goto(host.address)
        expect(page.locator("body")).to_contain_text("A part of Pubdice on this device is damaged.", timeout=READY_MS)
    finally:
        host.start()
    page = reopened(phone, page, host.address)
    assert seq(page, table) >= last
    host.stop()
    try:
        page = reopened(phone, page, host.address)
        assert seq(page, table) >= last, "it is whole again"
    finally:
        host.start()


def test_a_crash_in_the_middle_of_a_request_is_said_at_once(phone: BrowserContext, host: StaticHost) -> None:
    page = opened(phone, host.address)
    table = order(page)
    last = play(page, table, 2)
    page.workers[0].evaluate(CRASH)
    page.evaluate(f"void fetch('{table}/state').catch(() => 0)")
    told(page, "crashed", 20_000)
    again = page.get_by_role("button", name=EN["again"])
    expect(again).to_be_focused()
    again.click()
    ready(page)
    assert seq(page, table) >= last
    play(page, table, 1)


def test_without_storage_it_plays_and_everything_can_be_saved(
    phone: BrowserContext, host: StaticHost, tmp_path: Path
) -> None:
    page = opened(phone, host.address, DENIED)
    told(page, "not_kept")
    page.locator("#notice").get_by_role("button", name=EN["ok"]).click()
    table = order(page)
    play(page, table, 1)
    panel(page)
    expect(page.locator("#kept")).to_have_text(EN["not_kept"])
    with page.expect_download() as saved:
        page.get_by_role("button", name=EN["save"]).click()
    saved.value.save_as(tmp_path / "saved.zip")
    told_by = pubdice("restore", str(tmp_path / "saved.zip"), data=tmp_path)
    assert table in told_by.out.replace("\n", " "), told_by


@pytest.fixture
def private() -> Iterator[Browser]:
    with chromium_running() as browser:
        yield browser


def test_a_private_window_plays(private: Browser, host: StaticHost) -> None:
    context = private.new_context(locale="en-GB")
    page = opened(context, host.address)
    table = order(page)
    last = play(page, table, 2)
    page.reload()
    ready(page)
    assert seq(page, table) >= last
    panel(page)
    assert page.locator("#kept").inner_text() in (EN["not_persisted"], EN["persisted"], EN["persist_unknown"])


def test_two_folders_of_one_host_are_two_houses(installed: Path, site: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copytree(site, tmp_path / "host" / name)
    with StaticHost(tmp_path / "host") as host, phone_running(tmp_path / "phone") as context:
        pages = {name: opened(context, f"{host.address}{name}/") for name in ("a", "b")}
        tables = {name: order(page, f"/{name}/") for name, page in pages.items()}
        last = {name: play(page, tables[name], 2) for name, page in pages.items()}
        for name, page in pages.items():
            assert tables[name].startswith(f"/{name}/t/")
            front = ask(page, f"/{name}/")[1]["text"]
            other = "b" if name == "a" else "a"
            assert tables[name].split("-")[0] in front
            assert tables[other].split("-")[0].removeprefix(f"/{other}/t/") not in front
        for name, page in pages.items():
            assert seq(reopened(context, page, f"{host.address}{name}/"), tables[name]) >= last[name]
