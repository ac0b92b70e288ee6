"""Firefox, told by Marionette: Playwright has one of its own, which nobody else uses."""

import json
import re
import socket
import time
from pathlib import Path
from shutil import which
from typing import Any

FIREFOX = "firefox" if which("firefox") and not which("firefox-esr") else "firefox-esr"
"""Debian's name, or Ubuntu's."""
READY_S = 120.0
"""Until it has started, or has done one thing: 40 s were too few beside 26 other processes on two cores."""
CLICKED_S = 20.0
"""What lies over a button, or a page that rests after a change, is gone by then."""
POLICY = re.compile("Content.Security.Policy")


def first_page(folder: Path) -> str:
    """A page to begin with: with none the keyboard is in the address bar."""
    file = folder / "first.html"
    file.write_text("<!doctype html><html lang=en><title>First</title><h1>First</h1></html>", encoding="utf-8")
    return file.as_uri()


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
            "dom.storageManager.prompt.testing": True, "dom.storageManager.prompt.testing.allow": True,
        }  # fmt: skip
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in facts.items()]
        (self._profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        return [
            FIREFOX,
            "--no-remote",
            "--new-instance",
            "--profile",
            str(self._profile),
            "--marionette",
            "-remote-allow-system-access",  # to read its console
            first_page(self._folder),
        ]

    def connect(self) -> None:
        """Wait until it is there."""
        self._wire = reached(self._port)
        self._wire.settimeout(READY_S)
        self._read()
        self._tell("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})

    def open(self, house: str, path: str, cookie: str) -> None:
        """Come to a page of a house as the person whose cookie it is."""
        name, _, value = cookie.partition("=")
        self._tell("WebDriver:Navigate", {"url": f"{house}/help"})
        self._tell("WebDriver:AddCookie", {"cookie": {"name": name, "value": value, "path": "/"}})
        self._tell("WebDriver:Navigate", {"url": house + path})

    def go(self, address: str) -> None:
        """Come to an address: Orca takes letters that are typed into this browser's address bar for its own."""
        self._tell("WebDriver:Navigate", {"url": address})

    def forget(self) -> None:
        """Be nobody again: no house knows this browser."""
        self._tell("WebDriver:DeleteAllCookies", {})

    def cookies(self) -> dict[str, str]:
        """The values of the cookies that the page's house has set, by their names."""
        return {cookie["name"]: cookie["value"] for cookie in self._tell("WebDriver:GetCookies", {})}

    def ask(self, script: str) -> Any:
        """What a script finds in the page."""
        return self._tell("WebDriver:ExecuteScript", {"script": f"return {script}", "args": []})["value"]

    def ask_browser(self, script: str) -> Any:
        """What a script finds in the browser itself."""
        self._tell("Marionette:SetContext", {"value": "chrome"})
        found = self.ask(script)
        self._tell("Marionette:SetContext", {"value": "content"})
        return found

    def press(self, css: str, frame: str = "") -> None:
        """Click on the first node of a selector, once a mouse reaches it. frame: that of the frame that it is in."""
        if frame:
            self._tell("WebDriver:SwitchToFrame", {"element": self._node(frame)})
        until = time.monotonic() + CLICKED_S
        while (fault := self._ask("WebDriver:ElementClick", {"id": self._node(css)})[0]) and time.monotonic() < until:
            time.sleep(0.05)
        if frame:
            self._tell("WebDriver:SwitchToParentFrame", {})
        assert not fault, fault

    def _node(self, css: str) -> str:
        found = self._tell("WebDriver:FindElement", {"using": "css selector", "value": css})["value"]
        return str(next(iter(found.values())))

    def refused(self) -> list[str]:
        """What the browser kept from pages so far because their Content-Security-Policy forbids it, in its words."""
        said = self.ask_browser("Services.console.getMessageArray().map(each => `${each.message}`)")
        return [each for each in said if POLICY.search(each)]

    def close(self) -> None:
        """Let go of it."""
        self._wire.close()

    def _tell(self, name: str, facts: dict[str, Any]) -> Any:
        fault, value = self._ask(name, facts)
        assert not fault, fault
        return value

    def _ask(self, name: str, facts: dict[str, Any]) -> tuple[Any, Any]:
        self._number += 1
        message = json.dumps([0, self._number, name, facts]).encode()
        self._wire.sendall(f"{len(message)}:".encode() + message)
        _, _, fault, value = self._read()
        return fault, value

    def _read(self) -> Any:
        while b":" not in self._rest:
            self._rest += self._wire.recv(65536)
        length, rest = self._rest.split(b":", 1)
        while len(rest) < int(length):
            rest += self._wire.recv(65536)
        self._rest = rest[int(length) :]
        return json.loads(rest[: int(length)])


def reached(port: int) -> socket.socket:
    """A connection to a browser that is starting."""
    until = time.monotonic() + READY_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 1)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
