"""Single screens agree with the design: the parts in sight, their words, and the player they belong to."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.scene import MIDNIGHT_3, Scene, Visitor, keep_all, play_itself_out, seated, speak
from browser.states import hand_of_420, tiles_to_shut
from support.browser import LOCALES, PHONE, PHONES, SMALL, ask, open_table, page_of, sit
from support.steady import box_of, measured, steady

USUAL = {"reduced_motion": "reduce", "keep": "plain"}
"""Dice land at once. Other files test how they fall."""
ROOT = Path(__file__).parents[2]
TALL = {"width": 390, "height": 844}
SIZES = SMALL, TALL, {"width": 1280, "height": 900}


AtEnd = Callable[[str, str], Page]


@pytest.fixture(scope="module")
def hand(standing: Visitor) -> Page:
    """A page with a hand of 420 to choose from, for all tests."""
    return hand_of_420(Scene(standing))


@pytest.fixture(scope="module")
def at_end(standing: Visitor) -> AtEnd:
    """A function that opens the end of a match against Tip, as its player sees it. Each match is played once."""
    scene = Scene(standing)

    @cache
    def at_end(game: str, rules: str) -> Page:
        host, table = scene.table(game=game, people=1, bots=["tip"], rules={"format": rules})
        ask(host, table, do="give")
        play_itself_out(host, table)
        page = scene.lay(scene.at(table, host))
        expect(page.locator("#result")).to_be_visible()
        return page

    return at_end


ON_TOP = """node => {
  const {left, top, width, height} = node.getBoundingClientRect();
  const on = document.elementFromPoint(left + width / 2, top + height / 2);
  return node.contains(on) || on.contains(node);
}"""


@pytest.fixture(scope="module")
def first_turn(standing: Visitor) -> Page:
    """The page of Ann's first turn at a table with three bots, two of the same kind, for all tests."""
    scene = Scene(standing)
    host, table = scene.table(people=1, bots=["tip", "tip", "lucky"], rules=MIDNIGHT_3)
    page = scene.lay(scene.at(table, host))
    expect(page.locator("#main")).to_be_visible()
    return page


def test_what_kind_of_bot_sits_there_is_said_once(first_turn: Page) -> None:
    expect(first_turn.locator("#seats .name")).to_have_text(["Ann", "Tip", "Tip 2", "Lucky"])
    expect(first_turn.locator("#seats [data-kind=bot] .note")).to_have_text(["bot"] * 3)


def test_a_guest_who_shares_a_phone_has_it_in_hand_when_the_match_begins(visitor: Visitor) -> None:
    """The guest opened the page before any player had a seat on it."""
    host, phone = visitor(), visitor(viewport=TALL)
    table = open_table(host, "Ann", people=None, rules=MIDNIGHT_3)
    page = Scene(visitor).at(table, phone)
    page.locator("#name").fill("Bob")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_text("Someone on this phone").click()
    page.locator("#other").fill("Carl")
    page.locator("#other").press("Enter")
    expect(page.locator("#seats .name")).to_have_text(["Ann", "Bob", "Carl"])
    assert ask(host, table, do="move", seat=1, to=0) == 200
    assert ask(host, table, do="start") == 200
    expect(page.locator("#heading")).to_have_text("Bob's turn")
    expect(page.locator("#main")).to_have_text("Roll 6 dice")
    expect(page.locator("#pass")).to_be_hidden()


FAULTS = """() => {
  const isSeen = node => node.checkVisibility() && !node.closest('.unseen');
  const seen = [...document.querySelectorAll('#table *')].filter(isSeen);
  const faults = [];
  for (const node of seen) {
    const {left, top, right, bottom, width} = node.getBoundingClientRect();
    const name = node.outerHTML.slice(0, 60);
    const cut = left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
    if (width && cut) faults.push(`cut: ${name}`);
    const own = !node.closest('svg') && [...node.childNodes].some(one => one.nodeType === 3 && one.nodeValue.trim());
    if (own && parseFloat(getComputedStyle(node).fontSize) < 34) faults.push(`small: ${name}`);
  }
  return faults;
}"""


