"""Many tabs of one table in one browser. Plain HTTP allows only six connections to a house, but all tabs play on."""

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from browser.scene import Scene, Visitor
from support.browser import ask, open_table, sit, until

TABS = 8
HIDEABLE = """
let isHidden = false;
for (const [name, value] of [['hidden', () => isHidden], ['visibilityState', () => (isHidden ? 'hidden' : 'visible')]])
  Object.defineProperty(Document.prototype, name, { get: value });
window.turnAside = now => {
  isHidden = now;
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
};
"""
"""An init script by which a test can hide a tab. In a headless browser all tabs are visible."""
HEAR = """
window.said = [];
window.written = [];
new MutationObserver(records => {
  for (const {target, addedNodes} of records)
    for (const node of addedNodes) {
      if (node.dataset?.update) said.push(...node.textContent.split('\\n'));
      if (target.id === 'log') written.push(node.textContent);
    }
}).observe(document, {childList: true, subtree: true});
"""
SAID_AS_WRITTEN = """() => {
  const bare = line => line.trim().replace(/[.]$/, '');
  const count = (lines, line) => lines.map(bare).filter(other => other === bare(line)).length;
  return written.filter(line => count(said, line) !== count(written, line));
}"""
"""A script that returns the lines of the log that were not announced as often as they came."""
LOG = "() => [...document.querySelectorAll('#log li')].map(line => line.textContent)"
MOVES = """() => document.querySelector('#table').dataset.mine === 'true' || !document.querySelector('#act')"""


def see(tabs: list[Page], seen: Page) -> None:
    """Bring one tab to the front. The earlier one is hidden first, as in browsers."""
    for tab in tabs:
        if tab is not seen:
            tab.evaluate("turnAside(true)")
    seen.evaluate("turnAside(false)")


def catch_up(tab: Page, context: BrowserContext, table: str) -> None:
    """Wait until a tab has all events: a tab just seen still shows its old view, with the button of that view."""
    seq = state(context, table)["seq"]
    until(tab, "seq => +document.querySelector('#table').dataset.seq === seq", seq)


def opened(context: BrowserContext, table: str) -> list[Page]:
    tabs: list[Page] = []
    for _ in range(TABS):
        tab = context.new_page()
        for other in tabs:
            other.evaluate("turnAside(true)")
        tab.goto(table)
        Scene(lambda: context).lay(tab)
        tab.evaluate("written = []")  # without the lines that the page came with
        tabs.append(tab)
    return tabs


def tap(page: Page) -> None:
    """Tap the button, after the first free die if a die must be chosen."""
    rolls = page.locator("#dice").get_attribute("data-rolls")
    if page.locator("#main[data-waiting]").count():
        page.locator("#dice .die:not([aria-disabled])").first.click()
    page.locator("#main:not([data-waiting])").click()
    until(page, "rolls => document.querySelector('#dice')?.dataset.rolls !== rolls", rolls)


def test_eight_tabs_of_a_table_all_play_on_and_each_line_is_told_once(visitor: Visitor) -> None:
    context, bob = visitor(), visitor()
    for script in (HIDEABLE, HEAR):
        context.add_init_script(script)
    table = open_table(context, people=2, rules={"format": "rounds 9"})
    sit(bob, table, "Bob")
    tabs = opened(context, table)
    for tab in tabs:
        see(tabs, tab)
        play(bob, table, 1)
        catch_up(tab, context, table)
        until(tab, MOVES)
        tap(tab)
        expect(tab.locator("#connection")).to_be_hidden()
    play(context, table, 0)
    play(bob, table, 1)
    seats = state(bob, table)["seats"]
    assert seats[0]["here"], "who looks at one of them is there"
    logs = []
    for tab in tabs:
        see(tabs, tab)
        catch_up(tab, context, table)
        tab.wait_for_timeout(700)  # until all waiting lines are announced
        assert tab.evaluate(SAID_AS_WRITTEN) == []
        assert "Connection" not in " ".join(tab.evaluate("said"))
        logs.append(tab.evaluate(LOG))
    assert all(log == logs[0] for log in logs)
    assert len(logs[0]) > TABS


def test_a_hidden_tab_keeps_your_turn_until_another_of_its_table_is_seen_and_says_nothing_then(
    visitor: Visitor,
) -> None:
    context, bob = visitor(), visitor()
    context.add_init_script(HIDEABLE)
    table = open_table(context, people=2, rules={"format": "rounds 9"})
    sit(bob, table, "Bob")
    first = context.new_page()
    first.goto(table)
    first.evaluate("turnAside(true)")
    play(context, table, 0)
    play(bob, table, 1)
    until(first, "document.title.startsWith('Your turn')")
    second = context.new_page()
    second.goto(table)
    until(second, "document.title.startsWith('Your turn')")
    until(first, "document.title === 'Midnight | Pubdice'")
    play(context, table, 0)
    second.wait_for_timeout(1_000)
    assert first.title() == "Midnight | Pubdice"
    see([first, second], first)
    until(first, "document.title.startsWith('Bob')")
    until(second, "document.title === 'Midnight | Pubdice'")
    assert state(bob, table)["seats"][0]["here"]


def test_a_language_chosen_in_another_tab_is_that_of_the_whole_page(visitor: Visitor) -> None:
    context, bob = visitor(), visitor()
    table = open_table(context, people=2)
    page = context.new_page()
    page.goto(table)
    assert context.request.post("/language", form={"language": "de"}).ok
    sit(bob, table, "Bob")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#heading")).to_contain_text("Du bist dran")


def state(context: BrowserContext, table: str) -> dict[str, Any]:
    view: dict[str, Any] = context.request.get(f"{table}/state").json()["view"]
    return view


def play(context: BrowserContext, table: str, seat: int) -> None:
    """If it is the seat's turn, play the turn to its end without a page."""
    while (view := state(context, table))["mover"] == seat:
        marks = [die["place"] for die in view["dice"] if die["status"] in ("free", "marked")][:1]
        asked = {"marks": marks} if marks else {}
        assert 200 in (ask(context, table, do=do, **asked) for do in ("roll", "bank"))
