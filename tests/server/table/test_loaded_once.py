"""A table that is loaded again while people ask for it: it is loaded once, and all of them get it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from pubdice.server.table.actor import TableActor
from support.house import Pub, at_the_pub


@at_the_pub()
async def test_all_who_ask_while_a_table_is_loaded_again_get_the_same(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await pub.client("Ann").order()
    old = await pub.house.find(code)
    looking = asyncio.Event()

    async def catch_up(_: TableActor) -> bool:
        await looking.wait()
        return True

    async def read(ask: Callable[..., Any], *values: object) -> Any:
        await asyncio.sleep(0.01)  # as over a network
        return ask(*values)

    monkeypatch.setattr(pub.house, "read", read)
    monkeypatch.setattr(TableActor, "is_shared", True)
    monkeypatch.setattr(TableActor, "catch_up", catch_up)
    finding = [asyncio.ensure_future(pub.house.find(code)) for _ in range(5)]
    await asyncio.sleep(0)
    pub.house.reload(code)
    looking.set()
    async with asyncio.timeout(5):
        found = set(await asyncio.gather(*finding))
    assert found == {pub.house.actors[code]}
    assert old not in found
