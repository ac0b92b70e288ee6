"""A pocket's pages in a browser: all players at one phone, seeds by taps, and a tablet between two players."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.looks import LOOKS, WIDER, look, unusable, violations
from browser.page_players import listen
from browser.scene import WITH_AN_EAR, Scene, Visitor
from support.browser import BEHIND, PHONE, PHONES, SMALL, TONGUES, ask, open_table, page_of
from support.house_process import House
from support.profiles import NIGHTLY
from support.steady import box_of, measured

USUAL = {"reduced_motion": "reduce", "keep": "plain"}
TABLET = {"width": 768, "height": 1024}
WIDE = {"width": 1180, "height": 820}
TURNED = "() => document.documentElement.classList.contains('turned')"


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that serves a pocket's pages, as if each browser were a device with its own pocket."""
    with House(tmp_path_factory.mktemp("pocket"), *BEHIND, pocket=True) as house:
        yield house


def front(scene: Scene) -> Page:
    return scene.at("/")


def front_refused(scene: Scene) -> Page:
    page = front(scene)
    page.locator("#name").fill("Ann")
    page.locator("#player2").fill("ann")
    page.locator("#open .main").click()
    expect(page.locator("#refusal")).to_be_visible()
    return page


def begun(scene: Scene, *others: str, dice: str = "house", bots: int = 0) -> Page:
    """Set up a table of players at one phone, without the form."""
    context, told = scene.visitor(), {"people": None, "others": others, "bots": ["tip"] * bots, "start": True}
    table = open_table(context, **told, dice=dice, rules={"format": "rounds 5"})  # type: ignore[arg-type]
    return scene.lay(scene.at(table, context))


def begun_by_form(scene: Scene, dice: str = "house") -> Page:
    """Set up one round of Ann and Bob by the pocket's form."""
    page = front(scene)
    if not page.locator("#bots").is_visible():
        page.locator(".players summary").click()
    page.locator("#name").fill("Ann")
    page.locator("#player2").fill("Bob")
    page.locator("#bots").select_option("0")
    page.locator("#house > summary").click()
    page.locator(f"input[name=dice][value={dice}]").check()
    page.get_by_role("combobox", name="Rounds").first.select_option("1")
    page.get_by_role("button", name="Start the game").last.click()  # the button after the fields
    page.wait_for_url("**/t/*")
    expect(page.locator("html.js")).to_be_attached()
    return scene.lay(page)


def shared(scene: Scene) -> Page:
    page = begun(scene, "Bob")
    expect(page.locator("#main")).to_be_visible()
    return page


def shared_real(scene: Scene) -> Page:
    page = begun(scene, "Bob", bots=1, dice="real")
    expect(page.locator("#draw, #pad").first).to_be_visible()
    return page


def sealed(scene: Scene) -> Page:
    page = begun(scene, "Bob", dice="sealed")
    expect(page.locator("#taps")).to_be_enabled()
    return page


def passed(scene: Scene) -> Page:
    """Open the screen between two players' turns."""
    page = shared(scene)
    play_without_the_page(page)
    expect(page.locator("#pass a")).to_be_visible()
    return page


def laid(scene: Scene) -> Page:
    """Open the page on a tablet that lies on the table, turned to the second player."""
    page = shared(scene)
    turn_on(page)
    play_without_the_page(page)
    page.wait_for_function(TURNED)
    page.locator("#pass a").click()
    expect(page.locator("#main")).to_be_visible()
    return page


POCKET_STATES: dict[str, Callable[[Scene], Page]] = {
    made.__name__: made for made in (front, front_refused, shared, shared_real, sealed, passed, laid)
} | {
    path: lambda scene, path=path: scene.at(path)  # type: ignore[misc]
    for path in ("/help", "/privacy", "/book", "/record", "/night", "/nothing")
}


AS_IN_A_HOUSE = {"/nothing"}
"""Pages without parts of a pocket. By day other tests check them in a house. Here they are checked nightly."""


def play_without_the_page(page: Page, *, rolled: bool = False) -> None:
    """Play a player's whole turn without the page: one roll, all dice kept. With ``rolled`` the dice are rolled
    already.
    """
    here = page.url.partition("#")[0].partition("?")[0]
    for marks in ({}, {"marks": [*range(6)]})[rolled:]:
        assert ask(page.context, here, do="roll", **marks) == 200


