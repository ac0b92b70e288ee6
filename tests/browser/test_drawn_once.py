"""Counts the browser's work for a move of another player, by its trace, as times vary."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from browser.looks import RESTED
from browser.scene import Scene, Two, Visitor, move
from pubdice.advice.asked_match import shortest
from pubdice.games import GAMES
from support.browser import BEHIND, DESKTOP, PHONE, RESTS_MS, ask, context_of, open_table, sit, until
from support.house_process import House
from support.profiles import NIGHTLY

USUAL: dict[str, Any] = {"viewport": PHONE, "reduced_motion": "reduce"}
MOVES = 8
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline.stack"]
VIEWS_BESIDE = 3
"""The most views that come without a move, such as when a stream begins again. Each drawing looks up the focus once."""
MOST_STYLES = 120
"""The most elements whose style is computed for a move, in the mean. It is 55 to 80 of some 250, by the dice (390
before).
"""
SAID = 4
"""The number of lines announced while nothing moves."""
MOST_STYLES_SAID = 2
"""The most elements whose style is computed for an announced line: its own (17 before)."""


@contextmanager
def traced(page: Page, folder: Path) -> Iterator[list[dict[str, Any]]]:
    """Record the browser's trace during the block. The list is filled at its end."""
    browser, events = page.context.browser, list[dict[str, Any]]()
    assert browser
    browser.start_tracing(page=page, path=folder / "trace.json", categories=TRACED)
    try:
        yield events
    finally:
        browser.stop_tracing()
    events += json.loads((folder / "trace.json").read_text())["traceEvents"]


def test_a_move_is_drawn_in_one_go(visitor: Visitor, tmp_path: Path) -> None:
    """The browser computes styles once before the frame that shows the move, and only for changed elements.

    If a script asks for a position in the middle of drawing, styles are computed once more. An inherited property, or a
    `:has()` above an element's name, makes the browser compute them for all elements below.
    """
    two = Two(visitor, "midnight", rules="rounds 20")
    page = two.pages[0]
    two.seen(two.step())
    page.wait_for_function(RESTED)
    with traced(page, tmp_path) as events:
        for _ in range(MOVES):
            two.seen(two.step())
            page.wait_for_function(RESTED)
    worked_out = [one["args"] for one in events if one["name"] == "UpdateLayoutTree"]
    asked = [one["beginData"]["stackTrace"][0] for one in worked_out if one["beginData"].get("stackTrace")]
    drawn = MOVES * len(two.pages)
    assert len({one["pid"] for one in events if one["name"] == "UpdateLayoutTree"}) == len(two.pages), "both are traced"
    assert len(asked) <= drawn + VIEWS_BESIDE, asked
    assert 0 < sum(one.get("elementCount", 0) for one in worked_out) / drawn <= MOST_STYLES


def test_one_s_own_tap_is_drawn_in_one_go_with_dice_in_flight(visitor: Visitor, tmp_path: Path) -> None:
    """The page reads all boxes before it first changes the document. Only the targets of won dice depend on that
    change. The browser computes those once for all dice.
    """
    two = Two(lambda **more: visitor(reduced_motion="no-preference", **more), "midnight", rules="rounds 20")
    page = two.pages[0]
    before = two.view()["rolls"]
    with traced(page, tmp_path) as events:
        for _ in range(2 * MOVES):
            view = two.until(0)
            two.seen(view)
            page.wait_for_function(RESTED)
            for die in [die for die in view["dice"] if die["marks"]][:1]:
                page.locator(f"#dice [data-place='{die['place']}']").click()
            page.locator("#main:not([aria-disabled])").click()
            while [(now := two.view())[name] for name in ("rolls", "mover")] == [view["rolls"], view["mover"]]:
                page.wait_for_timeout(20)  # each mark is an event, which must arrive
            two.seen(now)
    stacks = [one["args"]["beginData"].get("stackTrace", []) for one in events if one["name"] == "Layout"]
    asked = [[at["functionName"] for at in stack] for stack in stacks if any("/static/" in at["url"] for at in stack)]
    drawn = len(two.pages) * (two.view()["rolls"] - before)
    # "touch": a press first ends the flight of dice, while boxes are up to date and nothing is changed yet
    others = [stack for stack in asked if "win" not in stack and stack != ["touch"]]
    assert len(others) <= VIEWS_BESIDE, others
    assert 0 < sum("win" in stack for stack in asked) <= drawn


def test_what_is_said_changes_no_style_but_its_own(visitor: Visitor, tmp_path: Path) -> None:
    """A `:has()` at the page, the table or the board would be checked again with each new text."""
    two = Two(visitor, "midnight", rules="rounds 20")
    page = two.pages[0]
    two.until(0)
    page.wait_for_function(RESTED)
    page.locator("#main").focus()
    page.keyboard.press("w")
    page.wait_for_timeout(RESTS_MS)
    with traced(page, tmp_path) as events:
        for _ in range(SAID):
            before = page.locator("#polite p").count()
            page.keyboard.press("w")
            page.wait_for_function(f"() => document.querySelectorAll('#polite p').length > {before}")
            page.wait_for_timeout(RESTS_MS)
    styles = [one["args"].get("elementCount", 0) for one in events if one["name"] == "UpdateLayoutTree"]
    assert SAID <= sum(styles) <= SAID * MOST_STYLES_SAID, styles


