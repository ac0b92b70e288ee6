"""Batched reads of the newest lines of many tables' logs.

A query takes about a millisecond of processor time, for any number of tables. The other processes of a house may make a
thousand moves a second, so one query for each move would take all of this process's time.
"""

import asyncio
from collections.abc import Sequence

from pubdice.server.replay import LINES_AT_ONCE
from pubdice.server.table.commit import Reads
from pubdice_cluster.reader import PostgresReader

GATHER_S = 0.002
"""The time in seconds that the first read waits, so later reads can join its query. It is too short to notice."""
MOST_TABLES = 100
"""The most tables in one query. Reads of further tables wait for the next query."""


class BatchedReads:
    """Reads of the newest lines of logs, for all tables of one event loop."""

    def __init__(self, store: PostgresReader, read: Reads) -> None:
        self._store, self._read = store, read
        self._asked: list[tuple[int, int, asyncio.Future[list[str] | Exception]]] = []
        self._reading: asyncio.Task[None] | None = None

    async def part(self, table: int, start: int) -> list[str]:
        """Return up to ``LINES_AT_ONCE`` lines of a table's log, from line number ``start`` on. If there are fewer
        lines, the log ends there. Raises NotStored.
        """
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
            # Moves of other processes come in bursts. At 1,000 moves a second, this pause lets one query serve two or
            # more reads. A read without company comes 2 ms later.
            await asyncio.sleep(GATHER_S)
            asked, self._asked = self._asked[:MOST_TABLES], self._asked[MOST_TABLES:]
            for (_, _, found), lines in zip(asked, await self._parts(asked), strict=True):
                if not found.done():  # if it is done, the task that waited was cancelled
                    found.set_result(lines)
        # There is no await between the loop's last check of ``_asked`` and this line. So no read can be added in
        # between and then wait forever.
        self._reading = None

    async def _parts(self, asked: Sequence[tuple[int, int, object]]) -> Sequence[list[str] | Exception]:
        try:
            return await self._read(self._store.parts, [(table, start) for table, start, _ in asked], LINES_AT_ONCE)
        except Exception as error:  # noqa: BLE001 - whatever it is, all who asked are told
            return [error] * len(asked)
