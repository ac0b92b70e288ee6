"""What the page's scripts do by themselves, and for one event: counted by what they ask for and what they change."""

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from browser.client.page import Open
from browser.scripted_house import Line, told, update

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
MINUTE_S = 60
MOST_FIRED = MINUTE_S + 20
"""Calls in a minute in which a clock runs: its own, each second, and a stream's that looks whether it is alive."""
MOST_CHANGES = 12
"""Changes by which the hundredth event of a match may differ from the first."""


def test_a_minute_in_which_nothing_comes_is_a_tick_a_second(visit: Open, context: BrowserContext) -> None:
    context.clock.install(time=1_000_000)
    context.add_init_script(COUNT)
    page, line = visit(patience=600)
    context.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    line.send(update(1, clock=5_120_000, now=5_000_000, ask="roll"))
    expect(page.locator("#clock")).to_have_text("2:00 left")
    page.evaluate("fired = {}")
    context.clock.run_for(1000 * MINUTE_S)
    fired = page.evaluate("fired")
    assert fired, "nothing was counted"
    assert sum(fired.values()) <= MOST_FIRED, fired


def changes(page: Page, line: Line, seq: int) -> dict[str, Any]:
    """What is changed by one event."""
    page.evaluate(CHANGES)
    line.send(update(seq, f"Bob rolled {seq}.", ask="roll", status=told(f"{seq}")))
    expect(page.locator("#status")).to_have_text(f"{seq}")
    expect(page.locator("#log li").last).to_have_text(f"Bob rolled {seq}.")
    return dict(page.evaluate("changed"))


def test_an_event_changes_no_more_after_many_than_after_few(visit: Open) -> None:
    page, line = visit()
    few = changes(page, line, 1)
    for seq in range(2, 100):
        line.send(update(seq, f"Bob rolled {seq}.", ask="roll", status=told(f"{seq}")))
    expect(page.locator("#status")).to_have_text("99")
    many = changes(page, line, 100)
    assert few.get("log"), "nothing was counted"
    grown = {name: (few.get(name, 0), number) for name, number in many.items() if number > few.get(name, 0)}
    assert sum(many.values()) <= sum(few.values()) + MOST_CHANGES, grown
