"""Stores for tests: connections that can be watched, held up, and made to fail."""

import sqlite3
from collections.abc import Callable
from typing import Any

from pubdice.core.errors import NotStored
from pubdice.store import Entry, TableSummary
from pubdice.store.house_store import HouseStore
from pubdice.store.sqlite.schema import Connect

PLAYING = TableSummary("playing", listed=True, updated=1_000)
Hook = Callable[[str], None]


def hooked(hook: Hook) -> Connect:
    """Connections that call the hook before each statement and raise its errors."""

    class Hooked(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            hook(statement)
            return super().execute(statement, *values)

    return lambda path: sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Hooked)


def table(store: HouseStore, code: str = "ABCDEF") -> int:
    """A new table with one line."""
    return store.open_table(code, "setup", PLAYING)


def summary_of(stage: str, updated: int, *people: str, listed: bool = True) -> TableSummary:
    """The facts of a table beside its log."""
    return TableSummary(stage, listed, updated, people)


def entry(of: int, seen: int, *lines: str, key: str | None = None) -> Entry:
    """An entry whose answer tells its key."""
    return Entry(of, seen, lines, key, f"answer to {key}".encode() if key else b"", PLAYING)


def code(call: Callable[[], object]) -> str:
    """The code a call is refused with."""
    try:
        call()
    except NotStored as refused:
        return refused.code
    raise AssertionError("it was not refused")
