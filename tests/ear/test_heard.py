"""Whole matches by a real screen reader: every line is spoken once, in order, none cut; every key answers."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from ear.desk import Desk, desk, missing
from ear.people import Story, answer, by_field, by_keys, check, opened, play
from pubdice.terminal.web_client import WebTable
from support.house_process import House

pytestmark = pytest.mark.nightly
BROWSERS = pytest.mark.parametrize("browser", os.environ.get("EAR_BROWSERS", "chromium firefox").split())
FIELD_S = 60.0
Sit = Callable[[WebTable], tuple[Desk, Story]]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    (tmp_path / "house").mkdir()
    with House(tmp_path / "house", "--no-qr", limits=False) as house:
        yield house


@pytest.fixture
def sit(browser: str, tmp_path: Path) -> Iterator[Sit]:
    """Come to a table, at a desk with a screen reader, and let it finish what it reads on arrival."""
    if lacking := missing(browser):
        pytest.skip(f"no {', '.join(lacking)} to hear with; .ci/install nightly installs them")
    with ExitStack() as stack:

        def sit(table: WebTable) -> tuple[Desk, Story]:
            folder = tmp_path / "desk"
            folder.mkdir()
            here = stack.enter_context(desk(folder, browser))
            here.browser.open(table.house, table.path, table.cookie)
            here.heard.settle(2.0)
            here.hush()
            return here, Story(table)

        yield sit


def heard_more(here: Desk, mark: int) -> bool:
    """Whether more than the echo of a key has been heard."""
    return len(here.heard.since(mark)) > 8


def focus_mode(here: Desk) -> None:
    """The way into focus mode that the page names."""
    mark = len(here.heard.said)
    here.orca("a")
    if "Focus mode" not in " ".join(one.text for one in here.heard.said[mark:]):
        here.orca("a")
    assert "Focus mode" in " ".join(one.text for one in here.heard.said[mark:])


@BROWSERS
@pytest.mark.parametrize(("game", "rules"), [("midnight", "rounds 1"), ("420", "race")])
def test_a_match_against_a_bot_is_heard_whole_in_order_and_once(game: str, rules: str, house: House, sit: Sit) -> None:
    here, story = sit(opened(house, game=game, rules={"format": rules}))
    focus_mode(here)
    for key in ("w", "w", "h", "s", "t", "l"):
        assert answer(here, key), f"{key} is met with silence"
    mark = len(here.heard.said)
    result = play(here, story, game, by_keys)
    check(story.lines, here.heard.since(mark), result)
    for key in ("s", "l", "w", "h"):
        assert answer(here, key), f"{key} is met with silence at the end"


@BROWSERS
def test_two_at_a_table_with_a_clock_are_heard_whole_in_order_and_once(house: House, sit: Sit) -> None:
    table = opened(house, people=2, bots=[], clock_s=300)
    bob = WebTable(table.address, time.sleep)
    here, story = sit(table)
    mark = len(here.heard.said)
    bob.state()
    bob.ask("sit", name="Bob")
    Story(bob)  # Bob has the page open too
    here.heard.settle(1.5)
    focus_mode(here)
    result = play(here, story, "midnight", by_keys, bob)
    check(story.lines, here.heard.since(mark), result)


@BROWSERS
def test_a_match_in_browse_mode_is_played_through_the_field_alone(house: House, sit: Sit) -> None:
    here, story = sit(opened(house))
    until = time.monotonic() + FIELD_S
    while here.browser.ask("document.activeElement.id") != "line":
        assert time.monotonic() < until, "Tab never came to the field"
        here.press("Tab")
    assert any("Focus mode" in one.text for one in here.heard.said), "the screen reader goes into the field by itself"
    for line in ("h", "s", "t", "w", "?"):
        at = len(here.heard.said)
        here.type(line)
        here.heard.wait(partial(heard_more, here, at))
        assert heard_more(here, at), f"{line} is met with silence"
    mark = len(here.heard.said)
    result = play(here, story, "midnight", by_field)
    check(story.lines, here.heard.since(mark), result)
