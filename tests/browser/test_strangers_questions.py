"""A stranger's questions after one look: whose turn it is, the next step, who is ahead, and the score to beat.

The test finds the answers only in visible text, on the mover's phone, on a waiting phone, and on a big screen. It
compares them with the state of the house.
"""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.scene import Two, Visitor
from support.browser import PHONE, page_of
from support.steady import measured

USUAL = {"reduced_motion": "reduce", "viewport": PHONE, "keep": "phone"}
TV = {"width": 1920, "height": 1080}
SHORT = {
    "midnight": "rounds 2",
    "420": "race",
    "mexico": "lives 2",
    "ship": "rounds 2",
    "threes": "rounds 2",
    "shutbox": "rounds 2",
}
"""A short match of each game."""
MATCHES = 6
"""The most matches to try, as a match may end before all moments have come. A race of 420 ends in one turn of eight."""
STEPS = 400

SIGHT = """() => {
  const inside = ({left, top, right, bottom, width, height}) =>
    width && height && left > -2 && top > -2 && right < innerWidth + 2 && bottom < innerHeight + 2;
  const isCut = node => !!node && (getComputedStyle(node).clipPath === 'inset(50%)' || isCut(node.parentElement));
  const seen = node => node.checkVisibility({opacityProperty: true, visibilityProperty: true}) && !isCut(node);
  const text = root => {
    const found = [], walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const words = node.nodeValue.trim();
      if (words && seen(node.parentElement) && inside(range.getBoundingClientRect())) found.push(words);
    }
    return found.join(' ').replaceAll(/\\s+/g, ' ');
  };
  const may = [...document.querySelectorAll(
    '#acts button, #moves button, #next button, .foot-act button, #dice .die, .tile')].filter(
    node => seen(node) && inside(node.getBoundingClientRect()) && !node.ariaDisabled);
  return {
    all: text(document.body),
    heading: text(document.getElementById('heading')),
    rows: [...document.querySelectorAll('#seats li[data-seat]')].map(row =>
      [text(row), parseFloat(getComputedStyle(row).borderLeftWidth) > 0]),
    told: [...document.querySelectorAll('#heading, #status, #rail, #beam, #ladder, #things')].map(text).join(' '),
    presses: may.map(node => node.matches('.die, .tile') ? 'tap' : node.textContent.trim()),
    waits: [...document.querySelectorAll('[data-waiting], .waiting')].map(text).join(' '),
  };
}"""
"""A script that returns the parts in sight without scrolling: all words, the rows with the mark of the turn, and the
parts to press.
"""


@dataclass(frozen=True)
class Says:
    """Patterns for the texts of a language. Turns and ends are in the heading, needs above and below the dice.

    ``aims`` are texts until a player has scored in the round. ``needs`` are texts from then on (in 420 always).
    """

    turn: str
    yours: str
    ends: str
    does: str
    again: str
    aims: dict[str, str]
    needs: dict[str, str]


ENGLISH = Says(
    turn=r"(\w+)'s turn",
    yours=r"Your turn",
    ends=r"\w+ wins?\b|tie|buying|the last round|No points",
    does=r"(Roll|Keep|Choose|Stop|Give up|Reroll|Shut|Tap|All)\b|tap",
    again=r"Rematch|One more round\?",
    aims={
        "midnight": r"Get 1 and 4, then score high\.",
        "mexico": r"The lowest loses, 21 beats all\.",
        "ship": r"Get 6, 5, 4, then cargo\.",
        "threes": r"Low wins\. Threes count nothing\.",
        "shutbox": r"Shut tiles that add up to your dice\. Tiles left up count against you\.",
    },
    needs={
        "midnight": r"needs? \d+|can only tie|Anything beats it",
        "420": r"20 wins|Exactly \d+|20",
        "mexico": r"needs? more|can only tie|lowest loses",
        "ship": r"needs? \d+|can only tie|Anything beats it",
        "threes": r"needs? (\d+( or less)?|the moon)|can only tie",
        "shutbox": r"needs? less than \d+",
    },
)
GERMAN = Says(
    turn=r"(\w+) ist dran",
    yours=r"Du bist dran",
    ends=r"\w+ gewinnt|Gewonnen|Du gewinnst|\w+ zahlt|Du zahlst|Unentschieden|Gleichstand|letzte Runde|Keine Punkte",
    does=r"werfen\b|behalten\b|Such aus|Aufhören|aufgeben|schließen|Tippe?|tap|nehmen",
    again=r"Revanche|Noch eine Runde\?",
    aims={
        "midnight": r"Hol dir 1 und 4, dann viele Punkte\.",
        "mexico": r"Wer am wenigsten hat, verliert\. 21 schlägt alles\.",
        "ship": r"Hol 6, 5, 4, dann Ladung\.",
        "threes": r"Wenig gewinnt\. Dreien zählen null\.",
        "shutbox": r"Schließ Klappen, die deine Würfel ergeben\. Offene Klappen zählen gegen dich\.",
    },
    needs={
        "midnight": r"brauch(t|st) \d+|Gleichstand|Einer reicht",
        "420": r"20 gewinnt|Genau \d+|20",
        "mexico": r"brauch(t|st) mehr|Gleichstand|wenig verliert",
        "ship": r"brauch(t|st) \d+|Gleichstand|Einer reicht",
        "threes": r"brauch(t|st) (\d+( oder weniger)?|fünf Sechsen)|Gleichstand",
        "shutbox": r"brauch(t|st) weniger als \d+|Gleichstand",
    },
)
NAMES = "Ann", "Ben"


