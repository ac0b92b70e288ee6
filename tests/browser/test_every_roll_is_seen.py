"""For every game: each roll that a line tells of was visible on the page, even if it left no choice."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from browser.page_players import ready
from browser.scene import Visitor, move
from play import KITS
from pubdice.advice.asked_match import shortest
from pubdice.games import GAMES
from support.browser import BEHIND, DESKTOP, PHONE, ask, context_of, open_table, sit
from support.house_process import House
from support.profiles import NIGHTLY

WATCH = """
window.pubdiceSeen = [];
const look = () => {
  const dice = [...document.querySelectorAll('#dice li:not([hidden]) .die')].filter(die => die.checkVisibility());
  const rows = [...document.querySelectorAll('#seats .dice, #won')].map(row => [...row.children]);
  for (const shown of [dice, ...rows])
    pubdiceSeen.push(shown.map(({dataset}) => +dataset.face).sort().join(' '));
};
const read = ReadableStreamDefaultReader.prototype.read, waiting = new WeakMap();
ReadableStreamDefaultReader.prototype.read = async function () {
  if (!waiting.get(this)?.length) {
    const {done, value} = await read.call(this);
    if (done) return {done};
    waiting.set(this, []);
    for (let from = 0, at = 1; at <= value.length; at++)
      if (at === value.length || (value[at - 2] === 10 && value[at - 1] === 10))
        waiting.get(this).push(value.slice(from, from = at));
  }
  await new Promise(done => setTimeout(done));
  return {value: waiting.get(this).shift()};
};
addEventListener('DOMContentLoaded', () => {
  look();
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
});
"""
"""An init script that records all dice on the page after each update. On a busy machine two updates may come in one
piece, and the observer would see them as one. So the script passes updates to the page one by one.
"""


@pytest.fixture(scope="module")
def watched(standing: Visitor) -> Page:
    """A page that records all dice it ever shows. It goes from table to table."""
    context = standing(viewport=PHONE)
    context.add_init_script(WATCH)
    return context.new_page()


@pytest.mark.parametrize("game", GAMES)
def test_every_roll_that_is_told_was_seen(game: str, watched: Page) -> None:
    page, context = watched, watched.context
    rules = {} if NIGHTLY else {"format": shortest(GAMES[game].formats[0])}
    table = open_table(context, game=game, bots=["tip"], pace_ms=120, rules=rules)
    page.goto(table)
    ready(page)  # until then several events may come as one update
    assert ask(context, table, do="give") == 200
    page.locator("#result").wait_for(timeout=60_000)
    told = [re.search(r"rolled ((?:\d ?)+)", line) for line in page.locator("#log li").all_text_contents()]
    seen = [Counter(shown.split()) for shown in set(page.evaluate("pubdiceSeen"))]
    rolls = [Counter(found[1].split()) for found in told if found]
    assert rolls
    for roll in rolls:
        assert any(roll <= shown for shown in seen), roll


SHOWN = """() => [...document.querySelectorAll('#dice, #seats .dice')].map(row =>
  [...row.querySelectorAll('[data-face]'), ...(row.id ? document.querySelectorAll('#rail [data-won]') : [])]
    .filter(die => die.checkVisibility()).map(({dataset}) => +dataset.face))"""
"""A script that returns the dice of each row. In Ship, a 6 just kept lies in the rail, apart from the other dice."""
PRESSED = """() => [...document.querySelectorAll('#dice li:not([hidden]) .die:not([aria-disabled])')]
  .map(({dataset}) => +dataset.place)"""
LOOKS_MS = 250, 750
"""The waits before two looks: after the line about a roll, and after the first look."""
ROLLS = {"midnight": 2, "420": 2, "twentyone": 4}
"""The games tested by day, with the number of rolls to check. Kept dice stay for good in the first, and can be freed in
the second. The third is a game of the tests without a choice of dice: the dice of both players lie open, in its second
round beside rounds that are won. Nightly runs check 4 rolls in each game.
"""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that also has the games of the tests."""
    with House(tmp_path_factory.mktemp("club"), *BEHIND, more_games=True) as house:
        yield house


