"""The costs of a house with one process over PostgreSQL: of a roll, of a read of three logs, and of an idle minute with
1,000 tables.

A page is open at every tenth table. When nothing runs, the clock of the event loop jumps to the next timer. So the
measurement waits for reads but not for time to pass.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psycopg

from costs.counting import STATEMENTS
from costs.houses import CountedPub, Traffic
from costs.idle import fill
from costs.jumping_loop import JumpingLoop
from costs.measured import Cost
from pubdice.server.table.house_config import HouseConfig
from pubdice.server.table.services import LoopClock
from pubdice.store import TableSummary
from pubdice_cluster.batched_reads import GATHER_S
from pubdice_cluster.place import InThreads
from pubdice_cluster.players import PlayersTables
from pubdice_cluster.primary import Primary
from pubdice_cluster.replication import Cluster
from pubdice_cluster.shared_clock import SharedClock
from pubdice_cluster.shared_house import SharedHouse
from pubdice_cluster.store import PostgresStore
from pubdice_cluster.wakeups import PostgresWakeups
from support.house import START_MS, seated

MINUTE_S = 60.0
BEFORE_S = 10.07
"""The seconds of play before the minute begins. The number is chosen so that no timer of the house falls on the
beginning or the end of the minute."""
TURNS = 20
"""If this many turns of the event loop bring no read, no read follows. In a chain of reads, the next one begins within
three turns."""


CODES = ("AAAAAA", "BBBBBB", "CCCCCC")


class PostgresPub(CountedPub):
    """The house over a database, served by this process alone."""

    def __init__(self, folder: Path, address: str) -> None:
        super().__init__(folder)
        self.address = address

    def open_parts(self) -> None:
        self.primary = Primary(self.address)
        store: Any = PostgresStore(self.address, primary=self.primary)
        store.under_way, store.told = 0, asyncio.Event()
        self.store = store
        self.players: Any = PlayersTables(self.address, self.primary)
        self.clock: Any = SharedClock(LoopClock(lambda: 1_000_000 * START_MS))
        self.reads = InThreads(2)

    def close_parts(self) -> None:
        self.store.close()
        self.players.close()
        self.reads.close()

    def is_due_soon(self) -> bool:
        """Return False. This house uses the timers of the event loop, and one of them is always next."""
        return False

    def made_of(self, config: HouseConfig) -> SharedHouse:
        store: Any = self.store
        nodes = store.nodes
        self.clock.follow = lambda shared_ms, asked_at: None
        self.wakeups = PostgresWakeups(self.primary, nodes.id)
        return SharedHouse(config, Cluster(store, nodes, self.wakeups, self.clock, self.reads))


@contextmanager
def counted_statements(traffic: Traffic) -> Iterator[None]:
    """Count the statements of all connections."""
    execute, execute_async = psycopg.Cursor.execute, psycopg.AsyncCursor.execute

    def counted(cursor: Any, query: Any, params: Any = None, **more: Any) -> Any:
        traffic.statement(str(query), params)
        return execute(cursor, query, params, **more)

    async def counted_async(cursor: Any, query: Any, params: Any = None, **more: Any) -> Any:
        traffic.statement(str(query), params)
        return await execute_async(cursor, query, params, **more)

    with patch.object(psycopg.Cursor, "execute", counted), patch.object(psycopg.AsyncCursor, "execute", counted_async):
        yield


async def all_done(loop: Any, wakeups: Any) -> None:
    """Wait for the first look at the other processes (a chain of reads), and for the hints about stored lines."""
    turns = 0
    while turns < TURNS:
        await asyncio.sleep(0)
        turns = 0 if loop.in_threads or wakeups._grown else turns + 1


async def roll(pub: PostgresPub) -> Cost:
    """Return the cost in statements of a roll that is not the first of its match."""
    loop: Any = asyncio.get_running_loop()
    loop.jumps = GATHER_S  # the time that a read waits for others to join its query
    ann, _, code = await seated(pub)
    await ann.done(code, "roll")
    await ann.done(code, "roll", marks=[0])
    await all_done(loop, pub.wakeups)
    cost, _ = await pub.cost(lambda: ann.done(code, "roll", marks=[1]))
    return asked_of_the_database(cost)


def asked_of_the_database(cost: Cost) -> Cost:
    """Return the statements of a cost, and leave out its other numbers."""
    asked = {name: number for name, number in cost.functions.items() if name.startswith(STATEMENTS)}
    return Cost({"statements": cost.numbers["statements"]}, asked)


async def read(pub: PostgresPub) -> Cost:
    """Return the cost in statements of one read of three logs."""
    tables = [pub.store.open_table(code, "setup", TableSummary("gathering", listed=False, updated=0)) for code in CODES]
    store: Any = pub.store
    cost, found = await pub.cost(lambda: asyncio.to_thread(store.parts, [(table, 0) for table in tables], 1))
    assert found == [["setup"]] * len(tables)
    return asked_of_the_database(cost)


async def minute(address: str) -> dict[str, Cost]:
    """Return the costs of the roll, the read and the minute."""
    loop: Any = asyncio.get_running_loop()
    with tempfile.TemporaryDirectory() as folder:
        pub = PostgresPub(Path(folder), address)
        with counted_statements(pub.traffic):
            await pub.open()
            rolled, ends = await roll(pub), await read(pub)
            loop.jumps = 0.0
            await fill(pub)
            loop.jumps = MINUTE_S
            await asyncio.sleep(BEFORE_S)
            before = loop.woken.copy()
            cost, _ = await pub.cost(lambda: asyncio.sleep(MINUTE_S))
            woken = loop.woken - before
            loop.jumps = 0.0
            await pub.close()
            pub.sound()
    idle = replace(cost, numbers={**cost.numbers, "wake_ups": woken.total()}, functions={**cost.functions, **woken})
    few = {"A roll over PostgreSQL": rolled, "The ends of three logs over PostgreSQL": ends}
    return {**few, "An idle minute over PostgreSQL": idle}


def measure(address: str) -> dict[str, Cost]:
    """Measure over an empty database."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(minute(address))
