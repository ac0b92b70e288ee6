"""Whole matches by a real screen reader: every line is spoken once, in order, none cut; every key answers."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from ear.conftest import BROWSERS
from ear.desk import Desk, desk, missing
from ear.people import MATCH_S, Story, answer, by_field, by_keys, check, opened, play
from pubdice.terminal.web_client import WebTable
from support.house_process import House

pytestmark = pytest.mark.nightly
IN_EACH = pytest.mark.parametrize("browser", BROWSERS)
GAMES = [
    ("midnight", "rounds 1"),
    ("420", "race"),
    ("mexico", "rounds 1"),
    ("ship", "rounds 1"),
    ("threes", "rounds 1"),
    ("shutbox", "rounds 1"),
]
ADDED_UP = [("midnight", "points 25"), ("ship", "total 2")]
"""Matches whose scores add up."""
FIELD_S = 60.0
ARRIVED_S = 30.0
"""A page reads itself to its end, where the field is; who breaks in earlier is not in the page yet."""
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
            here.heard.wait(partial(said_since, here, 0, "Type your move"), ARRIVED_S)
            here.heard.settle(2.0)
            here.hush()
            return here, Story(table)

        yield sit


def heard_more(here: Desk, mark: int) -> bool:
    """Whether more than the echo of a key has been heard."""
    return len(here.heard.since(mark)) > 8


def said_since(here: Desk, mark: int, text: str) -> bool:
    """Whether a text has been spoken to its end since a mark."""
    return text in here.heard.since(mark)


def focus_mode(here: Desk, *, sticky: bool = False) -> None:
    """The way into focus mode: once, which Orca may leave by itself; or twice, as the page says, so that it stays."""
    mark, wanted = len(here.heard.said), "Focus mode is sticky" if sticky else "Focus mode"

    def said() -> str:
        return " ".join(one.text for one in here.heard.said[mark:])

    for _ in range(3):
        here.orca("a", times=2 if sticky else 1)
        here.heard.wait(lambda: wanted in said())
        if wanted in said():
            return
    raise AssertionError(said())


LEFT_OVER = {"midnight": r"You rolled( \d){2,5}\.", "threes": r"You rolled( \d){2,4}\."}
"""A roll of dice left over, in these games: who keeps all of the first has none."""
AT_THE_END = (
    ("s", r"You|Score|Tip|Nobody|Rounds"),
    ("l", r"wins?\b|tie|lowest|won"),
    ("w", "Here: Ann"),
    ("h", "You have|dice"),
)
"""What the house's keys tell once a match is over."""


@IN_EACH
@pytest.mark.parametrize(("game", "rules"), GAMES + ADDED_UP)
@pytest.mark.parametrize("sticky", [True, False], ids=["sticky", "normal"])
def test_a_match_against_a_bot_is_heard_whole_in_order_and_once(
    game: str, rules: str, sticky: bool, house: House, sit: Sit
) -> None:
    """Orca stays in focus mode, so every key goes on to answer at the end and in the rematch, to which Space leads."""
    here, story = sit(opened(house, game=game, rules={"format": rules}))
    focus_mode(here, sticky=sticky)
    for key in ("w", "w", "h", "s", "t", "l"):
        assert answer(here, key), f"{key} is met with silence"
    mark = len(here.heard.said)
    result = play(here, story, game, by_keys)
    heard = here.heard.since(mark)
    check(story.lines, heard, result)
    if game in LEFT_OVER and re.search(LEFT_OVER[game], " ".join(story.lines).partition("Round 2")[0]):
        keys = re.findall(r"Free: key [1-6]: (?:one|two|three|four|five|six)", heard)
        assert len(keys) == 1, "which keys choose the dice left over, the first time"
    if "You have a cargo" in heard:
        assert "Stop, or roll again?" in heard
    assert "Browse mode" not in heard
    for key, told in AT_THE_END:
        assert re.search(told, " ".join(answer(here, key))), f"{key} at the end"
    goes_on_to_the_rematch(here, story)


