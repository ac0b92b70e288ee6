"""The lobby of a database: at what cost it is read."""

from contextlib import closing
from typing import Any
from unittest.mock import patch

import psycopg

from pubdice_cluster.store import PostgresStore


def test_the_lobby_is_read_from_its_own_index(empty_database: str) -> None:
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
