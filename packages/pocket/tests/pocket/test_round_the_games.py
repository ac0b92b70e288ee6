"""Round the matches of a pocket without a network: seals, what decided them, records, an evening, advice, the book."""

import re
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import Frame, Page, expect

from browser.test_pocket import TURNED
from pocket.pocket_players import ByTouch, house, page, phone, record_of, set_up
from pubdice.games import GAMES
from pubdice.match.sealed_record import check_dice
from support.console import pubdice

__all__ = ["page", "phone"]
pytestmark = pytest.mark.nightly
WORKED_OUT_MS = 180_000
"""Milliseconds until a phone without ready solutions has worked something out beside other tests."""
TAPS = 12
DECIDED = re.compile(r"What decided it|The dice were (on (Ann|Bob)'s side|against (Ann|Bob))|(Ann|Bob) threw it away")
"""Headings of what decided a match of these two; the first of them where nothing did, as in a tie."""


def tap(frame: Frame, role: str, name: str) -> None:
    """Tap a link or a button by its name."""
    frame.get_by_role(role, name=name, exact=True).first.tap()  # type: ignore[arg-type]


def shown(frame: Frame, selector: str) -> None:
    """Wait until something that has to be worked out is there."""
    expect(frame.locator(selector).first).to_be_visible(timeout=WORKED_OUT_MS)


def unfold(frame: Frame, part: str) -> None:
    """Open what a page folds away, once it is there."""
    shown(frame, f"{part} > summary")
    frame.locator(f"{part} > summary").tap()


def answer(frame: Frame) -> None:
    """Choose the first answer to a position, in the list that keys have."""
    shown(frame, ".answers")
    frame.locator(".answers button").first.press("Enter")


def saved(page: Page, frame: Frame, name: str, into: Path) -> Path:
    """Tap a link that saves a file; the file."""
    with page.expect_download() as download:
        tap(frame, "link", name)
    download.value.save_as(into)
    return into


def opened(page: Page, frame: Frame, file: Path) -> None:
    """Open a saved record, from the front page on."""
    home(frame)
    unfold(frame, "#more")
    tap(frame, "link", "Open a record")
    frame.get_by_label("A file that you saved").set_input_files(file)


def home(frame: Frame) -> None:
    """The brand on every page leads to the front page."""
    frame.locator("a.brand").tap()
    expect(frame.get_by_role("heading", name="Pub dice for your table")).to_be_visible()


def test_sealed_dice_are_seeded_by_everybody_and_what_decided_the_match_is_asked_again(
    page: Page, tmp_path: Path
) -> None:
    frame = house(page)
    set_up(frame, "midnight", "rounds 1", "Ann", "Bob", dice="sealed")
    for name in ("Ann", "Bob"):
        expect(frame.locator("#seed-head")).to_contain_text(f"{name}, add your own seed")
        pad = frame.locator("#taps")
        for left in range(TAPS, 0, -1):
            expect(pad).to_have_text(f"Tap here: {left} more")
            pad.tap(position={"x": 20 + 7 * left, "y": 15 + len(name)})
    tap(frame, "button", "Start with 2 players")
    frame.locator("main[data-stage=playing]").wait_for()
    assert ByTouch(page).play()
    unfold(frame, "#more")
    record = saved(page, frame, "Save", tmp_path / "match.record")
    assert record.read_text("utf-8") == record_of(frame)
    assert check_dice(record.read_text("utf-8")).fault is None
    told = pubdice("verify", str(record), data=tmp_path)
    assert told.status == 0, told
    tap(frame, "link", "Check the sealed dice")
    expect(frame.locator("#answer")).to_contain_text("This device added the seed of Ann and Bob, and noted the same")
    page.go_back()
    tap(frame, "link", "What decided it")
    told_first = what_decided_it(page, frame, tmp_path)
    opened(page, frame, record)
    assert what_decided_it(page, frame, tmp_path) == told_first


