"""With any number of players, buttons, dice and lines are whole on a phone's first screen."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.scene import FORMATS, Scene, Two, Visitor, speak
from support.browser import LOCALES, PHONE, RESTS_MS, SMALL, ask, open_table, sit
from support.profiles import NIGHTLY
from support.steady import box_of, measured, steady

USUAL = {"reduced_motion": "reduce", "viewport": PHONE, "keep": "phone"}
SIZES = (SMALL, PHONE, *(dict(zip(("width", "height"), size, strict=True)) for size in (
    (360, 640), (375, 553), (390, 664), (390, 844),
)))  # fmt: skip
"""Phones, with the height that the bars of browsers leave."""
BY_DAY = ({"width": 360, "height": 640}, SMALL)
NAMES = (
    "Benedikta", "Christoph", "Dorothea", "Elias", "Friederike", "Gül", "Hannah", "Ivo", "Jo", "Katharina", "Lea",
)  # fmt: skip
SMALLEST_TYPE = 13
"""The smallest named text size (--tiny), in px."""
ROUND = 90
"""The moves within which each of twelve players has had a turn."""
PARTS = """() => {
  const seen = node => node?.checkVisibility() && node.getBoundingClientRect().height > 1;
  const box = node => {
    const {left, top, right, bottom} = node.getBoundingClientRect();
    return {left, top, right, bottom};
  };
  const one = name => { const node = document.querySelector(name); return seen(node) ? box(node) : null; };
  const all = name => [...document.querySelectorAll(name)].filter(seen).map(box);
  return {
    press: all('#acts button:not([hidden]), #moves button'), told: all('#heading, #status, #away'),
    dice: all('#dice .die, #cup svg'), tiles: all('.tile'), seats: all('#seats li'), rail: one('#rail'),
    names: all('#seats .name'), width: innerWidth, height: innerHeight,
    cut: [...document.querySelectorAll('#seats :is(.score, .points)')].filter(seen)
      .filter(node => node.scrollWidth > node.clientWidth + 1 || box(node).right > box(node.closest('li')).right + 1)
      .map(node => node.textContent),
    type: Math.min(...[...document.querySelectorAll('#seats .score')]
      .map(node => parseFloat(getComputedStyle(node).fontSize))),
  };
}"""
"""A script that returns the boxes of a board's visible parts."""


class Many(Two):
    """A table of players with long and short names. Only the first to move has a page."""

    def __init__(self, visitor: Visitor, seats: int, tongue: str, **order: Any) -> None:
        self.hosts = [visitor(locale=tongue) for _ in range(seats)]
        self.table = open_table(self.hosts[0], people=seats, **order)
        for person, name in zip(self.hosts[1:], NAMES, strict=False):
            sit(person, self.table, name)
        if self.view()["ask"] == "draw":
            assert ask(self.hosts[0], self.table, do="draw", seat=0) == 200
        self.own = self.view()["mover"]
        scene = Scene(visitor)
        self.page = scene.lay(scene.at(self.table, self.hosts[self.own]))
        self.pages = [self.page]

    def own_turns(self, most: int) -> Iterator[dict[str, Any]]:
        """Play on, and yield the view at up to ``most`` decisions of the player with the page."""
        view = self.view()
        met = 0
        for _ in range(ROUND):
            if view["stage"] == "over" or met == most:
                return
            if view["mover"] == self.own:
                self.seen(view)
                yield view
                met += 1
            view = self.step(view)


def _faults(page: Page, seats: int) -> list[str]:
    """Return the faults of the first screen at the player's own turn."""
    at = measured(page, PARTS)
    floor = min(box["top"] for box in at["press"]) if at["press"] else 0
    tops = {round(box["top"]) for box in at["seats"]}
    asked = {
        "nothing to press": at["press"],
        "the button is below the screen": all(box["bottom"] <= at["height"] for box in at["press"]),
        "no dice": at["dice"],
        "dice are covered": all(box["bottom"] <= floor + 1 for box in at["dice"] + at["tiles"]),
        "what is told is covered": at["told"] and all(box["bottom"] <= floor + 1 for box in at["told"]),
        "the rail is covered": seats > 8 or not at["rail"] or at["rail"]["bottom"] <= floor + 1,
        "a seat is not there": len(at["seats"]) == len(at["names"]) == seats,
        "a seat is covered": all(box["bottom"] <= floor for box in at["seats"]),
        "wider than the screen": all(box["right"] <= at["width"] for box in at["seats"] + at["dice"] + at["press"]),
        f"a score is cut: {at['cut']}": not at["cut"],
        f"a score is {at['type']} px tall": at["type"] >= SMALLEST_TYPE,
        "each in a row": len(tops) == seats if seats < 5 else len(tops) <= 3,
    }
    return [name for name, good in asked.items() if not good]


