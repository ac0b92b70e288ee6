"""Phones of one match killed at random moments, in browsers: no acknowledged move is lost, and no log changes its past.

Each phone is a separate browser with a separate profile folder. Pages send moves as fast as they may, so a kill often
interrupts a move.
"""

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from operator import eq
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import BrowserContext, Error, Page, Playwright, expect, sync_playwright

from pocket.phones import EN, Host
from pocket.pocket_players import house
from pocket.test_going_on_as_host import TOLD, begun, come_again, come_back, go_on
from pocket.test_kills import STATE, kill_tabs
from support.browser import phone_in

pytestmark = pytest.mark.nightly
PARTS, KILLS = 6, 6
"""The number of test cases (parts), and of kills in each. The first five kills differ: a guest, a host that comes back,
a host that does not, and each of these hosts together with a guest. The sixth repeats one of these five at random.
"""
MOST_MOVES, MOST_MS = 8, 60.0
"""The latest moment of a kill: after this many acknowledged moves (or as soon as each phone has one), plus this many
milliseconds.
"""
WITHIN_S = 120.0
FORM = "rounds 20"  # longer than any match here, at 9 moves a round
MOVE = re.compile(r"\d+ (?:draw|roll|play) ")
APART = TOLD["going_on_other"].partition(".")[0]
PLAY = """address => {
  const mine = (window.plays = {});
  const later = ms => new Promise(done => setTimeout(done, ms));
  const key = () => Math.random().toString(36).slice(2).padEnd(12, '0');
  const loop = async () => {
    let asked = null; // until it is answered it is asked again under its key, as a page does
    while (window.plays === mine) {
      try {
        if (!asked) {
          const { view, seats } = await (await fetch(`${address}/state`)).json();
          if (seats.includes(view.mover) && view.main?.ready) asked = { key: key(), do: view.main.do };
        }
        const answer = asked && (await fetch(address, {
          method: 'POST', body: JSON.stringify(asked),
          headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        }));
        if (answer?.ok) acknowledged((await answer.json()).seq);
        if (answer?.ok || answer?.status === 409) asked = null;
        else await later(20);
      } catch {
        await later(100);
      }
    }
  };
  window.played = loop();
}"""
STOP = "window.plays = null"
REST = "async () => { window.plays = null; await window.played; }"
COPIES = """async () => {
  const { keptTables } = await import('/pocket/going_on/kept.js');
  const tables = await keptTables();
  const { HOME } = await import('/pocket/places.js');
  const done = asked => new Promise((found, failed) => {
    asked.onsuccess = () => found(asked.result);
    asked.onerror = failed;
  });
  const kept = (await done(indexedDB.open(`pubdice kept ${HOME}`))).transaction('lines').objectStore('lines');
  const lines = key => done(kept.getAll(IDBKeyRange.bound([key, 0], [key, Infinity])));
  return Promise.all(tables.map(async ({ key, path }) => [path, (await lines(key)).flat()]));
}"""
"""A script that returns the copies of logs that a phone has kept, as [path, lines] for each table."""
LOG = """async path => {
  const stop = new AbortController();
  const answer = await fetch(`${path}/kept`, { signal: stop.signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const log = [];
  for (let text = ''; ; ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${path}: no log`);
    const said = (text + value).split('\\n');
    text = said.pop();
    for (const { lines, whole } of said.map(line => JSON.parse(line))) {
      log.push(...lines);
      if (!whole) continue;
      stop.abort();
      return log;
    }
  }
}"""
"""A script that reads a table's log from the house, by the stream that guests copy it from."""


@dataclass
class Phone:
    """A phone that can be killed, and the numbers (``seq``) of its moves that the house acknowledged."""

    playwright: Playwright
    folder: Path
    context: BrowserContext = field(init=False)
    page: Page = field(init=False)
    acknowledged: list[int] = field(default_factory=list)
    whole: bool = False

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.context = phone_in(self.playwright, self.folder, has_touch=True, reduced_motion="reduce")
        self.context.expose_function("acknowledged", lambda seq: self.acknowledged.append(seq))  # noqa: PLW0108 - Playwright marks what it is given

    def kill(self, *, whole: bool) -> None:
        """Kill the phone's pages, and with ``whole`` its browser, too."""
        kill_tabs(self.context, whole=whole)
        self.whole = whole

    def lie(self) -> None:
        """Close the killed page. If the browser was killed, start it again without a page."""
        with suppress(Error):
            self.page.close()
        if self.whole:
            self.close()
            self.start()

    def close(self) -> None:
        with suppress(Error):
            self.context.close()

    @property
    def counted(self) -> int:
        """The number of the last event that the house acknowledged to this phone. 0 if there is none."""
        return max(self.acknowledged, default=0)

    def copies(self) -> list[tuple[str, list[str]]]:
        return [(path, lines) for path, lines in self.page.evaluate(COPIES)]


