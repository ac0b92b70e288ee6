"""Two house processes over one PostgreSQL database, and people who never stay with one."""

import asyncio
import random
from pathlib import Path

from cluster.houses import Evening, houses
from support.house_process import run

SECONDS = 8


async def _evening(evening: Evening, tables: int, seconds: float) -> None:
    tasks = await evening.begin(tables)
    await asyncio.sleep(seconds)
    await evening.end(tasks)
    await evening.ask_again(50)


def test_any_house_serves_any_request(tmp_path: Path, empty_database: str) -> None:
    with houses(empty_database, tmp_path, 2) as two:
        evening = Evening(two, random.Random("two houses"))
        run(_evening(evening, 8, SECONDS))
        assert evening.check(empty_database) > 200
        assert sum(guest.moves for guest in evening.guests) > 100
        for house in two:
            house.stop()
            assert "Traceback" not in house.errors()