CASES = [
    pytest.param(game, seats, tongue, marks=() if (game, seats, tongue) in by_day else pytest.mark.nightly)
    for by_day in [{(game, seats, "de-DE") for game in ("midnight", "shutbox") for seats in (5, 8)}]
    for game in FORMATS
    for seats in (*range(2, 9), 12)
    for tongue in LOCALES
]


@pytest.mark.parametrize(("game", "seats", "tongue"), CASES)
def test_dice_words_players_and_the_button_are_on_the_first_screen(
    game: str, seats: int, tongue: str, visitor: Visitor
) -> None:
    many = Many(visitor, seats, tongue, game=game, rules={"format": FORMATS[game]})
    moments = 0
    for view in many.own_turns(6 if NIGHTLY else 3):
        for size in SIZES if NIGHTLY else BY_DAY:
            many.page.set_viewport_size(size)  # type: ignore[arg-type]
            many.page.evaluate("scrollTo(0, 0)")
            assert _faults(many.page, seats) == [], (size, view["ask"])
        moments += 1
    assert moments


def test_who_is_away_is_told_in_whole_words_inside_their_tile(visitor: Visitor) -> None:
    many = Many(visitor, 8, "en-GB", game="midnight", rules={"format": "rounds 5"})
    page = many.page  # the other players have no page, so they are away
    for tongue in LOCALES:
        speak(page, tongue)
        away = page.locator("#seats .note").filter(has_text=re.compile(r"\d:\d\d"))  # with a vote's time
        expect(away).to_have_count(7)
        for size in (SMALL, {"width": 390, "height": 844}):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            steady(page)
            for note in away.all():
                seen, cut, met = note.evaluate(WORDS)
                assert (bool(seen), cut, met) == (True, [], []), (tongue, size)


WORDS = """note => {
  const tile = note.closest('li'), own = note.getBoundingClientRect(), edge = tile.getBoundingClientRect();
  const words = [...note.textContent.matchAll(/\\S+/g)].map(({0: word, index}) => {
    const range = document.createRange();
    range.setStart(note.firstChild, index);
    range.setEnd(note.firstChild, index + word.length);
    return [word, range.getBoundingClientRect()];
  });
  const seen = words.filter(([, {top, height}]) => top + height / 2 < own.bottom);
  const cut = seen.filter(([, {left, right}]) => left < Math.max(own.left, edge.left) - 1
    || right > Math.min(own.right, edge.right) + 1);
  const beside = [...tile.querySelectorAll('.shape, .name')].map(node => node.getBoundingClientRect());
  const met = beside.filter(({left, top, right, bottom}) => own.left < right - 1 && left < own.right - 1
    && own.top < bottom - 2 && top < own.bottom - 2);
  return [seen.map(([word]) => word), cut.map(([word]) => word), met];
}"""
"""A script that returns the visible words of a note, the words cut off, and the boxes that the note overlaps."""


PAD = [
    pytest.param(game, seats, tongue, marks=() if (game, seats, tongue) in by_day else pytest.mark.nightly)
    for by_day in [{("midnight", 4, "de-DE"), ("midnight", 8, "de-DE"), ("shutbox", 2, "de-DE"), ("420", 2, "de-DE")}]
    for game in FORMATS
    for seats in (2, 3, 4, 5, 8)
    for tongue in LOCALES
]


@pytest.mark.parametrize(("game", "seats", "tongue"), PAD)
def test_the_pad_its_dice_and_confirm_are_on_one_screen(game: str, seats: int, tongue: str, visitor: Visitor) -> None:
    many = Many(visitor, seats, tongue, game=game, dice="real", rules={"format": FORMATS[game]})
    page, asked = many.page, 0
    view = many.view()
    for _ in range(8):
        many.seen(view)
        if view["ask"] == "enter" and view["mover"] == many.own:
            faces = page.locator("#pad .faces button")
            expect(page.locator("#pad .entered li")).to_have_count(view["due"])
            for at in range(view["due"]):
                for size in (PHONE, SMALL):
                    page.set_viewport_size(size)
                    page.evaluate("scrollTo(0, 0)")
                    assert _on_one_screen(page) == [], (size, at)
                faces.nth(at % 6).evaluate("button => button.click()")
            expect(page.locator("#main")).not_to_have_attribute("data-waiting", "")
            assert _on_one_screen(page) == [], page.locator("#told").inner_text()
            asked += 1
            assert ask(many.hosts[many.own], many.table, do="enter", dice="654321"[: view["due"]]) == 200
        elif view["ask"] == "enter":
            return
        else:
            many.step(view)
        view = many.view()
    assert asked


def _on_one_screen(page: Page) -> list[str]:
    """Return the parts of the pad that are not wholly visible, are covered, or cover others."""
    names = ["#heading", ".entered li:last-child", "#pad .row", ".faces", "#acts #main"]
    found: list[str] = measured(page, ON_ONE_SCREEN, names)
    return found


