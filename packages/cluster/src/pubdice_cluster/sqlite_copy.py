"""The SQLite files of a house as the source or the target of a copy. A target is written to temporary ("staged") files
beside its place, until it counts.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from pubdice.core.errors import NotStored
from pubdice.store.bundle import BOOK, KEY, OPENED, TABLES
from pubdice.store.sqlite import book_file
from pubdice.store.sqlite.house_files import KINDS, bundle_path, gone
from pubdice.store.sqlite.schema import connection, migrate, not_stored, plain, version
from pubdice.store.sqlite.store import SqliteReader, copy, only_house, reading
from pubdice.store.staged_files import StagedFiles
from pubdice_cluster.copying import HouseRows, HouseTarget
from pubdice_cluster.house_tables import FLAG, UTF8, HouseTable, SqlRow

WAIT_S = 5.0
SEALS = "seals"
"""The name of the key for sealed dice, among the secrets."""


class SqliteRows(HouseRows):
    """The rows of a house's files. ``files`` has an open connection for each file, by the name that a bundle gives the
    file.
    """

    def __init__(self, path: Path, files: Mapping[str, sqlite3.Connection]) -> None:
        self._path, self._files, self.shown = path, files, str(path)

    def has(self, table: HouseTable) -> bool:
        """Return True if the file of this SQL table exists. A house that was never served has no players' book and no
        key.
        """
        return table.file in self._files or (table.file in (KEY, OPENED) and self._text_file(table.file).exists())

    def rows(self, table: HouseTable) -> Iterator[SqlRow]:
        """Yield the rows of a SQL table, or the rows from the text file that has its content. A missing file has no
        rows.
        """
        if table.file in (KEY, OPENED):
            yield from self._text_rows(table.file)
        elif table.file in self._files:
            for condition, by in table.parts:
                yield from self._rows(self._files[table.file], table, condition, by)

    def last(self, table: HouseTable) -> int:
        """Return the last number that SQLite gave in the counter column. It is the larger of the largest number in the
        column and SQLite's own count (``sqlite_sequence``), if there is one.
        """
        if table.file not in self._files:
            return 0
        with reading(self._path):
            db = self._files[table.file]
            found = db.execute(f"SELECT max({table.counter}) FROM {table.name}").fetchall()  # noqa: S608 - names of ours
            if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").fetchall():
                found += db.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table.name,)).fetchall()
        return max(int(number or 0) for (number,) in found)

    def _rows(self, db: sqlite3.Connection, table: HouseTable, where: str, order: str) -> Iterator[SqlRow]:
        columns = [f"CAST({name} AS BLOB)" if kind is UTF8 else name for name, kind in table.columns]
        flags = [at for at, kind in enumerate(table.kinds) if kind is FLAG]
        query = f"SELECT {', '.join(columns)} FROM {table.name}"  # noqa: S608 - names of ours
        with reading(self._path):
            for row in db.execute(f"{query} {f'WHERE {where}' if where else ''} ORDER BY {order}"):
                yield tuple(bool(value) if at in flags else value for at, value in enumerate(row)) if flags else row

    def _text_rows(self, name: str) -> Iterator[SqlRow]:
        """Yield the key of the seals, or the last opened seal of each chain."""
        file = self._text_file(name)
        try:
            text = file.read_text("ascii") if file.exists() else ""
            if name == KEY:
                yield from [(SEALS, bytes.fromhex(text.strip()))] if text else []
                return
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else "") or ""
            raise NotStored("secret-file", file=str(file), reason=reason) from None
        last: dict[str, int] = {}
        for chain, _, number in (line.partition("/") for line in text.splitlines()):
            if number.isdecimal():
                last[chain] = max(int(number), last.get(chain, 0))
        yield from sorted(last.items())

    def _text_file(self, name: str) -> Path:
        return bundle_path(self._path, name)


class SqliteTarget(SqliteRows, HouseTarget):
    """The staged files of a target. ``StagedFiles`` makes all of them count at once."""

    def __init__(self, path: Path, files: dict[str, sqlite3.Connection]) -> None:
        super().__init__(path, files)
        self._open, self._staged, self._filled = files, StagedFiles(path), dict[str, None]()

    def has(self, table: HouseTable) -> bool:
        """Return True, since files can hold every SQL table."""
        return True

    def fill(self, table: HouseTable, rows: Iterable[SqlRow]) -> None:
        """Write all rows in one transaction. Raises NotStored("store-unwritable")."""
        rows = iter(rows)
        first = next(rows, None)
        if first is None and table.file not in self._open:
            return
        try:
            if table.file in (KEY, OPENED):
                self._fill_text(table.file, [row for row in (first, *rows) if row is not None])
                return
            db = self._database(table.file)
            marks = ["CAST(? AS TEXT)" if kind is UTF8 else "?" for kind in table.kinds]
            db.execute("BEGIN")
            db.execute(f"DELETE FROM {table.name}")  # noqa: S608 - names of ours
            if first is not None:
                insert = f"INSERT INTO {table.name} ({', '.join(table.names)}) VALUES ({', '.join(marks)})"  # noqa: S608
                db.execute(insert, first)
                db.executemany(insert, rows)
            db.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            raise not_stored("store-unwritable", self._path, error) from None

    def count_on(self, table: HouseTable, last: int) -> None:
        """Set SQLite's own counter, if this file has such counters."""
        db = self._open.get(table.file)
        if db is not None and db.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").fetchall():
            db.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table.name,))
            db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table.name, last))

    def commit(self) -> None:
        """Check and close the files, and make them count. The file with the game tables comes last."""
        try:
            for name, db in list(self._open.items()):
                if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                    raise NotStored("copy-differs", name=name, file=self.shown)
                db.close()
                del self._open[name]
            names = [bundle_path(self._path, name).name for name in self._filled if name != TABLES] + [self._path.name]
            self._staged.commit(names, gone(self._path, names))
            self._staged.settle()
        except (OSError, sqlite3.Error) as error:
            raise not_stored("store-unwritable", self._path, error) from None

    def _database(self, name: str) -> sqlite3.Connection:
        """Open a staged file, and make it by the migrations if it is new. It needs no rollback journal, since it is
        deleted if anything fails.
        """
        if name not in self._open:
            path = self._staged.path(bundle_path(self._path, name).name)
            self._staged.create(bundle_path(self._path, name).name).close()
            if name == BOOK:
                book_file.open_players(path).close()
            else:
                migrate(path, plain, WAIT_S)
            db = plain(str(path))
            self._open[name] = db
            for setting in ("journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF"):
                db.execute(f"PRAGMA {setting}").fetchall()
        self._filled[name] = None
        return self._open[name]

    def _fill_text(self, name: str, rows: list[SqlRow]) -> None:
        self._filled[name] = None
        if name == KEY:
            lines = [cast(bytes, value).hex() for _, value in rows]
        else:
            lines = [f"{chain}/{number}" for chain, number in rows]
        with self._staged.create(bundle_path(self._path, name).name) as file:
            file.write("".join(f"{line}\n" for line in lines).encode("ascii"))

    def _text_file(self, name: str) -> Path:
        return self._staged.path(bundle_path(self._path, name).name)


