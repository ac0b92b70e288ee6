"""Checks that a page is usable in each of its looks: when narrow, tapped, stepped through with Tab, and by axe."""

from importlib.resources import files
from typing import Any

from playwright.sync_api import BrowserContext, Page

from support.browser import DESKTOP, SMALL
from support.steady import measured, steady

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async rules => (await axe.run(document, {runOnly: rules, resultTypes: ['violations']})).violations.map(
  ({id, help, nodes}) => [id, help, ...nodes.map(({html, any}) => html + any.map(({message}) => message))].join(': '))
"""
ZOOMED = {"width": 320, "height": 225}
"""1280 by 900 at 400 %."""
UNFOLD = "document.querySelectorAll('details').forEach(details => (details.open = true))"
WIDER = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width && document.body.scrollWidth <= width) return [];
  return [...document.querySelectorAll('body *')].filter(node => node.getBoundingClientRect().right > width + 0.5)
    .map(node => node.outerHTML.slice(0, 120));
}"""
TARGETS = """() => {
  const isSeen = one => one.checkVisibility({visibilityProperty: true});
  const isClipped = one => !!one && (getComputedStyle(one).clipPath === 'inset(50%)' || isClipped(one.parentElement));
  const small = node => {
    const boxes = [node, ...(node.labels ?? [])].filter(isSeen).map(one => one.getBoundingClientRect());
    const inline = node.matches('p a:not(.button), li a') && getComputedStyle(node).display === 'inline';
    const width = Math.max(...boxes.map(box => box.width)), height = Math.max(...boxes.map(box => box.height));
    const primary = node.matches('.main, .die, #acts button, button, .button, select, input, summary');
    const least = inline ? 0 : primary ? 44 : 24;
    return width + 0.5 < least || height + 0.5 < least ? [`${node.outerHTML.slice(0, 100)} ${width} x ${height}`] : [];
  };
  const all = [...document.querySelectorAll('a[href], button, input, select, summary')].filter(node =>
    isSeen(node) && node.type !== 'hidden' && !node.matches('.skip:not(:focus)'));
  const unseen = all.filter(isClipped);
  const found = all.filter(node => !unseen.includes(node)).flatMap(small);
  const had = document.activeElement;
  for (const node of unseen) {
    node.focus({preventScroll: true});
    found.push(...small(node));
    node.blur();
  }
  if (unseen.length) had?.focus({preventScroll: true});
  return found;
}"""
"""A script that returns the controls too small for a finger. A control hidden until it has the focus is measured with
it.
"""
FOCUS = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return null;
  const shown = getComputedStyle(node).opacity === '0' && node.labels?.length ? node.labels[0] : node;
  const {left, top, width, height} = shown.getBoundingClientRect();
  const seen = (x, y) => {
    const on = document.elementFromPoint(left + width * x, top + height * y);
    return !!on && (shown.contains(on) || [...(node.labels ?? [])].some(label => label.contains(on)));
  };
  const free = [0.5, 0.1, 0.9].filter(y => [0.5, 0.1, 0.9].some(x => seen(x, y))).length;
  const style = getComputedStyle(shown);
  const marked = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
  return {name: node.outerHTML.slice(0, 100), free, marked, tall: height > innerHeight};
}"""
NOTE_FOCUS = f"""() => {{
  const focus = {FOCUS};
  window.pubdiceFocused = [];
  window.onkeyup = ({{key}}) => key === 'Tab' && pubdiceFocused.push(focus());
}}"""
BLUR = "document.activeElement.blur(), scrollTo(0, 0)"
RESTED = "() => !document.querySelector('[data-rests]')"
"""A script: true if taps count again. They are ignored for a moment after a change."""
AT_ONCE = 8
"""The presses of Tab for one question where they led, as a question costs as much as a press."""
LOOKS: dict[str, dict[str, Any]] = {
    "light, desktop, English": {"color_scheme": "light", "size": DESKTOP, "language": "en"},
    "dark, phone, German": {"color_scheme": "dark", "size": SMALL, "language": "de"},
    "dark, desktop, English": {"color_scheme": "dark", "size": DESKTOP, "language": "en"},
    "light, phone, German": {"color_scheme": "light", "size": SMALL, "language": "de"},
}


def violations(page: Page) -> list[str]:
    """Return the faults that axe finds. The page's content security policy does not apply to an evaluated script.

    The window is made as high as the page, because axe calls an element too small if a bar covers it, even if a player
    could scroll it into sight.
    """
    page.evaluate(UNFOLD)
    size = page.viewport_size
    assert size is not None, "every context has a size"
    high = int(measured(page, "document.documentElement.scrollHeight"))
    page.set_viewport_size({"width": size["width"], "height": high})
    steady(page)
    page.evaluate(AXE)
    found: list[str] = page.evaluate(RUN, RULES)
    return found


def look(page: Page, context: BrowserContext, *, color_scheme: Any, size: Any, language: str) -> None:
    """Turn the page into another look of the same state."""
    page.emulate_media(color_scheme=color_scheme, reduced_motion="reduce")
    page.set_viewport_size(size)
    if page.locator("html").get_attribute("lang") != language:
        context.add_cookies([{"name": "language", "value": language, "url": page.url}])
        page.reload()


def covered(page: Page, most: int = 160) -> list[str]:
    """Go through the page with Tab. Return the elements that are not in sight with the focus, or show no mark of it."""
    page.wait_for_function(RESTED)  # before, elements take no taps
    steady(page)
    page.evaluate(BLUR)
    page.evaluate(NOTE_FOCUS)
    stops = list[Any]()
    while len(stops) < most:
        for _ in range(AT_ONCE):
            page.keyboard.press("Tab")
        stops += page.evaluate("pubdiceFocused.splice(0)")
        names = [at and at["name"] for at in stops]
        if None in names or names[0] in names[1:]:
            break
    page.evaluate(BLUR)
    round_trip = next((n for n, name in enumerate(names) if name is None or (n and name == names[0])), most)
    return [str(at) for at in stops[:round_trip] if not at["free"] or not at["marked"]]


def unusable(page: Page, *sizes: Any) -> list[str]:
    """Return the elements too wide at these sizes, and those too small or out of sight on the smallest phone, with all
    unfolded.
    """
    found: list[str] = []
    for size in sizes:
        page.set_viewport_size(size)
        found += measured(page, WIDER)
    page.set_viewport_size(SMALL)
    page.evaluate(UNFOLD)
    return [*found, *measured(page, WIDER), *measured(page, TARGETS), *covered(page)]
