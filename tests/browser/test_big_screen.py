"""The big screen: across a room with the longest names, what it laughs at, and what a phone shows of it."""

import pytest
from playwright.sync_api import Page, expect

from browser.scene import MIDNIGHT_3, Scene, Visitor, keep_all, play_itself_out, seated, speak
from support.browser import LOCALES, PHONE, PHONES, ask, box_of, open_table, page_of, sit

USUAL = {"reduced_motion": "reduce", "keep": "plain"}
TELEVISION = {"width": 1920, "height": 1080}
LONGEST = "Maximiliane-Ottilie"
OVER_THE_EDGE = """() => [...document.querySelectorAll('#table *')].filter(node => {
  const {left, right, bottom, width} = node.getBoundingClientRect();
  const isSeen = node.checkVisibility() && !node.closest('.unseen');
  return isSeen && width && (left < -1 || right > innerWidth + 1 || bottom > innerHeight + 1);
}).map(node => node.outerHTML.slice(0, 80))"""
MET = """() => [...document.querySelectorAll('#seats li')].filter(row => {
  const shown = [...row.children].filter(node => node.checkVisibility() && !node.matches('.unseen'));
  const boxes = shown.map(node => node.getBoundingClientRect()).filter(({width}) => width);
  const own = row.getBoundingClientRect();
  const isInside = box => box.left >= own.left - 1 && box.right <= own.right + 1;
  return !boxes.every(isInside) || boxes.some((box, at) => at && box.left < boxes[at - 1].right - 1);
}).map(row => row.textContent)"""
"""Seats of which something lies on something else, or beside the row."""


def _afar(visitor: Visitor, table: str) -> Page:
    page = Scene(lambda: visitor(viewport=TELEVISION)).at(f"{table}/big")
    page.wait_for_timeout(1000)  # until the dice lie
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
    assert page.evaluate(MET) == []
    assert page.evaluate(OVER_THE_EDGE) == []


def test_eight_at_the_table_and_ten_are_all_on_the_screen(visitor: Visitor) -> None:
    host = visitor()
    table = open_table(host, people=None, game="midnight", rules=MIDNIGHT_3)
    for name in ("Benedikt", "Charlotte", "Dieter", "Elisabeth", "Friederike", "Gustav", LONGEST):
        sit(visitor(), table, name)
    page = _afar(visitor, table)
    assert (page.evaluate(OVER_THE_EDGE), page.evaluate(MET)) == ([], [])
    for name in ("Ida", "Jo"):
        sit(visitor(), table, name)
    assert ask(host, table, do="start") == 200
    expect(page.locator("#seats .name")).to_have_count(10)
    assert (page.evaluate(OVER_THE_EDGE), page.evaluate(MET)) == ([], [])


def test_cup_and_dice_use_the_room_there_is(visitor: Visitor) -> None:
    host = visitor()
    table = open_table(host, people=2, rules=MIDNIGHT_3)
    sit(visitor(), table, "Ben")
    page = _afar(visitor, table)
    cup = box_of(page.locator("#cup svg"))
    assert cup["width"] >= 280
    assert ask(host, table, do="roll") == 200
    expect(page.locator("#dice .die:visible")).to_have_count(6)
    page.wait_for_timeout(1000)
    assert min(box_of(die)["width"] for die in page.locator("#dice .die:visible").all()) >= 190
    assert page.evaluate(OVER_THE_EDGE) == []


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
            assert (page.evaluate(OVER_THE_EDGE), page.evaluate(MET)) == ([], []), (tongue, size)
            rounds, die = box_of(page.locator("#won + .line")), box_of(page.locator("#won > span").last)
            assert die["width"] * 14 >= size["width"], "seen across a room"
            assert die["y"] + die["height"] <= rounds["y"]


def test_a_word_for_a_score_leaves_a_name_its_room(visitor: Visitor) -> None:
    """It cut "Ann" to "A"."""
    (host, guest), table = seated(visitor, "Ben", name="Charlotte", dice="real", rules={"format": "rounds 1"})
    page = _afar(visitor, table)
    for context, dice in ((host, "223355"), (guest, "664414")):
        assert ask(context, table, do="enter", dice=dice) == 200
        assert ask(context, table, do="bank", marks=[*range(6)]) == 200
        page.wait_for_timeout(500)
        shown = page.locator("#seats .who:visible")
        assert [who.evaluate("it => it.scrollWidth - it.clientWidth") for who in shown.all()] == [0, 0], dice
    expect(page.locator("#seats .score").first).to_have_text("nothing")
    assert (page.evaluate(OVER_THE_EDGE), page.evaluate(MET)) == ([], [])


def test_what_people_call_is_seen_there(visitor: Visitor) -> None:
    (_, guest), table = seated(visitor, LONGEST, rules=MIDNIGHT_3)
    page = _afar(visitor, table)
    assert ask(guest, table, do="react", phrase=0) == 200
    bubble = page.locator("#bubble")
    expect(bubble).to_have_text(f"{LONGEST}: Cheers!")
    expect(bubble).to_be_in_viewport(ratio=1)
    assert bubble.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 40
    assert page.evaluate(OVER_THE_EDGE) == []


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
