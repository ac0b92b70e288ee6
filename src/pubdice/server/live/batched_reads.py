"""Reads on in the logs of many tables by one query: what is asked for while one is under way is in the next.

A query takes about a millisecond of a process's time, however many tables it is about; at a thousand moves a second
of other processes, one for each would be all that a process does.
"""

import asyncio
from collections.abc import Sequence

from pubdice.server.live.loading import LINES_AT_ONCE
from pubdice.server.live.reads import Reads
from pubdice.store.house_store import HouseStore

GATHER_S = 0.002
"""How long the first that asks waits for others: less than anybody notices."""
MOST_TABLES = 100
"""Of so many tables one query reads; the others are in the next."""


class BatchedReads:
    """The ends of logs, as hubs read them. Lives in one event loop."""

    def __init__(self, store: HouseStore, read: Reads) -> None:
        self._store, self._read = store, read
        self._asked: list[tuple[int, int, asyncio.Future[list[str] | Exception]]] = []
        self._reading: asyncio.Task[None] | None = None

    async def part(self, table: int, start: int) -> list[str]:
        """``LINES_AT_ONCE`` lines from a number on, fewer only at the end. Raises NotStored."""
        loop = asyncio.get_running_loop()
        found: asyncio.Future[list[str] | Exception] = loop.create_future()
        self._asked.append((table, start, found))
        if self._reading is None:
            self._reading = loop.create_task(self._answer_all())
        lines = await found
        if isinstance(lines, Exception):
            raise lines
        return lines

    async def _answer_all(self) -> None:
        """Answer all that is asked for, until nothing is."""
        while self._asked:
            await asyncio.sleep(GATHER_S)
            asked, self._asked = self._asked[:MOST_TABLES], self._asked[MOST_TABLES:]
            for (_, _, found), lines in zip(asked, await self._parts(asked), strict=True):
                if not found.done():  # else who asked was cancelled
                    found.set_result(lines)
        self._reading = None

    async def _parts(self, asked: Sequence[tuple[int, int, object]]) -> Sequence[list[str] | Exception]:
        try:
            return await self._read(self._store.parts, [(table, start) for table, start, _ in asked], LINES_AT_ONCE)
        except Exception as error:  # noqa: BLE001 - whatever it is, all who asked are told
            return [error] * len(asked)