def what_decided_it(page: Page, frame: Frame, tmp_path: Path) -> str:
    """The page that says so: move by move, its questions, every choice, and the picture; its heading."""
    unfold(frame, "#counted")
    shown(frame, "#step")
    assert frame.title() == "What decided it | Pubdice"
    heading = frame.get_by_role("heading", level=1).inner_text()
    assert DECIDED.fullmatch(heading), heading
    tap(frame, "link", "First")
    expect(frame.locator("#step")).to_contain_text("The start")
    tap(frame, "link", "Next")
    expect(frame.locator("#step")).to_contain_text("Move 1 of")
    picture = saved(page, frame, "Save the picture", tmp_path / "decided.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    if frame.get_by_role("link", name="Ask me").count():
        tap(frame, "link", "Ask me")
        frame.locator("[name=keep][type=radio]").first.check(timeout=WORKED_OUT_MS)
        tap(frame, "button", "Answer")
        shown(frame, "#answer")
        tap(frame, "link", "What decided it")
        unfold(frame, "#counted")
        shown(frame, "#step")
    frame.locator("summary", has_text="choice").first.tap()
    frame.locator("details[open] ol a").first.tap()
    shown(frame, "#answer")
    return heading


@pytest.mark.parametrize("game", GAMES)
def test_a_drill_asks_and_grades_and_counts(page: Page, game: str) -> None:
    frame = house(page)
    unfold(frame, "#more")
    tap(frame, "link", "Drill")
    tap(frame, "link", str(GAMES[game].words.title))
    for number in (1, 2):
        expect(frame.locator(".which")).to_contain_text(f"position {number}", timeout=WORKED_OUT_MS)
        answer(frame)
        shown(frame, ".keeps .chosen")
        expect(frame.locator(".which")).to_contain_text(f"of {number} right")
        tap(frame, "link", "Next position")
    expect(frame.locator(".which")).to_contain_text("position 3", timeout=WORKED_OUT_MS)


def test_an_evening_of_two_matches_one_on_a_tablet_is_saved_and_opened_again(page: Page, tmp_path: Path) -> None:
    frame = house(page)
    set_up(frame, "threes", "rounds 1", "Ann", "Bob")
    assert ByTouch(page).play()
    tap(frame, "button", "Rematch")
    frame.locator("main[data-stage=playing]").wait_for()
    lay(frame, flat=True)
    players = ByTouch(page)
    assert players.play(2) == "", "Bob begins, as Ann began the first match"
    frame.wait_for_function(TURNED)
    expect(frame.locator("#across")).to_contain_text("Bob")
    assert players.play()
    lay(frame, flat=False)
    unfold(frame, "#more")
    tap(frame, "link", "The evening")
    shown(frame, "#matches li + li")
    assert sorted(frame.get_by_role("rowheader").all_inner_texts()) == ["Ann", "Bob"]
    shown(frame, "main .card .sentences a")
    records = saved(page, frame, "All records in one file", tmp_path / "evening.records")
    opened(page, frame, records)
    expect(frame.locator("main ol a")).to_have_count(2)
    frame.locator("main ol a").last.tap()
    unfold(frame, "#counted")
    shown(frame, "#step")


def lay(frame: Frame, *, flat: bool) -> None:
    """Lay the phone on the table as a tablet, or take it up."""
    frame.locator("#menu > summary").tap()
    frame.get_by_label("Tablet on the table").set_checked(flat)
    frame.locator("#menu > summary").tap()


def test_the_days_position_advice_best_play_and_rules_need_no_network(page: Page) -> None:
    frame = house(page)
    tap(frame, "link", "Today's puzzle")
    expect(frame.locator(".which")).to_contain_text("Last orders", timeout=WORKED_OUT_MS)
    answer(frame)
    expect(frame.locator("#line")).to_contain_text("1 day", timeout=WORKED_OUT_MS)
    tap(frame, "link", "Yesterday")
    # today's page has an answer too
    expect(frame.get_by_role("link", name="The day before")).to_be_visible(timeout=WORKED_OUT_MS)
    shown(frame, "#answer")
    home(frame)
    frame.goto(f"{page.url}ask/midnight?locked=14&roll=6552", timeout=WORKED_OUT_MS)
    shown(frame, "#answer")
    tap(frame, "link", "420")
    tap(frame, "link", "Best play at 420")
    shown(frame, "main .card h2")


def test_the_book_has_what_somebody_played_alone_and_is_saved(page: Page, tmp_path: Path) -> None:
    frame = house(page)
    set_up(frame, "threes", "rounds 1", "Ann", bots=1)
    assert ByTouch(page).play()
    tap(frame, "link", "What decided it")
    unfold(frame, "#counted")
    shown(frame, "#step")
    tap(frame, "link", "In your book")
    tap(frame, "button", "Begin my book")
    expect(frame.get_by_role("heading", name="Threes")).to_be_visible(timeout=WORKED_OUT_MS)
    book = saved(page, frame, "Save it as a file", tmp_path / "book")
    assert "threes" in book.read_text("utf-8")
    tap(frame, "button", "Take it to a house")
    expect(frame.locator(".words").last).to_have_text(re.compile(r"^\w+ \w+ \w+ \w+$"), timeout=WORKED_OUT_MS)


def test_hints_warnings_and_chances_come_in_a_match_with_lessons(page: Page) -> None:
    frame = house(page)
    set_up(frame, "midnight", "rounds 1", "Ann", bots=1, dice="real", lessons="2", chances="shown")
    shown(frame, "#chances b")
    for face in "264135":
        frame.locator(f"#pad .faces [data-face='{face}']").tap()
    frame.locator("#main").tap()
    tap(frame, "button", "Hint")
    expect(frame.locator("#hinting .hint")).to_contain_text("is best", timeout=WORKED_OUT_MS)
    frame.locator("#dice .die[data-face='2']").tap()
    frame.locator("#main").tap()
    expect(frame.locator("#refusal")).to_contain_text("Keep 2 loses", timeout=WORKED_OUT_MS)
    frame.locator("#main").tap()
    expect(frame.locator("#dice .die[data-status=locked]")).to_have_count(1)
