"""Shared by all processes of a cluster through its database: the opened seals, hints of news, and the house's secret.

An older copy of the database holds fewer opened seals, so keep the table as it is when you put one back: save it before
by ``pg_dump --data-only --table=opened_seals``, and add its rows after.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial

import psycopg

from pubdice.core.errors import NotStored
from pubdice.core.seal import Seal
from pubdice.store.disk import SIZE
from pubdice.store.house_store import Called, Heard
from pubdice.store.writer import OpenTransaction
from pubdice_cluster.primary import Primary
from pubdice_cluster.schema import connect, migrate, without_password
from pubdice_cluster.store import PostgresStore

# Hints by PostgreSQL's LISTEN and NOTIFY, on connections of their own: a NOTIFY within the transaction of an append
# would take a lock that all commits share, and hold it while a standby answers.


CHANNEL = "pubdice_grown"
MOST_WAITING = 10_000
"""Tables of which a hint waits; hints about more are left out."""
MOST_AT_ONCE = 100
"""Hints in one message, and reactions: a payload may have 8,000 bytes, and one of either takes up to 32."""
MOST_CALLS = 1_000
"""Reactions that wait; further ones are lost."""
AGAIN_S = 1.0
"""Before a broken connection is made again."""


class PostgresWakeups:
    """Carries hints through the database itself. node: the sender's; one's own hints come back, and are ignored."""

    def __init__(self, primary: Primary, node: int) -> None:
        self._primary, self._node = primary, node
        self._grown: dict[int, int] = {}
        self._calls: list[tuple[int, int, int]] = []
        self._more = asyncio.Event()

    def tell(self, table: int, length: int) -> None:
        """Let others know how long a log is now, together with all that is told in this turn of the loop."""
        if table in self._grown or len(self._grown) < MOST_WAITING:
            self._grown[table] = max(length, self._grown.get(table, 0))
            self._more.set()

    def call(self, table: int, seat: int, phrase: int) -> None:
        """Let others know of a reaction."""
        if len(self._calls) < MOST_CALLS:
            self._calls.append((table, seat, phrase))
            self._more.set()

    async def run(self, heard: Heard, called: Called) -> None:
        """Send what is told, and call these two for what others tell, until cancelled; connect again after failures."""
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
    """A node's hints and reactions as a payload.

    >>> write_hints(2, [(17, 4), (3, 120)], [(17, 0, 5)])
    '2 17:4 3:120 17:0:5'
    """
    return " ".join([str(node), *(":".join(map(str, each)) for each in (*grown, *calls))])


def read_hints(payload: str) -> tuple[int, list[tuple[int, int]], list[tuple[int, int, int]]]:
    """The node, its hints and reactions; anything else is left out, as anybody in the database may send something.

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


# A secret that all houses of a cluster share, in their database: 32 random bytes.


KEY_OF_SEALS = "seals"


def read_secret(address: str, source: Callable[[int], bytes], name: str = KEY_OF_SEALS) -> bytes:
    """The secret of a name; if there is none, the first of several houses makes it. source: returns that many random
    bytes.

    ``pg_dump --exclude-table-data=secrets`` leaves it out of a dump, ``pg_dump --data-only --table=secrets`` saves it
    alone, and a copy of the server's files holds it. After a restore without it, the next house makes another, and
    sealed matches that were under way are void. Raises NotStored("secret-file"), and as ``migrate`` does.
    """
    migrate(address)
    try:
        with closing(connect(address)) as db:
            db.execute("INSERT INTO secrets (name, value) VALUES (%s, %s) ON CONFLICT DO NOTHING", (name, source(SIZE)))
            secret = bytes(db.execute("SELECT value FROM secrets WHERE name = %s", (name,)).fetchall()[0][0])
    except psycopg.Error as error:
        reason = str(error).strip().partition("\n")[0]
        raise NotStored("secret-file", file=without_password(address), reason=reason) from None
    if len(secret) != SIZE:
        raise NotStored("secret-file", file=without_password(address), reason="")
    return secret


NEWS = (
    "SELECT NULL, pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
    " UNION ALL SELECT chain, max(number) FROM opened_seals WHERE noted >= ? GROUP BY chain"
)
"""The oldest transaction under way, as the number of no chain; and what was noted from such a transaction on.

Times and numbers of rows would miss some: of two transactions the one that begins first may end last.
"""
NOTE = (
    "INSERT INTO opened_seals (chain, number) SELECT ?, ? WHERE NOT EXISTS"
    " (SELECT 1 FROM opened_seals WHERE chain = ? AND number >= ?)"
)


class OpenedSealsTables:
    """The opened seals of a cluster. Of each chain the last one counts, as earlier seeds follow from it.

    All are in memory. The event loop asks and notes; ``refresh`` may run in a thread. NotStored("store-unreadable").
    """

    def __init__(self, store: PostgresStore) -> None:
        self._store, self._changing = store, threading.Lock()
        self._last: dict[str, int] = {}
        self._unwritten: dict[str, int] = {}
        self._from = 0
        self.refresh()

    def is_opened(self, seal: Seal) -> bool:
        """True if this seal, or a later one of its chain, was opened; by another house, as far as that is known."""
        return seal.number <= self._last.get(seal.chain, 0)

    def note(self, seal: Seal) -> None:
        """Note it, once, and have it written soon. A note that cannot be written waits for the next ``refresh``."""
        with self._changing:
            if self.is_opened(seal):
                return
            self._last[seal.chain] = seal.number
        self._write(seal.chain, seal.number)

    def refresh(self) -> None:
        """Read what other houses have noted since the last time. NotStored("store-unreadable")."""
        found = dict(self._store.rows(NEWS, (self._from,)))
        if found[None] < self._from:  # an older copy of the database was put back
            found = dict(self._store.rows(NEWS, (0,)))
        self._from = found.pop(None)
        with self._changing:
            for chain, number in found.items():
                self._last[chain] = max(number, self._last.get(chain, 0))
            unwritten, self._unwritten = self._unwritten, {}
        for chain, number in unwritten.items():
            self._write(chain, number)

    def _write(self, chain: str, number: int) -> None:
        def note(work: OpenTransaction) -> None:
            work.execute(NOTE, (chain, number, chain, number))

        self._store.submit_task(note, partial(self._written, chain, number))

    def _written(self, chain: str, number: int, outcome: object) -> None:
        with self._changing:
            if isinstance(outcome, NotStored):
                self._unwritten[chain] = max(number, self._unwritten.get(chain, 0))
