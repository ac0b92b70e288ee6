"""Reads of a house's database from any thread, through a small pool of connections."""

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
from psycopg.errors import ReadOnlySqlTransaction
from psycopg_pool import ConnectionPool, PoolClosed

from pubdice.core.errors import NotStored
from pubdice.store.deadline import Deadline
from pubdice.store.house_store import MOST_BYTES, HouseReads, LogQueries, joined
from pubdice_cluster.connecting import not_stored, settings
from pubdice_cluster.primary import Primary
from pubdice_cluster.transactions import marked

# While a database is away, the pool would log each attempt to connect. The house logs the outage once.
logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)

MOST_READING = 4
"""The most connections that read at the same time."""
WITHIN_S = 3.0
"""The time in seconds that a read keeps trying before it reports that the database cannot be read."""
RECONNECT_S = 1.0
"""The time in seconds that the pool keeps trying to connect. The next read makes it try again."""
CLOSE_WITHIN_S = 5.0
"""The time in seconds that ``close`` waits for the pool's threads."""
LOG = LogQueries(
    "SELECT seq, CASE WHEN length(lines) <= %(most)s THEN lines END FROM log "
    "WHERE table_id = %(table)s AND seq > %(start)s AND seq <= coalesce("
    "(SELECT min(seq) FROM log WHERE table_id = %(table)s AND seq >= %(end)s), %(end)s) ORDER BY seq",
    "SELECT max(seq) FROM log WHERE table_id = %(table)s",
    "SELECT answer, body FROM log WHERE table_id = %(table)s AND key = %(key)s",
    "SELECT key, body, answer FROM log WHERE table_id = %(table)s AND key IS NOT NULL ORDER BY key",
)

PARTS = (
    "SELECT number, seq, lines FROM unnest(%(tables)s::int8[], %(starts)s::int4[]) "
    "WITH ORDINALITY AS wanted (id, start, number) CROSS JOIN LATERAL ("
    "SELECT seq, CASE WHEN length(lines) <= %(most)s THEN lines END AS lines FROM log "
    "WHERE table_id = wanted.id AND seq > wanted.start AND seq <= coalesce("
    "(SELECT min(seq) FROM log WHERE table_id = wanted.id AND seq >= wanted.start + %(lines)s), "
    "wanted.start + %(lines)s)) AS appends ORDER BY number, seq"
)
"""A query like ``LogQueries.part``, for several tables. Each row begins with the table's position in the request,
counted from 1."""


class PostgresReader(HouseReads):
    """Reads of committed data, from any thread. Raises NotStored("store-unreadable")."""

    _log = LOG

    def __init__(
        self,
        address: str,
        most: int = MOST_READING,
        ending: Deadline | None = None,
        *,
        primary: Primary | None = None,
    ) -> None:
        """Open a pool of at most ``most`` connections. ``ending`` is the deadline of the process. A process that serves
        the house gives its ``primary``, and reads only from that server. If ``primary`` is None, any server in the
        address may be read, such as a replica.
        """
        self.address, self._ending, self.primary = address, ending or Deadline(), primary
        self._pool = ConnectionPool(
            address,
            kwargs=settings(address) if primary is None else primary.kwargs,
            configure=None if primary is None else primary.admit,
            min_size=1,
            max_size=most,
            timeout=WITHIN_S,
            reconnect_timeout=RECONNECT_S,
            open=True,
        )

    def parts(self, wanted: Sequence[tuple[int, int]], most: int) -> Sequence[list[str] | NotStored]:
        """Return the result of ``part`` for several tables, by one query. ``wanted`` has (table, first line)
        for each.
        """
        tables, starts = [table for table, _ in wanted], [start for _, start in wanted]
        values = {"tables": tables, "starts": starts, "lines": most, "most": MOST_BYTES}
        appends: list[list[tuple[Any, ...]]] = [[] for _ in wanted]
        for number, *append in self._rows(PARTS, values):
            appends[number - 1].append(tuple(append))

        def tried(number: int) -> list[str] | NotStored:
            try:
                return joined(appends[number], tables[number], starts[number], most)
            except NotStored as refusal:
                return refusal

        return [tried(number) for number in range(len(wanted))]

    def close(self) -> None:
        """Close the connections of the pool."""
        self._pool.close(self._ending.left(CLOSE_WITHIN_S))

    def rows(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Run a statement and return its rows. The statement has a question mark for each value. Raises
        NotStored("store-unreadable").
        """
        return self._rows(query, values)

    def _rows(
        self, query: str, values: Sequence[object] | Mapping[str, object] = (), *, table: int | None = None
    ) -> Sequence[tuple[Any, ...]]:
        if isinstance(values, Mapping):
            key = values.get("key")
            values = {**values, "key": key.encode() if isinstance(key, str) else None}
        until = time.monotonic() + WITHIN_S
        while True:  # loop, because each dead connection in the pool fails once
            try:
                # Ask again each second, because the pool connects only when asked, and gives up after a second.
                with self._pool.connection(min(RECONNECT_S, max(0.1, until - time.monotonic()))) as db:
                    return self._ask(db, marked(query), values)
            except psycopg.Error as error:
                lost = isinstance(error, psycopg.OperationalError) and not isinstance(error, PoolClosed)
                if not lost or time.monotonic() >= until:
                    raise not_stored("store-unreadable", self.address, error) from None

    def _ask(
        self, db: psycopg.Connection, query: str, values: Sequence[object] | Mapping[str, object]
    ) -> Sequence[tuple[Any, ...]]:
        """Return the rows of a query. If they come from a server that the house does not write to, raise
        psycopg.OperationalError.
        """
        if self.primary is None:
            return db.execute(query, values).fetchall()
        try:
            rows = db.execute(query, values).fetchall()
        except ReadOnlySqlTransaction as error:
            self.primary.leave(db)
            raise psycopg.OperationalError(str(error)) from None
        self.primary.check(db)
        return rows