BELOW = "#rail:visible, #beam:visible, #things:visible"


@pytest.mark.parametrize("stage", ["gathering", "playing", "playing 420", "playing Shut the Box"])
def test_the_big_screen_can_be_read_across_a_room(stage: str, visitor: Visitor, request: pytest.FixtureRequest) -> None:
    scene = Scene(visitor)
    if stage == "playing 420":
        table = request.getfixturevalue("hand").url
    elif stage == "playing Shut the Box":
        table = tiles_to_shut(scene).url
    else:
        host = visitor()
        table = open_table(host, "Kim", people=None, dice="real", rules=MIDNIGHT_3)
        assert ask(host, table, do="share", name="Ben") == 200
        if stage == "playing":
            assert ask(host, table, do="start") == 200
            keep_all(host, table, "664414")
            assert ask(host, table, do="enter", dice="665541") == 200
    page = page_of(visitor(viewport={"width": 1920, "height": 1080}), f"{table}/big")
    assert measured(page, FAULTS) == []
    assert page.locator("#heading").evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 100
    down = [page.locator(part).first for part in ("#heading", "#status", "#dice .die:visible, #cup", BELOW)]
    tops = [measured(part, "node => node.getBoundingClientRect().top") for part in down if part.is_visible()]
    assert tops == sorted(tops), "whose turn it is, what to get, the dice, and what they make"
    assert box_of(page.locator(".qr"))["width"] >= (600 if stage == "gathering" else 250)
    if stage == "playing":
        others = page.locator("#seats li[data-turn=false]")
        expect(others.locator(".mini")).to_have_count(6)
        assert min(box_of(die)["width"] for die in others.locator(".mini").all()) >= 30
        expect(others.locator(".score")).to_have_text("20")
        expect(page.locator("#dice .die:visible")).to_have_count(6)
    if stage == "playing 420":
        rows = {round(box_of(die)["y"]) for die in page.locator("#dice li:visible").all()}
        assert len(rows) == 1
    if stage == "playing Shut the Box":
        expect(page.locator("#things .sum")).to_have_text("The box Left 36")


def test_the_rules_name_the_menus_way_to_choose_what_to_reroll(hand: Page) -> None:
    page = hand
    page.locator("#menu > summary").click()
    label = page.locator("label[for=swap]").inner_text()
    page.keyboard.press("Escape")
    assert f'"{label}"' in (ROOT / "docs/games/fourtwenty.md").read_text(encoding="utf-8")


def test_the_result_is_a_picture_to_save_and_words_to_copy_where_nothing_can_be_shared(at_end: AtEnd) -> None:
    page = at_end("midnight", "rounds 2")
    page.evaluate("Object.defineProperty(navigator, 'canShare', { value: undefined })")
    page.locator("[data-card]").click()
    dialog = page.locator("dialog.carding")
    expect(dialog).to_be_visible()
    assert measured(dialog.locator("canvas"), "node => node.getBoundingClientRect().width") > 200
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save picture").click()
    assert saved.value.suggested_filename == "pubdice.png"
    copy = dialog.locator("[data-copy]")
    copy.click()
    expect(copy).to_have_text("Copied ✓")
    expect(copy).to_have_text("Copy", timeout=4_000)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


ENDS = [
    ("midnight", "rounds 2"),
    ("420", "race"),
    pytest.param("mexico", "lives 1", marks=pytest.mark.nightly),
    pytest.param("shutbox", "rounds 2", marks=pytest.mark.nightly),
    pytest.param("midnight", "points 30", marks=pytest.mark.nightly),
    pytest.param("ship", "rounds 2", marks=pytest.mark.nightly),
    pytest.param("threes", "rounds 2", marks=pytest.mark.nightly),
    pytest.param("ship", "total 2", marks=pytest.mark.nightly),
]


