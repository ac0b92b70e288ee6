"""Players at a page, who play by ear (keyboard and announcements only). They use no selectors of dice.

An ``Ear`` records every text that is added to a live region, in order, also over reloads. It records any other change
there as a fault, because screen readers may not announce it. Init scripts set it up. The page's content security policy
does not apply to them, and stays as it is.
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from support.browser import WITHIN_MS

LISTEN = """
new MutationObserver(records => {
  for (const {type, target, addedNodes} of records) {
    const node = target.nodeType === 1 ? target : target.parentElement;
    const region = node?.closest('#polite, #assertive');
    if (!region) continue;
    const inRound = target.parentElement === region;
    for (const added of addedNodes)
      if (target !== region || added.textContent) pubdiceHears(inRound ? region.id : 'inside', added.textContent);
    if (type === 'characterData') pubdiceHears('changed', target.data);
  }
}).observe(document, {childList: true, subtree: true, characterData: true});
addEventListener('securitypolicyviolation', ({violatedDirective, blockedURI}) =>
  pubdiceHears('policy', `${violatedDirective} ${blockedURI}`));
"""
KNOWS_THE_KEYS = """try { localStorage.pubdice ??= '{"told": true}' } catch {}"""
"""An init script: this device has heard about the keys before. They are announced only once on a device."""
TICK_MS = 15
WORDS = ("", "one", "two", "three", "four", "five", "six")
BURST, PER_S = 26, 4.5
"""The rate of commands, a little below the limit of the house: so many at once, and a second."""


GOES_ON, JOINS = "^Ann wants (a rematch|to play on)", re.compile("Join the (rematch|next match)")
"""The announcement to the others when Ann goes on, and the button they press. After a tie both have other words."""


class Unheard(AssertionError):
    """Raised if an expected line was not announced in time."""


@dataclass
class Ear:
    """All announcements in a browser: ``lines`` as (region, text), in order, and ``nodes``, the text of each update."""

    lines: list[tuple[str, str]] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    at: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """The texts of all announcements, in order."""
        return [text for _, text in self.lines]

    def hear(self, region: str, text: str) -> None:
        """Record an update of a live region. A call with any other ``region`` is a fault."""
        if region in ("polite", "assertive"):
            self.nodes.append(text)
            self.lines += [(region, line.rstrip("\u00a0")) for line in text.split("\n")]
        else:
            self.faults.append(f"{region}: {text}")

    def next(self, page: Page, within_ms: int = WITHIN_MS) -> str:
        """Wait for the next line, and return it. Looks less often with time, as each look takes 1.2 ms of processor."""
        waited = 0
        while self.at == len(self.lines):
            if waited >= within_ms:
                raise Unheard(f"nothing after {self.texts[-6:]}")
            pause = TICK_MS + waited // 10
            page.wait_for_timeout(pause)
            waited += pause
        self.at += 1
        return self.lines[self.at - 1][1]

    def until(self, page: Page, pattern: str, within_ms: int = WITHIN_MS) -> re.Match[str]:
        """Take lines up to the first that matches, and return the match."""
        skipped: list[str] = []
        try:
            while True:
                skipped.append(self.next(page, within_ms))
                if found := re.search(pattern, skipped[-1]):
                    return found
        except Unheard:
            raise Unheard(f"no {pattern!r} in {skipped}") from None

    def settle(self, page: Page, quiet_ms: int = 300) -> list[str]:
        """Take all lines until no new one comes for ``quiet_ms``. Return them."""
        start = self.at
        while True:
            known = len(self.lines)
            page.wait_for_timeout(quiet_ms)
            if len(self.lines) == known:
                self.at = known
                return self.texts[start:]


def listen(context: BrowserContext) -> Ear:
    """Give a browser context an ear, before its first page. The ear also records errors of scripts."""
    was_kept = context in _at
    ear = _at[context] = Ear()
    if was_kept:  # its init scripts are there already, and report to the new ear
        return ear
    context.expose_binding("pubdiceHears", lambda source, region, text: _at[context].hear(region, text))
    context.add_init_script(LISTEN)
    context.add_init_script(KNOWS_THE_KEYS)

    def complain(said: ConsoleMessage) -> None:
        if said.type == "error" and "Failed to load resource" not in said.text:  # a refusal by the house is no fault
            _at[context].faults.append(f"console: {said.text}")

    def watch(page: Page) -> None:
        page.on("pageerror", lambda fault: _at[context].faults.append(f"fault: {fault}"))
        page.on("console", complain)

    context.on("page", watch)
    return ear


_at: WeakKeyDictionary[BrowserContext, Ear] = WeakKeyDictionary()
"""The ear of each browser context that has one."""


Keeps = Callable[[Sequence[int], Sequence[int]], list[int]]
"""A function from the locked and the rolled dice to the faces to keep."""


def keep_at_midnight(locked: Sequence[int], rolled: Sequence[int]) -> list[int]:
    """Return the dice to keep: a 1 and a 4 if still lacking, all sixes, and at least one die."""
    kept = [face for face in (1, 4) if face not in locked and face in rolled]
    kept += [6] * rolled.count(6)
    return kept or [max(rolled)]


def keep_at_420(hand: Sequence[int]) -> list[int]:
    """Return the highest foundation that still allows exactly 20."""
    high = sorted(hand, reverse=True)
    for size, least in ((3, 15), (2, 10), (1, 5)):
        total = sum(high[:size])
        if least <= total <= 20 - (4 - size) and total + 6 * (4 - size) >= 20:
            return high[:size]
    return []


NAME = r"\w+( \d)?"
"""A pattern for a name: "Tip", or "Tip 2" if two bots have one name."""
ENDED = (
    rf"^({NAME}|{NAME} and {NAME}) (wins? with|wins?[!:]|tie with|wins? the race|is buying!)"
    r"|^It's a tie: |^You're buying!|^That was the last round|^No points, so"
)
"""A pattern for the line that announces the end of a match."""


@dataclass
class ByEar:
    """A player by keyboard, who knows only the announcements. With ``shift`` dice are chosen by face, else by place."""

    page: Page
    ear: Ear
    name: str
    game: str = "midnight"
    shift: bool = False
    winner: str = ""
    locked: list[int] = field(default_factory=list)
    lying: dict[int, int] = field(default_factory=dict)
    asked: int = 0
    began_s: float = field(default_factory=time.monotonic)

    def play(self, most_lines: int = 2_000) -> str:
        """Ask for the turn, and play until the end is announced. Return that line."""
        self.until_known("w")
        for _ in range(most_lines):
            self.take(self.ear.next(self.page, 15_000))
            if self.winner:
                return self.winner
        raise AssertionError("no end")

    def until_known(self, key: str) -> None:
        """Press a key that asks, again until the page has heard from the house. The answer is not taken yet."""
        self.answer(key)
        while self.ear.texts[-1] == "One moment…":
            self.answer(key)
        self.ear.at = len(self.ear.lines) - 1

    def step(self) -> None:
        """Take all lines so far, and act on each."""
        self.page.wait_for_timeout(TICK_MS)
        while self.ear.at < len(self.ear.lines) and not self.winner:
            self.take(self.ear.next(self.page))

    def take(self, line: str) -> None:
        """Do the action that a line calls for."""
        if re.search(ENDED, line):
            self.winner = line
        elif line.startswith("Your turn"):
            self.turn(line)
        elif found := re.search(r"^You rolled ((?:\d ?)+)\.", line):
            self.rolled([int(face) for face in found[1].split()])
        elif line.endswith("If you mean it, do it again."):
            self.roll()

    def turn(self, line: str) -> None:
        """Handle the line that begins a turn: roll, or choose from a hand."""
        if "keep or reroll" in line:
            line = self.press("h", "^You have .*").string
        if found := re.search(r"You have ((?:\d ?)+): \d+\.", line):
            self.choose(keep_at_420([int(face) for face in found[1].split()]))
        else:
            assert re.match(r"Your turn\. (Roll|Here)", line), line
            self.locked, self.lying = [], {}
        self.roll()

    def rolled(self, dice: list[int]) -> None:
        """Handle a roll. At Midnight, choose the dice to keep, unless it was the last die."""
        if self.game != "midnight" or len(dice) < 2:
            return
        open_places = [place for place in range(1, 7) if place not in self.lying]
        if len(dice) != len(open_places):
            assert len(dice) == 6, (dice, self.lying)
            self.locked, self.lying, open_places = [], {}, [1, 2, 3, 4, 5, 6]
        faces = dict(zip(open_places, dice, strict=True))
        keeps = keep_at_midnight(self.locked, dice)
        if self.shift:
            self.choose(keeps)
        for face in keeps:
            place = next(place for place in sorted(faces) if faces[place] == face and place not in self.lying)
            if not self.shift:
                self.press(str(place), rf"^Die {place}, \w+: kept\.")
            self.lying[place] = face
        self.locked += keeps
        self.roll()

    def choose(self, keeps: Sequence[int]) -> None:
        """Mark dice of these faces: by Shift and the face, or by their places."""
        for face in keeps:
            self.press(f"Shift+Digit{face}", r"^Die \d, \w+: kept\.")

    def press(self, key: str, heard: str) -> re.Match[str]:
        """Press a key, and return the match of its answer. Other lines meanwhile can't be about this player's turn."""
        self.strike(key)
        while not (found := re.search(heard, self.ear.next(self.page))):
            pass
        return found

    def strike(self, key: str) -> None:
        """Press a key that sends a request, no more often than the house allows."""
        self.asked += 1
        early_s = (self.asked - BURST) / PER_S - (time.monotonic() - self.began_s)
        if early_s > 0:
            self.page.wait_for_timeout(1000 * early_s)
        self.page.keyboard.press(key)

    def roll(self) -> None:
        """Roll, with the chosen dice kept."""
        self.strike("r")

    def answer(self, key: str) -> list[str]:
        """Take all earlier lines, press a key that asks, and return the lines of its answer."""
        self.ear.settle(self.page)
        start = self.ear.at
        self.page.keyboard.press(key)
        self.ear.next(self.page)
        self.ear.settle(self.page)
        return self.ear.texts[start:]


def ready(page: Page) -> None:
    """Wait until the first view has come, when the page draws its seats again."""
    seat = page.locator("#seats [data-seat='0']")
    seat.evaluate("node => node.dataset.kind = 'not yet'")
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    page.evaluate("dispatchEvent(new Event('pageshow'))")
    expect(seat).not_to_have_attribute("data-kind", "not yet")


TO_BOARD = """() => {
  const page = document.querySelector('iframe')?.contentDocument ?? document;
  page.activeElement.closest('#play') ?? page.querySelector('#play [tabindex]').focus();
}"""


def tab_to(page: Page, name: str, key: str = "Tab", most: int = 200) -> None:
    """Go to the control of a name by Tab only."""
    for _ in range(most):
        page.keyboard.press(key)
        if name in focused(page):
            return
    raise AssertionError(f"never came to {name}")


def focused(page: Page) -> str:
    """Return roughly what a screen reader calls the control with the focus: its label, name or text."""
    return str(page.evaluate(FOCUSED))


FOCUSED = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return '';
  const labels = [...(node.labels ?? [])].map(label => label.textContent);
  return node.ariaLabel || labels.join(' ') || node.textContent.trim();
}"""


