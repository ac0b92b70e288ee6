"""The other processes of a house, as one of them knows them: who lives, and who keeps which table's timers.

The node that wrote a table's last line leads that table: it acts when something is due. The others wait, and step in
if it does nothing, so that a table goes on wherever its people are. That only saves work: if several act at once, the
log takes the first. Knows no database.
"""

import asyncio
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from pubdice.server.replay import LINES_AT_ONCE
from pubdice.server.table.commit import Reads
from pubdice.store.cluster import Node
from pubdice.store.house_store import HouseStore

GONE_MS = 1_200
"""A node without a beat for so long is gone; nodes beat every 0.4 s (``following.BEAT_EVERY_S``). One that is taken for
gone and is only late costs work: others load its tables. Nothing is done twice.
"""
ADOPTED_MS = 60_000
"""The tables of a node without a beat for so long have been taken over, by those who have met it."""
STEP_IN_MS = 6_000
"""The others act so long after what was due, where the leading node lives but has not acted."""
APART_MS = 200
"""Between two nodes that step in where the leading one is gone."""


class Neighbours:
    """The nodes of a house as they were at the last look. me: this process's number; 0 if it serves the house alone."""

    def __init__(self, me: int = 0) -> None:
        self.me = me
        self.living: frozenset[int] = frozenset([me])
        self._left: dict[int, frozenset[int]] = {}
        self._met: frozenset[int] = frozenset()

    @property
    def alone(self) -> bool:
        """Whether this house is one process, over a file."""
        return self.me == 0

    def look(self, nodes: Sequence[Node], *, steady: bool = True) -> bool:
        """Take in the list of nodes; whether others live now than before.

        steady: this node has beaten regularly for ``GONE_MS``. Else the database may have been away for all of them, so
        nobody is taken for gone but those who leave.
        """
        before = self.living
        fresh = frozenset([self.me, *(node.id for node in nodes if node.age_ms < GONE_MS and not node.leaving)])
        leaving = frozenset([node.id for node in nodes if node.leaving])
        self._met = (self._met | fresh) & frozenset([node.id for node in nodes])
        self.living = fresh if steady else (fresh | before) - leaving
        return self.living != before

    def left_behind(self, nodes: Sequence[Node]) -> list[tuple[int, int]]:
        """Tables whose timers nobody keeps, as their node has gone or leaves, and that this node is the first to take.

        Each is named once, with its node.
        """
        known = {node.id: node for node in nodes if node.id not in self.living}
        self._left = {node: told for node, told in self._left.items() if node in known}
        found = []
        for number, node in known.items():
            if node.age_ms > ADOPTED_MS and number not in self._met:
                continue
            told = self._left.get(number, frozenset())
            mine = [table for table in node.acting if table not in told and self.rank(table) == 0]
            self._left[number] = told | frozenset(mine)
            found += [(table, number) for table in mine]
        return found

    def rank(self, table: int) -> int:
        """The place of this node in the order in which living nodes step in at a table (rendezvous hashing)."""
        mine = _weight(table, self.me)
        return sum(_weight(table, node) > mine for node in self.living if node != self.me)

    def wait_ms(self, table: int, leader: int) -> int:
        """How long after something was due this node acts, where ``leader`` wrote the table's last line."""
        if leader == self.me:
            return 0
        return STEP_IN_MS if leader in self.living else APART_MS * self.rank(table)


def _weight(table: int, node: int) -> bytes:
    return blake2b(b"%d %d" % (table, node), digest_size=8).digest()


def changed(told: Mapping[int, str], now: Mapping[int, str]) -> dict[int, str]:
    """What has changed since it was told, by table; "" for what no longer holds.

    >>> changed({1: "a", 2: "b", 3: "c"}, {1: "a", 2: "x"})
    {2: 'x', 3: ''}
    """
    news = {table: text for table, text in now.items() if told.get(table, "") != text}
    return news | {table: "" for table, text in told.items() if text and table not in now}


# Reads on in the logs of many tables by one query: what is asked for while one is under way is in the next.
#
# A query takes about a millisecond of a process's time, however many tables it is about; at a thousand moves a second
# of other processes, one for each would be all that a process does.


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
