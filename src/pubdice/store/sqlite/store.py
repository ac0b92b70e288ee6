"""A house in one SQLite file: ``SqliteStore`` with one writer, synced before any outcome is known, and its reader."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from errno import EISDIR, ENOENT
from pathlib import Path
from typing import Any

from pubdice.core.errors import NotStored
from pubdice.store.disk import StagedFiles, lock_file, sync_file, sync_folder
from pubdice.store.entries import AS_LINES
from pubdice.store.house_store import HouseReads, HouseStore, LogQueries
from pubdice.store.sqlite.schema import (
    SAME_KEY,
    Connect,
    connection,
    exclusive,
    migrate,
    not_stored,
    plain,
    reading,
    version,
)
from pubdice.store.sqlite.transactions import SqliteTransactions
from pubdice.store.writer import ThreadWriter, Transactions, Writer

# Reading the house's file: logs, stored answers, lists of tables. Never writes, and never disturbs a running house.


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


class SqliteStore(SqliteReader, HouseStore):
    """The one writer of its file, until it is closed.

    NotStored("store-in-use"), ("store-newer"), ("store-unreadable") if it is no house's, ("store-unwritable").
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
            try:
                StagedFiles(path).settle()
                _create_file(path)
                migrate(path, connect, wait_s)
                transactions = SqliteTransactions(
                    path, lambda: connection(path, connect, wait_s, writes=True), alone=connect is exclusive
                )
                self._writer = writer(transactions)
                stack.callback(self._writer.close)
                shared = None if self._writer.has_thread else transactions.connection
                super().__init__(path, wait_s=wait_s, connect=connect, shared=shared)
                stack.callback(super().close)
            except (OSError, sqlite3.OperationalError) as error:
                raise not_stored("store-unwritable", path, error) from None
            except sqlite3.Error as error:
                raise not_stored("store-unreadable", path, error) from None
            self._open = stack.pop_all()

    def backup(self, path: Path) -> None:
        """A copy of the file as it is now, synced and checked, while the house runs; see ``copy``."""
        copy(self.path, path)

    def close(self) -> None:
        """Write what is queued, and release the file."""
        self._open.close()


def copy(source: Path, target: Path) -> None:
    """Copy the file of a house, running or not, to a file that is not there yet.

    The copy grows under another name, is synced and checked, and then renamed. Readers and the writer go on meanwhile.
    NotStored("backup-exists"), ("store-unreadable"), ("store-newer"), ("store-unwritable").
    """
    if target.exists():  # so are "/" and ".", which have no name
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
    """Hold the lock beside the file. NotStored("store-in-use") if another house does.

    A lock that was made for this goes again if what is done under it fails, as nothing lies beside it then.
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
                raise FileNotFoundError(ENOENT, os.strerror(ENOENT))  # who made it has failed and took it away
        except OSError as error:
            raise not_stored("store-in-use", path, error) from None
        try:
            yield
        except BaseException:
            if made:
                with suppress(OSError):  # Windows keeps an open file
                    lies_there.unlink()
            raise


def _create_file(path: Path) -> None:
    """Make an empty file, if there is none, that only its owner may read; and sync its name."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    sync_folder(path.parent)
    sync_folder(path.parent.parent)
