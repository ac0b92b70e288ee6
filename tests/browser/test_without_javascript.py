"""The house without JavaScript: forms and links do all, by pointer, and by Tab and Enter."""

import re
from collections.abc import Callable
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from browser.page_players import keep_at_420, keep_at_midnight
from browser.scene import Visitor
from support.browser import PHONE, SMALL, open_table, page_of

USUAL = {"keep": "plain"}

Press = Callable[[Page, str], None]


def press_and_load(page: Page, button: Locator, *, force: bool = False) -> None:
    """Press a button, and wait for the whole next page. Half a page may have no buttons yet, or the old ones."""
    with page.expect_navigation():
        button.click(force=force)


def click(page: Page, selector: str) -> None:
    """Press a control with the pointer."""
    press_and_load(page, page.locator(selector).first)


def tab_and_enter(page: Page, selector: str) -> None:
    """Go to a control with Tab, and press it with Enter."""
    thing = page.locator(selector).first.element_handle()
    for _ in range(120):
        if thing.evaluate("node => node === document.activeElement"):
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")


def tab_at_first(page: Page, selector: str) -> None:
    """Press the first two controls of each kind by Tab and Enter, and later ones with the pointer.

    Each press of Tab costs a question to the browser. For a whole match that would be 5 s of processor more.
    """
    kind = selector.partition(" [data-place")[0]
    pressed = _pressed.setdefault(page, [])
    pressed.append(kind)
    (tab_and_enter if pressed.count(kind) <= 2 else click)(page, selector)


_pressed: WeakKeyDictionary[Page, list[str]] = WeakKeyDictionary()
"""The controls pressed on each page, by kind. All dice are one kind."""


def dice(page: Page, status: str) -> list[tuple[str, int]]:
    """Return the places and faces of the dice of a status."""
    found: list[list[str]] = page.locator(f"#dice .die[data-status={status}]:not([hidden])").evaluate_all(
        "dice => dice.map(({dataset}) => [dataset.place, dataset.face])"
    )
    return [(place, int(face)) for place, face in found]


def play(page: Page, game: str, press: Press) -> str:
    """Press until the result is shown. Return its text."""
    for _ in range(150):
        if page.locator("#result").count():
            return page.locator("#heading").inner_text()
        if not page.locator("#main:not([hidden])").count():
            press(page, "#play .nojs a")
            continue
        free = dice(page, "free")
        if free and not dice(page, "marked") and page.locator("#dice [name=mark]").count():
            faces = [face for _, face in free]
            locked = [face for _, face in dice(page, "locked")]
            keeps = keep_at_420(faces) if game == "420" else keep_at_midnight(locked, faces)
            for place, face in free:
                if face in keeps:
                    keeps.remove(face)
                    press(page, f"#dice [data-place='{place}']")
                    expect(page.locator(f"#dice [data-place='{place}']")).to_have_attribute("data-status", "marked")
        press(page, "#main")
    raise AssertionError("no end")


MIDNIGHT, RACE = ("midnight", {"format": "rounds 1"}), ("420", {"format": "race"})


@pytest.mark.parametrize(
    ("game", "rules", "press"),
    [
        pytest.param(*MIDNIGHT, tab_at_first, id="midnight, tab and enter at first"),
        pytest.param(*MIDNIGHT, tab_and_enter, id="midnight, tab and enter", marks=pytest.mark.nightly),
        pytest.param(*RACE, click, id="420, pointer", marks=pytest.mark.nightly),
        pytest.param(*MIDNIGHT, click, id="midnight, pointer", marks=pytest.mark.nightly),
        pytest.param(*RACE, tab_and_enter, id="420, tab and enter", marks=pytest.mark.nightly),
    ],
)
def test_a_game_is_played_by_forms(game: str, rules: dict[str, str], press: Press, visitor: Visitor) -> None:
    context = visitor(java_script_enabled=False, viewport=PHONE)
    page = page_of(context, open_table(context, game=game, rules=rules, bots=["tip"]))
    assert re.search("win|tie", play(page, game, press))
    expect(page.locator("#log li").last).to_contain_text(re.compile("win|tie"))
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(re.compile("/t/[A-Z]{6}"))
    expect(page.locator("#seats .name")).to_have_text(["Ann", "Tip"])


def fresh(visitor: Visitor) -> tuple[BrowserContext, Page]:
    context = visitor(java_script_enabled=False)
    return context, page_of(context)


