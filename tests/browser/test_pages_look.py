"""Each page and state is usable when narrow, zoomed, tapped, stepped through by Tab, still, and in forced colours."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from browser.looks import LOOKS, TARGETS, UNFOLD, WIDER, ZOOMED, covered, look, unusable, violations
from browser.page_players import listen
from browser.scene import WITH_AN_EAR, Scene, Visitor, seated, speak
from browser.states import STATES, hand_of_420, mine_to_keep, tiles_to_shut
from pubdice.text.catalogues import CODES, spoken
from support.browser import DESKTOP, LOCALES, PHONE, PHONES, SMALL, TONGUES, ask, open_table, page_of, sit
from support.profiles import NIGHTLY
from support.steady import box_of, measured

USUAL = {"reduced_motion": "reduce", "keep": "plain"}
"""Dice land at once. Other tests show how they fall."""
ONE_ROW = 64
"""The most height of a page's head in px, if its parts are side by side."""
SEEN_IN_ANOTHER = {
    "rules of 420", "ask, empty", "ask, answered", "drill", "drill, asked", "verify, empty", "receipt", "book, begun",
    "gathering guest", "gathering priced", "mine refused", "front code refused", "bots turn", "over watched",
    "front empty", "gathering watcher", "book, stranger", "last orders, over", "front refused", "night, ranked",
    "away with vote", "book, carried", "sitting refused", "verify, changed", "receipt, asked", "night, form",
    "book, erasing", "book, refused", "points that add up", "stand in", "drill, answered", "last orders, answered",
    "gathering sealed", "front filled",
}  # fmt: skip
"""States tested nightly only, as other states have the same parts."""
BY_AXE = [state for state in STATES if NIGHTLY or state not in SEEN_IN_ANOTHER][:: 1 if NIGHTLY else 3]
"""The states that axe checks. It takes as long as all other checks of a state."""


@pytest.mark.parametrize(
    "state", [pytest.param(state, marks=[pytest.mark.nightly] * (state in SEEN_IN_ANOTHER)) for state in STATES]
)
def test_it_can_be_read_tapped_and_tabbed_through_on_the_smallest_phone_and_axe_finds_nothing(
    state: str, visitor: Visitor
) -> None:
    ears = []

    def heard(**settings: Any) -> Any:
        context = visitor(keep=WITH_AN_EAR, viewport=PHONE, **settings)
        ears.append(listen(context))
        return context

    page = STATES[state](Scene(heard))
    assert unusable(page, PHONE, SMALL, ZOOMED) == []
    assert [fault for ear in ears for fault in ear.faults] == []
    if state in BY_AXE:
        name = list(LOOKS)[BY_AXE.index(state) % 2]
        look(page, page.context, **LOOKS[name])
        assert violations(page) == [], name


@pytest.mark.parametrize("code", CODES)
def test_pages_fit_the_smallest_phone_in_every_language(code: str, visitor: Visitor) -> None:
    """Check the pages outside of games. Nightly runs check all others."""
    page = page_of(visitor(viewport=SMALL, locale=code))
    paths = ("/", "/help", "/rules/midnight", "/language", "/privacy", "/ask", "/night", "/drill", "/verify")
    for at, path in enumerate(paths):
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", code if at < 4 else spoken(code, "pages"))
        page.evaluate(UNFOLD)
        assert measured(page, WIDER) == [], path
        assert measured(page, TARGETS) == [], path


@pytest.mark.nightly
@pytest.mark.parametrize("state", STATES)
def test_every_state_fits_the_smallest_phone_in_every_language(state: str, visitor: Visitor) -> None:
    page = STATES[state](Scene(visitor))
    for code in CODES[1:]:
        look(page, page.context, color_scheme="light", size=SMALL, language=code)
        page.evaluate(UNFOLD)
        assert measured(page, WIDER) == [], code
        assert measured(page, TARGETS) == [], code


