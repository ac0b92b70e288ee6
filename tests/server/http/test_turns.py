"""Turns by address, without a clock: the order of requests, their debts, and the most that may wait."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest

from pubdice.server.fair_lock import FairLock
from pubdice.server.replay import FairSlices
from pubdice.server.shared_lock import SharedLock
from pubdice.server.web import guard, turns
from pubdice.server.web.guard import Guard, WholeResponse
from pubdice.server.web.limits import Limits, Rate
from pubdice.server.web.trusted_hosts import client_address
from pubdice.server.web.turns import MOST_WAITING, MOVES_FIRST, Turns
from server.guarded_app import HOST, Heard
from support.house import ANY

PAGE_S = 0.01
"""The time of a page, by the test's own clock."""


class Lanes:
    """Turns under a clock that only pages move, and the order in which they came."""

    def __init__(self, work: Rate | None = None) -> None:
        self.now = self.spent = 0.0
        self.served: list[str] = []
        self.still = False
        self.turns = Turns(Limits(work=work or ANY), lambda: self.spent, lambda: self.now)

    async def page(self, lane: str, parts: int = 1) -> None:
        for part in range(parts):
            if part:
                await asyncio.sleep(0)
            self.served.append(lane)
            self.now += 0 if self.still else PAGE_S
            self.spent += PAGE_S

    def ask(self, lane: str, number: int = 1, parts: int = 1) -> "list[asyncio.Task[None]]":
        return [asyncio.ensure_future(self._taken(lane, self.page(lane, parts))) for _ in range(number)]

    async def _taken(self, lane: str, work: Coroutine[Any, Any, None]) -> None:
        await self.turns.take(lane, work)

    @property
    def is_empty(self) -> bool:
        return self.turns._free and not self.turns._waiting and not self.turns._order


async def settled() -> None:
    """Let the loop turn a few times."""
    for _ in range(6):
        await asyncio.sleep(0)


async def test_a_page_waits_for_one_page_of_each_other_address() -> None:
    lanes = Lanes()
    tasks = lanes.ask("ann", 100)
    await settled()
    before = len(lanes.served)
    tasks += lanes.ask("bob") + lanes.ask("cid", 50)
    await asyncio.wait(tasks)
    after = lanes.served[before:]
    assert before < 10
    assert after.index("bob") <= 2
    assert after[:90].count("cid") >= 40, "two that ask for many have the same share"
    assert lanes.is_empty


async def test_the_loop_looks_at_its_connections_between_any_two_steps() -> None:
    lanes, looks, at = Lanes(), 0, []

    def look() -> None:
        nonlocal looks
        looks += 1
        loop.call_soon(look)

    async def step() -> None:
        at.append(looks)

    loop = asyncio.get_running_loop()
    loop.call_soon(look)
    names = ["ann"] * 30 + [f"guest {number}" for number in range(30)]
    await asyncio.gather(*(lanes._taken(name, step()) for name in names))
    assert all(later > earlier + 1 for earlier, later in pairwise(at))


async def test_a_page_that_waits_gives_its_turn_to_others() -> None:
    lanes = Lanes()
    tasks = lanes.ask("ann", 1, parts=4) + lanes.ask("bob", 4)
    await asyncio.wait(tasks)
    assert lanes.served[:6] == ["ann", "bob"] * 3


async def test_no_page_begins_during_a_move_unless_the_move_hangs() -> None:
    lanes = Lanes()
    tasks = lanes.ask("ann", 5)
    while not lanes.served:
        await asyncio.sleep(0)
    lanes.turns.moves += 1
    await settled()
    assert len(lanes.served) == 1
    lanes.turns.move_ends()
    while len(lanes.served) < 2:  # no timer has to come: the clock stands still
        await asyncio.sleep(0)
    lanes.turns.moves += 1
    await settled()
    assert len(lanes.served) == 2
    lanes.now += MOVES_FIRST * PAGE_S  # it hangs: pages go on
    while len(lanes.served) < 3:
        await asyncio.sleep(0.001)
    lanes.turns.move_ends()
    await asyncio.wait(tasks)
    assert lanes.is_empty


