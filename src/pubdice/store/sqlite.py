"""The house's store: one SQLite file with one writer, synced before any outcome is known.

``SqliteStore`` is a ``Store`` like the others, and a ``HouseStore``.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from errno import EISDIR, ENOENT
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.store.disk import lock_file, sync_file, sync_folder
from pubdice.store.house_store import HouseStore
from pubdice.store.reader import SqliteReader
from pubdice.store.schema import Connect, connection, exclusive, migrate, not_stored, plain
from pubdice.store.sqlite_transactions import SqliteTransactions
from pubdice.store.staged_files import StagedFiles
from pubdice.store.writer import ThreadWriter, Transactions, Writer


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
