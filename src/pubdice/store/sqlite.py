"""The house's store: one SQLite file, written by one thread, synced before anything is told.

``SqliteStore`` is a ``Store`` like the others and more: entries in groups, answers under keys, and what a
house looks up. Knows no clock; every time comes in as an argument.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from pubdice.store.group import KNOWN, Entry, Facts, Repeated, Stored, check_text, row_of, write_facts
from pubdice.store.log import NotStored
from pubdice.store.reader import ORDERED, SqliteReader, ordered
from pubdice.store.schema import Connect, bring_forward, connection, not_stored, plain
from pubdice.store.writer import Done, Errand, Job, Via, Writer

try:
    import fcntl
except ImportError:  # no such lock on Windows: there unique rows alone keep two houses apart
    fcntl = None  # type: ignore[assignment]

PROBE_BYTES = 16_384
UNLISTED = Facts("", listed=False, updated=0)


class SqliteStore(SqliteReader):
    """The one writer of its file, until it is closed.

    NotStored("store-in-use"), ("store-newer"), ("store-unreadable") if it is no house's, ("store-unwritable").
    """

    def __init__(self, path: Path, *, wait_s: float = 5.0, connect: Connect = plain) -> None:
        with ExitStack() as stack:
            stack.enter_context(_only_house(path))
            try:
                _make(path)
                bring_forward(path, connect, wait_s)
                super().__init__(path, wait_s=wait_s, connect=connect)
                stack.callback(super().close)
                self._writer = Writer(path, lambda: connection(path, connect, wait_s, writes=True))
                stack.callback(self._writer.close)
            except (OSError, sqlite3.OperationalError) as error:
                raise not_stored("store-unwritable", path, error) from None
            except sqlite3.Error as error:
                raise not_stored("store-unreadable", path, error) from None
            self._open = stack.pop_all()

    def submit(self, entry: Entry, done: Done, via: Via | None = None) -> None:
        """Queue an entry; ``done`` is called once with its ``Outcome``, when that holds.

        Without ``via`` the writer's thread calls. With it, it is called for a whole group at once: an event loop's
        ``call_soon_threadsafe`` is woken once, and calls every ``done`` of the group. What the writer's thread calls
        must not wait for the store.
        """
        self._writer.submit(Job(entry, done, via))

    def submit_table(
        self,
        code: str,
        lines: Sequence[str],
        facts: Facts,
        done: Done,
        via: Via | None = None,
        *,
        key: str | None = None,
        body: bytes = b"",
    ) -> None:
        """Queue a new table; ``done`` is called with its code, or NotStored("code-taken"), ("store-unwritable").

        Under one key one table is opened, for ever: whoever asks again is told that one's code. NotStored("key-used")
        where a hash of what was asked for, ``body``, is another.
        """
        self._writer.submit(Job(_ordering(code, lines, facts, key, body), done, via))

    def submit_forgetting(self, table: int, person: str, done: Done, via: Via | None = None) -> None:
        """Queue that a table is no longer listed for a person, until they sit there again; ``done`` hears True."""

        def forget(db: sqlite3.Connection) -> bool:
            db.execute("DELETE FROM sitting WHERE person = ? AND table_id = ?", (person, table))
            return True

        self._writer.submit(Job(forget, done, via))

    def write(self, entry: Entry) -> Stored | Repeated:
        """Write one entry, and wait. NotStored("moved-on"), ("no-table"), ("store-unwritable")."""
        outcome: Stored | Repeated = self._writer.ask(entry)
        return outcome

    def open_table(self, code: str, line: str, facts: Facts) -> int:
        """A new table with this code; its number. NotStored("code-taken"), ("store-unwritable")."""
        table: int = self._writer.ask(_opening(code, [line], facts))
        return table

    def create(self, line: str) -> int:
        """A new table without a code, which no list shows."""
        table: int = self._writer.ask(_opening(None, [line], UNLISTED))
        return table

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Add lines, and wait until they are on the disk."""
        self.write(Entry(table, seen, tuple(lines)))

    def settle(self, name: str, value: bytes) -> bytes:
        """Keep a setting if there is none of this name; the one that is kept."""
        kept: bytes = self._writer.ask(_settling(name, value))
        return kept

    def probe(self, done: Done, via: Via | None = None) -> None:
        """Write as much as a move or two need, over what was written the last time; ``done`` hears how it went."""
        self._writer.submit(Job(_probing, done, via))

    def submit_setting(self, name: str, value: bytes, done: Done, via: Via | None = None) -> None:
        """Queue a setting that takes the place of the one of this name; ``done`` is called when it is kept."""
        self._writer.submit(Job(_replacing(name, value), done, via))

    def backup(self, path: Path) -> None:
        """A copy of the file as it is now, synced and checked, while the house runs; see ``copy``."""
        copy(self.path, path)

    def close(self) -> None:
        """Write what is queued, and let go of the file."""
        self._open.close()


