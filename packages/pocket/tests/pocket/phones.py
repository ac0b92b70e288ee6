"""Several phones that play without a server between them. They are separate browsers, and exchange codes by pasting or
by camera.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import segno
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect

from pocket.pocket_players import ENGINE_MS, READY, ByTouch, choose_rules, house, there
from pocket.small_folder import publish
from pocket.test_shell_words import words
from pubdice.games import GAMES
from pubdice.server.table.game_offers import match_fields
from support.browser import PHONE, QUICK, WITHIN_MS, chromium_running

EN = {**words()["en"], **words("phones/words.js")["en"]}
HELP = words("phones_apart/words.js")["en"]
IN_MS = 20_000
PEERS = """const Peer = RTCPeerConnection; window.peers = [];
window.RTCPeerConnection = class extends Peer { constructor(how) { super(how); peers.push(this); } };"""
"""An init script that records the RTCPeerConnections of a page."""
BREAK = "peers[0].close(), peers[0].dispatchEvent(new Event('connectionstatechange'))"
"""A script that breaks a page's first connection, and tells the page so."""


def phone(browser: Browser, **settings: Any) -> BrowserContext:
    """Return a phone with its own storage, certificate and cookies."""
    settings = {"viewport": PHONE, "locale": "en-GB", "reduced_motion": "reduce", "has_touch": True, **settings}
    context = browser.new_context(**settings)
    context.set_default_timeout(WITHIN_MS)
    return context


class LetsIn(Protocol):
    def let_in(self) -> str:
        """Show a code. Return the address in the code."""

    def take(self, code: str) -> None:
        """Enter another phone's code as pasted text."""


@dataclass
class Host:
    """A phone that is the house."""

    page: Page

    @classmethod
    def open(cls, context: BrowserContext, address: str) -> "Host":
        page = context.new_page()
        page.goto(address)
        there(page)
        return cls(page)

    @property
    def frame(self) -> Frame:
        return house(self.page)

    def let_in(self) -> str:
        """Show a code at a table. Return the address in the code."""
        panel = self.page.locator("#phones")
        if not panel.is_visible():
            self.frame.locator("a[href='#other-phones']").first.dispatch_event("click")
        button = panel.get_by_role("button", name=EN["phones_let_in"])
        expect(button.or_(panel.locator(".qr"))).to_be_visible()
        if button.is_visible():
            button.tap()
        expect(panel.locator(".qr svg")).to_be_visible()
        return panel.locator("textarea").first.input_value()

    def take(self, code: str) -> None:
        """Enter another phone's code as pasted text."""
        panel = self.page.locator("#phones")
        panel.locator("details").nth(1).evaluate("details => { details.open = true }")
        panel.locator("textarea").nth(1).fill(code)
        panel.get_by_role("button", name=EN["phones_take"]).tap()

    def close_panel(self) -> None:
        self.page.locator("#phones").get_by_role("button", name=EN["close"]).tap()


def answer(page: Page, address: str, name: str = "") -> str:
    """Open the address of a code on another phone, and join. Return the code that this phone then shows."""
    page.goto(address)
    form = page.locator("#phones form")
    form.wait_for(timeout=ENGINE_MS)
    form.locator("input").fill(name)
    form.get_by_role("button").tap()
    expect(page.locator("#phones .qr svg")).to_be_visible(timeout=ENGINE_MS)
    return page.locator("#phones textarea").first.input_value()


def come(host: Host, context: BrowserContext, name: str = "") -> Page:
    """Bring a phone to the house. Return its page, with the house in it. ``name`` is the name given when joining."""
    page = context.new_page()
    code = answer(page, host.let_in(), name)
    host.take(code)
    expect(page.locator("iframe:not(.waits)")).to_be_visible(timeout=IN_MS)
    return page


def open_table(host: Host, name: str, game: str = "midnight", form: str = "") -> None:
    """Open a table for friends. A phone that is not a guest becomes the house.

    ``form`` is the format of the match in notation, or "" for the usual one.
    """
    frame = host.frame
    # if the player has a table here already, their name is known and not asked for
    if frame.locator("#name").is_visible():
        frame.locator("#name").fill(name)
    frame.locator(f"label[for='game-{game}']").tap()
    if form:
        choose_rules(frame, match_fields(GAMES[game], {"format": form}))
    frame.locator("#open button[value=friends]:visible").first.tap()
    frame.locator("#play").wait_for()


