"""Lists of tables: at what cost they are read."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

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


def test_the_lobby_is_read_from_its_own_index_in_postgresql_too(empty_database: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    from pubdice_cluster import PostgresStore  # noqa: PLC0415 - the driver is an extra

    asked, execute = list[tuple[Any, Any]](), psycopg.Connection.execute

    def watched(db: Any, query: Any, params: Any = None, **more: Any) -> Any:
        asked.append((query, params))
        return execute(db, query, params, **more)

    with closing(PostgresStore(empty_database)) as store, patch.object(psycopg.Connection, "execute", watched):
        store.lobby(20)
    [(query, params)] = [each for each in asked if "listed" in str(each[0])]
    with psycopg.connect(empty_database) as db:
        for way in ("seqscan", "bitmapscan", "sort"):  # a table with nothing in it is read so all the same
            db.execute(f"SET enable_{way} = off")
        plan = [row[0] for row in db.execute(f"EXPLAIN {query}", params)]
    assert any("using lobby on tables" in line for line in plan), plan
