"""Reading the house's file: logs, answers, and what is looked up. Never writes; a running house is not disturbed."""

import json
import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pubdice.store.group import is_same
from pubdice.store.log import NotStored
from pubdice.store.schema import Connect, connection, plain, reading, version

ORDERED = "SELECT code, body FROM orders JOIN tables ON id = table_id WHERE key = ?"
"""The code of the table that was opened under a key."""
BODIES = 3
"""The version of the file from which on a hash of what was asked is kept with its answer."""
ALL = -1
"""As a limit: none."""
MOST_LINE = 1_000_000
"""Bytes of a line that is read: the longest a house writes, of an evening's tally and chairs, has a tenth of it."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list.

    updated: in ms since 1970. game, names: what is played, and who sits where; not known where version 1 wrote last.
    """

    table: int
    code: str
    stage: str
    updated: int
    game: str = ""
    names: tuple[str, ...] = ()


def ordered(rows: Sequence[tuple[Any, ...]], body: bytes) -> str | None:
    """The code in the rows of ORDERED. NotStored("key-used") if its key was used with another body."""
    if rows and not is_same(bytes(rows[0][1]), body):
        raise NotStored("key-used")
    return str(rows[0][0]) if rows else None


def _check_kinds(db: sqlite3.Connection) -> None:
    """Refuse a file with a view or a trigger: a view in the place of a table may have rows without end."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index') LIMIT 1").fetchall():
        raise sqlite3.DatabaseError("file is no house's")


class SqliteReader:
    """Sees what is committed. Its methods may be called from any thread; each is one short read.

    NotStored("store-unreadable") if there is no such file or it is no house's, ("store-newer").
    """

    def __init__(self, path: Path, *, wait_s: float = 5.0, connect: Connect = plain) -> None:
        self.path = path
        self._one_at_a_time = threading.Lock()
        if not path.exists():
            raise NotStored("store-unreadable", reason="no such file", folder=str(path.parent), file=str(path))
        with reading(path):
            self._db = connection(path, connect, wait_s, writes=False)
            try:
                found = version(self._db, path)
                _check_kinds(self._db)
                self._body = "body" if found >= BODIES else "x''"
                if found == 0:
                    raise sqlite3.DatabaseError("file is empty")
            except BaseException:
                self._db.close()
                raise

    def read(self, table: int) -> list[str]:
        """All lines, oldest first. NotStored("no-table"), ("log-damaged"), ("store-unreadable")."""
        return self.part(table, 0, ALL)

    def part(self, table: int, start: int, most: int) -> list[str]:
        """So many lines from a number on, fewer at the end. NotStored as ``read``."""
        line = "CASE WHEN length(CAST(line AS BLOB)) <= ? THEN line END"  # what is longer never gets as far as memory
        query = f"SELECT seq, {line} FROM events WHERE table_id = ? AND seq >= ? ORDER BY seq LIMIT ?"  # noqa: S608
        rows = self._rows(query, MOST_LINE, table, start, most, table=table)
        if not rows and not start:
            raise NotStored("no-table", table=table)
        for at, (seq, line) in enumerate(rows, start):
            if seq != at or not isinstance(line, str):
                raise NotStored("log-damaged", table=table, line=at + 1)
        return [line for _, line in rows]

    def length(self, table: int) -> int:
        """How many lines a table's log has."""
        return int(self._rows("SELECT 1 + max(seq) FROM events WHERE table_id = ?", table, table=table)[0][0] or 0)

    def answer(self, table: int, key: str, body: bytes = b"") -> bytes | None:
        """What was answered to the entry of this key. NotStored("key-used") if that was asked with another body."""
        query = f"SELECT answer, {self._body} FROM answers WHERE table_id = ? AND key = ?"  # noqa: S608
        rows = self._rows(query, table, key)
        if rows and not is_same(bytes(rows[0][1]), body):
            raise NotStored("key-used", table=table)
        return bytes(rows[0][0]) if rows else None

    def tables(self) -> list[int]:
        """The numbers of all tables, oldest first."""
        return [table for (table,) in self._rows("SELECT id FROM tables ORDER BY id")]

    def find(self, code: str) -> int | None:
        """The table of this code."""
        rows = self._rows("SELECT id FROM tables WHERE code = ?", code)
        return int(rows[0][0]) if rows else None

    def codes(self) -> dict[str, int]:
        """All codes, and their tables."""
        return dict(self._rows("SELECT code, id FROM tables WHERE code IS NOT NULL ORDER BY id"))

    def lobby(self, limit: int) -> list[Listed]:
        """Tables that are listed and not over, the newest first."""
        live = "stage IN ('gathering', 'playing')"
        return self._listed(f"FROM tables WHERE listed AND {live} AND code IS NOT NULL", limit)

    def tables_of(self, person: str, limit: int) -> list[Listed]:
        """Tables where this person has sat, the newest first."""
        return self._listed(
            "FROM sitting JOIN tables ON id = table_id WHERE person = ? AND code IS NOT NULL", limit, person
        )

    def sat(self, person: str, code: str) -> bool:
        """Whether a person has ever sat at the table of this code."""
        query = "SELECT 1 FROM tables JOIN sitting ON table_id = id WHERE code = ? AND person = ?"
        return bool(self._rows(query, code, person))

    def short_codes(self, since: int, over_since: int, most: int) -> int:
        """How many codes of six letters are in use, up to most.

        Those are the codes of tables updated at ``since`` (ms since 1970) or later, or ``over_since`` if they are over.
        """
        query = "SELECT 1 FROM tables WHERE length(code) = 6 AND updated >= ? AND (stage != 'over' OR updated >= ?)"
        return len(self._rows(f"{query} LIMIT ?", since, over_since, most))

    def ordered(self, key: str, body: bytes = b"") -> str | None:
        """The code of the table that was opened under this key. NotStored("key-used") if with another body."""
        return ordered(self._rows(ORDERED, key), body)

    def setting(self, name: str) -> bytes | None:
        """What the house keeps under this name."""
        rows = self._rows("SELECT value FROM house WHERE name = ?", name)
        return bytes(rows[0][0]) if rows else None

    def damage(self) -> list[str]:
        """What SQLite finds wrong in the whole file: nothing, one hopes."""
        try:
            return [row[0] for row in self._rows("PRAGMA integrity_check") if row[0] != "ok"]
        except NotStored as refusal:
            return [str(refusal.facts["reason"])]

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _listed(self, source: str, limit: int, *values: object) -> list[Listed]:
        query = f"SELECT id, code, stage, updated, game, names {source} ORDER BY updated DESC, id DESC LIMIT ?"
        return [
            Listed(table, code, stage, updated, game, tuple(json.loads(names)))
            for table, code, stage, updated, game, names in self._rows(query, *values, limit)
        ]

    def _rows(self, query: str, *values: object, table: int | None = None) -> Sequence[tuple[Any, ...]]:
        with self._one_at_a_time, reading(self.path, table):
            return self._db.execute(query, values).fetchall()