async def test_an_address_that_owes_work_waits_and_nobody_else_does() -> None:
    lanes = Lanes(Rate(500, round(3000 * PAGE_S)))
    lanes.still = True
    tasks = lanes.ask("ann", 6)
    while len(lanes.served) < 4:  # the fourth is begun with what is left
        await asyncio.sleep(0)
    await settled()
    tasks += lanes.ask("bob", 3)
    while lanes.served.count("bob") < 3:
        await asyncio.sleep(0)
    assert lanes.served == ["ann"] * 4 + ["bob"] * 3
    assert not lanes.is_empty
    while not all(task.done() for task in tasks):
        lanes.now += PAGE_S / 4
        await asyncio.sleep(0.001)
    assert lanes.served.count("ann") == 6
    assert lanes.is_empty


async def test_a_request_that_is_given_up_takes_no_turn_from_others() -> None:
    lanes, ended = Lanes(), []

    async def waits() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("waits")
            raise

    begun = asyncio.ensure_future(lanes._taken("ann", waits()))
    await settled()
    tasks = lanes.ask("ann", 20)
    await settled()
    for task in (begun, *tasks[5:15]):
        task.cancel()
    await asyncio.wait([begun, *tasks])
    assert ended == ["waits"]
    assert sum(task.cancelled() for task in tasks) == 10
    assert len(lanes.served) == 10
    assert lanes.is_empty


def locked() -> Callable[[str], AbstractAsyncContextManager[None]]:
    lock = SharedLock()
    return lambda lane: lock


def shared_out() -> Callable[[str], AbstractAsyncContextManager[None]]:
    return FairLock().turn


def sliced() -> Callable[[str], AbstractAsyncContextManager[None]]:
    slices = FairSlices()

    @asynccontextmanager
    async def one(lane: str) -> AsyncIterator[None]:
        await slices.breathe()
        yield

    return one


@pytest.mark.parametrize("kind", [locked, shared_out, sliced])
async def test_an_address_that_owes_work_holds_no_lock(
    kind: Callable[[], Callable[[str], AbstractAsyncContextManager[None]]],
) -> None:
    lanes, hold, freed = Lanes(Rate(500, round(3000 * PAGE_S))), kind(), list[str]()
    lanes.still = True

    async def work(lane: str) -> None:
        await lanes.page(lane)
        async with hold(lane):
            await lanes.page(lane, parts=3)
        freed.append(lane)

    tasks = [asyncio.ensure_future(lanes._taken("ann", work("ann"))) for _ in range(4)]
    await settled()
    tasks.append(asyncio.ensure_future(lanes._taken("bob", work("bob"))))
    try:
        async with asyncio.timeout(5):
            while "bob" not in freed:  # the clock stands still, so no debt is ever paid
                await asyncio.sleep(0.001)
    finally:
        lanes.now += 60
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def test_a_fault_goes_to_the_request_whose_it_is() -> None:
    lanes = Lanes()

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("its own")

    with pytest.raises(ValueError, match="its own"):
        await lanes._taken("ann", fails())
    await asyncio.wait(lanes.ask("ann", 3))
    assert lanes.served == ["ann"] * 3


def asked(path: str, method: str = "GET", peer: str = "192.0.2.7") -> dict[str, Any]:
    return {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "scheme": "http",
        "headers": [HOST],
        "client": (peer, 1),
    }


class Door:
    """A guard with turns, before an app that notes what it is asked."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.lanes = Lanes()
        self.guard = Guard(self._app, names=["pub.example"], turns=self.lanes.turns)

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        self.order.append(f"{scope['method']} {client_address(scope)}")
        self.lanes.now += PAGE_S
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    def ask(self, *asking: Any, parts: Sequence[bytes] = (), **fields: Any) -> "asyncio.Task[Heard]":
        """parts: the body's, one after the other behind the head. Without parts it announces no body."""
        return asyncio.ensure_future(self._asked(asked(*asking, **fields), list(parts)))

    async def _asked(self, scope: dict[str, Any], parts: list[bytes]) -> Heard:
        sent: list[Any] = []
        if parts:
            scope["headers"] = [*scope["headers"], (b"content-length", b"%d" % sum(map(len, parts)))]

        async def give(message: Any) -> None:
            sent.append(message)

        async def take() -> Any:
            await asyncio.sleep(0)
            body = parts.pop(0) if parts else b""
            return {"type": "http.request", "body": body, "more_body": bool(parts)}

        await self.guard(scope, take, give)
        return Heard(sent)


