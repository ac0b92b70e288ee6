"""Two house processes over one PostgreSQL database, and people who never stay with one."""

import asyncio
import random
from pathlib import Path

from cluster.houses import Evening, houses
from support.house_process import Phone, run

COMMANDS, MOVES = 200, 100
WITHIN_S = 60
"""An idle machine needs 6 s for so many commands, a busy one longer."""


async def _evening(evening: Evening, tables: int) -> None:
    tasks = await evening.begin(tables)
    async with asyncio.timeout(WITHIN_S):
        while len(evening.told) <= COMMANDS or sum(guest.moves for guest in evening.guests) <= MOVES:
            await asyncio.sleep(0.1)
    await evening.end(tasks)
    await evening.ask_again(50)


def test_any_house_serves_any_request(tmp_path: Path, empty_database: str) -> None:
    with houses(empty_database, tmp_path, 2) as two:
        evening = Evening(two, random.Random("two houses"))
        run(_evening(evening, 8))
        assert evening.check(empty_database) > COMMANDS
        for house in two:
            house.stop()
            assert "Traceback" not in house.errors()


async def _two_keeps(ports: list[int]) -> None:
    here, there = (Phone(port, "Ann") for port in ports)
    for _ in range(10):
        code = await here.open_table(game="midnight", name="Ann", people=1, bots=["tip"])
        assert (await here.do(code, do="roll")).status == 200
        seen = (await here.view(code))["seq"]
        keeps = (here.do(code, do="roll", marks=[0], seen=seen), there.do(code, do="roll", marks=[1, 2], seen=seen))
        answers = await asyncio.gather(*keeps)
        assert sorted(answer.status for answer in answers) == [200, 409]
        late = next(answer for answer in answers if answer.status == 409)
        assert late.data["code"] == "seen-late"
        shown = [(await phone.view(code))["rolls"] for phone in (here, there)]
        assert shown == [2, 2], "one of the two was done, at both houses"
    for phone in (here, there):
        phone.hang_up()


def test_of_two_keeps_from_one_view_at_two_houses_one_is_done(tmp_path: Path, empty_database: str) -> None:
    with houses(empty_database, tmp_path, 2) as two:
        run(_two_keeps([house.port for house in two]))
