"""What a browser works out for a move that somebody else makes: counted by its trace, not timed."""

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
"""Views that come without a move, such as of a stream that begins again. Each drawing asks once where the focus is."""
MOST_STYLES = 120
"""Elements whose style is worked out for a move, in the mean: 55 to 80 of some 250, by what fell. It was 390."""
SAID = 4
"""Lines that are said while nothing moves."""
MOST_STYLES_SAID = 2
"""Elements whose style is worked out for a line that is said: its own. It was 17."""


@contextmanager
def traced(page: Page, folder: Path) -> Iterator[list[dict[str, Any]]]:
    """What the browser notes of its own work meanwhile, once it is over."""
    browser, events = page.context.browser, list[dict[str, Any]]()
    assert browser
    browser.start_tracing(page=page, path=folder / "trace.json", categories=TRACED)
    try:
        yield events
    finally:
        browser.stop_tracing()
    events += json.loads((folder / "trace.json").read_text())["traceEvents"]


def test_a_move_is_drawn_in_one_go(visitor: Visitor, tmp_path: Path) -> None:
    """Styles are worked out once before the frame that shows it, and for what has changed.

    A line of a script that asks where something is, in the middle of drawing, has them worked out once more; a property
    that is inherited, or a `:has()` above an element's name, has them worked out for everything below.
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
    """All boxes are read before the first line is written, but for where dice fly that are won, which follows from it:
    the browser works those out once for all of them.
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
                page.wait_for_timeout(20)  # marks are events, too
            two.seen(now)
    stacks = [one["args"]["beginData"].get("stackTrace", []) for one in events if one["name"] == "Layout"]
    asked = [[at["functionName"] for at in stack] for stack in stacks if any("/static/" in at["url"] for at in stack)]
    drawn = len(two.pages) * (two.view()["rolls"] - before)
    # a press ends what flies, first of all: boxes are up to date then, and nothing is written yet
    others = [stack for stack in asked if "win" not in stack and stack != ["finish"]]
    assert len(others) <= VIEWS_BESIDE, others
    assert 0 < sum("win" in stack for stack in asked) <= drawn


def test_what_is_said_changes_no_style_but_its_own(visitor: Visitor, tmp_path: Path) -> None:
    """A `:has()` at the page, the table or the board has its rules looked at again with every text that comes."""
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
"""By day a game of dice that are kept and one of moves."""
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
"""An init script: dice of a turn that is over stay, which scripts take away after 2 s."""
OWNED = {
    "input[name=key], input[name=seen]": ["value"],  # of a form that is sent without scripts
    ".die": ["type", "name", "value"],  # so are dice
    "*": ["tabindex"],  # where the focus went
    "#nudge": ["*"],  # offered after a while
    ".tile": ["aria-disabled", "aria-pressed", "data-off"],  # tiles are tapped by scripts, moves are a list without
    "form:has(.tile) #main": ["*"],
    "#bank": ["data-even"],  # the main button's alone is looked at
    "#sure": ["data-rolls"],  # what a drawing notes for the next
    "#seats .dice": ["data-faces"],
}
"""What scripts alone draw, and the house's page has otherwise: by selector, the attributes, or all of it."""
LATER = "#turned, p:has(> [href$='/receipt']), #replay, #choices > :is(.hint, [href$='/ask/1'])"
"""What the end of a match shows of its turning point. The house works that out meanwhile, so a page that comes later
may have it already, or know that there is none (``test_end_of_match.py``).
"""
"""What differs between the page as it stands and as the house sends it: the place, how it stands, how it comes."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("club"), *BEHIND) as house:
        yield house


def state(context: BrowserContext, table: str) -> dict[str, Any]:
    view: dict[str, Any] = context.request.get(f"{table}/state").json()["view"]
    return view


def differ(page: Page) -> list[str]:
    """Once it is quiet."""
    for _ in range(8):
        page.wait_for_timeout(100)
        found: list[str] = page.evaluate(DIFFERENCES, [["top", "play", "seats"], list(OWNED.items()), LATER])
        if not found:
            break
    return found


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.nightly] * (game not in BY_DAY)) for game in GAMES]
)
def test_what_scripts_draw_is_what_the_house_sends(game: str, chromium: Browser, club: House) -> None:
    """For both players and who watches, from the first seat taken to the end of the match."""
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
