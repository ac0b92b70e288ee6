"""Memory that a table, an open page and a move keep, by tracemalloc, without the test's own.

Means of several, once one of each has warmed what they share.
"""

import gc
import json.decoder
import tracemalloc
from collections.abc import Awaitable, Callable

from costs.houses import CountedPub, at_home
from costs.measured import Cost
from support.house import play_out, play_turn, seated
from support.paths import LAWS, TESTS

MANY = 32
WARM_MATCHES, FEW_HANDS = 4, "mexico"
"""Matches of a game with two dice, after which it has met nearly every hand."""
NOT_OURS = tuple([tracemalloc.Filter(False, file) for file in (f"{TESTS}/*", f"{LAWS}/*", tracemalloc.__file__)])
READ = tracemalloc.Filter(False, json.decoder.__file__)
"""What a test's page has read of its messages: 17 KB, where the house keeps 5 for it."""


def kept(*but: tracemalloc.Filter) -> tuple[int, dict[str, int]]:
    """Bytes kept, and those of each module of pubdice."""
    gc.collect()
    found: dict[str, int] = {}
    total = 0
    for each in tracemalloc.take_snapshot().filter_traces((*NOT_OURS, *but)).statistics("filename"):
        name = each.traceback[0].filename
        total += each.size
        if "/pubdice/" in name:
            module = name.partition("/pubdice/")[2].removesuffix(".py").replace("/", ".")
            found[module] = found.get(module, 0) + each.size
    return total, found


async def growth(pub: CountedPub, make: Callable[[int], Awaitable[object]], *but: tracemalloc.Filter) -> Cost:
    """The bytes that one more keeps."""
    await make(0)
    await pub.settle()
    tracemalloc.start()
    try:
        before, parts = kept(*but)
        for number in range(1, 1 + MANY):
            await make(number)
            await pub.settle()
        after, now = kept(*but)
    finally:
        tracemalloc.stop()
    each = {module: round((size - parts.get(module, 0)) / MANY) for module, size in now.items()}
    return Cost({"bytes_kept": round((after - before) / MANY)}, {name: size for name, size in each.items() if size > 0})


async def tables(pub: CountedPub) -> Cost:
    """A table of two, after its first roll."""

    async def table(number: int) -> None:
        ann, _, code = await seated(pub)
        await ann.done(code, "roll")

    return await growth(pub, table)


async def pages(pub: CountedPub) -> Cost:
    """A page that watches."""
    ann, _, code = await seated(pub)
    await ann.done(code, "roll")
    return await growth(pub, lambda number: pub.client(f"Guest {number}").look(code), READ)


async def moves(pub: CountedPub) -> Cost:
    """A move of a match that somebody watches. Some matches before it have filled what the game remembers."""
    for _ in range(WARM_MATCHES):
        *people, code = await seated(pub, game=FEW_HANDS, rules={"format": "rounds 20"})
        await play_out(pub, code, people)
    *people, code = await seated(pub, game=FEW_HANDS, rules={"format": "rounds 20"})
    guest = await pub.client("Guest").look(code)
    guest.hear = lambda message: None

    async def move(number: int) -> None:
        assert await play_turn(pub, code, people)

    return await growth(pub, move, READ)


def measure() -> dict[str, Cost]:
    """All of them."""
    return {
        "A table in memory": at_home(tables),
        "An open page": at_home(pages),
        "A move": at_home(moves),
    }
