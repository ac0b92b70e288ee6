"""Measures moves between phones without a server: a guest's move beside the host's, also on a slow host with many
guests.

There are four measurements, each with its peer in the same run:

- Two phones in one Chromium. A move lasts from a page's ``fetch`` until the answer. A page of the host and a page of
  its guest move in turn. Both ask the same engine, so the difference is the time of the line between the phones.
- Six phones at a table: a host and five guests. The time is from a guest's command until the last of the six screens
  shows the move. The peer is a move of the host until its own screen shows it.
- Eight phones, the host on a processor four times slower (``--slower``). The host has its own Chromium, which is
  stopped for three quarters of each 20 ms. Besides moves, this measures the time of the host's page to its next frame
  while moves are made. A page is usable if it answers a tap within 200 ms.
- Two guests. One floods the host as fast as it may, with 55 requests a second for a page, and takes half of them back
  at once. The other asks for the front page, in turn without and with the flood.

    .venv/bin/python -m benchmarks.phones [--folder site] [--moves 200] [--slower 4]

--folder is a folder built by ``pubdice pocket``. Without it, the script makes a folder without solutions.
"""

import argparse
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from benchmarks.load.chromium import CHROMIUM, FLAGS
from benchmarks.load.process import load_average
from benchmarks.pocket import BEGUN, PLAY, WITHIN_MS, Slow4G, house, opened, pocket_folder, processes, slowed, told

MOST_MS = 60
"""The most ms that a guest's move may take longer than the host's."""
SLOW_MS, FRAME_MS = 1000, 200
"""The goals with a slow host: ms until all screens show a guest's move, and ms until the next frame of the host's own
page (95 in 100).
"""
FLOOD_RATIO = 3
"""The most that another guest's request may take beside a flood, as a multiple of the time without it (95 in 100)."""
ROUNDS = 4
AT_TABLE, AT_SLOW = 6, 8
SEND = """window.send = async (path, asked) => {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(asked) })).json();
};"""
"""An init script with a function by which a page sends a request."""
OPEN = """async people => {
  const order = { game: 'midnight', name: 'P0', people, bots: [], pace_ms: 0, rules: { format: 'rounds 20' } };
  const answer = await send('/tables', order);
  if (!answer.go) throw new Error(JSON.stringify(answer));
  return answer.go;
}"""
TABLE = """async () => {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const order = { game: 'midnight', name: 'Ann', people: 9, rules: { format: 'rounds 1' } };
  return (await (await fetch('/tables', { method: 'POST', headers, body: JSON.stringify(order) })).json()).go;
}"""
"""A script that opens a table for friends, and returns its path."""
ASK = "([table, asked]) => send(table, asked)"
WATCH = """() => {
  const now = () => performance.timeOrigin + performance.now();
  const table = document.getElementById('table');
  window.shown = [];
  const look = () => requestAnimationFrame(() => shown.push([Number(table.dataset.seq), now()]));
  new MutationObserver(look).observe(table, { attributes: true, attributeFilter: ['data-seq'] });
}"""
"""A script that records the time at which the page shows each event."""
WATCH_FRAMES = """() => {
  window.frames_ms = [];
  const frame = since => requestAnimationFrame(() => {
    frames_ms.push(performance.now() - since);
    setTimeout(() => frame(performance.now()), 50);
  });
  frame(performance.now());
}"""
"""A script that records the time to the page's next frame, 20 times a second. Each look requests a frame."""
MOVE = """async ([table, key]) => {
  const { view } = await (await fetch(`${table}/state`)).json();
  const free = view.dice.filter(die => die.status === 'free').slice(0, 1).map(die => die.place);
  const marks = view.ask === 'keep' ? { marks: free } : {};
  const since = performance.timeOrigin + performance.now();
  const answer = await send(table, { key, do: view.main?.do ?? 'roll', ...marks });
  if (answer.wait_s) { await new Promise(later => setTimeout(later, answer.wait_s * 1000)); return null; }
  if (answer.seq === undefined) throw new Error(JSON.stringify(answer));
  return [since, answer.seq];
}"""
SHOWN = """async seq => {
  for (;;) {
    const found = shown.find(([at]) => at >= seq);
    if (found) return found[1];
    await new Promise(later => setTimeout(later, 5));
  }
}"""

