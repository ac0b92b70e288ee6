"""The players' book on the disk: a SQLite file beside the tables' file. So a house can remove the book alone."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pubdice.store.players_book import PlayersBook
from pubdice.store.sqlite.book_file import open_players
from pubdice.store.sqlite.schema import not_stored
from pubdice.store.sqlite.store import SqliteTransaction
from pubdice.store.writer import OpenTransaction


class PlayersFile(PlayersBook):
    """The players' book of a house in a file. If ``file`` is None, it is in memory, as in tests.

    It handles one call at a time and overwrites deleted rows. Raises NotStored("store-unreadable"),
    NotStored("store-newer") or NotStored("store-unwritable").
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file, self._one_at_a_time = file, threading.Lock()
        self._db = open_players(file)

    def close(self) -> None:
        """Close the connection to the file."""
        with self._one_at_a_time:
            self._db.close()

    def _all(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        with self._one_at_a_time, self._as_refusals():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[OpenTransaction]:
        with self._one_at_a_time, self._as_refusals():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield SqliteTransaction(self._db)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _vacuum(self) -> None:
        """Free the bytes of deleted rows. ``secure_delete`` has already overwritten them."""
        with self._one_at_a_time, self._as_refusals():
            self._db.execute("VACUUM")

    @contextmanager
    def _as_refusals(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise not_stored("store-unwritable", self.file or Path(":memory:"), error) from None