@pytest.mark.parametrize(("game", "rules"), ENDS)
def test_the_end_is_seen_from_the_headline_down_to_the_button(game: str, rules: str, at_end: AtEnd) -> None:
    """Check places on the screen. The order in the document would not show a headline drawn below the dice."""
    page = at_end(game, rules)
    for size in SIZES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.evaluate("scrollTo(0, 0)")
        for place in ("#heading", ".underline", "#next #main"):
            expect(page.locator(place)).to_be_in_viewport(ratio=1)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")  # there the main button does not stick to the foot
        boxes = measured(page, BOXES, SEEN)
        assert {"#heading", ".underline", "#next #main", ".thirds"} <= {name for name, _, _ in boxes}
        for (above, _, bottom), (below, top, _) in pairwise(boxes):
            assert bottom <= top + 1, f"{below} reaches over {above} at {size}"


SEEN = ["#heading", ".underline", "#won", ".rest", "#turned", "#evening", "#next #main", ".thirds", "#more"]
"""The parts of a match's end, from the head to the foot."""
BOXES = """names => names.flatMap(name => {
  const box = document.querySelector(name)?.getBoundingClientRect();
  return box?.height ? [[name, box.top, box.bottom]] : [];
})"""


PHONES_AND_MORE = (*PHONES, {"width": 360, "height": 640}, {"width": 1280, "height": 800})
NAMES = "Ann", "Benedikt", "Charlotte", "Dieter", "Elisabeth", "Friederike", "Günther", "Hannelore"
HANDS = "664414", "666641", "663214", "222233", "664422", "555541", "222214", "331144"
"""Each player's real dice, all kept at once. Benedikt wins with 24."""


def over_with(scene: Scene, people: int, names: Sequence[str] = NAMES, **order: object) -> list[Page]:
    """Play a match of ``people`` players. Return each player's page of its end."""
    host, table = scene.table(people=people, name=names[0], dice="real", **order)
    everybody = [host, *[scene.visitor() for _ in range(people - 1)]]
    for guest, name in zip(everybody[1:], names[1:], strict=False):
        sit(guest, table, name)
    while (view := host.request.get(f"{table}/state").json()["view"])["stage"] != "over":
        person, dice = everybody[view["mover"]], HANDS[view["mover"]]
        keep_all(person, table, dice)
    return [scene.at(table, person) for person in everybody]


@pytest.mark.parametrize("people", [2, 5, 8])
def test_the_rematch_is_on_the_first_screen_of_every_phone(people: int, standing: Visitor) -> None:
    """Check the button for any number of players and any language. With too many rows it stays at the foot of the
    screen.
    """
    page = over_with(Scene(standing), people)[0]
    for tongue in ("en", "de", "es"):
        speak(page, tongue)
        for size in PHONES_AND_MORE:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.evaluate("scrollTo(0, 0)")
            for place in ("#heading", "#won", "#next #main"):
                expect(page.locator(place)).to_be_in_viewport(ratio=1)
            gold = page.locator("#next #main")
            assert measured(gold, ON_TOP)
            assert measured(page, "document.documentElement.scrollWidth") <= size["width"]


