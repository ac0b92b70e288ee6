"""Players at a pocket without a network. They tap, and pass the phone round."""

import random
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Frame, Page, expect

from browser.page_players import Ear, listen
from pocket.small_folder import COMPLETE
from pubdice.games import GAMES
from pubdice.library.match_in_play import read_record
from pubdice.server.table.game_offers import match_fields
from support.browser import phone_running
from support.static_host import StaticHost

ENGINE_MS = 180_000  # milliseconds until the engine runs, on a busy machine
MOVE_MS = 60_000
MOST_MOVES = 600
LOST = re.compile("does not answer|doesn't answer|antwortet nicht")
MOVES, TILES = "#moves button", "#things .tile:not([aria-disabled], [aria-pressed=true])"
READY = "#main:not([aria-disabled])"
WAYS_ON = ", ".join(
    f"{control}:visible"
    for control in ("#result", "#pass a", "#draw button", READY, "#main[data-waiting]", MOVES, TILES)
)
MOVED = """was => document.querySelector('#result') || !document.querySelector('#refusal')?.hidden
  || document.querySelector('#table').dataset.seq !== was"""


@dataclass(frozen=True)
class Phone:
    """A phone on which the house is installed. Its host is out of reach."""

    context: BrowserContext
    host: StaticHost
    ear: Ear

    def come(self, path: str = "") -> Page:
        page = self.context.new_page()
        page.goto(f"{self.host.address}{path}")
        there(page)
        return page

    @contextmanager
    def on_a_page(self) -> Iterator[Page]:
        """Yield the front page. At the end assert that it had no errors and that the house never seemed lost."""
        self.ear.lines.clear()
        self.ear.at = 0
        page = self.come()
        yield page
        page.close()
        assert self.ear.faults == []
        assert not [line for line in self.ear.texts if LOST.search(line)]


@contextmanager
def offline_phone(folder: Path, kept: Path, **settings: Any) -> Iterator[Phone]:
    """Yield a phone that has opened the house of a folder once, and has had no network since.

    ``kept`` is the folder for the phone's storage. The host has a list of the requests of that first visit.
    """
    settings = {"reduced_motion": "reduce", "has_touch": True, **settings}
    with StaticHost(folder) as host:
        with phone_running(kept, **settings) as context:
            first, page = listen(context), context.new_page()
            page.goto(host.address)
            there(page)
            assert page.evaluate(COMPLETE), "all of it is on the phone"
            assert first.faults == []
        host.stop()
        with phone_running(kept, **settings) as context:  # the browser was closed in between
            context.set_default_timeout(MOVE_MS)
            yield Phone(context, host, listen(context))


@pytest.fixture(scope="module")
def phone(quick_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    with offline_phone(quick_folder, tmp_path_factory.mktemp("phone")) as phone:
        yield phone


@pytest.fixture
def page(phone: Phone) -> Iterator[Page]:
    with phone.on_a_page() as page:
        yield page


def there(page: Page) -> Frame:
    """Return the frame with the house, once the house and its engine are there."""
    expect(page.locator("#start")).to_be_hidden(timeout=ENGINE_MS)
    expect(page.locator("iframe.early")).to_have_count(0, timeout=ENGINE_MS)
    return house(page)


def house(page: Page) -> Frame:
    frame = page.locator("iframe").element_handle().content_frame()
    assert frame
    return frame


def set_up(frame: Frame, game: str, form: str, *names: str, bots: int = 0, dice: str = "house", **more: str) -> None:
    """Open a table by the form of the front page. ``form`` is the format of the match in notation."""
    frame.locator(".players > details").evaluate("details => { details.open = true }")
    for key, name in zip_longest(("name", "player2", "player3", "player4"), names, fillvalue=""):
        frame.locator(f"#{key}").fill(name)  # fills empty fields too, because the form remembers earlier players
    frame.locator("#bots").select_option(str(bots))
    frame.locator(f"label[for='game-{game}']").click()
    choose_rules(frame, {**match_fields(GAMES[game], {"format": form}), "dice": dice, "pace": "0", **more})
    frame.locator("#open .go button:visible").first.click()
    frame.locator("#play").wait_for(timeout=MOVE_MS)
    frame.wait_for_load_state()


def choose_rules(frame: Frame, chosen: Mapping[str, str]) -> None:
    """Fill fields of the house rules on the front page, by name."""
    frame.locator("#house > summary").click()
    frame.locator("#house .later").evaluate("details => { details.open = true }")
    for name, value in chosen.items():
        field = frame.locator(f"[name='{name}']")
        if field.first.get_attribute("type") == "radio":
            frame.locator(f"[name='{name}'][value='{value}']").check()
        elif field.first.evaluate("node => node.localName") == "select":
            field.select_option(value)
        else:
            field.fill(value)


def record_of(frame: Frame) -> str:
    """Return the match's record from the house. The rules can replay it to its end."""
    text = str(frame.evaluate("async () => await (await fetch(`${location.pathname}/record`)).text()"))
    assert read_record(text).over, text
    return text


@dataclass
class ByTouch:
    """A player who taps for all seats at one phone. ``passed`` counts how often the phone was passed on."""

    page: Page
    seed: int = 1
    passed: int = 0

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)
        self.frame = house(self.page)

    def play(self, most: int = MOST_MOVES) -> str:
        """Play until the result is there, or for ``most`` moves. Return the heading of the result, or "" if the match
        still goes on.
        """
        for _ in range(most):
            self.frame.locator(WAYS_ON).first.wait_for()
            if self.sees("#result"):
                return self.frame.locator("#heading").inner_text()
            if self.sees("#pass a"):
                self.press("#pass a")
                self.frame.locator("#pass").wait_for(state="hidden")
                self.passed += 1
                continue
            was = self.frame.locator("#table").get_attribute("data-seq")
            self._move()
            self.frame.wait_for_function(MOVED, arg=was, timeout=MOVE_MS)
        return ""

    def sees(self, control: str) -> bool:
        return self.frame.locator(control).first.is_visible()

    def press(self, control: str) -> None:
        self.frame.locator(control).first.tap()

    def _move(self) -> None:
        """Make the next step of the player at this page."""
        if self.sees("#draw button"):
            self.press("#draw button")
            self.frame.locator("#draw fieldset").wait_for(state="hidden")
        elif self.sees(MOVES):
            self.press(f"{MOVES}:nth-child({1 + self._chance.randrange(self.frame.locator(MOVES).count())})")
        elif self.sees(TILES):
            self._shut()
        elif self.sees("#bank") and self._chance.random() < 0.5:
            self.press("#bank")
        elif self.sees("#main[data-waiting]"):
            self._keep()
        else:
            self.press("#main")

    def _shut(self) -> None:
        """Tap the highest tiles until they make a move."""
        while not self.sees(READY):
            numbers = self.frame.locator(TILES).evaluate_all("tiles => tiles.map(({ dataset }) => +dataset.number)")
            self.press(f"#things .tile[data-number='{max(numbers)}']")
        self.press(READY)

    def _keep(self) -> None:
        """Keep the highest free die."""
        free = self.frame.locator("#dice .die[data-status=free]:visible")
        dice = free.evaluate_all("dice => dice.map(({ dataset }) => [Number(dataset.face), dataset.place])")
        self.press(f"#dice .die[data-place='{max(dice)[1]}']")