FLOOD = """on => {
  clearInterval(window.flooding);
  let asked = 0;
  const one = () => {
    const taken = new AbortController();
    fetch('/rules/midnight', { signal: taken.signal }).catch(() => {});
    if (asked++ % 2) setTimeout(() => taken.abort());
  };
  if (on) window.flooding = setInterval(one, 27); // 37 requests and 18 that are taken back: 55 messages a second
}"""
PAGES = """async many => {
  const took = [];
  for (let at = 0; at < many; at++) {
    const since = performance.now();
    await (await fetch('/ready')).text();
    took.push(performance.now() - since);
    await new Promise(later => setTimeout(later, 20));
  }
  return took;
}"""


@dataclass
class Moves:
    """Milliseconds of moves: ``own`` of the host until its own screen, ``others`` of guests until the last screen."""

    own: list[float]
    others: list[float]
    frames: list[float]


def joined(host: Page, theirs: BrowserContext) -> Page:
    """Bring a phone to the host by copied codes. The host is at a table, as it can let others in only there."""
    panel = host.locator("#phones")
    if not house(host).locator("#table").is_visible():
        host.wait_for_function(BEGUN, timeout=WITHIN_MS)
        table = house(host).evaluate(TABLE)
        house(host).evaluate("path => { location.href = path; }", table)
        house(host).locator("#table").wait_for(timeout=WITHIN_MS)
    if not panel.is_visible():
        house(host).locator("a[href='#other-phones']").first.dispatch_event("click")
    let_in, code_shown = panel.locator("button.main").first, panel.locator(".qr svg")
    let_in.or_(code_shown).first.wait_for(timeout=WITHIN_MS)
    if not code_shown.is_visible():
        let_in.click()
    code_shown.wait_for(timeout=WITHIN_MS)
    guest = theirs.new_page()
    guest.goto(panel.locator("textarea").first.input_value())
    form = guest.locator("#phones form")
    form.wait_for(timeout=WITHIN_MS)
    form.locator("input").fill("Bob")
    form.locator("button").first.click()
    guest.locator("#phones .qr svg").wait_for(timeout=WITHIN_MS)
    code = guest.locator("#phones textarea").first.input_value()
    by_hand = panel.locator("details").nth(1)
    by_hand.evaluate("details => { details.open = true }")
    by_hand.locator("textarea").fill(code)
    by_hand.locator("button").click()
    guest.locator("iframe:not(.waits)").wait_for(timeout=WITHIN_MS)
    return guest


def at_a_table(host: Page, guests: list[Page], moves: int, slower: float) -> Moves:
    """Let the phones sit down at a table of the host and play. Measure each move on all screens.

    With ``slower`` above 1 the host is slow, and its frames are measured, too.
    """
    pages = [host, *guests]
    table = house(host).evaluate(OPEN, len(pages))
    for at, page in enumerate(guests, 1):
        sits = house(page).evaluate(ASK, [table, {"key": f"sits-down-{at}", "do": "sit", "name": f"P{at}"}])
        assert "seq" in sits, sits
    for page in pages:
        house(page).evaluate("path => { location.href = path; }", table)
        house(page).locator("#table").wait_for(timeout=WITHIN_MS)
    state = house(host).evaluate(f"async () => (await fetch('{table}/state')).json()")
    if state["view"] is None or state.get("stage") == "gathering":
        house(host).evaluate(ASK, [table, {"key": "begin-the-match", "do": "start"}])
    for page in pages:
        house(page).locator("main[data-stage=playing]").wait_for(timeout=WITHIN_MS)
        house(page).evaluate(WATCH)
    if slower > 1:
        house(host).evaluate(WATCH_FRAMES)
    found = Moves([], [], [])
    for number in range(moves):
        view = house(host).evaluate(f"async () => (await fetch('{table}/state')).json()")["view"]
        mover = pages[view["mover"]]
        moved = house(mover).evaluate(MOVE, [table, f"move-{number:06}"])
        if moved is None:
            continue
        since, seq = moved
        shown = [house(page).evaluate(SHOWN, seq) - since for page in pages]
        if mover is host:
            found.own.append(shown[0])
        else:
            found.others.append(max(shown))
    found.frames = house(host).evaluate("window.frames_ms ?? []")
    return found


