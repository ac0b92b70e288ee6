"""The connection that writes to a SQLite file: groups in transactions, and what is done when one fails."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pubdice.core.errors import NotStored
from pubdice.store.entries import Entry, Stored
from pubdice.store.group import insert_decided, insert_expected, insert_log
from pubdice.store.house_store import run_task, write_summaries
from pubdice.store.schema import commit_nothing, damaged, not_stored
from pubdice.store.writer import Write


class SqliteTransactions:
    """The connection that writes, and its transactions. Raises what ``connect`` raises.

    A commit whose sync failed may have left its frames, whole, in the write-ahead log. SQLite would find them there
    after a power cut, though every client was told that they are not stored. So before anything else an empty commit
    is written over them: frames after it belong to another chain of checksums, and SQLite ignores them.
    """

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection], *, alone: bool = False) -> None:
        """alone: the connection has the file to itself (``schema.exclusive``), and goes on after a failure.

        Another one would read the log from the disk, and so take those frames for stored; and on a full disk, where
        the empty commit fails too, nobody could read.
        """
        self._path, self._connect, self._alone, self._closed = path, connect, alone, False
        self._db: sqlite3.Connection | None = connect()
        self._failed = False

    def write(self, works: Sequence[Write]) -> Sequence[object]:
        """The outcome of each write. A group is written whole or not at all: a commit that fails, fails all of them.

        If the file is damaged each is tried alone, so that one damaged log stops nobody at other tables.
        """
        try:
            return _write_group(self._ready(), works)
        except Exception as error:  # noqa: BLE001 - whatever it is, every write gets an outcome
            if not self._failed:
                self._fail()
            if damaged(error) and len(works) > 1:
                return [outcome for work in works for outcome in self.write([work])]
            return [self.unwritable(error, work) for work in works]

    def connection(self) -> sqlite3.Connection:
        """The connection, for reading what is committed; a new one if there is none. Raises sqlite3.Error."""
        if self._closed:
            raise sqlite3.ProgrammingError("closed")
        if self._db is None:
            self._db = self._connect()
        return self._db

    def _ready(self) -> sqlite3.Connection:
        """The connection, for writing; after a failure once the disk works again."""
        db = self.connection()
        if self._failed:
            try:
                db.rollback()  # a connection that goes on still has what failed; a new one has nothing
                commit_nothing(db)
            except Exception:
                if not self._alone:
                    self._disconnect()
                raise
            self._failed = False
        return db

    def abandon(self) -> None:
        """Undo what was begun and not committed, after a fault in ``write`` itself; the next group begins again."""
        self._fail()

    def _fail(self) -> None:
        """Undo what failed, and write over it. Raises nothing: if the thread ended here, every job would wait."""
        self._failed = True
        with suppress(Exception):
            if not self._alone:
                self._disconnect()
            self._ready()

    def close(self) -> None:
        """Close the connection: nothing is read or written with it from here on."""
        self._closed = True
        self._disconnect()

    def _disconnect(self) -> None:
        """Close the connection; the next write makes another."""
        db, self._db = self._db, None
        if db is not None:
            with suppress(sqlite3.Error):
                db.close()

    def unwritable(self, error: Exception, work: Write | None = None) -> NotStored:
        """Why a write did not reach the disk."""
        if damaged(error) and isinstance(work, Entry):
            return NotStored("log-damaged", table=work.table, line=0, reason=str(error))
        return not_stored("store-unwritable", self._path, error)


@dataclass(frozen=True, slots=True)
class SqliteTransaction:
    """An open transaction: the one writer's, so it need not be kept from others."""

    db: sqlite3.Connection

    def execute(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Run SQL; its rows."""
        return self.db.execute(query, values).fetchall()

    def insert_log(self, entry: Entry) -> None:
        """Add an entry to a table's log, without any check."""
        insert_log(self.db, [entry])

    def lock(self, name: str) -> None:
        """Nothing to do: nobody else writes to this file."""


def _write_group(db: sqlite3.Connection, works: Sequence[Write]) -> Sequence[object]:
    """Commit all works in one transaction: their outcomes. Entries are written first, then the tasks, in order.

    Entries at different tables, without summaries, are one INSERT, which is its own transaction; anything else goes
    between BEGIN and COMMIT.
    """
    entries = [work for work in works if isinstance(work, Entry)]
    only_moves = len(entries) == len(works) and all(entry.summary is None for entry in entries)
    if only_moves and (stored := insert_expected(db, entries)) is not None:
        return stored
    db.execute("BEGIN IMMEDIATE")
    stored = None if only_moves else insert_expected(db, entries)
    entry_outcomes = insert_decided(db, entries) if stored is None else stored
    accepted = [entry for entry, outcome in zip(entries, entry_outcomes, strict=True) if isinstance(outcome, Stored)]
    transaction = SqliteTransaction(db)
    write_summaries(transaction, [(entry.table, entry.summary) for entry in accepted if entry.summary is not None])
    remaining = iter(entry_outcomes)
    outcomes = [next(remaining) if isinstance(work, Entry) else run_task(transaction, work) for work in works]
    db.execute("COMMIT")
    return outcomes
