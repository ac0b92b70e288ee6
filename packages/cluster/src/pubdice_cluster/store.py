"""A house's store in PostgreSQL. Several processes may have it open, and each may write to any table."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

import psycopg
from psycopg.errors import (
    DataError,
    DiskFull,
    InsufficientPrivilege,
    IntegrityError,
    ProgramLimitExceeded,
    ReadOnlySqlTransaction,
)
from psycopg_pool import ConnectionPool, PoolClosed

from pubdice.core.errors import NotStored
from pubdice.store.house_store import (
    MOST_BYTES,
    PROBE_BYTES,
    HouseReads,
    HouseStore,
    LogQueries,
    Node,
    joined,
    run_task,
    write_summaries,
)
from pubdice.store.writer import (
    Deadline,
    Entry,
    LoopCall,
    OnOutcome,
    OpenTransaction,
    Outcome,
    Repeated,
    Stored,
    ThreadWriter,
    Transactions,
    Write,
    Writer,
    is_same,
    join_lines,
)
from pubdice_cluster.primary import Primary
from pubdice_cluster.schema import migrate, not_stored, settings

# The connection that writes to PostgreSQL: groups in transactions, asked again until their outcome is known.
#
# A connection that breaks during a commit leaves it open whether the group was stored. A read by key would prove
# nothing: the server may still be at it. Only the same append again settles it, as a key counts once and an expected
# length fits once. So a group is written again, on a new connection, until the server says what came of it; after
# ``KNOWN_WITHIN_S`` it is "not-known".


KNOWN_WITHIN_S = 5.0
"""The time that the fate of a group is asked for: less than the 8 s a command waits for its outcome, as it may have
waited before.
"""
LEAST_PAUSE_S, MOST_PAUSE_S = 0.05, 1.0
"""Between two tries: doubled each time."""
REFUSED = (DataError, DiskFull, IntegrityError, InsufficientPrivilege, ProgramLimitExceeded)
"""The server's errors on a group that it would repeat, and has undone."""
APPEND = (
    "SELECT what, known, was FROM append_v1(%b::int8, "
    "%b::int8[], %b::int4[], %b::int4[], %b::bytea[], %b::bytea[], %b::bytea[], %b::bytea[])"
)
STORED, REPEATED, MOVED_ON = 0, 1, 2
LOG_BYTES = "SELECT pg_logical_emit_message(true, 'pubdice', repeat('-', ?))"
"""Writes this many bytes to the write-ahead log, and nothing else: its commit waits as every other does."""


