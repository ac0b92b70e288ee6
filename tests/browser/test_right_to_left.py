"""A match in Hebrew: the page runs from right to left, dice from left to right, and keys keep their place."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.page_players import ready
from browser.scene import Visitor
from support.browser import SMALL, open_table, page_of, until
from support.steady import box_of, measured, measured_all

USUAL = {"reduced_motion": "reduce", "locale": "he-IL", "viewport": SMALL}
NAME = "\u05d3\u05e0\u05d4"
ROLL, SCORES, WHOSE = ("\u05e8", "KeyR"), ("\u05d3", "KeyS"), ("'", "KeyW")
"""Keys of a keyboard as it is sold in Israel: the sign that it types, and its place."""
CUT = """() => {
  const width = document.documentElement.clientWidth;
  const isCut = node => {
    const {left, right} = node.getBoundingClientRect();
    if (left < -0.5 || right > width + 0.5) return true;
    return node.matches('button:not(.die), h1') && node.scrollWidth > node.clientWidth + 1;
  };
  return [...document.querySelectorAll('main *, header *')]
    .filter(node => node.checkVisibility({visibilityProperty: true}) && !node.closest('.unseen, #log, #typing'))
    .filter(isCut).map(node => node.outerHTML.slice(0, 120));
}"""
DIGITS = """line => {
  const text = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode(), range = document.createRange();
  return [...text.data].flatMap((char, at) => {
    if (!/[0-9]/.test(char)) return [];
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return [[range.getBoundingClientRect().left, +char]];
  }).sort(([one], [other]) => one - other).map(([, digit]) => digit);
}"""
"""A script that returns the digits of a line in the order in which they stand on the screen."""
ASKED = """() => {
  const {stage, mine} = document.querySelector('#table').dataset;
  const isReady = !!document.querySelector('#main') && !document.querySelector('[data-rests]');
  return stage === 'over' || (mine === 'true' && isReady);
}"""
"""A script that returns true if the page waits for the player, or the match is over."""
LEFT = "nodes => nodes.map(node => node.getBoundingClientRect().left)"
ROWS = "rows => rows.map(row => ['.name', '.said'].map(part => row.querySelector(part).textContent))"
FACES = "[...document.querySelectorAll('#dice li:not([hidden]) .die')].map(die => +die.dataset.face)"
Press = Callable[[tuple[str, str]], None]


def _keyboard(page: Page) -> Press:
    """Return a function that presses a key by its sign and its place, as a keyboard of any language does."""
    device = page.context.new_cdp_session(page)

    def press(key: tuple[str, str]) -> None:
        sign, place = key
        for kind in ("keyDown", "keyUp"):
            device.send("Input.dispatchKeyEvent", {"type": kind, "key": sign, "code": place})

    return press


def _rolled(page: Page) -> list[int]:
    until(page, "document.querySelectorAll('#dice .die[data-status=free]').length > 0")
    return [int(face) for face in page.evaluate(FACES)]


def _play(page: Page, press: Press) -> None:
    """Keep the first free die after each roll, by keys alone, until the match is over."""
    for _ in range(20):
        until(page, ASKED)
        for name, said in page.locator("#seats [data-seat]").evaluate_all(ROWS):
            assert said.count(name) == 1, said
        if page.locator("#table").get_attribute("data-stage") == "over":
            return
        free = page.locator("#dice .die[data-status=free]:visible")
        keys = [ROLL]
        if free.count():
            place = int(free.first.get_attribute("data-place") or 0)
            keys.insert(0, (str(place + 1), f"Digit{place + 1}"))
        for key in keys:  # a mark is an event of its own: while it is on its way, the roll's event has not come
            before = page.locator("#table").get_attribute("data-seq")
            press(key)
            until(page, "before => document.querySelector('#table').dataset.seq !== before", before)
    raise AssertionError("the match goes on")


def test_a_match_in_hebrew_is_played_by_the_keys_of_its_keyboard(visitor: Visitor) -> None:
    context = visitor()
    page = page_of(context, open_table(context, NAME, bots=["tip"]))
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    ready(page)
    press = _keyboard(page)
    page.locator("#heading").focus()
    press(ROLL)
    faces = _rolled(page)
    boxes = measured_all(page.locator("#dice .die"), LEFT)
    assert boxes[:3] == sorted(boxes[:3]), "place 1 is the die furthest left"
    assert measured(page.locator("#log li").last, DIGITS) == faces
    for key, said in ((SCORES, "עוד אין נקודות"), (WHOSE, "התור שלך")):
        press(key)
        expect(page.locator("#polite")).to_contain_text(said)
    assert measured(page, CUT) == []
    lack, score = measured_all(page.locator("#rail").locator(".label, .of"), LEFT)
    assert lack < score, "what is lacking stands over the first places of the tray"
    _play(page, press)
    assert measured(page, CUT) == []
    won = measured_all(page.locator("#won [data-face]"), LEFT)
    assert won == sorted(won), "dice are seen in the order in which they are heard"


def test_a_name_of_other_letters_stands_beside_its_shape(visitor: Visitor) -> None:
    context = visitor()
    for name in ("Ann", NAME):
        row = page_of(context, open_table(context, name, people=2)).locator("#seats [data-seat='0']")
        box, shape = box_of(row.locator(".name")), box_of(row.locator(".shape"))
        assert box
        assert shape
        assert 0 <= shape["x"] - (box["x"] + box["width"]) < 24, name


@pytest.mark.parametrize("path", ["/", "/help", "/rules/midnight", "/language"])
def test_no_page_in_hebrew_is_cut_on_a_small_phone(path: str, visitor: Visitor) -> None:
    page = page_of(visitor(), path)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.evaluate("document.querySelectorAll('details').forEach(details => (details.open = true))")
    assert measured(page, CUT) == []