def test_of_eight_each_stands_beside_their_shape_however_long_the_name(standing: Visitor) -> None:
    names = "Maximiliane-Ottilie", "Wolfgang-Amadeus-M", "Elisabethcharlotte", "Ben", *NAMES[4:]
    page = over_with(Scene(standing), 8, names)[1]
    for size in (*PHONES, {"width": 1280, "height": 800}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        rows = measured(page, EVENING)
        assert len(rows) == 8
        for column, shape, name in rows:
            assert shape["right"] <= name["left"], (size, name)
            assert abs(shape["top"] + shape["bottom"] - name["top"] - name["bottom"]) < 10, "on one line"
            assert name["bottom"] - name["top"] < 30, "of one line"
            assert name["right"] <= column["right"] <= size["width"], (size, name)


EVENING = """() => [...document.querySelectorAll('#evening li')].map(row =>
  [row, row.querySelector('.shape'), row.querySelector('.name')].map(node => node.getBoundingClientRect().toJSON()))"""
"""A script that returns the boxes of each row of the evening, of its shape and of its name."""


def test_the_hand_that_won_lies_in_one_row_with_the_pips_red_that_were_red_in_play(standing: Visitor) -> None:
    page = over_with(Scene(standing), 2, rules={"format": "rounds 3"})[0]
    for size in PHONES_AND_MORE:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        dice = measured(page, WON)
        assert [face for face, _, _ in dice] == ["6", "6", "6", "6", "4", "1"]
        assert len({top for _, top, _ in dice}) == 1, "in one row"
        assert [is_red for _, _, is_red in dice] == [False] * 4 + [True] * 2


WON = """() => [...document.querySelectorAll('#won > *')].map(die => [
  die.dataset.face,
  Math.round(die.getBoundingClientRect().top),
  getComputedStyle(die.querySelector('.pips')).backgroundImage.includes('rgb(165, 35, 26)'),
])"""


def test_rounds_are_strokes_to_see_and_a_sentence_to_hear(standing: Visitor) -> None:
    page = over_with(Scene(standing), 2, rules={"format": "rounds 3"})[0]
    strokes = page.locator(".strokes svg")
    expect(strokes).to_have_count(1)  # Ann has won no match
    expect(strokes.locator("line")).to_have_count(3)
    expect(page.locator(".strokes")).to_have_text("24 in round 1 · rounds: Benedikt")
    told = page.locator(".rest").aria_snapshot()
    assert "24 in round 1. Rounds won: you have 0, Benedikt has 3." in told
    assert "rounds:" not in told
    sentence = box_of(page.locator(".rest").get_by_text("Rounds won"))
    assert sentence["width"] <= 1, "it is heard, and not seen"


def test_who_buys_has_a_tag_beside_the_name_and_a_sentence_by_ear(standing: Visitor) -> None:
    ann, ben = over_with(Scene(standing), 2)
    for page, told in ((ann, "You buy: no win yet."), (ben, "Ann buys: no win yet.")):
        rows = page.locator("#evening li")
        expect(rows.locator(".buys")).to_have_count(1)
        tag, name = box_of(rows.locator(".buys")), box_of(rows.filter(has_text="Ann").locator(".name"))
        assert name["x"] + name["width"] <= tag["x"], "beside the name"
        assert abs(name["y"] + name["height"] / 2 - tag["y"] - tag["height"] / 2) < 6
        heard = page.locator("#evening").aria_snapshot()
        assert told in heard
        assert heard.count("buy") == 1


def test_the_last_one_left_in_drinks_is_the_one_whose_dice_are_seen(standing: Visitor) -> None:
    scene = Scene(standing)
    host, table = scene.table(game="420", people=3, dice="real", rules={"format": "drinks"})
    everybody = [host, *[scene.visitor() for _ in range(2)]]
    for guest, name in zip(everybody[1:], ("Ben", "Dora"), strict=True):
        sit(guest, table, name)
    assert ask(host, table, do="draw", seat=0) == 200
    for roll in ("5555", "6544", "5555"):
        mover = host.request.get(f"{table}/state").json()["view"]["mover"]
        assert ask(everybody[mover], table, do="enter", dice=roll) == 200
    loser = host.request.get(f"{table}/state").json()["view"]["pays"][0]
    for seat, person in enumerate(everybody):
        page = scene.at(table, person)
        name = ("Ann", "Ben", "Dora")[loser]
        expect(page.locator("#heading")).to_have_text("You're buying!" if seat == loser else f"{name} is buying!")
        assert [face for face, _, _ in measured(page, WON)] == ["6", "5", "4", "4"]
        expect(page.locator(".rest")).to_contain_text("Last hand: 19")
        expect(page.locator(".crown")).to_have_count(0)
        lead = page.locator("#evening h2").inner_text()
        assert " and " in lead
        assert " and ".join(["and"] * 2) not in lead
        page.set_viewport_size(SMALL)
        expect(page.locator("#next #main")).to_be_in_viewport(ratio=1)


TELEVISION = {"width": 1920, "height": 1080}
LONGEST = "Maximiliane-Ottilie"
OVER_THE_EDGE = """() => [...document.querySelectorAll('#table *')].filter(node => {
  const {left, right, bottom, width} = node.getBoundingClientRect();
  const isSeen = node.checkVisibility() && !node.closest('.unseen');
  return isSeen && width && (left < -1 || right > innerWidth + 1 || bottom > innerHeight + 1);
}).map(node => node.outerHTML.slice(0, 80))"""
MET = """() => [...document.querySelectorAll('#seats li')].filter(row => {
  const shown = [...row.children].filter(node => node.checkVisibility() && !node.matches('.unseen'));
  const boxes = shown.map(node => node.getBoundingClientRect()).filter(({width}) => width)
    .sort((one, other) => one.left - other.left);
  const own = row.getBoundingClientRect();
  const isInside = box => box.left >= own.left - 1 && box.right <= own.right + 1;
  return !boxes.every(isInside) || boxes.some((box, at) => at && box.left < boxes[at - 1].right - 1);
}).map(row => row.textContent)"""
"""A script that returns the seats whose parts overlap, or lie outside the row."""


def _afar(visitor: Visitor, table: str) -> Page:
    page = Scene(lambda: visitor(viewport=TELEVISION)).at(f"{table}/big")
    steady(page)
    return page


def test_the_longest_names_push_nothing_out_of_its_row(visitor: Visitor) -> None:
    (host, _), table = seated(visitor, "Wolfgang-Amadeus-M", name=LONGEST, people=None, dice="real", rules=MIDNIGHT_3)
    page = _afar(visitor, table)
    names = page.locator("#seats .name, #seats .more > span:last-child")
    assert len({round(box_of(name)["x"]) for name in names.all()}) == 1, "room for more is aligned with them"
    expect(page.locator(".line").first).to_have_text("Get 1 and 4, then score high.")
    assert ask(host, table, do="start") == 200
    keep_all(host, table, "664414")
    expect(page.locator("#seats .score").first).to_have_text("20")
    assert measured(page, MET) == []
    assert measured(page, OVER_THE_EDGE) == []


def test_eight_at_the_table_and_ten_are_all_on_the_screen(visitor: Visitor) -> None:
    host = visitor()
    table = open_table(host, people=None, game="midnight", rules=MIDNIGHT_3)
    for name in ("Benedikt", "Charlotte", "Dieter", "Elisabeth", "Friederike", "Gustav", LONGEST):
        sit(visitor(), table, name)
    page = _afar(visitor, table)
    assert (measured(page, OVER_THE_EDGE), measured(page, MET)) == ([], [])
    for name in ("Ida", "Jo"):
        sit(visitor(), table, name)
    assert ask(host, table, do="start") == 200
    expect(page.locator("#seats .name")).to_have_count(10)
    assert (measured(page, OVER_THE_EDGE), measured(page, MET)) == ([], [])


def test_cup_and_dice_use_the_room_there_is(visitor: Visitor) -> None:
    host = visitor()
    table = open_table(host, people=2, rules=MIDNIGHT_3)
    sit(visitor(), table, "Ben")
    page = _afar(visitor, table)
    cup = box_of(page.locator("#cup svg"))
    assert cup["width"] >= 280
    assert ask(host, table, do="roll") == 200
    expect(page.locator("#dice .die:visible")).to_have_count(6)
    assert min(box_of(die)["width"] for die in page.locator("#dice .die:visible").all()) >= 190
    assert measured(page, OVER_THE_EDGE) == []


@pytest.mark.parametrize("winners", [1, 3])
def test_however_long_the_names_the_end_of_a_match_is_whole(winners: int, visitor: Visitor) -> None:
    people = [visitor() for _ in range(4)]
    table = open_table(people[0], LONGEST, people=4, dice="real", rules=MIDNIGHT_3)
    others = "Wolfgang-Amadeus-M", "Charlotte-Elisabeth", "Benedikt-Johannes"
    for person, name in zip(people[1:], others, strict=True):
        sit(person, table, name)
    while (view := people[0].request.get(f"{table}/state").json()["view"])["stage"] == "playing":
        dice, mover = "664414" if view["mover"] < winners else "555314", people[view["mover"]]
        keep_all(mover, table, dice)
    page = _afar(visitor, table)
    for tongue in LOCALES:
        speak(page, tongue)
        for size in (TELEVISION, {"width": 1280, "height": 720}):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert (measured(page, OVER_THE_EDGE), measured(page, MET)) == ([], []), (tongue, size)
            rounds, die = box_of(page.locator("#won + .line")), box_of(page.locator("#won > span").last)
            assert die["width"] * 14 >= size["width"], "seen across a room"
            assert die["y"] + die["height"] <= rounds["y"]


def test_a_word_for_a_score_leaves_a_name_its_room(visitor: Visitor) -> None:
    """A long word would cut "Ann" to "A"."""
    (host, guest), table = seated(visitor, "Ben", name="Charlotte", dice="real", rules={"format": "rounds 1"})
    page = _afar(visitor, table)
    for context, dice in ((host, "223355"), (guest, "664414")):
        assert ask(context, table, do="enter", dice=dice) == 200
        assert ask(context, table, do="bank", marks=[*range(6)]) == 200
        page.wait_for_timeout(500)
        shown = page.locator("#seats .who:visible")
        assert [measured(who, "it => it.scrollWidth - it.clientWidth") for who in shown.all()] == [0, 0], dice
    expect(page.locator("#seats .score").first).to_have_text("nothing")
    assert (measured(page, OVER_THE_EDGE), measured(page, MET)) == ([], [])


def test_what_people_call_is_seen_there(visitor: Visitor) -> None:
    (_, guest), table = seated(visitor, LONGEST, rules=MIDNIGHT_3)
    page = _afar(visitor, table)
    assert ask(guest, table, do="react", phrase=0) == 200
    bubble = page.locator("#bubble")
    expect(bubble).to_have_text(f"{LONGEST}: Cheers!")
    expect(bubble).to_be_in_viewport(ratio=1)
    assert bubble.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 40
    assert measured(page, OVER_THE_EDGE) == []


def test_on_a_phone_nothing_of_it_reaches_over_the_edge_or_over_what_is_below(visitor: Visitor) -> None:
    host = visitor()
    table = open_table(host, bots=["tip"])
    assert ask(host, table, do="roll") == 200
    page = Scene(lambda: visitor(viewport=PHONE)).at(f"{table}/big")
    dice, below = box_of(page.locator("#dice .die:visible").last), box_of(page.locator("#rail"))
    assert dice["y"] + dice["height"] <= below["y"]
    expect(page.get_by_role("link", name="Back to the table")).to_be_in_viewport(ratio=1)
    assert ask(host, table, do="give") == 200
    play_itself_out(host, table)
    page.goto(f"{table}/big")
    line = box_of(page.locator(".underline"))
    assert line["x"] >= 0
    assert line["x"] + line["width"] <= PHONE["width"]


def test_a_phone_says_what_to_open_on_the_television_and_becomes_none(visitor: Visitor) -> None:
    host = visitor()
    table = open_table(host, people=None)
    page = page_of(host, table)
    afar, link = page.locator(".chips .afar").first, page.locator(".chips [href$='/big']").first
    code = page.locator(".invite .bigcode").inner_text().replace("\n", "").replace(" ", "")
    for size in PHONES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        expect(afar).to_have_text(f"On the TV: open {page.url.split('/')[2]}/t/{code}/big")
        expect(link).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(afar).to_be_hidden()
    expect(link).to_be_visible()
    afar_off = page_of(visitor(viewport={"width": 1920, "height": 1080}), f"/t/{code.lower()}/big")
    expect(afar_off.locator("#heading")).to_have_text("Join this table")
    expect(afar_off.locator("#back-to")).to_be_hidden()
    afar_off.set_viewport_size(PHONE)
    afar_off.get_by_role("link", name="Back to the table").click()
    expect(afar_off.get_by_role("button", name="Sit down")).to_be_visible()