def _ordering(code: str, lines: Sequence[str], facts: Facts, key: str | None, body: bytes) -> Errand:
    check_text(key or "")
    opening = _opening(code, lines, facts)

    def order_table(db: sqlite3.Connection) -> str:
        known = ordered(db.execute(ORDERED, (key,)).fetchall(), body)
        if known is not None:
            return known
        table = opening(db)
        if key is not None:
            db.execute("INSERT OR REPLACE INTO orders (key, table_id, body) VALUES (?, ?, ?)", (key, table, body))
        return code

    return order_table


def _opening(code: str | None, lines: Sequence[str], facts: Facts) -> Errand:
    first = Entry(0, 0, tuple(lines))

    def open_table(db: sqlite3.Connection) -> int:
        found = db.execute(
            f"INSERT INTO tables (code, {', '.join(KNOWN)}) VALUES (?, ?, ?, ?, ?, ?) "  # noqa: S608
            "ON CONFLICT DO NOTHING RETURNING id",
            (code, *row_of(facts)),
        ).fetchall()
        if not found:
            raise NotStored("code-taken", taken=code)
        table = int(found[0][0])
        for seq, line in enumerate(first.lines):
            db.execute("INSERT INTO events (table_id, seq, line) VALUES (?, ?, ?)", (table, seq, line))
        write_facts(db, [(table, facts)])
        return table

    return open_table


def _replacing(name: str, value: bytes) -> Errand:
    def replace(db: sqlite3.Connection) -> None:
        db.execute("INSERT OR REPLACE INTO house (name, value) VALUES (?, ?)", (name, value))

    return replace


def _settling(name: str, value: bytes) -> Errand:
    def settle(db: sqlite3.Connection) -> bytes:
        db.execute("INSERT INTO house (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, value))
        return bytes(db.execute("SELECT value FROM house WHERE name = ?", (name,)).fetchall()[0][0])

    return settle


def _probing(db: sqlite3.Connection) -> None:
    db.execute("INSERT OR REPLACE INTO house (name, value) VALUES ('probe', randomblob(?))", (PROBE_BYTES,))


def copy(source: Path, target: Path) -> None:
    """A whole copy of a house's file, running or not, into a file that is not there yet.

    It is made beside its name, synced and checked, and named when it is whole. Readers and the writer go on meanwhile.
    NotStored("backup-exists"), ("store-unreadable"), ("store-newer"), ("store-unwritable").
    """
    part = target.with_name(target.name + ".part")
    if target.exists():
        raise NotStored("backup-exists", folder=str(target.parent), file=str(target))
    SqliteReader(source).close()
    try:
        part.unlink(missing_ok=True)
        _make(part)
        _fill(source, part)
        part.rename(target)
        _settle_folder(target.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink()
        raise not_stored("store-unwritable", target, error) from None


def _fill(source: Path, part: Path) -> None:
    with closing(plain(str(source))) as running, closing(plain(str(part))) as db:
        running.backup(db)  # in one step: one moment of the house
        db.execute("PRAGMA journal_mode = DELETE").fetchall()  # one file, without a log beside it
        found = db.execute("PRAGMA integrity_check").fetchall()
        if found != [("ok",)]:
            raise sqlite3.DatabaseError(f"the copy is damaged: {found[0][0]}")
    _sync(part)


@contextmanager
def _only_house(path: Path) -> Iterator[None]:
    """Hold the lock beside the file. NotStored("store-in-use") if another house does."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.fdopen(os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise not_stored("store-unwritable", path, error) from None
    with lock:
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise not_stored("store-in-use", path, error) from None
        yield


def _make(path: Path) -> None:
    """An empty file, if there is none, which nobody else may read; and its name on the disk."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    _settle_folder(path.parent)
    _settle_folder(path.parent.parent)


def _settle_folder(folder: Path) -> None:
    """The names in it are on the disk too. Not every system can sync a folder; those that cannot need not."""
    with suppress(OSError):
        _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int = os.O_RDWR) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