@pytest.mark.nightly
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_in_any_look(state: str, visitor: Visitor) -> None:
    page = STATES[state](Scene(visitor))
    for name, facts in LOOKS.items():
        look(page, page.context, **facts)
        assert violations(page) == [], name


@pytest.mark.parametrize("tongue", TONGUES)
def test_all_that_a_game_takes_is_on_the_first_screen_of_every_phone(tongue: str, visitor: Visitor) -> None:
    page = page_of(visitor(viewport=SMALL, has_touch=True, is_mobile=True, locale=tongue))
    for size in PHONES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto("/")
        for place in ("#name", ".game :has(:checked)", ".game :checked", "#open .main", "#open .second"):
            expect(page.locator(place).first).to_be_in_viewport(ratio=1)
        expect(page.locator(".main:visible")).to_have_count(1)


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_the_sentence_under_the_games_is_that_of_the_chosen_one(scripts: bool, visitor: Visitor) -> None:
    page = page_of(visitor(viewport=SMALL, java_script_enabled=scripts), "/")
    top = box_of(page.locator("#open .main"))
    sentences = page.locator(".game > p")
    for at, label in enumerate(page.locator(".game > label").all()):
        label.click()
        for other, sentence in enumerate(sentences.all()):
            expect(sentence).to_be_visible(visible=other == at)
        expect(sentences.nth(at)).to_be_in_viewport(ratio=1)
    assert box_of(page.locator("#open .main")) == top, "nothing jumps"


@pytest.mark.parametrize("path", ["/", "/daily", "/help"])
def test_the_foot_of_a_page_has_five_links_at_most_and_all_others_one_tap_away(path: str, visitor: Visitor) -> None:
    page = page_of(visitor(java_script_enabled=False), path)
    links = page.locator(".foot :is(a, button, summary)").locator("visible=true")
    assert links.all_inner_texts() == ["Today's puzzle", "Rules", "More"]
    page.locator(".foot summary").click()
    for there in ("/ask", "/drill", "/book", "/night", "/help", "/privacy"):
        expect(page.locator(f".foot a[href='{there}']")).to_be_visible()
    page.locator(".foot a[href^='/rules/']").click()
    page.locator("main nav a").nth(4).wait_for()
    titles = page.locator("main nav a").all_inner_texts()
    assert len(titles) >= 5, "the rules of every game"


def test_who_comes_back_finds_the_table_that_waits_first_and_in_gold(visitor: Visitor) -> None:
    context = visitor(viewport={"width": 390, "height": 844})
    waiting = open_table(context, "Kim", people=3)
    playing = open_table(context, "Kim", bots=["tip"])
    page = page_of(context, "/")
    gold = page.locator(".main:visible")
    expect(gold).to_have_count(1)
    expect(gold).to_have_attribute("href", playing.removeprefix(page.url.rstrip("/")))
    codes = [re.findall("/t/([A-Z]+)", table)[0] for table in (playing, waiting)]
    assert [row.get_attribute("id") for row in page.locator("#mine li").all()] == [f"mine-{code}" for code in codes]
    expect(page.get_by_text("Hello, Kim")).to_be_visible()
    expect(page.locator("#name")).to_be_hidden()
    page.get_by_role("button", name="A bot").click()
    expect(page.locator("#seats .name")).to_have_text(["Kim", "Tip"])


