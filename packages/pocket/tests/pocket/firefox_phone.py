"""A phone with Firefox, controlled by Marionette. It can do what ``Host`` and ``ByTouch`` can do with Chromium.

The browser has the preferences of a new profile, and no camera. So it hides its addresses behind ``.local`` names
(``media.peerconnection.ice.obfuscate_host_addresses``), unless the site may always use cameras.
"""

import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pocket.phones import EN
from pocket.pocket_players import ENGINE_MS, MOVES, READY
from support.apart import Wifi
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
CAMERA = """(() => {
  const at = Services.scriptSecurityManager.createContentPrincipal(Services.io.newURI('ADDRESS'), {});
  Services.perms.addFromPrincipal(at, 'camera', Services.perms.ALLOW_ACTION);
})()"""


@contextmanager
def firefox_running(folder: Path, own: Wifi | None = None, at: int = 0) -> Iterator[Firefox]:
    """Run a headless Firefox with a new profile. If there is no Firefox, skip the test. ``own`` is its Wi-Fi."""
    if not shutil.which(FIREFOX):
        pytest.skip("no Firefox: .ci/install installs it")
    folder.mkdir()
    firefox = Firefox(folder, free_port())
    program, *words = firefox.command()
    command = [str(own.browser(at, program)) if own else program, *words, "--headless"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            with own.inside(at) if own else nullcontext():
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

    def open(self, address: str) -> None:
        """Open the pocket, and wait until its house is there."""
        self.firefox.go(address)
        self.until(f'document.querySelector("#start").hidden && !!{HOUSE}?.querySelector("main")', ENGINE_MS)

    def may_use_cameras(self, address: str) -> None:
        """Allow the site to use cameras always, as a user can."""
        self.firefox.ask_browser(CAMERA.replace("ADDRESS", address))

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

    def text(self, css: str) -> str:
        """Return the text of an element in the house, or "" if it is not there."""
        return str(self.firefox.ask(f"{HOUSE}?.querySelector({css!r})?.textContent?.trim() ?? ''"))

    def visit(self, path: str) -> None:
        self.firefox.ask(f"{HOUSE}.location.assign({path!r})")
        self.until(f"{HOUSE}?.location.pathname === {path!r} && {HOUSE}.readyState === 'complete'")

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

    def open_table(self, name: str) -> None:
        self.fill("#name", name)
        self.press("#open button[value=friends]")
        self.until(f"!!{HOUSE}?.querySelector('#door svg')")

    def let_in(self) -> str:
        """Show a code at a table. Return the address in the code."""
        if not self.firefox.ask(f"!!{PANEL}?.open"):
            self.firefox.ask(f"{HOUSE}.querySelector('a[href=\"#other-phones\"]').click()")
            self.until(f"!!{PANEL}?.open")
        if self.until(f"!!({CODE}) && 'code' || {NAMED.format(EN['phones_let_in'])} && 'button'") == "button":
            self.press_named("phones_let_in")
        return str(self.until(CODE))

    def take(self, code: str) -> None:
        """Enter another phone's code as pasted text."""
        by_hand = f"{PANEL}.querySelectorAll('details')[1]"
        self.firefox.ask(f"({by_hand}.open = true, {by_hand}.querySelector('textarea').value = {code!r})")
        self.press_named("phones_take")

    def close_panel(self) -> None:
        self.press_named("close")

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
