"""Entries written in one transaction: what it costs."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from pubdice.store import Entry, SqliteStore, Stored
from pubdice.store.sqlite.store import insert_decided, insert_expected
from store.connections import table


def test_no_statement_of_a_group_reads_more_than_it_needs(store: SqliteStore, path: Path) -> None:
    """All go by an index, however many appends and idempotency keys there are."""
    for code in ("AAAAAA", "BBBBBB", "CCCCCC"):
        table(store, code)
    asked: list[tuple[str, list[object]]] = []

    class Watched(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if "FROM" in statement:
                asked.append((statement, list(*values)))
            return super().execute(statement, *values)

    store.close()
    group = [Entry(of, 1, ("x",), f"person {of}", b"{}") for of in (1, 2, 3)]
    with closing(sqlite3.connect(path, factory=Watched, isolation_level=None)) as db:
        assert insert_expected(db, group) == [Stored(2)] * 3
        assert len(asked) == 1, "a group that is expected is one statement"
        assert insert_expected(db, group) is None
        insert_decided(db, group)
        assert len(asked) == 3, "what a group is decided by is asked for in one statement"
        plans, asked = asked, []
        for statement, values in plans:
            plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
            assert not [step for step in plan if step.startswith(("SCAN log", "SCAN tables"))], plan
            assert [step for step in plan if "USING INDEX keys" in step], plan