def test_nothing_lies_over_what_enters_the_dice_of_a_bot(visitor: Visitor) -> None:
    """There are no reactions at one phone, so their row is empty and takes no room."""
    context = visitor(viewport=PHONE, has_touch=True)
    table = open_table(context, people=None, others=[], bots=["tip"], start=True, dice="real")
    page = Scene(lambda: context).at(table, context)
    for told in ({"do": "enter", "dice": "146666"}, {"do": "roll", "marks": [*range(6)]}):
        assert ask(context, table, **told) == 200
    expect(page.locator("#rail")).to_contain_text("Tip needs")
    for face in "222356":
        page.locator(f"#pad .faces [data-face='{face}']").tap()
    story, faces = (box_of(page.locator(name)) for name in ("#story", "#pad .faces"))
    assert story["y"] >= faces["y"] + faces["height"]
    page.locator("#main").tap(timeout=5000)
    expect(page.locator("#main")).to_have_text("5 more to tap")


@pytest.mark.parametrize("tongue", TONGUES)
def test_the_gold_button_is_on_the_first_screen_of_every_phone(tongue: str, visitor: Visitor) -> None:
    page = page_of(visitor(locale=tongue))
    for size in PHONES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto("/")
        expect(page.locator("#open .main")).to_be_in_viewport(ratio=1)


@pytest.mark.nightly
def test_a_shared_phone_says_whose_turn_it_is_what_to_do_and_to_whom_it_is_passed(visitor: Visitor) -> None:
    """Orca reads no page in a frame, and on a busy device no focused element. So the page announces these texts."""
    context = visitor(keep=WITH_AN_EAR, viewport=PHONE)
    ear = listen(context)
    page = begun_by_form(Scene(lambda: context))
    heading = page.locator("#heading")
    ear.until(page, rf"^{heading.text_content()}\.$")
    ear.until(page, r"^Roll 6 dice\.$")
    page.locator("#main").click()
    ear.until(page, r"^Which dice do you keep\?$")
    play_without_the_page(page, rolled=True)
    expect(page.locator("#pass a")).to_be_visible()
    expect(heading).to_have_text("Pass to Bob")
    assert not page.evaluate(TURNED), "a device without the switch never turns"
    ear.until(page, r"^Pass to Bob\. Space: I'm Bob\.$", 8_000)
    page.keyboard.press("w")
    ear.until(page, r"Pass to Bob\.", 8_000)
    heading.focus()
    while page.locator("#pass").is_visible():  # for a second, keys may be meant for the last move
        page.keyboard.press(" ")
    expect(page.locator("#main")).to_be_visible()
    ear.until(page, r"^Roll 6 dice\.$", 8_000)
    expect(heading).to_be_focused()
    assert "Bob's turn" in page.title()
    play_without_the_page(page)
    page.locator("#table[data-stage=over]").wait_for()
    assert page.evaluate("document.activeElement.id") == "heading", "the focus stays as the match ends"
    names_are_there_until_they_are_cleared(page)


def names_are_there_until_they_are_cleared(page: Page) -> None:
    """Check that the form for the next game has the names Ann and Bob."""
    page.goto("/")
    assert page.locator("#player2").input_value() == "Bob"
    page.locator(".players summary").click()
    page.get_by_role("button", name="Clear the other names").click()
    expect(page.locator("#player2")).to_have_value("")
    assert page.locator("#name").input_value() == "Ann"


def test_a_saved_record_is_chosen_and_opened(visitor: Visitor) -> None:
    page = Scene(visitor).at("/")
    page.locator("#more > summary").click()
    page.get_by_role("link", name="Open a record").click()
    chosen = page.get_by_label("A file that you saved")
    file = {
        "name": "a.record",
        "mimeType": "text/plain",
        "buffer": b"\xef\xbb\xbfpubdice 1\ngame: chess\nseats: Ann, Bob\n",
    }
    expect(chosen).to_be_visible()  # visible once the page's script listens
    chosen.set_input_files(file)  # type: ignore[arg-type]
    expect(page.locator("#why")).to_contain_text("chess")
    expect(chosen).to_be_visible()
    large = {**file, "buffer": b"#" * 40_001}
    chosen.set_input_files(large)  # type: ignore[arg-type]
    expect(page.locator("#why")).to_contain_text("too large")


def turn_on(page: Page) -> None:
    page.locator("#menu > summary").click()
    page.get_by_label("Tablet on the table").check()
    page.keyboard.press("Escape")
    page.locator("#heading").click()


