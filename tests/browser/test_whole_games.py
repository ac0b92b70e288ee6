"""Whole games by keyboard and ear only. The players know only the announcements in the page's live regions."""

import re

import pytest
from playwright.sync_api import expect

from browser.page_players import ByEar, Ear, OfAnyGame, focused, listen, tab_to, twice
from browser.scene import WITH_AN_EAR, Visitor
from pubdice.advice.asked_match import shortest, written
from pubdice.games import GAMES
from support.browser import open_table, page_of, sit
from support.profiles import NIGHTLY

USUAL = {"reduced_motion": "no-preference" if NIGHTLY else "reduce", "keep": WITH_AN_EAR}
"""By day dice land at once, as a player by ear does not wait for them."""
MIDNIGHT = r"\b(win|wins|tie) with \d+\b|^No points"


KINDS = [(kit.name, kind) for kit in GAMES.values() for kind in kit.formats]
FORMS = [(game, form) for game, kind in KINDS for form in (shortest(kind), written(kind.usual))]


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "form"), list(dict.fromkeys(FORMS)))
def test_every_format_of_every_game_is_played_by_ear_against_two(game: str, form: str, visitor: Visitor) -> None:
    _played(game, form, ["tip", "lucky"], visitor)


@pytest.mark.nightly
def test_moves_that_have_numbers_and_tiles_are_named_by_ear(visitor: Visitor) -> None:
    _played("shutbox", "rounds:3", ["tip"], visitor, die="may")


def _played(game: str, form: str, bots: list[str], visitor: Visitor, **rules: str) -> None:
    context = visitor(reduced_motion="reduce")
    ear = listen(context)
    page = page_of(
        context, open_table(context, game=game, rules={"format": form.replace(":", " "), **rules}, bots=bots)
    )
    player = OfAnyGame(page, ear, "Ann", game)
    assert player.play(), ear.texts
    hear_no_doubles(ear)
    assert player.answer("w"), "silence"


def hear_no_doubles(ear: Ear) -> None:
    """Assert that no line was announced twice in a row, and that the page had no fault."""
    assert [line for line in twice(ear.texts) if not re.match("Ann is next: 4 dice|One moment", line)] == []
    assert ear.faults == []


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("midnight", {"format": "rounds 1"}),
        pytest.param("420", {"format": "race"}, marks=pytest.mark.nightly),
    ],
)
def test_two_people_play_each_other_by_ear_and_hear_the_same(
    game: str, rules: dict[str, str], visitor: Visitor
) -> None:
    ann, bob = visitor(), visitor()
    table = open_table(ann, game=game, rules=rules, people=2)
    ears = listen(ann), listen(bob)
    pages = page_of(ann), page_of(bob)
    pages[0].goto(table)
    sit(bob, table, "Bob")
    pages[1].goto(table)
    players = [
        ByEar(page, ear, name, game, shift=name == "Bob" or game == "420")
        for page, ear, name in zip(pages, ears, ("Ann", "Bob"), strict=True)
    ]
    ears[0].until(pages[0], "^Bob sat down")
    players[1].page.wait_for_timeout(100)
    players[1].ear.at = 0
    for _ in range(5_000):
        for player in players:
            player.step()
        if all(player.winner for player in players):
            break
    ends = [re.sub(r"\b[Yy]ou\b", player.name, player.winner).replace(" wins", " win") for player in players]
    assert ends[0].split(".")[0] == ends[1].split(".")[0] != ""
    for ear in ears:
        hear_no_doubles(ear)
    told = re.compile(r"^(Ann|Bob) (sat|plays|nudges)|^The match|^Round")  # the same for both players
    heard = [[text for text in ear.texts if told.search(text)] for ear in ears]
    assert heard[0][len(heard[0]) - len(heard[1]) :] == heard[1]


def test_a_table_is_set_up_by_keyboard_alone_and_the_first_turn_is_heard(visitor: Visitor) -> None:
    context = visitor()
    ear = listen(context)
    page = page_of(context, "/")
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    tab_to(page, "Your name")
    page.keyboard.type("Ann")
    tab_to(page, "Midnight")
    tab_to(page, "House rules")
    page.keyboard.press("Enter")
    tab_to(page, "Rounds")
    tab_to(page, "Rounds")
    page.keyboard.press("Home")
    tab_to(page, "More")
    page.keyboard.press("Enter")
    tab_to(page, "How fast bots play")
    page.keyboard.press("Home")
    tab_to(page, "Play a bot", key="Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/t/[A-Z]{6}"))
    player = ByEar(page, ear, "Ann")
    assert re.search(MIDNIGHT, player.play())
    expect(page.locator("#result")).to_be_visible()
    result = page.locator("#heading").inner_text()
    assert player.winner.startswith(result), "the page that is new begins with the result"
    before = page.url
    tab_to(page, "Rematch")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)
    expect(page.locator("#heading")).to_be_visible()
    page.keyboard.press("w")
    ear.until(page, "^(Your|Tip's) turn")
