"""The players' book (each player's statistics) of a cluster, in its database."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import psycopg

from pubdice.core.errors import NotStored
from pubdice.store.players_book import PlayersBook
from pubdice.store.writer import OpenTransaction
from pubdice_cluster.connecting import not_stored
from pubdice_cluster.primary import Primary
from pubdice_cluster.schema import migrate
from pubdice_cluster.transactions import PostgresTransaction, marked

T = TypeVar("T")

WRITING = 0x70756262
"""The number of the advisory lock for writes to the book: the letters "pubb"."""
WAIT_S = 5.0
"""The time in seconds that a call waits for the call before it. The earlier call may itself be waiting for a silent
database."""


class PlayersTables(PlayersBook):
    """The players' book of a cluster. Each house makes one call at a time, on a connection of its own.

    An advisory lock puts the transactions of all houses in a row, so each transaction sees the results of all earlier
    ones. Without the lock, two houses could add the same match to the sums twice. Raises NotStored("store-newer"),
    ("store-unreadable") or ("store-unwritable").
    """

    def __init__(self, address: str, primary: Primary | None = None) -> None:
        """Open the book. ``primary`` keeps this process's other connections to the database."""
        migrate(address)
        self.address, self._one_at_a_time = address, threading.Lock()
        self._primary = primary or Primary(address)
        self._db: psycopg.Connection | None = None
        self._closed = False

    def close(self) -> None:
        """Close the connection to the database."""
        self._closed = True
        if self._one_at_a_time.acquire(timeout=WAIT_S):
            with suppress(psycopg.Error):
                if self._db is not None:
                    self._db.close()
            self._one_at_a_time.release()

    def _all(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        with self._alone():
            return self._ask(lambda db: db.execute(marked(query), values).fetchall())[1]

    @contextmanager
    def _transaction(self) -> Iterator[OpenTransaction]:
        """Run one transaction, after the transactions of other houses. An error rolls it back. If the connection breaks
        during the commit, the transaction is reported as not stored, although it may have been stored.
        """
        with self._alone():
            db, _ = self._ask(_begin)
            try:
                yield PostgresTransaction(db)
                db.execute("COMMIT")
            except BaseException:
                _undo(db)
                raise

    def _vacuum(self) -> None:
        """Free the space of deleted rows, and rewrite the SQL tables of players and browsers so no deleted name stays
        in their files.

        Matches contain no names, so their tables are not rewritten. Rewriting 100,000 matches took 0.45 s with the book
        locked, and there may be a hundred times as many. Freeing their space took 0.08 s without a lock. The server's
        write-ahead log and its backups still hold the deleted rows. If another transaction still sees a row, the row
        stays until the next call. A failure is ignored, since the player is deleted already.
        """
        with suppress(NotStored), self._alone():
            for task in ("VACUUM (FULL) players, links", "VACUUM entries, sums"):
                self._ask(partial(_execute, task))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the connection for one call, and turn the server's errors into NotStored("store-unwritable")."""
        try:
            if not self._one_at_a_time.acquire(timeout=WAIT_S):
                raise psycopg.OperationalError("the database does not answer")
            try:
                if self._closed:
                    raise psycopg.OperationalError("closed")
                yield
            finally:
                self._one_at_a_time.release()
        except psycopg.Error as error:
            raise not_stored("store-unwritable", self.address, error) from None

    def _ask(self, first: Callable[[psycopg.Connection], T]) -> tuple[psycopg.Connection, T]:
        """Run the first query of a call. If the old connection has broken, make a new one."""
        if self._db is not None:
            try:
                return self._db, first(self._db)
            except psycopg.Error:
                if not self._db.closed:
                    raise
        self._db = self._primary.connect()
        return self._db, first(self._db)


def _execute(task: str, db: psycopg.Connection) -> None:
    db.execute(task)


def _begin(db: psycopg.Connection) -> None:
    db.execute("BEGIN")
    try:
        db.execute("SELECT pg_advisory_xact_lock(%s)", (WRITING,))
    except BaseException:
        _undo(db)
        raise


def _undo(db: psycopg.Connection) -> None:
    with suppress(psycopg.Error):
        db.rollback()
