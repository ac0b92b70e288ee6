"""A browser tab with the real engine. It sends requests as a page does, makes moves, and can have a wrong clock."""

import re
import time
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from pocket.test_shell_words import words

EN = words()["en"]
READY_MS = 180_000
"""The most milliseconds for a start beside other tests on a machine with two cores. Alone it takes 4 s, and the first
start 20 s."""
ASK = """async ([address, asked]) => {
  const answer = await fetch(address, asked && {
    method: 'POST', body: JSON.stringify(asked),
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
  });
  const text = await answer.text();
  try { return [answer.status, JSON.parse(text)]; } catch { return [answer.status, { text }]; }
}"""
ORDER = {"game": "420", "name": "Ann", "people": 1, "bots": ["lucky"], "pace_ms": 0, "rules": {"format": "race"}}
CRASH = "() => { Date.now = () => { throw new WebAssembly.RuntimeError('unreachable'); }; }"
_keys = iter(range(10**9))


def opened(context: BrowserContext, address: str, script: str = "") -> Page:
    """Open the house in a new tab, and wait until it is ready."""
    page = context.new_page()
    page.add_init_script(script)
    page.goto(address, timeout=READY_MS)
    return ready(page)


def ready(page: Page) -> Page:
    """Wait until the house is in the tab's frame, and the engine is there."""
    page.locator("iframe:not(.waits, .early)").wait_for(timeout=READY_MS)
    page.frame_locator("iframe").locator("h1").first.wait_for(timeout=READY_MS)
    return page


def reopened(context: BrowserContext, page: Page, address: str) -> Page:
    """Close this tab, and open the house in another."""
    page.close()
    return opened(context, address)


def ask(page: Page, target: str, asked: Mapping[str, object] | None = None) -> tuple[int, dict[str, Any]]:
    """Return the house's answer: the status, and the JSON or {"text"}. ``target`` is an address within the house."""
    status, answer = page.evaluate(ASK, [target, None if asked is None else dict(asked)])
    return status, answer


def order(page: Page, home: str = "/", **more: object) -> str:
    """Open a table, and return its address. ``home`` is the path of the house on its host."""
    status, answer = ask(page, f"{home}tables", {"key": f"order-{next(_keys)}", **ORDER, **more})
    assert status == 201, answer
    return str(answer["go"])


def panel(page: Page) -> None:
    house = page.frame_locator("iframe")
    house.locator("#more summary").click()
    house.get_by_role("link", name="This device").first.click()
    expect(page.get_by_role("dialog", name=EN["device_title"])).to_be_visible()


def seq(page: Page, table: str) -> int:
    """Return the number of the table's last event."""
    status, told = ask(page, f"{table}/state")
    assert status == 200, told
    return int(told["seq"])


def do(page: Page, table: str, **asked: object) -> tuple[int, dict[str, Any]]:
    """Send a command to a table, under a new idempotency key."""
    return ask(page, table, {"key": f"command-{next(_keys)}", **asked})


def move(page: Page, table: str, within_s: float = 60) -> tuple[int, dict[str, Any]]:
    """Make one move when it is this person's turn. Return the answer, or (0, {}) if the match is over."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        _, told = ask(page, f"{table}/state")
        view = told["view"]
        if view["stage"] == "over":
            return 0, {}
        if view["mover"] == 0:
            main = view.get("main") or {}
            return do(page, table, do=main["do"] if main.get("ready") else "reroll" if view.get("sure") else "bank")
        page.wait_for_timeout(20)
    raise AssertionError(f"it is never Ann's turn: {view}")


def play(page: Page, table: str, moves: int) -> int:
    """Make some moves. Return the number of the last acknowledged event."""
    last = 0
    for _ in range(moves):
        status, answer = move(page, table)
        if not status:
            break
        assert status == 200, answer
        last = answer["seq"]
    return last


def finish(page: Page, table: str) -> None:
    while True:
        status, answer = move(page, table)
        if not status:
            return
        if status == 429:
            page.wait_for_timeout(300)
        else:
            assert status == 200, answer


def told(page: Page, key: str, within_ms: int = READY_MS) -> None:
    """Wait until the page round the house shows this sentence. ``tests/ear`` tests that it is announced."""
    text = re.compile(re.escape(EN[key]))
    places = page.locator("#status, #told").filter(has_text=text)
    expect(places.first).to_be_visible(timeout=within_ms)
