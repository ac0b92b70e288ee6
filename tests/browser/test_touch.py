"""Whole games by touch only, on phones. Dice and the one wide button are always within reach of a thumb."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browser.looks import RESTED
from browser.page_players import keep_at_420, keep_at_midnight
from browser.scene import Visitor
from support.browser import PHONE, SMALL, ask, open_table, page_of, until
from support.profiles import NIGHTLY
from support.steady import measured, measured_all

USUAL = {"keep": "plain"}

REACH = """node => {
  const {left, top, width, height} = node.getBoundingClientRect();
  const on = document.elementFromPoint(left + width / 2, top + height / 2);
  return {high: height, wide: width, within: top >= 0 && top + height <= innerHeight + 2.5, hit: node.contains(on)};
}"""
MOVED = """counter => document.querySelector('#result') || !document.querySelector('#refusal').hidden
  || document.querySelector('#dice').dataset.rolls !== counter"""
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def faces_of(page: Page, status: str) -> list[tuple[Locator, int]]:
    """Return the dice of a status, with their faces."""
    shown: list[list[str]] = page.locator(f"#dice .die[data-status={status}]").evaluate_all(
        "dice => dice.map(({dataset}) => [dataset.place, dataset.face])"
    )
    return [(page.locator(f"#dice [data-place='{place}']"), int(face)) for place, face in shown]


def tap_what_to_keep(page: Page, game: str) -> bool:
    """Tap the dice to keep. If none is worth keeping, answer the question to roll all again, and return True."""
    free = faces_of(page, "free")
    dice = [face for _, face in free]
    keeps = (
        keep_at_420(dice) if game == "420" else keep_at_midnight([face for _, face in faces_of(page, "locked")], dice)
    )
    for die, face in free:
        if face in keeps:
            keeps.remove(face)
            die.tap()
            expect(die).to_have_attribute("aria-pressed", "true")
    assert keeps == []
    if page.locator("#main[data-waiting]").count() and page.locator("#sure summary").is_visible():
        page.locator("#sure summary").tap()  # no die is worth keeping, so open the question
        page.locator("#sure .yes").tap()
        return True
    return False


def play(page: Page, game: str) -> str:
    """Tap until the result is shown. Return its text."""
    main = page.locator("#main:not([aria-disabled]):visible")
    for _ in range(150):
        main.or_(page.locator("#main[data-waiting]:visible, #result:visible")).first.wait_for()
        if page.locator("#result").is_visible():
            return page.locator("#heading").inner_text()
        counter = page.locator("#dice").get_attribute("data-rolls")
        if page.locator("#main[data-waiting]:visible").count():
            again = tap_what_to_keep(page, game)
            if again:
                page.wait_for_function(MOVED, arg=counter)
                continue
        page.wait_for_function(RESTED)
        at = measured(main, REACH)
        assert at["within"], at
        assert at["hit"], at
        assert min(at["high"], at["wide"]) >= 44, at
        assert measured(page, WIDE) == 0
        label = main.inner_text()
        assert re.search("roll|score|keep", label, re.I), label
        main.tap()
        page.wait_for_function(MOVED, arg=counter)
    raise AssertionError("no end")


MIDNIGHT, RACE = ("midnight", {"format": "rounds 1"}), ("420", {"format": "race"})


@pytest.mark.parametrize(
    ("game", "rules", "size"),
    [
        pytest.param(*MIDNIGHT, SMALL, id="midnight, 320"),
        pytest.param(*RACE, PHONE, id="420, 360"),
        pytest.param(*MIDNIGHT, PHONE, id="midnight, 360", marks=pytest.mark.nightly),
        pytest.param(*RACE, SMALL, id="420, 320", marks=pytest.mark.nightly),
    ],
)
def test_a_game_is_played_with_taps_alone(
    game: str, rules: dict[str, str], size: dict[str, int], visitor: Visitor
) -> None:
    motion = "no-preference" if NIGHTLY or game == "midnight" else "reduce"  # by day, dice fall in Midnight only
    context = visitor(viewport=size, has_touch=True, is_mobile=True, device_scale_factor=2, reduced_motion=motion)
    page = page_of(context, open_table(context, game=game, rules=rules, bots=["tip"]))
    assert re.search("win|tie", play(page, game))


STILL: dict[str, Any] = {
    "viewport": SMALL, "has_touch": True, "is_mobile": True, "reduced_motion": "no-preference" if NIGHTLY else "reduce",
}  # fmt: skip
"""The smallest phone. By day dice land at once there, as other tests show falling dice."""


def test_a_quick_thumb_loses_nothing(visitor: Visitor) -> None:
    """Tap two dice and the button before the house has answered any of them, for each pair of the six dice."""
    context = visitor(**STILL)
    page = page_of(context, open_table(context, bots=["tip"]))
    page.locator("#main").tap()
    for locked in (2, 4, 6):
        expect(page.locator("#dice .die[data-status=free]")).to_have_count(8 - locked)
        page.locator("#main[data-waiting]").wait_for()
        page.evaluate(
            """() => {
              for (const die of [...document.querySelectorAll('#dice .die[data-status=free]')].slice(0, 2)) die.click();
              document.querySelector('#main').click();
            }"""
        )
        if locked < 6:
            expect(page.locator("#dice .die[data-status=locked]")).to_have_count(locked)
    expect(page.locator("#dice .die[data-status=free]")).to_have_count(0)
    expect(page.locator("#refusal")).to_be_hidden()


def test_a_page_that_missed_a_roll_keeps_none_of_the_dice_it_has_not_shown(visitor: Visitor) -> None:
    """Open two pages of one seat. The second gets no more events, and still shows the earlier dice."""
    context = visitor(**STILL)
    first, second = page_of(context), context.new_page()
    go = open_table(context, bots=["tip"])
    first.goto(go)
    first.locator("#main").tap()
    second.goto(first.url)
    second.locator("#dice .die[data-status=free]:not([aria-disabled])").nth(5).wait_for()
    second.evaluate("dispatchEvent(new Event('pagehide'))")  # closes its stream
    dice = second.locator("#dice .die[data-status=free]").evaluate_all("all => all.map(({dataset}) => dataset.face)")
    first.locator("#dice .die[data-status=free]").first.tap()
    first.locator("#main").tap()
    expect(first.locator("#dice")).to_have_attribute("data-rolls", "2")
    told = first.locator("#dice .die").evaluate_all("all => all.map(({dataset}) => dataset.face)")
    assert len(dice) == 6
    second.locator("#dice .die[data-status=free]").nth(1).tap()
    expect(second.locator("#refusal")).to_have_text(
        "The dice have changed since you looked. Nothing happened. Look again, then choose."
    )
    first.reload()
    expect(first.locator("#dice")).to_have_attribute("data-rolls", "2")
    assert first.locator("#dice .die").evaluate_all("all => all.map(({dataset}) => dataset.face)") == told


def test_all_dice_and_a_refusal_are_in_sight_after_a_roll_on_the_smallest_phone(visitor: Visitor) -> None:
    context = visitor(viewport=SMALL, has_touch=True, is_mobile=True, keep="")
    page = page_of(context, open_table(context, bots=["tip"]))
    motion = context.new_cdp_session(page)
    motion.send("Animation.enable")
    motion.send("Animation.setPlaybackRate", {"playbackRate": 0.01})
    page.locator("#main").tap()
    last = page.locator("#dice .die:visible").last
    last.wait_for()
    page.wait_for_function("""() => {
      const {bottom} = [...document.querySelectorAll('#dice .die:not([hidden])')].at(-1).getBoundingClientRect();
      return bottom <= document.querySelector('#main').getBoundingClientRect().top;
    }""")
    expect(page.locator("#heading")).to_be_in_viewport(ratio=1)
    page.evaluate("scrollTo(0, document.querySelector('#dice').offsetTop)")
    flying = "document.getAnimations().filter(({effect}) => effect.target.matches('.pips')).length"
    page.evaluate(f"window.flew = {flying}")
    page.keyboard.press("r")
    assert page.evaluate("flew") > 0  # a flying die can cover the refusal, so a key ends its flight, as a tap does
    assert page.evaluate(flying) == 0
    expect(page.locator("#refusal")).to_contain_text("Keep at least one")
    expect(page.locator("#refusal")).to_be_in_viewport(ratio=1)
    page.wait_for_function(RESTED)
    assert measured(page.locator("#refusal"), REACH)["hit"]


def test_who_reads_elsewhere_is_left_there_when_dice_fall(visitor: Visitor) -> None:
    context = visitor(viewport=SMALL, reduced_motion="reduce")
    page = page_of(context)
    table = open_table(context, bots=["tip"])
    page.goto(table)
    expect(page.locator("#main")).to_be_visible()
    page.locator("#story > summary").click()
    page.locator("#story .scroll").focus()
    expect(page.locator("#story .scroll")).to_be_focused()
    top = "document.querySelector('#story').getBoundingClientRect().top"
    at = page.evaluate(top)
    assert ask(context, table, do="roll") == 200
    expect(page.locator("#dice .die:visible")).to_have_count(6)
    page.wait_for_timeout(300)
    moved, scrolled = page.evaluate(top) - at, page.evaluate("scrollY")
    expect(page.locator("#story .scroll")).to_be_focused()
    assert abs(moved) < 60, f"but for what grew above, at {scrolled}"


def test_a_phone_that_is_shaken_rolls_where_its_owner_wants_that(visitor: Visitor) -> None:
    context = visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    page = page_of(context, open_table(context, bots=["tip"]))
    expect(page.locator("#main")).to_have_text("Roll 6 dice")
    shaken = "g => dispatchEvent(Object.assign(new Event('devicemotion'), {acceleration: {x: g, y: 0, z: 0}}))"
    page.evaluate(shaken, 40)
    page.get_by_text("Menu", exact=True).tap()
    with page.expect_response(re.compile(r"/shakes\.js$")) as comes:
        page.get_by_label("Shake the phone to roll").tap()
    comes.value.finished()
    page.wait_for_timeout(100)  # so the script has run
    page.evaluate(shaken, 5)
    page.wait_for_timeout(300)
    expect(page.locator("#main")).to_have_text("Roll 6 dice")
    until(page, f"g => {{ ({shaken})(g); return document.querySelectorAll('#dice li:not([hidden]) .die').length }}", 40)
    expect(page.locator("#dice .die:visible")).to_have_count(6)


HELD_UP = """() => new MutationObserver(([{ target, oldValue }], seen) => {
  if (target.dataset.rolls === oldValue) return;
  seen.disconnect();
  for (const one of document.getAnimations()) one.pause();
  document.body.dataset.held = document.getAnimations().length;
}).observe(document.querySelector('#dice'), {attributeFilter: ['data-rolls'], attributeOldValue: true})"""
"""A script that holds the first roll in the air. A mere redraw, which writes the same number of rolls, does not count.
"""

HIT = """dice => dice.filter(die => die.checkVisibility()).map(die => {
  const {left, top, width} = die.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + width / 2) === die;
})"""


def test_dice_that_fly_across_do_not_catch_a_tap(visitor: Visitor) -> None:
    """A tap while dice fly or slide counts for the die on the table. Flying dice are only pictures."""
    context = visitor(viewport=PHONE, has_touch=True)
    page, table = page_of(context), open_table(context)
    page.goto(table)
    for _ in range(2):
        page.evaluate("delete document.body.dataset.held")
        page.evaluate(HELD_UP)
        page.locator("#main").click()
        page.locator("body[data-held]:not([data-held='0'])").wait_for()
        page.wait_for_function(RESTED)
        assert all(measured_all(page.locator("#dice .die"), HIT))
        first, _ = faces_of(page, "free")[0]
        first.click()
        expect(first).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#main[data-waiting]")).to_have_count(0)


@contextmanager
def streams_held(page: Page) -> Iterator[None]:
    """Let the page hear nothing of the table for a while."""
    holds, streams = True, list[Route]()
    page.route("**/events*", lambda stream: streams.append(stream) if holds else stream.continue_())
    yield
    holds = False
    for stream in streams:
        stream.continue_()


def test_a_roll_before_the_page_has_heard_of_the_table_is_thrown_too(visitor: Visitor) -> None:
    context = visitor(viewport=PHONE, has_touch=True, keep="")
    page, table = page_of(context), open_table(context)
    with streams_held(page):
        page.goto(table)
        page.evaluate(HELD_UP)
        with page.expect_response(table):
            page.locator("#main").click()
    page.locator("body[data-held]:not([data-held='0'])").wait_for()


def test_a_die_tapped_before_the_page_has_heard_of_the_table_is_kept(visitor: Visitor) -> None:
    context = visitor(**{**STILL, "keep": ""})
    page, table = page_of(context), open_table(context)
    assert ask(context, table, do="roll") == 200
    with streams_held(page):
        page.goto(table)
        with page.expect_response(table):
            page.locator("#dice .die").first.tap()
    expect(page.locator("#dice .die").first).to_have_attribute("aria-pressed", "true")
