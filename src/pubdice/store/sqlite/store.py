"""A house in one SQLite file. ``SqliteStore`` writes, and syncs before it reports. ``SqliteReader`` only reads.

A group of entries (appends) is one INSERT. It stores all of them or none. Optimistic concurrency: an entry states the
number of lines it has seen, and the INSERT itself compares it with the log. So a usual group, one move each at several
tables, needs no other statement and is its own transaction. That saves processor time. It also saves waits: at every
statement Python releases the GIL, and beside a busy event loop the thread waits up to 5 ms to get it back.

If the INSERT stores nothing, an entry is stale, or it repeats a command under the same idempotency key. Then
``insert_decided`` decides entry by entry in a transaction. It recognises a repeated command.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from errno import EISDIR, ENOENT
from functools import lru_cache
from pathlib import Path
from typing import Any

from pubdice.core.errors import NotStored
from pubdice.store.disk import lock_file, sync_file, sync_folder
from pubdice.store.house_store import (
    HouseReads,
    HouseStore,
    LogQueries,
    insert_all,
    join_lines,
    run_task,
    write_summaries,
)
from pubdice.store.sqlite.schema import (
    AS_LINES,
    SAME_KEY,
    Connect,
    commit_nothing,
    connection,
    damaged,
    exclusive,
    is_missing,
    migrate,
    not_stored,
    plain,
    remove,
    version,
)
from pubdice.store.staged_files import StagedFiles
from pubdice.store.writer import (
    Entry,
    Outcome,
    Repeated,
    Stored,
    ThreadWriter,
    Transactions,
    Write,
    Writer,
    is_same,
)


def insert_expected(db: sqlite3.Connection, entries: Sequence[Entry]) -> list[Outcome] | None:
    """Store all entries by one INSERT. If no transaction is open, the INSERT is one of its own.

    If an entry fails the check, store nothing and return None. It fails if its table has more or fewer lines, if its
    key was used, or if the group has another entry for its table.
    """
    if len({entry.table for entry in entries}) < len(entries):
        return (
            None  # one INSERT compares all its rows with the log before it, so it cannot count the rows of this group
        )
    if entries:
        try:
            db.execute(_checked_insert(len(entries)), _values(entries))
        except sqlite3.IntegrityError:
            return None
    return [_stored(entry) for entry in entries]


def insert_decided(db: sqlite3.Connection, entries: Sequence[Entry]) -> list[Outcome]:
    """Store every entry that can be stored, within the caller's transaction. Return the outcome of each entry."""
    lengths, answered = _lengths_and_answers(db, entries)
    outcomes: list[Outcome] = []
    accepted: list[Entry] = []
    for entry in entries:
        outcome = _outcome_of(entry, lengths, answered)
        outcomes.append(outcome)
        if isinstance(outcome, Stored):
            accepted.append(entry)
            lengths[entry.table] = outcome.seq
            if entry.key is not None:
                answered[entry.table, entry.key] = Repeated(entry.answer, entry.body)
    insert_log(db, accepted)
    return outcomes


