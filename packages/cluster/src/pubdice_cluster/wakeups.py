"""Hints between the processes of a house: each says that a table's log has grown.

The hints use PostgreSQL's LISTEN and NOTIFY on separate connections. A NOTIFY within the transaction of an append would
take a lock that all commits share, and would hold it while a standby answers. A hint may be lost, late, doubled or
wrong. That does no harm, because only the log counts, and each process looks at it every ``LOOK_EVERY_S``
(``replication``).
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

import psycopg

from pubdice_cluster.primary import Primary

Heard = Callable[[int, int, int], object]
"""A function that is called with a table's number, the length of its log, and the node that wrote the last line."""
Called = Callable[[int, int, int], object]
"""A function that is called for a reaction, with a table's number, a seat and a phrase. A reaction is stored
nowhere."""
CHANNEL = "pubdice_grown"
MOST_WAITING = 10_000
"""The most tables that can have a hint waiting. Hints for further tables are dropped."""
MOST_AT_ONCE = 100
"""The most hints, and the most reactions, in one message. Each takes up to 32 bytes, and a message has at most
8,000."""
MOST_CALLS = 1_000
"""The most reactions that wait to be sent. Further reactions are dropped."""
AGAIN_S = 1.0
"""The time in seconds before a broken connection is made again."""


class PostgresWakeups:
    """Hints that are sent through the database. ``node`` is the number of this sender. Its own hints come back to it,
    and are ignored.
    """

    def __init__(self, primary: Primary, node: int) -> None:
        self._primary, self._node = primary, node
        self._grown: dict[int, int] = {}
        self._calls: list[tuple[int, int, int]] = []
        self._more = asyncio.Event()

    def tell(self, table: int, length: int) -> None:
        """Queue a hint with the new length of a log. All hints of one turn of the event loop go in one message."""
        if table in self._grown or len(self._grown) < MOST_WAITING:
            self._grown[table] = max(length, self._grown.get(table, 0))
            self._more.set()

    def call(self, table: int, seat: int, phrase: int) -> None:
        """Queue a reaction for the other processes."""
        if len(self._calls) < MOST_CALLS:
            self._calls.append((table, seat, phrase))
            self._more.set()

    async def run(self, heard: Heard, called: Called) -> None:
        """Send queued hints, and pass the hints and reactions of other processes to ``heard`` and ``called``. Runs
        until cancelled, and connects again after failures.
        """
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._send())
            tasks.create_task(self._listen(heard, called))

    async def _send(self) -> None:
        while True:
            with suppress(psycopg.Error, OSError):
                async with await self._primary.connect_async() as db:
                    while True:
                        await self._more.wait()
                        some = list(self._grown.items())[:MOST_AT_ONCE]
                        for table, _ in some:
                            del self._grown[table]
                        calls, self._calls = self._calls[:MOST_AT_ONCE], self._calls[MOST_AT_ONCE:]
                        if not self._grown and not self._calls:
                            self._more.clear()
                        await db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, write_hints(self._node, some, calls)))
            await asyncio.sleep(AGAIN_S)

    async def _listen(self, heard: Heard, called: Called) -> None:
        while True:
            with suppress(psycopg.Error, OSError):
                async with await self._primary.connect_async() as db:
                    await db.execute(f"LISTEN {CHANNEL}")
                    async for note in db.notifies():
                        node, grown, calls = read_hints(note.payload)
                        if node != self._node:
                            for table, length in grown:
                                heard(table, length, node)
                            for call in calls:
                                called(*call)
            await asyncio.sleep(AGAIN_S)


def write_hints(node: int, grown: Sequence[tuple[int, int]], calls: Sequence[tuple[int, int, int]] = ()) -> str:
    """Return the hints and reactions of a node as a payload of NOTIFY.

    >>> write_hints(2, [(17, 4), (3, 120)], [(17, 0, 5)])
    '2 17:4 3:120 17:0:5'
    """
    return " ".join([str(node), *(":".join(map(str, each)) for each in (*grown, *calls))])


def read_hints(payload: str) -> tuple[int, list[tuple[int, int]], list[tuple[int, int, int]]]:
    """Return the node of a payload, its hints and its reactions. Any other text is ignored, since any user of the
    database may send it.

    >>> read_hints("2 17:4 3:x 3:120 : 17:0:5"), read_hints("")
    ((2, [(17, 4), (3, 120)], [(17, 0, 5)]), (0, [], []))
    """
    first, *parts = payload.split(" ")
    read = [tuple(map(int, numbers)) for part in parts if all(map(_is_number, numbers := part.split(":")))]
    grown = [(each[0], each[1]) for each in read if len(each) == 2]
    calls = [(each[0], each[1], each[2]) for each in read if len(each) == 3]
    return int(first) if _is_number(first) else 0, grown, calls


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