@contextmanager
def sqlite_rows(path: Path, *, alone: bool) -> Iterator[SqliteRows]:
    """Open the rows of a house's files, each file in one transaction. If ``alone``, no house can serve the files
    meanwhile.

    A file of an earlier version is copied beside its place, and the copy is migrated. Raises NotStored like
    ``SqliteReader``, or NotStored("store-in-use").
    """
    SqliteReader(path).close()
    with ExitStack() as stack:
        if alone:
            stack.enter_context(only_house(path))
            with _writing(path):
                StagedFiles(path).settle()
        files: dict[str, sqlite3.Connection] = {}
        for name in (BOOK, TABLES):
            file = bundle_path(path, name)
            if file.exists():
                files[name] = stack.enter_context(_opened(name, file))
        yield SqliteRows(path, files)


@contextmanager
def _opened(name: str, file: Path) -> Iterator[sqlite3.Connection]:
    with ExitStack() as stack:
        current = file
        if _version(file, name) < len(KINDS[name][1]):
            with _writing(file):
                folder = stack.enter_context(TemporaryDirectory(prefix=".pubdice-", dir=file.parent))
            current = Path(folder) / file.name
            if name == BOOK:
                book_file.copy_players(file, current)
                book_file.open_players(current).close()
            else:
                copy(file, current)
                migrate(current, plain, WAIT_S)
        with reading(file):
            db = connection(current, plain, WAIT_S, writes=False)
            stack.callback(db.close)
            db.execute("BEGIN")
            db.execute("SELECT 1 FROM sqlite_master").fetchall()  # the first read fixes the transaction's snapshot
        yield db


def _version(file: Path, name: str) -> int:
    """Return the schema version of a file. Raises NotStored("store-newer") or ("store-unreadable")."""
    application, versions = KINDS[name]
    with reading(file), closing(connection(file, plain, WAIT_S, writes=False)) as db:
        found = version(db, file, application, len(versions))
    if not found:
        raise not_stored("store-unreadable", file, sqlite3.DatabaseError("file is empty"))
    return found


@contextmanager
def sqlite_target(path: Path) -> Iterator[SqliteTarget]:
    """Open an empty place for the files of a house. Raises NotStored("place-taken") or ("store-in-use")."""
    if path.name:  # a path without a name is a folder, and refused as such later
        _check_free(path)
    with only_house(path):
        staged, files = StagedFiles(path), dict[str, sqlite3.Connection]()
        with _writing(path):
            staged.settle()
            staged.discard()
        _check_free(path)
        target = SqliteTarget(path, files)
        try:
            with _writing(path):
                target._database(TABLES)
            yield target
        finally:
            for db in files.values():
                db.close()
            with suppress(OSError):
                staged.discard()


def _check_free(path: Path) -> None:
    for name in (TABLES, BOOK, KEY, OPENED):
        if bundle_path(path, name).exists():
            raise NotStored("place-taken", file=str(bundle_path(path, name)))


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise not_stored("store-unwritable", path, error) from None
