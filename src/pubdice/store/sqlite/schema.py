"""The file of a house: its SQL tables, its version, and its connections.

Every change of the schema is a migration: one more version at the end of ``VERSIONS``. When a file is opened for
writing, all migrations that it lacks are run, or none. The content of a log's lines does not matter here.
"""

import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from pubdice.core.errors import NotStored

Connect = Callable[[str], sqlite3.Connection]

APPLICATION = 0x70756264
"""The ``application_id`` that SQLite stores in a house's file: "pubd"."""

CLIENT_KEY = "substr({key}, 1 + instr({key}, ' '))"
"""The expression in the index of idempotency keys. It is the client's part of "person key".

This part begins with a time, as in a UUIDv7. So the keys of a group of appends lie side by side in the index, even for
many tables. If the table or the person came first, each key would change another page of the index, and the write-ahead
log stores every changed page whole.
"""
SAME_KEY = f"{CLIENT_KEY.format(key='log.key')} = {CLIENT_KEY} AND log.table_id = {{table}} AND log.key = {{key}}"
"""The condition for the row of ``log`` with this table and this idempotency key.

SQLite finds it by the index of the keys.
"""

AS_LINES = (
    "CASE typeof(line) WHEN 'text' THEN replace(replace(line, char(92), char(92, 92)), char(10), char(92, 110)) "
    "ELSE line END"
)
"""The column ``line`` in the form of ``house_store.join_lines``. Values that are not text stay unchanged."""
LINES_TO_LOG = f"INSERT INTO log (table_id, seq, lines) SELECT table_id, seq + 1, {AS_LINES} FROM events"  # noqa: S608
ANSWERS_TO_LOG = "INSERT INTO log (table_id, key, body, answer) SELECT table_id, key, body, answer FROM answers"
DROP_EVENTS, DROP_ANSWERS = "DROP TABLE events", "DROP TABLE answers"
UNREADABLE = "INSERT INTO log (table_id, seq) VALUES (?, 1)"
"""The statement that writes a log without text. Readers take such a log for damaged."""

VERSIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE tables (id INTEGER PRIMARY KEY, code TEXT UNIQUE, stage TEXT NOT NULL, listed INTEGER NOT NULL,"
        " updated INTEGER NOT NULL)",
        "CREATE TABLE events (table_id INTEGER NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL,"
        " PRIMARY KEY (table_id, seq)) WITHOUT ROWID",
        "CREATE TABLE answers (table_id INTEGER NOT NULL, key TEXT NOT NULL, seq INTEGER NOT NULL,"
        " answer BLOB NOT NULL, PRIMARY KEY (table_id, key)) WITHOUT ROWID",
        "CREATE TABLE sitting (person TEXT NOT NULL, table_id INTEGER NOT NULL,"
        " PRIMARY KEY (person, table_id)) WITHOUT ROWID",
        "CREATE TABLE house (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
        "CREATE INDEX live ON tables (updated, listed) WHERE stage IN ('gathering', 'playing')",
    ),
    (
        "ALTER TABLE tables ADD COLUMN game TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE tables ADD COLUMN names TEXT NOT NULL DEFAULT '[]'",
        "CREATE TABLE orders (key TEXT PRIMARY KEY, table_id INTEGER NOT NULL) WITHOUT ROWID",
        "DROP INDEX live",
        "CREATE INDEX lobby ON tables (updated) WHERE listed AND stage IN ('gathering', 'playing')",
        "CREATE INDEX playing ON tables (updated) WHERE stage = 'playing'",
    ),
    (
        "ALTER TABLE answers ADD COLUMN body BLOB NOT NULL DEFAULT x''",
        "ALTER TABLE orders ADD COLUMN body BLOB NOT NULL DEFAULT x''",
        "CREATE INDEX short_codes ON tables (updated) WHERE length(code) = 6",
    ),
    (
        "CREATE TABLE log (id INTEGER PRIMARY KEY, table_id INTEGER NOT NULL, seq INTEGER, key TEXT, body BLOB,"
        " lines TEXT, answer BLOB, UNIQUE (table_id, seq))",
        f"{LINES_TO_LOG} ORDER BY table_id, seq",
        ANSWERS_TO_LOG,
        f"CREATE INDEX keys ON log ({CLIENT_KEY.format(key='key')}, table_id) WHERE key IS NOT NULL",
        DROP_EVENTS,
        DROP_ANSWERS,
    ),
    (),
    (),
    (),
)
"""The migrations: the SQL statements of each version.

Since version 4, a row of ``log`` is one append: all its lines (``join_lines``), its idempotency key and its answer.
``seq`` is the log's number of lines after this append, or NULL for an append without lines. Rows are only added at the
end, so they share pages. The unique index (table_id, seq) finds a table's part of the log and its length.

Since version 5 logs can have ``retimed``, ``committed`` and ``fixed``, since version 6 ``wenton`` and ``recognised``,
since version 7 ``backasked``, ``backagreed``, ``backdeclined`` and ``unplay``. A new kind of event is a version too. An
older program then leaves the file alone. Otherwise it would take the tables for damaged.
"""

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def plain(path: str) -> sqlite3.Connection:
    """Return a connection that begins no transaction by itself, and can be passed from thread to thread."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def exclusive(path: str) -> sqlite3.Connection:
    """Return a connection that locks the file, so it is the only one until it is closed.

    A browser needs it: the index of a write-ahead log is then in this connection's memory, and SQLite does not check
    the files for other writers. https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory
    """
    db = plain(path)
    db.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    return db


def is_missing(path: Path) -> bool:
    """Return True if the file is missing or empty."""
    return not path.exists() or not path.stat().st_size


def remove(path: Path) -> None:
    """Remove a file that could not be completed, and its journals. The next start makes a new file."""
    for name in (path.name, *(f"{path.name}-{journal}" for journal in ("journal", "wal", "shm"))):
        with suppress(OSError):
            path.with_name(name).unlink()


def not_stored(code: str, path: Path, error: Exception) -> NotStored:
    """Return a NotStored with this code, the system's reason, the folder and the file."""
    if isinstance(error, NotStored):
        return NotStored(code, **error.facts)
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return NotStored(code, reason=reason, folder=str(path.parent), file=str(path))


