"""A choice taken back in two browsers: asked with one tap, answered with one tap or one key, on the smallest phone."""

import pytest
from playwright.sync_api import Page, expect

from browser.page_players import Ear, listen, ready
from browser.scene import WITH_AN_EAR, Scene, Visitor, keep_all, seated
from support.browser import SMALL, ask
from support.steady import box_of, measured

WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def chosen(visitor: Visitor, scheme: str) -> tuple[Page, Page]:
    """Return the pages of Ann and Ben after Ann has rolled, kept one die and rolled the others."""

    def small() -> object:
        return visitor(viewport=SMALL, has_touch=True, color_scheme=scheme)

    people, table = seated(small, "Ben", game="midnight", rules={"format": "rounds 2"})  # type: ignore[arg-type]
    scene = Scene(small)  # type: ignore[arg-type]
    assert ask(people[0], table, do="roll") == 200
    assert ask(people[0], table, do="roll", marks=[0]) == 200
    ann, ben = (scene.lay(scene.at(table, person)) for person in people)
    return ann, ben


def faces(page: Page) -> list[str]:
    found: list[str] = page.locator("#dice .die").evaluate_all("dice => dice.map(({dataset}) => dataset.face)")
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_other_player_agrees_with_one_tap_and_the_choice_is_open_again(visitor: Visitor, scheme: str) -> None:
    ann, ben = chosen(visitor, scheme)
    expect(ben.locator("#back")).to_be_hidden()
    ann.get_by_role("button", name="Take back").tap()
    expect(ann.get_by_text("You asked Ben if the last choice may come back.")).to_be_visible()
    expect(ann.locator("#back")).to_be_hidden()
    question = ben.locator(".foot-act .waiting")
    expect(question).to_have_text("Ann asks to take the last choice back. Do you agree?")
    assert measured(ben, WIDE) <= 0
    for name in ("Agree", "No"):
        button = ben.get_by_role("button", name=name, exact=True)
        box = box_of(button)
        assert box is not None
        assert box["height"] >= 44
        expect(button).to_be_in_viewport()
    ben.get_by_role("button", name="Agree", exact=True).tap()
    expect(question).to_have_count(0)
    expect(ann.locator("#dice .die[data-status=locked]")).to_have_count(0)
    expect(ann.locator("#back")).to_be_hidden()
    assert len(faces(ann)) == 6
    assert "The choice is taken back." in (ben.locator("#log").text_content() or "")


def test_one_no_and_the_choice_stands_for_good(visitor: Visitor) -> None:
    ann, ben = chosen(visitor, "light")
    before = faces(ann)
    ann.get_by_role("button", name="Take back").tap()
    ben.get_by_role("button", name="No", exact=True).tap()
    expect(ann.get_by_text("Ben says no. The choice stands.").first).to_be_attached()
    expect(ann.locator("#back")).to_be_hidden()
    expect(ben.locator(".foot-act .waiting")).to_have_count(0)
    assert faces(ann) == before


def test_after_the_turn_no_other_button_lies_on_the_one_that_asks(visitor: Visitor) -> None:
    """The calls across the table lay on it, so a finger sent "Cheers!"."""
    people, table = seated(
        lambda: visitor(viewport=SMALL, has_touch=True),
        "Ben",
        game="midnight",
        dice="real",
        rules={"format": "rounds 2"},
    )
    keep_all(people[0], table, "1 4 6 6 6 5")
    ann, ben = (Scene(visitor).at(table, person) for person in people)
    expect(ann.locator("#calls")).to_be_hidden()
    ann.get_by_role("button", name="Take back").tap()
    ben.get_by_role("button", name="No", exact=True).tap()
    expect(ann.locator("#calls")).to_be_visible()


def test_without_scripts_the_same_forms_ask_and_answer(visitor: Visitor) -> None:
    people, table = seated(
        lambda: visitor(java_script_enabled=False), "Ben", game="midnight", rules={"format": "rounds 2"}
    )
    assert ask(people[0], table, do="roll") == 200
    assert ask(people[0], table, do="roll", marks=[0]) == 200
    ann, ben = (Scene(visitor).at(table, person) for person in people)
    ann.get_by_role("button", name="Take back").click()
    ben.reload()
    ben.get_by_role("button", name="Agree", exact=True).click()
    ann.reload()
    expect(ann.locator("#dice .die")).to_have_count(6)
    expect(ann.get_by_role("button", name="Take back")).to_have_count(0)