def _check(page: Page, roll: Counter[int], view: dict[str, Any], mine: bool) -> None:
    """Assert that the roll is visible, on the board or at a seat, and that only dice to keep can be pressed."""
    shown = [Counter(row) for row in page.evaluate(SHOWN)]
    assert any(roll <= row for row in shown), (roll, shown)
    marks = [die["place"] for die in view["dice"] if die["marks"] is not None]
    assert page.evaluate(PRESSED) == (marks if mine else []), view["dice"]


@dataclass(frozen=True)
class Looking:
    """The pages of two players, a big screen, and a page without scripts. They go from table to table.

    By day the players have phones, which are drawn sooner. In nightly runs they have wide pages, on which a roll that
    ends a turn stays at its seat.
    """

    people: list[BrowserContext]
    pages: list[Page]
    big: Page
    still: Page


@pytest.fixture(scope="module")
def looking(chromium: Browser, club: House) -> Iterator[Looking]:
    people = [context_of(chromium, club, viewport=DESKTOP if NIGHTLY else PHONE) for _ in range(2)]
    plain = context_of(chromium, club, java_script_enabled=False)
    pages = [context.new_page() for context in people]
    (big := people[1].new_page()).set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    yield Looking(people, pages, big, plain.new_page())
    for context in (*people, plain):
        context.close()


def _rolls_that_lie_there(game: str, looking: Looking) -> int:
    """Play at a new table, and check its rolls on all pages. Return the number of rolls checked."""
    people, pages, big, still = looking.people, looking.pages, looking.big, looking.still
    table = open_table(people[0], game=game, people=2, rules={})
    sit(people[1], table, "Bob")
    for page in pages:
        page.goto(table, wait_until="domcontentloaded")
        ready(page)
    big.goto(f"{table}/big", wait_until="domcontentloaded")
    seen, most = 0, 4 if NIGHTLY else ROLLS[game]
    for _ in range(3 * most):
        before = people[0].request.get(f"{table}/state").json()["view"]
        if before["stage"] == "over" or seen == most:
            break
        move(people[before["mover"]], table, before)
        state = people[0].request.get(f"{table}/state").json()
        view, told = state["view"], [line["text"] for line in state["view"]["last"]]
        rolls = [found[1] for line in told if (found := re.search(r"rolled ((?:\d ?)+)", line))]
        if view["seq"] == before["seq"] or view["stage"] == "over" or not rolls or before["moves"]:
            continue  # not by the count of rolls: after a roll and a stop, the next player's roll is again a first one
        seen, roll = seen + 1, Counter(map(int, rolls[-1].split()))
        still.goto(table, wait_until="domcontentloaded")
        for page in (*pages, big):
            page.locator(f"#table[data-seq='{view['seq']}']").wait_for()
        for wait_ms in LOOKS_MS:
            big.wait_for_timeout(wait_ms)
            for seat, page in enumerate(pages):
                _check(page, roll, view, mine=view["mover"] == seat and view["ask"] == "keep")
            _check(big, roll, view, mine=False)
        assert any(roll <= Counter(row) for row in still.evaluate(SHOWN)), roll
    return seen


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[] if game in ROLLS else pytest.mark.nightly)
        for game, kit in KITS.items()
        if kit.usual_game.faces.is_usual  # lines name the faces of other dice by words
    ],
)
def test_a_roll_lies_there_until_the_next_for_all_who_look(game: str, looking: Looking) -> None:
    """Check both players' pages, a page without scripts and the big screen, 0.25 s and 1 s after the roll."""
    # several tables, as a match may end before a roll to check: one roll in 37 at 420 is exactly 20
    assert any(_rolls_that_lie_there(game, looking) for _ in range(4))
