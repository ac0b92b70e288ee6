"""The house as people meet it: a real process, a real Chromium, and orders for tables. Knows no page.

Every context comes from an address of its own, as phones do, so the house's limits are as everybody meets them.
"""

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from shutil import which
from time import monotonic
from typing import Any

import pytest

from support.profiles import NIGHTLY

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    Error,
    FloatRect,
    Frame,
    Locator,
    Page,
    Playwright,
    ViewportSize,
    expect,
    sync_playwright,
)

from benchmarks.load.chromium import CHROMIUM, FLAGS
from pubdice.text.catalogues import CODES
from support.house_process import House

WITHIN_MS = 60_000
"""How long a page may take for one thing: it takes 0.1 s alone, and 10 s on a machine with ten times its work."""
expect.set_options(timeout=WITHIN_MS)
LOCALES = [{"en": "en-GB", "de": "de-DE"}.get(code, code) for code in CODES]
"""A browser's locale for each language."""
TONGUES = [
    pytest.param(locale, marks=() if locale in ("en-GB", "de-DE") else pytest.mark.nightly) for locale in LOCALES
]
"""The same: English and German at every run, others at night."""
DISK_TRIES = 5
"""A house says after 8 s that it does not know whether the disk has a table; it may be asked again, as pages do."""
SHELL = "chromium-headless-shell"
LIGHT = ["--in-process-gpu", "--disable-site-isolation-trials"]
"""Switches of the shell: it draws in no process of its own, nor keeps sites apart, as all pages are of one. A tenth of
the processor's time less. By no --disable-features, as the last of these alone counts, and Playwright has its own.
Chromium itself runs at night as people have it."""
QUICK = () if NIGHTLY else ("--js-flags=--liftoff-only",)
"""A switch by day: WebAssembly is compiled quickly and only once, 1.4 s of processor less at each start."""
DESKTOP = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
SMALL: ViewportSize = {"width": 320, "height": 568}
PHONES = SMALL, PHONE, {"width": 390, "height": 844}
"""From the smallest phone that people have to a large one."""
RESTS_MS = 500
"""A moment longer than the page ignores taps and keys after a change (400 ms)."""
BEHIND = ("--proxy", "127.0.0.1", "--no-qr")
"""The house trusts a proxy on this machine: a request comes from the address in its X-Forwarded-For."""
FONTS = Path(__file__).with_name("fonts.conf")
_addresses = count(1)


@cache
def _installed() -> str:
    """The system's Chromium or else Playwright's own; "" where there is neither.

    Its shell without windows goes first: a page there costs 0.3 s of processor where Chromium takes 1.5, since it draws
    a window that nobody sees. The night runs with Chromium, as people do.
    """
    if not NIGHTLY and "PUBDICE_CHROMIUM" not in os.environ and (shell := which(SHELL)):
        return shell
    if Path(CHROMIUM).exists():
        return CHROMIUM
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else ""


def program() -> str:
    """The program that is Chromium here, or a skip where there is none."""
    return _installed() or pytest.skip("no Chromium: .ci/install installs it, PUBDICE_CHROMIUM names one")


def _environment() -> dict[str, str | float | bool]:
    """The browser's environment: everywhere the same fonts, where the system has them."""
    return {
        **os.environ,
        **({"FONTCONFIG_FILE": str(FONTS)} if Path("/usr/share/fonts/truetype/dejavu").exists() else {}),
    }


def launched(chromium: BrowserType, *more: str, command: str = "") -> Browser:
    """A browser; a skip where the system has none. more: of its switches. command: what starts it."""
    file = command or program()
    return chromium.launch(executable_path=file, args=[*FLAGS, *_light(file), *more], env=_environment())


def _light(command: str) -> list[str]:
    return LIGHT if Path(command).name == SHELL else []


@contextmanager
def chromium_running(*more: str) -> Iterator[Browser]:
    """The same with a Playwright of its own."""
    program()  # may ask another Playwright, of which a thread has one at a time
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium, *more)
        yield browser
        browser.close()


@contextmanager
def phone_running(folder: Path, **settings: Any) -> Iterator[BrowserContext]:
    """A browser with a folder of its own, in which everything stays that sites keep; or a skip."""
    with sync_playwright() as playwright:
        context = phone_in(playwright, folder, **settings)
        yield context
        context.close()


def phone_in(playwright: Playwright, folder: Path, **settings: Any) -> BrowserContext:
    """The same where several run at a time."""
    settings = {"viewport": PHONE, "locale": "en-GB", "env": _environment(), **settings}
    chromium = playwright.chromium
    switches = [*FLAGS, *_light(program()), *QUICK]
    context = chromium.launch_persistent_context(folder, executable_path=program(), args=switches, **settings)
    context.set_default_timeout(WITHIN_MS)
    return context


