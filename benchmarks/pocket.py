"""Measures the pocket house in Chromium: its weight, a first visit at 4G, a start on a slow processor, and a move.

"4G" is Fast 4G of Chrome's developer tools: 1,012,500 bytes a second, 165 ms a request. The web server of this script
sends no faster. For a processor four times slower, all of the browser's processes are stopped (SIGSTOP) for three
quarters of each 20 ms. So work on several cores at once is slowed, too. The profile lies in a folder, as a person's
does, because a private window keeps files in memory, behind calls to another process. A move lasts from a page's
``fetch`` until the answer. It is measured in a pocket, and in the same browser in a house (``pubdice serve``) with its
file on the disk.

    .venv/bin/python -m benchmarks.pocket [--folder site] [--starts 5] [--moves 200] [--slower 4]

--folder is a folder built by ``pubdice pocket``. Without it, the script makes a folder without solutions.
"""

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

from platformdirs import user_cache_path
from playwright.sync_api import BrowserContext, Frame, Page, sync_playwright

from benchmarks.load.chromium import CHROMIUM, FLAGS
from benchmarks.load.process import load_average, running
from pubdice_pocket.build.contents import make_folder
from pubdice_pocket.build.on_disk import write_folder
from pubdice_pocket.build.parts import fetch_parts

PER_S, LATENCY_S = 1_012_500, 0.165
MOST_BYTES, FIRST_S, TABLE_S, START_S, ENGINE_S, MOVE_RATIO = 9_000_000, 6.0, 10.0, 2.0, 4.0, 5.0
ROUND_S = 0.02
PIECE = 16_384
WITHIN_MS = 300_000
SNAPSHOT = """async () => {
  const root = await navigator.storage.getDirectory(), heads = [];
  const head = async file => (await file.getFile()).slice(0, 16).text().catch(() => '');
  for await (const [name, folder] of root.entries())
    if (name.startsWith('pubdice memory')) for await (const file of folder.values()) heads.push(await head(file));
  return heads.includes('pubdice memory 2');
}"""
"""A script: true if the page's pocket has a snapshot of the interpreter's memory, for its next start."""
SHOWN = """() => {
  const frame = document.querySelector('iframe:not(.waits)');
  return frame?.contentDocument?.getElementById('name')?.checkVisibility();
}"""
"""A script: true if the page shows the front page. Its engine may still be starting."""
BEGUN = "() => document.querySelector('iframe:not(.waits, .early)') !== null"
"""A script: true if the page's engine is there, too."""
TABLE = """() => {
  const frame = document.querySelector('iframe:not(.waits, .early)');
  return frame?.contentDocument?.getElementById('main')?.checkVisibility();
}"""
"""A script: true if the page shows a table."""
PLAY = """async moves => {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }, took = [];
  const begun = `${Math.random()}`.slice(2, 10);
  const post = async (at, asked) => (await fetch(at, { method: 'POST', headers, body: JSON.stringify(asked) })).json();
  const rules = { format: 'rounds 20' };
  const order = { game: 'midnight', name: 'Ann', people: 1, bots: ['tip'], pace_ms: 0, rules };
  const table = (await post('/tables', order)).go;
  for (let number = 0; took.length < moves; number++) {
    const { view } = await (await fetch(`${table}/state`)).json();
    if (view.mover !== 0) { await new Promise(later => setTimeout(later, 20)); continue; }
    const free = view.dice.filter(die => die.status === 'free').slice(0, 1).map(die => die.place);
    const marks = view.ask === 'keep' ? { marks: free } : {};
    const asked = { key: `${begun}-${number}`, do: view.main?.do ?? 'roll', ...marks };
    const since = performance.now();
    const answer = await post(table, asked);
    if (answer.wait_s) { await new Promise(later => setTimeout(later, 1000)); continue; }
    if (answer.seq === undefined) throw new Error(JSON.stringify(answer));
    took.push(performance.now() - since);
  }
  return took;
}"""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors, which come from browsers that are closed in the middle of a file."""


class Slow4G:
    """A web server of files, whose requests share the speed of one 4G connection."""

    def __init__(self, folder: Path, fast: bool = False) -> None:
        host = self
        self.fast, self._free, self._lock = fast, 0.0, threading.Lock()

        class Handler(SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *told: Any) -> None:
                """Print nothing."""

            def send_head(self) -> Any:
                if not host.fast:
                    time.sleep(LATENCY_S)
                return super().send_head()

            def copyfile(self, source: Any, outputfile: Any) -> None:
                with suppress(ConnectionError):  # if the tab is closed
                    while piece := source.read(PIECE):
                        host.wait(len(piece))
                        outputfile.write(piece)

        self._server = _Server(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.address = f"http://localhost:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def wait(self, count: int) -> None:
        """Wait until ``count`` more bytes are through."""
        if self.fast:
            return
        with self._lock:
            self._free = max(self._free, time.monotonic()) + count / PER_S
            until = self._free
        time.sleep(max(0.0, until - time.monotonic()))


def processes() -> list[int]:
    """Return the ids of all Chromium processes that this process has started, directly or through others."""
    parents, names = {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, rest = file.read_text().rpartition(") ")
        except OSError:
            continue
        number = int(head.split()[0])
        parents[number], names[number] = int(rest.split()[1]), head.partition("(")[2]

    def ours(number: int) -> bool:
        while number in parents:
            number = parents[number]
            if number == os.getpid():
                return True
        return False

    return [number for number, name in names.items() if "chrom" in name and ours(number)]


@contextmanager
def slowed(times: float, others: Collection[int] = ()) -> Iterator[None]:
    """Let the browser run for only 1/``times`` of each 20 ms. The processes ``others`` are not stopped."""
    ended = threading.Event()

    def tell(what: signal.Signals) -> None:
        for number in set(processes()).difference(others):
            with suppress(ProcessLookupError):
                os.kill(number, what)

    def work() -> None:
        while not ended.is_set():
            tell(signal.SIGSTOP)
            time.sleep(ROUND_S * (1 - 1 / times))
            tell(signal.SIGCONT)
            time.sleep(ROUND_S / times)

    thread = threading.Thread(target=work)
    if times > 1:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if times > 1:
            thread.join()


def pocket_folder(given: Path | None, made: Path) -> Path:
    """Return the pocket's folder ``given``, or build one at ``made``, from cached parts."""
    if given is not None:
        return given
    parts = user_cache_path("pubdice", appauthor=False) / "pocket"
    fetch_parts(parts)
    write_folder(make_folder(parts), folder := made / "site")
    return folder


