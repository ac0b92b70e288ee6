"""The files of a house, packed into a bundle while the house runs, and unpacked beside their destination.

``VACUUM INTO`` copies the tables and the players' book. Each copy shows one moment, in any journal mode, without the
pages of deleted rows. The book is copied first and the opened seals last. If a match ends in between, its result is
missing in the book, but the house finds it again later. The match's seal counts as opened, so the house never again
rolls dice that people know.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from pubdice.core.errors import NotStored
from pubdice.core.json_depth import shallow
from pubdice.store.bundle import BOOK, COOKIES, KEY, OPENED, PARTS, TABLES, Bundle, write_bundle
from pubdice.store.house_store import MOST_BYTES
from pubdice.store.secret_file import SIZE
from pubdice.store.sqlite import book_file, schema
from pubdice.store.sqlite.schema import not_stored, plain
from pubdice.store.sqlite.store import SqliteReader
from pubdice.store.staged_files import StagedFiles
from pubdice.store.writer import TableSummary

SQLITE, ROLLBACK_MODE = b"SQLite format 3\0", b"\1\1"
"""``SQLITE`` is the beginning of every SQLite file. ``ROLLBACK_MODE`` has bytes 18 and 19 without a write-ahead log."""
KINDS = {TABLES: (schema.APPLICATION, schema.VERSIONS), BOOK: (book_file.APPLICATION, book_file.VERSIONS)}
"""The SQLite files of a house. Each has its application id, and the migrations that make it."""
MOST_MS, SHORT_BYTES = 10**14, 1_000
"""The upper bounds of values in a checked file.

``MOST_MS`` bounds any number, because ms since 1970 are the largest. ``SHORT_BYTES`` bounds the bytes of a key, a
person or a code.
"""
UNREADABLE = {
    TABLES: (
        (1, "SELECT 1 FROM house WHERE name = 'secret' AND length(value) != 32"),
        (1, "SELECT 1 FROM tables WHERE id < 1 OR listed > 1"),
        (2, "SELECT 1 FROM tables WHERE NOT json_valid(names) OR json_type(names) != 'array'"),
        (2, "SELECT 1 FROM tables, json_each(names) AS name WHERE name.type != 'text'"),
        (4, "SELECT 1 FROM log WHERE seq < 1 OR (key IS NOT NULL AND body IS NULL)"),
        (4, "SELECT 1 FROM log WHERE key IS NOT NULL GROUP BY table_id, key HAVING count(*) > 1"),
    ),
    BOOK: (
        (1, "SELECT 1 WHERE (SELECT typeof(value) || length(value) FROM book WHERE name = 'salt') IS NOT 'blob32'"),
        (1, f"SELECT 1 FROM sqlite_sequence WHERE typeof(seq) != 'integer' OR seq NOT BETWEEN 0 AND {MOST_MS}"),  # noqa: S608
    ),
}
"""Queries for rows that would make a house fail. Each query comes after the lowest version of a file to which it
applies.