def between(playwright: Playwright, address: str, moves: int) -> bool:
    """Measure a guest's move beside the host's, on two phones. Return True if the goal is met."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    host, _ = opened(browser.new_context(), address)
    guest = joined(host, browser.new_context())
    took: dict[str, list[float]] = {"own": [], "guest": []}
    for _ in range(ROUNDS):
        for name, page in (("own", host), ("guest", guest)):
            took[name] += house(page).evaluate(PLAY, moves // ROUNDS)
    browser.close()
    own, theirs = median(took["own"]), median(took["guest"])
    print(f"a guest's move is {theirs / own:.2f} times the pocket's own ({theirs:.1f} ms to {own:.1f})")
    return told("a guest's move beyond the pocket's own", theirs - own, MOST_MS, "ms")


def beside_a_flood(playwright: Playwright, address: str, asks: int) -> bool:
    """Measure a guest's requests in turn with and without another guest's flood. Return True if the goal is met."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    host, _ = opened(browser.new_context(), address)
    guest, other = (joined(host, browser.new_context()) for _ in range(2))
    for page in (guest, other):
        house(page).locator("#table").wait_for(timeout=WITHIN_MS)
        page.wait_for_timeout(3000)
    took: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(ROUNDS):
        for floods in (False, True):
            house(other).evaluate(FLOOD, floods)
            guest.wait_for_timeout(500)
            took[floods] += house(guest).evaluate(PAGES, asks // ROUNDS)
        house(other).evaluate(FLOOD, False)
        guest.wait_for_timeout(500)
    browser.close()
    for floods, found in took.items():
        most = quantiles(found, n=20)[-1]
        which = "beside" if floods else "without"
        print(f"a guest's request {which} a flood: {median(found):.1f}, {most:.1f} in 95 of 100")
    without, beside = (quantiles(took[floods], n=20)[-1] for floods in (False, True))
    return told("a guest's request beside another's flood, in 95 of 100", beside / without, FLOOD_RATIO, "times")


@contextmanager
def phones(playwright: Playwright, address: str, count: int) -> Iterator[tuple[Page, list[Page], Collection[int]]]:
    """Open a host in its own Chromium, and guests in another. Yield them, and the guests' processes."""
    mine, theirs = (playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS) for _ in range(2))
    looks: dict[str, Any] = {"reduced_motion": "reduce", "viewport": {"width": 360, "height": 740}}

    def context(of: Browser) -> BrowserContext:
        found = of.new_context(**looks)
        found.add_init_script(SEND)
        return found

    before = set(processes())
    host, _ = opened(context(mine), address)
    of_host = set(processes()) - before
    guests = [joined(host, context(theirs)) for _ in range(count - 1)]
    host.locator("#phones").get_by_role("button", name="Close").click()
    yield host, guests, set(processes()) - of_host
    mine.close()
    theirs.close()


def together(playwright: Playwright, address: str, count: int, moves: int, slower: float) -> Moves:
    """Let phones play at one table. Return the times of their moves."""
    with phones(playwright, address, count) as (host, guests, others), slowed(slower, others):
        found = at_a_table(host, guests, moves, slower)
    own, theirs = median(found.own), median(found.others)
    print(
        f"{count} phones, the host's processor {slower:g} times slower: a guest's move is on all screens after "
        f"{theirs:.0f} ms in the median, {quantiles(found.others, n=20)[-1]:.0f} in 95 of 100; "
        f"the host's own on its own after {own:.0f}: {theirs / own:.2f} times, {theirs - own:.0f} ms more "
        f"({len(found.others)} and {len(found.own)} moves)"
    )
    return found


def main() -> int:
    """Measure all. Return exit status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--slower", type=float, default=4)
    chosen = parser.parse_args()
    print(f"load {load_average()}")
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        address = Slow4G(pocket_folder(chosen.folder, Path(made)), fast=True).address
        held = [between(playwright, address, chosen.moves), beside_a_flood(playwright, address, chosen.moves)]
        six = together(playwright, address, AT_TABLE, chosen.moves, 1)
        held.append(
            told(
                "six phones: a guest's move on all screens beyond the host's own",
                median(six.others) - median(six.own),
                MOST_MS,
                "ms",
            )
        )
        slow = together(playwright, address, AT_SLOW, chosen.moves, chosen.slower)
        held.append(
            told("eight phones, a slow host: a guest's move on all screens", median(slow.others), SLOW_MS, "ms")
        )
        frame = quantiles(slow.frames, n=20)[-1]
        held.append(told("the slow host's page until its next frame, in 95 of 100", frame, FRAME_MS, "ms"))
    print(f"load {load_average()}")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