def test_after_an_evening_one_row_tells_of_it_and_gold_is_on_the_first_screen(visitor: Visitor) -> None:
    context = visitor()
    table = open_table(context, game="mexico", bots=["lucky"], rules={"format": "rounds 1"}, pace_ms=0)
    for match in range(3):
        if match:
            again = context.request.post(table, form={"do": "rematch", "key": f"again{match}".ljust(22, "A")})
            table = again.url.partition("#")[0]
            ask(context, table, do="start")
        while (view := context.request.get(f"{table}/state").json()["view"])["stage"] != "over":
            if view["mover"] == 0:
                ask(context, table, do="roll" if view["ask"] == "roll" else "bank")
    page = page_of(context, table)
    for name in ("Ann", "Maximiliane Schmitz"):
        context.add_cookies([{"name": "name", "value": quote(name), "url": page.url}])
        for tongue in CODES:
            context.add_cookies([{"name": "language", "value": tongue, "url": page.url}])
            for size in PHONES:
                page.set_viewport_size(size)  # type: ignore[arg-type]
                page.goto("/")
                expect(page.locator("#mine li")).to_have_count(1)
                expect(page.locator("#mine li")).to_contain_text("3")
                expect(page.locator("#open .main")).to_be_in_viewport(ratio=1)
                assert box_of(page.locator(".top"))["height"] <= ONE_ROW, (size, tongue, name)
                assert measured(page, WIDER) == [], (size, tongue, name)
    page.locator("#mine a").click()
    page.wait_for_url(re.compile("/evening$"))
    page.go_back()
    page.locator("#mine button").click()
    expect(page.locator("#open")).to_be_visible()
    expect(page.locator("#mine")).to_have_count(0)


def test_house_rules_are_those_of_the_game_that_is_chosen(visitor: Visitor) -> None:
    page = page_of(visitor(java_script_enabled=False), "/")
    page.locator("summary", has_text="House rules").click()
    games = page.locator(".game input").evaluate_all("games => games.map(game => game.value)")
    assert len(games) >= 5
    kit, more = page.locator(".kit"), page.get_by_role("button", name="House rules of the chosen game")
    expect(kit).to_have_count(1)
    expect(kit).to_be_visible()
    for chosen in (*games[1:], games[0]):
        before = kit.get_attribute("data-game")
        page.locator(".game", has=page.locator(f"[value='{chosen}']")).locator("label").click()
        expect(kit).to_be_hidden()  # these rules are of another game
        more.click()
        expect(kit).to_have_attribute("data-game", chosen)
        expect(kit).to_be_visible()
        expect(kit).to_have_count(1)
        expect(more).to_be_hidden()
        page.locator(".game", has=page.locator(f"[value='{before}']")).locator("label").click()
        expect(kit).to_be_hidden()
        page.locator(".game", has=page.locator(f"[value='{chosen}']")).locator("label").click()
        expect(kit).to_be_visible()


def test_the_lists_of_the_front_page_grow_while_they_are_looked_at(visitor: Visitor) -> None:
    context = visitor(keep="")
    page = page_of(context)
    page.clock.install()
    page.goto("/")
    page.locator("#code").fill("abc")
    page.locator("#name").fill("Ka")
    open_table(context, "Lou", people=2, listed=True)
    open_table(visitor(), "Zoe", people=2, listed=True)
    page.clock.fast_forward(16_000)
    expect(page.locator("#lobby")).to_contain_text("with Zoe")
    expect(page.locator("#mine")).to_contain_text("Waiting for players")
    expect(page.locator("#code")).to_have_value("abc")
    expect(page.locator("#name")).to_have_value("Ka")
    expect(page.locator("#name")).to_be_focused()


@pytest.fixture(scope="module")
def choice(standing: Visitor) -> Page:
    """A page at the second choice of a Midnight turn, with one die marked, for all tests."""
    return mine_to_keep(Scene(standing))


@pytest.fixture(scope="module")
def hand(standing: Visitor) -> Page:
    """A page with a hand of 420, with one die marked, for all tests."""
    page = hand_of_420(Scene(standing))
    page.locator("#dice [data-status=free]").first.click()
    expect(page.locator("#dice [data-status=marked]")).to_have_count(1)
    return page


@pytest.mark.nightly
def test_at_400_per_cent_the_focus_is_not_covered_either(choice: Page) -> None:
    choice.set_viewport_size(ZOOMED)  # type: ignore[arg-type]
    assert covered(choice) == []
    choice.set_viewport_size(DESKTOP)  # type: ignore[arg-type]