def test_a_table_is_set_up_found_joined_and_left_by_forms(visitor: Visitor) -> None:
    _, ann = fresh(visitor)
    ann.goto("/")
    ann.locator("#open .main").click()
    expect(ann.locator("#refusal")).to_be_visible()
    ann.locator("#name").fill("Ann & Co")
    ann.locator("#name").press("Enter")
    ann.wait_for_url(re.compile("/t/[A-Z]{6,9}-"))
    code = " ".join(ann.locator(".bigcode").inner_text().split())
    _, bob = fresh(visitor)
    bob.goto("/")
    bob.locator("#code").fill(code.lower())
    bob.get_by_role("button", name="Join").click()
    bob.wait_for_url("**/t/" + code.replace(" ", "") + "-*")
    bob.locator("#sit [name=name]").fill("Bob")
    bob.get_by_role("button", name="Sit down").click()
    expect(bob.locator("#seats .name")).to_have_text(["Ann & Co", "Bob"])
    ann.reload()
    ann.locator("#start button").first.click()
    bob.locator("#menu > summary").click()
    bob.locator("#mine > summary").click()
    words = bob.locator(".four").inner_text()
    _, phone = fresh(visitor)
    phone.goto(bob.url)
    phone.locator("summary", has_text="another phone").click()
    phone.locator("#four").fill("these are not right")
    phone.get_by_role("button", name="Continue here").click()
    expect(phone.locator("#why")).to_have_text("No seat at this table has those four words. Check them.")
    phone.locator("#four").fill(words)
    phone.get_by_role("button", name="Continue here").click()
    expect(phone.locator("#seats [data-seat='1'] .tag")).to_have_text("you")
    phone.locator("#menu > summary").click()
    leave = phone.get_by_role("button", name="Yes, leave")
    expect(leave).to_be_hidden()
    phone.locator("#leaving > summary").click()
    expect(phone.locator("#leave")).to_contain_text("A bot takes your seat")
    leave.click()
    expect(phone.locator("#sit")).to_be_visible()
    expect(phone.locator("#seats .name").last).to_have_text("Tip")
    phone.locator("#sit [name=name]").fill("Cy")
    phone.get_by_role("button", name=re.compile("^Take over from Tip")).click()
    expect(phone.locator("#seats [data-seat='1'] .tag").first).to_have_text("you")


def test_a_refused_form_comes_back_with_the_reason_in_the_title_and_the_focus_where_it_is_wrong(
    visitor: Visitor,
) -> None:
    page = page_of(visitor(java_script_enabled=False, viewport=SMALL), "/")
    page.locator("#open .main").click()
    expect(page.locator("#refusal")).to_be_visible()
    assert page.title().startswith(page.locator("#refusal").inner_text())
    name = page.locator("#name")
    expect(name).to_be_focused()
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_have_attribute("aria-describedby", "refusal")
    for shown in (name, page.locator("#refusal")):
        expect(shown).to_be_in_viewport(ratio=1)
    page.goto("/")
    page.locator("#code").fill("ABC")
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#code")).to_be_focused()
    expect(page.locator("#code")).to_have_attribute("aria-describedby", "refusal")
    assert page.title().startswith(page.locator("#refusal").inner_text())


@pytest.mark.nightly
def test_a_refusal_at_the_table_is_in_sight_and_one_at_a_field_has_its_focus(visitor: Visitor) -> None:
    context = visitor(java_script_enabled=False, viewport=SMALL)
    page = page_of(context, open_table(context, bots=["tip"]))
    press_and_load(page, page.locator("#main"))
    press_and_load(page, page.locator("#main"), force=True)  # it can be pressed, and says that a choice is missing
    expect(page.locator("#refusal")).to_contain_text("Keep at least one")
    expect(page.locator("#refusal")).to_be_in_viewport(ratio=1)
    guest = page_of(visitor(java_script_enabled=False, viewport=SMALL), open_table(visitor(), people=3))
    guest.locator("#sit [name=name]").fill("Ann")
    guest.locator("#sit button").first.click()
    expect(guest.locator("#why")).to_be_in_viewport(ratio=1)
    expect(guest.locator("#sit [name=name]")).to_be_focused()


def test_refusals_languages_and_real_dice_work_by_forms(visitor: Visitor) -> None:
    context, page = fresh(visitor)
    page.goto(open_table(context, dice="real", bots=["tip"]))
    page.locator("#enter").fill("1 2 3")
    page.locator("#main").click()
    expect(page.locator("#refusal")).to_be_visible()
    expect(page.locator("#enter")).to_have_attribute("aria-invalid", "true")
    page.locator("#enter").fill("1 4 6 6 5 2")
    page.locator("#main").click()
    expect(page.locator("#dice .die:visible")).to_have_count(6)
    page.locator("#back").click()
    expect(page.locator("#enter")).to_be_visible()
    page.locator("#menu > summary").click()
    page.locator("#looks > summary").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#heading")).to_contain_text("Du bist dran")
