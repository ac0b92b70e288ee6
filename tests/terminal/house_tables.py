"""Tables of a real house for the terminal's tests, and lines at which nobody sits."""

import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pubdice.terminal.console import Console
from pubdice.terminal.web_client import WebTable
from support.house_process import House


def own_table(house: House, **order: Any) -> WebTable:
    """A table that Bob has set up, as he sits at it: a round of Midnight, if the order says no more."""
    front = WebTable(f"http://127.0.0.1:{house.port}/t/AAAAAA", time.sleep)
    body = json.dumps({"game": "midnight", "name": "Bob", "rules": {"format": "rounds 1"}, **order}).encode()
    go = front._data(front._open("/tables", body))["go"]
    return WebTable(f"http://127.0.0.1:{house.port}{go}", time.sleep, cookie=front.cookie)


class Heard(Console):
    """A line that only keeps what it is told."""

    def __init__(self) -> None:
        super().__init__(sys.stdin, sys.stdout, live=False)
        self.said: list[str] = []

    def say(self, lines: Iterable[str]) -> None:
        self.said.extend(lines)


class Typist(Heard):
    """A line at which somebody types who reads what it says."""

    def __init__(self, typed: Callable[[list[str]], Iterator[str]]) -> None:
        super().__init__()
        self._lines = typed(self.said)

    def ask(self, prompt: str) -> str:
        return next(self._lines)

    def said_by_now(self, pattern: str) -> bool:
        """Whether some line matches."""
        return any(re.search(pattern, line) for line in self.said)