def test_where_motion_is_not_wanted_nothing_moves(visitor: Visitor) -> None:
    fades, moves = motion_of_a_turn(visitor, reduced_motion="reduce")
    assert moves == []
    assert fades, "a roll is seen all the same"
    assert max(fades) <= 120
    assert motion_of_a_turn(visitor, reduced_motion="no-preference")[1] != []


def motion_of_a_turn(visitor: Visitor, **settings: Any) -> tuple[list[float], list[str]]:
    """Play from the cup to the second choice. Return the ms of each fade, and the names of all other animated
    properties.
    """

    def watched(**more: Any) -> Any:
        context = visitor(keep="", **settings, **more)
        context.add_init_script(MOTION)
        return context

    noted = mine_to_keep(Scene(watched)).evaluate("motion")
    return [one["ms"] for one in noted if one["name"] == "opacity"], [
        one["name"] for one in noted if one["name"] != "opacity"
    ]


PLACES = """node => {
  const {backgroundImage, backgroundPosition} = getComputedStyle(node);
  return backgroundImage.includes('radial') && new Set(backgroundPosition.split(', ')).size;
}"""
"""A script that returns the number of different places of a face's pips. CSS repeats the places if there are fewer than
six.
"""


def test_in_forced_colours_pips_and_marks_are_still_there(choice: Page, hand: Page) -> None:
    for page in (choice, hand):
        page.emulate_media(forced_colors="active")
    page = choice
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    for die in page.locator("#dice .die:visible").all():
        dots = die.locator(".pips").evaluate(PLACES)
        assert str(dots) == die.get_attribute("data-face")
    marked = page.locator("#dice [data-status=marked] .pips")
    assert marked.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    won = page.locator("#rail .slot[data-won]").first
    assert won.evaluate("node => getComputedStyle(node).borderStyle") == "solid"
    assert str(won.locator(".pips").evaluate(PLACES)) == won.get_attribute("data-face")
    for status, style in (("marked", "solid"), ("reroll", "dashed")):
        pips = hand.locator(f"#dice [data-status={status}] .pips").first
        assert pips.evaluate("node => getComputedStyle(node).outlineStyle") == style
    for page in (choice, hand):
        page.emulate_media(forced_colors="none")


def test_dice_are_told_apart_by_shape_and_word_not_by_colour_alone(choice: Page, hand: Page) -> None:
    expect(choice.locator("#rail .slot[data-won]")).to_have_count(1)
    expect(choice.locator("#dice [data-status=locked]")).to_be_hidden()
    for shown, statuses in ((choice, ("free", "marked")), (hand, ("marked", "reroll"))):
        looks = []
        for status in statuses:
            die = shown.locator(f"#dice [data-status={status}]").first
            word = {"free": "", "marked": "keep", "reroll": "reroll"}[status]
            expect(die.locator(".word")).to_have_text(word)
            if word:
                expect(die.locator(".word")).to_be_visible()
            expect(die).to_have_attribute("aria-pressed", "true" if status == "marked" else "false")
            shown.evaluate("Promise.all(document.getAnimations().map(one => one.finished))")
            looks.append(die.evaluate(POSTURE))
        assert len(set(looks)) == len(looks), "square or askew, large or small"
        assert looks[statuses.index("marked")].startswith("0deg"), "square is chosen"


POSTURE = """node => {
  const {rotate, transform} = getComputedStyle(node.querySelector('.pips'));
  return `${rotate} ${transform}`;
}"""
MOTION = """
window.motion = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, facts) {
  const running = animate.call(this, frames, facts);
  const note = name => motion.push({name, ms: running.effect.getComputedTiming().endTime});
  for (const frame of running.effect.getKeyframes())
    Object.keys(frame).filter(name => !/offset|easing|composite/i.test(name)).forEach(note);
  return running;
};
addEventListener('transitionrun', ({propertyName}) => motion.push({name: propertyName, ms: 0}), true);
addEventListener('animationstart', ({animationName}) => motion.push({name: animationName, ms: 0}), true);
"""
"""An init script that records each animated property, and the ms."""