async def test_a_command_waits_for_no_pages_of_its_own_address() -> None:
    door = Door()
    tasks = [door.ask("/") for _ in range(50)]
    await settled()
    tasks += [door.ask("/t/ABCDEF", method="POST") for _ in range(5)]
    await asyncio.wait(tasks)
    last = max(at for at, what in enumerate(door.order) if what.startswith("POST"))
    assert last < 16


async def test_a_body_that_has_come_is_read_without_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for a body ran on while its request waited for a turn: 67 of 150 that were whole at once got a 408."""
    running = 0

    @asynccontextmanager
    async def timeout(seconds: float) -> AsyncIterator[None]:
        nonlocal running
        running += 1
        yield
        running -= 1

    monkeypatch.setattr(asyncio, "timeout", timeout)
    door, unread = Door(), list[int]()
    app = door.guard.app

    async def noted(*asked: Any) -> None:
        unread.append(running)
        await app(*asked)

    door.guard.app = noted

    for task in [door.ask("/t/ABCDEF", method="POST", parts=(b"{", b"}")) for _ in range(50)]:
        assert (await task).status == 200
    assert len(unread) == 50
    assert sum(unread) < 50, "the others' bodies are read before their turn comes"


class Replies:
    """The server's side of moves: its answers."""

    def __init__(self) -> None:
        self.statuses: list[int] = []

    def reply(self, status: int, head: bytes, body: bytes) -> None:
        self.statuses.append(status)


async def test_twenty_players_move_while_a_hundred_pages_wait() -> None:
    door, stored, replies = Door(), list[WholeResponse](), Replies()

    def read(scope: Any, headers: Any, body: bytes, answer: WholeResponse) -> Callable[[], None]:
        return lambda: stored.append(answer)

    door.guard._read_command = read
    tasks = [door.ask("/") for _ in range(100)]
    while len(door.order) < 3:
        await asyncio.sleep(0)
    for _ in range(20):
        assert door.guard.submit(asked("/t/ABCDEF", "POST"), b"{}", replies)
    assert len(stored) == 20, "carried out at once"
    pages = len(door.order)
    await settled()
    assert len(door.order) <= pages + 1, "a page that had its turn already"
    for answer in stored:
        answer.send(200, (), b"")
    assert replies.statuses == [200] * 20
    await asyncio.wait(tasks)
    assert len(door.order) == 100


@pytest.mark.parametrize("path", ["/", "no path at all", "/" + "a" * 9000])
async def test_refused_requests_take_turns_too(path: str) -> None:
    door = Door()
    tasks = [door.ask(path) for _ in range(50)]
    await settled()
    last = door.ask("/", peer="192.0.2.8")
    await asyncio.wait([last])
    assert sum(task.done() for task in tasks) < 10
    await asyncio.wait(tasks)


async def test_an_address_with_too_many_waiting_pages_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "CROWDED_S", 0.5)
    monkeypatch.setattr(turns, "MOST_WAITING", 10)
    door = Door()
    tasks = [door.ask("/") for _ in range(12)]
    await asyncio.sleep(0)  # all have come: one has its turn, ten wait
    await asyncio.sleep(0)
    other = door.ask("/", peer="192.0.2.8")
    assert (await other).status == 200
    heard = [await task for task in tasks]
    assert [each.status for each in heard].count(429) == 1
    refused = next(each for each in heard if each.status == 429)
    assert refused.headers[b"retry-after"] == b"1"
    assert refused.headers[b"connection"] == b"close"
    assert Limits().streams == MOST_WAITING
