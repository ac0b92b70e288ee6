"""The file of the players' book: its SQL tables and its version. Functions open and copy it.

A change of the schema adds a version at the end of ``VERSIONS``. Deleted data is overwritten with zeros
(``secure_delete``). There is no write-ahead log, because it would keep deleted data.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.store.disk import sync_file, sync_folder
from pubdice.store.sqlite.schema import is_missing, not_stored, plain, remove, run, version

APPLICATION = 0x70756262
"""The ``application_id`` that SQLite stores in a book: "pubb"."""
VERSIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE book (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
        "INSERT INTO book VALUES ('salt', randomblob(32))",
        "CREATE TABLE players (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, words BLOB NOT NULL UNIQUE,"
        " joined INTEGER NOT NULL)",
        "CREATE TABLE links (person TEXT PRIMARY KEY, player INTEGER NOT NULL, since INTEGER NOT NULL) WITHOUT ROWID",
        "CREATE INDEX linked ON links (player, since)",
        "CREATE TABLE entries (player INTEGER NOT NULL, code TEXT NOT NULL, at INTEGER NOT NULL, seat INTEGER NOT NULL,"
        " game TEXT NOT NULL, form TEXT NOT NULL, seats INTEGER NOT NULL, won REAL NOT NULL, state TEXT NOT NULL,"
        " tries INTEGER NOT NULL DEFAULT 0, utility TEXT NOT NULL DEFAULT '', worth TEXT NOT NULL DEFAULT '{}',"
        " PRIMARY KEY (player, code)) WITHOUT ROWID",
        "CREATE INDEX together ON entries (code)",
        "CREATE TABLE sums (player INTEGER NOT NULL, game TEXT NOT NULL, utility TEXT NOT NULL, games INTEGER NOT NULL,"
        " won REAL NOT NULL, worth TEXT NOT NULL, PRIMARY KEY (player, game, utility)) WITHOUT ROWID",
        "CREATE TABLE met (player INTEGER NOT NULL, other INTEGER NOT NULL, games INTEGER NOT NULL, won REAL NOT NULL,"
        " theirs REAL NOT NULL, PRIMARY KEY (player, other)) WITHOUT ROWID",
    ),
    (
        "CREATE TABLE phones_players (id INTEGER PRIMARY KEY AUTOINCREMENT, joined INTEGER NOT NULL,"
        " words BLOB UNIQUE)",
        "INSERT INTO phones_players SELECT id, joined, words FROM players",
        "DELETE FROM sqlite_sequence WHERE name = 'phones_players'",
        "UPDATE sqlite_sequence SET name = 'phones_players' WHERE name = 'players'",  # each id only once
        "DROP TABLE players",
        "ALTER TABLE phones_players RENAME TO players",
        "DROP TABLE met",
        "DELETE FROM book WHERE name != 'salt'",
    ),
)
"""The migrations: the SQL statements of each version.

The ``state`` of an entry is "new", "worked" (evaluated), "bare" (a result without values) or "out" (does not count).
``worth`` has the values of one match, by name. ``sums`` has entries too old to be kept one by one, by game and utility.
Version 2 drops the names, the meetings of players (``met``), and the places of a name's use. ``words`` is the hash of a
name and of words that version 1 drew.
"""


def open_players(file: Path | None) -> sqlite3.Connection:
    """Return a connection to a book. If needed, make the file or migrate it.

    If ``file`` is None, the book is in memory.

    Raise NotStored("store-unwritable"), NotStored("store-newer"), or NotStored("store-unreadable") if it is not a book.
    """
    path, made = file or Path(":memory:"), False
    try:
        made = file is not None and is_missing(file)
        if file is not None:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
            sync_folder(file.parent)
        db = plain(str(path))
    except (OSError, sqlite3.Error) as error:
        raise not_stored("store-unwritable", path, error) from None
    try:
        for setting in ("synchronous = FULL", "fullfsync = ON", "secure_delete = ON", "journal_mode = DELETE"):
            db.execute(f"PRAGMA {setting}").fetchall()
        found = version(db, path, APPLICATION, len(VERSIONS))
        if found < len(VERSIONS):
            run(db, VERSIONS[found:], db.execute, APPLICATION, len(VERSIONS))
    except BaseException as error:
        db.close()
        if made:
            remove(path)
        if isinstance(error, sqlite3.Error):
            full = made or isinstance(error, sqlite3.OperationalError)
            raise not_stored("store-unwritable" if full else "store-unreadable", path, error) from None
        raise
    return db


def book_path(tables: Path) -> Path:
    """Return the path of a house's players' book, beside the file of its tables.

    >>> book_path(Path("/pub/house.db")).name
    'house.db.players'
    """
    return tables.with_name(tables.name + ".players")


def copy_players(source: Path, target: Path) -> None:
    """Copy a book, open or not, to a new file. Raise NotStored("backup-exists") or NotStored("store-unwritable")."""
    if target.exists():
        raise NotStored("backup-exists", folder=str(target.parent), file=str(target))
    try:
        os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(plain(str(source))) as running, closing(plain(str(target))) as db:
            running.backup(db)
        sync_file(target)
        sync_folder(target.parent)
    except (OSError, sqlite3.Error) as error:
        raise not_stored("store-unwritable", target, error) from None
