"""What /healthz says: whether the house can store, found out by a write of its own."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from pubdice.server.pages import health
from pubdice.server.table.house import House, HouseProcess
from support.house import Pub, at_the_pub, seated


@at_the_pub()
async def test_a_house_that_can_store_is_well(pub: Pub) -> None:
    answer = await pub.client().get("/healthz")
    assert (answer.status, answer.text) == (200, "well\n")


@at_the_pub()
async def test_a_house_that_leaves_or_is_cut_off_is_well_and_not_ready(pub: Pub) -> None:
    assert (await pub.client().get("/ready")).status == 200
    for process, said in ((HouseProcess(leaving=True), "leaving\n"), (HouseProcess(cut_off=True), "cut off\n")):
        pub.house.process = process
        answer = await pub.client().get("/ready")
        assert (answer.status, answer.text) == (503, said)
        assert (await pub.client().get("/healthz")).status == 200


@at_the_pub()
async def test_an_idle_house_on_a_failing_disk_finds_out_by_itself(pub: Pub) -> None:
    pub.disk.failing = 2
    assert [(await pub.client().get("/healthz")).status for _ in range(3)] == [503, 503, 200]


@at_the_pub()
async def test_on_a_hung_disk_it_says_so_while_moves_wait(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "WITHIN_S", 0.01)
    ann, _, code = await seated(pub)
    pub.disk.open.clear()
    moving = asyncio.ensure_future(ann.done(code, "roll"))
    assert [(await pub.client().get("/healthz")).status for _ in range(3)] == [503] * 3
    assert pub.store.under_way == 2, "the move, and one probe however often it is asked"
    pub.disk.open.set()
    await moving
    await pub.settle()
    assert (await pub.client().get("/healthz")).status == 200


def test_asked_often_it_writes_once() -> None:
    async def asked() -> int:
        probes = 0

        class Store:
            store: "Store"

            def probe(self, done: Callable[[Any], object], via: object = None) -> None:
                nonlocal probes
                probes += 1
                asyncio.get_running_loop().call_soon(done, None)

        house = Store()
        house.store = Store()
        healthy = health.Health(cast(House, house))
        assert all(await asyncio.gather(*(healthy.is_well() for _ in range(20))))
        return probes

    assert asyncio.run(asked()) == 1
