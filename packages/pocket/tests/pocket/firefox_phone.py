"""A phone with Firefox, controlled by Marionette. It can do what ``Host`` and ``ByTouch`` can do with Chromium.

The browser has the preferences of a new profile, and no camera. So it hides its addresses behind ``.local`` names
(``media.peerconnection.ice.obfuscate_host_addresses``).
"""

import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pocket.phones import EN
from pocket.pocket_players import ENGINE_MS, MOVES, READY
from support.browser import WITHIN_MS
from support.firefox import FIREFOX, Firefox
from support.ports import free_port

PANEL = "document.querySelector('#phones')"
HOUSE = "document.querySelector('iframe:not(.waits)')?.contentDocument"
SHOWN = "(node => !!node && node.checkVisibility() && !node.disabled)"
CODE = f"{PANEL}?.querySelector('.qr svg') && {PANEL}.querySelector('textarea').value"
"""A script whose value is the code that a phone shows, once it shows one."""
NAMED = f"[...({PANEL}?.querySelectorAll('button') ?? [])].some(node => node.textContent === `{{}}`)"
"""A script whose value is true if the panel has a button with this sentence."""


@contextmanager
def firefox_running(folder: Path) -> Iterator[Firefox]:
    """Run a headless Firefox with a new profile. If there is no Firefox, skip the test."""
    if not shutil.which(FIREFOX):
        pytest.skip("no Firefox: .ci/install installs it")
    folder.mkdir()
    firefox = Firefox(folder, free_port())
    command = [*firefox.command(), "--headless"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            firefox.connect()
            yield firefox
        finally:
            firefox.close()
            process.terminate()


@dataclass
class FirefoxPhone:
    """A phone with a pocket: the page, with the house in a frame."""

    firefox: Firefox
    _chance: random.Random = field(default_factory=lambda: random.Random(1))

    def until(self, script: str, within_ms: int = WITHIN_MS) -> Any:
        """Wait until the value of a script in the page is true. Return the value."""
        ends = time.monotonic() + within_ms / 1000
        while not (found := self.firefox.ask(script)):
            assert time.monotonic() < ends, f"{script}: {self.firefox.ask('document.body.innerText')}"
            time.sleep(0.05)
        return found

    def sees(self, css: str) -> bool:
        """Return True if a control is offered in the house."""
        return bool(self.firefox.ask(f"{SHOWN}({HOUSE}?.querySelector({css!r}))"))

    def press(self, css: str) -> None:
        """Tap a control of the house when it is offered."""
        self.until(f"{SHOWN}({HOUSE}?.querySelector({css!r}))")
        self.firefox.press(css, frame="iframe:not(.waits)")

    def press_named(self, key: str) -> None:
        self.until(NAMED.format(EN[key]))
        self.firefox.press(f"#phones button[data-say={key}]")

    def fill(self, css: str, text: str) -> None:
        self.until(f"!!{HOUSE}?.querySelector({css!r})")
        self.firefox.ask(f"Object.assign({HOUSE}.querySelector({css!r}), {{ value: {text!r} }}).value")

    def answer(self, address: str) -> str:
        """Open the address of a code, and join. Return the code that this phone then shows."""
        self.firefox.go(address)
        self.until(NAMED.format(EN["phones_join_it"]), ENGINE_MS)
        self.press_named("phones_join_it")
        return str(self.until(CODE, ENGINE_MS))

    def is_in(self, within_ms: int = WITHIN_MS) -> None:
        self.until(f'!{PANEL}?.open && !!{HOUSE}?.querySelector("main")', within_ms)

    def play_once(self) -> bool:
        """If it is this phone's turn, make a move. Return True if it was."""
        was = self.firefox.ask(f"{HOUSE}?.querySelector('#table')?.dataset.seq")
        if self.sees("#main[data-waiting]"):
            free = f"{HOUSE}.querySelectorAll('#dice .die[data-status=free]')"
            dice = self.firefox.ask(f"[...{free}].map(({{ dataset }}) => [+dataset.face, dataset.place])")
            self.press(f"#dice .die[data-place='{max(dice)[1]}']")
        elif self.sees(MOVES):
            count = self.firefox.ask(f"{HOUSE}.querySelectorAll({MOVES!r}).length")
            self.press(f"{MOVES}:nth-child({1 + self._chance.randrange(count)})")
        elif self.sees(READY):
            self.press("#main")
        else:
            return False
        self.until(
            f"{HOUSE}?.querySelector('#result') || {HOUSE}?.querySelector('#table')?.dataset.seq !== {was!r}", 60_000
        )
        return True
