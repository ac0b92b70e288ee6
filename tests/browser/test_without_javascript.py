"""The house with JavaScript switched off: forms and links do everything, by pointer and by Tab and Enter."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from browser.conftest import Visitor
from browser.house import PHONE, ask, open_table, sit
from browser.people import keep_at_420, keep_at_midnight

Press = Callable[[Page, str], None]


def click(page: Page, selector: str) -> None:
    """With a pointer."""
    page.locator(selector).first.click()


def tab_and_enter(page: Page, selector: str) -> None:
    """With two keys: to the thing, and press it."""
    for _ in range(120):
        if page.locator(selector).first.and_(page.locator(":focus")).count():
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")


def dice(page: Page, status: str) -> list[tuple[str, int]]:
    """Places and faces of the dice of a status."""
    found: list[Locator] = page.locator(f"#dice .die[data-status={status}]:not([hidden])").all()
    return [(die.get_attribute("data-place") or "", int(die.get_attribute("data-face") or 0)) for die in found]


def play(page: Page, game: str, press: Press) -> str:
    """Press until the result stands there."""
    for _ in range(150):
        if page.locator("#result").count():
            return page.locator("#result .lead").inner_text()
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
        pytest.param(*MIDNIGHT, tab_and_enter, id="midnight, tab and enter"),
        pytest.param(*RACE, click, id="420, pointer"),
        pytest.param(*MIDNIGHT, click, id="midnight, pointer", marks=pytest.mark.nightly),
        pytest.param(*RACE, tab_and_enter, id="420, tab and enter", marks=pytest.mark.nightly),
    ],
)
def test_a_game_is_played_by_forms(game: str, rules: dict[str, str], press: Press, visitor: Visitor) -> None:
    context = visitor(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(open_table(context, game=game, rules=rules, bots=["tip"]))
    assert re.search("goes to|shared", play(page, game, press))
    expect(page.locator("#log li").last).to_contain_text(re.compile("goes to|shared"))
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(re.compile("/t/[A-Z]{6}"))
    expect(page.locator("#seats .name")).to_have_text(["Ann", "Tip"])


def fresh(visitor: Visitor) -> tuple[BrowserContext, Page]:
    context = visitor(java_script_enabled=False)
    return context, context.new_page()


def test_a_table_is_set_up_found_joined_and_left_by_forms(visitor: Visitor) -> None:
    _, ann = fresh(visitor)
    ann.goto("/")
    ann.locator("#open .main").click()
    expect(ann.locator("#refusal")).to_be_visible()
    ann.locator("#name").fill("Ann & Co")
    ann.locator("#name").press("Enter")
    ann.wait_for_url(re.compile("/t/[A-Z]{6}$"))
    code = ann.locator(".bigcode").inner_text()
    _, bob = fresh(visitor)
    bob.goto("/")
    bob.locator("#code").fill(code.lower())
    bob.get_by_role("button", name="Go there").click()
    bob.wait_for_url(re.compile(f"/t/{code}$"))
    bob.locator("#sit [name=name]").fill("Bob")
    bob.get_by_role("button", name="Take a seat").click()
    expect(bob.locator("#seats .name")).to_have_text(["Ann & Co", "Bob"])
    bob.locator("#mine summary").click()
    words = bob.locator(".four").inner_text()
    _, phone = fresh(visitor)
    phone.goto(bob.url)
    phone.locator("summary", has_text="another phone").click()
    phone.locator("#four").fill("these are not right")
    phone.get_by_role("button", name="Take it here").click()
    expect(phone.locator("#why")).to_have_text("Those are not the four words of a seat at this table.")
    phone.locator("#four").fill(words)
    phone.get_by_role("button", name="Take it here").click()
    expect(phone.locator("#seats [data-seat='1'] .tag")).to_have_text("you")
    phone.locator("#mine summary").click()
    phone.get_by_role("button", name="Leave the table").click()
    expect(phone.locator("#sit-head")).to_be_visible()


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
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#prompt")).to_contain_text("Ann ist dran")


def test_others_moves_are_seen_by_looking_again_and_a_seat_goes_to_a_bot_and_back(visitor: Visitor) -> None:
    context, page = fresh(visitor)
    other = visitor()
    table = open_table(context, people=2, rules={"format": "rounds 2"})
    sit(other, table, "Bob")
    page.goto(table)
    page.locator("#mine summary").click()
    page.get_by_role("button", name="Let a bot play for me").click()
    expect(page.locator("#resume-head")).to_have_text("A bot plays for you")
    page.get_by_role("button", name="Play again myself").click()
    expect(page.locator("#resume-head")).to_have_count(0)
    for _ in range(50):
        if page.locator("#wait:not([hidden])").count():
            break
        free = page.locator("#dice [name=mark][data-status=free]")
        (free if free.count() and not dice(page, "marked") else page.locator("#main:not([hidden])")).first.click()
    else:
        raise AssertionError("never Bob's turn")
    assert ask(other, table, do="roll") == 200
    page.get_by_role("link", name="Look again").click()
    expect(page.locator("#last")).to_contain_text("Bob rolled")
