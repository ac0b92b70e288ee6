"""A match's review and positions to answer by the keys of a table: what is heard is seen, and each key has a button."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.page_players import Ear, listen
from browser.scene import WITH_AN_EAR, Scene, Visitor
from browser.states import drill_asked, receipt, receipt_asked
from support.browser import PHONE, SMALL
from support.steady import measured

USUAL = {"reduced_motion": "reduce", "keep": WITH_AN_EAR}
CURRENT = "#choices [aria-current]"
SEEN = """node => {
  const [box, list] = [node.getBoundingClientRect(), node.parentElement.getBoundingClientRect()];
  return box.top >= Math.max(0, list.top) - 1 && box.top < Math.min(innerHeight, list.bottom);
}"""
"""A script: true if the choice begins inside its list and the window."""


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _press(page: Page, ear: Ear, key: str) -> str:
    """Press a key. Return all that is heard until it is silent."""
    ear.settle(page)
    page.keyboard.press(key)
    return _spaced(" ".join(ear.settle(page)))


def _review(visitor: Visitor, **settings: object) -> tuple[Page, Ear, int]:
    """A review's page, its ear, and the number of choices. The match is played until a choice lost something."""
    ears: list[Ear] = []

    def heard() -> object:
        context = visitor(**settings)
        ears.append(listen(context))
        return context

    for _ in range(5):
        page = receipt(Scene(heard))  # type: ignore[arg-type]
        if page.locator("#choices .worst").count():
            return page, ears[-1], page.locator("#choices li").count()
    raise AssertionError("nobody ever errs")


@pytest.fixture(scope="module")
def review(standing: Visitor) -> tuple[Page, Ear, int]:
    """A review for all tests that only read it, as its match is analysed once."""
    return _review(standing)


def test_a_whole_review_is_heard_by_the_space_bar_from_the_first_choice_to_the_last(
    review: tuple[Page, Ear, int],
) -> None:
    page, ear, most = review
    page.reload()
    for number in range(1, most + 1):
        heard = _press(page, ear, "Space" if number % 2 else "r")
        assert heard.startswith(f"Choice {number} of {most}: ")
        assert re.search(r"Dice: [1-6 ]+\. (You|Lucky) kept .*(Nothing was better\.|loses .* is best\.)$", heard)
        expect(page.locator(CURRENT)).to_have_count(1)
        expect(page.locator(CURRENT)).to_have_id(f"choice-{number}")
        seen = _spaced(page.locator(CURRENT).inner_text())
        assert seen.startswith(heard), "spoken is what is seen"
        assert measured(page.locator(CURRENT), SEEN)
    assert _press(page, ear, "Space") == f"This match has choices 1 to {most}."
    expect(page.locator(CURRENT)).to_have_id(f"choice-{most}")
    assert ear.faults == []


def test_each_key_of_a_table_says_its_part_of_the_choice(review: tuple[Page, Ear, int]) -> None:
    page, ear, most = review
    page.reload()
    data = page.request.get(page.url, headers={"accept": "application/json"}).json()
    worst = 1 + max(range(most), key=lambda at: data["decisions"][at]["lost"])
    assert _press(page, ear, "w").startswith(f"Choice 1 of {most}: "), (
        "the first key of a part comes to the first choice"
    )
    whole = _press(page, ear, "m")
    assert whole.startswith(f"Choice {worst} of {most}: ")
    assert _press(page, ear, "l").rstrip() == whole
    where, hand, cost = (_press(page, ear, key) for key in "whc")
    assert whole.startswith(f"{where} {hand} ")
    assert whole.endswith(f" {cost}")
    assert re.search(r"loses .* is best\.$", cost)
    assert _press(page, ear, "t") == _press(page, ear, "s") in _spaced(page.locator(CURRENT).inner_text())
    assert _press(page, ear, "2").startswith(f"Choice 2 of {most}: ")
    assert _press(page, ear, "u").startswith(f"Choice 1 of {most}: ")
    assert _press(page, ear, "Backspace") == f"This match has choices 1 to {most}."
    number = 11 if most > 10 else most + 1
    heard = _press(page, ear, "Shift+Digit1")
    assert heard.startswith(f"Choice {number} of " if most > 10 else "This match has")
    told = _press(page, ear, "?")
    for way in ("U: Back.", "Space: Next.", "M: The worst.", "L: Again.", "W: Which choice.", "H: The dice."):
        assert way in told
    for way in ("T: To beat.", "C: What it cost.", "question mark: All the keys.", "1 to 9 go to a choice."):
        assert way in told


