"""Moves on a page: tiles are tapped or chosen by keys, their move is on the gold button, and without scripts it is a
list.
"""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from browser.page_players import ByEar, listen, ready
from browser.scene import Visitor
from support.browser import PHONE, ask, open_table, page_of
from support.steady import box_of, measured, steady

DICE: dict[str, Any] = {"game": "shutbox", "dice": "real", "start": True, "rules": {"format": "rounds 1"}}


def entered(context: BrowserContext, table: str, *rolls: str) -> None:
    """Enter real dice without a page."""
    for roll in rolls:
        assert ask(context, table, do="enter", dice=roll) == 200


def view_of(context: BrowserContext, table: str) -> dict[str, Any]:
    view: dict[str, Any] = context.request.get(f"{table}/state").json()["view"]
    return view


def tile(page: Page, number: int) -> Any:
    return page.locator(f'.tile[data-number="{number}"]')


@pytest.mark.parametrize("keys", [False, True], ids=["tapped", "by key"])
def test_tiles_mean_a_move_which_is_gold_and_can_be_taken_back(visitor: Visitor, keys: bool) -> None:
    context = visitor(viewport=PHONE, reduced_motion="reduce")
    table = open_table(context, **DICE)
    entered(context, table, "66")
    page = page_of(context, table)
    main = page.locator("#main")
    expect(main).to_have_text("Choose what you take")
    expect(page.locator("#heading")).to_have_text("Your turn: shut 12")

    def press(number: int) -> None:
        if keys:
            page.keyboard.press(str(number))
        else:
            tile(page, number).click()

    press(9)
    expect(tile(page, 9)).to_have_attribute("aria-pressed", "true")
    expect(main).to_have_text("Choose what you take")
    expect(tile(page, 8)).to_have_attribute("aria-disabled", "true")
    press(9)
    expect(tile(page, 9)).to_have_attribute("aria-pressed", "false")
    press(9)
    press(3)
    expect(main).to_have_text("Shut 9 and 3")
    assert main.get_attribute("data-even") is None
    expect(page.locator("#moves")).not_to_be_visible()
    if keys:
        page.keyboard.press("r")
    else:
        main.click()
    expect(tile(page, 9)).to_have_attribute("aria-label", "9: down")
    expect(page.locator("#pad")).to_be_visible()
    assert [one["number"] for one in view_of(context, table)["things"]["tiles"] if not one["up"]] == [3, 9]


def test_each_key_at_tiles_says_which_key_is_next(visitor: Visitor) -> None:
    """R plays the chosen move, as in every game. It does all that Space would do."""
    context = visitor(reduced_motion="reduce")
    table = open_table(context, **DICE)
    entered(context, table, "63")
    ear = listen(context)
    page = page_of(context, table)
    ready(page)
    asker = ByEar(page, ear, "Ann")
    none_chosen = ["Nothing chosen.", "Choose with the number keys, such as 9."]
    assert asker.answer("r") == none_chosen
    assert asker.answer("9") == ["9 chosen. Space: Shut 9."]
    assert asker.answer("9") == none_chosen
    page.locator("#main").focus()
    assert asker.answer(" ") == none_chosen
    assert asker.answer("6") == ["6 chosen. You can add 1, 2 or 3."]
    assert asker.answer("b") == ["6 chosen. You can add 1, 2 or 3."]
    assert asker.answer("8") == ["8 can't be taken now."]
    page.evaluate("localStorage.pubdice = JSON.stringify({told: true, map: {main: '', roll: 'x'}})")
    page.reload()
    ready(page)
    assert asker.answer("9") == ["9 chosen. X: Shut 9."]
    assert asker.answer("x")[0] == "You shut 9."