BY_DAY = ("midnight", "shutbox")
"""The games tested by day: one with kept dice, and one with moves."""
MOST_MOVES = 600
DIFFERENCES = """async ([ids, owned, later]) => {
  const answer = await fetch(location.pathname, {cache: 'no-store', headers: {Accept: 'text/html'}});
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const found = [];
  const seqs = [document, page].map(each => each.getElementById('table').dataset.seq);
  if (seqs[0] !== seqs[1]) return [`event ${seqs}`];
  const nameOf = node => node.nodeType === 3 ? 'text'
    : node.localName + (node.id && `#${node.id}`) + (node.className && `.${node.className}`);
  const isKid = ({nodeType, data}) => nodeType === 1 || (nodeType === 3 && data.trim());
  const kids = node => [...node.childNodes].filter(node => isKid(node) && !node.matches?.(later));
  const words = node => (node.data ?? '').trim().replace(/\\s+/g, ' ');
  const areSame = (one, other) => one === other || (one && other && +one === +other);  // 300 and 300.0
  const ours = (node, name) => owned.some(([selector, owns]) => owns.includes(name) && node.matches(selector));
  function compare(live, fresh, path) {
    if (live.nodeType === 3 || fresh.nodeType === 3) {
      if (words(live) !== words(fresh)) found.push(`${path}: ${words(live)} | ${words(fresh)}`);
      return;
    }
    if (ours(live, '*') || (live.hidden && fresh.hidden)) return;
    const names = new Set([...live.attributes, ...fresh.attributes].map(({name}) => name));
    for (const name of names)
      if (!ours(live, name) && !areSame(live.getAttribute(name), fresh.getAttribute(name)))
        found.push(`${path} ${name}: ${live.getAttribute(name)} | ${fresh.getAttribute(name)}`);
    const [mine, theirs] = [kids(live), kids(fresh)];
    for (let nth = 0; nth < Math.max(mine.length, theirs.length); nth++) {
      const [one, other] = [mine[nth], theirs[nth]];
      if (!one || !other || one.nodeName !== other.nodeName)
        found.push(`${path} child ${nth}: ${one?.outerHTML ?? one?.data} | ${other?.outerHTML ?? other?.data}`);
      else compare(one, other, `${path} > ${nameOf(one)}`);
    }
  }
  for (const id of ids) {
    const [live, fresh] = [document, page].map(each => each.getElementById(id));
    if (!live !== !fresh) found.push(`${id}: ${!!live} | ${!!fresh}`);
    else if (live) compare(live, fresh, id);
  }
  return found;
}"""
STAY = """const { setTimeout } = window;
window.setTimeout = (deed, ms, ...more) => setTimeout(deed, ms === 2000 ? 1e9 : ms, ...more);"""
"""An init script: dice of a finished turn stay. Otherwise scripts remove them after 2 s."""
OWNED = {
    "input[name=key], input[name=seen]": ["value"],  # used only without scripts
    ".die": ["type", "name", "value"],  # dice are form buttons without scripts
    "*": ["tabindex"],  # scripts move it with the focus
    "#nudge": ["*"],  # scripts show it after a while
    ".tile": ["aria-disabled", "aria-pressed", "data-off"],  # without scripts, moves are a list in place of tiles
    "form:has(.tile) #main": ["*"],
    "#bank": ["data-even"],  # scripts read it on the main button only
    "#sure": ["data-rolls"],  # a note from one drawing to the next
    "#seats .dice": ["data-faces"],
}
"""Parts that scripts draw differently from the house's page: by selector, the attributes, or "*" for all."""
LATER = "#turned, p:has(> [href$='/receipt']), #replay, #choices > :is(.hint, [href$='/ask/1'])"
"""The parts about a match's turning point, at its end. The house computes it meanwhile, so a page that loads later may
have it already, or know that there is none (``test_end_of_match.py``).
"""
"""A script that returns the differences between the page as drawn and as the house sends it: the place, drawn | sent.
"""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("club"), *BEHIND) as house:
        yield house


def state(context: BrowserContext, table: str) -> dict[str, Any]:
    view: dict[str, Any] = context.request.get(f"{table}/state").json()["view"]
    return view


def differ(page: Page) -> list[str]:
    """Return the differences, after up to 20 s for them to vanish."""
    for _ in range(200):
        page.wait_for_timeout(100)
        found: list[str] = page.evaluate(DIFFERENCES, [["top", "play", "seats"], list(OWNED.items()), LATER])
        if not found:
            break
    return found


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.nightly] * (game not in BY_DAY)) for game in GAMES]
)
def test_what_scripts_draw_is_what_the_house_sends(game: str, chromium: Browser, club: House) -> None:
    """Compare the pages of both players and of a spectator, from the first seat taken to the end of the match."""
    people = {
        who: context_of(chromium, club, viewport=DESKTOP, reduced_motion="reduce") for who in ("Ann", "Bob", "Cy")
    }
    rules = {} if NIGHTLY else {"format": shortest(GAMES[game].formats[0])}
    table = open_table(people["Ann"], game=game, people=None, rules=rules)
    for context in people.values():
        context.add_init_script(STAY)
    pages = {who: context.new_page() for who, context in people.items()}
    for who, page in pages.items():
        page.goto(table)
        Scene(lambda who=who: people[who]).lay(page)
    wrong: dict[str, list[str]] = {}
    for _ in range(MOST_MOVES):
        view = state(people["Ann"], table)
        for who, page in pages.items():
            until(page, "seq => +document.querySelector('#table').dataset.seq === seq", view["seq"])
            until(page, "stage => document.querySelector('#table').dataset.stage === stage", view["stage"])
            for line in differ(page):
                wrong.setdefault(line, []).append(f"{who}, {view['stage']}, {view['ask']}, event {view['seq']}")
        if view["stage"] == "over":
            break
        if view["stage"] == "playing":
            move([*people.values()][view["mover"]], table, view)
        elif len(view["seats"]) < 2:
            sit(people["Bob"], table, "Bob")
        else:
            assert ask(people["Ann"], table, do="start") == 200
    assert wrong == {}
    assert view["stage"] == "over", "it was played to its end"
    for context in people.values():
        context.close()
