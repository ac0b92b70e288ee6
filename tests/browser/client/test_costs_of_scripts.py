"""Counts the work of the page's scripts when idle and for one event: their calls to the browser, and changes."""

from collections import Counter
from itertools import accumulate
from typing import Any

from playwright.sync_api import BrowserContext, Page, Route, expect

from browser.client.page import Open, dressed, heard
from browser.scripted_house import House, Line, seat_view, told, update, view
from support.browser import stop_clock

COUNT = """
window.fired = {};
for (const name of ['setInterval', 'setTimeout', 'requestAnimationFrame']) {
  const before = window[name];
  window[name] = (deed, ...more) => {
    const by = /([\\w.]+\\.js[:\\d]*)/.exec(new Error().stack.split('\\n')[2])?.[1] ?? 'a test';
    return before(function (...given) {
      fired[`${name} ${by}`] = (fired[`${name} ${by}`] ?? 0) + 1;
      return deed.apply(this, given);
    }, ...more);
  };
}
"""
"""An init script that counts the calls of timers and other callbacks, by the line that set them."""
ASKED = """
window.asked = {};
const note = (what, times) => {
  const lines = new Set(new Error().stack.match(/\\w+\\.js:\\d+/g));
  if (!lines.size) return;  // a test asks
  const line = [...lines].slice(0, 2).join(' from ');
  asked[what] ??= {};
  asked[what][line] = (asked[what][line] ?? 0) + times;
};
const watch = (of, names) => {
  for (const name of names.split(/\\s+/)) {
    const facts = Object.getOwnPropertyDescriptor(of, name);
    for (const way of ['get', 'set', 'value'].filter(way => facts[way])) {
      const before = facts[way];
      facts[way] = function (...given) {
        const found = before.apply(this, given);
        const ms = /^set(Timeout|Interval)$/.test(name) ? ` ${Math.round(given[1])}` : '';
        note(`${of[Symbol.toStringTag]}.${name}${ms}`, found instanceof NodeList ? 1 + found.length : 1);
        return found;
      };
    }
    Object.defineProperty(of, name, facts);
  }
};
const sizes = kind => ['Top', 'Left', 'Width', 'Height'].map(side => kind + side).join(' ');
watch(Element.prototype, `${sizes('scroll')} ${sizes('client')} innerHTML outerHTML getBoundingClientRect getClientRects
  checkVisibility scrollIntoView animate querySelectorAll getElementsByTagName getElementsByClassName`);
watch(HTMLElement.prototype, `${sizes('offset')} offsetParent innerText outerText focus`);
watch(Document.prototype, `querySelectorAll getElementsByTagName getElementsByClassName elementFromPoint getAnimations
  cookie`);
watch(JSON, 'parse stringify');
watch(Storage.prototype, 'getItem setItem removeItem clear');
watch(IDBFactory.prototype, 'open');
watch(IDBObjectStore.prototype, 'put add');
watch(window, `getComputedStyle structuredClone matchMedia innerWidth innerHeight scrollX scrollY scrollTo fetch
  setTimeout setInterval requestAnimationFrame requestIdleCallback`);
"""
"""An init script that counts the slow calls of scripts to the browser, by the calling line. Timers are counted by their
delay. Each element found by a query counts, too.
"""
CHANGES = """() => {
  const begun = window.changed;
  window.changed = {};
  if (begun) return;
  new MutationObserver(records => {
    for (const {target, addedNodes, removedNodes} of records) {
      const at = (target.nodeType === 1 ? target : target.parentElement)?.closest('[id]')?.id ?? '';
      changed[at] = (changed[at] ?? 0) + Math.max(1, addedNodes.length + removedNodes.length);
    }
  }).observe(document, {childList: true, subtree: true, attributes: true, characterData: true});
}"""
"""A script that counts changes of the document from now on, by the nearest element with an id. A node that is moved
counts twice.
"""
AWAY = '<p id="away" hidden></p>'
BOB_AWAY = {**seat_view("Bob", False, []), "note": "away", "here": False, "vote_at": 5_300_000}
CLOCKS: dict[str, Any] = {"clock": 5_120_000, "now": 5_000_000, "seats": [seat_view("Ada", True, []), BOB_AWAY]}
"""Facts of a view with two clocks: the turn's, and one until the others may vote."""
EVENTS = 20
ONE_EVENT = {
    "JSON.parse": 1,
    "Document.querySelectorAll": 44,
    "Element.querySelectorAll": 4,
    "Element.checkVisibility": 1,
    "Window.setInterval 1000": 2,
    "Window.setTimeout 300": 1,
    "Window.setTimeout 5000": 1,
    "Window.setTimeout 600000": 2,
    "Window.requestAnimationFrame": 2,
}
"""The most calls for one event, and in the second after it. They are for two clocks, for announcements (a gap in
frames, and the removal), and for the timer of a silent stream, set for each piece. A message may come in two pieces.
"""
ONE_PRESS = {"Document.querySelectorAll": 8, "JSON.stringify": 2, "Window.fetch": 1, "Window.setTimeout 1500": 1}
"""The most calls for one press, until its command is sent."""
MINUTE_S = 60
MOST_FIRED = MINUTE_S + 20
"""The most callbacks in a minute with a running clock: one a second for the clock, and some for the watch on the
stream.
"""
MOST_CHANGES = 61
"""The most changes by an event with a line and a status that leaves three dice as they are: 30 at the dice, 8 at the
seats. If a seat's dice were drawn again, there would be 69. If unchanged texts were written again, 73.
"""
RULES = """<form><input name="game" value="ship"><details class="fair"><summary>Fair?</summary>
<div class="priced" data-ask="/prices" data-failed="Failed."><select name="players"><option>2</select>
<p class="told"></p><p class="fairest"></p><button type="button">Take</button></div></details></form>
<script type="module" src="/static/prices.js"></script>"""
"""House rules. Their prices are requested once they are open."""
OPENED = """() => new Promise(done => {
  addEventListener('toggle', () => done(Date.now()), { capture: true, once: true });
  document.querySelector('.fair').open = true;
})"""
"""A script that opens the house rules, and returns the time of the page's event in ms."""
ASKED_AT = """
window.askedAt = [];
const before = window.fetch;
window.fetch = (where, ...how) => {
  if (`${where}`.endsWith('/prices')) askedAt.push(Date.now());
  return before(where, ...how);
};
"""
"""An init script that records the times of requests for prices in ms."""
WAITS_S = [2, 1, 3]
"""The seconds that the house asks the page to wait while it computes prices."""


