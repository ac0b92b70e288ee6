"""Measures speed as a person feels it, on a processor four times slower: first paint, presses, and layout shifts.

A house and Chromium run together. Chromium is slowed fourfold by its own protocol (``Emulation.setCPUThrottlingRate``).

- paint: the first contentful paint of the front page, a table and a receipt, each in turn with an empty page that loads
  the same styles. Each time is a first visit, with empty caches. Goal: twice the empty page.
- press: from a press to the next frame (Event Timing's duration, in steps of 8 ms) in each step of a match of Midnight
  and one of Mexico by taps, beside presses of a button that only counts. Goal: 100 ms for every press.
- shift: the layout shift of a match's page, as its player and a second player see it: the worst window of 5 s (the
  definition of Cumulative Layout Shift). Goal: 0.05.

    .venv/bin/python -m benchmarks.felt [paint] [press] [shift] [--times 7]

The exit status is 1 if a goal is missed. This is no test, because other work on the machine slows a page down.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "packages/workshop/src/pubdice_workshop/laws"))

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from support.house_process import House

SLOWER = 4
PAINT_GOAL, PRESS_MS, SHIFT_GOAL = 2.0, 100, 0.05
PHONE = {"width": 390, "height": 844}
STYLES = re.compile(r'<link rel="stylesheet"[^>]*>')
EMPTY = "<!doctype html><html lang=en><meta charset=utf-8><title>Empty</title>{styles}<body><p>Nothing"
PAINTED = """() => new Promise(done => new PerformanceObserver(
  list => list.getEntriesByName('first-contentful-paint').forEach(({ startTime }) => done(startTime))
).observe({ type: 'paint', buffered: true }))"""
WATCHED = """
self.pressed = {};
self.shifts = [];
// An element that has left the page is null, and the class of a drawing is an object.
const named = node => String(node?.id || node?.getAttribute?.('class') || node?.nodeName || 'gone');
new PerformanceObserver(list => {
  for (const { interactionId, duration, target } of list.getEntries())
    if (interactionId) {
      const [most, what] = pressed[interactionId] ?? [0, ''];
      pressed[interactionId] = [Math.max(most, duration), what || (target ? named(target) : '')];
    }
}).observe({ type: 'event', durationThreshold: 16, buffered: true });
new PerformanceObserver(list => {
  for (const { value, hadRecentInput, startTime, sources } of list.getEntries())
    if (!hadRecentInput)
      shifts.push([startTime, value, sources.map(({ node }) => named(node))]);
}).observe({ type: 'layout-shift', buffered: true });
"""
GOES_ON = "#main:not([aria-disabled]):visible, #moves button:visible, #bank:visible"
COUNTER = "<!doctype html><title>Counter</title><button style='width:300px;height:64px' onclick='textContent++'>0"


@contextmanager
def slowed(browser: "Browser", house: "House", *, touch: bool = True) -> "Iterator[BrowserContext]":
    """Open a phone's browser at the house, with an empty cache."""
    from support.browser import context_of  # noqa: PLC0415

    context = context_of(browser, house, viewport=PHONE, has_touch=touch, is_mobile=True, device_scale_factor=2)
    yield context
    context.close()


def _page(context: "BrowserContext") -> "Page":
    page = context.new_page()
    page.add_init_script(WATCHED)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


def _painted(browser: "Browser", house: "House", path: str, styles: str | None, state: object) -> float:
    """Return the milliseconds until the first paint of the page at a path. With ``styles``, of an empty page that loads
    these.
    """
    from support.browser import context_of  # noqa: PLC0415

    context = context_of(browser, house, viewport=PHONE, is_mobile=True, device_scale_factor=2, storage_state=state)
    page = _page(context)
    if styles is not None:
        body = EMPTY.format(styles=styles)
        page.route("**/empty", lambda route: route.fulfill(body=body, content_type="text/html"))
        path = "/empty"
    page.goto(path)
    found: float = page.evaluate(PAINTED)
    context.close()
    return found


def paint(browser: "Browser", house: "House", times: int) -> bool:
    """Compare first paints. Return True if all are within the goal."""
    from support.browser import open_table  # noqa: PLC0415

    good = True
    with slowed(browser, house) as context:
        table = open_table(context, "Ann", bots=["tip"])
        over = open_table(context, "Ann", bots=["tip"], rules={"format": "rounds 1"})
        page = context.new_page()
        page.goto(over)
        _played(page, "midnight")
        page.goto(f"{over}/receipt")
        page.locator(".chart, svg").first.wait_for()
        state = context.storage_state()
        pages = {}
        for name, path in (("front", "/"), ("table", table), ("receipt", f"{over}/receipt")):
            html = context.request.get(path, headers={"Accept": "text/html"}).text()
            pages[name] = path, "".join(dict.fromkeys(STYLES.findall(html)))
    for name, (path, styles) in pages.items():
        took: dict[bool, list[float]] = {True: [], False: []}
        for number in range(2 * times + 2):
            empty = number % 2 == 0
            ms = _painted(browser, house, path, styles if empty else None, state)
            if number > 1:
                took[empty].append(ms)
        ratio = median(took[False]) / median(took[True])
        good &= ratio <= PAINT_GOAL
        print(
            f"paint  {name:8} {ratio:5.2f} ({median(took[False]):.0f} ms : {median(took[True]):.0f} ms)"
            f"; goal {PAINT_GOAL} or less"
        )
    return good


