"""A log that is shorter than a process has it, or another, as after a failover to a replica that was behind."""

import asyncio
import json
from pathlib import Path

import psycopg

from cluster.houses import houses
from pubdice.games import GAMES
from pubdice.server.log_check import verify
from pubdice_cluster.reader import PostgresReader
from support.house_process import House, Phone, run
from support.http_wire import MessageReader, head_of, next_chunk, next_head

LOST = 3


async def events_of(phone: Phone, code: str, seq: int) -> list[str]:
    """The events that a stream brings until it ends, or for 10 s."""
    told: list[str] = []
    reader, writer = await asyncio.open_connection(phone.host, phone.port)
    headers = {**phone.cookie, "Last-Event-ID": str(seq), "Accept": "text/event-stream"}
    writer.write(head_of("GET", f"/t/{code}/events", headers, phone.port))
    await next_head(reader)
    messages = MessageReader()
    try:
        async with asyncio.timeout(10):
            while part := await next_chunk(reader):
                told += [message.event for message in messages.feed(part)]
    except (TimeoutError, asyncio.IncompleteReadError):
        pass
    writer.transport.abort()
    return told


def shrink(address: str, code: str) -> int:
    """Lose the last events of a table; how many there are then."""
    with psycopg.connect(address, autocommit=True) as db:
        ((table, length),) = db.execute(
            "SELECT heads.id, heads.seq FROM heads JOIN tables USING (id) WHERE code = %s", (code,)
        ).fetchall()
        db.execute("DELETE FROM log WHERE table_id = %s AND (seq > %s OR seq IS NULL)", (table, length - LOST))
        db.execute("UPDATE heads SET seq = %s, node = 0 WHERE id = %s", (length - LOST, table))
        return int(length) - LOST - 1


GOES_ON = (0, 1, LOST, LOST + 2)
"""How many events a table has afterwards; one table each, which all lose at the same time."""


async def begun(one: House, other: House) -> tuple[Phone, Phone, str, int]:
    """Ann's table at one house, Bob at the other, who has seen so many events."""
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
        await asyncio.sleep(5)
        for (ann, _, code, _), goes_on, stays in zip(tables, GOES_ON, left, strict=True):
            ann.hang_up()  # its line has been quiet for as long as a house keeps one
            found = await Phone(other.port, "late").view(code)
            assert found["seq"] == stays + goes_on == (await ann.view(code))["seq"]
            late = Phone(other.port, "ann")
            assert (await late.do(code, do="pace", ms=77, key=f"ann-another-{goes_on}")).status == 200
        again = await asyncio.gather(*[events_of(bob, code, seen) for _, bob, code, seen in tables])
        assert all("reload" in events or goes_on >= LOST for events, goes_on in zip(again, GOES_ON, strict=True))
        await asyncio.gather(*watching)
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
