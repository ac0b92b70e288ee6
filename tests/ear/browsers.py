"""Browsers with their windows open, told only where to go and who one is. The rest is done by keys."""

from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import Browser as AnyBrowser
from playwright.sync_api import ConsoleMessage, Page, sync_playwright

from benchmarks.load.chromium import CHROMIUM, FLAGS
from support.firefox import POLICY, first_page, reached


class Browser(Protocol):
    """A browser's window."""

    def command(self) -> list[str]:
        """How it is started."""

    def connect(self) -> None:
        """Wait until it is there."""

    def open(self, house: str, path: str, cookie: str) -> None:
        """Come to a page of a house as the person whose cookie it is."""

    def go(self, address: str) -> None:
        """Come to an address that came in a message."""

    def forget(self) -> None:
        """Be nobody again: no house knows this browser."""

    def cookies(self) -> dict[str, str]:
        """The values of the cookies that the page's house has set, by their names."""

    def ask(self, script: str) -> Any:
        """What a script finds in the page."""

    def refused(self) -> list[str]:
        """What the browser kept from pages so far because their Content-Security-Policy forbids it, in its words."""

    def close(self) -> None:
        """Let go of it."""


class Chromium:
    """Chromium, told by its debugging port."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder, self._port = folder, port

    def command(self) -> list[str]:
        """How it is started."""
        return [
            CHROMIUM, "--no-sandbox", "--disable-gpu", "--no-first-run", "--no-default-browser-check", "--disable-sync",
            "--disable-background-networking", "--disable-component-update", "--password-store=basic",
            "--force-renderer-accessibility", f"--user-data-dir={self._folder / 'profile'}", "--lang=en-GB",
            f"--remote-debugging-port={self._port}", "--disable-features=Translate", "--window-size=1200,950",
            "--window-position=0,0", first_page(self._folder),
        ]  # fmt: skip

    def connect(self) -> None:
        """Wait until it is there."""
        reached(self._port).close()
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{self._port}")
        self._page = self._browser.contexts[0].pages[0]
        self._refused: list[str] = []
        self._page.on("console", self._hear)

    def _hear(self, said: ConsoleMessage) -> None:
        if POLICY.search(said.text):
            self._refused.append(said.text)

    @property
    def page(self) -> Page:
        """The first tab, for what befalls a browser: storage that is denied, an engine that crashes."""
        return self._page

    def copy(self, text: str) -> None:
        """Put text on the clipboard, which another page may not do by itself."""
        self._browser.contexts[0].grant_permissions(["clipboard-read", "clipboard-write"])
        self._page.evaluate("text => navigator.clipboard.writeText(text)", text)

    def beside(self, program: str = CHROMIUM) -> AnyBrowser:
        """Another Chromium without a window, as on somebody else's phone: nothing of it is heard here."""
        return self._playwright.chromium.launch(executable_path=program, args=FLAGS)

    def open(self, house: str, path: str, cookie: str) -> None:
        """Come to a page of a house as the person whose cookie it is."""
        name, _, value = cookie.partition("=")
        self._browser.contexts[0].add_cookies([{"name": name, "value": value, "url": house}])
        self._page.goto(house + path)

    def go(self, address: str) -> None:
        """Come to an address that came in a message. One as long as a code isn't typed: Orca takes the bar's list of
        suggestions for the window from then on, and tells nothing of the page.
        """
        self._page.goto("about:blank")  # another fragment alone would load nothing
        self._page.goto(address, wait_until="commit")

    def forget(self) -> None:
        """Be nobody again: no house knows this browser."""
        self._browser.contexts[0].clear_cookies()

    def cookies(self) -> dict[str, str]:
        """The values of the cookies that the page's house has set, by their names."""
        found = self._browser.contexts[0].cookies(self._page.url)
        return {cookie["name"]: cookie["value"] for cookie in found}

    def ask(self, script: str) -> Any:
        """What a script finds in the page."""
        return self._page.evaluate(script)

    def refused(self) -> list[str]:
        """What the browser kept from pages so far because their Content-Security-Policy forbids it, in its words."""
        return self._refused

    def close(self) -> None:
        """Let go of it."""
        self._playwright.stop()