@pytest.mark.parametrize(
    "state",
    [pytest.param(state, marks=[pytest.mark.nightly] * (state in AS_IN_A_HOUSE)) for state in POCKET_STATES],
)
def test_every_page_can_be_read_tapped_and_tabbed_through_and_axe_finds_nothing(state: str, visitor: Visitor) -> None:
    ears = []

    def heard(**settings: Any) -> BrowserContext:
        context = visitor(keep=WITH_AN_EAR, viewport=PHONE, **settings)
        ears.append(listen(context))
        return context

    page = POCKET_STATES[state](Scene(heard))
    assert unusable(page, PHONE, SMALL) == []
    assert [fault for ear in ears for fault in ear.faults] == []
    two = list(LOOKS)[:2]
    for name in two if NIGHTLY else two[list(POCKET_STATES).index(state) % 2 :][:1]:
        look(page, page.context, **LOOKS[name])
        assert violations(page) == [], name


def test_seeds_typed_and_drawn_are_each_persons_own(visitor: Visitor) -> None:
    page = begun(Scene(visitor), "Bob", "Cid", dice="sealed")
    expect(page.locator("#taps")).to_be_enabled()
    page.locator("#seed").get_by_role("button", name="Add").click()
    expect(page.locator("#own-seed")).to_be_focused()
    for typed, other in (("heads 7", "Bob"), ("once upon a time there was 1", "Cid")):
        page.locator("#own-seed").fill(typed)
        page.locator("#seed").get_by_role("button", name="Add").click()
        expect(page.locator("#seed-head")).to_contain_text(other)
        assert page.locator("#own-seed").input_value() == "", "nobody sees what another typed"
    page.locator("#drawn").click()
    expect(page.locator("#seed")).to_have_count(0)
    own = page.evaluate("Object.values(Object.values(JSON.parse(localStorage.seals)).at(-1).own)")
    seeds = {each["name"]: each["seed"] for each in own}
    assert re.fullmatch("[0-9a-z]{8,28}", seeds["Cid"])
    here = page.url.partition("#")[0].partition("?")[0]
    told = page.context.request.get(f"{here}/state").text()
    for name, kept in (("Ann", "heads7"), ("Bob", "onceuponatim")):
        assert re.fullmatch(f"{kept}(?!etherewas)[0-9a-z]{{16,26}}", seeds[name]), (
            "what was typed, and letters that nobody can guess"
        )
        assert kept not in told, "the phone holds it back"


@pytest.mark.parametrize("size", [TABLET, *[pytest.param(size, marks=pytest.mark.nightly) for size in (WIDE, PHONE)]])
def test_a_tablet_turns_to_the_player_whose_turn_it_is(visitor: Visitor, size: Any) -> None:
    scene = Scene(lambda: visitor(viewport=size))
    page = shared(scene)
    expect(page.locator("#across")).to_be_hidden()
    turn_on(page)
    assert not page.evaluate(TURNED)
    expect(page.locator("#across")).to_contain_text("Ann")
    assert page.locator("#across").get_attribute("aria-hidden") == "true"
    page.locator("#main").click()
    page.locator("#dice .die[data-status=free]").first.wait_for()
    play_without_the_page(page, rolled=True)
    page.wait_for_function(TURNED)
    heading = page.locator("#heading")
    expect(heading).to_contain_text("Bob")
    assert "Pass" not in heading.inner_text(), "nobody passes a tablet that lies there"
    page.locator("#pass a").click()
    expect(page.locator("#main")).to_be_visible()
    low, high = (box_of(page.locator(node)) for node in ("#heading", "#main"))
    assert low["y"] > high["y"], "its top is at the other side"
    assert measured(page, WIDER) == []
    page.reload()
    page.wait_for_function(TURNED)  # the device remembers it
    page.locator("#menu > summary").click()
    page.get_by_label("Tablet on the table").uncheck()
    assert not page.evaluate(TURNED)
    expect(page.locator("#across")).to_be_hidden()


def test_what_a_pocket_shares_names_everybody_and_no_address(visitor: Visitor) -> None:
    """A link to a pocket's table would lead nowhere on another device."""
    context = visitor()
    rules = {"format": "rounds 1"}
    table = open_table(context, people=None, others=["Bob"], start=True, rules=rules)
    page = Scene(lambda: context).at(table, context)
    for _ in range(2):
        play_without_the_page(page)
    page.evaluate("Object.defineProperty(navigator, 'canShare', { value: undefined })")
    page.locator("[data-card]").click()
    expect(page.locator("dialog.carding canvas")).to_be_visible()
    words = str(page.locator("dialog.carding [data-copy]").get_attribute("data-copy"))
    assert words.startswith("Midnight: ")
    assert "Bob" in words
    assert "/t/" not in words
