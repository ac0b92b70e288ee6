"""The house's store: one SQLite file with one writer, synced before any outcome is known.

``SqliteStore`` is a ``Store`` like the others, and has more: entries in groups, answers under idempotency keys, lists
of tables, settings. Knows no clock; every time comes in as an argument.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from errno import EISDIR
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.store.disk import lock_file, sync_file, sync_folder
from pubdice.store.entries import SUMMARY_COLUMNS, Entry, Repeated, Stored, TableSummary, check_text, row_of
from pubdice.store.group import insert_log, write_summaries
from pubdice.store.reader import ORDERED, SqliteReader, ordered
from pubdice.store.schema import Connect, connection, exclusive, migrate, not_stored, plain
from pubdice.store.sqlite_transactions import SqliteTransactions
from pubdice.store.staged_files import StagedFiles
from pubdice.store.writer import Job, LoopCall, OnOutcome, ThreadWriter, Transactions, Writer, WriteTask

PROBE_BYTES = 16_384
UNLISTED = TableSummary("", listed=False, updated=0)


class SqliteStore(SqliteReader):
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

    def submit(self, entries: Iterable[tuple[Entry, OnOutcome]], loop_call: LoopCall | None = None) -> None:
        """Queue entries, in one transaction; each ``done`` is called with the entry's outcome once it is on the disk.

        loop_call: an event loop's ``call_soon_threadsafe``, used once a group, so that every ``done`` runs in the loop;
        without it each runs in the writer's thread, and must not wait for the store.
        """
        self._writer.submit(*[Job(entry, done, loop_call) for entry, done in entries])

    def submit_table(
        self,
        code: str,
        lines: Sequence[str],
        summary: TableSummary,
        done: OnOutcome,
        loop_call: LoopCall | None = None,
        *,
        key: str | None = None,
        body: bytes = b"",
    ) -> None:
        """Queue a new table; ``done`` is called with its code, or NotStored("code-taken"), ("store-unwritable").

        An idempotency key opens one table, permanently: a repeated request gets that table's code, or
        NotStored("key-used") if ``body``, the hash of the request, differs.
        """
        self._writer.submit(Job(_ordering(code, lines, summary, key, body), done, loop_call))

    def submit_forgetting(self, table: int, person: str, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a write that lists a table no longer for a person, until they sit there again; ``done`` hears True."""

        def forget(db: sqlite3.Connection) -> bool:
            db.execute("DELETE FROM sitting WHERE person = ? AND table_id = ?", (person, table))
            return True

        self._writer.submit(Job(forget, done, loop_call))

    def write(self, entry: Entry) -> Stored | Repeated:
        """Write one entry, and wait. NotStored("moved-on"), ("no-table"), ("store-unwritable")."""
        outcome: Stored | Repeated = self._writer.ask(entry)
        return outcome

    def open_table(self, code: str, line: str, summary: TableSummary) -> int:
        """A new table with this code; its number. NotStored("code-taken"), ("store-unwritable")."""
        table: int = self._writer.ask(_opening(code, [line], summary))
        return table

    def create(self, *lines: str) -> int:
        """A new table without a code, which no list shows."""
        table: int = self._writer.ask(_opening(None, lines, UNLISTED))
        return table

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Add lines, and wait until they are on the disk."""
        self.write(Entry(table, seen, tuple(lines)))

    def settle(self, name: str, value: bytes) -> bytes:
        """Store a setting if there is none of this name; the one that is stored then."""
        kept: bytes = self._writer.ask(_settling(name, value))
        return kept

    def probe(self, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a write as large as a move or two, over the last probe; ``done`` hears whether the disk works."""
        self._writer.submit(Job(_probing, done, loop_call))

    def submit_setting(self, name: str, value: bytes, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a setting, in place of the one of this name; ``done`` is called once it is stored."""
        self._writer.submit(Job(_replacing(name, value), done, loop_call))

    def backup(self, path: Path) -> None:
        """A copy of the file as it is now, synced and checked, while the house runs; see ``copy``."""
        copy(self.path, path)

    def close(self) -> None:
        """Write what is queued, and release the file."""
        self._open.close()


def _ordering(code: str, lines: Sequence[str], summary: TableSummary, key: str | None, body: bytes) -> WriteTask:
    check_text(key or "")
    opening = _opening(code, lines, summary)

    def order_table(db: sqlite3.Connection) -> str:
        known = ordered(db.execute(ORDERED, (key,)).fetchall(), body)
        if known is not None:
            return known
        table = opening(db)
        if key is not None:
            db.execute("INSERT OR REPLACE INTO orders (key, table_id, body) VALUES (?, ?, ?)", (key, table, body))
        return code

    return order_table


def _opening(code: str | None, lines: Sequence[str], summary: TableSummary) -> WriteTask:
    first = Entry(0, 0, tuple(lines))

    def open_table(db: sqlite3.Connection) -> int:
        found = db.execute(
            f"INSERT INTO tables (code, {', '.join(SUMMARY_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?) "  # noqa: S608
            "ON CONFLICT DO NOTHING RETURNING id",
            (code, *row_of(summary)),
        ).fetchall()
        if not found:
            raise NotStored("code-taken", taken=code)
        table = int(found[0][0])
        insert_log(db, [replace(first, table=table)])
        write_summaries(db, [(table, summary)])
        return table

    return open_table


def _replacing(name: str, value: bytes) -> WriteTask:
    def replace(db: sqlite3.Connection) -> None:
        db.execute("INSERT OR REPLACE INTO house (name, value) VALUES (?, ?)", (name, value))

    return replace


def _settling(name: str, value: bytes) -> WriteTask:
    def settle(db: sqlite3.Connection) -> bytes:
        db.execute("INSERT INTO house (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, value))
        return bytes(db.execute("SELECT value FROM house WHERE name = ?", (name,)).fetchall()[0][0])

    return settle


def _probing(db: sqlite3.Connection) -> None:
    db.execute("INSERT OR REPLACE INTO house (name, value) VALUES ('probe', randomblob(?))", (PROBE_BYTES,))


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
    """Hold the lock beside the file. NotStored("store-in-use") if another house does."""
    try:
        if not path.name:  # "/" or "."
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.fdopen(os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise not_stored("store-unwritable", path, error) from None
    with lock:
        try:
            lock_file(lock, wait=False)
        except OSError as error:
            raise not_stored("store-in-use", path, error) from None
        yield


def _create_file(path: Path) -> None:
    """Make an empty file, if there is none, that only its owner may read; and sync its name."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    sync_folder(path.parent)
    sync_folder(path.parent.parent)
