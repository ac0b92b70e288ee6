"""A choice taken back in two browsers: asked with one tap, and answered with one, on the smallest phone."""

import pytest
from playwright.sync_api import Page, expect

from browser.scene import Scene, Visitor, seated
from support.browser import SMALL, ask

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
    assert ben.evaluate(WIDE) <= 0
    for name in ("Agree", "No"):
        button = ben.get_by_role("button", name=name, exact=True)
        box = button.bounding_box()
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
