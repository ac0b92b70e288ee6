"""Reads the page at the scripted house: its announcements, and its kept dice."""

from collections.abc import Callable

from playwright.sync_api import Page

from browser.scripted_house import Line

WITHIN_MS, TICK_MS = 60_000, 20
Open = Callable[..., tuple[Page, Line]]
PACE = """<form id="pacing" method="post" action="/t/ABCDEF"><input type="hidden" name="do" value="pace">
<input type="hidden" name="key" value="12345678"><select name="ms"><option value="400">brisk</select>
<button>Set</button></form>"""


def heard(page: Page, *lines: str, urgent: bool = False) -> None:
    """Wait until exactly these lines were announced so far, in this order."""
    for _ in range(WITHIN_MS // TICK_MS):
        if _lines(page.evaluate(EVER, _region(urgent))) == list(lines):
            return
        page.wait_for_timeout(TICK_MS)
    found = _lines(page.evaluate(EVER, _region(urgent)))
    assert found == list(lines), f"heard {found}"


HEAR = """
window.everSaid = {polite: [], assertive: []};
new MutationObserver(records => {
  for (const {target, addedNodes} of records)
    for (const node of addedNodes)
      if (node.dataset?.update) everSaid[target.closest('#polite, #assertive').id].push(node.textContent);
}).observe(document, {childList: true, subtree: true});
"""
"""An init script that keeps all announcements, as a slow test may read them late."""
EVER = "region => everSaid[region]"


UPDATES = """region => [...document.querySelectorAll(`#${region} p`)]
  .sort((one, other) => one.dataset.update - other.dataset.update).map(node => node.textContent)"""


def said(page: Page, *, urgent: bool = False) -> list[str]:
    """Return the lines now in a live region. An update is one node, with line ends between its lines."""
    return _lines(page.evaluate(UPDATES, _region(urgent)))


def _region(urgent: bool) -> str:
    return "assertive" if urgent else "polite"


def _lines(nodes: list[str]) -> list[str]:
    return [line.rstrip("\u00a0") for text in nodes for line in text.split("\n")]


DRESS = "Promise.all(['awake', 'share', 'pad', 'hints'].map(name => import(`/static/${name}.js`))).then(() => 0)"
"""A script that waits for the modules that a page loads last. It draws once more with them, before a test should go on.
"""


def dressed(page: Page) -> None:
    """Wait until the page has all its modules, after which it draws its last view once more."""
    page.evaluate(DRESS)


def pressed(page: Page) -> list[str]:
    """Return the places of the dice shown as kept."""
    return [die.get_attribute("data-place") or "" for die in page.locator("#dice .die[aria-pressed=true]").all()]