ON_ONE_SCREEN = """names => {
  const boxes = names.map(name => [name, document.querySelector(name).getBoundingClientRect()]);
  const off = boxes.filter(([, {top, bottom, height}]) => top < -1 || bottom > innerHeight + 1 || !height);
  const over = boxes.flatMap(([name, a], at) => boxes.slice(at + 1).filter(([, b]) => a.left < b.right - 1
    && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1).map(([other]) => `${other} over ${name}`));
  const small = [...document.querySelectorAll('.faces button')].map(node => node.getBoundingClientRect())
    .filter(({width, height}) => width < 44 || height < 44);
  const dice = [...document.querySelectorAll('.entered li')].map(node => node.getBoundingClientRect());
  const faces = document.querySelector('.faces').getBoundingClientRect();
  const aside = Math.abs(dice[0].left + dice.at(-1).right - faces.left - faces.right) / 2;
  if (dice.length > 2 && aside > 1) off.push([`dice ${aside} px off the middle`]); // beside two stand the words
  return [...off.map(([name]) => name), ...over, ...small.map(({width, height}) => `a face of ${width} by ${height}`)];
}"""


FLASHES = """() => [...document.querySelectorAll('a, button, summary, label, input, li, p')]
  .filter(node => getComputedStyle(node).webkitTapHighlightColor !== 'rgba(0, 0, 0, 0)').map(node => node.outerHTML)"""
LOOK = "node => [getComputedStyle(node)].map(({opacity, translate}) => opacity + translate)"


def test_a_tap_is_answered_by_what_was_tapped_and_by_no_flash(visitor: Visitor) -> None:
    many = Many(visitor, 2, "en-GB", game="midnight", dice="real", rules={"format": "rounds 5"})
    page = many.page
    tapped = [page.locator(one).first for one in ("#pad .faces button", "#menu > summary")]
    assert page.evaluate(FLASHES) == []
    for control in tapped:
        before = control.evaluate(LOOK)
        control.hover()
        page.mouse.down()
        assert control.evaluate(LOOK) != before
        page.mouse.up()
    page.goto("/")
    assert page.evaluate(FLASHES) == []
    gold = page.locator(".main:visible").first
    before = gold.evaluate(LOOK)
    gold.hover()
    page.mouse.down()
    assert gold.evaluate(LOOK) != before, "it goes down"


def test_who_waits_has_whole_reactions_and_no_empty_plate_at_the_foot(visitor: Visitor) -> None:
    many = Many(visitor, 2, "en-GB", game="midnight", rules={"format": "rounds 5"})
    page = many.page
    page.set_viewport_size(SMALL)
    page.locator("#main").click()  # so it has the focus when the turn ends
    view = many.view()
    while view["mover"] == many.own:
        view = many.step(view)
    view = many.step(view)  # with the next roll the last choice can't come back, and its button makes room
    many.seen(view)
    page.wait_for_timeout(RESTS_MS)
    for tongue in LOCALES if NIGHTLY else ("en-GB", "de-DE"):
        if tongue != "en-GB":
            speak(page, tongue)
        foot, chips, cut = measured(page, WAITING)
        assert foot == "none", "a plate of its own"
        assert chips >= 1
        assert cut == [], tongue
        page.locator("#calls").evaluate("row => row.scrollTo(0, 1e4)")
        assert measured(page, WAITING)[2] == [], "nor are those that one scrolls to"
    watcher = Scene(visitor).at(many.table)
    watcher.set_viewport_size(SMALL)
    expect(watcher.locator("#acts")).to_be_hidden()
    expect(watcher.locator("#calls")).to_have_count(0)


WAITING = """() => {
  const row = document.querySelector('#calls').getBoundingClientRect();
  const chips = [...document.querySelectorAll('#calls .chip:not([hidden])')]
    .map(node => [node.textContent, node.getBoundingClientRect()])
    .filter(([, {top, bottom}]) => bottom > row.top + 1 && top < row.bottom - 1);
  const cut = chips.filter(([, {left, top, right, bottom}]) =>
    left < row.left - 1 || right > row.right + 1 || top < row.top - 1 || bottom > row.bottom + 1);
  return [getComputedStyle(document.querySelector('#acts')).backgroundImage, chips.length, cut.map(([said]) => said)];
}"""
"""A script that returns the background at the button's place, the number of visible reactions, and the texts of those
cut off.
"""


def test_typing_moves_is_there_for_those_who_come_to_it_by_keys_and_below_no_phones_table(visitor: Visitor) -> None:
    many = Many(visitor, 2, "en-GB", game="midnight", rules={"format": "rounds 5"})
    page = many.page
    line = page.get_by_role("textbox", name="Type your move")
    expect(line).to_have_count(1)  # it exists for screen readers
    assert measured(page, "document.documentElement.scrollHeight") <= PHONE["height"] + 2
    assert measured(page.locator("#typing"), "node => node.getBoundingClientRect().height") <= 1
    line.focus()
    box = box_of(line)
    assert box["height"] >= 44
    assert re.search(r"Send", page.locator("#typing").inner_text())
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Send")).to_be_focused()
    expect(page.get_by_role("button", name="Send")).to_be_in_viewport()
