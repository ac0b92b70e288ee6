"""Two processes of one house, simulated in one test process. They share a store, a clock that the test sets, and a list
of nodes in memory.

They send beats and look at the logs only when a test tells them to. So a test counts beats instead of seconds.
"""

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pubdice.core.errors import NotStored
from pubdice.server.table.commit import at_once
from pubdice.server.table.house_config import HouseConfig
from pubdice_cluster.nodes import Node
from pubdice_cluster.replication import Cluster, Replication
from pubdice_cluster.shared_house import SharedHouse
from support.house import Pub


class Board:
    """A stand-in for the database's list of nodes, and for the hints between nodes. ``told`` has (sender, table, log
    length) for each hint.
    """

    def __init__(self) -> None:
        self.beats: dict[int, int] = {}
        self.leaving: set[int] = set()
        self.acting: dict[int, tuple[int, ...]] = {}
        self.here: dict[tuple[int, int], str] = {}
        self.wrote: dict[int, int] = {}
        self.told: list[tuple[int, int, int]] = []
        self.hints = True
        self.looked_further: int | None = None
        self.pubs: list[SharedPub] = []


class BoardNodes:
    """The access of one process to the board."""

    def __init__(self, pub: "SharedPub") -> None:
        self._pub, self._board, self.id, self.server = pub, pub.board, pub.number, "here"

    @property
    def has_others(self) -> bool:
        return self._board.looked_further is not None

    def look_further(self) -> None:
        assert self._board.looked_further is not None
        self._board.looked_further += 1

    def beat(self, acting: Sequence[int] | None, *, leaving: bool = False) -> Sequence[Node]:
        board, now = self._board, self._pub.clock.ms
        board.beats[self.id] = now
        if acting is not None:
            board.acting[self.id] = tuple(acting)
        return [
            Node(node, now - at, leaving and node == self.id, board.acting.get(node, ()))
            for node, at in board.beats.items()
        ]

    def leave(self) -> None:
        self._board.beats.pop(self.id, None)

    def now_ms(self) -> int:
        return self._pub.clock.ms

    def heads(self, tables: Sequence[int]) -> Mapping[int, tuple[int, int]]:
        return {table: (self._pub.store.length(table), self._board.wrote.get(table, 0)) for table in tables}

    def codes_of(self, tables: Sequence[int]) -> Sequence[str]:
        return [code for code, table in self._pub.store.codes().items() if table in tables]

    def show(self, people: Mapping[int, str]) -> None:
        for table, text in people.items():
            self._board.here[table, self.id] = text

    def presence_texts(self, tables: Sequence[int]) -> Sequence[tuple[int, int, str]]:
        return [
            (table, node, text)
            for (table, node), text in self._board.here.items()
            if text and table in tables and node != self.id
        ]


class BoardWakeups:
    """The hints from one process to the other processes. They are delivered at once."""

    def __init__(self, pub: "SharedPub") -> None:
        self._pub = pub

    def tell(self, table: int, length: int) -> None:
        board, number = self._pub.board, self._pub.number
        board.told.append((number, table, length))
        board.wrote[table] = number
        for other in board.pubs if board.hints else ():
            if other is not self._pub and other.is_open and not other.is_frozen:
                asyncio.get_running_loop().call_soon(other.follower.heard, table, length, number)

    def call(self, table: int, seat: int, phrase: int) -> None:
        raise AssertionError("nobody reacts here")

    async def run(self, heard: object, called: object) -> None:
        await asyncio.Event().wait()


class BoardReads:
    """Batched reads of the store's logs, without a database."""

    def __init__(self, pub: "SharedPub") -> None:
        self._pub = pub

    def parts(self, wanted: Sequence[tuple[int, int]], most: int) -> Sequence[list[str] | NotStored]:
        def tried(table: int, start: int) -> list[str] | NotStored:
            try:
                return self._pub.store.part(table, start, most)
            except NotStored as refusal:
                return refusal

        return [tried(table, start) for table, start in wanted]


class BoardClock:
    """The clock that the test sets. All processes share it."""

    def __init__(self, pub: "SharedPub") -> None:
        self.now, self.after = pub.clock.now, pub.clock.after

    def follow(self, shared_ms: int, asked_at: int) -> None:
        """Do nothing, since all have the same clock."""


async def _by_hand(_: Replication) -> None:
    """Wait forever. Tests start each beat and look themselves."""
    await asyncio.Event().wait()


class SharedPub(Pub):
    """One process of the house. The first one opens the store, and the others use it too."""

    def __init__(self, path: Path, board: Board) -> None:
        super().__init__(path)
        self.board, self.number = board, 1 + len(board.pubs)
        self.is_frozen = False
        board.pubs.append(self)

    def open_parts(self) -> None:
        first = self.board.pubs[0]
        if self is first:
            super().open_parts()
        else:
            self.clock, self.store, self.players, self.disk = first.clock, first.store, first.players, first.disk

    def close_parts(self) -> None:
        if self is self.board.pubs[0]:
            super().close_parts()

    def made_of(self, config: HouseConfig) -> SharedHouse:
        board: Any = BoardReads(self), BoardNodes(self), BoardWakeups(self), BoardClock(self), at_once
        house = SharedHouse(config, Cluster(*board))
        self.follower = house.replication
        return house

    async def open(self) -> None:
        with patch.object(Replication, "run", _by_hand):
            await super().open()
        self.follower.time_s = lambda: self.clock.ms / 1000

    async def beat(self) -> None:
        """Run one beat and everything that follows from it."""
        await self.follower.beat()
        while self.follower.adopting:
            table, _ = self.follower.adopting.popleft()
            for code in BoardNodes(self).codes_of([table]):
                actor = await self.house.find(code)
                assert actor is not None
                actor.attend()
        await self.settle()

    async def look(self) -> None:
        """Run one look."""
        await self.follower.look()
        await self.calm()

    async def calm(self) -> None:
        """Wait until nothing more happens. This includes reads, which wait 2 ms for others to join them."""
        for _ in range(3):
            await self.settle()
            await asyncio.sleep(0.004)
        await self.settle()


def at_two_houses(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run a test with two open processes of one house, and check both processes at the end."""

    @functools.wraps(test)
    def run(tmp_path: Path) -> None:
        async def evening() -> None:
            board = Board()
            one, two = (SharedPub(tmp_path / "house.db", board) for _ in range(2))
            await one.open()
            await two.open()
            try:
                await test(one, two)
                await one.settle()
            finally:
                for pub in (two, one):
                    await pub.close()
            for pub in (one, two):
                pub.sound()

        asyncio.run(evening())

    place = inspect.Parameter("tmp_path", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature: Any = inspect.Signature([place])
    setattr(run, "__signature__", signature)  # noqa: B010
    return run