class PostgresTransactions:
    """The connection that writes, and its transactions. Raises psycopg.Error."""

    def __init__(self, primary: Primary, sleep: Callable[[float], None] = time.sleep, *, node: int = 0) -> None:
        self._primary, self._sleep, self.node = primary, sleep, node
        self._closed = self._unsure = False
        self._db: psycopg.Connection | None = None
        self._open()

    def write(self, works: Sequence[Write]) -> Sequence[object]:
        """The outcome of each write. A group is written whole or not at all.

        If the server refuses what is in it, each is tried alone, so that one stops nobody at other tables.
        """
        until, last, sent = time.monotonic() + KNOWN_WITHIN_S, Exception("closed"), False
        for tried in count():
            try:
                outcomes = self._write_group(works)
                # A second try whose reads found the first one's rows: those may still wait for their replica, so a
                # commit behind them has to be confirmed.
                if tried and not all(isinstance(work, Entry) for work in works):  # an append waits by its lock
                    self._write_group([confirm])
                self._primary.check(self._open())
                return outcomes
            except REFUSED as error:
                if len(works) > 1:
                    return [outcome for work in works for outcome in self.write([work])]
                return [self.unwritable(error, work) for work in works]
            except Exception as error:  # noqa: BLE001 - whatever it is, the outcome is not known yet
                # Once a connection was open, the server may have committed before it broke. Without one, nothing was
                # sent.
                last, sent = error, sent or self._db is not None
                if isinstance(error, ReadOnlySqlTransaction) and self._db is not None:
                    self._primary.leave(self._db)
                self._disconnect()
            # Exponential backoff: a failover takes seconds, and a hundred houses must not knock together.
            pause = min(MOST_PAUSE_S, LEAST_PAUSE_S * 2**tried)
            if self._closed or time.monotonic() + pause > until:
                break
            self._sleep(pause)
        return [NotStored("not-known") if sent else self.unwritable(last, work) for work in works]

    def unwritable(self, error: Exception, work: Write | None = None) -> NotStored:
        """Why a write did not reach the disk, or is not known to have reached it."""
        return not_stored("store-unwritable", self._primary.address, error)

    def abandon(self) -> None:
        """Undo what was begun and not committed, after a fault in ``write`` itself; the next group begins again."""
        self._disconnect()

    def close(self) -> None:
        """Close the connection; nothing more is written."""
        self._closed = True
        self._disconnect()

    def _open(self) -> psycopg.Connection:
        if self._db is None:
            db = self._primary.connect()
            db.add_notice_handler(self._noticed)
            self._db = db
        return self._db

    def _noticed(self, notice: psycopg.errors.Diagnostic) -> None:
        """A cancelled wait for a synchronous replica counts as a success for the server. It does not for us.

        The server says so in its own language, and warns of nothing else here.
        """
        self._unsure = self._unsure or notice.severity_nonlocalized == "WARNING"

    def _disconnect(self) -> None:
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()
        self._db = None

    def _write_group(self, works: Sequence[Write]) -> Sequence[object]:
        """Commit all works in one transaction: their outcomes. Entries are written first, then the tasks, in order."""
        db, self._unsure = self._open(), False
        entries = [work for work in works if isinstance(work, Entry)]
        if len(entries) == len(works) and all(entry.summary is None for entry in entries):
            # One statement is its own transaction: BEGIN and COMMIT would be two more round trips a group.
            outcomes: Sequence[object] = append(db, entries, self.node)
        else:
            with db.transaction():
                transaction, found = PostgresTransaction(db, self.node), append(db, entries, self.node)
                stored = [entry for entry, outcome in zip(entries, found, strict=True) if isinstance(outcome, Stored)]
                write_summaries(transaction, [(entry.table, entry.summary) for entry in stored if entry.summary])
                left = iter(found)
                outcomes = [next(left) if isinstance(work, Entry) else run_task(transaction, work) for work in works]
        # Raised like a broken connection: the group is written again under its keys, and counts once.
        if self._unsure:
            raise psycopg.OperationalError("no synchronous replica has confirmed it")
        return outcomes


@dataclass(frozen=True, slots=True)
class PostgresTransaction:
    """An open transaction, as write tasks see it."""

    db: psycopg.Connection
    node: int = 0

    def execute(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Run SQL; its rows."""
        found = self.db.execute(marked(query), values)
        # ``description`` is None for a statement without rows, of which ``fetchall`` raises.
        return found.fetchall() if found.description else ()

    def insert_log(self, entry: Entry) -> None:
        """Begin a table's log."""
        self.db.execute("INSERT INTO heads (id, seq) VALUES (%s, 0)", (entry.table,))
        append(self.db, [entry], self.node)

    def lock(self, name: str) -> None:
        """Wait for the other houses that hold this name. Values read then are reported after a commit that waits."""
        self.db.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (name,))
        confirm(self)


def confirm(work: OpenTransaction) -> None:
    """Commit a small write synchronously, so that what was read is known to be replicated.

    It may still have been on its way to a synchronous replica: where that wait was cancelled, as with a connection,
    everybody sees it, but a failover would lose it.
    """
    work.execute(LOG_BYTES, (1,))


def probing(work: OpenTransaction) -> None:
    """Write as much as a move or two."""
    work.execute(LOG_BYTES, (PROBE_BYTES,))


def marked(query: str) -> str:
    """A query with PostgreSQL's marks for values.

    >>> marked("SELECT ? + ?")
    'SELECT %s + %s'
    """
    return query.replace("?", "%s")


