"""Tests of tabs that are killed at random moments of play: no acknowledged move is lost."""

import json
import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Error, sync_playwright

from pocket.real_tab import ask, opened, order
from pocket.test_kept_logs import quiet
from support.browser import phone_in, phone_running, until

MOST_MOVES, MOST_MS, MOST_S = 8, 60.0, 60.0
"""The most moves and milliseconds until a kill. So the kill comes in the middle of the next move, or of a bot's
move."""
PLAY = """async ([address, seed]) => {
  const key = () => Math.random().toString(36).slice(2).padEnd(12, '0');
  for (;;) {
    const { view } = await (await fetch(`${address}/state`)).json();
    if (view.stage === 'over') return void (window.isOver = true);
    if (view.mover !== 0) { await new Promise(done => setTimeout(done, 5)); continue; }
    const kept = view.dice.filter(die => die.marks !== null && die.face > 3).map(die => die.place);
    const asked = view.main?.ready ? { do: view.main.do } : { do: view.sure ? 'reroll' : 'bank' };
    const answer = await fetch(address, {
      method: 'POST', body: JSON.stringify({ key: key(), ...asked }),
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    });
    if (answer.ok) acknowledged((await answer.json()).seq);
  }
}"""
NOTE = """async guest => {
  const { note } = await import('/pocket/shell_words.js');
  const { Visiting } = await import('/pocket/phones/visiting.js');
  note({ guest });
  const visiting = new Visiting(() => {});
  visiting.arrive({ other: 'aa', close() {}, send() {} });
  visiting.asked.set(1, { asked: { target: '/' }, port: { postMessage() {} } });
  visiting.head({ head: 1, status: 200, headers: [['set-cookie', `token=${guest}`]] });
}"""
"""A script that makes the phone a guest, or makes it stop being a guest, and gives it a cookie of that house."""
NOTED = """async () => {
  const { noted } = await import('/pocket/shell_words.js');
  const { Visiting } = await import('/pocket/phones/visiting.js');
  const visiting = new Visiting(() => {});
  visiting.arrive({ other: 'aa', close() {}, send() {} });
  return { guest: noted().guest, cookies: visiting.cookies.header };
}"""
KILLS = 40
WRITTEN_MS, SOON_MS = 8000, 500
"""The milliseconds, after a pause in writing, until local storage is on the disk for certain, and a shorter time."""


def kill_tabs(context: BrowserContext, *, whole: bool = False) -> None:
    """Kill the pages without warning, as a phone does that needs memory. If ``whole``, kill the browser too."""
    assert context.browser is not None
    session = context.browser.new_browser_cdp_session()
    for process in session.send("SystemInfo.getProcessInfo")["processInfo"]:
        if whole or process["type"] == "renderer":
            os.kill(process["id"], signal.SIGKILL)
    if not whole:
        session.detach()


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(5))
def test_no_acknowledged_move_is_lost(
    part: int, pocket_host: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(request.node.name)
    with phone_running(tmp_path) as context:
        _kill(context, pocket_host, KILLS, chance)


@pytest.mark.nightly
@pytest.mark.parametrize("guest", [True, False])
def test_a_phone_with_a_killed_browser_knows_if_it_is_a_guest(guest: bool, shell_host: str, tmp_path: Path) -> None:
    """The phone that is the host also knows its role. The browser itself would write local storage only later."""
    with sync_playwright() as playwright:
        context = phone_in(playwright, tmp_path)
        page = quiet(context.new_page(), shell_host)
        page.evaluate(NOTE, not guest)
        page.wait_for_timeout(WRITTEN_MS)
        page.evaluate(NOTE, guest)
        page.wait_for_timeout(SOON_MS)
        kill_tabs(context, whole=True)
        with suppress(Error):  # raised if it is known by now that the browser has gone
            context.close()
        context = phone_in(playwright, tmp_path)
        page = context.new_page()
        page.goto(shell_host)
        told = json.dumps({"guest": guest, "cookies": f"token={json.dumps(guest)}"})
        until(page, f"({NOTED})().then(noted => JSON.stringify(noted) === JSON.stringify({told}))")
        context.close()


def _kill(context: BrowserContext, host: str, kills: int, chance: random.Random) -> None:
    """Kill tabs until there were at least two moves for each kill, because fewer prove nothing. Stop after three times
    ``kills``.
    """
    acknowledged: list[int] = []
    context.expose_function("acknowledged", lambda seq: acknowledged.append(seq))  # noqa: PLW0108 - Playwright marks what it is given
    page, table = opened(context, host), ""
    done = newest = 0
    for kill in range(1, 3 * kills + 1):
        if not table:
            table, newest = order(page), 0
        page.evaluate(f"address => {{ ({PLAY})([address, 0]); }}", table)
        until, end = chance.randint(1, MOST_MOVES), time.monotonic() + MOST_S
        while len(acknowledged) < until and time.monotonic() < end and not page.evaluate("window.isOver"):
            page.wait_for_timeout(10)
        page.wait_for_timeout(chance.uniform(0, MOST_MS))
        kill_tabs(context)
        page.close()
        done, newest = done + len(acknowledged), max([newest, *acknowledged])
        acknowledged.clear()
        page = opened(context, host)
        status, told = ask(page, f"{table}/state")
        assert status == 200, told
        assert told["seq"] >= newest, (told["seq"], newest)
        if told["view"]["stage"] == "over":
            table = ""
        if kill >= kills and done >= 2 * kills:
            return
    pytest.fail(f"{done} moves before {kill} kills: so few prove nothing")


LATE = """const { open } = IDBFactory.prototype;
IDBFactory.prototype.open = function (...how) {
  const late = {};
  setTimeout(() => {
    const asked = open.apply(this, how);
    asked.onupgradeneeded = () => Object.assign(late, { result: asked.result }).onupgradeneeded();
    asked.onsuccess = () => Object.assign(late, { result: asked.result }).onsuccess();
  }, 500);
  return late;
};"""
KEEP = """async texts => {
  const { keepNote, findNotes } = await import('/pocket/notes.js');
  for (const [name, text] of Object.entries(texts)) keepNote(name, text);
  await findNotes();
  await new Promise(later => setTimeout(later, 1500));
  return ['cookies', 'shell'].map(name => localStorage.getItem(name));
}"""


def test_a_late_note_of_a_database_replaces_no_new_one(shell_host: str, tmp_path: Path) -> None:
    """In this test the phone was killed before local storage was written."""
    with phone_running(tmp_path) as context:
        page = quiet(context.new_page(), shell_host)
        assert page.evaluate(KEEP, {"shell": "guest", "cookies": "seat"}) == ["seat", "guest"]
        page.add_init_script(LATE)
        for kept in ({"shell": "host"}, {}):
            page.evaluate("localStorage.clear()")
            page.reload()
            assert page.evaluate(KEEP, kept) == ["seat", "host"]
