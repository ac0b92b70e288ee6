"""Tests of hints between houses: many hints go in few messages, and without a database there are few attempts to
connect.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import chain
from time import monotonic
from typing import Any

import psycopg
import pytest

from pubdice_cluster.primary import Primary
from pubdice_cluster.wakeups import AGAIN_S, CHANNEL, MOST_AT_ONCE, PostgresWakeups, read_hints

TABLES = 2 * MOST_AT_ONCE + 1
WITHIN_S = 60.0


async def running(wakeups: PostgresWakeups, meanwhile: Any) -> Any:
    """Return the result of ``meanwhile``, while hints are sent and heard."""
    task = asyncio.create_task(wakeups.run(lambda *_: None, lambda *_: None))
    try:
        return await asyncio.wait_for(meanwhile, WITHIN_S)
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def test_hints_of_one_turn_go_in_few_messages(empty_database: str) -> None:
    async def told() -> list[list[tuple[int, int]]]:
        wakeups = PostgresWakeups(Primary(empty_database), 1)
        async with await psycopg.AsyncConnection.connect(empty_database, autocommit=True) as other:
            await other.execute(f"LISTEN {CHANNEL}")
            for length in (2, 4, 3):
                for table in range(TABLES):
                    wakeups.tell(table, length)

            async def heard() -> list[list[tuple[int, int]]]:
                found = []
                async for note in other.notifies():
                    found.append(read_hints(note.payload)[1])
                    if sum(map(len, found)) == TABLES:
                        break
                return [*found, *[read_hints(note.payload)[1] async for note in other.notifies(timeout=0.2)]]

            found: list[list[tuple[int, int]]] = await running(wakeups, heard())
            return found

    messages = asyncio.run(told())
    assert list(map(len, messages)) == [MOST_AT_ONCE, MOST_AT_ONCE, 1]
    assert sorted(chain(*messages)) == [(table, 4) for table in range(TABLES)]


@pytest.fixture
def closing_at_once() -> Iterator[socket.socket]:
    """A socket in place of the database. The test closes the connections to it."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        listening.setblocking(False)
        yield listening


def test_a_missing_database_is_tried_once_a_second(closing_at_once: socket.socket) -> None:
    async def refused() -> tuple[int, float]:
        tried, began = 0, monotonic()
        while tried < 4:
            with suppress(BlockingIOError):
                while True:
                    closing_at_once.accept()[0].close()
                    tried += 1
            await asyncio.sleep(AGAIN_S / 100)
        return tried, monotonic() - began

    port = closing_at_once.getsockname()[1]
    wakeups = PostgresWakeups(Primary(f"postgresql://127.0.0.1:{port}/none?sslmode=disable"), 1)
    tried, took_s = asyncio.run(running(wakeups, refused()))
    assert tried <= 2 + 2 * took_s / AGAIN_S, "one to send and one to listen"