def test_each_key_has_a_button_that_says_the_same_and_is_pressed_once(review: tuple[Page, Ear, int]) -> None:
    page, ear, most = review
    page.reload()
    page.locator("#choices summary").click()
    said = {
        "Next": f"Choice 1 of {most}",
        "Again": "Choice 1",
        "The dice": "",
        "To beat": "",
        "Which choice": "Choice 1 of",
    }
    for name, begins in {**said, "What it cost": "", "The worst": "Choice", "All the keys": "U: Back."}.items():
        ear.settle(page)
        page.get_by_role("button", name=name, exact=True).click()
        heard = ear.settle(page)
        assert heard, name
        assert heard[0].startswith(begins)
    page.get_by_role("button", name="Next", exact=True).focus()
    page.keyboard.press("2")
    assert _press(page, ear, "Enter").startswith("Choice 3 of" if most > 2 else "This match")
    page.get_by_role("button", name="Back", exact=True).focus()
    assert _press(page, ear, "Space").startswith("Choice 2 of"), "a button in focus is pressed, and nothing else"


def test_a_field_keeps_its_letters_and_the_keys_can_be_switched_off(review: tuple[Page, Ear, int]) -> None:
    page, ear, _ = review
    page.reload()
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<input id=here>')")
    page.locator("#here").focus()
    ear.settle(page)
    page.keyboard.type("while humbly 12?")
    assert ear.settle(page) == []
    assert page.locator("#here").input_value() == "while humbly 12?"
    page.locator("#choices summary").click()
    page.get_by_label("Keys", exact=True).uncheck()
    for key in ("r", "m", "2", "w"):
        assert _press(page, ear, key) == ""
    expect(page.locator(CURRENT)).to_have_count(0)
    page.reload()
    assert _press(page, ear, "r") == "", "the choice is kept on this device"
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(CURRENT)).to_have_count(1)
    page.locator("#choices summary").click()
    page.get_by_label("Keys", exact=True).check()
    page.locator("h1").click()
    assert _press(page, ear, "w").startswith("Choice 1 of")


@pytest.mark.parametrize(
    ("locale", "where", "ways"),
    [("de", "Entscheidung 1 von", "M: Die teuerste."), ("es", "Decisión 1 de", "M: La peor.")],
)
def test_it_is_said_in_the_readers_language_and_fits_the_smallest_phone(
    locale: str, where: str, ways: str, visitor: Visitor
) -> None:
    page, ear, _ = _review(visitor, locale=locale, viewport=SMALL)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.reload()
        assert _press(page, ear, "Space").startswith(where)
        assert measured(page, "document.documentElement.scrollWidth <= innerWidth")
        assert measured(page.locator(CURRENT), SEEN)
        colour = page.locator(CURRENT).evaluate("node => getComputedStyle(node).outlineWidth")
        assert colour == "3px"
    assert ways in _press(page, ear, "?")


def _drill(visitor: Visitor) -> tuple[Page, Ear]:
    context = visitor(viewport=PHONE)
    ear = listen(context)
    return drill_asked(Scene(lambda **_: context)), ear


def test_a_drill_is_answered_and_goes_on_by_the_keys_of_a_table(visitor: Visitor) -> None:
    page, ear = _drill(visitor)
    hand = _press(page, ear, "h")
    dice = re.findall(r"[1-6]", hand.partition("To choose from: ")[2])
    assert len(dice) == page.locator(".free > [data-face]").count()
    assert _press(page, ear, "w") == "Threes: position 1."
    assert _press(page, ear, "Space") == "Choose the dice you keep."
    assert _press(page, ear, "1") == f"Keep {dice[0]}."
    expect(page.locator(".free .kept")).to_have_count(1)
    assert _press(page, ear, "1") == "Choose the dice you keep."
    assert _press(page, ear, f"Shift+Digit{dice[1]}") == f"Keep {dice[1]}."
    assert _press(page, ear, "u") == "Choose the dice you keep."
    assert _press(page, ear, "m") == ""
    assert "Space: Choose the dice you keep." in _press(page, ear, "?")
    _press(page, ear, "1")
    page.keyboard.press("r")
    expect(page.locator(".keeps")).to_be_visible()
    last, cost, score = (_press(page, ear, key) for key in "lcs")
    assert re.match(r"(Best!|Close: |.* off)", last)
    assert last.endswith(cost)
    assert re.fullmatch(r"[01] of 1 right\.", score)
    assert _press(page, ear, "u") == "Nothing to tell just now."
    assert "Space: Next position." in _press(page, ear, "?")
    page.keyboard.press("Space")
    page.wait_for_url(re.compile(r"/drill/threes/\d+$"))
    expect(page.locator(".answers")).to_be_attached()
    assert re.fullmatch(r"Threes: position \d+\.", _press(page, ear, "w"))
    assert ear.faults == []


def test_a_costly_choice_is_played_again_by_number_and_the_space_bar(visitor: Visitor) -> None:
    context = visitor()
    ear = listen(context)
    page = receipt_asked(Scene(lambda **_: context))
    assert re.search(r"What would you do( now)?\? [1-6 ]+\.$", _press(page, ear, "h"))
    page.keyboard.press("2")
    expect(page.locator("#keep-2")).to_be_focused()
    expect(page.locator("#keep-2")).to_be_checked()
    page.keyboard.press("r")
    expect(page.locator("#answer")).to_be_focused()
    assert _spaced(page.locator("#answer").inner_text()).removesuffix(".") in _press(page, ear, "l")
    page.keyboard.press("Space")
    expect(page.locator("#answer")).to_have_count(0)
