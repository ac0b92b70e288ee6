"""A full disk under a running house: the mover is told, nothing is lost, and the house goes on when there is room.

The limit on a file's size (RLIMIT_FSIZE) is set from outside on the running process: its writes then fail as on a full
disk, and succeed again when the limit is lifted.
"""

import asyncio
import sys
from pathlib import Path

import pytest

from pubdice.room.events import public
from pubdice.store.sqlite.store import SqliteReader
from support.house_process import Ear, House, Phone, run

if sys.platform != "linux":
    pytest.skip("prlimit is Linux's", allow_module_level=True)
import resource

UNLIMITED = resource.RLIM_INFINITY


async def fill_and_free(folder: Path) -> None:
    house = House(folder)
    house.open()
    ann, bob = Phone(house.port, "Ann"), Phone(house.port, "Bob")
    try:
        code = await ann.open_table(people=1, pace_ms=0)
        ear = Ear(bob, code)
        listening = asyncio.ensure_future(ear.listen())
        await ear.began.wait()
        assert (await ann.do(code, do="roll")).status == 200
        before = await ann.view(code)
        await ear.until(before["seq"])
        asked = {"key": ann.key(), "do": "mark", "marks": [0]}

        resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (1, UNLIMITED))
        for _ in range(3):
            answer = await ann.ask("POST", f"/t/{code}", asked)
            assert answer.status == 503
            assert answer.data == {
                "code": "store-unwritable",
                "why": "Couldn't save that. Nothing changed; try again.",
            }
            page = await ann.ask(
                "POST",
                f"/t/{code}",
                f"key={asked['key']}&mark=0".encode(),
                {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"},
            )
            assert page.status == 503
            assert b"Nothing changed; try again." in page.body
        order = {"game": "midnight", "name": "Bob", "people": 1, "key": bob.key()}
        assert (await bob.ask("POST", "/tables", order)).status == 503
        assert await ann.view(code) | {"now": 0} == before | {"now": 0}
        assert (await ann.ask("GET", "/")).status == 200
        assert (await ann.ask("GET", f"/t/{code}/state")).status == 200
        assert ear.seq == before["seq"]

        resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (UNLIMITED, UNLIMITED))
        answer = await ann.ask("POST", f"/t/{code}", asked)
        assert (answer.status, answer.data["seq"]) == (200, before["seq"] + 1)
        assert (await bob.ask("POST", "/tables", order)).status == 201
        await ear.until(before["seq"] + 1)
        reader = SqliteReader(house.file)
        assert ear.lines == [public(line) for line in reader.read(reader.codes()[code])[1:]]
        assert reader.damage() == []
        reader.close()
        house.stop()
        await listening
        assert '"error"' not in house.errors()
        assert "Traceback" not in house.errors()
    finally:
        house.clear()


def test_a_full_disk_is_said_changes_nothing_and_is_got_over(tmp_path: Path) -> None:
    run(fill_and_free(tmp_path))