def goes_on_to_the_rematch(here: Desk, story: Story) -> None:
    """Space goes there in the same page: its story is heard from the first line, once, and the bot's turn in it.

    As another document it was read out, into that turn, and a screen reader left focus mode.
    """
    mark = len(here.heard.said)
    here.strike("space")
    until = time.monotonic() + MATCH_S
    while (path := here.browser.ask("location.pathname")) == story.table.path:
        assert time.monotonic() < until, "Space goes on to the rematch"
        time.sleep(0.2)
    following = Story(WebTable(story.table.house + path, time.sleep, cookie=story.table.cookie), whole=True)
    while (view := following.state()["view"])["stage"] == "playing" and (view["by_bot"] or view["mover"] is None):
        assert time.monotonic() < until, "the bot takes its turn"
        time.sleep(0.5)
    here.heard.wait(partial(said_since, here, mark, following.lines[-1].split(".")[0]), 60)
    here.heard.settle(3.0)
    heard = here.heard.since(mark)
    check(following.lines, heard, following.lines[0])
    for page in ("document web", "Type your move", "push button", "Browse mode", "Join the rematch"):
        assert page not in heard, "nothing is read out beside the story"
    assert answer(here, "r"), "keys go on to act"


@IN_EACH
def test_the_last_seconds_of_a_turn_are_heard_and_who_plays_it_then(house: House, sit: Sit) -> None:
    here, _ = sit(opened(house, clock_s=60))
    focus_mode(here, sticky=True)
    mark = len(here.heard.said)
    assert answer(here, "r")
    for told in (
        "30 seconds left",
        "10 seconds left",
        "5 seconds left",
        "3 seconds left",
        "a bot plays this turn for you",
        "You scored",
    ):
        here.heard.wait(partial(said_since, here, mark, told), 60)
        assert said_since(here, mark, told)
    assert "for Ann" not in here.heard.since(mark)


@IN_EACH
def test_somebody_goes_is_removed_and_comes_back(house: House, sit: Sit) -> None:
    table = opened(house, people=2, bots=[])
    bob = WebTable(table.address, time.sleep)
    here, _ = sit(table)
    focus_mode(here, sticky=True)
    for deed, fields, told in (
        ("sit", {"name": "Bob"}, "Bob sat down"),
        ("leave", {}, "A bot, Tip, takes over from Bob"),
        ("sit", {"name": "Bob"}, "Bob takes over from Tip"),
    ):
        mark = len(here.heard.said)
        bob.state()
        bob.ask(deed, **fields)
        here.heard.wait(partial(said_since, here, mark, told), 20)
        assert said_since(here, mark, told)
    mark = len(here.heard.said)
    table.state()
    table.ask("remove", seat=1, name="Bob")
    here.heard.wait(partial(said_since, here, mark, "Bob was removed"), 20)
    assert said_since(here, mark, "Bob was removed")
    for key in ("w", "h", "s", "t", "l"):
        assert answer(here, key), f"{key} is met with silence"


@IN_EACH
@pytest.mark.parametrize(("game", "rules"), GAMES)
def test_two_at_a_table_with_a_clock_are_heard_whole_in_order_and_once(
    game: str, rules: str, house: House, sit: Sit
) -> None:
    table = opened(house, game=game, rules={"format": rules}, people=2, bots=[], clock_s=300)
    bob = WebTable(table.address, time.sleep)
    here, story = sit(table)
    mark = len(here.heard.said)
    bob.state()
    bob.ask("sit", name="Bob")
    Story(bob)  # Bob has the page open too
    here.heard.wait(partial(said_since, here, mark, "The match begins."), ARRIVED_S)  # a key would flush what waits
    here.heard.settle(1.5)
    focus_mode(here)
    result = play(here, story, game, by_keys, bob)
    check(story.lines, here.heard.since(mark), result)


@IN_EACH
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
