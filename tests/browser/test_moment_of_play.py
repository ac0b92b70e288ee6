"""The page during play: the dice have an owner, the next step stands out, and nothing moves under a thumb."""

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.scene import FORMATS, Scene, Two, Visitor, speak
from laws.looked import Looked
from play import CASES, KITS
from pubdice.room import Live
from pubdice.server.wire import View
from pubdice.text.catalogues import language
from room.random_commands import Order
from support.browser import LOCALES, PHONE, RESTS_MS, SMALL, ask, stop_clock
from support.profiles import NIGHTLY
from support.steady import box_of, measured

USUAL = {"reduced_motion": "reduce", "viewport": PHONE, "keep": "phone"}
TALL = {"width": 390, "height": 844}
POINTS = [
    ("midnight", "points 100"),
    ("midnight", "points 100 even"),
    ("midnight", "total 5"),
    ("ship", "points 50"),
    ("ship", "total 5"),
]
"""Matches whose scores add up."""
BY_DAY = [
    *((played, "de-DE") for played in FORMATS.items() if played[0] in ("midnight", "420", "shutbox")),
    (POINTS[0], "en-GB"),
]
AT_NIGHT = pytest.mark.nightly
GERMAN_BY_DAY = pytest.mark.parametrize(
    "tongue", [pytest.param(tongue, marks=() if tongue == "de-DE" else AT_NIGHT) for tongue in LOCALES]
)
"""German by day, other languages at night: German lines are mostly longer than English ones."""

PLACES = """() => Object.fromEntries(['#seats', '#told', '#things', '#dish', '#rail', '#beam', '#ladder', '#tools',
  '#acts', '#story > summary', '#seats [data-seat="0"]', '#seats [data-seat="1"]'].map(one => {
    const node = document.querySelector(one);
    if (!node) return [one, null];
    const {top, height} = node.getBoundingClientRect();
    return [one, node.checkVisibility() ? [Math.round(top + scrollY), Math.round(height)] : null];
  }))"""
"""A script that returns the top and height of each part of the board."""
MATCHES = 8
"""The most matches to try. One race of 420 in eight ends before both have moved (35 of 1,296 hands are 20, and three
foundations help).
"""
EVENINGS = 24
"""The random evenings of a game whose lines are measured."""
TOLD_HEIGHTS = """lines => lines.map(([heading, status]) => {
  document.getElementById('heading').textContent = heading;
  document.getElementById('status').textContent = status;
  return Math.round(document.getElementById('told').getBoundingClientRect().height);
})"""
OVERLAPS = """() => {
  const parts = ['.top', '#seats', '#told', '#things', '#dish', '#rail', '#beam', '#ladder', '#tools', '#acts']
    .map(one => document.querySelector(one)).filter(node => node?.checkVisibility());
  const boxes = parts.map(node => [node.id, node.getBoundingClientRect()]).filter(([, {height}]) => height);
  return boxes.flatMap(([one, a]) => boxes.filter(([other, b]) => one < other
    && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    .map(([other]) => `${one} ${other}`)).concat(boxes.filter(([, {right}]) => right > innerWidth + 1));
}"""


