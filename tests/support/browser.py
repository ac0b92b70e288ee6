"""A real house process, a real Chromium, and orders for tables. This module knows no page.

Each context has its own address, as phones do. So the house's limits apply as they do to players.
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
    Frame,
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
"""The time limit for one step of a page. A step takes 0.1 s on an idle machine, and 10 s on a very busy one."""
expect.set_options(timeout=WITHIN_MS)
LOCALES = [{"en": "en-GB", "de": "de-DE"}.get(code, code) for code in CODES]
"""A browser's locale for each language."""
TONGUES = [
    pytest.param(locale, marks=() if locale in ("en-GB", "de-DE") else pytest.mark.nightly) for locale in LOCALES
]
"""The same locales as test parameters. English and German run each time, others at night."""
DISK_TRIES = 5
"""After 8 s a house says that it does not know if the disk has a table. Pages then ask again, and so do tests."""
SHELL = "chromium-headless-shell"
LIGHT = ["--in-process-gpu", "--disable-site-isolation-trials"]
"""Switches of the shell. It draws in the browser's process and does not isolate sites, since all pages are of one site.
That saves a tenth of the processor's time. --disable-features is not used: only the last one counts, and Playwright
sets its own. At night Chromium itself runs, with its usual switches."""
QUICK = () if NIGHTLY else ("--js-flags=--liftoff-only",)
"""A switch by day. WebAssembly is compiled quickly and only once, which saves 1.4 s of processor at each start."""
DESKTOP = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
SMALL: ViewportSize = {"width": 320, "height": 568}
PHONES = SMALL, PHONE, {"width": 390, "height": 844}
"""From the smallest phone that people have to a large one."""
RESTS_MS = 500
"""Longer than the page ignores taps after a change (400 ms)."""
BEHIND = ("--proxy", "127.0.0.1", "--no-qr")
"""The house trusts a proxy on this machine, so the client's address is the one in X-Forwarded-For."""
FONTS = Path(__file__).with_name("fonts.conf")
_addresses = count(1)


@cache
def _installed() -> str:
    """Return the file of the system's Chromium, or of Playwright's. "" if there is neither.

    By day the headless shell is preferred. A page there costs 0.3 s of processor, and 1.5 s in Chromium, which draws a
    window. At night Chromium itself is used.
    """
    if not NIGHTLY and "PUBDICE_CHROMIUM" not in os.environ and (shell := which(SHELL)):
        return shell
    if Path(CHROMIUM).exists():
        return CHROMIUM
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else ""


def program() -> str:
    """Return the file of Chromium. Skip the test if there is none."""
    return _installed() or pytest.skip("no Chromium: .ci/install installs it, PUBDICE_CHROMIUM names one")


def _environment() -> dict[str, str | float | bool]:
    """Return the browser's environment. It has the same fonts on all machines that have them."""
    return {
        **os.environ,
        **({"FONTCONFIG_FILE": str(FONTS)} if Path("/usr/share/fonts/truetype/dejavu").exists() else {}),
    }


SLOWED = float(os.environ.get("PUBDICE_SLOWED", "1"))
"""The factor by which pages compute more slowly (make hunt), so that a race shows on a quiet machine."""


def _slow_down(context: BrowserContext) -> None:
    def slow(page: Page) -> None:
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})

    if SLOWED > 1:
        context.on("page", slow)


def launched(chromium: BrowserType, *more: str, command: str = "") -> Browser:
    """Start a browser. more: further switches. command: the file to start. Skip the test if there is no browser."""
    file = command or program()
    return chromium.launch(executable_path=file, args=[*FLAGS, *_light(file), *more], env=_environment())


def _light(command: str) -> list[str]:
    return LIGHT if Path(command).name == SHELL else []


@contextmanager
def chromium_running(*more: str) -> Iterator[Browser]:
    """Start a browser with its own Playwright."""
    program()  # may start another Playwright, and a thread can have only one at a time
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium, *more)
        yield browser
        browser.close()


@contextmanager
def phone_running(folder: Path, **settings: Any) -> Iterator[BrowserContext]:
    """Start a browser with its own folder for all that sites store. Skip the test if there is no browser."""
    with sync_playwright() as playwright:
        context = phone_in(playwright, folder, **settings)
        yield context
        context.close()


