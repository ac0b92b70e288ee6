"""What a browser works out for a move that somebody else makes: counted by its trace, not timed."""

import json
from pathlib import Path
from typing import Any

from browser.looks import RESTED
from browser.scene import Visitor
from browser.two_phones import Two
from support.browser import PHONE, RESTS_MS

USUAL: dict[str, Any] = {"viewport": PHONE, "reduced_motion": "reduce"}
MOVES = 8
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline.stack"]
VIEWS_BESIDE = 3
"""Views that come without a move, such as of a stream that begins again. Each drawing asks once where the focus is."""
MOST_STYLES = 120
"""Elements whose style is worked out for a move, in the mean: 55 to 80 of some 250, by what fell. It was 390."""
SAID = 4
"""Lines that are said while nothing moves."""
MOST_STYLES_SAID = 2
"""Elements whose style is worked out for a line that is said: its own. It was 17."""


def test_a_move_is_drawn_in_one_go(visitor: Visitor, tmp_path: Path) -> None:
    """Styles are worked out once before the frame that shows it, and for what has changed.

    A line of a script that asks where something is, in the middle of drawing, has them worked out once more; a property
    that is inherited, or a `:has()` above an element's name, has them worked out for everything below.
    """
    two = Two(visitor, "midnight", rules="rounds 20")
    page = two.pages[0]
    two.seen(two.step())
    page.wait_for_function(RESTED)
    browser = page.context.browser
    assert browser
    browser.start_tracing(page=page, path=tmp_path / "trace.json", categories=TRACED)
    try:
        for _ in range(MOVES):
            two.seen(two.step())
            page.wait_for_function(RESTED)
    finally:
        browser.stop_tracing()
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    worked_out = [one["args"] for one in events if one["name"] == "UpdateLayoutTree"]
    asked = [one["beginData"]["stackTrace"][0] for one in worked_out if one["beginData"].get("stackTrace")]
    drawn = MOVES * len(two.pages)
    assert len({one["pid"] for one in events if one["name"] == "UpdateLayoutTree"}) == len(two.pages), "both are traced"
    assert len(asked) <= drawn + VIEWS_BESIDE, asked
    assert 0 < sum(one.get("elementCount", 0) for one in worked_out) / drawn <= MOST_STYLES


def test_one_s_own_tap_is_drawn_in_one_go_with_dice_in_flight(visitor: Visitor, tmp_path: Path) -> None:
    """All boxes are read before the first line is written, but for where dice fly that are won, which follows from it:
    the browser works those out once for all of them.
    """
    two = Two(lambda **more: visitor(reduced_motion="no-preference", **more), "midnight", rules="rounds 20")
    page = two.pages[0]
    before = two.view()["rolls"]
    browser = page.context.browser
    assert browser
    browser.start_tracing(page=page, path=tmp_path / "trace.json", categories=TRACED)
    try:
        for _ in range(2 * MOVES):
            view = two.until(0)
            two.seen(view)
            page.wait_for_function(RESTED)
            for die in [die for die in view["dice"] if die["marks"]][:1]:
                page.locator(f"#dice [data-place='{die['place']}']").click()
            page.locator("#main:not([aria-disabled])").click()
            while [(now := two.view())[name] for name in ("rolls", "mover")] == [view["rolls"], view["mover"]]:
                page.wait_for_timeout(20)  # marks are events, too
            two.seen(now)
    finally:
        browser.stop_tracing()
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    stacks = [one["args"]["beginData"].get("stackTrace", []) for one in events if one["name"] == "Layout"]
    asked = [[at["functionName"] for at in stack] for stack in stacks if any("/static/" in at["url"] for at in stack)]
    drawn = len(two.pages) * (two.view()["rolls"] - before)
    # a press ends what flies, first of all: boxes are up to date then, and nothing is written yet
    others = [stack for stack in asked if "win" not in stack and stack != ["finish"]]
    assert len(others) <= VIEWS_BESIDE, others
    assert 0 < sum("win" in stack for stack in asked) <= drawn


def test_what_is_said_changes_no_style_but_its_own(visitor: Visitor, tmp_path: Path) -> None:
    """A `:has()` at the page, the table or the board has its rules looked at again with every text that comes."""
    two = Two(visitor, "midnight", rules="rounds 20")
    page = two.pages[0]
    two.until(0)
    page.wait_for_function(RESTED)
    browser = page.context.browser
    assert browser
    page.locator("#main").focus()
    page.keyboard.press("w")
    page.wait_for_timeout(RESTS_MS)
    browser.start_tracing(page=page, path=tmp_path / "trace.json", categories=TRACED)
    try:
        for _ in range(SAID):
            before = page.locator("#polite p").count()
            page.keyboard.press("w")
            page.wait_for_function(f"() => document.querySelectorAll('#polite p').length > {before}")
            page.wait_for_timeout(RESTS_MS)
    finally:
        browser.stop_tracing()
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    styles = [one["args"].get("elementCount", 0) for one in events if one["name"] == "UpdateLayoutTree"]
    assert SAID <= sum(styles) <= SAID * MOST_STYLES_SAID, styles