def whose(sight: dict[str, Any], says: Says, own: int | None) -> int:
    """Return the seat at turn by the heading. Assert that the marked row agrees."""
    marked = [seat for seat, (_, is_marked) in enumerate(sight["rows"]) if is_marked]
    if re.match(says.yours, sight["heading"]):
        assert own is not None
        seat = own
    else:
        found = re.match(says.turn, sight["heading"])
        assert found, sight["heading"]
        seat = NAMES.index(found[1])
    assert marked == [seat], "the row that is marked"
    return seat


def who_is_where(sight: dict[str, Any], view: dict[str, Any]) -> None:
    """Assert that each row has the player's name, score of this round, and points of the match."""
    assert len(sight["rows"]) == len(view["seats"])
    for (row, _), seat in zip(sight["rows"], view["seats"], strict=True):
        for known in (seat["name"], seat["score"], seat["points"]):
            assert known in row, (row, seat)


def is_begun(view: dict[str, Any]) -> bool:
    """Return True if a player has scored in this round."""
    return any(seat["score"] for seat in view["seats"])


def answers(sight: dict[str, Any], view: dict[str, Any], says: Says, game: str, own: int | None) -> None:
    """Assert that all four answers are in sight during a match."""
    assert whose(sight, says, own) == view["mover"]
    who_is_where(sight, view)
    wanted = says.needs[game] if game == "420" or is_begun(view) else says.aims[game]
    assert re.search(wanted, sight["told"]), (wanted, sight["told"])
    if own == view["mover"]:
        does = [one for one in (*sight["presses"], sight["waits"]) if re.search(says.does, one)]
        assert does, sight
        assert sight["presses"], "there is something to press"
    else:
        assert not sight["presses"], "nothing looks as if it were for those who wait"


def at_the_end(sight: dict[str, Any], view: dict[str, Any], says: Says, own: int | None) -> None:
    """Assert that the winner and the way on are in sight."""
    found = re.search(says.ends, sight["heading"])
    assert found, sight["heading"]
    for seat in view["won"] if len(view["won"]) == 1 else []:
        said = "You|Gewonnen|Du" if seat == own else NAMES[seat]
        assert re.search(said, sight["heading"]), sight["heading"]
    if own is not None:
        assert any(re.search(says.again, one) for one in sight["presses"]), sight["presses"]


@pytest.mark.nightly
@pytest.mark.parametrize(("tongue", "says"), [("en-GB", ENGLISH), ("de-DE", GERMAN)], ids=["en", "de"])
@pytest.mark.parametrize("game", SHORT)
def test_a_stranger_finds_all_answers_at_every_moment_of_a_match(
    game: str, tongue: str, says: Says, visitor: Visitor
) -> None:
    met: set[tuple[str, bool]] = set()
    for _ in range(MATCHES):
        two = Two(visitor, game, tongue, SHORT[game])
        tv = page_of(visitor(viewport=TV, locale=tongue, keep="tv"), f"{two.table}/big")
        screens: list[tuple[Page, int | None]] = [(two.pages[0], 0), (two.pages[1], 1), (tv, None)]
        for _ in range(STEPS):
            view = two.view(tongue)
            is_over = view["stage"] == "over"
            moment = view["stage"] if is_over else view["ask"], is_begun(view)
            if moment not in met or is_over:
                met.add(moment)
                for page, own in screens:
                    page.wait_for_function(f"() => +document.getElementById('table').dataset.seq >= {view['seq']}")
                    if is_over:
                        expect(page.locator("#table")).to_have_attribute("data-stage", "over")
                        if own is not None:  # the buttons come a moment later
                            expect(page.get_by_role("button", name=re.compile(says.again)).first).to_be_visible()
                        at_the_end(measured(page, SIGHT), view, says, own)
                    else:
                        answers(measured(page, SIGHT), view, says, game, own)
            if is_over:
                break
            two.step(view)
        asked = {ask for ask, _ in met}
        if "over" in asked and "roll" in asked and asked & {"keep", "move"} and len(met) > 3:
            break
    else:
        raise AssertionError(f"only {met}")
