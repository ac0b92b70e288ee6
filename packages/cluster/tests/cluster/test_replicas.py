"""A synchronous replica: what was acknowledged is there when it takes over, also if the wait for it was cancelled."""

import asyncio
import random
import threading
import time
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

import psycopg
import pytest

from cluster.houses import Evening, houses
from cluster.replicas import Replica, replicated
from pubdice.core.errors import NotStored
from pubdice.store import Entry, Repeated, Stored
from pubdice_cluster.store import PostgresStore
from store.connections import PLAYING
from support.house_process import run
from support.postgres import PostgresServer


def _cancel_waits(address: str) -> None:
    """As an operator who ends what hangs: the server then answers success, with a warning."""
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")


def test_a_cancelled_wait_is_no_success() -> None:
    with replicated(synchronous=True) as (server, replica), closing(PostgresStore(server.address)) as store:
        table = store.open_table("AAAAAA", "setup", PLAYING)
        replica.stop()
        ended = threading.Event()

        def cancelling() -> None:
            while not ended.wait(0.2):
                _cancel_waits(server.address)

        canceller = threading.Thread(target=cancelling)
        canceller.start()
        entry = Entry(table, 1, ("a",), "ann 1", b"answer")
        try:
            with pytest.raises(NotStored, match="not-known"):
                store.write(entry)
            with pytest.raises(NotStored, match="not-known"):
                store.write(entry)  # it is known by its key now, and still on no replica
            assert store.answer(table, "ann 1") == b"answer"
            told = SimpleQueue[object]()
            store.submit_confirming(told.put)
            assert str(told.get(timeout=20)) == "not-known", "so what was read is told to nobody"
        finally:
            ended.set()
            canceller.join()
        replica.start()
        assert store.write(entry) == Repeated(b"answer")
        store.submit_confirming(told.put)
        assert told.get(timeout=20) is None
        assert store.write(Entry(table, 2, ("b",), "ann 2", b"")) == Stored(3)


async def _failed_over(evening: Evening, server: PostgresServer, replica: Replica) -> None:
    tasks = await evening.begin(6)
    await asyncio.sleep(2)
    before = len(evening.told)
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(replica.promote)
    async with asyncio.timeout(60):
        while len(evening.told) < before + 50:
            await asyncio.sleep(0.1)
    await evening.end(tasks)
    await evening.ask_again(100)


def test_nothing_acknowledged_is_lost_by_a_failover(tmp_path: Path) -> None:
    with replicated(synchronous=True) as (server, replica), houses(replica.both, tmp_path, 2) as two:
        evening = Evening(two, random.Random("failover"))
        began = time.monotonic()
        run(_failed_over(evening, server, replica))
        assert time.monotonic() - began < 90
        assert evening.check(replica.address) > 80
        for house in two:
            assert "Traceback" not in house.errors()
