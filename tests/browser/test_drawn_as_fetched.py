"""The board is drawn twice, by the house's templates and by scripts from the stream: the same, node by node."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from browser.scene import Scene, move
from pubdice.advice.asked_match import shortest
from pubdice.games import GAMES
from support.browser import BEHIND, DESKTOP, ask, context_of, open_table, sit, until
from support.house_process import House
from support.profiles import NIGHTLY

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