def by_keys(visitor: Visitor, **more: object) -> tuple[list[tuple[Page, Ear]], str]:
    """Return the pages of Ann and Ben with an ear each, after Ann has kept one die and rolled the others."""
    kept = {"reduced_motion": "reduce", "keep": WITH_AN_EAR}
    people, table = seated(
        lambda: visitor(**kept),
        "Ben",
        game="midnight",
        rules={"format": "rounds 2"},
        **more,  # type: ignore[arg-type]
    )
    ears = [listen(person) for person in people]
    pages = [Scene(visitor).at(table, person) for person in people]
    for page in pages:
        ready(page)
    dice = {"dice": "1 4 6 6 5 2"} if more else {}
    assert ask(people[0], table, do="enter" if more else "roll", **dice) == 200
    assert ask(people[0], table, do="roll", marks=[0]) == 200
    return list(zip(pages, ears, strict=True)), table


@pytest.mark.parametrize(("key", "told"), [("1", "You agree"), ("2", "You say no")])
def test_a_key_answers_and_the_question_is_heard_with_its_keys(visitor: Visitor, key: str, told: str) -> None:
    """Without keys of their own the answers were 13 presses of Tab away."""
    ((ann, hers), (ben, his)), _ = by_keys(visitor)
    ann.keyboard.press("u")
    his.until(ben, r"Do you agree\?[^.]*")
    his.until(ben, r"^1: Agree\.")
    his.until(ben, r"^2: No\.")
    mark = len(hers.texts)
    ann.keyboard.press("u")
    hers.until(ann, r"^You asked Ben if the last choice may come back\.")
    assert not any("nothing to undo" in text for text in hers.texts[mark:])
    for asked in ("w", " ", "?", "3"):
        mark = len(his.texts)
        ben.keyboard.press(asked)
        his.settle(ben, 600)
        heard = " ".join(his.texts[mark:])
        assert "Ann asks to take the last choice back. Do you agree?" in heard, asked
        assert "1: Agree. 2: No." in heard, asked
    ben.keyboard.press(key)
    his.until(ben, f"^{told}")
    expect(ben.locator("#agreeing")).to_have_count(0)
    if key == "1":
        hers.until(ann, r"^Which dice do you keep\?")


def test_in_the_field_the_answers_are_named_as_they_are_typed(visitor: Visitor) -> None:
    ((ann, _), (ben, his)), _ = by_keys(visitor)
    ben.locator("#line").focus()
    ann.keyboard.press("u")
    his.until(ben, r"^Type agree or decline\.")
    ben.keyboard.type("decline\n")
    his.until(ben, "^You say no")


def test_after_an_answer_the_focus_goes_to_the_heading(visitor: Visitor) -> None:
    """It went to the place of the buttons, of which a screen reader said "clickable"."""
    ((ann, _), (ben, _)), _ = by_keys(visitor)
    ann.keyboard.press("u")
    ben.get_by_role("button", name="Agree", exact=True).press("Enter")
    expect(ben.locator("#agreeing")).to_have_count(0)
    expect(ben.locator("#heading")).to_be_focused()


def test_with_real_dice_a_player_can_ask_after_the_turn_too(visitor: Visitor) -> None:
    """Only the next player's page offered it, and asked in that player's name."""
    ((ann, _), (ben, _)), table = by_keys(visitor, dice="real")
    assert ask(ann.context, table, do="enter", dice="4 6 6 5 2") == 200
    assert ask(ann.context, table, do="roll", marks=[1, 2, 3, 4, 5]) == 200
    expect(ben.locator("#heading")).to_have_text("Your turn: roll 6 dice")
    expect(ben.locator("#back")).to_be_hidden()
    ann.keyboard.press("u")
    expect(ben.locator(".foot-act .waiting")).to_have_text("Ann asks to take the last choice back. Do you agree?")