def test_a_minute_in_which_nothing_comes_is_a_tick_a_second(visit: Open, context: BrowserContext) -> None:
    context.clock.install(time=1_000_000)
    context.add_init_script(COUNT)
    page, line = visit(patience=600, extra=AWAY)
    dressed(page)
    stop_clock(page)
    for seq, (clock, shown) in enumerate((("clock", "2:00 left"), ("seats", "Bob is away, 5:00.")), 1):
        line.send(update(seq, now=CLOCKS["now"], ask="roll", **{clock: CLOCKS[clock]}))
        expect(page.locator("#clock:visible, #away:visible")).to_have_text(shown)
        page.evaluate("fired = {}")
        context.clock.run_for(1000 * MINUTE_S)
        fired = page.evaluate("fired")
        assert fired, "nothing was counted"
        assert sum(fired.values()) <= MOST_FIRED, fired


def more(page: Page, most: dict[str, int], times: int = 1) -> str:
    """Return the calls above their limits, with the lines that make most of them. Then start counting again."""
    asked: dict[str, dict[str, int]] = page.evaluate("[asked, asked = {}][0]")
    assert asked, "nothing was counted"
    return "\n".join(
        f"{what}: {sum(lines.values())} of {times * most.get(what, 0)}, {Counter(lines).most_common(3)}"
        for what, lines in asked.items()
        if sum(lines.values()) > times * most.get(what, 0)
    )


def test_an_event_and_a_press_ask_a_browser_for_little(visit: Open, house: House, context: BrowserContext) -> None:
    """Count with a stopped clock. A wait can then only be by a timer, and the test counts timers by their delay."""
    context.clock.install(time=1_000_000)
    context.add_init_script(ASKED)
    page, line = visit(patience=600, extra=AWAY)
    dressed(page)
    stop_clock(page)
    page.evaluate("asked = {}")
    for seq in range(1, EVENTS + 1):
        line.send(update(seq, f"{seq}", view=view(seq, 5, 4, 4, **CLOCKS)))
        expect(page.locator("#log li").last).to_have_text(f"{seq}")
        context.clock.run_for(1000)
    by_events = more(page, ONE_EVENT, EVENTS)
    assert not by_events, by_events
    heard(page, *[f"{seq}." for seq in range(1, EVENTS + 1)])
    house.hold.clear()
    page.evaluate("document.getElementById('main').click()")
    by_press = more(page, ONE_PRESS)
    assert not by_press, by_press
    house.posted(1)


def event(seq: int) -> str:
    """Return an event that leaves the dice on the table and at a seat as they are."""
    return update(seq, f"Bob rolled {seq}.", view=view(seq, 5, 4, 4, status=told(f"{seq}")))


def changes(page: Page, line: Line, seq: int) -> dict[str, int]:
    """Return the changes by one event, by place, after all earlier events are drawn and their announcements removed."""
    expect(page.locator("#log li").last).to_have_text(f"Bob rolled {seq - 1}.")
    page.clock.run_for(6000)
    page.evaluate(CHANGES)
    line.send(event(seq))
    expect(page.locator("#status")).to_have_text(f"{seq}")
    expect(page.locator("#log li").last).to_have_text(f"Bob rolled {seq}.")
    page.clock.run_for(1000)
    return dict(page.evaluate("changed"))


def test_an_event_changes_little_after_few_and_after_many(visit: Open, context: BrowserContext) -> None:
    context.clock.install(time=1_000_000)
    page, line = visit(view(0, 5, 4, 4), patience=600)
    dressed(page)
    stop_clock(page)
    line.send(event(1))
    few = changes(page, line, 2)
    line.send(*map(event, range(3, 100)))
    many = changes(page, line, 100)
    assert few.get("log"), "nothing was counted"
    assert sum(few.values()) <= MOST_CHANGES, few
    assert sum(many.values()) <= MOST_CHANGES, many


def test_prices_are_asked_for_no_sooner_than_the_house_says(visit: Open, context: BrowserContext) -> None:
    """Test with a stopped clock. The first request waits until no rule has changed for 400 ms."""
    context.clock.install(time=1_000_000)
    context.add_init_script(ASKED_AT)
    answered: list[int] = []

    def answer(route: Route) -> None:
        wait_s = [*WAITS_S, 0][min(len(answered), len(WAITS_S))]
        route.fulfill(status=202, headers={"Retry-After": f"{wait_s}"}, json={"told": f"{len(answered)}"})
        answered.append(wait_s)

    context.route("**/prices", answer)
    page, _ = visit(patience=600, extra=RULES)
    stop_clock(page)
    begun = page.evaluate(OPENED)
    waits_ms = [400, *(1000 * wait for wait in WAITS_S)]
    for number, wait_ms in enumerate(waits_ms):
        context.clock.run_for(wait_ms)
        expect(page.locator(".told")).to_have_text(f"{number}")
    assert [at - begun for at in page.evaluate("askedAt")] == list(accumulate(waits_ms))
