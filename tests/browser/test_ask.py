"""Ask the house on a phone: a position is entered by taps only, and kept in the address. Keys and ear work as well."""

import base64
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.scene import Scene, Visitor
from browser.states import receipt, receipt_asked
from pubdice.server.finished_match import FinishedMatch, with_turning_point
from pubdice.server.result_picture import FRAME, tall_picture, wide_picture
from pubdice.text.language import Language
from server.samples import advice as samples
from support.browser import PHONE, PHONES, SMALL, TONGUES, page_of
from support.steady import box_of

USUAL = {"keep": "plain"}


@pytest.mark.parametrize("key", ["Enter", " "])
def test_hands_are_told_by_keys_alone(visitor: Visitor, key: str) -> None:
    page = page_of(visitor(), "/ask/420")
    group = page.locator(".tap[data-for=hands]")
    for name in ("6", "6", "5", "2", "Next hand", "Next hand", "5"):
        group.get_by_role("button", name=name, exact=True).focus()
        page.keyboard.press(key)
    expect(page.locator("#hands")).to_have_value("6652,5")
    group.get_by_role("button", name="Delete last").focus()
    page.keyboard.press(key)
    expect(page.locator("#hands")).to_have_value("6652,")
    assert page.url.endswith("/ask/420"), "Enter taps; it does not send the form"


def test_the_dice_to_ask_about_are_two_keys_away(visitor: Visitor) -> None:
    page = page_of(visitor(), "/ask/midnight")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the dice")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="What did you roll?")).to_be_focused()
    page.keyboard.press("Tab")
    expect(
        page.get_by_role("button", name="What is best?")
    ).to_be_focused()  # Tab skips the dice to tap, as this player types
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Kept before")).to_be_focused()


GOLD = """() => {
  const gold = getComputedStyle(document.querySelector('form .main')).backgroundImage;
  return [...document.querySelectorAll('main *')].filter(node =>
    node.checkVisibility() && getComputedStyle(node).backgroundImage === gold).length;
}"""
"""A script that returns the number of elements as golden as the button that answers."""
ASKED_FIRST = {"en-GB": "What did you roll?", "de-DE": "Was hast du gewürfelt?", "es": "¿Qué has tirado?"}


@pytest.mark.parametrize("tongue", TONGUES)
def test_what_was_rolled_six_faces_and_the_answer_come_first_and_all_else_under_more(
    tongue: str, visitor: Visitor
) -> None:
    page = page_of(visitor(locale=tongue))
    for game in ("midnight", "ship", "threes", "mexico", "420"):
        page.goto(f"/ask/{game}")
        for size in PHONES:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            shown = page.locator("form label:visible, form [data-face]:visible, form .main")
            boxes = [box_of(one) for one in shown.all()]
            assert len(boxes) == 1 + 6 + 1, "a question, six faces, the answer"
            rows = sorted({box["y"] for box in boxes[1:7]})
            assert len(rows) == (2 if size is SMALL else 1)
            assert boxes[0]["y"] < rows[0], (game, size)
            assert rows[-1] + boxes[6]["height"] <= boxes[7]["y"], (game, size)
            assert boxes[7]["y"] + boxes[7]["height"] <= page.viewport_size["height"], (game, size)  # type: ignore[index]
        if game != "420":
            expect(page.locator("form label").first).to_have_text(ASKED_FIRST[tongue])
        assert page.evaluate(GOLD) == 1
        page.locator("form summary").first.click()
        expect(page.locator("form .tap .wide:last-child:visible")).to_have_count(1)
    page.goto("/ask/shutbox")
    page.set_viewport_size(SMALL)
    expect(page.locator("form .main:visible")).to_be_in_viewport(ratio=1)


def test_a_long_title_is_short_on_its_chip_and_whole_to_the_ear(visitor: Visitor) -> None:
    page = page_of(visitor(locale="de-DE", viewport=SMALL), "/ask/midnight")
    chips = page.locator(".chips a")
    assert len({round(box_of(chip)["y"]) for chip in chips.all()}) == 2, "two rows of six"
    expect(page.get_by_role("link", name="Schiff, Kapitän und Mannschaft")).to_have_text("Schiff")