No house writes such rows.
"""
OWNERS = {"table_id": "tables", "player": "players", "other": "players"}
"""The SQL table whose row must exist, by the column that has the id of this row."""
LONG = ("line", "lines", "names", "worth")
"""The text columns without a bound of their own. The check bounds names and worth by reading them."""
TABLES_STORED = "SELECT id, code, stage, listed, updated, {since_2} FROM tables ORDER BY id"
ANSWERS_STORED = "SELECT table_id, answer FROM log WHERE key IS NOT NULL"
EARLIER_ANSWERS, LOG_SINCE = "SELECT table_id, answer FROM answers", 4
"""Version 4 of the file brought the single ``log``. Before it, answers were in a table of their own."""
SETTINGS_STORED = "SELECT name, value FROM house"


def bundle_path(data: Path, name: str) -> Path:
    """Return the path for a file of a bundle, in a house whose tables are in ``data``.

    >>> bundle_path(Path("/pub/mine.db"), OPENED).name, bundle_path(Path("/pub/mine.db"), COOKIES).name
    ('mine.db.opened', 'cookies.json')
    """
    return data.with_name(name if name == COOKIES else data.name + name.removeprefix(TABLES))


def pack(tables: SqliteReader, out: IO[bytes], leave: Iterable[str] = (), scratch: Path | None = None) -> None:
    """Write a bundle of a house, running or not.

    ``leave`` has the files to leave out, and ``scratch`` is the folder for the copies. Raise
    NotStored("store-unreadable"), NotStored("house-large") or OSError.
    """
    with TemporaryDirectory(prefix=".pubdice-", dir=scratch) as folder:
        files: dict[str, Path] = {}
        for name in (KEY, COOKIES, BOOK, TABLES, OPENED):
            source, copied = bundle_path(tables.path, name), Path(folder) / name
            if name == TABLES:
                _copy(tables.vacuum_into, source, copied)
            elif name in leave or not source.exists():
                continue
            elif name == BOOK:
                _copy(partial(_vacuum_into, source), source, copied)
            else:
                shutil.copyfile(source, copied)
            files[name] = copied
        write_bundle(out, files)


def unpack(bundle: Bundle, data: Path, leave: Iterable[str] = ()) -> Sequence[str]:
    """Stage a bundle's files for a house at ``data``. Return the names for ``StagedFiles.commit``, the tables last.

    Raise NotStored("bundle-damaged"), NotStored("bundle-newer"), or NotStored("store-unwritable") if the disk has no
    room. Logs are not replayed here.
    """
    staged, names = StagedFiles(data), list[str]()
    try:
        staged.discard()
        for name in (*PARTS, TABLES)[1:]:
            if name in bundle.files and name not in leave:
                names.append(bundle_path(data, name).name)
                with staged.create(names[-1]) as target:
                    bundle.write(name, target)
                _check_part(name, staged.path(names[-1]))
                if name == OPENED and bundle_path(data, OPENED).exists():
                    _join_opened(bundle_path(data, OPENED), staged.path(names[-1]))
    except OSError as error:
        raise not_stored("store-unwritable", data, error) from None
    return names


def gone(data: Path, names: Iterable[str]) -> list[str]:
    """Return the files to remove when the files ``names`` are put in place.

    They are the journals of the old files. If the new house has no players' book, the old book is among them.
    """
    tables, book = bundle_path(data, TABLES).name, bundle_path(data, BOOK).name
    journals = [f"{tables}-wal", f"{tables}-shm", f"{tables}-journal", f"{book}-journal"]
    return journals if book in names else [*journals, book]


def check_database(name: str, path: Path) -> None:
    """Refuse a SQLite file that is not this part of a house, is damaged, or has content that no house writes.

    Raise NotStored("bundle-damaged") or NotStored("bundle-newer").
    """
    application, versions = KINDS[name]
    with path.open("rb") as file:
        head = file.read(20)
    if head[:16] != SQLITE or head[18:] != ROLLBACK_MODE:
        raise NotStored("bundle-damaged")
    try:
        with closing(plain(str(path))) as db:
            db.execute("PRAGMA query_only = ON")
            db.execute("PRAGMA trusted_schema = OFF")
            found, said = [
                int(db.execute(f"PRAGMA {each}").fetchone()[0]) for each in ("user_version", "application_id")
            ]
            if said == application and found > len(versions):
                raise NotStored("bundle-newer")
            if said != application or found < 1:
                raise NotStored("bundle-damaged")
            made = [_schema_after(versions[:count]) for count in range(1, found + 1)]
            if not made[-1] <= _schema(db) <= set().union(*made):  # a migration can leave old tables
                raise NotStored("bundle-damaged")
            unreadable = [query for since, query in UNREADABLE[name] if found >= since]
            wrong = any(db.execute(f"{query} LIMIT 1").fetchall() for query in (*_unfit(db), *unreadable))
            if wrong or db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise NotStored("bundle-damaged")
    except (sqlite3.Error, ValueError, OverflowError):
        raise NotStored("bundle-damaged") from None


def _unfit(db: sqlite3.Connection) -> Iterator[str]:
    """Yield queries for faulty values: of the wrong type for the column, too large, or without the row that owns them.

    If a value has more bytes than a house reads, it is checked without being loaded.
    """
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        columns = [(column, kind) for _, column, kind, *_ in db.execute(f"PRAGMA table_info({table})").fetchall()]
        wrong = [_unfit_value(column, kind.lower()) for column, kind in columns if kind]
        wrong += [f"{column} NOT IN (SELECT id FROM {OWNERS[column]})" for column, _ in columns if column in OWNERS]  # noqa: S608
        yield from [f"SELECT 1 FROM {table} WHERE {' OR '.join(wrong)}"] if wrong else ()  # noqa: S608 - names of ours


def _unfit_value(column: str, kind: str) -> str:
    """Return the SQL condition that a value has the wrong type for its column, or is too large."""
    if kind in ("integer", "real"):
        large = f"{column} NOT BETWEEN 0 AND {MOST_MS}"
    elif kind == "text" and column not in LONG:
        large = f"length(CAST({column} AS BLOB)) > {SHORT_BYTES}"
    else:
        large = f"length({column}) > {MOST_BYTES}"
    return f"typeof({column}) NOT IN ('{kind}', 'null') OR {large}"


@dataclass(frozen=True, slots=True)
class StoredRows:
    """The rows of a checked file of tables, read one at a time. Raises NotStored("bundle-damaged")."""

    path: Path

    def tables(self) -> Iterator[tuple[int, str | None, TableSummary]]:
        """Yield each table's number, code and summary, in order of the numbers. The summary has no people."""
        for table, code, stage, listed, updated, game, names in self._rows(
            lambda version: TABLES_STORED.format(since_2="game, names" if version > 1 else "'', '[]'")
        ):
            yield table, code, TableSummary(stage, bool(listed), updated, (), game, tuple(json.loads(shallow(names))))

    def answers(self) -> Iterator[tuple[int, bytes]]:
        """Yield each stored answer, with the number of its table before it."""
        yield from self._rows(lambda version: ANSWERS_STORED if version >= LOG_SINCE else EARLIER_ANSWERS)

    def settings(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the value of each setting."""
        yield from self._rows(lambda _: SETTINGS_STORED)

    def _rows(self, query: Callable[[int], str]) -> Iterator[tuple[Any, ...]]:
        try:
            with closing(plain(str(self.path))) as db:
                version = int(db.execute("PRAGMA user_version").fetchone()[0])
                yield from db.execute(query(version))
        except sqlite3.Error:
            raise NotStored("bundle-damaged") from None


def _check_part(name: str, path: Path) -> None:
    """Refuse a file that could not be read later. Raise NotStored("bundle-damaged") or NotStored("bundle-newer")."""
    if name in KINDS:
        check_database(name, path)
        return
    try:
        text = path.read_text("ascii")
        if name == KEY and len(bytes.fromhex(text.strip())) != SIZE:
            raise ValueError(name)
        if name == COOKIES and not _are_cookies(json.loads(shallow(text))):
            raise ValueError(name)
    except ValueError:
        raise NotStored("bundle-damaged") from None


def _are_cookies(found: object) -> bool:
    """Return True if these are cookies whose names and values can be sent in a header."""
    if not isinstance(found, dict):
        return False
    return all(isinstance(text, str) and text.isascii() and text.isprintable() for text in (*found, *found.values()))


def _join_opened(earlier: Path, new: Path) -> None:
    """Add the seals opened at this house to the bundle's seals, because the bundle can be older."""
    lines = new.read_text("ascii").splitlines()
    known = set(lines)
    more = [line for line in earlier.read_text("ascii", "replace").splitlines() if line not in known]
    if more:
        new.write_text("".join(f"{line}\n" for line in (*lines, *more)), "ascii", "replace")


def _vacuum_into(source: Path, target: Path) -> None:
    with closing(plain(str(source))) as db:
        db.execute("VACUUM INTO ?", (str(target),))


def _copy(vacuum_into: Callable[[Path], None], source: Path, target: Path) -> None:
    """Copy a SQLite file as it is at one moment.

    Raise NotStored("store-unreadable"), or OSError if the disk has no room for the copy.
    """
    try:
        vacuum_into(target)
        with closing(plain(str(target))) as db:
            found = db.execute("PRAGMA integrity_check").fetchall()
    except sqlite3.OperationalError as error:
        raise OSError(str(error)) from None
    except sqlite3.Error as error:
        raise not_stored("store-unreadable", source, error) from None
    if found != [("ok",)]:
        raise not_stored("store-unreadable", source, sqlite3.DatabaseError(str(found[0][0])))


def _schema(db: sqlite3.Connection) -> set[tuple[str, str, str | None]]:
    """Return the schema of a file: the kind, name and SQL of each table and index."""
    return set(db.execute("SELECT type, name, sql FROM sqlite_master").fetchall())


def _schema_after(versions: Sequence[Sequence[str]]) -> set[tuple[str, str, str | None]]:
    """Return the schema of an empty file after these migrations."""
    with closing(plain(":memory:")) as db:
        for statement in (statement for step in versions for statement in step):
            db.execute(statement)
        return _schema(db)
