"""A house's store in PostgreSQL. Several processes may have it open, and each may write to any table."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from pubdice.core.errors import NotStored
from pubdice.store.cluster import Node
from pubdice.store.house_store import MOST_BYTES, HouseReads, HouseStore, LogQueries, joined
from pubdice.store.postgres.schema import connect, migrate, not_stored, settings
from pubdice.store.postgres.transactions import PostgresTransactions, confirm, marked, probing
from pubdice.store.writer import Deadline, LoopCall, OnOutcome, ThreadWriter, Transactions, Writer

# Reading a cluster's database, by a few connections that any thread may ask.


MOST_READING = 4
"""Connections that read at once."""
WITHIN_S = 3.0
"""How long a read tries, before it says that the database cannot be read."""
RECONNECT_S = 1.0
"""How long the pool tries to connect before it gives up until somebody reads again: after an outage, at once."""
CLOSE_WITHIN_S = 5.0
"""How long ``close`` waits for the pool's own threads."""
LOG = LogQueries(
    "SELECT seq, CASE WHEN length(lines) <= %(most)s THEN lines END FROM log "
    "WHERE table_id = %(table)s AND seq > %(start)s AND seq <= coalesce("
    "(SELECT min(seq) FROM log WHERE table_id = %(table)s AND seq >= %(end)s), %(end)s) ORDER BY seq",
    "SELECT max(seq) FROM log WHERE table_id = %(table)s",
    "SELECT answer, body FROM log WHERE table_id = %(table)s AND key = %(key)s",
)

PARTS = (
    "SELECT number, seq, lines FROM unnest(%(tables)s::int8[], %(starts)s::int4[]) "
    "WITH ORDINALITY AS wanted (id, start, number) CROSS JOIN LATERAL ("
    "SELECT seq, CASE WHEN length(lines) <= %(most)s THEN lines END AS lines FROM log "
    "WHERE table_id = wanted.id AND seq > wanted.start AND seq <= coalesce("
    "(SELECT min(seq) FROM log WHERE table_id = wanted.id AND seq >= wanted.start + %(lines)s), "
    "wanted.start + %(lines)s)) AS appends ORDER BY number, seq"
)
"""``LogQueries.part`` for several tables; each row begins with the number of its table among them."""


class PostgresReader(HouseReads):
    """Sees what is committed. Its methods may be called from any thread. NotStored("store-unreadable")."""

    _log = LOG

    def __init__(self, address: str, most: int = MOST_READING, ending: Deadline | None = None) -> None:
        """most: connections that read at once. ending: of the process."""
        self.address, self._ending = address, ending or Deadline()
        self._pool = ConnectionPool(
            address,
            kwargs=settings(address),
            min_size=1,
            max_size=most,
            timeout=WITHIN_S,
            reconnect_timeout=RECONNECT_S,
            open=True,
        )

    def parts(self, wanted: Sequence[tuple[int, int]], most: int) -> Sequence[list[str] | NotStored]:
        """``part`` of several tables by one query."""
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
        """The rows of a statement; a question mark stands for each value. NotStored("store-unreadable")."""
        return self._rows(query, values)

    def _rows(
        self, query: str, values: Sequence[object] | Mapping[str, object] = (), *, table: int | None = None
    ) -> Sequence[tuple[Any, ...]]:
        if isinstance(values, Mapping):
            key = values.get("key")
            values = {**values, "key": key.encode() if isinstance(key, str) else None}
        until = time.monotonic() + WITHIN_S
        while True:  # of several connections that the server has ended each is found out once
            try:
                with self._pool.connection(max(0.1, until - time.monotonic())) as db:
                    return db.execute(marked(query), values).fetchall()
            except (psycopg.Error, PoolTimeout) as error:
                broken = isinstance(error, psycopg.OperationalError) and not isinstance(error, PoolTimeout)
                if not broken or time.monotonic() > until:
                    raise not_stored("store-unreadable", self.address, error) from None


# The nodes of a house, in its database. The tables are unlogged: after a crash of the server they are empty, and
# every node writes its rows again with its next beat.


FORGOTTEN_S = 600
"""A node without a beat for so long is taken off the list."""
BEAT = (
    "WITH mine AS (INSERT INTO nodes AS n (id, acting, leaving) VALUES (?, coalesce(?::bigint[], '{}'), ?)"
    " ON CONFLICT (id) DO UPDATE SET beat = clock_timestamp(), acting = coalesce(?::bigint[], n.acting),"
    " leaving = excluded.leaving RETURNING id, leaving)"
    " SELECT id, 0::bigint, leaving, '{}'::bigint[] FROM mine UNION ALL"
    " SELECT id, (1000 * extract(epoch FROM clock_timestamp() - beat))::bigint, leaving,"
    " CASE WHEN leaving OR beat < clock_timestamp() - interval '1 s' THEN acting ELSE '{}' END"
    " FROM nodes WHERE id <> ? ORDER BY 1"
)
"""One statement: a process says that it lives and hears who else does. Nothing of it is synced (unlogged tables)."""
FORGET = "DELETE FROM nodes WHERE beat < clock_timestamp() - make_interval(secs => ?) RETURNING id"


