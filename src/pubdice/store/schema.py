"""The house's file: what its tables are, which version it is of, and how a connection to it is made.

Every change of the schema is one more version at the end of VERSIONS; a file is brought forward when it is opened for
writing, all of the missing versions or none. Knows nothing of what a log's lines mean, nor of threads.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pubdice.store.log import NotStored

Connect = Callable[[str], sqlite3.Connection]

APPLICATION = 0x70756264
"""SQLite's `application_id` of a house: "pubd"."""

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
)

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def plain(path: str) -> sqlite3.Connection:
    """A connection that begins no transaction by itself and may be handed from one thread to another."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def not_stored(code: str, path: Path, error: Exception) -> NotStored:
    """A refusal with the evidence."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return NotStored(code, reason=reason, folder=str(path.parent), file=str(path))


def damaged(error: Exception) -> bool:
    """Whether it is the file that is at fault, and not the disk or the hour."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED


@contextmanager
def reading(path: Path, table: int | None = None) -> Iterator[None]:
    """What SQLite says in here is said as a refusal."""
    try:
        yield
    except sqlite3.Error as error:
        not_utf8 = not hasattr(error, "sqlite_errorcode")  # SQLite has no objection to such text: Python has
        if table is not None and (damaged(error) or not_utf8):
            raise NotStored("log-damaged", table=table, line=0, reason=str(error)) from None
        raise not_stored("store-unreadable", path, error) from None


def connection(path: Path, connect: Connect, wait_s: float, *, writes: bool) -> sqlite3.Connection:
    """A connection that waits so long for a locked file. A commit of one that writes is on the disk when it returns."""
    settings = (
        "journal_mode = WAL",
        "synchronous = FULL",
        "fullfsync = ON",  # on a Mac fsync alone does not reach the disk; elsewhere these two change nothing
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


def version(db: sqlite3.Connection, path: Path) -> int:
    """Which version the file is of, 0 if it is empty. NotStored("store-newer"), ("store-unreadable") if no house's."""
    found, whose, pages = (
        int(db.execute(f"PRAGMA {name}").fetchall()[0][0])
        for name in ("user_version", "application_id", "schema_version")
    )
    if whose != APPLICATION and (found or whose or pages):
        raise not_stored("store-unreadable", path, sqlite3.DatabaseError("file is another program's"))
    if found > len(VERSIONS):
        raise NotStored("store-newer", found=found, known=len(VERSIONS), folder=str(path.parent), file=str(path))
    return found


def bring_forward(path: Path, connect: Connect, wait_s: float) -> None:
    """Add what the file's version lacks. A file that is refused is left as it was."""
    with closing(connection(path, connect, wait_s, writes=False)) as db:
        missing = VERSIONS[version(db, path) :]
    if not missing:
        return
    with closing(connection(path, connect, wait_s, writes=True)) as db:
        db.execute("BEGIN IMMEDIATE")
        for statement in (statement for step in missing for statement in step):
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute(f"PRAGMA user_version = {len(VERSIONS)}")
        db.execute("COMMIT")


def commit_nothing(db: sqlite3.Connection) -> None:
    """A synced commit that changes nothing: the version is written over by itself."""
    found = db.execute("PRAGMA user_version").fetchall()[0][0]
    db.execute(f"PRAGMA user_version = {found}")