def test_the_sides_of_420_are_a_word_and_a_shape_at_the_name_of_each_seat(visitor: Visitor) -> None:
    (context, _), table = seated(visitor, "Bob", game="420", dice="real", rules={"format": "race"})
    page = page_of(context, table)
    seats = page.locator("#seats li")
    for mover in (0, 1):
        expect(seats.nth(mover)).to_have_attribute("data-turn", "true")
        for at, (word, shape) in enumerate((("Red", "●"), ("Blue", "■"))):
            expect(seats.nth(at).locator(".tag").first).to_have_text(word)
            expect(seats.nth(at).locator(".tag").first).to_be_visible()
            expect(seats.nth(at).locator(".shape")).to_have_text(shape)
            expect(seats.nth(at).locator(".shape")).to_be_visible()
        expect(page.locator("#log")).to_contain_text("You play Red, Bob plays Blue.")
        if not mover:
            assert ask(context, table, do="enter", dice="6541") == 200


def test_the_ring_of_the_focus_lies_outside_that_of_a_kept_die(choice: Page) -> None:
    page = choice
    page.emulate_media(reduced_motion="no-preference")
    die = page.locator("#dice [data-status=marked]").first
    page.keyboard.press("Tab")
    die.focus()
    die.hover()
    page.evaluate("Promise.all(document.getAnimations().map(one => one.finished))")  # until nothing moves
    offset, above, ring, rises = measured(
        die,
        """node => {
      const style = getComputedStyle(node), pips = node.querySelector('.pips');
      const rises = node.getBoundingClientRect().top - pips.getBoundingClientRect().top;
      return [parseFloat(style.outlineOffset), style.zIndex, getComputedStyle(pips).boxShadow, rises];
    }""",
    )
    assert "237, 182, 77) 0px 0px 0px 8px" in ring, "of brass, and where the pointer is on it too"
    assert offset - rises > 8
    assert above == "1"
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    page.emulate_media(reduced_motion="reduce")


def test_the_four_words_of_a_seat_can_be_read_as_they_are_typed(visitor: Visitor) -> None:
    _, table = Scene(visitor).table(people=3)
    page = page_of(visitor(viewport=SMALL), table)
    page.locator("summary", has_text="another phone").click()
    page.locator("#four").fill("amber otter plain river")
    assert measured(page.locator("#four"), "node => node.scrollWidth <= node.clientWidth")


def test_seats_are_told_apart_by_name_and_shape(visitor: Visitor) -> None:
    context = visitor()
    page = page_of(
        context, open_table(context, "Red", game="420", people=1, bots=["tip", "lucky"], rules={"format": "drinks"})
    )
    shapes = page.locator("#seats .shape").all_text_contents()
    names = page.locator("#seats .name").all_text_contents()
    assert len(set(shapes)) == len(set(names)) == 3
    assert names[0] == "Red"


PADDING = 4.8
"""The padding of a button that looks like a link, in px. If only paddings overlap, the words are apart."""


def test_what_stands_beside_each_other_on_the_smallest_phone_is_whole_in_german_too(hand: Page) -> None:
    page = hand
    page.set_viewport_size(SMALL)
    speak(page, "de")
    expect(page.locator("#unmark")).to_be_visible()
    expect(page.locator("#sure summary")).to_be_visible()
    boxes = [box_of(page.locator(place)) for place in ("#unmark", "#sure summary", "#story > summary")]
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            gap = max(other["x"] - one["x"] - one["width"], one["x"] - other["x"] - other["width"])
            assert (
                gap > -2 * PADDING or one["y"] >= other["y"] + other["height"] or other["y"] >= one["y"] + one["height"]
            ), boxes
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    speak(page, "en")