class PostgresNodes:
    """A process among the nodes of its house."""

    def __init__(self, reader: PostgresReader) -> None:
        """reader: with connections of its own, so that a beat waits for no other read."""
        self._reader = reader
        self.id = int(reader.rows("SELECT nextval('node_ids')")[0][0])

    def beat(self, acting: Sequence[int] | None, *, leaving: bool = False) -> Sequence[Node]:
        """Say that this process lives; all nodes, this one too. acting: the tables whose timers it keeps; None: those
        that it has told of last.
        """
        told = None if acting is None else list(acting)
        found = self._reader.rows(BEAT, (self.id, told, leaving, told, self.id))
        nodes = [Node(node, age, gone, tuple(tables)) for node, age, gone, tables in found]
        if any(node.age_ms > 1000 * FORGOTTEN_S for node in nodes) and self._reader.rows(FORGET, (FORGOTTEN_S,)):
            self._reader.rows("DELETE FROM here WHERE node NOT IN (SELECT id FROM nodes) RETURNING node")
        return nodes

    def leave(self) -> None:
        """Take this process off the list."""
        self._reader.rows("DELETE FROM here WHERE node = ? RETURNING node", (self.id,))
        self._reader.rows("DELETE FROM nodes WHERE id = ? RETURNING id", (self.id,))

    def now_ms(self) -> int:
        """The server's time in ms since 1970."""
        return int(self._reader.rows("SELECT (1000 * extract(epoch FROM clock_timestamp()))::bigint")[0][0])

    def heads(self, tables: Sequence[int]) -> Mapping[int, tuple[int, int]]:
        """How many lines the logs of these tables have, and which node wrote last; 0 if none did."""
        found = self._reader.rows("SELECT id, seq, node FROM heads WHERE id = ANY (?)", (list(tables),))
        return {table: (length, node) for table, length, node in found}

    def codes_of(self, tables: Sequence[int]) -> Sequence[str]:
        """The codes of these tables, of those that have one."""
        query = "SELECT code FROM tables WHERE id = ANY (?) AND code IS NOT NULL"
        return [code for (code,) in self._reader.rows(query, (list(tables),))]

    def show(self, people: Mapping[int, str]) -> None:
        """Tell who is at these tables by this process, in its own words; "" if nobody is."""
        told = {table: text for table, text in people.items() if text}
        if told:
            self._reader.rows(
                "INSERT INTO here (table_id, node, people) SELECT given.table_id, ?, given.people"
                " FROM unnest(?::bigint[], ?::text[]) AS given (table_id, people)"
                " ON CONFLICT (table_id, node) DO UPDATE SET people = excluded.people RETURNING node",
                (self.id, list(told), list(told.values())),
            )
        if len(told) < len(people):
            left = [table for table, text in people.items() if not text]
            self._reader.rows("DELETE FROM here WHERE node = ? AND table_id = ANY (?) RETURNING node", (self.id, left))

    def shown(self, tables: Sequence[int]) -> Sequence[tuple[int, int, str]]:
        """What other nodes have told of these tables: table, node, their words."""
        query = "SELECT table_id, node, people FROM here WHERE table_id = ANY (?) AND node <> ?"
        return [(table, node, text) for table, node, text in self._reader.rows(query, (list(tables), self.id))]


class PostgresStore(PostgresReader, HouseStore):
    """A house's store in a database. address: postgresql://user:password@host:port/name. nodes: its processes.

    NotStored("store-newer"), ("store-unreadable").
    """

    def __init__(
        self,
        address: str,
        *,
        writer: Callable[[Transactions], Writer] = ThreadWriter,
        ending: Deadline | None = None,
    ) -> None:
        """ending: of the process."""
        migrate(address)
        with ExitStack() as stack:
            super().__init__(address, ending=ending)
            stack.callback(super().close)
            beats = stack.enter_context(closing(PostgresReader(address, 2, ending)))  # a beat waits for no look
            self.nodes = PostgresNodes(beats)
            try:
                transactions = PostgresTransactions(address, lambda: connect(address), node=self.nodes.id)
            except psycopg.Error as error:
                raise not_stored("store-unwritable", address, error) from None
            stack.callback(self._leave)
            self._writer = writer(transactions)
            stack.callback(self._writer.close)
            self._open = stack.pop_all()

    def submit_confirming(self, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a write of nothing: once ``done`` is called, what was read is on every synchronous replica, too."""
        self.submit_task(confirm, done, loop_call)

    def probe(self, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a write as large as a move or two, which locks no row; ``done`` hears whether the database works."""
        self.submit_task(probing, done, loop_call)

    def close(self) -> None:
        """Write what is queued, and close the connections."""
        self._open.close()

    def _leave(self) -> None:
        with suppress(NotStored):  # then the others see its beats end
            self.nodes.leave()