def _played(page: "Page", game: str) -> None:
    from browser.test_touch import play  # noqa: PLC0415

    if game == "midnight":
        play(page, game)
        return
    gold = page.locator(GOES_ON)
    for _ in range(300):
        gold.or_(page.locator("#result:visible")).first.wait_for(timeout=30_000)
        if page.locator("#result").is_visible():
            return
        page.wait_for_timeout(600)
        gold.last.tap()
        page.wait_for_timeout(200)
    raise AssertionError("no end")


def press(browser: "Browser", house: "House", times: int) -> bool:
    """Measure presses over whole matches. Return True if all are within the goal."""
    from support.browser import open_table  # noqa: PLC0415

    with slowed(browser, house) as context:
        page = _page(context)
        page.route("**/counter", lambda route: route.fulfill(body=COUNTER, content_type="text/html"))
        page.goto("/counter")
        for _ in range(5 * times):
            page.locator("button").tap()
            page.wait_for_timeout(100)
        page.wait_for_timeout(500)
        plain = sorted(ms for ms, _ in page.evaluate("Object.values(pressed)"))
    good = True
    for game, rules in (("midnight", {"format": "rounds 2"}), ("mexico", {"format": "lives 2"})):
        with slowed(browser, house) as context:
            page = _page(context)
            page.goto(open_table(context, "Ann", game=game, bots=["tip"], rules=rules))
            _played(page, game)
            page.wait_for_timeout(1500)
            found = sorted((ms, what) for ms, what in page.evaluate("Object.values(pressed)"))
        most, what = found[-1]
        base = median(plain) if plain else 16.0
        good &= most <= PRESS_MS
        print(
            f"press  {game:8} {most / base:5.2f} ({most:.0f} ms at most, at {what!r}; "
            f"{median(ms for ms, _ in found):.0f} in the median, {found[int(0.95 * len(found))][0]:.0f} in 95 of 100, "
            f"{len(found)} presses : {base:.0f} ms of a button that counts); goal {PRESS_MS} ms at most"
        )
    return good


def worst_window(shifts: list[tuple[float, float, list[str]]]) -> tuple[float, list[str]]:
    """Return the largest sum of shifts in a session window, and the elements that shifted.

    A session window is at most 5 s long, with less than 1 s between two shifts.
    """
    worst: tuple[float, list[str]] = (0.0, [])
    begun = last = -10_000.0
    total, named = 0.0, list[str]()
    for at, value, what in shifts:
        if at - last > 1000 or at - begun > 5000:
            begun, total, named = at, 0.0, []
        last, total = at, total + value
        named += what
        worst = max(worst, (total, [*dict.fromkeys(named)]))
    return worst


def shift(browser: "Browser", house: "House", times: int) -> bool:
    """Measure the layout shift over a match of two people, at each one's page. Return True if it is within the goal."""
    from playwright.sync_api import Error  # noqa: PLC0415

    from support.browser import ask, open_table  # noqa: PLC0415

    good = True
    for game, rules in (("midnight", {"format": "rounds 1"}), ("mexico", {"format": "lives 1"})):
        with slowed(browser, house) as mine, slowed(browser, house) as theirs:
            table = open_table(mine, "Ann", game=game, people=None, rules=rules)
            assert ask(theirs, table, do="sit", name="Ben") == 200
            assert ask(mine, table, do="start") == 200
            pages = [_page(mine), _page(theirs)]
            for page in pages:
                page.goto(table)
            for _ in range(200):
                if all(page.locator("#result").is_visible() for page in pages):
                    break
                for page in pages:
                    page.wait_for_timeout(350)
                    with suppress(Error):  # the turn passed to the other player before the tap
                        if page.locator("#main[data-waiting]:visible").count():
                            page.locator("#dice .die[data-status=free]").first.tap(timeout=1000)
                        elif page.locator(GOES_ON).count():
                            page.locator(GOES_ON).first.tap(timeout=1000)
            for who, page in zip(("Ann", "Ben"), pages, strict=True):
                page.wait_for_timeout(2500)
                worst, what = worst_window(page.evaluate("shifts"))
                good &= worst <= SHIFT_GOAL
                print(f"shift  {game:8} {worst:.3f} at {who}'s ({', '.join(what[:6])}); goal {SHIFT_GOAL} or less")
    return good


WHAT = {"paint": paint, "press": press, "shift": shift}


def main() -> int:
    """Measure the claims named, or all. Return exit status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=[*WHAT, []], default=[])
    parser.add_argument("--times", type=int, default=7)
    chosen = parser.parse_args()

    from support.browser import BEHIND, chromium_running  # noqa: PLC0415
    from support.house_process import House  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder, chromium_running() as browser:
        house = House(Path(folder), *BEHIND, limits=False)
        house.open()
        try:
            held = [WHAT[name](browser, house, chosen.times) for name in chosen.what or WHAT]
        finally:
            house.clear()
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
