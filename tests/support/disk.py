"""A store of which a test can see whether it is at work, and a disk that can be held up or made to fail."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from pubdice.store import Entry, SqliteReader
from pubdice.store.sqlite.schema import Connect
from pubdice.store.sqlite.store import SqliteStore


class Store(SqliteStore):
    """A store of which one can see whether it is at work."""

    def __init__(self, path: Path, connect: Connect) -> None:
        self.under_way = 0
        self.told = asyncio.Event()
        super().__init__(path, connect=connect)

    def submit(self, entries: Iterable[tuple[Entry, Any]], loop_call: Any = None) -> None:
        super().submit([(entry, self._counted(done)) for entry, done in entries], loop_call)

    def submit_table(self, code: str, lines: Any, summary: Any, done: Any, *more: Any, **named: Any) -> None:
        super().submit_table(code, lines, summary, self._counted(done), *more, **named)

    def probe(self, done: Any, loop_call: Any = None) -> None:
        super().probe(self._counted(done), loop_call)

    def _counted(self, done: Callable[[Any], object]) -> Callable[[Any], None]:
        def counted(outcome: Any) -> None:
            self.under_way -= 1
            self.told.set()
            done(outcome)

        self.under_way += 1
        return counted


class Disk:
    """What the writer's commits go through: they can be held up, and be made to fail."""

    def __init__(self) -> None:
        self.failing = 0
        self.open = threading.Event()
        self.open.set()

    def __call__(self, statement: str, *, in_transaction: bool) -> str:
        if statement.startswith("PRAGMA synchronous"):
            return "PRAGMA synchronous = OFF"  # power cuts are another test's
        if statement == "COMMIT" or (statement.startswith("INSERT") and not in_transaction):
            assert self.open.wait(30)
            if self.failing:
                self.failing -= 1
                raise sqlite3.OperationalError("disk I/O error")
        return statement

    def connect(self, path: str) -> sqlite3.Connection:
        disk = self

        class Watched(sqlite3.Connection):
            def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
                return super().execute(disk(statement, in_transaction=self.in_transaction), *values)

        return sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Watched)


def watched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The tables whose logs are read from now on."""
    part, asked = SqliteReader.part, list[int]()

    def noted(store: SqliteReader, table: int, start: int, most: int) -> list[str]:
        if not start:
            asked.append(table)
        return part(store, table, start, most)

    monkeypatch.setattr(SqliteReader, "part", noted)
    return asked
