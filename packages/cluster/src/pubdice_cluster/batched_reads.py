"""The ends of many logs, read together.

A query takes about a millisecond of a process's time, however many tables it is about. At a thousand moves a second of
other processes, one for each would be all that a process does.
"""

import asyncio
from collections.abc import Sequence

from pubdice.server.replay import LINES_AT_ONCE
from pubdice.server.table.commit import Reads
from pubdice_cluster.reader import PostgresReader

GATHER_S = 0.002
"""The time that the first reader waits for others: less than anybody notices."""
MOST_TABLES = 100
"""The most tables that one query reads; the others are in the next."""


class BatchedReads:
    """The ends of logs, as actors read them. Lives in one event loop."""

    def __init__(self, store: PostgresReader, read: Reads) -> None:
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
            # Moves of other processes come in bursts: at 1,000 a second one query serves two or more of them, and one
            # alone waits 2 ms.
            await asyncio.sleep(GATHER_S)
            asked, self._asked = self._asked[:MOST_TABLES], self._asked[MOST_TABLES:]
            for (_, _, found), lines in zip(asked, await self._parts(asked), strict=True):
                if not found.done():  # else who asked was cancelled
                    found.set_result(lines)
        # No await between the last look at the list and this line, so no reader can slip in and wait for good.
        self._reading = None

    async def _parts(self, asked: Sequence[tuple[int, int, object]]) -> Sequence[list[str] | Exception]:
        try:
            return await self._read(self._store.parts, [(table, start) for table, start, _ in asked], LINES_AT_ONCE)
        except Exception as error:  # noqa: BLE001 - whatever it is, all who asked are told
            return [error] * len(asked)
