"""Reading the house's file: logs, stored answers, lists of tables. Never writes, and never disturbs a running house."""

import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pubdice.core.errors import NotStored
from pubdice.store.lines import AS_LINES
from pubdice.store.reads import HouseReads, LogQueries
from pubdice.store.schema import SAME_KEY, Connect, connection, plain, reading, version

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


def _check_kinds(db: sqlite3.Connection) -> None:
    """Refuse a file with a view or a trigger: a view in the place of a table may have rows without end."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index') LIMIT 1").fetchall():
        raise sqlite3.DatabaseError("file is no house's")


class SqliteReader(HouseReads):
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

    def _rows(
        self, query: str, values: Sequence[object] | Mapping[str, object] = (), *, table: int | None = None
    ) -> Sequence[tuple[Any, ...]]:
        with self._one_at_a_time, reading(self.path, table):
            return self._connection().execute(query, values).fetchall()