def damaged(error: Exception) -> bool:
    """Return True for SQLITE_CORRUPT and SQLITE_NOTADB. With these errors the file is at fault, not the disk."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED


def connection(path: Path, connect: Connect, wait_s: float, *, writes: bool) -> sqlite3.Connection:
    """Return a connection that waits up to ``wait_s`` for a locked file.

    If ``writes``, each commit is durable when it returns.
    """
    settings = (
        "journal_mode = WAL",
        "synchronous = FULL",
        "fullfsync = ON",  # on a Mac, fsync alone does not reach the disk; elsewhere these two change nothing
        "checkpoint_fullfsync = ON",
        "journal_size_limit = 67108864",
    )
    db = connect(str(path))
    try:
        for setting in (f"busy_timeout = {round(wait_s * 1000)}", *(settings if writes else ("query_only = ON",))):
            db.execute(f"PRAGMA {setting}").fetchall()
    except BaseException:
        db.close()
        raise
    return db


def version(db: sqlite3.Connection, path: Path, application: int = APPLICATION, newest: int | None = None) -> int:
    """Return the version of the file. Return 0 if it is empty.

    Raise NotStored("store-newer"), or NotStored("store-unreadable") if the file is not a house's. ``application`` and
    ``newest`` are for another kind of file, such as the players' book.
    """
    newest = newest or len(VERSIONS)
    try:
        found, made_by, pages = (
            int(db.execute(f"PRAGMA {name}").fetchall()[0][0])
            for name in ("user_version", "application_id", "schema_version")
        )
    except sqlite3.DatabaseError:
        _leave_alone(db)
        raise
    if made_by != application and (found or made_by or pages):
        _leave_alone(db)
        raise not_stored("store-unreadable", path, sqlite3.DatabaseError("file is another program's"))
    if found > newest:
        _leave_alone(db)
        raise NotStored("store-newer", found=found, known=newest, folder=str(path.parent), file=str(path))
    return found


def _leave_alone(db: sqlite3.Connection) -> None:
    """Keep SQLite from changing the file when it is closed.

    Otherwise it would write the write-ahead log into the file, and delete the log.
    """
    if sys.version_info >= (3, 12):  # Python's sqlite3 has no such option before 3.12
        db.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)


def migrate(path: Path, connect: Connect, wait_s: float) -> None:
    """Run the migrations that the file lacks, in one transaction.

    If it is killed or refused before the end, the file is unchanged. If the file has damaged pages, unreadable logs
    stay damaged and all others are copied. The old SQL tables then stay, so people can repair the file.
    """
    with closing(connection(path, connect, wait_s, writes=False)) as db:
        missing = VERSIONS[version(db, path) :]
    if not missing:
        return
    try:
        with closing(connection(path, connect, wait_s, writes=True)) as db:
            run(db, missing, db.execute)
    except sqlite3.DatabaseError as error:
        if not damaged(error):
            raise
        with closing(connection(path, connect, wait_s, writes=False)) as db:
            unreadable = _unreadable(db)
        with closing(connection(path, connect, wait_s, writes=True)) as db:
            run(db, missing, partial(_copy_readable, db, unreadable))


def run(
    db: sqlite3.Connection,
    missing: Sequence[Sequence[str]],
    execute: Callable[[str], object],
    application: int = APPLICATION,
    newest: int | None = None,
) -> None:
    """Run migrations in one transaction. ``application`` and ``newest`` are as in ``version``."""
    db.execute("BEGIN IMMEDIATE")
    for statement in (statement for step in missing for statement in step):
        execute(statement)
    db.execute(f"PRAGMA application_id = {application}")
    db.execute(f"PRAGMA user_version = {newest or len(VERSIONS)}")
    db.execute("COMMIT")


def _unreadable(db: sqlite3.Connection) -> dict[str, set[int]]:
    """Return the tables whose lines or answers cannot be read. The key is the statement that would copy them."""
    found: dict[str, set[int]] = {}
    tables = [table for (table,) in db.execute("SELECT id FROM tables").fetchall()]
    for copied, counted in ((LINES_TO_LOG, "count(line) FROM events"), (ANSWERS_TO_LOG, "count(answer) FROM answers")):
        found[copied] = set()
        for table in tables:
            try:
                db.execute(f"SELECT {counted} WHERE table_id = ?", (table,)).fetchall()
            except sqlite3.DatabaseError as error:
                if not damaged(error):
                    raise
                found[copied].add(table)
    return found


def _copy_readable(db: sqlite3.Connection, unreadable: Mapping[str, Set[int]], statement: str) -> None:
    """Run one statement of a migration, in a file with damaged pages.

    A statement that copies logs runs table by table, without the unreadable logs. They are found beforehand, because
    SQLite writes nothing more in a transaction that has met a damaged page.
    """
    if statement in (DROP_EVENTS, DROP_ANSWERS):
        return
    copied = next((copied for copied in unreadable if statement.startswith(copied)), None)
    if copied is None:
        db.execute(statement)
        return
    for (table,) in db.execute("SELECT id FROM tables").fetchall():
        if table not in unreadable[copied]:
            db.execute(f"{copied} WHERE table_id = ? ORDER BY table_id", (table,))
        elif copied == LINES_TO_LOG:
            db.execute(UNREADABLE, (table,))


def commit_nothing(db: sqlite3.Connection) -> None:
    """Make a synced commit that changes nothing: it sets the version to its present value."""
    found = db.execute("PRAGMA user_version").fetchall()[0][0]
    db.execute(f"PRAGMA user_version = {found}")