def _moved(first: list[dict[str, Any]], later: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the parts of each page that have moved, with their old and new places."""
    return [
        {one: (was[one], now[one]) for one in was if was[one] != now[one]}
        for was, now in zip(first, later, strict=True)
    ]


@pytest.mark.parametrize(
    ("game", "rules", "tongue"),
    [
        pytest.param(*played, tongue, marks=() if (played, tongue) in BY_DAY else AT_NIGHT)
        for played in (*FORMATS.items(), *POINTS)
        for tongue in LOCALES
    ],
)
def test_rows_dice_rail_and_buttons_keep_their_places(game: str, rules: str, tongue: str, visitor: Visitor) -> None:
    movers: set[int] = set()
    for _ in range(MATCHES):
        if movers == {0, 1}:
            break
        two = Two(visitor, game, tongue, rules)
        places = [[measured(page, PLACES) for page in two.pages]]
        view = two.view()
        for _ in range(14):
            view = two.step(view)
            if view["stage"] == "over":
                break
            two.seen(view)
            movers.add(view["mover"])
            places.append([measured(page, PLACES) for page in two.pages])
        first = places[0]
        assert [_moved(first, later) for later in places if later != first] == []
    assert movers == {0, 1}
    for page in first:
        assert page["#acts"][0] + page["#acts"][1] <= PHONE["height"]


@GERMAN_BY_DAY
def test_the_room_kept_for_what_is_told_holds_every_line_told_to_who_moves(tongue: str, visitor: Visitor) -> None:
    lines: dict[str, set[tuple[str, ...]]] = {}
    for name, kit in KITS.items():
        told = lines[name] = set()

        def look(view: View, live: Live, told: set[tuple[str, ...]] = told) -> None:
            if view.mover is not None:
                said = (line.own.get(view.mover, line.text) for line in (view.heading, view.status))
                told.add(tuple(re.sub(r"\d", "8", text) for text in said))

        cases = [case for case in CASES if case.kit is kit]
        for seed in range(EVENINGS):
            case = cases[seed % len(cases)]
            order = Order(case, max(2, case.game.least_seats), 0, "house", 0, 0, seed)
            Looked(order, look, language(tongue[:2])).run(60)
    page = Two(visitor, "ship", tongue).pages[0]
    for size in (PHONE, TALL):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        kept, *_ = measured(page, TOLD_HEIGHTS, [["", ""]])
        for name, told in lines.items():
            assert len(told) > 3, f"{name}: too little was told"
            high = dict(zip(told, measured(page, TOLD_HEIGHTS, list(told)), strict=True))
            assert {said: height for said, height in high.items() if height > kept} == {}, (name, size)


def test_your_turn_shows_your_cup_not_the_dice_of_another_which_others_see_for_a_moment(visitor: Visitor) -> None:
    two = Two(visitor, "midnight")
    two.seen(two.until(mover=1))
    ann, ben = two.pages
    expect(ben.locator("#heading")).to_have_text("Your turn")
    expect(ben.locator("#cup")).to_be_visible()
    expect(ben.locator("#dice .die:visible")).to_have_count(0)
    expect(ann.locator("#dice .die:visible")).to_have_count(6)
    expect(ann.locator("#dice")).to_have_attribute("data-left", "Your last roll")
    expect(ann.locator("#cup")).to_be_visible(timeout=4000)
    expect(ann.locator("#dice .die:visible")).to_have_count(0)
    still = visitor(java_script_enabled=False, keep="")
    still.add_cookies(two.hosts[1].cookies())  # type: ignore[arg-type]
    for fresh in (Scene(visitor).at(two.table, two.hosts[1]), Scene(visitor).at(two.table, still)):
        expect(fresh.locator("#main")).to_have_text("Roll 6 dice")
        expect(fresh.locator("#dice .die:visible")).to_have_count(0)
        expect(fresh.locator("#seats [data-seat='0'] .mini")).to_have_count(6)


def test_a_careless_second_tap_does_nothing(visitor: Visitor) -> None:
    """The page ignores taps for 400 ms. Its clock is stopped, as a busy machine takes longer between two taps."""
    two = Two(partial(visitor, keep=""), "mexico")
    page = two.pages[0]
    box = box_of(page.locator("#main"))
    page.clock.install()
    for across in (0.25, 0.75):
        seq = two.until(mover=0, asks="roll")["seq"]
        two.seen(two.view())
        stop_clock(page)
        at = box["x"] + box["width"] * across, box["y"] + box["height"] / 2
        page.mouse.click(*at)
        page.wait_for_function(f"() => +document.getElementById('table').dataset.seq > {seq}")
        page.clock.run_for(300)
        page.mouse.click(*at)
        page.wait_for_timeout(150)
        after = two.view()
        if after["ask"] == "keep" and after["mover"] == 0:
            assert after["seq"] == seq + 1, "the second tap was meant for what lay there before"
            page.clock.run_for(150)
            page.mouse.click(box["x"] + box["width"] * 0.75, at[1])
            page.wait_for_function(f"() => +document.getElementById('table').dataset.seq > {seq + 1}")
        page.clock.resume()


LOOKED_AT = [
    (size, tongue)
    for size, usual in ((PHONE, "de-DE"), (TALL, "en-GB"))
    for tongue in LOCALES
    if NIGHTLY or tongue == usual
]


CHIPS_MET = """({x, y, width, height}) => [...Array(400).keys()].filter(at => document
  .elementFromPoint(x + (width * (at % 20)) / 20, y + (height * Math.floor(at / 20)) / 20)?.closest('.chip')).length"""
"""A script that returns how many of 400 taps, spread over a box, would hit a reaction."""


def test_reactions_never_lie_where_gold_was(visitor: Visitor) -> None:
    two = Two(visitor, "midnight", LOOKED_AT[0][1])
    for at, (size, tongue) in enumerate(LOOKED_AT):
        for page in two.pages:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            if at:
                speak(page, tongue)
        gold = box_of(two.pages[0].locator("#main"))
        assert measured(two.pages[1], CHIPS_MET, gold) == 0, (size, tongue)
        expect(two.pages[1].get_by_text(language(tongue[:2]).say("{name}'s turn", name="Ann"))).to_have_count(1)


TOLD = """() => {
  window.told = window.shown = '';
  const collect = (one, name) => new MutationObserver(news => {
    for (const { addedNodes } of news) for (const { textContent } of addedNodes) window[name] += textContent;
  }).observe(one, { childList: true, subtree: true });
  for (const region of document.querySelectorAll('#polite, #assertive')) collect(region, 'told');
  collect(document.getElementById('bubble'), 'shown');
}"""
"""A script that collects all announcements, and all texts of the bubble, from now on."""


def test_a_reaction_is_seen_and_heard_but_where_reactions_are_muted(visitor: Visitor) -> None:
    two = Two(visitor, "midnight")
    ann, ben = two.pages
    ann.locator("#mute").evaluate("box => box.click()")
    for page in two.pages:
        page.evaluate(TOLD)
    assert ask(two.hosts[1], two.table, do="react", phrase=0) == 200
    ben.wait_for_function("() => window.shown")
    called = ben.evaluate("shown")
    assert called.startswith("Ben: ")
    two.seen(two.step())
    assert ann.evaluate("shown") == ""
    heard = called.replace("Ben: ", "You: ")  # Ben hears his own reaction so
    ben.wait_for_function("heard => told.includes(heard)", arg=heard)
    assert called not in ann.evaluate("told")


RESTING = """() => {
  const table = document.getElementById('table');
  const {left, top, width, height} = document.querySelector('.tile[data-number="9"]').getBoundingClientRect();
  new MutationObserver(() => {
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    window.met = [...(window.met ?? []), ['rests' in table.dataset, !!met.closest('.tile')]];
  }).observe(table, {attributes: true, attributeFilter: ['data-rests']});
}"""
"""A script that records, each time the page begins or stops to ignore taps ("rests"), if a tap would hit a tile."""
MENU = """() => {
  const table = document.getElementById('table');
  const { bottom } = document.querySelector('.sheet').getBoundingClientRect();
  const { top, left, width } = table.getBoundingClientRect();
  const y = Math.min(bottom, innerHeight) - 8;
  if (y <= top) return false; // it hangs down over the table
  table.dataset.rests = '';
  const met = Array.from({ length: 40 }, (_, at) => document.elementFromPoint(left + (width * at) / 40, y));
  delete table.dataset.rests;
  return met.some(node => node?.closest('.sheet'));
}"""
"""A script: true if a tap hits the open menu's part over the table while the table ignores taps."""


def test_a_finger_meets_no_tile_for_a_moment_after_a_roll(visitor: Visitor) -> None:
    two = Two(visitor, "shutbox", dice="real")
    page = two.pages[0]
    tile = page.locator('.tile[data-number="9"]')
    page.wait_for_timeout(RESTS_MS)
    measured(page, RESTING)
    assert ask(two.hosts[0], two.table, do="enter", dice="66") == 200
    expect(tile).not_to_have_attribute("aria-disabled", "true")
    page.wait_for_function("() => window.met?.length >= 2")
    met = page.evaluate("window.met")
    assert [True, False] in met
    assert met[-1] == [False, True]
    tile.click()
    expect(tile).to_have_attribute("aria-pressed", "true")
    page.locator("#menu > summary").click()
    assert measured(page, MENU), (
        "bots that play fast leave no moment without rest, and the menu is where they are slowed"
    )


LIVES = {"mexico": "♥♥♥", "ship": "", "threes": ""}


@pytest.mark.parametrize("game", ["mexico", "ship", pytest.param("threes", marks=AT_NIGHT)])
def test_who_is_ahead_is_in_every_row(game: str, visitor: Visitor) -> None:
    two = Two(visitor, game)
    rows = [page.locator("#seats .points") for page in two.pages]
    for points in rows:
        expect(points).to_have_text([LIVES[game]] * 2)
    view = two.view()
    for _ in range(80):
        view = two.step(view)
        if view["stage"] == "over" or any(seat["points"] != LIVES[game] for seat in view["seats"]):
            break
    if view["stage"] != "over":
        assert {seat["points"] for seat in view["seats"]} & {"♥♥♡", "|"}
        for points in rows:
            expect(points).to_have_text([seat["points"] for seat in view["seats"]])
            expect(points.first).to_be_hidden() if not view["seats"][0]["points"] else expect(
                points.first
            ).to_be_visible()


@pytest.mark.parametrize(
    ("game", "rules", "tongue", "scheme"),
    [
        ("midnight", "rounds 5", "de-DE", "dark"),
        pytest.param("midnight", "rounds 5", "en-GB", "light", marks=AT_NIGHT),
        pytest.param("midnight", "points 100 even", "de-DE", "dark", marks=AT_NIGHT),
        ("midnight", "points 100 even", "en-GB", "light"),
        ("420", "drinks", "de-DE", "dark"),
        pytest.param("420", "drinks", "en-GB", "light", marks=AT_NIGHT),
        pytest.param("mexico", "lives 3", "de-DE", "dark", marks=AT_NIGHT),
        ("mexico", "lives 3", "en-GB", "light"),
        ("shutbox", "rounds 3", "de-DE", "dark"),
        pytest.param("shutbox", "rounds 3", "en-GB", "light", marks=AT_NIGHT),
    ],
)
def test_on_the_smallest_phone_four_players_lie_beside_each_other(
    game: str, rules: str, tongue: str, scheme: str, visitor: Visitor
) -> None:
    scene = Scene(lambda: visitor(locale=tongue, color_scheme=scheme, viewport=SMALL))
    bots = ["tip", "bold" if game == "midnight" else "tip", "lucky"]
    host, table = scene.table(people=1, game=game, bots=bots, rules={"format": rules})
    page: Page = scene.lay(scene.at(table, host))
    choices = ("#main:visible", "#dice .die:visible", ".tile:visible")
    may = page.locator(", ".join(f"{one}:not([aria-disabled])" for one in choices))
    over = page.locator("#table[data-stage=over]")
    for _ in range(4):
        page.evaluate("scrollTo(0, 0)")
        expect(may.or_(over).first).to_be_visible()  # the bots may end the match at any moment
        if over.count():
            break
        assert measured(page, OVERLAPS) == []
        expect(page.locator("#acts")).to_be_in_viewport(ratio=0.95)
        may.last.evaluate("node => node.click()")
        page.wait_for_timeout(300)


def test_real_dice_are_asked_for_in_words(visitor: Visitor) -> None:
    page = Two(visitor, "midnight", dice="real").pages[0]
    expect(page.get_by_text("Roll your dice, then tap what they show")).to_be_visible()
    expect(page.get_by_text("Tap a die to change it")).to_be_hidden()
    page.locator("#pad .faces button").first.click()
    expect(page.get_by_text("Roll your dice, then tap what they show")).to_be_hidden()
    expect(page.get_by_text("Tap a die to change it")).to_be_visible()


@pytest.mark.parametrize("game", FORMATS)
@GERMAN_BY_DAY
def test_a_tapped_die_does_not_move_the_faces_under_the_thumb(tongue: str, game: str, visitor: Visitor) -> None:
    page = Two(partial(visitor, viewport=SMALL), game, tongue, dice="real").pages[0]
    faces = page.locator("#pad .faces")
    expect(faces).to_be_visible()
    before = box_of(faces)
    faces.locator("button").first.click()
    expect(page.locator("#pad .delete")).to_be_visible()
    assert box_of(faces) == before
