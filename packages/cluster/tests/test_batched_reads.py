"""Tests of reads from the database: several logs are read in one query, and the lobby is read from its index."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any
from unittest.mock import patch

import psycopg
import pytest

from pubdice.core.errors import NotStored
from pubdice_cluster.batched_reads import MOST_TABLES, BatchedReads
from pubdice_cluster.store import PostgresStore


class Logs:
    """Logs in memory. They record the tables of each query. A table without a log counts as damaged."""

    def __init__(self, logs: dict[int, list[str]]) -> None:
        self.logs = logs
        self.asked: list[list[int]] = []
        self.gone = False

    def parts(self, wanted: Sequence[tuple[int, int]], most: int) -> list[list[str] | NotStored]:
        self.asked.append([table for table, _ in wanted])
        if self.gone:
            raise NotStored("store-unreadable")
        return [
            self.logs[table][start : start + most] if table in self.logs else NotStored("log-damaged", table=table)
            for table, start in wanted
        ]


async def read(ask: Callable[..., Any], *values: object) -> Any:
    """Run a read after other tasks have run, as if it went over a network."""
    await asyncio.sleep(0)
    return ask(*values)


def batched(logs: Logs) -> BatchedReads:
    return BatchedReads(logs, read)  # type: ignore[arg-type]


def test_one_query_reads_for_all_who_ask_meanwhile() -> None:
    async def go() -> None:
        logs = Logs({1: ["a", "b"], 2: ["c"], 3: ["d", "e", "f"]})
        reads = batched(logs)
        found = await asyncio.gather(reads.part(1, 1), reads.part(2, 1), reads.part(3, 0))
        assert list(found) == [["b"], [], ["d", "e", "f"]]
        assert await reads.part(1, 0) == ["a", "b"]
        assert logs.asked == [[1, 2, 3], [1]]

    asyncio.run(go())


def test_a_table_that_cannot_be_read_keeps_no_other_from_it() -> None:
    async def go() -> None:
        reads = batched(Logs({1: ["a"]}))
        found = await asyncio.gather(reads.part(7, 0), reads.part(1, 0), return_exceptions=True)
        assert isinstance(found[0], NotStored)
        assert (found[0].facts["table"], found[1]) == (7, ["a"])

    asyncio.run(go())


def test_without_the_store_each_reader_is_told() -> None:
    async def go() -> None:
        logs = Logs({1: ["a"], 2: ["b"]})
        logs.gone = True
        reads = batched(logs)
        found = await asyncio.gather(reads.part(1, 0), reads.part(2, 0), return_exceptions=True)
        assert [getattr(each, "code", None) for each in found] == ["store-unreadable"] * 2
        logs.gone = False
        assert await reads.part(2, 0) == ["b"]

    asyncio.run(go())


def test_a_query_is_about_so_many_tables_at_most() -> None:
    async def go() -> None:
        many = MOST_TABLES + 3
        logs = Logs({table: [str(table)] for table in range(many)})
        reads = batched(logs)
        assert await asyncio.gather(*(reads.part(table, 0) for table in range(many))) == [
            [str(at)] for at in range(many)
        ]
        assert list(map(len, logs.asked)) == [MOST_TABLES, 3]

    asyncio.run(go())


def test_who_no_longer_waits_keeps_nobody_waiting() -> None:
    async def go() -> None:
        reads = batched(Logs({1: ["a"], 2: ["b"]}))
        gone = asyncio.create_task(reads.part(1, 0))
        await asyncio.sleep(0)
        gone.cancel()
        assert await reads.part(2, 0) == ["b"]
        with pytest.raises(asyncio.CancelledError):
            await gone

    asyncio.run(go())


def test_the_lobby_is_read_from_its_own_index(empty_database: str) -> None:
    asked, execute = list[tuple[Any, Any]](), psycopg.Connection.execute

    def watched(db: Any, query: Any, params: Any = None, **more: Any) -> Any:
        asked.append((query, params))
        return execute(db, query, params, **more)

    with closing(PostgresStore(empty_database)) as store, patch.object(psycopg.Connection, "execute", watched):
        store.lobby(20)
    [(query, params)] = [each for each in asked if "listed" in str(each[0])]
    with psycopg.connect(empty_database) as db:
        for way in ("seqscan", "bitmapscan", "sort"):  # without these settings, the planner would scan an empty table
            db.execute(f"SET enable_{way} = off")
        plan = [row[0] for row in db.execute(f"EXPLAIN {query}", params)]
    assert any("using lobby on tables" in line for line in plan), plan