def context_of(browser: Browser, house: House, *, port: int = 0, **settings: Any) -> BrowserContext:
    """A browser of its own: cookies, address, size. port: another way to the house."""
    settings.setdefault("viewport", DESKTOP)
    settings.setdefault("locale", "en-GB")
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{port or house.port}", extra_http_headers=_an_address(), **settings
    )
    context.set_default_timeout(WITHIN_MS)
    return context


def _an_address() -> dict[str, str]:
    at = next(_addresses)
    return {"X-Forwarded-For": f"10.1.{at // 250}.{at % 250 + 1}"}


RESTING = "/ready"
"""Where a page is between two tests: a word of the house, without a script."""


def left(context: BrowserContext, *, viewport: Any = DESKTOP, **settings: Any) -> bool:
    """Leave a browser made with these settings as a new one is, but for its page; whether that went well.

    What was added to it for good, such as a script or a route, stays: such a browser is for nobody else.
    """
    if not context.pages:
        return False
    try:
        page, *others = context.pages
        for other in others:
            other.close()
        page.goto(RESTING)
        if page.evaluate("setTimeout.name") != "setTimeout":
            return False  # a clock of Playwright's, which would stand still or run ahead in all its pages to come
        page.mouse.move(0, 0)
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        page.set_viewport_size(viewport)
        looks = {"color_scheme": "light", "reduced_motion": "no-preference"}
        page.emulate_media(**{look: settings.get(look, usual) for look, usual in looks.items()})
        context.clear_cookies()
        context.set_extra_http_headers(_an_address())
    except Error:  # its page goes elsewhere by itself, say
        return False
    return True


def page_of(context: BrowserContext, address: str = "") -> Page:
    """A page, at an address if there is one: the one that rests in a browser that was kept, or a new one, which costs
    0.2 s of processor more.
    """
    pages = context.pages
    page = pages[0] if len(pages) == 1 and pages[0].url.endswith(RESTING) else context.new_page()
    if address:
        page.goto(address)
    return page


def box_of(part: Locator) -> FloatRect:
    """Where a part of a page lies, which is seen."""
    box = part.bounding_box()
    assert box is not None
    return box


def open_table(context: BrowserContext, name: str = "Ann", **order: Any) -> str:
    """A table set up by the browser's person, without a page; its address. Bots have no pause."""
    usual = {"game": "midnight", "name": name, "people": 1, "pace_ms": 0, "rules": {"format": "rounds 1"}}
    order = {**usual, **order}
    for _ in range(DISK_TRIES):
        answer = context.request.post("/tables", data=json.dumps(order), headers=_JSON)
        if answer.status != 503:
            break
    assert answer.status == 201, answer.text()
    return str(answer.json()["go"])


def sit(context: BrowserContext, table: str, name: str) -> None:
    """Take a seat, without a page."""
    assert ask(context, table, do="sit", name=name) == 200


def ask(context: BrowserContext, table: str, **asked: Any) -> int:
    """Ask something of a table, without a page; the status."""
    key = f"beside-{next(_addresses)}"
    return context.request.post(table, data=json.dumps({"key": key, **asked}), headers=_JSON).status


_JSON = {"Content-Type": "application/json", "Accept": "application/json"}


class Proxy:
    """A wire between a browser and the house that can be cut, or fall silent with both ends open."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._ends: list[socket.socket] = []
        self._silent: set[socket.socket] = set()
        self._at_work = [threading.Thread(target=self._accept, daemon=True)]
        self._at_work[0].start()

    def fall_silent(self) -> None:
        """Every line there is passes nothing on any more, and is never closed. New ones work."""
        self._silent.update(self._ends)

    def cut(self) -> None:
        """Every line there is breaks, as when a phone changes its network. New ones work."""
        for end in self._ends:
            _shut(end)

    def close(self) -> None:
        """Let every line go."""
        self.cut()
        _shut(self._listening)
        for thread in self._at_work:
            thread.join(5)
        for end in (*self._ends, self._listening):
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self._ends.append(client)
                try:
                    server = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    _shut(client)
                    continue
                self._ends.append(server)
                for pair in ((client, server), (server, client)):
                    self._at_work.append(threading.Thread(target=self._pass, args=pair, daemon=True))
                    self._at_work[-1].start()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if source not in self._silent:
                    sink.sendall(data)
        if source not in self._silent:
            _shut(source)
            _shut(sink)


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


def until(page: Page | Frame, expression: str, argument: object = None, *, within_ms: float = WITHIN_MS) -> None:
    """Wait until JavaScript finds something; Playwright's own waiting uses eval, which the pages forbid."""
    by = monotonic() + within_ms / 1000
    while not _found(page, expression, argument):
        assert monotonic() < by, expression
        page.wait_for_timeout(20)


def _found(page: Page | Frame, expression: str, argument: object) -> object:
    try:
        return page.evaluate(expression, argument)
    except Error as error:  # the service worker has the page opened again: it is asked once it is there
        if "context was destroyed" not in error.message:
            raise
        return None
