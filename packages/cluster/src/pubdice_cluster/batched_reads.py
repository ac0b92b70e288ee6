"""Batched reads of the ends of many logs. A query takes about a millisecond of processor time, for any number of
tables. Other processes may make a thousand moves a second. One query for each would take all of this process's time.
"""

import asyncio
from collections.abc import Sequence

from pubdice.server.replay import LINES_AT_ONCE
from pubdice.server.table.commit import Reads
from pubdice_cluster.reader import PostgresReader

GATHER_S = 0.002
"""Seconds that the first reader waits for others, too short to notice."""
MOST_TABLES = 100
"""Most tables in one query. The others are in the next."""


class BatchedReads:
    """Reads of the ends of logs for the actors of one event loop."""

    def __init__(self, store: PostgresReader, read: Reads) -> None:
        self._store, self._read = store, read
        self._asked: list[tuple[int, int, asyncio.Future[list[str] | Exception]]] = []
        self._reading: asyncio.Task[None] | None = None

    async def part(self, table: int, start: int) -> list[str]:
        """Up to ``LINES_AT_ONCE`` lines from a number on. Fewer lines mean the end of the log. Raises NotStored."""
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
        while self._asked:
            # Moves of other processes come in bursts. At 1,000 a second one query serves two or more of them. A single
            # read waits 2 ms longer.
            await asyncio.sleep(GATHER_S)
            asked, self._asked = self._asked[:MOST_TABLES], self._asked[MOST_TABLES:]
            for (_, _, found), lines in zip(asked, await self._parts(asked), strict=True):
                if not found.done():  # otherwise the reader was cancelled
                    found.set_result(lines)
        # There is no await between the last check of the list and this line, so no reader can be added and then wait
        # forever.
        self._reading = None

    async def _parts(self, asked: Sequence[tuple[int, int, object]]) -> Sequence[list[str] | Exception]:
        try:
            return await self._read(self._store.parts, [(table, start) for table, start, _ in asked], LINES_AT_ONCE)
        except Exception as error:  # noqa: BLE001 - whatever it is, all who asked are told
            return [error] * len(asked)