def opened(context: BrowserContext, address: str) -> tuple[Page, float]:
    """Open the house in a new tab. Return the tab, and the seconds it took."""
    page = context.new_page()
    begun = time.monotonic()
    page.goto(address)
    page.wait_for_function(SHOWN, timeout=WITHIN_MS, polling="raf")  # a locator may wait half a second
    return page, time.monotonic() - begun


def first_visit(context: BrowserContext, address: str) -> tuple[float, float]:
    """Return the seconds until the front page is there, and until a table is there that was ordered at once."""
    begun = time.monotonic()
    page, shown = opened(context, address)
    house(page).fill("#name", "Ann")
    house(page).click("#open button.main", no_wait_after=True)
    page.wait_for_function(TABLE, timeout=WITHIN_MS, polling="raf")
    return shown, time.monotonic() - begun


def house(page: Page) -> Frame:
    """Return the frame that shows the house."""
    return page.frames[1]


def told(what: str, found: float, most: float, unit: str) -> bool:
    """Print a figure as a share of its limit. Return True if it is within the limit."""
    held = found <= most
    print(f"{what}: {found / most:.2f} of the limit ({found:.2f} {unit} of {most:g}){'' if held else '  MISSED'}")
    return held


def main() -> int:
    """Measure all. Return exit status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--slower", type=float, default=4)
    chosen = parser.parse_args()
    print(f"load {load_average()}")
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        folder = pocket_folder(chosen.folder, Path(made))
        weight = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        held = [told("weight on the host", weight / 1e6, MOST_BYTES / 1e6, "MB")]
        phone = partial(playwright.chromium.launch_persistent_context, executable_path=CHROMIUM, args=FLAGS)
        firsts = []
        for visit in range(3):
            host, context = Slow4G(folder), phone(Path(made) / f"visitor {visit}")
            firsts.append(first_visit(context, host.address))
            context.close()
        shown, table = (min(each) for each in zip(*firsts, strict=True))
        held.append(told("first visit at 4G until the front page is there, the least of 3", shown, FIRST_S, "s"))
        held.append(told("... until a table is that was ordered at once", table, TABLE_S, "s"))
        host, context = Slow4G(folder, fast=True), phone(Path(made) / "phone")
        page, _ = opened(context, host.address)
        while not page.evaluate(SNAPSHOT):
            page.wait_for_timeout(500)
        page.close()
        starts = []
        for _ in range(chosen.starts):
            with slowed(chosen.slower):
                begun = time.monotonic()
                page, took = opened(context, host.address)
                page.wait_for_function(BEGUN, timeout=WITHIN_MS, polling="raf")
            starts.append((took, time.monotonic() - begun))
            page.wait_for_timeout(500)
            page.close()
        print("starts:", " ".join(f"{shown:.2f}/{engine:.2f}" for shown, engine in starts))
        shown, engine = (median(each) for each in zip(*starts, strict=True))
        held.append(told(f"a later start, processor {chosen.slower:g} times slower, median", shown, START_S, "s"))
        held.append(told("... until the engine is there", engine, ENGINE_S, "s"))
        held.append(moved(context, host.address, Path(made), chosen.moves))
        context.close()
    return 0 if all(held) else 1


def moved(context: BrowserContext, address: str, folder: Path, moves: int) -> bool:
    """Measure a move in a pocket and in a house, in turn. Return True if the ratio's goal is met."""
    found: dict[str, list[float]] = {"pocket": [], "house": []}
    page, _ = opened(context, address)
    with running(folder) as beside:
        other = context.new_page()
        other.goto(f"http://127.0.0.1:{beside.port}/")
        for _ in range(4):
            for name, frame in (("pocket", house(page)), ("house", other.main_frame)):
                found[name] += frame.evaluate(PLAY, moves // 4)
    pocket, served = median(found["pocket"]), median(found["house"])
    return told(
        f"a move, a served house's {served:.1f} ms in a pocket {pocket:.1f}", pocket / served, MOVE_RATIO, "times"
    )


if __name__ == "__main__":
    sys.exit(main())
