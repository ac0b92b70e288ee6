"""Tests with kill -9 of houses, of the database server and of its connections: no acknowledged command is lost or done
twice.

A player's moves go to random houses, and a spectator hears them from other houses. So most messages cross two
processes.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import psycopg
import pytest

from cluster.houses import Evening, houses
from support.house_process import House, run
from support.postgres import PostgresServer, database, own_server
from support.profiles import NIGHTLY

HOUSES = 2
TABLES = 100 if NIGHTLY else 5
EVERY_S = (0.2, 1.6)
"""The range of seconds between two actions of a person. It is long enough for two cores to serve 100 tables."""
LATE_S = 3.0
"""If a person has waited this many seconds, their answer comes before the next kill. On a busy machine an answer takes
as long as the time between two kills, so some people would be interrupted each time."""
GOES_ON_S = 60.0
"""The most seconds until play goes on after a kill. With a tenth of two cores, 12 s have occurred."""
KILLS = {"house": 300 if NIGHTLY else 1, "server": 100, "connections": 600}

Kill = Callable[[], Awaitable[None]]


async def _killed(evening: Evening, kill: Kill, times: int) -> None:
    """Kill this many times, at random moments of an evening."""
    tasks = await evening.begin(TABLES)
    for _ in range(times):
        tasks += await evening.refill(TABLES)
        before = len(evening.told)
        await kill()
        async with asyncio.timeout(GOES_ON_S):
            while len(evening.told) < before + 20:  # true until play has gone on
                evening.complain(tasks)
                await asyncio.sleep(0.05)
            await evening.wait_for_the_late(tasks, LATE_S)
    await asyncio.sleep(3)  # enough time for all listeners to hear the end
    await evening.end(tasks)
    await evening.ask_again(100)


def _house_killer(evening: Evening) -> Kill:
    async def kill() -> None:
        await asyncio.sleep(evening.source.uniform(0.1, 1.0))
        victim: House = evening.source.choice(evening.houses)
        victim.kill()
        await asyncio.sleep(evening.source.uniform(0, 0.5))
        await asyncio.to_thread(victim.open)

    return kill


def _connection_killer(evening: Evening, address: str) -> Kill:
    async def kill() -> None:
        await asyncio.sleep(evening.source.uniform(0.05, 0.8))
        async with await psycopg.AsyncConnection.connect(address, autocommit=True) as db:
            found = await db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'pubdice' AND pid <> pg_backend_pid() AND random() < 0.5"
            )
            await found.fetchall()

    return kill


def _server_killer(evening: Evening, server: PostgresServer) -> Kill:
    async def kill() -> None:
        await asyncio.sleep(evening.source.uniform(0.5, 2))
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(evening.source.uniform(0, 1))
        await asyncio.to_thread(server.start)

    return kill


@pytest.mark.parametrize(
    "victim",
    ["house", *(pytest.param(each, marks=pytest.mark.nightly) for each in ("connections", "server"))],
)
def test_no_acknowledged_move_is_lost_or_doubled(victim: str, tmp_path: Path) -> None:
    with own_server() as server, database(server.address) as address, houses(address, tmp_path, HOUSES) as some:
        evening = Evening(some, random.Random(f"killed: {victim}"), EVERY_S, within_s=3 * GOES_ON_S)
        kills = {
            "house": _house_killer(evening),
            "connections": _connection_killer(evening, address),
            "server": _server_killer(evening, server),
        }
        run(_killed(evening, kills[victim], KILLS[victim]))
        assert evening.check(address) > 20 * KILLS[victim]
        for house in some:
            assert "Traceback" not in house.errors()