def append(db: psycopg.Connection, entries: Sequence[Entry], node: int = 0) -> list[Outcome]:
    """Store every entry that can be stored; the outcome of each, in order. node: the writer's number."""
    if not entries:
        return []
    values = (
        node,
        [entry.table for entry in entries],
        [entry.seen for entry in entries],
        [len(entry.lines) for entry in entries],
        [None if entry.key is None else entry.key.encode() for entry in entries],
        [None if entry.key is None else entry.body for entry in entries],
        [join_lines(entry.lines).encode() if entry.lines else None for entry in entries],
        [None if entry.key is None else entry.answer for entry in entries],
    )
    # Arrays, one a column: the statement is the same for any number of entries, so the server plans it once.
    rows = db.cursor(binary=True).execute(APPEND, values).fetchall()
    return [_outcome(entry, *row) for entry, row in zip(entries, rows, strict=True)]


def _outcome(entry: Entry, what: int, known: bytes | None, was: bytes | None) -> Outcome:
    if what == STORED:
        return Stored(entry.seen + len(entry.lines))
    if what == REPEATED:
        if not is_same(was or b"", entry.body):
            return NotStored("key-used", table=entry.table)
        return Repeated(known or b"", was or b"")
    return NotStored("moved-on" if what == MOVED_ON else "no-table", table=entry.table)


# Reading a cluster's database, by a few connections that any thread may ask.


MOST_READING = 4
"""Connections that read at once."""
WITHIN_S = 3.0
"""The time that a read tries, before it says that the database cannot be read."""
RECONNECT_S = 1.0
"""The time that the pool tries to connect before it gives up until somebody reads again: after an outage, at once."""
CLOSE_WITHIN_S = 5.0
"""The time that ``close`` waits for the pool's own threads."""
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

    def __init__(
        self,
        address: str,
        most: int = MOST_READING,
        ending: Deadline | None = None,
        *,
        primary: Primary | None = None,
    ) -> None:
        """most: connections that read at once. ending: of the process. primary: the server that is read, of a house
        that serves; None: any that the address leads to, as a replica that is checked.
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
                # Asked again each second: the pool begins to connect when somebody asks, and gives up after as long.
                with self._pool.connection(min(RECONNECT_S, max(0.1, until - time.monotonic()))) as db:
                    return self._ask(db, marked(query), values)
            except psycopg.Error as error:
                lost = isinstance(error, psycopg.OperationalError) and not isinstance(error, PoolClosed)
                if not lost or time.monotonic() >= until:
                    raise not_stored("store-unreadable", self.address, error) from None

    def _ask(
        self, db: psycopg.Connection, query: str, values: Sequence[object] | Mapping[str, object]
    ) -> Sequence[tuple[Any, ...]]:
        """The rows, if they come from the server that the house writes to; else psycopg.OperationalError."""
        if self.primary is None:
            return db.execute(query, values).fetchall()
        try:
            rows = db.execute(query, values).fetchall()
        except ReadOnlySqlTransaction as error:
            self.primary.leave(db)
            raise psycopg.OperationalError(str(error)) from None
        self.primary.check(db)
        return rows


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

    def __init__(self, reader: PostgresReader, primary: Primary) -> None:
        """reader: with connections of its own, so that a beat waits for no other read."""
        self._reader, self._primary = reader, primary
        self.id = int(reader.rows("SELECT nextval('node_ids')")[0][0])

    @property
    def server(self) -> str:
        """The server that answers, with its timeline."""
        return self._primary.server

    @property
    def has_others(self) -> bool:
        """True if the address names several servers."""
        return self._primary.has_others

    def look_further(self) -> None:
        """Try the servers that are not the primary: one of them may have become it."""
        self._primary.look_further()

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
        """The number of lines of these tables' logs, and the node that wrote last; 0 if none did."""
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

    def presence_texts(self, tables: Sequence[int]) -> Sequence[tuple[int, int, str]]:
        """The presence texts of other nodes on these tables: table, node, text."""
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
        primary: Primary | None = None,
    ) -> None:
        """ending: of the process. primary: what else of this process is connected to the database."""
        migrate(address)
        primary = primary or Primary(address)
        with ExitStack() as stack:
            super().__init__(address, ending=ending, primary=primary)
            stack.callback(super().close)
            # a beat waits for no look
            beats = stack.enter_context(closing(PostgresReader(address, 2, ending, primary=primary)))
            self.nodes = PostgresNodes(beats, primary)
            try:
                transactions = PostgresTransactions(primary, node=self.nodes.id)
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
