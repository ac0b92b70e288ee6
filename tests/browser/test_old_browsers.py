"""The oldest supported browsers (docs/play/browsers.md): a match can be played without the features that they lack."""

import re

from playwright.sync_api import Route, expect

from browser.scene import Visitor
from browser.test_touch import play
from support.browser import PHONE, open_table, page_of, until

LACKS = """
for (const [owner, names] of [
  [Element.prototype, ['checkVisibility']],
  [HTMLElement.prototype, ['showPopover', 'hidePopover', 'togglePopover']],
  [AbortSignal, ['any']],
  [Array, ['fromAsync']],
  [ArrayBuffer.prototype, ['transfer']],
  [Document.prototype, ['startViewTransition', 'caretPositionFromPoint']],
  [Element.prototype, ['setHTMLUnsafe', 'getHTML']],
  [Iterator.prototype, ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every',
    'find']],
  [Map, ['groupBy']],
  [Object, ['groupBy']],
  [Promise, ['withResolvers', 'try']],
  [RegExp, ['escape']],
  [Set.prototype, ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf',
    'isDisjointFrom']],
  [URL, ['canParse', 'parse']],
  [Uint8Array.prototype, ['toHex', 'toBase64']],
  [window, ['requestIdleCallback', 'scheduler', 'navigation']],
])
  for (const name of names) delete owner[name];
const { FormData: Whole } = window;
window.FormData = class extends Whole {
  constructor(form) {
    super(form);
  }
};
"""
"""An init script that removes what Safari 16 lacks. FormData takes a button since 16.4. The other features came later.
"""
REFUSED = """
for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get: () => { throw new DOMException('refused', 'SecurityError'); } });
window.BroadcastChannel = class {
  constructor() {
    throw new DOMException('refused', 'SecurityError');
  }
};
"""
"""An init script: a browser set to store nothing. Firefox then also refuses BroadcastChannel."""
UNREAD = re.compile(r'content:"[^"]*"/"";?')
"""A style declaration that Safari before 17.4 can't read, and drops as a whole."""
MARK = """() => getComputedStyle(document.querySelector('#dice [data-status=marked] .word'), '::before').content"""


def without(route: Route) -> None:
    answer = route.fetch()
    known, unread = UNREAD.subn("", answer.text())
    assert unread or "table.css" not in route.request.url
    route.fulfill(response=answer, body=known)


def test_a_match_is_played_from_the_front_page_by_taps_without_what_the_oldest_browsers_lack(visitor: Visitor) -> None:
    context = visitor(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    for script in (LACKS, REFUSED):
        context.add_init_script(script)
    context.route(re.compile(r"\.css$"), without)
    page, faults = page_of(context), list[str]()
    page.on("pageerror", lambda fault: faults.append(f"{fault}"))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto("/")
    page.locator(".game label", has_text="Ship").tap()
    page.goto(open_table(context, bots=["tip"]))
    expect(page.locator("html")).to_have_class(re.compile("js"))
    page.locator("#main").tap()
    page.locator("#dice .die:visible").first.tap()
    expect(page.locator("#dice [data-status=marked]")).to_have_count(1)
    assert page.evaluate(MARK) == '"✓ "'
    page.locator("#dice .die:visible").first.tap()
    expect(page.locator("#main[data-waiting]")).to_be_visible()
    assert re.search("win|tie", play(page, "midnight"))
    page.locator("#main").tap()
    until(page, "() => document.querySelector('#table').dataset.stage === 'playing'")
    assert faults == []
