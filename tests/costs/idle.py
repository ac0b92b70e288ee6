"""A minute of a house in which nobody moves: 1,000 tables, a page open at every tenth. The clock is the test's."""

import asyncio
from collections import Counter
from dataclasses import replace

from costs.houses import CountedPub, at_home
from costs.jumping_loop import woken_for
from costs.measured import Cost
from support.house import MINUTE, play_out, seated

TABLES, LOOKED_AT = 1_000, 10
PLAYED = 16
AT_ONCE = 50
"""Tables that one network opens, all at once; it may have 60."""


async def fill(pub: CountedPub) -> None:
    """Open the tables, and the pages."""
    for block in range(TABLES // AT_ONCE):
        people = [pub.client(f"Ann {block} {number}") for number in range(AT_ONCE)]
        for ann in people:
            ann.address = f"192.0.2.{block}"
        codes = await asyncio.gather(*[ann.order(name="Ann") for ann in people])
        for ann, code in list(zip(people, codes, strict=True))[::LOOKED_AT]:
            await ann.look(code)


async def minute(pub: CountedPub) -> tuple[int, Counter[str]]:
    """Let a minute go by; how many times something became due, and what."""
    loop, until, woken, last = asyncio.get_running_loop(), pub.clock.ms + MINUTE, 0, 0
    due = Counter[str]()
    while (timer := pub.clock.next(until)) is not None:
        woken, last = woken + (pub.clock.ms != last), pub.clock.ms
        due[woken_for(timer.do)] += 1
        loop.call_soon(timer.do)
        await pub.settle()
    pub.clock.ms = until
    return woken, due


async def second_minute(pub: CountedPub) -> Cost:
    """The cost of a minute, not the first."""
    await minute(pub)
    cost, (woken, due) = await pub.cost(lambda: minute(pub))
    return replace(cost, numbers={**cost.numbers, "wake_ups": woken}, functions={**cost.functions, **due})


async def over_sqlite(pub: CountedPub) -> Cost:
    """The house over a file."""
    await fill(pub)
    return await second_minute(pub)


async def at_play(pub: CountedPub) -> Cost:
    """Tables in the middle of a match, with a clock that gives a turn ten minutes, and as many whose match is over; a
    page open at each.
    """
    for number in range(PLAYED):
        rules = {"format": "rounds 9" if number % 2 else "rounds 1"}
        ann, bob, code = await seated(pub, rules=rules, clock_s=600)
        await (ann.done(code, "roll") if number % 2 else play_out(pub, code, [ann, bob]))
        await ann.look(code)
    return await second_minute(pub)


def measure() -> dict[str, Cost]:
    """Over SQLite."""
    return {
        "An idle minute over SQLite": at_home(over_sqlite),
        "An idle minute of matches under way and over": at_home(at_play),
    }
