"""Lists of tables: at what cost they are read."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pubdice.store import SqliteReader, SqliteStore
from store.connections import table


@pytest.mark.parametrize(
    ("ask", "index"),
    [
        (lambda store: store.lobby(20), "lobby"),
    ],
    ids=["the lobby"],
)
def test_a_list_is_read_from_its_own_index_and_needs_no_sorting(path: Path, ask: Any, index: str) -> None:
    asked: list[tuple[str, Any]] = []

    class Watched(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            asked.append((statement, values))
            return super().execute(statement, *values)

    def watched(path: str) -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Watched)

    with closing(SqliteStore(path)) as store:
        table(store)
    with closing(SqliteReader(path, connect=watched)) as reader:
        asked.clear()
        ask(reader)
        [(statement, values)] = asked
        plan = [row[3] for row in reader._connection().execute(f"EXPLAIN QUERY PLAN {statement}", *values).fetchall()]
    assert len(plan) == 1
    assert f"USING INDEX {index}" in plan[0]
