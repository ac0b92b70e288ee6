"""The connection that writes to PostgreSQL. It writes moves in groups, each group in a transaction, and tries again
until the outcome is known.

A move of a house over PostgreSQL waits for the disk here. The writer's thread (``pubdice.store.writer``) hands over all
moves of one moment as a group. ``append`` stores them by one call of the SQL function ``append_v1``, which is its own
transaction. The call returns after the moves are on the server's disk, and on the disk of any synchronous replica.
Until then no client sees them.

If a connection breaks during a commit, the outcome is open. A read by key would prove nothing, since the server may
still be committing. Only the same append settles it, because a key counts only once, and a log has a given length only
once. So the group is written again, on a new connection, until the server reports its outcome. After ``KNOWN_WITHIN_S``
the outcome is "not-known".
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

import psycopg
from psycopg.errors import (
    DataError,
    DiskFull,
    InsufficientPrivilege,
    IntegrityError,
    ProgramLimitExceeded,
    ReadOnlySqlTransaction,
)

from pubdice.core.errors import NotStored
from pubdice.store.house_store import PROBE_BYTES, join_lines, run_task, write_summaries
from pubdice.store.writer import Entry, OpenTransaction, Outcome, Repeated, Stored, Write, is_same
from pubdice_cluster.connecting import not_stored
from pubdice_cluster.primary import Primary

KNOWN_WITHIN_S = 5.0
"""The time in seconds to find out the outcome of a group. A command waits 8 s in all, and may have waited already."""
LEAST_PAUSE_S, MOST_PAUSE_S = 0.05, 1.0
"""The time in seconds between two tries: it begins at the first value, doubles each time, and ends at the second."""
REFUSED = (DataError, DiskFull, IntegrityError, InsufficientPrivilege, ProgramLimitExceeded)
"""Errors after which the server has undone the group, and would refuse it again."""
APPEND = (
    "SELECT what, known, was FROM append_v1(%b::int8, "
    "%b::int8[], %b::int4[], %b::int4[], %b::bytea[], %b::bytea[], %b::bytea[], %b::bytea[])"
)
STORED, REPEATED, MOVED_ON = 0, 1, 2
LOG_BYTES = "SELECT pg_logical_emit_message(true, 'pubdice', repeat('-', ?))"
"""A statement that does nothing but write this many bytes to the write-ahead log. Its commit waits for the disk like
any other."""


class PostgresTransactions:
    """The connection that writes, and the transactions on it. Raises psycopg.Error."""

    def __init__(self, primary: Primary, sleep: Callable[[float], None] = time.sleep, *, node: int = 0) -> None:
        self._primary, self._sleep, self.node = primary, sleep, node
        self._closed = self._unsure = False
        self._db: psycopg.Connection | None = None
        self._open()

    def write(self, works: Sequence[Write]) -> Sequence[object]:
        """Write a group, and return the outcome of each write. A group is written whole or not at all. If the server
        refuses a group, each write is tried alone, so one bad write does not stop other tables.
        """
        until, last, sent = time.monotonic() + KNOWN_WITHIN_S, Exception("closed"), False
        for tried in count():
            try:
                outcomes = self._write_group(works)
                # A repeated group may have read rows of the first try that still wait for a replica. Only a later
                # commit confirms those rows.
                # an append takes a lock, so it waits for the replica already
                if tried and not all(isinstance(work, Entry) for work in works):
                    self._write_group([confirm])
                self._primary.check(self._open())
                return outcomes
            except REFUSED as error:
                if len(works) > 1:
                    return [outcome for work in works for outcome in self.write([work])]
                return [self.unwritable(error, work) for work in works]
            except Exception as error:  # noqa: BLE001 - whatever it is, the outcome is not known yet
                # If a connection was open, the server may have committed before the connection broke. If none was open,
                # nothing was sent.
                last, sent = error, sent or self._db is not None
                if isinstance(error, ReadOnlySqlTransaction) and self._db is not None:
                    self._primary.leave(self._db)
                self._disconnect()
            # Exponential backoff: a failover takes seconds, and a hundred houses must not all try again at the same
            # moments.
            pause = min(MOST_PAUSE_S, LEAST_PAUSE_S * 2**tried)
            if self._closed or time.monotonic() + pause > until:
                break
            self._sleep(pause)
        return [NotStored("not-known") if sent else self.unwritable(last, work) for work in works]

    def unwritable(self, error: Exception, work: Write | None = None) -> NotStored:
        """Return the refusal of a write that has not reached the disk, or may not have reached it."""
        return not_stored("store-unwritable", self._primary.address, error)

    def abandon(self) -> None:
        """Undo an uncommitted group, after a fault in ``write`` itself. The next group uses a new connection."""
        self._disconnect()

    def close(self) -> None:
        """Close the connection. Nothing more is written afterwards."""
        self._closed = True
        self._disconnect()

    def _open(self) -> psycopg.Connection:
        if self._db is None:
            db = self._primary.connect()
            db.add_notice_handler(self._noticed)
            self._db = db
        return self._db

    def _noticed(self, notice: psycopg.errors.Diagnostic) -> None:
        """Note a warning of the server. If the wait for a synchronous replica is cancelled, the server reports success,
        and warns. For this program that is no success. The code looks at no text, since the text is in the server's
        language, and the server warns of nothing else here.
        """
        self._unsure = self._unsure or notice.severity_nonlocalized == "WARNING"

    def _disconnect(self) -> None:
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()
        self._db = None

    def _write_group(self, works: Sequence[Write]) -> Sequence[object]:
        """Commit all works in one transaction: first the entries, then the tasks in order. Return the outcomes in the
        order of ``works``.
        """
        db, self._unsure = self._open(), False
        entries = [work for work in works if isinstance(work, Entry)]
        if len(entries) == len(works) and all(entry.summary is None for entry in entries):
            # One statement is its own transaction. BEGIN and COMMIT would add two round trips for each group.
            outcomes: Sequence[object] = append(db, entries, self.node)
        else:
            with db.transaction():
                transaction, found = PostgresTransaction(db, self.node), append(db, entries, self.node)
                stored = [entry for entry, outcome in zip(entries, found, strict=True) if isinstance(outcome, Stored)]
                write_summaries(transaction, [(entry.table, entry.summary) for entry in stored if entry.summary])
                left = iter(found)
                outcomes = [next(left) if isinstance(work, Entry) else run_task(transaction, work) for work in works]
        # This is raised like a broken connection: so the group is written again under its keys, and counts only once.
        if self._unsure:
            raise psycopg.OperationalError("no synchronous replica has confirmed it")
        return outcomes


@dataclass(frozen=True, slots=True)
class PostgresTransaction:
    """An open transaction, for tasks that write."""

    db: psycopg.Connection
    node: int = 0

    def execute(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Run a statement and return its rows."""
        found = self.db.execute(marked(query), values)
        # After a statement without rows, ``description`` is None, and ``fetchall`` would raise.
        return found.fetchall() if found.description else ()

    def insert_log(self, entry: Entry) -> None:
        """Begin the log of a new table."""
        self.db.execute("INSERT INTO heads (id, seq) VALUES (%s, 0)", (entry.table,))
        append(self.db, [entry], self.node)

    def lock(self, name: str) -> None:
        """Take the lock of this name, once no other house holds it. Values read afterwards are reported only after a
        synchronous commit.
        """
        self.db.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (name,))
        confirm(self)


