"""Reading the house's file: logs, stored answers, lists of tables. Never writes, and never disturbs a running house."""

import json
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pubdice.core.errors import NotStored
from pubdice.store.entries import is_same
from pubdice.store.lines import AS_LINES, split_lines
from pubdice.store.schema import SAME_KEY, Connect, connection, plain, reading, version

ORDERED = "SELECT code, body FROM orders JOIN tables ON id = table_id WHERE key = ?"
"""The code of the table that was opened under a key."""
ALL = 1 << 62
"""A line number that no log has."""
MOST_BYTES = 4_000_000
"""The most bytes read of one append: the longest line a house writes, a setup with its tally, has 100,000."""


@dataclass(frozen=True, slots=True)
class LogQueries:
    """The SQL queries of a log, with the values :table, and :start and :end, or :key.

    part: the appends that hold the lines from start to end, in order, each with the log's length after it; an append of
    more than :most bytes never reaches memory. length: how many lines the log has. answer: the answer stored under a
    key, and the hash of its body.
    """

    part: str
    length: str
    answer: str


_BOUNDED = "CASE WHEN length(CAST({lines} AS BLOB)) <= :most THEN {lines} END"
LOG = LogQueries(
    f"SELECT seq, {_BOUNDED.format(lines='lines')} FROM log WHERE table_id = :table AND seq > :start AND seq <= "  # noqa: S608
    "ifnull((SELECT min(seq) FROM log WHERE table_id = :table AND seq >= :end), :end) ORDER BY seq",
    "SELECT max(seq) FROM log WHERE table_id = :table",
    f"SELECT answer, body FROM log WHERE {SAME_KEY.format(table=':table', key=':key')}",  # noqa: S608
)
EVENTS = LogQueries(
    f"SELECT seq + 1, {_BOUNDED.format(lines=AS_LINES)} FROM events "  # noqa: S608
    "WHERE table_id = :table AND seq >= :start AND seq < :end ORDER BY seq",
    "SELECT 1 + max(seq) FROM events WHERE table_id = :table",
    "SELECT answer, body FROM answers WHERE table_id = :table AND key = :key",
)
"""For a file of version 3 that nobody has opened for writing since: it is read as it is."""
NO_BODIES = LogQueries(EVENTS.part, EVENTS.length, EVENTS.answer.replace("body", "x''"))
"""For versions 1 and 2, which kept no hash of a request's body."""
QUERIES = {1: NO_BODIES, 2: NO_BODIES, 3: EVENTS}
"""By a file's version; LOG for all later ones."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list.

    updated: in ms since 1970. game, names: what is played, and who sits where; empty where version 1 wrote last.
    """

    table: int
    code: str
    stage: str
    updated: int
    game: str = ""
    names: tuple[str, ...] = ()


