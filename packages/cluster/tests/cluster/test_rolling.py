"""A rolling restart of all processes, again and again, while people play: nobody loses a move, no stream has a gap."""

import asyncio
import random
from pathlib import Path

from cluster.houses import Evening, houses
from support.house_process import run
from support.profiles import NIGHTLY

TABLES = 24 if NIGHTLY else 4
LASTS_S = 3600 if NIGHTLY else 0
EVERY_S = 60 if NIGHTLY else 0
"""From one restart of all to the next."""
ENDS_WITHIN_S = 15
IDLE_S = (0.05, 0.4) if NIGHTLY else (0.2, 1.6)
"""How long people do nothing: most of the time processes are ending, for 6 s each."""
ENOUGH = 50 if NIGHTLY else 25
"""Moves and paces acknowledged after each restart."""
LEAST = 4
"""Restarts of two processes: each is stopped once more that was opened again."""


async def _rolled(evening: Evening) -> int:
    """How many processes were told to stop, and opened again."""
    loop, restarts = asyncio.get_running_loop(), 0
    tasks, until = await evening.begin(TABLES), loop.time() + LASTS_S
    while loop.time() < until or restarts < LEAST:
        next_s = loop.time() + EVERY_S
        for house in evening.houses:
            tasks += await evening.refill(TABLES)
            before = len(evening.told)
            assert await asyncio.to_thread(house.stop) < ENDS_WITHIN_S
            await asyncio.to_thread(house.open)
            restarts += 1
            async with asyncio.timeout(30):
                while len(evening.told) < before + ENOUGH:
                    evening.complain(tasks)  # who has stopped with a complaint moves no more
                    await asyncio.sleep(0.05)
        await asyncio.sleep(max(0, next_s - loop.time()))
    await asyncio.sleep(3)  # so that all who listen have heard the end
    await evening.end(tasks)
    await evening.ask_again(100)
    return restarts


def test_all_processes_are_restarted_in_turn_while_people_play(tmp_path: Path, empty_database: str) -> None:
    with houses(empty_database, tmp_path, 2) as two:
        evening = Evening(two, random.Random("rolled"), IDLE_S)
        restarts = run(_rolled(evening))
        assert restarts >= max(LEAST, LASTS_S // EVERY_S if EVERY_S else 0)
        assert evening.check(empty_database) > ENOUGH * restarts
        for house in two:
            assert "Traceback" not in house.errors()