def phone_in(playwright: Playwright, folder: Path, **settings: Any) -> BrowserContext:
    """Start a browser with its own folder, beside others of the same Playwright."""
    settings = {"viewport": PHONE, "locale": "en-GB", "env": _environment(), **settings}
    chromium = playwright.chromium
    switches = [*FLAGS, *_light(program()), *QUICK]
    context = chromium.launch_persistent_context(folder, executable_path=program(), args=switches, **settings)
    context.set_default_timeout(WITHIN_MS)
    _slow_down(context)
    return context


def context_of(browser: Browser, house: House, *, port: int = 0, **settings: Any) -> BrowserContext:
    """Make a context with its own cookies, address and size. port: of a proxy to the house, if not its own."""
    settings.setdefault("viewport", DESKTOP)
    settings.setdefault("locale", "en-GB")
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{port or house.port}", extra_http_headers=_an_address(), **settings
    )
    context.set_default_timeout(WITHIN_MS)
    _slow_down(context)
    return context


def _an_address() -> dict[str, str]:
    at = next(_addresses)
    return {"X-Forwarded-For": f"10.1.{at // 250}.{at % 250 + 1}"}


RESTING = "/ready"
"""The path of a page between two tests. It has no script."""


def left(context: BrowserContext, *, viewport: Any = DESKTOP, **settings: Any) -> bool:
    """Clear a context, so another test can use it with these settings. Return True if it is as new.

    Init scripts and routes stay. A context that has some must not be used again.
    """
    if not context.pages:
        return False
    try:
        page, *others = context.pages
        for other in others:
            other.close()
        page.goto(RESTING)
        if page.evaluate("setTimeout.name") != "setTimeout":
            return False  # Playwright's clock is installed, and would stay in all later pages
        page.unroute_all()
        page.mouse.move(0, 0)
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        page.set_viewport_size(viewport)
        looks = {"color_scheme": "light", "reduced_motion": "no-preference"}
        page.emulate_media(**{look: settings.get(look, usual) for look, usual in looks.items()})
        context.clear_cookies()
        context.set_extra_http_headers(_an_address())
    except Error:  # for example if its page navigates by itself
        return False
    return True


def page_of(context: BrowserContext, address: str = "") -> Page:
    """Return a page, at an address if one is given.

    The resting page of a used context is taken first: a new page costs 0.2 s of processor.
    """
    pages = context.pages
    page = pages[0] if len(pages) == 1 and pages[0].url.endswith(RESTING) else context.new_page()
    if address:
        page.goto(address)
    return page


def open_table(context: BrowserContext, name: str = "Ann", **order: Any) -> str:
    """Open a table without a page. Return its address. Bots have no pause."""
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
    """Send a command to a table, without a page. Return the status."""
    command = json.dumps({"key": f"beside-{next(_addresses)}", **asked})
    for _ in range(DISK_TRIES):
        if (status := context.request.post(table, data=command, headers=_JSON).status) != 503:
            break
    return status


_JSON = {"Content-Type": "application/json", "Accept": "application/json"}


class Proxy:
    """A proxy between a browser and the house. Its connections can break, or fall silent with both ends open."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._ends: list[socket.socket] = []
        self._silent: set[socket.socket] = set()
        self._at_work = [threading.Thread(target=self._accept, daemon=True)]
        self._at_work[0].start()

    def fall_silent(self) -> None:
        """Pass nothing on in the present connections, and keep them open. New ones work."""
        self._silent.update(self._ends)

    def cut(self) -> None:
        """Break the present connections, as a phone does when it changes its network. New ones work."""
        for end in self._ends:
            _shut(end)

    def close(self) -> None:
        """Close all connections and the port."""
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


def stop_clock(page: Page) -> None:
    """Stop Playwright's clock of a page.

    The first try fails if it comes after the second that it names. The clock then stands still, and the second works.
    """
    try:
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    except Error:
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)


def until(page: Page | Frame, expression: str, argument: object = None, *, within_ms: float = WITHIN_MS) -> None:
    """Wait until an expression is true. Playwright's own waiting uses eval, which the pages forbid."""
    by = monotonic() + within_ms / 1000
    while not _found(page, expression, argument):
        assert monotonic() < by, expression
        page.wait_for_timeout(20)


def _found(page: Page | Frame, expression: str, argument: object) -> object:
    try:
        return page.evaluate(expression, argument)
    except Error as error:  # the service worker loads the page again: ask the new one
        if "context was destroyed" not in error.message:
            raise
        return None
