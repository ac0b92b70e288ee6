"""Measures of a page: its edges, overlaps, sizes and pictures. Each waits until the page is steady.

A page is steady if its fonts are there, no animation or transition with an end is running, and two looks at all boxes,
two frames apart, are alike. An animation without an end, such as the dice of a house that is waited for, may go on.
"""

from time import monotonic
from typing import Any

from playwright.sync_api import Error, FloatRect, Frame, Locator, Page

WITHIN_S = 60
FRAMES_MS = 34
"""Two frames at 60 Hz."""
MOVING = "another page is coming"
LOOK = """() => {
  const runs = document.getAnimations().filter(one => one.playState === 'running');
  const ends = runs.filter(one => one.effect.getComputedTiming().endTime !== Infinity);
  if (document.fonts.status !== 'loaded') return ['fonts are loading', ''];
  if (ends.length) return [ends.map(one => one.effect.target?.outerHTML.slice(0, 100)).join(', '), ''];
  const endless = runs.map(one => one.effect.target);
  const boxes = [...document.querySelectorAll('body, body *')].filter(node => !endless.some(one => one?.contains(node)))
    .map(node => node.getBoundingClientRect()).map(({x, y, width, height}) => [x, y, width, height].map(Math.round));
  return ['', JSON.stringify([boxes, scrollX, scrollY])];
}"""


def _look(page: Page | Frame) -> list[str]:
    """Return what moves, and all boxes."""
    try:
        found: list[str] = page.evaluate(LOOK)
    except Error as error:
        if "context was destroyed" not in error.message:
            raise
        return [MOVING, ""]
    return found


def steady(page: Page | Frame) -> None:
    """Wait until a page is steady. Fails after a minute, and says what still moves."""
    by, before = monotonic() + WITHIN_S, ""
    while True:
        moves, boxes = _look(page)
        if boxes and boxes == before:
            return
        assert monotonic() < by, f"the page is not steady: {moves or 'its boxes change'}"
        before = boxes
        page.wait_for_timeout(FRAMES_MS)


def _page_of(part: Page | Frame | Locator) -> Page | Frame:
    return part.page if isinstance(part, Locator) else part


def measured(part: Page | Frame | Locator, script: str, argument: Any = None) -> Any:
    """Return what a script measures in a steady page, or at an element of it."""
    steady(_page_of(part))
    return part.evaluate(script, argument)


def measured_all(parts: Locator, script: str) -> Any:
    """Return what a script measures at all elements of a locator, in a steady page."""
    steady(parts.page)
    return parts.evaluate_all(script)


def box_of(part: Locator) -> FloatRect:
    """Return the box of a visible element of a steady page."""
    part.wait_for()
    steady(part.page)
    box = part.bounding_box()
    assert box is not None
    return box
