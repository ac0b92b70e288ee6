"""The same deed in a small house and in a large one: what may not grow with a log, or with the number of tables.

What C does shows as memory and as steps of the database, which a count of calls sees nothing of.
"""

import asyncio
import gc
import tracemalloc
from collections.abc import Awaitable, Callable
from typing import Any

from costs.deeds import Deed, next_move
from costs.houses import CountedPub, at_home, in_child
from costs.measured import Cost
from support.house import seated


async def peak(pub: CountedPub, deed: Callable[[], Awaitable[Any]]) -> Cost:
    """The cost of a deed, with the most memory that it needs at a time, and the steps that the database took."""
    await pub.settle()
    gc.collect()
    steps = pub.traffic.steps
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        await deed()
        await pub.settle()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return Cost({"bytes_peak": most - before, "database_steps": pub.traffic.steps - steps})


async def both(pub: CountedPub, deed: Callable[[], Awaitable[Deed]]) -> dict[str, int]:
    """All numbers of a deed, which is done five times: warm, counted, and three times with its memory. The least of
    these counts, as the thread that writes may need some at the same time.
    """
    await (await deed())()
    await pub.settle()
    cost, answer = await pub.cost(await deed())
    assert answer.status in (200, 201), answer.body
    more = [(await peak(pub, await deed())).numbers for _ in range(3)]
    return {**cost.numbers, **min(more, key=lambda numbers: numbers["bytes_peak"])}


async def roll(pub: CountedPub, lines: int) -> dict[str, int]:
    """A move at a table whose log has so many lines."""
    ann, bob, code = await seated(pub, rules={"format": "rounds 20"})
    await ann.done(code, "roll")
    for number in range(lines):
        await ann.ask(code, "mark", marks=[number % 6])
    await pub.settle()
    people = [ann, bob]
    return await both(pub, lambda: next_move(pub, code, people))


async def fill(pub: CountedPub, tables: int, *, forgotten: bool = True) -> None:
    """So many tables at play; forgotten: none of them is in memory."""
    for number in range(tables):
        ann, bob = pub.client("Ann"), pub.client("Bob")
        ann.address = bob.address = f"192.0.2.{number}"
        code = await ann.order(people=2, listed=True)
        await bob.done(code, "sit", name="Bob")
        if forgotten:
            pub.house.actors.pop(code).close()
    await pub.settle()


async def front(pub: CountedPub, tables: int) -> dict[str, int]:
    """The front page with so many tables on it."""
    await fill(pub, tables)
    who = pub.client("Zoe")

    async def deed() -> Deed:
        return lambda: who.get("/", "text/html")

    return await both(pub, deed)


async def beat(pub: CountedPub, tables: int) -> dict[str, int]:
    """A heartbeat of so many tables, at which nobody looks, by the second of its parts."""
    await fill(pub, tables, forgotten=False)

    async def deed() -> None:
        pub.house.heartbeat(1)

    await deed()
    return dict((await peak(pub, deed)).numbers)


async def start(pub: CountedPub, tables: int) -> dict[str, int]:
    """A house opened, over a file with so many tables."""
    await fill(pub, tables)
    await pub.close()
    before = pub.traffic.numbers(), pub.traffic.steps
    pub.app = None
    await pub.open()
    return {
        "statements": pub.traffic.statements - before[0]["statements"],
        "database_steps": pub.traffic.steps - before[1],
    }


SCENES: dict[str, tuple[Callable[[CountedPub, int], Awaitable[dict[str, int]]], int, int]] = {
    "A move, by lines of the log": (roll, 12, 640),
    "The front page, by tables on it": (front, 2, 16),
    "A heartbeat, by tables": (beat, 16, 144),
    "The start of a house, by tables": (start, 2, 34),
}
"""Scenes, each with a small number and a large one."""


def measure() -> dict[str, Cost]:
    """Each scene, small and large."""
    found = {}
    for name, (scene, *sizes) in SCENES.items():
        for size in sizes:
            numbers = in_child(lambda scene=scene, size=size: asyncio.run(at_home(lambda pub: scene(pub, size))))  # type: ignore[misc]
            found[f"{name}: {size}"] = Cost(numbers)
    return found
