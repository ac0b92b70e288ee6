"""Whole matches in a pocket with its own engine and without a network: passed round, against bots, with real dice."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import Frame, Page, expect

from browser.any_game_player import OfAnyGame
from browser.test_whole_games import hear_no_doubles
from pocket.pocket_players import ByKeys, ByTouch, Phone, house, offline_phone, set_up, there
from pubdice.advice.questions.asked_match import shortest
from pubdice.games import GAMES
from pubdice.library.match_in_play import read_record

LEFT = """async here => {
  const leaving = new AbortController();
  const { body } = await fetch(`${here}/events?from=0`, { signal: leaving.signal });
  await body.getReader().read();
  leaving.abort();
}"""
LOST = re.compile("does not answer|doesn't answer|antwortet nicht")


@pytest.fixture(scope="module")
def phone(pocket_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    with offline_phone(pocket_folder, tmp_path_factory.mktemp("phone")) as phone:
        yield phone


@pytest.fixture
def page(phone: Phone) -> Iterator[Page]:
    """The front page; nothing goes wrong in it, and the house never seems lost."""
    phone.ear.lines.clear()
    phone.ear.at = 0
    page = phone.come()
    yield page
    page.close()
    assert phone.ear.faults == []
    assert not [line for line in phone.ear.texts if LOST.search(line)]


def form(game: str) -> str:
    return shortest(GAMES[game].formats[0])


def record_of(frame: Frame) -> str:
    """The match's record as the house gives it, which the rules read to its end."""
    text = str(frame.evaluate("async () => await (await fetch(`${location.pathname}/record`)).text()"))
    assert read_record(text).over, text
    return text


def test_a_match_is_passed_round_by_touch(page: Page, phone: Phone) -> None:
    frame = house(page)
    set_up(frame, "midnight", form("midnight"), "Ann", "Bob", bots=1)
    table = ByTouch(page)
    assert table.play(4) == ""
    frame.evaluate(LEFT, page.url)
    frame.evaluate("dispatchEvent(new Event('offline'))")
    assert re.search("win|tie|score", table.play())
    assert table.passed >= 1, "from Ann to Bob"
    record_of(frame)


@pytest.mark.nightly
@pytest.mark.parametrize("players", [ByTouch, ByKeys], ids=["touch", "keys"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_passed_round(game: str, players: type[ByTouch], page: Page) -> None:
    set_up(house(page), game, form(game), "Ann", "Bob", "Cy")
    table = players(page)
    assert table.play()
    assert table.passed >= 2
    record_of(table.frame)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_against_bots_from_announcements_alone(game: str, page: Page, phone: Phone) -> None:
    set_up(house(page), game, form(game), "Ann", bots=2)
    player = OfAnyGame(page, phone.ear, "Ann", game)
    assert player.play()
    hear_no_doubles(phone.ear)
    record_of(house(page))


@pytest.mark.nightly
@pytest.mark.parametrize("bots", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_scored_for_real_dice_on_the_face_pad(game: str, bots: int, page: Page) -> None:
    set_up(house(page), game, form(game), "Ann", "Bob", bots=bots, dice="real")
    table = ByTouch(page)
    assert table.play()
    assert table.entered >= 2 + bots
    record_of(table.frame)


@pytest.mark.nightly
def test_a_match_goes_on_after_a_reload_and_in_a_new_tab(page: Page, phone: Phone) -> None:
    frame = house(page)
    set_up(frame, "midnight", "rounds 1", "Ann", "Bob", bots=1)
    assert ByTouch(page).play(3) == ""
    lying = frame.locator("#rail").inner_text()
    page.reload()
    frame = there(page)
    expect(frame.locator("#rail")).to_have_text(lying, use_inner_text=True)
    assert ByTouch(page).play(2) == ""
    url = page.url
    page.close()
    again = phone.come()
    frame = house(again)
    frame.locator("#mine a", has_text="turn").or_(frame.locator("#mine a.main")).first.click()
    expect(again).to_have_url(url)
    table = ByTouch(again)
    assert table.play()
    record_of(table.frame)
    again.close()


@pytest.mark.nightly
def test_a_match_is_played_in_german(page: Page) -> None:
    frame = house(page)
    frame.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    set_up(frame, "threes", form("threes"), "Ann", "Bob", bots=1)
    table = ByTouch(page)
    assert re.search("gewinn|unentschieden|teilen", table.play())
    record_of(frame)
    frame.get_by_role("link", name="Dieses Gerät").or_(frame.locator("#menu > summary")).first.click()


@pytest.mark.nightly
def test_what_decided_it_is_shown_and_asked_again_and_the_record_is_checked(page: Page, tmp_path: Path) -> None:
    frame = house(page)
    set_up(frame, "midnight", "rounds 1", "Ann", "Bob", dice="sealed")
    for _ in range(2):
        frame.locator("#drawn").click()
    frame.get_by_role("button", name="Start with 2 players").click()
    assert ByTouch(page).play()
    table = page.url.partition("#")[0].partition("?")[0]
    with page.expect_download() as saved:
        frame.locator("a.third[download]").click()
    saved.value.save_as(tmp_path / "match.pubdice")
    read = read_record((tmp_path / "match.pubdice").read_text("utf-8"))
    assert read.over
    frame.get_by_role("link", name="What decided it").click()
    expect(frame.get_by_role("heading", name="What decided it")).to_be_visible()
    expect(frame.locator("#step, .chart, svg").first).to_be_visible(timeout=180_000)
    if frame.get_by_role("link", name="Ask me").count():
        frame.get_by_role("link", name="Ask me").click()
        frame.locator("[name=keep]").first.check(timeout=180_000)
        frame.get_by_role("button", name="Answer").click()
        expect(frame.locator("#answer")).to_be_visible(timeout=180_000)
    frame.goto(f"{table}/ask/1")
    expect(frame.locator("#answer, table").first).to_be_visible(timeout=180_000)
    frame.goto(table)
    frame.get_by_role("link", name="The evening").first.click()
    with page.expect_download() as every:
        frame.get_by_role("link", name="All records in one file").click()
    assert every.value.path().stat().st_size > 100
    frame.goto(f"{table.rpartition('/t/')[0]}/verify")
    frame.locator("#files").set_input_files(tmp_path / "match.pubdice")
    expect(frame.locator("#answer")).to_contain_text("All rolls match it")


@pytest.mark.nightly
def test_advice_and_the_book_work_without_a_network(page: Page, phone: Phone) -> None:
    frame, home = house(page), phone.host.address
    frame.get_by_role("link", name="Last orders").click()
    frame.locator(".answers input").first.check(timeout=180_000)
    frame.get_by_role("button", name="That's my answer").click()
    expect(frame.locator("#line")).to_contain_text("1 day", timeout=180_000)
    frame.goto(f"{home}daily/2025-11-20")
    expect(frame.locator("#answer")).to_be_visible(timeout=180_000)
    frame.goto(f"{home}ask/midnight?locked=14&roll=6552")
    expect(frame.locator("#answer")).to_be_visible(timeout=180_000)
    frame.goto(f"{home}best-play/threes")
    expect(frame.locator("main table").first).to_be_visible(timeout=180_000)
    frame.goto(f"{home}book")
    frame.locator("#name").fill("Ann")
    frame.get_by_role("button", name="Write me into the book").click()
    expect(frame.locator(".four, .words").first).to_be_visible(timeout=180_000)
    frame.get_by_role("link", name="I've written them down").click()
    with page.expect_download() as saved:
        frame.get_by_role("link", name="Save it as a file").click()
    assert saved.value.path().stat().st_size > 20