def test_few_moves_are_buttons_side_by_side_and_have_numbers_as_keys(visitor: Visitor) -> None:
    context = visitor(viewport=PHONE, reduced_motion="reduce")
    table = open_table(context, **{**DICE, "rules": {"format": "rounds 1", "die": "may"}})
    for roll, action in (("54", "s9"), ("53", "s8"), ("52", "s7")):
        entered(context, table, roll)
        assert ask(context, table, do="choose", action=action) == 200
    page, held = page_of(context), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/moves.js", hold)
    page.goto(table)
    buttons = page.locator("#moves button")
    expect(buttons).to_have_text(["Roll one die", "Roll two dice"])
    came = buttons.element_handles()
    held[0].continue_()
    page.evaluate("address => import(address)", held[0].request.url)
    steady(page)
    one, two = (button.bounding_box() for button in came)
    assert one, "the buttons that the page came with stay, as a finger may lie on them"
    assert two
    assert (one["y"], one["height"]) == (two["y"], two["height"])
    assert abs(one["width"] - two["width"]) <= 1
    expect(page.locator("#main")).not_to_be_visible()
    page.locator("#heading").focus()
    page.keyboard.press("Space")
    heard = page.locator("#polite, #assertive")
    expect(heard.filter(has_text="1: Roll one die")).to_have_count(1)
    expect(heard.filter(has_text="2: Roll two dice")).to_have_count(1)
    page.keyboard.press("1")
    expect(page.locator("#pad")).to_be_visible()
    assert view_of(context, table)["due"] == 1


def test_without_scripts_the_moves_are_a_list_of_buttons(visitor: Visitor) -> None:
    context = visitor(viewport=PHONE, java_script_enabled=False)
    table = open_table(context, **DICE)
    entered(context, table, "66")
    page = page_of(context, table)
    expect(page.locator("#moves button")).to_have_count(12)
    page.get_by_role("button", name="Shut 7, 3 and 2").click()
    assert [one["number"] for one in view_of(context, table)["things"]["tiles"] if not one["up"]] == [2, 3, 7]


def test_twelve_tiles_have_two_rows_at_320_px_and_shift_reaches_the_last_three(visitor: Visitor) -> None:
    context = visitor(viewport={"width": 320, "height": 568}, reduced_motion="reduce")
    table = open_table(context, **{**DICE, "rules": {"format": "out 100", "tiles": "12", "die": "six"}})
    entered(context, table, "66")
    page = page_of(context, table)
    boxes = [box_of(page.locator(".tile").nth(number)) for number in range(12)]
    assert len({round(box["y"]) for box in boxes}) == 2
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 320 for box in boxes)
    assert all(box["width"] >= 40 and box["height"] >= 44 for box in boxes)
    assert measured(page, "document.documentElement.scrollWidth") <= 320
    for key, chosen in (("Shift+Digit1", 11), ("Digit1", 1)):
        page.keyboard.press(key)
        expect(tile(page, chosen)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#main")).to_have_text("Shut 11 and 1")
    page.keyboard.press("r")
    expect(tile(page, 11)).to_have_attribute("data-down", "")
    assert view_of(context, table)["things"]["counts"][0]["amount"] == "66"


def test_with_twelve_tiles_the_help_says_how_the_last_three_are_chosen(visitor: Visitor) -> None:
    """The help stopped at "1 to 9", and the example for the number keys was 12."""
    context = visitor(reduced_motion="reduce")
    table = open_table(context, **{**DICE, "rules": {"format": "out 100", "tiles": "12", "left": "digits"}})
    ear = listen(context)
    page = page_of(context, table)
    ready(page)
    page.locator("#heading").focus()
    page.keyboard.press("?")
    ear.until(page, r"^1 to 9 choose a move or a tile\. With Shift .*: Shift and 2 choose 12\.$")
    entered(context, table, "66")
    ear.until(page, r"^Up: 1 2 3 4 5 6 7 8 9 10 11 12\.$")
    assert "123456789101112" not in " ".join(ear.texts), "nobody wants to hear it"
    page.locator("#heading").focus()
    page.keyboard.press(" ")
    ear.until(page, r"^Choose with the number keys, such as 9, 3\.$")
