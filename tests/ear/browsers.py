"""Chromium and Firefox with their windows open, told only where to go and who one is. The rest is done by keys."""

import json
import socket
import time
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import Page, sync_playwright

from benchmarks.load.chromium import CHROMIUM

READY_S = 40.0


def first_page(folder: Path) -> str:
    """A page to begin with: with none the keyboard is in the address bar."""
    file = folder / "first.html"
    file.write_text("<!doctype html><html lang=en><title>First</title><h1>First</h1></html>", encoding="utf-8")
    return file.as_uri()


class Browser(Protocol):
    """A browser's window."""

    def command(self) -> list[str]:
        """How it is started."""

    def connect(self) -> None:
        """Wait until it is there."""

    def open(self, house: str, path: str, cookie: str) -> None:
        """Come to a page of a house as the person whose cookie it is."""

    def ask(self, script: str) -> Any:
        """What a script finds in the page."""

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
        _reached(self._port).close()
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{self._port}")
        self._page = self._browser.contexts[0].pages[0]

    @property
    def page(self) -> Page:
        """The first tab, for what befalls a browser: storage that is denied, an engine that crashes."""
        return self._page

    def open(self, house: str, path: str, cookie: str) -> None:
        """Come to a page of a house as the person whose cookie it is."""
        name, _, value = cookie.partition("=")
        self._browser.contexts[0].add_cookies([{"name": name, "value": value, "url": house}])
        self._page.goto(house + path)

    def ask(self, script: str) -> Any:
        """What a script finds in the page."""
        return self._page.evaluate(script)

    def close(self) -> None:
        """Let go of it."""
        self._playwright.stop()


class Firefox:
    """Firefox, told by Marionette: messages with their length before them."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder, self._profile, self._port = folder, folder / "profile", port
        self._rest, self._number = b"", 0

    def command(self) -> list[str]:
        """How it is started."""
        self._profile.mkdir()
        facts: dict[str, object] = {
            "marionette.port": self._port, "accessibility.force_disabled": -1, "browser.aboutwelcome.enabled": False,
            "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
            "toolkit.telemetry.enabled": False, "termsofuse.bypassNotification": True,
            "intl.accept_languages": "en-GB, en",
        }  # fmt: skip
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in facts.items()]
        (self._profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        return [
            "firefox-esr",
            "--no-remote",
            "--new-instance",
            "--profile",
            str(self._profile),
            "--marionette",
            first_page(self._folder),
        ]

    def connect(self) -> None:
        """Wait until it is there."""
        self._wire = _reached(self._port)
        self._wire.settimeout(READY_S)
        self._read()
        self._tell("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})

    def open(self, house: str, path: str, cookie: str) -> None:
        """Come to a page of a house as the person whose cookie it is."""
        name, _, value = cookie.partition("=")
        self._tell("WebDriver:Navigate", {"url": f"{house}/help"})
        self._tell("WebDriver:AddCookie", {"cookie": {"name": name, "value": value, "path": "/"}})
        self._tell("WebDriver:Navigate", {"url": house + path})

    def ask(self, script: str) -> Any:
        """What a script finds in the page."""
        return self._tell("WebDriver:ExecuteScript", {"script": f"return {script}", "args": []})["value"]

    def close(self) -> None:
        """Let go of it."""
        self._wire.close()

    def _tell(self, name: str, facts: dict[str, Any]) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, name, facts]).encode()
        self._wire.sendall(f"{len(message)}:".encode() + message)
        _, _, fault, value = self._read()
        assert not fault, fault
        return value

    def _read(self) -> Any:
        while b":" not in self._rest:
            self._rest += self._wire.recv(65536)
        length, rest = self._rest.split(b":", 1)
        while len(rest) < int(length):
            rest += self._wire.recv(65536)
        self._rest = rest[int(length) :]
        return json.loads(rest[: int(length)])


def _reached(port: int) -> socket.socket:
    until = time.monotonic() + READY_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 1)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