@dataclass
class Match:
    """A match of three phones, one of them the house. ``logs`` has the log of each house so far, as last seen, by the
    table's path.
    """

    phones: list[Phone]
    chance: random.Random
    host: Phone
    path: str = ""
    logs: dict[str, list[str]] = field(default_factory=dict)

    @property
    def guests(self) -> list[Phone]:
        return [phone for phone in self.phones if phone is not self.host]

    @property
    def inn(self) -> Host:
        return Host(self.host.page)

    @property
    def counted(self) -> int:
        return max(phone.counted for phone in self.phones)

    def begin(self, address: str) -> None:
        old, *guests = begun([phone.context for phone in self.phones], address, 0, FORM)
        for phone, page in zip(self.phones, (old.page, *guests), strict=True):
            phone.page = page
        self.path = self.path_on(self.host)

    def path_on(self, phone: Phone) -> str:
        return "/" + house(phone.page).url.split("/", 3)[3].partition("?")[0]

    def play(self) -> None:
        """Let all phones play until a random moment after each phone has an acknowledged move."""
        before = {id(phone): len(phone.acknowledged) for phone in self.phones}

        def made() -> list[int]:
            return [len(phone.acknowledged) - before[id(phone)] for phone in self.phones]

        for phone in self.phones:
            phone.page.evaluate(PLAY, self.path)
        until, end = self.chance.randint(3, MOST_MOVES), monotonic() + WITHIN_S
        while sum(made()) < until or not all(made()):
            assert monotonic() < end, f"moves of each phone that were acknowledged: {made()}"
            self.host.page.wait_for_timeout(10)
        self.host.page.wait_for_timeout(self.chance.uniform(0, MOST_MS))

    def killed(self, *phones: Phone) -> None:
        """Kill phones within a few milliseconds of each other."""
        for phone in phones:
            phone.kill(whole=self.chance.random() < 0.5)
        for phone in phones:
            phone.lie()

    def seq_on(self, phone: Phone, path: str) -> int:
        status, told = phone.page.evaluate(STATE, path)
        assert status == 200, told
        assert told["view"]["stage"] == "playing"
        return int(told["seq"])

    def again(self, guest: Phone) -> None:
        """Bring a guest whose page is still open back to the house, by one code."""
        come_again(self.inn, guest.page)
        self.inn.close_panel()  # the panel's code was for this guest

    def back(self, guest: Phone) -> None:
        """Bring a phone without a page back to the house, by one code."""
        guest.page = come_back(self.inn, guest.context)
        self.inn.close_panel()

    def guest_dies(self) -> None:
        """Kill a guest, and bring it back by one code. Meanwhile the other two phones play on."""
        guest = self.chance.choice(self.guests)
        self.killed(guest)
        self.back(guest)

    def host_comes_back(self, *dead: Phone) -> None:
        """Kill the host, and the guests ``dead`` with it. Open the host again: it has all acknowledged moves, and its
        guests come back.
        """
        address = self.host.page.url
        self.killed(self.host, *dead)
        self.host.page = Host.open(self.host.context, address).page
        counted = self.counted
        assert self.seq_on(self.host, self.path) >= counted
        for guest in self.guests:
            (self.back if guest in dead else self.again)(guest)

    def host_and_guest_come_back(self) -> None:
        self.host_comes_back(self.chance.choice(self.guests))

    def host_dies(self, *, with_guest: bool = False) -> None:
        """Kill the host. The guest with the newest acknowledged move becomes the new host, as its copy of the log must
        have that move. The other two phones come to it as guests.

        With ``with_guest`` the other guest is killed together with the host.
        """
        old, was, address = self.host, self.path, self.host.page.url
        other, new = sorted(self.guests, key=lambda guest: guest.counted)
        self.killed(old, *[other] * with_guest)
        for guest in [new] if with_guest else self.guests:
            guest.page.evaluate(STOP)
        self.host = new
        go_on(new.page)
        self.path = self.path_on(new)
        assert self.path != was
        log = self.copy_on(new, self.seq_on(new, self.path) + 1)
        went = next(at for at in range(len(log) - 1, 0, -1) if " wenton " in log[at])
        assert went > new.counted, "all that this guest was told of as acknowledged"
        self.inn.close_panel()
        (self.back if with_guest else self.again)(other)
        # the old host, opened again, still has all acknowledged moves
        alone = Host.open(old.context, address)
        old.page = alone.page
        assert self.seq_on(old, was) >= self.counted
        alone.let_in()
        self.logs[was] = self.grown(was, old.page.evaluate(LOG, was))
        assert self.logs[was][:went] == log[:went]
        seen = max((lines for path, lines in other.copies() if path == was), key=len)
        if any(MOVE.match(line) for line in seen[went:]):
            expect(other.page.locator("#phones")).to_contain_text(APART)
        old.page.close()
        self.back(old)
        for phone in self.phones:
            phone.acknowledged.clear()

    def host_and_guest_die(self) -> None:
        self.host_dies(with_guest=True)

    def went_beside(self, lines: list[str]) -> bool:
        """Return True if a log ends as a new host's does ("wenton"), and has a move that no log in ``logs`` has.

        Such a log is of a course of the match that the host went on with, beside those seen before.
        """
        *log, last = lines
        same = [len(list(takewhile(bool, map(eq, log, other)))) for other in self.logs.values()]
        return " wenton " in last and any(MOVE.match(line) for line in log[max(same) :])

    def grown(self, path: str, log: list[str]) -> list[str]:
        """Return a table's log, after an assertion that it begins with the lines last seen."""
        before = self.logs.get(path, [])
        assert log[: len(before)] == before, "the story that was told before"
        return log

    def copy_on(self, phone: Phone, length: int) -> list[str]:
        """Wait until a phone's copy of the match's log has this many lines, and return it."""
        end = monotonic() + WITHIN_S
        while True:
            copies = phone.copies()
            if found := [log for path, log in copies if path == self.path and len(log) >= length]:
                return min(found, key=len)
            kept = [(path, len(log), log[-1:]) for path, log in copies]
            assert monotonic() < end, f"phone {self.phones.index(phone)} lacks {length} lines of {self.path}: {kept}"
            phone.page.wait_for_timeout(50)

    def settle(self) -> None:
        """Stop play. Assert that each phone has the whole log, and no line that is missing in the log of the line's
        house.
        """
        for phone in self.phones:
            panel = phone.page.locator("#phones")
            if panel.is_visible():
                panel.get_by_role("button", name=EN["close"]).tap()
            phone.page.evaluate(REST)
        length = self.seq_on(self.host, self.path) + 1
        assert length > self.counted
        for phone in self.phones:
            self.logs[self.path] = self.grown(self.path, self.copy_on(phone, length))
        for phone in self.phones:
            for path, lines in phone.copies():
                where = f"{path} on phone {self.phones.index(phone)}"
                if path not in self.logs and phone is self.host and self.went_beside(lines):
                    self.logs[path] = lines
                assert path in self.logs, f"a table of no house: {where}"
                assert self.logs[path][: len(lines)] == lines, f"one story of a house: {where}"
            status, told = phone.page.evaluate(STATE, self.path)
            assert (status, told["seats"]) == (200, [self.phones.index(phone)]), "each phone has its seat"


@pytest.fixture
def phones(tmp_path: Path) -> Iterator[list[Phone]]:
    with sync_playwright() as playwright:
        opened = [Phone(playwright, tmp_path / name) for name in ("ann", "bob", "cid")]
        yield opened
        for phone in opened:
            phone.close()


@pytest.mark.parametrize("part", range(PARTS))
def test_a_phone_is_killed_at_any_moment_and_nothing_acknowledged_is_lost(
    part: int, phones: list[Phone], pocket_host: str
) -> None:
    chance = random.Random(f"{part} of {PARTS}")
    match = Match(phones, chance, phones[0])
    match.begin(pocket_host)
    kinds = [match.guest_dies, match.host_comes_back, match.host_dies]
    kinds += [match.host_and_guest_come_back, match.host_and_guest_die]
    kinds += chance.choices(kinds, k=KILLS - len(kinds))
    chance.shuffle(kinds)
    for kill in kinds:
        match.play()
        kill()
        match.settle()
    match.play()
    match.settle()