def twice(texts: Sequence[str]) -> list[str]:
    """Return the texts that come twice in a row."""
    return [one for one, other in pairwise(texts) if one == other]


def state_of(context: BrowserContext, table: str) -> Any:
    """Return the table's state from the house."""
    return context.request.get(f"{table}/state").json()


TOLD = rf"^(You|{NAME}) (rolled|kept|scored|gave up|stopped|has|have|shut|took)\b|\bturn\b|{ENDED}"
"""A pattern for lines about something that happened. All other answers are refusals."""
CHOOSE = "You can't do that now. "
"""The refusal of a roll if the player has to name a move."""


@dataclass
class OfAnyGame(ByEar):
    """A player of any game, without knowledge of it. At each turn it rolls. If the house refuses, it keeps a die first,
    or names the first of the announced moves.
    """

    last: list[int] = field(default_factory=list)

    def play(self, most_lines: int = 2_000) -> str:
        """Play until the end is announced. Return that line."""
        for _ in range(most_lines):
            turn = self.whose()
            if self.winner:
                return self.winner
            if turn.startswith("Your turn"):
                self.move()
            else:
                self.heard()
        raise AssertionError("no end")

    def whose(self) -> str:
        """Take all earlier lines, ask by a key for the turn, and return the player's name."""
        self.page.keyboard.press("w")
        while "Here:" not in (line := self.heard()):
            if line == "One moment…":
                self.page.wait_for_timeout(TICK_MS)
                self.page.keyboard.press("w")
        return line

    def move(self) -> None:
        """Roll. If that is refused, name a move, or keep the highest die by its face, and roll the others."""
        self.roll()
        while (line := self.heard()) == "One moment…":
            pass
        if re.search(TOLD, line):
            return
        if line.startswith(CHOOSE):
            self.name_move()
        else:
            self.press(f"Shift+Digit{max(self.last)}", r"^Die \d, \w+: kept\.")
            self.roll()
        while not re.search(TOLD, self.heard()):
            pass

    def name_move(self) -> None:
        """Ask for the moves and take the first, by the key announced for it, or by its tiles and Space."""
        self.page.keyboard.press("?")
        first = self.heard()
        if found := re.match(r"(\w): ", first):
            self.strike(found[1].lower())
            return
        tiles = re.findall(r"\d", first)
        assert tiles, first
        for tile in tiles[:-1]:
            self.press(tile, r" chosen\. You can add ")
        self.press(tiles[-1], rf" chosen\. Space: {re.escape(first)}$")
        self.page.evaluate(TO_BOARD)
        self.strike(" ")

    def heard(self) -> str:
        """Return the next line. Rolls and the end of the match are recorded."""
        line = self.ear.next(self.page, 15_000)
        if re.search(ENDED, line):
            self.winner = line
        if found := re.search(r"You (?:rolled|have) ((?:\d ?)+)[.:]", line):
            self.last = [int(face) for face in found[1].split()]
        return line
