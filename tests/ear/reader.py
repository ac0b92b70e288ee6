"""A person at a page with a screen reader: they come to it, go by controls, headings and lines, through table cells.

Each of these ends when what it asks for has been heard.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from ear.desk import Desk, desk, missing
from ear.people import ECHOES
from support.house_process import House

MOST_KEYS = 50
ANSWER_S, QUIET_S = 6.0, 0.5
"""A key is answered within so long; then nothing more is said for so long, and the next key cuts nothing off."""
WITHIN_S = 30.0
SOLVED_S = 150.0
TITLE = "Finished loading"
BROWSE_MODE, FOCUS_MODE = "Browse mode", "Focus mode"
MOST_TOGGLES = 4
"""On a busy machine the answer to one press may come with the next."""
INTO = {"main content", "form", "banner", "navigation", "region", "panel"}
PLACES = {*INTO, *(f"leaving {place}." for place in INTO)}
"""Heard on the way to what a key finds, and on a busy machine up to a second before it."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A desk with a screen reader, and the house that its pages come from."""

    here: Desk
    house: str

    def mark(self) -> int:
        """How much has been heard so far; ``said`` and ``hear`` count from there."""
        return len(self.here.heard.said)

    def said(self, mark: int) -> str:
        """All that was heard since, in one line."""
        return " ".join(one.text for one in self.here.heard.said[mark:])

    def hear(self, mark: int, *patterns: str) -> str:
        """Wait until patterns have been heard since a mark, in this order; all that was heard."""
        in_order = re.compile(".*?".join(patterns))
        self.here.heard.wait(lambda: in_order.search(self.said(mark)) is not None, WITHIN_S)
        assert in_order.search(self.said(mark)), f"{patterns} were not heard in order, but {self.said(mark)!r}"
        return self.said(mark)

    def come(self, path: str, cookie: str = "", *patterns: str) -> str:
        """Come to a page as somebody, once the house has it whole, and to its top: what it said on arrival.

        patterns: what is heard as it reads itself; Orca tells in Chromium that it has loaded.
        """
        self._worked_out(path, cookie)
        mark = self.mark()
        self.here.browser.open(self.house, path, cookie or "nobody=1")
        return self.arrived(mark, *patterns)

    def arrived(self, mark: int, *patterns: str) -> str:
        """Wait until a page that was sent for reads itself, and to its top: what it said on arrival."""
        self.hear(mark, *(patterns or (TITLE,)))
        self.here.hush()
        self.here.press("ctrl+Home")
        return self.said(mark)

    def wait_for(self, script: str) -> None:
        """Wait until a script finds something in the page, which nothing that is heard tells of."""
        until = time.monotonic() + SOLVED_S
        while not self.here.browser.ask(script):
            assert time.monotonic() < until, script
            time.sleep(QUIET_S)

    def until(self, key: str, pattern: str) -> str:
        """Press a key until something is heard; all that was heard meanwhile."""
        mark = self.mark()
        for _ in range(MOST_KEYS):
            silent = not self._answer(key)
            if re.search(pattern, self.said(mark)):
                return self.said(mark)
            if silent or self.said(mark).count("Wrapping to") > 1:
                break
        raise AssertionError(f"{key} never came to {pattern!r}, but to {self.said(mark)!r}")

    def press(self, key: str, *patterns: str) -> str:
        """Press a key, upon which patterns are heard in this order; all that was heard."""
        mark = self.mark()
        self.here.strike(key)
        return self._heard_out(mark, *patterns)

    def type(self, line: str, *patterns: str) -> str:
        """Type a line with Return, upon which patterns are heard in this order; all that was heard."""
        mark = self.mark()
        self.here.enter(line)
        return self._heard_out(mark, *patterns)

    def send(self, line: str, *patterns: str) -> str:
        """Type a line that leads to a page, and come to its top: what it said on arrival."""
        mark = self.mark()
        self.here.enter(line)
        return self.arrived(mark, *patterns)

    def follow(self, *patterns: str) -> str:
        """Press Return on what leads to a page, and come to its top: what it said on arrival."""
        mark = self.mark()
        self.here.strike("Return")
        return self.arrived(mark, *patterns)

    def table(self, pattern: str) -> None:
        """Go to the next table that is so announced; its first cell is the one at hand."""
        self.until("t", pattern)

    def cells(self, ways: str) -> list[str]:
        """Go through the cells of a table, such as "Down Right Right": what is heard of each."""
        return [" ".join(self._answer(f"alt+shift+{way}")) for way in ways.split()]

    def browse(self) -> None:
        """Let the keys be the screen reader's again, after a control that took them."""
        mark = self.mark()
        for _ in range(MOST_TOGGLES):
            before = self.mark()
            self.here.orca("a")
            self.here.heard.wait(partial(self._is_said, before, "mode"))
            if self.said(mark).rfind(BROWSE_MODE) > self.said(mark).rfind(FOCUS_MODE):
                break
        assert BROWSE_MODE in self.said(before), self.said(mark)
        self.here.press("ctrl+Home")

    def _is_said(self, mark: int, text: str) -> bool:
        return text in self.said(mark)

    def _heard_out(self, mark: int, *patterns: str) -> str:
        """Wait until patterns have been heard in this order, and what follows them; all that was heard since a mark."""
        self.hear(mark, *patterns)
        self.here.heard.settle()
        return self.said(mark)

    def _answer(self, key: str) -> list[str]:
        """Press a key: what is heard, but for the screen reader's echo of it."""
        mark = self.mark()

        def heard() -> list[str]:
            texts = [one.text for one in self.here.heard.said[mark:]]
            return [text for text in texts if text.lower().rstrip(".") not in (*ECHOES, key.lower())]

        self.here.strike(key)
        self.here.heard.wait(lambda: any(text.lower() not in PLACES for text in heard()), ANSWER_S)
        self.here.heard.settle(QUIET_S)
        return heard()

    def _worked_out(self, path: str, cookie: str) -> None:
        """Wait until the house has a page whole: one that asks again is read from its beginning each time."""
        until = time.monotonic() + SOLVED_S
        while True:
            try:
                with urlopen(Request(self.house + path, headers={"cookie": cookie}), timeout=30) as whole:
                    if whole.status != 202:
                        return
            except HTTPError as fault:
                if fault.code != 422:  # a refusal is a page too
                    raise
                return
            assert time.monotonic() < until, f"the house never finishes {path}"
            time.sleep(0.5)


@contextmanager
def reading(folder: Path, browser: str = "chromium") -> Iterator[tuple[Reader, House]]:
    """A house, and a desk at which its pages are read; skips where something to hear with is lacking."""
    if lacking := missing(browser):
        pytest.skip(f"no {', '.join(lacking)} to hear with; .ci/install nightly installs them")
    for name in ("house", "desk"):
        (folder / name).mkdir()
    with House(folder / "house", "--no-qr", limits=False) as house, desk(folder / "desk", browser) as here:
        yield Reader(here, f"http://127.0.0.1:{house.port}"), house
