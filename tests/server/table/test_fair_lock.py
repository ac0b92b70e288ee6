"""A worker shared out by asker: how many turns of others come before one's own, whatever they have waiting."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random

import pytest

from pubdice.server import fair_lock
from pubdice.server.bot_processes import WorkerQueue
from pubdice.server.fair_lock import FairLock


class Line:
    """A worker's queue, and who had a turn, in order. Each turn ends when it is told to."""

    def __init__(self) -> None:
        self.lock, self.served = FairLock(), list[str]()
        self.on = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def wait(self, asker: str, rank: int = 0) -> None:
        """Come, and have a turn."""
        self.tasks.append(asyncio.ensure_future(self._turn(asker, rank)))
        await asyncio.sleep(0)

    async def _turn(self, asker: str, rank: int) -> None:
        async with self.lock.turn(asker, rank):
            self.served.append(asker)
            await self.on.wait()
            self.on.clear()

    async def go_on(self, turns: int) -> None:
        """Let so many turns end."""
        for _ in range(turns):
            self.on.set()
            while self.on.is_set():
                await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def end(self) -> None:
        """Let all turns end."""
        while not all(task.done() for task in self.tasks):
            self.on.set()
            await asyncio.sleep(0)


def before(served: Sequence[str], asker: str, since: int) -> Counter[str]:
    """The turns of others between ``since`` and an asker's next."""
    return Counter(served[since : served.index(asker, since)])


@pytest.mark.parametrize("seed", range(20))
async def test_nobody_waits_for_more_than_about_one_turn_of_each_other_asker(seed: int) -> None:
    """Askers come with any number of questions at any time; Ann asks again as soon as she has had her turn."""
    lots = Random(seed)
    line, most = Line(), 0
    for _ in range(40):
        for _ in range(lots.randrange(12)):
            await line.wait(f"asker {lots.randrange(8)}")
        since = len(line.served)
        await line.wait("Ann")
        while "Ann" not in line.served[since:]:
            await line.go_on(1)
            if lots.random() < 0.5:
                await line.wait(f"asker {lots.randrange(8)}")
        most = max(most, *before(line.served, "Ann", since).values(), 0)
    await line.end()
    assert most <= 2, "one of the round under way, one of her own"


@pytest.mark.parametrize("at_once", [1, 2, 5])
async def test_a_second_question_has_its_turn_however_many_new_addresses_keep_coming(at_once: int) -> None:
    """Ann asks twice at once; with each turn so many addresses come that were never there."""
    line = Line()
    for number in range(10):
        await line.wait(f"early {number}")
    for _ in range(2):
        await line.wait("Ann")
    for number in range(300):
        for each in range(at_once):
            await line.wait(f"new {number} {each}")
        await line.go_on(1)
        if line.served.count("Ann") == 2:
            break
    found = len(line.served)
    await line.end()
    assert found <= 100, "97 with five in each turn, never without an end"


async def test_waiters_that_were_cancelled_neither_count_nor_stay() -> None:
    line = Line()
    for asker in ("first", "Ann", "Bob"):
        await line.wait(asker)
    for number in range(1000):
        await line.wait(f"gone {number % 7}")
        line.tasks.pop().cancel()
        await asyncio.sleep(0)
        assert line.lock.waiting == 2
        assert len(line.lock._waiting) <= 2 * line.lock.waiting + 1
    await line.end()
    assert line.served == ["first", "Ann", "Bob"]
    assert not line.lock.waiting


async def test_of_one_asker_the_questions_come_in_their_order_and_ranks_come_first() -> None:
    line = Line()
    await line.wait("first")
    for number in range(3):
        await line.wait("Ann", rank=3 - number)
    await line.end()
    lock, order = FairLock(), list[int]()

    async def turn(number: int) -> None:
        async with lock.turn("Ann"):
            await asyncio.sleep(0)
            order.append(number)

    await asyncio.gather(*map(turn, range(5)))
    assert order == [0, 1, 2, 3, 4]
    assert line.served == ["first", "Ann", "Ann", "Ann"]


async def test_what_is_kept_of_askers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_lock, "MOST_KNOWN", 10)
    lock = FairLock()
    for number in range(100):
        with suppress(ValueError):
            async with lock.turn(f"asker {number}"):
                raise ValueError
    assert not lock.waiting
    assert len(lock._rounds) == 10


async def test_a_quiet_tables_bot_waits_for_no_more_than_two_of_an_address_with_28_tables() -> None:
    """Each of the 28 asks again as soon as it has had its turn; the quiet table's turn has three decisions."""
    queue, served, ends = WorkerQueue(), list[str](), asyncio.Event()

    async def decide(asker: str, name: str) -> None:
        async with queue.turn(asker, first=True):
            served.append(name)
            await asyncio.sleep(0)

    async def busy(number: int) -> None:
        while not ends.is_set():
            await decide("203.0.113.9", f"table {number}")

    tables = [asyncio.ensure_future(busy(number)) for number in range(28)]
    while len(served) < 100:
        await asyncio.sleep(0)
    waited = []
    for _ in range(3):
        since = len(served)
        await decide("192.0.2.7", "quiet")
        waited.append(served.index("quiet", since) - since)
    ends.set()
    await asyncio.gather(*tables)
    assert max(waited) <= 2