def test_more_stands_open_where_something_in_it_is_at_fault_or_filled_in(visitor: Visitor) -> None:
    page = page_of(visitor(java_script_enabled=False))
    for query, is_open in (
        ("roll=1234567&need=1+4&ties=share", False), ("roll=666666&to-beat=99", True), ("locked=1&need=1+4", True),
        ("roll=66", False), ("roll=654321&wins=2,0", True), ("roll=654321&need=2+4&to-beat=x", True),
    ):  # fmt: skip
        page.goto(f"/ask/midnight?{query}")
        expect(page.locator("#refusal")).to_be_visible()
        expect(page.locator("#locked")).to_be_visible(visible=is_open)
    page.locator("#roll").fill("65432")
    page.locator("form .main").click()
    expect(page).to_have_url(re.compile("roll=65432"))


def test_lists_have_no_bullets_that_are_read_out(visitor: Visitor) -> None:
    page = page_of(visitor())
    for path in ("/help", "/privacy", "/book", "/rules/ship", "/rules/midnight"):
        page.goto(path)
        markers = page.evaluate("""[...document.querySelectorAll('ul > li')].map(item =>
          getComputedStyle(item).listStyleType)""")
        assert set(markers) <= {"none"}, path


def _asked(page: Page) -> Page:
    page.goto("/daily")
    expect(page.locator(".answers")).to_be_visible(timeout=30_000)
    return page


@pytest.mark.parametrize("tongue", TONGUES)
def test_one_tap_on_an_answer_is_the_answer_and_answers_are_equal_plates(tongue: str, visitor: Visitor) -> None:
    """Take a choice of Ship: to stop, or to give up the cargo. The second answer has a much longer text."""
    page = page_of(visitor(viewport=PHONE, has_touch=True, locale=tongue), "/drill/ship/5")
    plates = page.locator("main form button")
    expect(plates).to_have_count(2, timeout=30_000)
    for size in PHONES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        boxes = [box_of(plate) for plate in plates.all()]
        assert len({(round(box["width"]), round(box["height"])) for box in boxes}) == 1, (size, boxes)
        looks = plates.evaluate_all("plates => plates.map(one => getComputedStyle(one).background)")
        assert len(set(looks)) == 1, "none is golden"
    plates.last.tap()
    expect(page.locator(".keep.chosen")).to_be_visible()


NEED = """() => [...document.querySelectorAll('.free > *')].map(die => {
  const {color} = getComputedStyle(die.querySelector('.pips'));
  return [Number(die.dataset.face), color];
})"""


def test_only_a_face_that_is_still_needed_is_red_and_a_cargo_never_is(visitor: Visitor) -> None:
    page = page_of(visitor())
    seen = set()
    for number in range(1, 13):
        page.goto(f"/drill/ship/{number}")
        expect(page.locator(".answers")).to_be_attached(timeout=30_000)
        locked = [int(str(die.get_attribute("data-face"))) for die in page.locator(".locked > *").all()]
        red = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--need')")
        page.evaluate("red => { document.body.style.color = red; }", red)
        red = page.evaluate("getComputedStyle(document.body).color")
        for face, color in page.evaluate(NEED):
            if face in locked or face < 4:
                assert color != red, (number, face, "is no part of the crew any more")
            seen.add((face > 3, face in locked, color == red))
    assert (True, True, False) in seen, "a cargo with a face of the crew"
    assert (True, False, True) in seen, "a face that the crew lacks"


def test_a_bar_has_dice_or_words_beside_it(visitor: Visitor) -> None:
    page, words = page_of(visitor(viewport=PHONE)), set()
    for number in range(1, 9):
        page.goto(f"/drill/ship/{number}")
        expect(page.locator(".answers button").first).to_be_visible(timeout=30_000)
        page.locator(".answers button").first.click()
        expect(page.locator(".keep").first).to_be_visible()
        for row in page.locator(".keep").all():
            beside = box_of(row.locator(".dice"))
            assert beside["height"] >= 10
            assert row.locator(".mini").count() or row.locator(".dice").inner_text()
            words.add(row.locator(".dice").inner_text())
    assert "Give up the cargo" in words


def test_the_line_is_copied_and_that_is_said(visitor: Visitor) -> None:
    context = visitor(permissions=["clipboard-read", "clipboard-write"])
    page = _asked(page_of(context))
    page.locator(".answers button").first.press("Enter")  # not by tap: on some days dice cover the list
    page.evaluate("navigator.share = undefined")
    page.locator("#share").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.split() == page.locator("#line").inner_text().split()


def test_the_line_has_a_square_for_each_day_and_gives_nothing_away(visitor: Visitor) -> None:
    page = _asked(page_of(visitor()))
    answer = page.locator(".answers button").first.inner_text()
    page.locator(".answers button").first.press("Enter")  # not by tap: on some days dice cover the list
    line = page.locator("#line")
    grade = page.locator(".days li").get_attribute("class")
    square = {"best": "🟩", "close": "🟨", "off": "🟥"}[str(grade)]
    assert line.inner_text().splitlines()[1] == square
    assert answer not in line.inner_text()


