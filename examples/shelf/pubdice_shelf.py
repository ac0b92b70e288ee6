"""A whole store for pubdice: a house at shelf://FOLDER/NAME, in a file of SQLite with SQL tables of its own.

docs/contribute/annexes.md says what the core asks of a store.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from pubdice.core.errors import NotStored
from pubdice.server.findings import Finding, Patient, Urgency
from pubdice.server.house_place import OpenHouse
from pubdice.store.deadline import Deadline
from pubdice.store.house_store import HouseReads, HouseStore, LogQueries, join_lines, run_task, write_summaries
from pubdice.store.opened_seals_file import OpenedSealsFile
from pubdice.store.secret_file import read_secret
from pubdice.store.sqlite.players import PlayersFile
from pubdice.store.writer import Entry, Repeated, Stored, ThreadWriter, Write, is_same

SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (id INTEGER PRIMARY KEY, code TEXT UNIQUE, stage TEXT NOT NULL,
  listed BOOLEAN NOT NULL, updated INTEGER NOT NULL, game TEXT NOT NULL, names TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS log (table_id INTEGER NOT NULL, seq INTEGER, key TEXT, body BLOB, lines TEXT, answer BLOB,
  UNIQUE (table_id, seq), UNIQUE (table_id, key));
CREATE TABLE IF NOT EXISTS sitting (person TEXT, table_id INTEGER, PRIMARY KEY (person, table_id));
CREATE TABLE IF NOT EXISTS orders (key TEXT PRIMARY KEY, table_id INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS house (name TEXT PRIMARY KEY, value BLOB NOT NULL);
"""


def read_address(address: str) -> "ShelfPlace":
    """The place at shelf://FOLDER/NAME. NotStored("bad-address") for any other."""
    file = Path(address.partition("://")[2])
    if not file.name:
        raise NotStored("bad-address")
    return ShelfPlace(file)


