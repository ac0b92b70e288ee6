"""A guest's move beside the pocket's own: two phones without a server between them, in one Chromium.

Moves are what a page asks by ``fetch`` until the answer is there, in turn by a page of the phone that is the house, and
by one of its guest. Both ask the same engine, so the difference is the line between them.

    .venv/bin/python -m benchmarks.phones [--folder site] [--moves 200]

--folder: what ``pubdice pocket`` built; without one, a folder without solutions is made.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import BrowserContext, Page, sync_playwright

from benchmarks.load.chromium import CHROMIUM, FLAGS
from benchmarks.load.process import load_average
from benchmarks.pocket import PLAY, WITHIN_MS, Slow4G, house, opened, pocket_folder, told

MOST_MS = 60
"""A guest's move beyond the pocket's own."""
ROUNDS = 4


def joined(host: Page, theirs: BrowserContext) -> Page:
    """A phone that has come to another by copied codes."""
    house(host).locator("a[href='#other-phones']").first.dispatch_event("click")
    panel = host.locator("#phones")
    panel.locator("button.main").first.click()
    panel.locator(".qr svg").wait_for()
    guest = theirs.new_page()
    guest.goto(panel.locator("textarea").first.input_value())
    guest.locator("#phones .qr svg").wait_for(timeout=WITHIN_MS)
    code = guest.locator("#phones textarea").first.input_value()
    by_hand = panel.locator("details").nth(1)
    by_hand.evaluate("details => { details.open = true }")
    by_hand.locator("textarea").fill(code)
    by_hand.locator("button").click()
    guest.locator("iframe:not(.waits)").wait_for()
    return guest


def main() -> int:
    """Measure; exit status 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--moves", type=int, default=200)
    chosen = parser.parse_args()
    print(f"load {load_average()}")
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        static = Slow4G(pocket_folder(chosen.folder, Path(made)), fast=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        host, _ = opened(browser.new_context(), static.address)
        guest = joined(host, browser.new_context())
        took: dict[str, list[float]] = {"own": [], "guest": []}
        for _ in range(ROUNDS):
            for name, page in (("own", host), ("guest", guest)):
                took[name] += house(page).evaluate(PLAY, chosen.moves // ROUNDS)
        browser.close()
    own, theirs = median(took["own"]), median(took["guest"])
    print(f"a guest's move is {theirs / own:.2f} times the pocket's own ({theirs:.1f} ms to {own:.1f})")
    return 0 if told("a guest's move beyond the pocket's own", theirs - own, MOST_MS, "ms") else 1


if __name__ == "__main__":
    sys.exit(main())
