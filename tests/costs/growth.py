"""The same deed in a small house and in a large one: what may not grow with a log, or with the number of tables.

What C does shows as memory and as steps of the database, which a count of calls sees nothing of.
"""

import gc
import tracemalloc
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from costs.deeds import Deed, next_move
from costs.houses import CountedPub, at_home, in_child
from costs.measured import Cost
from support.asgi_client import Client
from support.house import seated
from support.http_wire import Answer
from support.lines_run import lines_run

WARM, MARKS, MISSED = 8, 20, 3
"""Moves before the one that is measured; marks of a die before each of a long match, of which 200 may follow each
other; lines that a page missed.
"""


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


async def lines_of(pub: CountedPub, deed: Callable[[], Awaitable[Any]]) -> int:
    """The lines of pubdice's own functions that a deed runs: a loop runs its line once more each time it goes round,
    also where it calls nothing.
    """
    await pub.settle()
    with lines_run() as ran:
        await deed()
        await pub.settle()
    return ran.number


async def both(pub: CountedPub, deed: Callable[[], Awaitable[Deed]]) -> dict[str, int]:
    """All numbers of a deed, which is done six times: warm, counted twice, and three times with its memory: of those
    the least counts, as the thread that writes may need some at the same time.
    """
    await (await deed())()
    await pub.settle()
    cost, answer = await pub.cost(await deed())
    assert answer.status in (200, 201), answer.body
    more = [(await peak(pub, await deed())).numbers for _ in range(3)]
    lines = await lines_of(pub, await deed())
    return {**cost.numbers, "lines": lines, **min(more, key=lambda numbers: numbers["bytes_peak"])}


async def long_match(pub: CountedPub, lines: int) -> tuple[list[Client], str]:
    """A match whose log has so many lines, up to the next round; each turn is marks and moves."""
    *people, code = await seated(pub, rules={"format": "rounds 20"})
    while True:
        view, left = await pub.view(code), lines - len(pub.stored(code))
        if left <= 0 and view["mover"] == 0 and view["due"] == view["places"]:
            return people, code
        free = [die["place"] for die in view["dice"] if die["status"] == "free"]
        for number in range(min(MARKS, left) if view["ask"] == "keep" else 0):
            await people[view["mover"]].done(code, "mark", marks=[] if number % 2 else free[:1])
        assert (await (await next_move(pub, code, people))()).status == 200
        await pub.settle()


async def roll(pub: CountedPub, lines: int) -> dict[str, int]:
    """A move at a table whose log has so many lines, while one watches."""
    people, code = await long_match(pub, lines)
    await pub.client("Guest").look(code)
    return await both(pub, lambda: next_move(pub, code, people))


async def coming_back(pub: CountedPub, lines: int) -> dict[str, int]:
    """A page whose connection broke comes back to a table whose log has so many lines, of which it missed three."""
    people, code = await long_match(pub, lines)
    room = pub.actor(code)

    async def told() -> Answer:
        return Answer(200, body=room.spectators.since(room.state.seq - MISSED, "en"))

    async def deed() -> Deed:
        await (await next_move(pub, code, people))()
        return told

    return await both(pub, deed)


async def page(pub: CountedPub, lines: int) -> dict[str, int]:
    """The page of a table whose log has so many lines, for somebody who plays."""
    people, code = await long_match(pub, lines)

    async def deed() -> Deed:
        return lambda: people[0].get(pub.house.link(code), "text/html")

    return await both(pub, deed)


async def among_many(pub: CountedPub, tables: int) -> dict[str, int]:
    """A move in a house with so many tables in memory, at each of which somebody plays."""
    await fill(pub, tables, forgotten=False)
    *people, code = await seated(pub, rules={"format": "rounds 20"})
    await pub.client("Guest").look(code)
    for _ in range(WARM):
        await (await next_move(pub, code, people))()
    return await both(pub, lambda: next_move(pub, code, people))


async def opening_among_many(pub: CountedPub, tables: int) -> dict[str, int]:
    """A new table in a house with so many others in memory."""
    await fill(pub, tables, forgotten=False)
    ann, keys = pub.client("Ann"), count()

    async def deed() -> Deed:
        order = {"game": "midnight", "name": "Ann", "people": 2, "key": f"a-table-{next(keys):04}"}
        return lambda: ann.post("/tables", order)

    return await both(pub, deed)


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
    "A move, by lines of the log": (roll, 12, 320),
    "A page that comes back, by lines of the log": (coming_back, 12, 320),
    "The page of a table, by lines of its log": (page, 160, 320),
    "A move, by tables in memory": (among_many, 2, 82),
    "A new table, by tables in memory": (opening_among_many, 2, 82),
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
            numbers = in_child(lambda scene=scene, size=size: at_home(lambda pub: scene(pub, size)))  # type: ignore[misc]
            found[f"{name}: {size}"] = Cost(numbers)
    return found
