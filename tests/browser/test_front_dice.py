"""The front page: a player can throw dice and try a turn before giving a name. Six games are visible at once."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.looks import TARGETS, WIDER
from browser.page_players import listen
from browser.scene import Visitor
from pubdice.games import GAMES
from support.browser import BEHIND, PHONES, SMALL, TONGUES, context_of, page_of, until
from support.house_process import House
from support.steady import box_of, measured

USUAL = {"reduced_motion": "reduce", "keep": "plain"}
MOST_TAPS = 40
EDGES = """() => [...document.querySelectorAll('.game > label, #open .main')].map(node => {
  const {left, top, right, bottom} = node.getBoundingClientRect();
  return [left >= 0, top >= 0, right <= innerWidth, bottom <= innerHeight];
})"""
"""A script: for each tile and the gold button, if it lies within the screen at the left, top, right and bottom."""
CUT = """() => [...document.querySelectorAll('.game > label > span, .game .mini')].filter(node => {
  const tile = node.closest('label').getBoundingClientRect(), {left, right, bottom} = node.getBoundingClientRect();
  return node.scrollWidth > node.clientWidth + 1 || left < tile.left || right > tile.right || bottom > tile.bottom;
}).map(node => node.outerHTML)"""
"""A script that returns the names and dice that reach over the edge of their tile."""

APART = """() => {
  const words = node => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const [brand, first] = ['.brand', '.top > a:last-child'].map(name => words(document.querySelector(name)));
  return first.left - brand.right;
}"""
"""A script that returns the gap between the name of the house and the first language beside it, in px."""


def phone(visitor: Visitor, **more: Any) -> Page:
    settings: dict[str, Any] = {"viewport": SMALL, "has_touch": True, "is_mobile": True, **more}
    return page_of(visitor(**settings))


def finish(page: Page) -> None:
    """Try the turn to its end. Keep the first die (none in 420), or take the first of a few choices."""
    may_keep_none = page.locator("#trial[action$='/420']").count()
    for _ in range(MOST_TAPS):
        turn = page.locator("#trial [name=turn]").get_attribute("value")
        if not turn:
            return
        if page.locator("#trial [name=keep]").count() and not may_keep_none:
            page.locator("#trial label").first.tap()
        page.locator(".deeds button").first.tap()
        expect(page.locator("#trial [name=turn]")).not_to_have_attribute("value", turn)
    pytest.fail("the turn does not end")


@pytest.mark.parametrize("tongue", TONGUES)
def test_six_tiles_with_dice_and_gold_are_on_the_first_screen_of_every_phone(tongue: str, visitor: Visitor) -> None:
    page = phone(visitor, locale=tongue)
    for size in PHONES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto("/")
        assert measured(page, EDGES) == [[True] * 4] * (len(GAMES) + 1), size
        assert measured(page, CUT) == [], size
        assert measured(page, APART) >= 12, size
        for tile in page.locator(".game").all():
            expect(tile.locator(".mini").first).to_be_visible()
        rows = {round(box_of(tile)["y"]) for tile in page.locator(".game").all()}
        assert len(rows) == 2, "two rows of three"


def test_the_chosen_tile_is_marked_with_brass_and_a_short_name_is_whole_to_the_ear(visitor: Visitor) -> None:
    page = phone(visitor)
    page.goto("/")
    ship = page.get_by_role("radio", name="Ship, Captain and Crew")
    expect(page.locator(".game", has=ship).locator("label")).to_have_text("Ship")
    for tile in page.locator(".game > label").all():
        tile.tap()
        expect(tile.locator("xpath=..").locator("input")).to_be_checked()
        brass = page.locator(".game > label").evaluate_all(
            "tiles => tiles.map(tile => getComputedStyle(tile).boxShadow.includes('237, 182, 77'))"
        )
        assert brass.count(True) == 1
        assert brass[[*GAMES].index(tile.locator("input").get_attribute("value") or "")]


@pytest.mark.parametrize("game", GAMES)
def test_dice_are_thrown_before_any_name_and_a_turn_is_tried_to_its_worth(game: str, visitor: Visitor) -> None:
    context = visitor(viewport=SMALL, has_touch=True, is_mobile=True)
    ear, page = listen(context), page_of(context)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto("/")
    assert not {"trial.js", "sound.js", "motion.js", "prices.js"} & set(asked), "nothing before a tap"
    page.locator(f"label[for=game-{game}]").tap()
    page.get_by_role("button", name="Tap the dice").tap()
    rules = GAMES[game].usual_game
    due = rules.to_roll(rules.start(max(1, rules.least_seats)))
    expect(page.locator("#trial [data-fresh]")).to_have_count(due)
    expect(page.locator("#said")).to_contain_text("You rolled ")
    assert "trial.js" in asked
    expect(page.locator("#open .main")).to_be_in_viewport(ratio=1)
    assert measured(page, TARGETS) == []
    finish(page)
    expect(page.locator("#said")).to_contain_text(f"Your turn at {GAMES[game].words.title}: ")
    expect(page.locator("#open .main")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Once more").tap()
    expect(page.locator("#said")).to_contain_text("You rolled ")
    expect(page.locator("#trial [data-fresh]")).to_have_count(due)
    assert page.url.endswith("/"), "all of it on the front page"
    assert ear.faults == []
    assert context.request.get("/").text().count('id="mine"') == 0


@pytest.mark.parametrize("tongue", TONGUES)
def test_gold_stays_on_the_first_screen_while_a_turn_is_tried(tongue: str, visitor: Visitor) -> None:
    page = phone(visitor, locale=tongue)
    for size in PHONES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for game in ("midnight", "mexico", "shutbox"):
            page.goto("/")
            page.locator(f"label[for=game-{game}]").tap()
            page.locator("#trial button").tap()
            expect(page.locator(".deeds button").first).to_be_in_viewport(ratio=1)
            expect(page.locator("#open .main")).to_be_in_viewport(ratio=1)
            assert measured(page, WIDER) == [], (size, game)


def test_by_keyboard_dice_are_thrown_marked_and_rolled_again_and_each_step_is_said_once(visitor: Visitor) -> None:
    context = visitor()
    page = page_of(context, "/")
    page.get_by_role("button", name="Tap the dice").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#trial [data-fresh]")).to_have_count(6)
    expect(page.locator("#trial [name=keep]").first).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#trial :checked")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#trial [data-fresh]")).to_have_count(5)
    expect(page.locator("#trial :checked")).to_have_count(0)
    said = page.locator("#said")
    expect(page.get_by_role("status")).to_have_id("said")
    expect(said).to_contain_text("You rolled ")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Keep at least one")
    expect(page.locator("#trial [data-fresh]")).to_have_count(5)


def test_another_game_lays_the_dice_back_and_the_page_s_own_news_leaves_a_turn_alone(visitor: Visitor) -> None:
    page = page_of(visitor(keep=""))
    page.clock.install()
    page.goto("/")
    page.locator("#trial button").click()
    expect(page.locator("#trial [name=turn]")).to_be_attached()
    turn = page.locator("#trial [name=turn]").get_attribute("value") or ""
    with page.expect_response(re.compile("/$")):
        page.clock.fast_forward(16_000)
    expect(page.locator("#trial [name=turn]")).to_have_attribute("value", turn)
    page.locator("label[for=game-mexico]").click()
    expect(page.get_by_role("button", name="Tap the dice")).to_be_visible()
    page.locator("#trial button").click()
    expect(page.locator("#trial [data-fresh]")).to_have_count(2)


def test_where_motion_is_wanted_the_dice_tumble_and_where_it_is_not_they_only_fade(visitor: Visitor) -> None:
    for motion, moves in (("no-preference", True), ("reduce", False)):
        page = page_of(visitor(reduced_motion=motion), "/")
        page.evaluate("""() => {
          window.moved = [];
          const { animate } = Element.prototype;
          Element.prototype.animate = function (frames, facts) {
            moved.push(JSON.stringify(frames));
            return animate.call(this, frames, facts);
          };
        }""")
        page.locator("#trial button").click()
        expect(page.locator("#trial [data-fresh]")).to_have_count(6)
        page.wait_for_function("() => moved.length >= 6")
        assert any("rotate" in frames for frames in page.evaluate("moved")) == moves


def test_without_scripts_each_tap_is_a_page_and_the_way_back_is_gold(visitor: Visitor) -> None:
    page = phone(visitor, java_script_enabled=False)
    page.goto("/")
    page.locator("#trial button").tap()
    page.wait_for_url(re.compile("/try/midnight"))
    expect(page.locator("#said")).to_contain_text("You need 1 and 4.")
    finish(page)
    page.locator(".main").tap()
    expect(page.locator("#name")).to_be_visible()


def test_a_name_of_emoji_is_typed_whole_and_a_longer_one_is_told_why(visitor: Visitor) -> None:
    page, family = page_of(visitor()), "👩\u200d👧"
    page.goto("/")
    field = page.locator("#name")
    field.focus()
    page.keyboard.insert_text(family * 9)  # nine of three characters each, 27 in all
    page.locator("#open .main").click()
    expect(page.locator("#open .refusal:visible")).to_contain_text("Use up to 24 letters, or fewer with emoji.")
    expect(field).to_have_value(family * 9)
    field.fill("")
    page.keyboard.insert_text(family * 8)
    expect(field).to_have_value(family * 8)
    page.locator("#open .main").click()
    expect(page.locator("#seats .name").first).to_have_text(family * 8)


def test_where_the_line_is_lost_the_browser_says_why(visitor: Visitor) -> None:
    page = page_of(visitor(), "/")
    page.route(re.compile("/try/"), lambda route: route.abort())
    asked: list[bool] = []
    page.on("request", lambda request: asked.append(request.is_navigation_request()))
    page.locator("#trial button").click()
    until(page, "() => !document.querySelector('#trial')")
    assert asked[-1], "not by a script any more"


def test_more_than_six_games_go_on_to_the_right_in_two_rows(chromium: Browser, tmp_path: Path) -> None:
    with House(tmp_path, *BEHIND, more_games=True) as house:
        page = context_of(chromium, house, viewport=SMALL, reduced_motion="reduce").new_page()
        page.goto("/")
        games = page.locator(".game")
        assert games.count() > len(GAMES)
        assert len({round(box_of(game)["y"]) for game in games.all()}) == 2
        assert measured(page, WIDER) == []
        assert measured(page, CUT) == []
        expect(page.locator("#open .main")).to_be_in_viewport(ratio=1)
        shown = [box_of(each) for each in games.all()]
        assert any(box["x"] < SMALL["width"] < box["x"] + box["width"] for box in shown), "one is cut: there is more"
        last = games.last
        last.locator("label").click()
        expect(last.locator("label")).to_be_in_viewport(ratio=1)
        expect(last.locator(".mini").first).to_be_visible()
        page.locator("#trial button").click()
        expect(page.locator("#trial [data-fresh]").first).to_be_visible()
        page.context.close()