def test_the_list_of_answers_shows_itself_to_keys_and_lays_the_dice(visitor: Visitor) -> None:
    page = page_of(visitor(), "/drill/threes/7")
    expect(page.locator(".taps")).to_be_attached(timeout=30_000)
    first = page.locator(".answers button").first
    assert page.locator(".answers").evaluate("node => getComputedStyle(node).position") == "absolute"
    first.focus()
    assert page.locator(".answers").evaluate("node => getComputedStyle(node).position") == "static"
    expect(page.locator(".free > .kept")).to_have_count(1)
    expect(page.locator("form .main")).to_have_text(first.inner_text())
    page.keyboard.press("Enter")
    expect(page.locator(".keep.chosen")).to_be_visible()


def test_in_420_to_keep_nothing_is_an_answer_of_its_own(visitor: Visitor) -> None:
    page = page_of(visitor(viewport=SMALL, has_touch=True), "/drill/420/7")
    expect(page.locator(".taps")).to_be_attached(timeout=30_000)
    expect(page.locator("form .second")).to_have_text("Reroll all four")
    page.locator("form .second").tap()
    expect(page.locator(".keep.chosen")).to_be_visible()
    assert page.url.endswith("keep=k-")


PIXELS = """async base64 => {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const ink = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  ink.drawImage(picture, 0, 0);
  return [[5, 5], [60, 60]].map(([x, y]) => [...ink.getImageData(x, y, 1, 1).data]);
}"""
SHARED_PICTURE = """() => {
  document.querySelector('[data-share="1"]').click();
  return shared.files?.[0].type === 'image/png' && shared.text.includes('/receipt');
}"""
"""A script that taps "Share", and returns true if a PNG goes with the text. It does so once the picture has loaded."""
HEADINGS = "nodes => nodes.map(node => [Number(node.tagName[1]), node.textContent.trim().replace(/\\s+/g, ' ')])"


@pytest.fixture(scope="module")
def page(standing: Visitor) -> Page:
    """A receipt for all tests of its page, as its match is analysed once."""
    return receipt(Scene(standing))