def confirm(work: OpenTransaction) -> None:
    """Commit a small write synchronously, so everything read before is known to be replicated.

    A row that was read may still be on its way to a synchronous replica. If the writer's wait for the replica was
    cancelled, all clients see the row, but a failover would lose it.
    """
    work.execute(LOG_BYTES, (1,))


def probing(work: OpenTransaction) -> None:
    """Write as many bytes as one or two moves."""
    work.execute(LOG_BYTES, (PROBE_BYTES,))


def marked(query: str) -> str:
    """Return a query with PostgreSQL's placeholders.

    >>> marked("SELECT ? + ?")
    'SELECT %s + %s'
    """
    return query.replace("?", "%s")


def append(db: psycopg.Connection, entries: Sequence[Entry], node: int = 0) -> list[Outcome]:
    """Store each entry that can be stored, and return the outcomes in the order of the entries. ``node`` is the number
    of the node that writes.
    """
    if not entries:
        return []
    values = (
        node,
        [entry.table for entry in entries],
        [entry.seen for entry in entries],
        [len(entry.lines) for entry in entries],
        [None if entry.key is None else entry.key.encode() for entry in entries],
        [None if entry.key is None else entry.body for entry in entries],
        [join_lines(entry.lines).encode() if entry.lines else None for entry in entries],
        [None if entry.key is None else entry.answer for entry in entries],
    )
    # There is one array for each column. So the statement is the same for any number of entries, and the server plans
    # it only once.
    rows = db.cursor(binary=True).execute(APPEND, values).fetchall()
    return [_outcome(entry, *row) for entry, row in zip(entries, rows, strict=True)]


def _outcome(entry: Entry, what: int, known: bytes | None, was: bytes | None) -> Outcome:
    if what == STORED:
        return Stored(entry.seen + len(entry.lines))
    if what == REPEATED:
        if not is_same(was or b"", entry.body):
            return NotStored("key-used", table=entry.table)
        return Repeated(known or b"", was or b"")
    return NotStored("moved-on" if what == MOVED_ON else "no-table", table=entry.table)
