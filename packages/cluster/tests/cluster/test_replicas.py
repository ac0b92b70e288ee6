"""Tests of replicas: acknowledged moves survive a failover, and every house forgets the moves that the replica did not
have.
"""

import asyncio
import json
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
from pubdice.games import GAMES
from pubdice.server.log_check import verify
from pubdice.store import Entry, Repeated, Stored
from pubdice_cluster import transactions
from pubdice_cluster.reader import PostgresReader
from pubdice_cluster.store import PostgresStore
from store.connections import PLAYING
from support.house_process import House, Phone, run
from support.http_wire import MessageReader, head_of, next_chunk, next_head
from support.postgres import PostgresServer


def _cancel_waits(address: str) -> None:
    """Cancel the waits for a replica, as an operator might. The server then answers with success and a warning."""
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")


def test_a_cancelled_wait_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "KNOWN_WITHIN_S", 1.0)
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
                store.write(entry)  # the append is stored, but on no replica
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


@pytest.mark.nightly
def test_nothing_acknowledged_is_lost_by_a_failover(tmp_path: Path) -> None:
    with replicated(synchronous=True) as (server, replica), houses(replica.both, tmp_path, 2) as two:
        evening = Evening(two, random.Random("failover"))
        began = time.monotonic()
        run(_failed_over(evening, server, replica))
        assert time.monotonic() - began < 90
        assert evening.check(replica.address) > 80
        for house in two:
            assert "Traceback" not in house.errors()


LOST = 3


async def events_of(phone: Phone, code: str, seq: int) -> list[str]:
    """Return the events of a stream until it ends or tells the page to reload."""
    told: list[str] = []
    reader, writer = await asyncio.open_connection(phone.host, phone.port)
    headers = {**phone.cookie, "Last-Event-ID": str(seq), "Accept": "text/event-stream"}
    writer.write(head_of("GET", f"/t/{code}/events", headers, phone.port))
    await next_head(reader)
    messages = MessageReader()
    try:
        while "reload" not in told and (part := await next_chunk(reader)):
            told += [message.event for message in messages.feed(part)]
    except asyncio.IncompleteReadError:
        pass
    finally:
        writer.transport.abort()
    return told


def shrink(address: str, code: str) -> int:
    """Delete the last events of a table, and return the number of its events left."""
    with psycopg.connect(address, autocommit=True) as db:
        ((table, length),) = db.execute(
            "SELECT heads.id, heads.seq FROM heads JOIN tables USING (id) WHERE code = %s", (code,)
        ).fetchall()
        db.execute("DELETE FROM log WHERE table_id = %s AND (seq > %s OR seq IS NULL)", (table, length - LOST))
        db.execute("UPDATE heads SET seq = %s, node = 0 WHERE id = %s", (length - LOST, table))
        return int(length) - LOST - 1


GOES_ON = (0, 1, LOST)
"""The number of events that a table gets after the loss. There is one table for each number, and all lose events at the
same time."""


async def begun(one: House, other: House) -> tuple[Phone, Phone, str, int]:
    """Open Ann's table at one house, with Bob at the other. Return both phones, the code, and the number of events that
    Bob has seen.
    """
    ann, bob = Phone(one.port, "ann"), Phone(other.port, "bob")
    code = await ann.open_table(game="midnight", people=2)
    assert (await bob.do(code, do="sit", name="Bob")).status == 200
    for ms in range(6):
        assert (await bob.do(code, do="pace", ms=10 + ms)).status == 403
        assert (await ann.do(code, do="pace", ms=10 + ms)).status == 200
    return ann, bob, code, (await bob.view(code))["seq"]


def test_what_a_replica_did_not_have_is_forgotten_by_all(tmp_path: Path, empty_database: str) -> None:
    async def evening(one: House, other: House) -> None:
        tables = [await begun(one, other) for _ in GOES_ON]
        watching = [asyncio.ensure_future(events_of(bob, code, seen)) for _, bob, code, seen in tables]
        await asyncio.sleep(0.3)
        left = [shrink(empty_database, code) for _, _, code, _ in tables]
        one.kill()
        await asyncio.to_thread(one.open)
        for (ann, _, code, _), goes_on in zip(tables, GOES_ON, strict=True):
            ann.hang_up()
            for ms in range(goes_on):
                assert (await ann.do(code, do="pace", ms=30 + ms)).status == 200
        for (ann, _, code, _), goes_on, stays in zip(tables, GOES_ON, left, strict=True):
            ann.hang_up()  # Ann's connection has been idle too long for the house
            at_both, until = [-1, -1], time.monotonic() + 60
            while at_both != [stays + goes_on] * 2 and time.monotonic() < until:
                at_both = [(await phone.view(code))["seq"] for phone in (Phone(other.port, "late"), ann)]
                await asyncio.sleep(0.1)
            assert at_both == [stays + goes_on] * 2
            late = Phone(other.port, "ann")
            assert (await late.do(code, do="pace", ms=77, key=f"ann-another-{goes_on}")).status == 200
        async with asyncio.timeout(60):
            behind = [
                events_of(bob, code, seen)
                for (_, bob, code, seen), ms in zip(tables, GOES_ON, strict=True)
                if ms < LOST
            ]
            assert all("reload" in events for events in await asyncio.gather(*behind))
        for task in watching:
            task.cancel()
        reader = PostgresReader(empty_database)
        for _, _, code, _ in tables:
            log = reader.read(reader.codes()[code])
            verify(log, GAMES)
            assert log[-1].endswith(" paced 77")
        reader.close()

    with houses(empty_database, tmp_path, 2) as (one, other):
        run(evening(one, other))
        failed = [line for line in other.errors().splitlines() if json.loads(line)["event"] == "failed"]
        assert not failed