def press(page: Page, name: str) -> None:
    """Go to a link or button by Tab, and press Enter on it."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"Tab never comes to {name}")


def test_a_costly_choice_is_answered_by_keyboard_alone(visitor: Visitor) -> None:
    page = receipt_asked(Scene(visitor))
    expect(page.locator("#answer")).to_have_count(0)
    page.locator("#keep-1").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    press(page, "Answer")
    expect(page.locator("#answer")).to_be_focused()
    expect(page.locator("#answer")).to_contain_text(". ")


def test_by_ear_there_are_headings_a_table_for_the_picture_and_one_live_region(page: Page) -> None:
    heads = page.locator("main :is(h1, h2, h3)").evaluate_all(HEADINGS)
    assert heads[0][0] == 1
    assert heads[1] == [2, "Chance to win"], "the picture comes first"
    page.locator("#counted > summary").click()
    names = [name for _, name in heads]
    assert {"The choice that cost most", "Share it"} <= set(names), "there may be no roll that gained anything"
    assert page.locator("main :is([role=status], [aria-live])").count() == 1
    picture = page.get_by_role("img", name="Below, you can open a table of the numbers.")
    assert "at the start" in str(picture.get_attribute("aria-label"))
    page.locator("#moves summary").click()
    table = page.get_by_role("table").filter(has=page.get_by_role("columnheader", name="After"))
    assert table.get_by_role("row").count() > 2
    assert table.get_by_role("rowheader").first.inner_text() == "The start"


def test_the_line_is_shared_where_that_is_possible_and_else_copied_which_is_said(page: Page) -> None:
    page.evaluate("navigator.share = async what => (window.shared = what)")
    page.get_by_role("button", name="Share", exact=True).click()
    assert "/receipt" in page.evaluate("shared.text")
    page.locator("img.picture").scroll_into_view_if_needed()
    page.evaluate("void (navigator.canShare = ({ files }) => files.length === 1)")
    page.wait_for_function(SHARED_PICTURE)
    expect(page.locator("#told")).not_to_have_text("Copied.")
    page.evaluate("Object.defineProperty(navigator, 'share', { value: undefined })")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<textarea id=here></textarea>')")
    for name in ("Copy the link", "Share"):
        page.evaluate("document.getElementById('told').textContent = ''")
        page.evaluate("navigator.clipboard.writeText('nothing').catch(() => {})")
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("#told")).to_have_text("Copied.")
        page.locator("#here").fill("")
        page.locator("#here").focus()
        page.keyboard.press("Control+V")
        assert page.locator("#here").input_value().split() == page.locator("#share").inner_text().split()
        assert "/receipt" in page.locator("#here").input_value()


def test_the_picture_is_saved_as_a_png_and_without_javascript_as_an_svg(page: Page, visitor: Visitor) -> None:
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the picture").click()
    assert saved.value.suggested_filename == "pubdice.png"
    content = Path(saved.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    high = int(str(page.locator("img.picture").get_attribute("height")))
    assert (int.from_bytes(content[16:20]), int.from_bytes(content[20:24])) == (1080, high)
    frame, slate = page.evaluate(PIXELS, base64.b64encode(content).decode())
    assert frame == [0x65, 0x41, 0x27, 255], "it is drawn, and not blank"
    assert all(abs(one - other) <= 3 for one, other in zip(slate, [0x36, 0x47, 0x3F, 255], strict=True))
    plain = visitor(java_script_enabled=False).new_page()
    plain.goto(page.url)
    with plain.expect_download() as saved:
        plain.get_by_role("link", name="Save the picture").click()
    assert saved.value.suggested_filename == "pubdice.svg"
    assert b"<svg" in Path(saved.value.path()).read_bytes()


BOXES = """nodes => nodes.map(node => {
  const { x, y, width, height } = node.getBBox();
  return [x, y, x + width, y + height, node.textContent];
})"""
WIDE = "M" * 24
NAMES = (
    WIDE,
    "Wolfgang Amadeus Mozart",
    "نور الهدى عبدالرحمن",
    "O'Brien & Söhne",
    '<b>&amp;"</b>',
    "ßen",
    "Щ" * 24,
    "Zoë",
)


def match(seats: int, *, chart: bool) -> FinishedMatch:
    """Return a finished match of ``seats`` players with long names, and with all the facts that a picture can have."""
    names = NAMES[:seats]
    rows = tuple((name, "1,234" if at else "double 5") for at, name in enumerate(names)) if seats > 2 else ()
    found = replace(
        samples.finished(), title="Ship, Captain and Crew · 28 Sept.", lead=f"{names[0]} beats {names[-1]}", rows=rows,
        score="" if rows else "10 : 8", hand=(6, 6, 5, 4, 3), hand_told=f"{names[0]} owes {', '.join(names[1:])} one",
        question=f"Would you shut {WIDE}, 8, 7 and 2?", shown=f"{WIDE.lower()}.example:4224/t/KINHUK", chart=None,
        turned=("", ""), change="",
    )  # fmt: skip
    turn = samples.receipt(min(seats, 6)).turning
    return with_turning_point(found, replace(turn, names=names), Language()) if chart else found


@pytest.fixture(scope="module")
def drawn(standing: Visitor) -> Page:
    """A browser page that shows all pictures."""
    return standing().new_page()


@pytest.mark.parametrize("font", ["", "DejaVu Serif"])
@pytest.mark.parametrize("chart", [True, False], ids=["with a chart", "without"])
@pytest.mark.parametrize("seats", [1, 2, 4, 6, 8])
def test_every_text_stands_in_the_frame_and_over_no_other(drawn: Page, seats: int, font: str, *, chart: bool) -> None:
    if chart and seats > 6:
        seats = 5
    for svg in (tall_picture(match(seats, chart=chart))[0], wide_picture(match(seats, chart=chart))):
        drawn.set_content(f"<style>{f'text {{ font-family: {font} !important }}' if font else ''}</style>{svg}")
        wide, high = drawn.locator("svg").first.evaluate(
            "node => [node.viewBox.baseVal.width, node.viewBox.baseVal.height]"
        )
        boxes = drawn.locator("text").evaluate_all(BOXES)
        assert len(boxes) > 3
        out = [box for box in boxes if min(box[:2]) < FRAME or box[2] > wide - FRAME or box[3] > high - FRAME]
        assert not out
        plain = [box for box in boxes if box[4] not in NAMES[:seats]]  # names at lines may touch, as lines do
        for one, other in combinations(plain, 2):
            apart = one[2] <= other[0] or other[2] <= one[0]
            lower, upper = max(one[1], other[1]), min(one[3], other[3])
            assert apart or upper - lower < 0.35 * min(one[3] - one[1], other[3] - other[1]), (one, other)
