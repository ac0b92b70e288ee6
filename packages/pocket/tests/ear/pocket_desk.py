"""A pocket at a desk with a screen reader. Its address is typed, as on a first visit, and its host can be
switched off.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from benchmarks.load.chromium import CHROMIUM
from ear.browsers import Chromium
from ear.desk import desk, missing
from ear.reader import Reader
from pocket.phones import phone
from support.browser import chromium_running
from support.firefox import Firefox
from support.static_host import StaticHost

READY_S = 240.0  # enough for a first start on a busy machine; alone it takes 20 s
HOUSE = "document.querySelector('iframe').contentDocument"
STORY = """(() => {
  const { dataset } = HOUSE.getElementById('table');
  window.told = [];
  new EventSource(`${location.pathname}/events?from=${dataset.seq}`).onmessage = ({ data }) => {
    const { say } = JSON.parse(data);
    const inOrder = [true, false].flatMap(urgent => say.filter(line => line.urgent === urgent && !line.level));
    told.push(...inOrder.map(line => line.own?.[dataset.told] ?? line.text));
  };
})()""".replace("HOUSE", HOUSE)
OPEN = """fetch('/tables', {
  method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json' }, body: 'ORDER'
}).then(answer => answer.json()).then(({ go }) => { HOUSE.location.href = go; })""".replace("HOUSE", HOUSE)
WHOLE = "!document.querySelector('iframe.early')"
"""A script whose value is true when the engine is there. The front page may be shown before that."""


@dataclass
class Pocket:
    """A person at the page of a pocket, and the host of its folder."""

    reader: Reader
    host: StaticHost
    folder: Path

    def come(self, path: str = "", title: str = "Pub dice for your table") -> str:
        """Type the address of a page, and wait until the house has the focus. Return the speech."""
        mark = self.reader.mark()
        self.type_address(path)
        self.hear(mark, title if not path else rf"Ready\. {title}")
        self.reader.wait_for(WHOLE)
        self.reader.here.heard.settle(1.5)
        assert self.ask("document.activeElement.localName") == "iframe"
        return self.reader.said(mark)

    def type_address(self, path: str = "") -> None:
        """Type the address of the house, or of one of its pages, into the address bar."""
        here = self.reader.here
        here.heard.note("type", address := f"{self.host.address}{path}")
        if isinstance(here.browser, Firefox):
            here.browser.go(address)
            return
        here.heard.wait(lambda: "heading level 1" in self.reader.said(0), READY_S)
        here.heard.settle(2.0)  # while a page loads, Orca takes letters as its own commands, even in the address bar
        self.press("ctrl+l", "Address and search bar")
        subprocess.run(["xdotool", "type", "--delay", "25", address], check=True, env=here.env)
        here.strike("Delete")  # deletes the browser's completion
        here.strike("Return")

    def follow(self, address: str) -> None:
        self.reader.here.heard.note("open", address)
        self.reader.here.browser.go(address)

    def hear(self, mark: int, pattern: str, within_s: float = READY_S) -> str:
        """Wait until the speech since a mark matches a pattern, and until that speech ends. Return all of it."""
        heard, said = self.reader.here.heard, self.reader.said
        heard.wait(lambda: re.search(pattern, said(mark)) is not None, within_s)
        heard.settle(1.5)
        assert re.search(pattern, said(mark)), f"{pattern!r} was not heard, but {said(mark)!r}"
        return said(mark)

    def press(self, key: str, pattern: str, within_s: float = READY_S) -> str:
        """Press a key, and wait until the speech matches a pattern. Return all of it."""
        mark = self.reader.mark()
        self.reader.here.strike(key)
        return self.hear(mark, pattern, within_s)

    def ask(self, script: str) -> object:
        """Return the value of a script in the page."""
        return self.reader.here.browser.ask(script)

    def write(self, text: str) -> None:
        self.reader.here.write(text)
        self.reader.here.heard.settle(0.5)

    def paste(self, text: str) -> None:
        """Paste text into the field that has the focus, as if it came in another phone's message."""
        browser = self.reader.here.browser
        assert isinstance(browser, Chromium)
        browser.copy(text)
        self.reader.here.press("ctrl+v")

    def begin(self, name: str) -> None:
        """Begin a match of Midnight in one round from the front page, by keys, until the turn is announced."""
        reader = self.reader
        reader.browse()
        reader.until("Tab", "Player 1 entry")
        self.write(name)
        reader.until("Tab", "Game panel")
        reader.until("Tab", "House rules (toggle button )?collapsed")
        reader.press("Return", "expanded")
        reader.until("Tab", "rounds.* combo box|Rounds.* combo box")
        reader.press("Home", r"\b1\b")
        reader.until("shift+Tab", "Start the game push button")
        self.press("Return", r"(Your|Ann's|Bob's) turn.*Roll \d dice|Tip's turn")


@contextmanager
def pocket_at_a_desk(site: Path, place: Path, browser: str = "chromium") -> Iterator[Pocket]:
    """Set up a desk, and a host for a copy of the folder. If programs for listening are missing, skip the test."""
    if lacking := missing(browser):
        pytest.skip(f"no {', '.join(lacking)} to hear with; .ci/install nightly installs them")
    folder = Path(shutil.copytree(site, place / "site"))
    (place / "desk").mkdir()
    with StaticHost(folder) as host, desk(place / "desk", browser) as here:
        yield Pocket(Reader(here, host.address.rstrip("/")), host, folder)


@contextmanager
def another_phone(pocket: Pocket) -> Iterator[BrowserContext]:
    """The phone of a sighted person."""
    browser = pocket.reader.here.browser
    if isinstance(browser, Chromium):
        beside = browser.beside(CHROMIUM)
        yield phone(beside)
        beside.close()
    else:
        with chromium_running() as running:
            yield phone(running)