def sit(page: Page, name: str) -> None:
    """Take a seat at the host's table as a guest."""
    frame = house(page)
    frame.locator("#name").fill(name)
    frame.get_by_role("button", name="Sit down").tap()
    expect(frame.locator("#heading")).to_have_text("You're in")


def play(*pages: Page, moves: int = 10_000) -> None:
    """Play a match to its end, or for some moves, with each player on a phone of their own."""
    players, done = [ByTouch(page) for page in pages], 0
    for _ in range(600):
        for player in players:
            if done == moves or player.sees("#result"):
                return
            if player.sees(READY) or player.sees("#main[data-waiting]"):
                player.play(1)
                done += 1
        pages[0].wait_for_timeout(20)
    raise AssertionError(f"after {done} moves no more are offered, and the match does not end")


WIDE, HIGH = 640, 480
SCALE = 5
LIGHT, DARK = 235, 16  # luma of white and of black in video


def camera_sees(film: Path, text: str) -> None:
    """Write a film of a single picture: a code, as a still camera sees it."""
    modules = [list(row) for row in segno.make(text, error="l", micro=False).matrix]
    left, top = ((of - len(modules) * SCALE) // 2 for of in (WIDE, HIGH))
    luma = [bytearray([LIGHT]) * WIDE for _ in range(HIGH)]
    for at, row in enumerate(modules):
        drawn = b"".join(bytes([DARK if module else LIGHT]) * SCALE for module in row)
        for line in range(SCALE):
            luma[top + at * SCALE + line][left : left + len(drawn)] = drawn
    frame = b"FRAME\n" + b"".join(luma) + bytes([128]) * (WIDE * HIGH // 2)
    publish(film, f"YUV4MPEG2 W{WIDE} H{HIGH} F10:1 Ip A1:1 C420\n".encode() + frame * 3)


@contextmanager
def with_camera(film: Path) -> Iterator[Browser]:
    """Run a browser whose camera shows a film. The browser reads the film's file when the camera starts."""
    see = (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )
    with chromium_running(*see, *QUICK) as browser:
        yield browser


LINE = """async offer => {
  const { Link, certificate, readCode } = await import('/pocket/phones/link.js');
  window.heard = [];
  window.gone = false;
  const told = { heard: message => heard.push(message), lost: () => (window.gone = true) };
  window.link = new Link(await certificate(), told);
  return link.answer(readCode(offer));
}"""
"""A script that connects to the house. A test then sends its own messages on this connection."""
HOUSE = """async ({ page, scripts = [] }) => {
  const { Link, certificate, readCode } = await import('/pocket/phones/link.js');
  const own = await certificate();
  window.isDown = false;
  window.asked = [];
  const say = (ask, type, text) => {
    const told = new TextEncoder().encode(text);
    link.send({ head: ask, status: 200, headers: [['content-type', type], ['content-security-policy', '']] });
    const framed = new Uint8Array(5 + told.length);
    new DataView(framed.buffer).setUint32(0, ask);
    framed.set(told, 5);
    link.send(framed);
  };
  const heard = ({ ask, spare, target }) => {
    if (spare) window.next.accept(readCode(spare));
    if (ask === undefined) return;
    if (window.isDown) return link.send({ failed: ask });
    asked.push(target);
    const isScript = scripts.some(name => target.endsWith(name));
    say(ask, isScript ? 'text/javascript' : 'text/html', isScript ? 'parent.owned = location.href' : page);
  };
  window.line = () => {
    const made = new Link(own, { heard, lost() {} });
    made.opened.then(() => {
      window.link = made;
      made.send({ hello: { home: '/', at: '/' } });
    });
    return made;
  };
  window.spare = async () => {
    window.next = line();
    link.send({ spare: await next.offer() });
  };
  window.first = line();
  window.take = code => first.accept(readCode(code));
  return first.offer();
}"""
"""A script of a house that has the same page for every address, and fails while ``isDown``. ``spare()`` gives its guest
a spare connection. Each of ``scripts`` would report that it ran."""
