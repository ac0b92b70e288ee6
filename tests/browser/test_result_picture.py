"""The picture of a finished match as a browser draws it: every text within its frame, over no other, with any names.

In the widest font that is common, and in the browser's own.
"""

from dataclasses import replace
from itertools import combinations

import pytest
from playwright.sync_api import Page

from browser.scene import Visitor
from pubdice.server.finished_match import FinishedMatch, with_turning_point
from pubdice.server.result_picture import FRAME, tall_picture, wide_picture
from pubdice.text.language import Language
from server.samples.advice import finished, receipt

BOXES = """nodes => nodes.map(node => {
  const { x, y, width, height } = node.getBBox();
  return [x, y, x + width, y + height, node.textContent];
})"""
WIDE = "M" * 24
NAMES = (
    WIDE,
    "Wolfgang Amadeus Mozart",
    "نور الهدى عبدالرحمن",
    "O'Brien & Söhne",
    '<b>&amp;"</b>',
    "ßen",
    "Щ" * 24,
    "Zoë",
)


def match(seats: int, *, chart: bool) -> FinishedMatch:
    """A match of so many with long names, and as much to tell as there can be."""
    names = NAMES[:seats]
    rows = tuple((name, "1,234" if at else "double 5") for at, name in enumerate(names)) if seats > 2 else ()
    found = replace(
        finished(), title="Ship, Captain and Crew · 28 Sept.", lead=f"{names[0]} beats {names[-1]}", rows=rows,
        score="" if rows else "10 : 8", hand=(6, 6, 5, 4, 3), hand_told=f"{names[0]} owes {', '.join(names[1:])} one",
        question=f"Would you shut {WIDE}, 8, 7 and 2?", shown=f"{WIDE.lower()}.example:4224/t/KINHUK", chart=None,
        turned=("", ""), change="",
    )  # fmt: skip
    turn = receipt(min(seats, 6)).turning
    return with_turning_point(found, replace(turn, names=names), Language()) if chart else found


@pytest.fixture(scope="module")
def page(standing: Visitor) -> Page:
    """A page of a browser, for all pictures."""
    return standing().new_page()


@pytest.mark.parametrize("font", ["", "DejaVu Serif"])
@pytest.mark.parametrize("chart", [True, False], ids=["with a chart", "without"])
@pytest.mark.parametrize("seats", [1, 2, 4, 6, 8])
def test_every_text_stands_in_the_frame_and_over_no_other(page: Page, seats: int, font: str, *, chart: bool) -> None:
    if chart and seats > 6:
        seats = 5
    for svg in (tall_picture(match(seats, chart=chart))[0], wide_picture(match(seats, chart=chart))):
        page.set_content(f"<style>{f'text {{ font-family: {font} !important }}' if font else ''}</style>{svg}")
        wide, high = page.locator("svg").first.evaluate(
            "node => [node.viewBox.baseVal.width, node.viewBox.baseVal.height]"
        )
        boxes = page.locator("text").evaluate_all(BOXES)
        assert len(boxes) > 3
        out = [box for box in boxes if min(box[:2]) < FRAME or box[2] > wide - FRAME or box[3] > high - FRAME]
        assert not out
        plain = [box for box in boxes if box[4] not in NAMES[:seats]]  # names at lines may touch where lines do
        for one, other in combinations(plain, 2):
            apart = one[2] <= other[0] or other[2] <= one[0]
            lower, upper = max(one[1], other[1]), min(one[3], other[3])
            assert apart or upper - lower < 0.35 * min(one[3] - one[1], other[3] - other[1]), (one, other)
