"""Entries written in one transaction: what it costs."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from pubdice.store import Entry, SqliteStore
from pubdice.store.group import write_entries
from store.houses import table


def test_no_query_of_a_write_reads_more_than_it_needs(store: SqliteStore, path: Path) -> None:
    """All go by an index, however many answers and events there are."""
    table(store, "AAAAAA")
    asked: list[tuple[str, list[object]]] = []

    class Watched(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if statement.startswith(("SELECT", "WITH")):
                asked.append((statement, list(*values)))
            return super().execute(statement, *values)

    store.close()
    with closing(sqlite3.connect(path, factory=Watched)) as db:
        write_entries(db, [Entry(1, at + 1, ("x",), f"key {at}", b"{}") for at in range(3)])
        assert len(asked) == 1, "what a group is decided by is asked for in one statement"
        write_entries(db, [Entry(1, 1, ("x",), "key 0", b"{}")])
        assert len(asked) == 3, "the answers themselves are read only if there are any"
        for statement, values in asked:
            plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
            assert not {"SCAN answers", "SCAN events", "SCAN tables"}.intersection(plan), plan