def insert_log(db: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    """Add entries to their logs, one row each, without any check."""
    rows = [(entry.table, _length_after(entry), *_content(entry)) for entry in entries]
    insert_all(db.execute, "INSERT INTO log (table_id, seq, key, body, lines, answer)", rows)


@lru_cache(maxsize=64)
def _checked_insert(count: int) -> str:
    """Return an INSERT for several entries. If an entry fails the check, the schema refuses all of them."""
    return (
        "INSERT INTO log (table_id, seq, key, body, lines, answer) "  # noqa: S608 - marks only
        # Without ELSE the CASE is NULL for an entry that fails the check, and table_id is NOT NULL. So the whole INSERT
        # fails and stores no row.
        "SELECT CASE WHEN column2 = (SELECT max(seq) FROM log WHERE table_id = column1) "
        f"AND NOT EXISTS (SELECT 1 FROM log WHERE {SAME_KEY.format(table='column1', key='column4')}) "
        "THEN column1 END, column3, column4, column5, column6, column7 "
        f"FROM (VALUES {','.join(['(?,?,?,?,?,?,?)'] * count)})"
    )


def _values(entries: Sequence[Entry]) -> list[object]:
    values: list[object] = []
    for entry in entries:
        values += (entry.table, entry.seen, _length_after(entry), *_content(entry))
    return values


def _length_after(entry: Entry) -> int | None:
    """Return the number of lines of the log after an entry.

    None for an entry without lines, because two entries of a table cannot have the same number: (table_id, seq) is
    unique.
    """
    return entry.seen + len(entry.lines) if entry.lines else None


def _content(entry: Entry) -> tuple[object, ...]:
    lines = join_lines(entry.lines) if entry.lines else None
    if entry.key is None:
        return None, None, lines, None
    return entry.key, entry.body, lines, entry.answer


def _stored(entry: Entry) -> Stored:
    return Stored(entry.seen + len(entry.lines))


def _outcome_of(entry: Entry, lengths: dict[int, int], answered: dict[tuple[int, str], Repeated]) -> Outcome:
    if entry.key is not None and (entry.table, entry.key) in answered:
        before = answered[entry.table, entry.key]
        return before if is_same(before.body, entry.body) else NotStored("key-used", table=entry.table)
    if entry.table not in lengths:
        return NotStored("no-table", table=entry.table)
    if entry.seen != lengths[entry.table]:
        return NotStored("moved-on", table=entry.table)
    return _stored(entry)


def _lengths_and_answers(
    db: sqlite3.Connection, entries: Sequence[Entry]
) -> tuple[dict[int, int], dict[tuple[int, str], Repeated]]:
    """Return the number of lines of each of these tables that exists, and the answers stored under these keys."""
    keys = dict.fromkeys((entry.table, entry.key) for entry in entries)
    rows = db.execute(
        f"WITH wanted (t, k) AS (VALUES {','.join(['(?,?)'] * len(keys))}) "  # noqa: S608 - marks only
        "SELECT t, k, (SELECT max(seq) FROM log WHERE table_id = t), answer, body "
        f"FROM wanted LEFT JOIN log ON {SAME_KEY.format(table='t', key='k')}",
        [value for table_and_key in keys for value in table_and_key],
    ).fetchall()
    # max() of no rows is NULL: there is no such table. A table's log has at least its setup, so 0 also means no table.
    lengths = {table: length for table, _, length, _, _ in rows if length}
    answered = {(table, key): Repeated(answer, body) for table, key, _, answer, body in rows if answer is not None}
    return lengths, answered


class SqliteTransactions:
    """The connection that writes, and its transactions. Raises what ``connect`` raises.

    If the sync of a commit failed, its frames can still be complete in the write-ahead log. After a power cut SQLite
    would find them there, although every client was told that they are not stored. So an empty commit is written over
    them before anything else. Frames after it belong to another chain of checksums, and SQLite ignores them.
    """

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection], *, alone: bool = False) -> None:
        """Connect. ``alone`` is True if the connection has the file to itself (``schema.exclusive``).

        The connection then stays open after a failure, because a new one would read the log from the disk and take the
        failed frames for stored. On a full disk the empty commit fails too, and no read would be possible after that.
        """
        self._path, self._connect, self._alone, self._closed = path, connect, alone, False
        self._db: sqlite3.Connection | None = connect()
        self._failed = False

    def write(self, works: Sequence[Write]) -> Sequence[object]:
        """Return the outcome of each write.

        A group is written whole or not at all, so a failed commit fails all of them.

        If the file is damaged, each write is tried alone, so one damaged log does not stop other tables.
        """
        try:
            return _write_group(self._ready(), works)
        except Exception as error:  # noqa: BLE001 - whatever it is, every write gets an outcome
            if not self._failed:
                self._fail()
            # Only damage is worth a try for each write. On a full disk each would fail the same way and cost a sync.
            if damaged(error) and len(works) > 1:
                return [outcome for work in works for outcome in self.write([work])]
            return [self.unwritable(error, work) for work in works]

    def connection(self) -> sqlite3.Connection:
        """Return the connection, for reading committed data. If there is none, make a new one. Raise sqlite3.Error."""
        if self._closed:
            raise sqlite3.ProgrammingError("closed")
        if self._db is None:
            self._db = self._connect()
        return self._db

    def _ready(self) -> sqlite3.Connection:
        """Return the connection, for writing. After a failure, raise an error until the disk works again."""
        db = self.connection()
        if self._failed:
            try:
                db.rollback()  # a connection that stayed open still has the failed transaction; a new one has none
                commit_nothing(db)
            except Exception:
                if not self._alone:
                    self._disconnect()
                raise
            self._failed = False
        return db

    def abandon(self) -> None:
        """Roll back an uncommitted transaction after a fault in ``write`` itself.

        The next group starts a new transaction.
        """
        self._fail()

    def _fail(self) -> None:
        """Roll back a failed transaction and write over its frames.

        Never raise, because the writer's thread must go on.
        """
        # This comes first, so the next group begins with the empty commit even if the lines below fail.
        self._failed = True
        with suppress(Exception):
            if not self._alone:
                self._disconnect()
            self._ready()

    def close(self) -> None:
        """Close the connection. Later reads and writes with it fail."""
        self._closed = True
        self._disconnect()

    def _disconnect(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            with suppress(sqlite3.Error):
                db.close()

    def unwritable(self, error: Exception, work: Write | None = None) -> NotStored:
        """Return the error for a write that did not reach the disk."""
        if damaged(error) and isinstance(work, Entry):
            return NotStored("log-damaged", table=work.table, line=0, reason=str(error))
        return not_stored("store-unwritable", self._path, error)


@dataclass(frozen=True, slots=True)
class SqliteTransaction:
    """The writer's open transaction. It needs no locks, because the file has only one writer."""

    db: sqlite3.Connection

    def execute(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Run SQL and return its rows."""
        return self.db.execute(query, values).fetchall()

    def insert_log(self, entry: Entry) -> None:
        """Add an entry to a table's log, without any check."""
        insert_log(self.db, [entry])

    def lock(self, name: str) -> None:
        """Do nothing, because this file has no other writer."""


def _write_group(db: sqlite3.Connection, works: Sequence[Write]) -> Sequence[object]:
    """Commit all works in one transaction, entries first, then the tasks in order. Return their outcomes.

    If all works are entries without summaries at different tables, one INSERT is the whole transaction. Otherwise the
    transaction uses BEGIN and COMMIT.
    """
    entries = [work for work in works if isinstance(work, Entry)]
    only_moves = len(entries) == len(works) and all(entry.summary is None for entry in entries)
    # In the usual group no key is repeated and no log has grown. One statement then checks and writes it.
    if only_moves and (stored := insert_expected(db, entries)) is not None:
        return stored
    # IMMEDIATE takes the write lock now. A transaction that begins with a read could fail at its first write.
    db.execute("BEGIN IMMEDIATE")
    stored = None if only_moves else insert_expected(db, entries)
    entry_outcomes = insert_decided(db, entries) if stored is None else stored
    # A refused entry must not change its table's row in lists, so only stored entries count.
    accepted = [entry for entry, outcome in zip(entries, entry_outcomes, strict=True) if isinstance(outcome, Stored)]
    transaction = SqliteTransaction(db)
    write_summaries(transaction, [(entry.table, entry.summary) for entry in accepted if entry.summary is not None])
    remaining = iter(entry_outcomes)
    outcomes = [next(remaining) if isinstance(work, Entry) else run_task(transaction, work) for work in works]
    db.execute("COMMIT")
    return outcomes


_BOUNDED = "CASE WHEN length(CAST({lines} AS BLOB)) <= :most THEN {lines} END"
LOG = LogQueries(
    f"SELECT seq, {_BOUNDED.format(lines='lines')} FROM log WHERE table_id = :table AND seq > :start AND seq <= "  # noqa: S608
    "ifnull((SELECT min(seq) FROM log WHERE table_id = :table AND seq >= :end), :end) ORDER BY seq",
    "SELECT max(seq) FROM log WHERE table_id = :table",
    f"SELECT answer, body FROM log WHERE {SAME_KEY.format(table=':table', key=':key')}",  # noqa: S608
    "SELECT CAST(key AS BLOB), body, answer FROM log WHERE table_id = :table AND key IS NOT NULL ORDER BY key",
)
EVENTS = LogQueries(
    f"SELECT seq + 1, {_BOUNDED.format(lines=AS_LINES)} FROM events "  # noqa: S608
    "WHERE table_id = :table AND seq >= :start AND seq < :end ORDER BY seq",
    "SELECT 1 + max(seq) FROM events WHERE table_id = :table",
    "SELECT answer, body FROM answers WHERE table_id = :table AND key = :key",
    "SELECT CAST(key AS BLOB), body, answer FROM answers WHERE table_id = :table ORDER BY key",
)
"""The queries for a file of version 3. A reader needs them if no store has opened the file for writing since."""
NO_BODIES = LogQueries(
    EVENTS.part, EVENTS.length, *[query.replace("body", "x''") for query in (EVENTS.answer, EVENTS.answers)]
)
"""The queries for files of versions 1 and 2. They do not have the hash of a request's body."""
QUERIES = {1: NO_BODIES, 2: NO_BODIES, 3: EVENTS}
"""The queries by the version of the file. All later versions use ``LOG``."""


def _check_kinds(db: sqlite3.Connection) -> None:
    """Refuse a file with a view or a trigger, because a view in place of a table could have endless rows."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index') LIMIT 1").fetchall():
        raise sqlite3.DatabaseError("file is no house's")


@contextmanager
def reading(path: Path, table: int | None = None) -> Iterator[None]:
    """Turn SQLite's errors in the ``with`` block into NotStored.

    The code is "log-damaged" if ``table`` is damaged, or else "store-unreadable".
    """
    try:
        yield
    except sqlite3.Error as error:
        not_utf8 = not hasattr(error, "sqlite_errorcode")  # SQLite accepts such text, but Python's decoder does not
        if table is not None and (damaged(error) or not_utf8):
            raise NotStored("log-damaged", table=table, line=0, reason=str(error)) from None
        raise not_stored("store-unreadable", path, error) from None


class SqliteReader(HouseReads):
    """A reader of committed data. Any thread can call its methods. Each call is one short read that blocks no writer.

    Raises NotStored("store-unreadable") if the file is missing or not a house's, and NotStored("store-newer").
    """

    def __init__(
        self,
        path: Path,
        *,
        wait_s: float = 5.0,
        connect: Connect = plain,
        shared: Callable[[], sqlite3.Connection] | None = None,
    ) -> None:
        """Open the file. ``shared`` returns the writer's connection, if the writer has no thread of its own.

        If ``shared`` is None, the reader opens a connection of its own.
        """
        self.path = path
        self._one_at_a_time = threading.Lock()
        if not path.exists():
            raise NotStored("store-unreadable", reason=os.strerror(ENOENT), folder=str(path.parent), file=str(path))
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
        """Return the faults that SQLite's integrity check finds in the file. Empty for a sound file."""
        try:
            return [row[0] for row in self._rows("PRAGMA integrity_check") if row[0] != "ok"]
        except NotStored as refusal:
            return [str(refusal.facts["reason"])]

    def vacuum_into(self, target: Path) -> None:
        """Copy the file as it is at one moment, without deleted data. Raise sqlite3.Error."""
        with self._one_at_a_time:
            db = self._connection()
            (query_only,) = db.execute("PRAGMA query_only").fetchone()
            db.execute("PRAGMA query_only = OFF")  # SQLite counts this copying as a change
            try:
                db.execute("VACUUM INTO ?", (str(target),))
            finally:
                db.execute(f"PRAGMA query_only = {query_only}")

    def close(self) -> None:
        """Close the reader's own connection. If it shares the writer's, the writer closes that."""
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


class SqliteStore(SqliteReader, HouseStore):
    """A house's store in a file. It is the only writer of the file until it is closed.

    Raises NotStored("store-in-use"), NotStored("store-newer"), NotStored("store-unwritable"), or
    NotStored("store-unreadable") if the file is not a house's.
    """

    def __init__(
        self,
        path: Path,
        *,
        wait_s: float = 5.0,
        connect: Connect = plain,
        writer: Callable[[Transactions], Writer] = ThreadWriter,
    ) -> None:
        with ExitStack() as stack:
            stack.enter_context(only_house(path))
            opened, made = stack.enter_context(ExitStack()), False
            try:
                StagedFiles(path).settle()
                made = is_missing(path)
                _create_file(path)
                migrate(path, connect, wait_s)
                transactions = SqliteTransactions(
                    path, lambda: connection(path, connect, wait_s, writes=True), alone=connect is exclusive
                )
                self._writer = writer(transactions)
                opened.callback(self._writer.close)
                shared = None if self._writer.has_thread else transactions.connection
                super().__init__(path, wait_s=wait_s, connect=connect, shared=shared)
                opened.callback(super().close)
            except (OSError, sqlite3.Error, NotStored) as error:
                opened.close()
                raise _not_opened(path, error, made=made) from None
            self._open = stack.pop_all()

    def backup(self, path: Path) -> None:
        """Copy the file as it is now, while the house runs. The copy is synced and checked (``copy``)."""
        copy(self.path, path)

    def close(self) -> None:
        """Write the queued jobs, and release the file."""
        self._open.close()


def copy(source: Path, target: Path) -> None:
    """Copy the file of a house, running or not, to a new file.

    The copy grows under another name, is synced and checked, and then renamed. Readers and the writer go on meanwhile.
    Raise NotStored("backup-exists"), NotStored("store-unreadable"), NotStored("store-newer") or
    NotStored("store-unwritable").
    """
    if target.exists():  # before with_name, which raises ValueError for "/" and "."
        raise NotStored("backup-exists", folder=str(target.parent), file=str(target))
    SqliteReader(source).close()
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        _create_file(part)
        _fill(source, part)
        part.rename(target)
        sync_folder(target.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink()
        raise not_stored("store-unwritable", target, error) from None


def _fill(source: Path, part: Path) -> None:
    with closing(plain(str(source))) as running, closing(plain(str(part))) as db:
        running.backup(db)  # in one step, so it shows one moment of the house
        db.execute("PRAGMA journal_mode = DELETE").fetchall()  # one file, without a write-ahead log beside it
        found = db.execute("PRAGMA integrity_check").fetchall()
        if found != [("ok",)]:
            raise sqlite3.DatabaseError(f"the copy is damaged: {found[0][0]}")
    sync_file(part)


@contextmanager
def only_house(path: Path) -> Iterator[None]:
    """Hold the lock file beside the file, in the ``with`` block.

    Raise NotStored("store-in-use") if another house holds it.

    If the block fails and the lock file was made for it, the lock file is removed, because there is no house beside it.
    """
    lies_there = path.with_name(path.name + ".lock") if path.name else path
    try:
        if not path.name:  # "/" or "."
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        path.parent.mkdir(parents=True, exist_ok=True)
        made = not lies_there.exists()
        lock = os.fdopen(os.open(lies_there, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise not_stored("store-unwritable", path, error) from None
    with lock:
        try:
            lock_file(lock, wait=False)
            if not os.path.samestat(os.fstat(lock.fileno()), lies_there.stat()):
                raise FileNotFoundError(
                    ENOENT, os.strerror(ENOENT)
                )  # the process that made the lock file has failed and removed it
        except OSError as error:
            raise not_stored("store-in-use", path, error) from None
        try:
            yield
        except BaseException:
            if made:
                with suppress(OSError):  # Windows keeps an open file
                    lies_there.unlink()
            raise


def _not_opened(path: Path, error: Exception, *, made: bool) -> NotStored:
    """Return the error for a file that could not be opened. If the file was just ``made``, remove it.

    Such a file is not damaged, so the disk is at fault.
    """
    if made:
        remove(path)
    elif isinstance(error, NotStored):
        return error
    is_disk = made or isinstance(error, OSError | sqlite3.OperationalError)
    return not_stored("store-unwritable" if is_disk else "store-unreadable", path, error)


def _create_file(path: Path) -> None:
    """If there is no file, make an empty one that only its owner can read. Sync its name."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    sync_folder(path.parent)
    sync_folder(path.parent.parent)
