"""The players' book of a cluster, in its database."""

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
"""The advisory lock of who writes to the book: "pubb"."""
WAIT_S = 5.0
"""The time that a call waits for the one before it, which may wait for a database that does not answer."""


class PlayersTables(PlayersBook):
    """The players' book of a cluster. One call of a house at a time, on a connection of its own.

    Transactions of several houses come one after the other, so that each sees all of those before it: without that two
    houses could turn one match into sums twice. NotStored("store-newer"), ("store-unreadable"), ("store-unwritable").
    """

    def __init__(self, address: str, primary: Primary | None = None) -> None:
        """primary: what else of this process is connected to the database."""
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
        """One transaction, after those of other houses; an error in it leaves the database as it was.

        If the connection breaks in the commit, nobody can say whether that was stored: it is reported as not stored.
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
        """Write the tables of players and browsers again, without the bytes of deleted rows, and free what matches had.

        Matches name nobody. To write 100,000 of them again took 0.45 s, while nobody could open the book, and there may
        be a hundred times as many; to free what was deleted took 0.08 s, and nobody waited. The server's write-ahead
        log and backups keep all rows as long as they are kept themselves, and a row that another transaction sees at
        this moment goes the next time. That this fails is no reason to say that the player is still there.
        """
        with suppress(NotStored), self._alone():
            for task in ("VACUUM (FULL) players, links", "VACUUM entries, sums"):
                self._ask(partial(_execute, task))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the connection, and turn the server's errors into NotStored("store-unwritable")."""
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
        """The first query on the connection: on a new one if the old has broken meanwhile."""
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
