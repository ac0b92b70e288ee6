"""What the page's scripts do by themselves, and for one event: counted by what they ask for and what they change."""

from collections import Counter
from itertools import accumulate
from typing import Any

from playwright.sync_api import BrowserContext, Page, Route, expect

from browser.client.page import Open, dressed, heard
from browser.scripted_house import House, Line, seat_view, told, update, view

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
"""An init script: counts how often what a script asked to be called later is called, by where it asked for it."""
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
"""An init script: counts what scripts ask of a browser that may take long, by the line that asks. Timers go by their
delay, and each element that is found counts too.
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
"""Counts from now on what is changed, by the nearest element with a name; a node that is put in again counts twice."""
AWAY = '<p id="away" hidden></p>'
BOB_AWAY = {**seat_view("Bob", False, []), "note": "away", "here": False, "vote_at": 5_300_000}
CLOCKS: dict[str, Any] = {"clock": 5_120_000, "now": 5_000_000, "seats": [seat_view("Ada", True, []), BOB_AWAY]}
"""A turn's clock, and one that runs until the others may vote."""
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
"""What may be asked for by one event and in the second after it: two clocks; what is said keeps a gap, in frames, and
is taken away; and with each piece that comes, of which a message may be two, the stream is known to be alive.
"""
ONE_PRESS = {"Document.querySelectorAll": 8, "JSON.stringify": 2, "Window.fetch": 1, "Window.setTimeout 1500": 1}
"""The same by a press, until the house hears it."""
MINUTE_S = 60
MOST_FIRED = MINUTE_S + 20
"""Calls in a minute in which a clock runs: its own, each second, and a stream's that looks whether it is alive."""
MOST_CHANGES = 61
"""Changes by an event that brings a line and a status, and leaves three dice where they lie: 30 at the dice, 8 at the
seats. With a seat's dice drawn again there are 69; with each text written again, though it is the same, 73.
"""
RULES = """<form><input name="game" value="ship"><details class="fair"><summary>Fair?</summary>
<div class="priced" data-ask="/prices" data-failed="Failed."><select name="players"><option>2</select>
<p class="told"></p><p class="fairest"></p><button type="button">Take</button></div></details></form>
<script type="module" src="/static/prices.js"></script>"""
"""House rules whose prices are asked for once they are open."""
OPENED = """() => new Promise(done => {
  addEventListener('toggle', () => done(Date.now()), { capture: true, once: true });
  document.querySelector('.fair').open = true;
})"""
"""Opens them, and gives the time once the page knows (ms)."""
ASKED_AT = """
window.askedAt = [];
const before = window.fetch;
window.fetch = (where, ...how) => {
  if (`${where}`.endsWith('/prices')) askedAt.push(Date.now());
  return before(where, ...how);
};
"""
"""An init script: notes when prices are asked for (ms)."""
WAITS_S = [2, 1, 3]
"""The waits that a house asks for while it works out prices."""


def test_a_minute_in_which_nothing_comes_is_a_tick_a_second(visit: Open, context: BrowserContext) -> None:
    context.clock.install(time=1_000_000)
    context.add_init_script(COUNT)
    page, line = visit(patience=600, extra=AWAY)
    dressed(page)
    context.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    for seq, (clock, shown) in enumerate((("clock", "2:00 left"), ("seats", "Bob is away, 5:00.")), 1):
        line.send(update(seq, now=CLOCKS["now"], ask="roll", **{clock: CLOCKS[clock]}))
        expect(page.locator("#clock:visible, #away:visible")).to_have_text(shown)
        page.evaluate("fired = {}")
        context.clock.run_for(1000 * MINUTE_S)
        fired = page.evaluate("fired")
        assert fired, "nothing was counted"
        assert sum(fired.values()) <= MOST_FIRED, fired


def more(page: Page, most: dict[str, int], times: int = 1) -> str:
    """What was asked for more often than it may be, and by which lines most; then counting begins again."""
    asked: dict[str, dict[str, int]] = page.evaluate("[asked, asked = {}][0]")
    assert asked, "nothing was counted"
    return "\n".join(
        f"{what}: {sum(lines.values())} of {times * most.get(what, 0)}, {Counter(lines).most_common(3)}"
        for what, lines in asked.items()
        if sum(lines.values()) > times * most.get(what, 0)
    )


def test_an_event_and_a_press_ask_a_browser_for_little(visit: Open, house: House, context: BrowserContext) -> None:
    """On a clock that stands still: nothing waits but by a timer, whose delay is held too."""
    context.clock.install(time=1_000_000)
    context.add_init_script(ASKED)
    page, line = visit(patience=600, extra=AWAY)
    dressed(page)
    context.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
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
    """An event after which the same dice lie on the table and in a seat."""
    return update(seq, f"Bob rolled {seq}.", view=view(seq, 5, 4, 4, status=told(f"{seq}")))


def changes(page: Page, line: Line, seq: int) -> dict[str, int]:
    """Changes by one event, by place, once all before it is drawn and what was said is taken away."""
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
    context.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    line.send(event(1))
    few = changes(page, line, 2)
    line.send(*map(event, range(3, 100)))
    many = changes(page, line, 100)
    assert few.get("log"), "nothing was counted"
    assert sum(few.values()) <= MOST_CHANGES, few
    assert sum(many.values()) <= MOST_CHANGES, many


def test_prices_are_asked_for_no_sooner_than_the_house_says(visit: Open, context: BrowserContext) -> None:
    """On a clock that stands still: the first request waits for 400 ms in which nobody changes a rule."""
    context.clock.install(time=1_000_000)
    context.add_init_script(ASKED_AT)
    answered: list[int] = []

    def answer(route: Route) -> None:
        wait_s = [*WAITS_S, 0][min(len(answered), len(WAITS_S))]
        route.fulfill(status=202, headers={"Retry-After": f"{wait_s}"}, json={"told": f"{len(answered)}"})
        answered.append(wait_s)

    context.route("**/prices", answer)
    page, _ = visit(patience=600, extra=RULES)
    context.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    begun = page.evaluate(OPENED)
    waits_ms = [400, *(1000 * wait for wait in WAITS_S)]
    for number, wait_ms in enumerate(waits_ms):
        context.clock.run_for(wait_ms)
        expect(page.locator(".told")).to_have_text(f"{number}")
    assert [at - begun for at in page.evaluate("askedAt")] == list(accumulate(waits_ms))