def test_what_is_too_long_for_the_line_over_a_table_ends_in_an_ellipsis(visitor: Visitor) -> None:
    page = page_of(visitor(viewport=SMALL, locale="de-DE"))
    page.goto(open_table(page.context, game="ship", people=2))
    facts = page.locator("#facts")
    expect(facts).to_contain_text("Schiff, Kapitän und Mannschaft")
    assert measured(facts, "node => node.scrollWidth > node.clientWidth"), "it is too long"
    assert measured(facts, "node => node.scrollHeight <= node.clientHeight + 1"), "no second line is cut off"
    expect(facts).to_have_css("text-overflow", "ellipsis")


DOUBLED = {"width": 195, "height": 422}
"""A window of 390 x 844 px, zoomed to 200 %."""
EDGE = """node => {
  const style = getComputedStyle(node);
  return Math.max(parseFloat(style.borderTopWidth), style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth));
}"""
"""A script that returns the width of the line round a button, in px."""


def test_pages_and_lobby_fit_a_phone_at_200_per_cent(visitor: Visitor) -> None:
    host = visitor(viewport=DOUBLED)
    table = open_table(host, people=None)
    sit(visitor(), table, "Ben")
    page = page_of(visitor(viewport=DOUBLED))
    for path in ("/", "/help", "/ask/midnight", "/rules/midnight"):
        page.goto(path)
        assert measured(page, WIDER) == [], path
    page = page_of(host, table)
    assert measured(page, WIDER) == []
    qr = box_of(page.locator(".invite .qr"))
    assert qr["x"] + qr["width"] <= DOUBLED["width"]


@pytest.mark.parametrize("tongue", LOCALES)
def test_the_front_page_with_one_s_own_tables_fits_it_too(tongue: str, visitor: Visitor) -> None:
    host = visitor(viewport=DOUBLED, locale=tongue)
    for game in ("midnight", "ship", "420"):
        open_table(host, "Maximiliane-Ottilie", game=game, people=2, listed=True, rules={})
    page = page_of(host, "/")
    expect(page.locator("#mine li:visible")).to_have_count(3)
    assert measured(page, WIDER) == []
    assert measured(page, MEET) == []


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
"""A script that returns the tiles of games, or their parts, that overlap another tile."""


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
        expect(page.locator("main form").first).to_be_visible(timeout=30_000)  # the house computes the day first
        for name in names:
            box = box_of(page.get_by_role("main").get_by_role("link", name=name))
            assert box
            assert box["height"] >= 24, name


APART = """() => {
  const dice = [...document.querySelectorAll('#dice .die')].map(die => die.getBoundingClientRect());
  const shown = dice.filter(({width}) => width);
  const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom
    && other.top < one.bottom;
  return shown.length > 1 && !shown.some((one, at) => shown.slice(at + 1).some(other => meet(one, other)));
}"""
"""A script: true if no die overlaps another."""


@pytest.mark.parametrize("game", ["midnight", "mexico"])
def test_at_200_per_cent_no_die_lies_on_another(game: str, visitor: Visitor) -> None:
    host = visitor(viewport=DOUBLED)
    table = open_table(host, game=game, bots=["tip"], rules={"format": "rounds 2"})
    assert ask(host, table, do="roll") == 200
    page = Scene(lambda: host).at(table, host)
    assert measured(page, APART)
    assert measured(page, WIDER) == []


def test_in_forced_colours_tiles_have_an_edge_and_chosen_ones_a_thick_one(visitor: Visitor) -> None:
    page = tiles_to_shut(Scene(visitor))
    page.emulate_media(forced_colors="active")
    up, chosen = (page.locator(f'.tile[data-number="{number}"]').evaluate(EDGE) for number in (2, 9))
    assert chosen > up >= 1
    page.emulate_media(forced_colors="none")
