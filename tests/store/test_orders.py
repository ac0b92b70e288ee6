"""Tables ordered: under one key one table, for as long as it is there."""

import sqlite3
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

from pubdice.core.errors import NotStored
from pubdice.store import SqliteStore
from store.connections import summary_of


def _ordered(store: SqliteStore, code: str, key: str | None) -> object:
    told: SimpleQueue[object] = SimpleQueue()
    store.submit_table(code, ["setup"], summary_of("gathering", 10), told.put, key=key)
    outcome = told.get(timeout=10)
    return outcome.code if isinstance(outcome, NotStored) else outcome


def test_a_key_whose_table_was_deleted_opens_another(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        _ordered(store, "AAAAAA", "ann one")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM log")
        db.execute("DELETE FROM tables")
    with closing(SqliteStore(path)) as store:
        assert store.ordered("ann one") is None
        assert [_ordered(store, code, "ann one") for code in ("BBBBBB", "CCCCCC")] == ["BBBBBB", "BBBBBB"]
