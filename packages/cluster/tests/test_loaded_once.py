"""A table that is loaded again while people ask for it: it is loaded once, and all of them get it."""

import asyncio
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from pubdice_cluster.shared_table import SharedTable
from support.shared_house import SharedPub, at_two_houses


@at_two_houses
async def test_all_who_ask_while_a_table_is_loaded_again_get_the_same(one: SharedPub, two: SharedPub) -> None:
    code = await one.client("Ann").order()
    old = await one.house.find(code)
    looking = asyncio.Event()

    async def catch_up(_: SharedTable) -> bool:
        await looking.wait()
        return True

    async def read(ask: Callable[..., Any], *values: object) -> Any:
        await asyncio.sleep(0.01)  # as over a network
        return ask(*values)

    with patch.object(one.house, "read", read), patch.object(SharedTable, "catch_up", catch_up):
        finding = [asyncio.ensure_future(one.house.find(code)) for _ in range(5)]
        await asyncio.sleep(0)
        one.house.reload(code)
        looking.set()
        async with asyncio.timeout(5):
            found = set(await asyncio.gather(*finding))
    assert found == {one.house.actors[code]}
    assert old not in found
