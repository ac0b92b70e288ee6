"""A phone at 200 %, which has 195 px, and colours that somebody else chose: nothing is cut off, all has its edge."""

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Visitor
from browser.looks import WIDER
from browser.scene import Scene
from browser.table_states import tiles_to_shut
from support.browser import LOCALES, PHONE, ask, open_table, page_of, sit

USUAL = {"reduced_motion": "reduce", "keep": "plain"}
DOUBLED = {"width": 195, "height": 422}
"""390 by 844 at 200 %."""
EDGE = """node => {
  const style = getComputedStyle(node);
  return Math.max(parseFloat(style.borderTopWidth), style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth));
}"""
"""How thick the line round a button is, in px."""


def test_pages_and_lobby_fit_a_phone_at_200_per_cent(visitor: Visitor) -> None:
    host = visitor(viewport=DOUBLED)
    table = open_table(host, people=None)
    sit(visitor(), table, "Ben")
    page = page_of(visitor(viewport=DOUBLED))
    for path in ("/", "/help", "/ask/midnight", "/rules/midnight"):
        page.goto(path)
        assert page.evaluate(WIDER) == [], path
    page = page_of(host, table)
    assert page.evaluate(WIDER) == []
    qr = page.locator(".invite .qr").bounding_box()
    assert qr
    assert qr["x"] + qr["width"] <= DOUBLED["width"]


@pytest.mark.parametrize("tongue", LOCALES)
def test_the_front_page_with_one_s_own_tables_fits_it_too(tongue: str, visitor: Visitor) -> None:
    host = visitor(viewport=DOUBLED, locale=tongue)
    for game in ("midnight", "ship", "420"):
        open_table(host, "Maximiliane-Ottilie", game=game, people=2, listed=True, rules={})
    page = page_of(host, "/")
    expect(page.locator("#mine li:visible")).to_have_count(3)
    assert page.evaluate(WIDER) == []
    assert page.evaluate(MEET) == []


MEET = """() => {
  const tiles = [...document.querySelectorAll('.game > label, .game > label > span')];
  return tiles.filter(node => {
    const own = node.getBoundingClientRect();
    return own.right > innerWidth || tiles.some(other => {
      const {left, right, top, bottom} = other.getBoundingClientRect();
      return node.closest('label') !== other.closest('label') && own.left < right - 1 && left < own.right - 1
        && own.top < bottom - 1 && top < own.bottom - 1;
    });
  }).map(node => node.textContent);
}"""
"""Tiles of games, or what is on them, that lie on another."""


@pytest.fixture
def forced(visitor: Visitor) -> Page:
    page = Scene(lambda: visitor(viewport=PHONE)).at("/")
    page.emulate_media(forced_colors="active")
    return page


def test_in_forced_colours_every_button_has_an_edge_and_the_chosen_one_a_thick_one(forced: Page) -> None:
    page = forced
    assert page.locator("#open .second").first.evaluate(EDGE) >= 1
    page.goto("/ask/midnight")
    chosen, other = page.locator(".chips [aria-current]"), page.locator(".chips a:not([aria-current])").first
    assert chosen.evaluate(EDGE) > other.evaluate(EDGE) >= 1
    page.emulate_media(forced_colors="none")


def test_a_link_that_stands_alone_is_24_px_high(visitor: Visitor) -> None:
    page = page_of(visitor(viewport=PHONE))
    for path, names in (("/daily", ("Drill", "Same-dice night")), ("/ask/midnight", ("Best play at Midnight",))):
        page.goto(path)
        expect(page.locator("main form").first).to_be_visible(timeout=30_000)  # the day is worked out
        for name in names:
            box = page.get_by_role("main").get_by_role("link", name=name).bounding_box()
            assert box
            assert box["height"] >= 24, name


APART = """() => {
  const dice = [...document.querySelectorAll('#dice .die')].map(die => die.getBoundingClientRect());
  const shown = dice.filter(({width}) => width);
  const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom
    && other.top < one.bottom;
  return shown.length > 1 && !shown.some((one, at) => shown.slice(at + 1).some(other => meet(one, other)));
}"""
"""Whether no die lies on another."""


@pytest.mark.parametrize("game", ["midnight", "mexico"])
def test_at_200_per_cent_no_die_lies_on_another(game: str, visitor: Visitor) -> None:
    host = visitor(viewport=DOUBLED)
    table = open_table(host, game=game, bots=["tip"], rules={"format": "rounds 2"})
    assert ask(host, table, do="roll") == 200
    page = Scene(lambda: host).at(table, host)
    page.wait_for_timeout(500)  # until they lie
    assert page.evaluate(APART)
    assert page.evaluate(WIDER) == []


def test_in_forced_colours_tiles_have_an_edge_and_chosen_ones_a_thick_one(visitor: Visitor) -> None:
    page = tiles_to_shut(Scene(visitor))
    page.emulate_media(forced_colors="active")
    up, chosen = (page.locator(f'.tile[data-number="{number}"]').evaluate(EDGE) for number in (2, 9))
    assert chosen > up >= 1
    page.emulate_media(forced_colors="none")