def ordered(rows: Sequence[tuple[Any, ...]], body: bytes) -> str | None:
    """The code in the rows of the query ORDERED. NotStored("key-used") if its key came with another body."""
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

    def __init__(
        self,
        path: Path,
        *,
        wait_s: float = 5.0,
        connect: Connect = plain,
        shared: Callable[[], sqlite3.Connection] | None = None,
    ) -> None:
        """shared: the connection of the file's writer, where it writes on the thread that reads; None opens another."""
        self.path = path
        self._one_at_a_time = threading.Lock()
        if not path.exists():
            raise NotStored("store-unreadable", reason="no such file", folder=str(path.parent), file=str(path))
        with reading(path):
            self._own = None if shared else connection(path, connect, wait_s, writes=False)
            self._shared = shared
            try:
                db = self._connection()
                found = version(db, path)
                _check_kinds(db)
                self._log = QUERIES.get(found, LOG)
                if found == 0:
                    raise sqlite3.DatabaseError("file is empty")
            except BaseException:
                self.close()
                raise

    def read(self, table: int) -> list[str]:
        """All lines, oldest first. NotStored("no-table"), ("log-damaged"), ("store-unreadable")."""
        return self.part(table, 0, ALL)

    def part(self, table: int, start: int, most: int) -> list[str]:
        """So many lines from a number on, fewer only at the end. NotStored as ``read``."""
        values = {"table": table, "start": start, "end": start + most, "most": MOST_BYTES}
        rows = self._rows(self._log.part, values, table=table)
        if not rows and not start:
            raise NotStored("no-table", table=table)
        lines: list[str] = []
        first, end = start, None  # where the first append begins, and where the latest ends
        for seq, text in rows:
            appended = split_lines(text) if isinstance(text, str) else []
            first = seq - len(appended) if end is None else first
            if not appended or (first > start if end is None else seq - len(appended) != end):
                raise NotStored("log-damaged", table=table, line=1 + (start if end is None else end))
            lines += appended
            end = seq
        return lines[start - first : start - first + most]

    def length(self, table: int) -> int:
        """How many lines a table's log has."""
        return int(self._rows(self._log.length, {"table": table}, table=table)[0][0] or 0)

    def answer(self, table: int, key: str, body: bytes = b"") -> bytes | None:
        """The answer stored under an idempotency key; None if none is. NotStored("key-used") if its body differs."""
        rows = self._rows(self._log.answer, {"table": table, "key": key})
        if rows and not is_same(bytes(rows[0][1]), body):
            raise NotStored("key-used", table=table)
        return bytes(rows[0][0]) if rows else None

    def tables(self) -> list[int]:
        """The numbers of all tables, oldest first."""
        return [table for (table,) in self._rows("SELECT id FROM tables ORDER BY id")]

    def find(self, code: str) -> int | None:
        """The number of the table with this code; None if there is none."""
        rows = self._rows("SELECT id FROM tables WHERE code = ?", (code,))
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

    def opened_under(self, prefix: str, limit: int, person: str | None = None) -> list[Listed]:
        """Tables opened under idempotency keys that begin so, the newest first. person: those where they have sat."""
        source = "FROM orders JOIN tables ON id = orders.table_id"
        if person is not None:
            source += " JOIN sitting ON sitting.table_id = id AND person = ?"
        source += " WHERE key >= ? AND key < ? AND code IS NOT NULL"
        return self._listed(source, limit, *([] if person is None else [person]), prefix, prefix + chr(0x10FFFF))

    def sat(self, person: str, code: str) -> bool:
        """Whether a person has ever sat at the table of this code."""
        query = "SELECT 1 FROM tables JOIN sitting ON table_id = id WHERE code = ? AND person = ?"
        return bool(self._rows(query, (code, person)))

    def short_codes(self, since: int, over_since: int, most: int) -> int:
        """How many codes of six letters are in use; ``most`` if there are more.

        In use are codes of tables updated at ``since`` (ms since 1970) or later, or at ``over_since`` if they are over.
        """
        query = "SELECT 1 FROM tables WHERE length(code) = 6 AND updated >= ? AND (stage != 'over' OR updated >= ?)"
        return len(self._rows(f"{query} LIMIT ?", (since, over_since, most)))

    def ordered(self, key: str, body: bytes = b"") -> str | None:
        """The code of the table that was opened under this key; None if none was. NotStored("key-used")."""
        return ordered(self._rows(ORDERED, (key,)), body)

    def setting(self, name: str) -> bytes | None:
        """The house's setting of this name; None if it has none."""
        rows = self._rows("SELECT value FROM house WHERE name = ?", (name,))
        return bytes(rows[0][0]) if rows else None

    def damage(self) -> list[str]:
        """What SQLite's integrity check finds wrong in the file; empty for a sound one."""
        try:
            return [row[0] for row in self._rows("PRAGMA integrity_check") if row[0] != "ok"]
        except NotStored as refusal:
            return [str(refusal.facts["reason"])]

    def vacuum_into(self, target: Path) -> None:
        """Copy the file as it is at one moment, without what was deleted. Raises sqlite3.Error."""
        with self._one_at_a_time:
            db = self._connection()
            (query_only,) = db.execute("PRAGMA query_only").fetchone()
            db.execute("PRAGMA query_only = OFF")  # SQLite takes the copy for a change
            try:
                db.execute("VACUUM INTO ?", (str(target),))
            finally:
                db.execute(f"PRAGMA query_only = {query_only}")

    def close(self) -> None:
        """Close the connection to the file; a shared one is its writer's to close."""
        if self._own is not None:
            self._own.close()

    def _connection(self) -> sqlite3.Connection:
        if self._own is not None:
            return self._own
        assert self._shared is not None
        return self._shared()

    def _listed(self, source: str, limit: int, *values: object) -> list[Listed]:
        query = f"SELECT id, code, stage, updated, game, names {source} ORDER BY updated DESC, id DESC LIMIT ?"
        return [
            Listed(table, code, stage, updated, game, tuple(json.loads(names)))
            for table, code, stage, updated, game, names in self._rows(query, (*values, limit))
        ]

    def _rows(
        self, query: str, values: Sequence[object] | Mapping[str, object] = (), *, table: int | None = None
    ) -> Sequence[tuple[Any, ...]]:
        with self._one_at_a_time, reading(self.path, table):
            return self._connection().execute(query, values).fetchall()
