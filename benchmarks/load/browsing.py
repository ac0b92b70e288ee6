"""A table's page in Chromium: its bytes over the wire, and the time until it can be played.

A page is usable once it is parsed, so the main button is there, and the stream has answered. The time counts from the
request for the page, by Chromium's own clock. Each visit is a first visit, with empty caches.
"""

import msgspec
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from benchmarks.load.chromium import CHROMIUM, FLAGS

ORDER = {"game": "midnight", "name": "Ann", "people": 1, "bots": ["tip"], "rules": {"format": "rounds 5"}}


class RemoteGame(msgspec.Struct):
    """The figures of one visit: bytes by file, without the stream, and milliseconds."""

    wire: dict[str, int]
    usable_ms: float

    @property
    def total(self) -> int:
        """The number of all bytes, heads included."""
        return sum(self.wire.values())


def visits(port: int, number: int) -> list[RemoteGame]:
    """Make ``number`` first visits, after one that starts Chromium up."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        found = [_visit(browser, f"http://127.0.0.1:{port}") for _ in range(number + 1)]
        browser.close()
    return found[1:]


def _visit(browser: Browser, house: str) -> RemoteGame:
    context = browser.new_context()
    opened = context.request.post(f"{house}/tables", data=ORDER).json()
    page = context.new_page()
    seen = _Seen(context.new_cdp_session(page))
    page.goto(house + opened["go"])
    page.locator("#main").wait_for()
    while seen.answered is None or seen.parsed is None:
        page.wait_for_timeout(10)
    page.wait_for_timeout(200)  # for files that are still loading
    visit = RemoteGame(seen.wire | _icon(page, context, seen), 1000 * (max(seen.answered, seen.parsed) - seen.begun))
    context.close()
    return visit


class _Seen:
    """Chromium's reports on the loading of a page. Its times are in seconds."""

    def __init__(self, session: CDPSession) -> None:
        self.begun = 0.0
        self.answered: float | None = None
        self.parsed: float | None = None
        self.wire: dict[str, int] = {}
        self._names: dict[str, str] = {}
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", self._loaded)
        session.on("Page.domContentEventFired", self._ready)
        session.send("Network.enable")
        session.send("Page.enable")

    def _asked(self, event: dict[str, object]) -> None:
        request = event["request"]
        assert isinstance(request, dict), "as the protocol has it"
        self._names[str(event["requestId"])] = str(request["url"]).partition("//")[2].partition("/")[2]
        if not self.begun:
            self.begun = float(str(event["timestamp"]))

    def _answered(self, event: dict[str, object]) -> None:
        if "/events" in self._names[str(event["requestId"])]:
            self.answered = float(str(event["timestamp"]))

    def _loaded(self, event: dict[str, object]) -> None:
        self.wire[self._names[str(event["requestId"])]] = int(float(str(event["encodedDataLength"])))

    def _ready(self, event: dict[str, object]) -> None:
        self.parsed = float(str(event["timestamp"]))


def _icon(page: Page, context: BrowserContext, seen: _Seen) -> dict[str, int]:
    """Fetch the icon, as Chromium without a window does not. Return its bytes by name."""
    found = {}
    for href in page.locator("link[rel~=icon]").evaluate_all("links => links.map(link => link.href)"):
        name = href.partition("//")[2].partition("/")[2]
        if not seen.wire.get(name):
            answer = context.request.get(href)
            head = sum(len(pair["name"]) + len(pair["value"]) + 4 for pair in answer.headers_array)
            found[name] = head + int(answer.headers.get("content-length", len(answer.body())))
    return found