class ShelfPlace:
    """A ``HousePlace``: the tables in a file, the players' book, the key and the opened seals beside it."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __str__(self) -> str:
        return f"shelf://{self.file}"

    @contextmanager
    def open(
        self, source: Callable[[int], bytes], ending: Deadline, wait: Callable[[NotStored], object] | None = None
    ) -> Iterator[OpenHouse]:
        """The house for the process that serves it. Its ``reader`` is unpickled by a second process."""
        beside = self.file.with_name
        with (
            closing(ShelfStore(self.file, ending)) as store,
            closing(PlayersFile(beside("players.db"))) as players,
        ):
            key = read_secret(beside("seals"), source)
            yield OpenHouse(store, partial(ShelfReads, self.file), key, OpenedSealsFile(beside("opened")), players)

    def reader(self) -> HouseReads:
        """Reads beside a serving house, for ``check``. NotStored("no-house")."""
        if not self.file.exists():
            raise NotStored("no-house", file=str(self))
        return ShelfReads(self.file)

    def back_up(self, file: Path, *, key: bool) -> None:
        """Copy the tables beside a serving house. NotStored."""
        if key:
            raise NotStored("key-alone")
        if file.exists():
            raise NotStored("backup-exists", file=str(file))
        with closing(connect(self.file)) as db:
            db.execute("VACUUM INTO ?", (str(file),))

    def examine(self, patient: Patient) -> Iterator[Finding]:
        """A finding for ``pubdice doctor``."""
        urgency = Urgency.FINE if self.file.parent.is_dir() else Urgency.WRONG
        yield Finding(urgency, f"The folder of {self} is {'' if urgency is Urgency.FINE else 'not '}there.")


def connect(file: Path) -> sqlite3.Connection:
    """A connection to the file. NotStored("store-unreadable")."""
    try:
        return sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise NotStored("store-unreadable", file=str(file), reason=str(error)) from None


class ShelfReads(HouseReads):
    """Reads of what is committed. Any thread may ask."""

    _log = LogQueries(
        part="SELECT seq, CASE WHEN length(lines) <= :most THEN lines END FROM log WHERE table_id = :table"
        " AND seq > :start"
        " AND seq <= coalesce((SELECT min(seq) FROM log WHERE table_id = :table AND seq >= :end), :end) ORDER BY seq",
        length="SELECT max(seq) FROM log WHERE table_id = :table",
        answer="SELECT answer, body FROM log WHERE table_id = :table AND key = :key",
        answers="SELECT CAST(key AS BLOB), body, answer FROM log WHERE table_id = :table AND key IS NOT NULL"
        " ORDER BY key",
    )

    def __init__(self, file: Path) -> None:
        self.file, self._one_at_a_time, self._db = file, Lock(), connect(file)

    def _rows(self, query: str, values: Any = (), *, table: int | None = None) -> list[tuple[Any, ...]]:
        try:
            with self._one_at_a_time:
                return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise NotStored("store-unreadable", file=str(self.file), reason=str(error)) from None

    def close(self) -> None:
        """Close the connection."""
        self._db.close()


class ShelfStore(ShelfReads, HouseStore):
    """Reads and writes. One thread writes, and hands over what came at one moment as one group."""

    def __init__(self, file: Path, ending: Deadline | None = None) -> None:
        with closing(connect(file)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(SCHEMA)
        super().__init__(file)
        self._writer = ThreadWriter(ShelfTransactions(file), ending=ending)

    def close(self) -> None:
        """Write the writes that wait, then close."""
        self._writer.close()
        super().close()


class ShelfTransactions:
    """The connection that writes: a group is written whole or not at all, and is on the disk when ``write`` returns."""

    def __init__(self, file: Path) -> None:
        self.file, self._db = file, connect(file)

    def write(self, works: Sequence[Write]) -> Sequence[object]:
        """The outcome of each write: first all appends, then their summaries, then other tasks."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            appended = [self._append(work) if isinstance(work, Entry) else None for work in works]
            stored = [work for work, outcome in zip(works, appended, strict=True) if isinstance(outcome, Stored)]
            write_summaries(
                self, [(one.table, one.summary) for one in stored if isinstance(one, Entry) and one.summary]
            )
            outcomes = [
                outcome if isinstance(work, Entry) else run_task(self, work)
                for work, outcome in zip(works, appended, strict=True)
            ]
            self._db.execute("COMMIT")
        except Exception as error:  # noqa: BLE001  every write has an outcome, whatever went wrong
            self.abandon()
            return [self.unwritable(error, work) for work in works]
        return outcomes

    def _append(self, entry: Entry) -> Stored | Repeated | NotStored:
        known = self.execute("SELECT answer, body FROM log WHERE table_id = ? AND key = ?", (entry.table, entry.key))
        if known:
            answer, body = known[0]
            return Repeated(answer, body) if is_same(body, entry.body) else NotStored("key-used", table=entry.table)
        ((length,),) = self.execute("SELECT max(seq) FROM log WHERE table_id = ?", (entry.table,))
        if length != entry.seen:
            return NotStored("moved-on" if length else "no-table", table=entry.table)
        self.insert_log(entry)
        return Stored(entry.seen + len(entry.lines))

    def execute(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run a statement of a write task."""
        return self._db.execute(query, values).fetchall()

    def insert_log(self, entry: Entry) -> None:
        """Write the lines of an entry, and the answer to its key."""
        lines = join_lines(entry.lines) if entry.lines else None
        seq = entry.seen + len(entry.lines) if lines is not None else None
        keyed = (entry.key, entry.body, entry.answer) if entry.key is not None else (None, None, None)
        row = "INSERT INTO log (table_id, seq, lines, key, body, answer) VALUES (?, ?, ?, ?, ?, ?)"
        self.execute(row, (entry.table, seq, lines, *keyed))

    def lock(self, name: str) -> None:
        """Nothing to lock: this connection is the only one that writes."""

    def unwritable(self, error: Exception, work: Write | None = None) -> NotStored:
        """The refusal of a write that did not reach the disk."""
        return NotStored("store-unwritable", file=str(self.file), reason=str(error))

    def abandon(self) -> None:
        """Undo the open transaction."""
        self._db.rollback()

    def close(self) -> None:
        """Close the connection."""
        self._db.close()
