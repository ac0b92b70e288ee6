"""A PostgreSQL database as the source or the target of a copy. Source and target each use one transaction."""

import struct
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from time import monotonic, sleep

import psycopg
from psycopg import IsolationLevel

from pubdice.core.errors import NotStored
from pubdice_cluster.connecting import connect, why, without_password
from pubdice_cluster.copying import HouseRows, HouseTarget
from pubdice_cluster.house_tables import (
    BYTES,
    COUNT,
    FLAG,
    HOUSE,
    NUMBER,
    REAL,
    TEXT,
    UTF8,
    HouseTable,
    SqlRow,
)
from pubdice_cluster.schema import migrate, reach

ROWS_AT_ONCE = 500
"""The number of rows to fetch at once. A usual row has 500 bytes, and the longest row that a house writes has
100,000."""
NAME = "pubdice copy"
"""The application name of a copy. It differs from a house's name, so a copy does not take itself for a house."""
TYPES = {NUMBER: "int8", COUNT: "int4", REAL: "float8", FLAG: "bool", TEXT: "text", UTF8: "bytea", BYTES: "bytea"}
HOUSES = (
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pubdice'"
    " AND backend_type = 'client backend' LIMIT 1"
)
"""A query that finds a house connected to this database. A user who may not see other users' sessions finds only houses
of the same user."""
ENDS_S = 1.0
"""The time in seconds that the server may take to end the session of a closed house."""
HEADS = "INSERT INTO heads (id, seq) SELECT id, coalesce((SELECT max(seq) FROM log WHERE table_id = id), 0) FROM tables"


class PostgresRows(HouseRows):
    """The rows of a database, read over a connection with an open transaction."""

    def __init__(self, address: str, db: psycopg.Connection) -> None:
        self._address, self._db, self.shown, self._cursors = address, db, without_password(address), count(1)

    def has(self, table: HouseTable) -> bool:
        """Return True if the schema has this SQL table."""
        with _telling(self._address, "store-unreadable"):
            return self._db.execute("SELECT to_regclass(%s)", (table.name,)).fetchall() != [(None,)]

    def rows(self, table: HouseTable) -> Iterator[SqlRow]:
        """Yield the rows of a SQL table. They come through a server-side cursor, so a long table takes no more memory
        than a short one.
        """
        columns = [f"max({name})" if name == table.latest else name for name in table.names]
        query, grouped = f"SELECT {', '.join(columns)} FROM {table.name}", ""  # noqa: S608 - names of ours
        if table.latest:
            grouped = f"GROUP BY {', '.join(name for name in table.names if name != table.latest)}"
        for condition, by in table.parts:
            whole = f"{query} {f'WHERE {condition}' if condition else ''} {grouped} ORDER BY {by}"
            with (
                _telling(self._address, "store-unreadable"),
                psycopg.ServerCursor(self._db, f"rows_{next(self._cursors)}") as cursor,
            ):
                cursor.itersize = ROWS_AT_ONCE
                yield from cursor.execute(whole, binary=True)

    def last(self, table: HouseTable) -> int:
        """Return the last number of the sequence of the table's counter column."""
        with _telling(self._address, "store-unreadable"):
            query = "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass), 0)"
            return int(self._db.execute(query, (table.name, table.counter)).fetchall()[0][0])


class PostgresTarget(PostgresRows, HouseTarget):
    """A database that a copy fills in one transaction. The transaction locks out other writers."""

    def fill(self, table: HouseTable, rows: Iterable[SqlRow]) -> None:
        """Write all rows by COPY. Raises NotStored("copy-odd") if the database refuses a value as one that no house
        writes, or as ``why`` says.
        """
        with _telling(self._address, "store-unwritable"), self._db.cursor() as cursor:
            cursor.execute(f"DELETE FROM {table.name}")  # noqa: S608 - names of ours
            copying = f"COPY {table.name} ({', '.join(table.names)}) FROM STDIN (FORMAT BINARY)"
            try:
                with cursor.copy(copying) as copied:
                    copied.set_types([TYPES[kind] for kind in table.kinds])
                    for row in rows:
                        copied.write_row(row)
            except (psycopg.DataError, struct.error, ArithmeticError, TypeError, ValueError):
                raise NotStored("copy-odd", name=table.name) from None

    def count_on(self, table: HouseTable, last: int) -> None:
        """Set the sequence of the table's counter column."""
        query = "SELECT setval(pg_get_serial_sequence(%s, %s), greatest(%s, 1), %s > 0)"
        with _telling(self._address, "store-unwritable"):
            self._db.execute(query, (table.name, table.counter, last, last))

    def commit(self) -> None:
        """Count the lines of each log into ``heads``, and commit. If the connection breaks during the commit, the copy
        may or may not have been stored.
        """
        with _telling(self._address, "store-unwritable"):
            self._db.execute("DELETE FROM heads")
            self._db.execute(HEADS)
            for name in ("heads", *(table.name for table in HOUSE if self.has(table))):
                self._db.execute(f"ANALYZE {name}")
            self._db.commit()


@contextmanager
def postgres_rows(address: str, *, alone: bool) -> Iterator[PostgresRows]:
    """Open the rows of a database, all as they are at one moment. If ``alone``, refuse a database that a house is
    serving. Raises NotStored like ``reach``, or NotStored("no-house") or ("house-open").
    """
    if not reach(address, name=NAME):
        raise NotStored("no-house", file=without_password(address))
    with _connection(address, to_write=False) as db:
        db.isolation_level, db.read_only = IsolationLevel.REPEATABLE_READ, True
        with _telling(address, "store-unreadable"):
            if alone and _is_open(db):
                raise NotStored("house-open", file=without_password(address))
            _take_time(db)
            db.execute("SELECT 1")  # the first query fixes the transaction's snapshot
        yield PostgresRows(address, db)


@contextmanager
def postgres_target(address: str) -> Iterator[PostgresTarget]:
    """Open a database without game tables as the target of a copy, and migrate it if necessary. If a house was made
    there but never used, its content is lost, such as its secret. Raises NotStored like ``reach``, or
    NotStored("place-taken"), ("house-open") or ("store-in-use").
    """
    reach(address, name=NAME)
    migrate(address, NAME)
    with _connection(address, to_write=True) as db:
        with _telling(address, "store-unwritable"):
            _take_time(db)
            target = PostgresTarget(address, db)
            names = ["heads", *(table.name for table in HOUSE if target.has(table))]
            db.execute(f"LOCK TABLE {', '.join(names)} IN EXCLUSIVE MODE")
            if db.execute("SELECT 1 FROM tables LIMIT 1").fetchall():
                raise NotStored("place-taken", file=without_password(address))
            if _is_open(db):
                raise NotStored("house-open", file=without_password(address))
        yield target


def _is_open(db: psycopg.Connection) -> bool:
    """Return True if a house is still connected after ``ENDS_S``. The wait is needed because the server lists a closed
    house for a moment longer.
    """
    deadline = monotonic() + ENDS_S
    while db.execute(HOUSES).fetchall():
        if monotonic() > deadline:
            return True
        sleep(0.05)
        # without this, a transaction sees the same list of sessions again
        db.execute("SELECT pg_stat_clear_snapshot()")
    return False


def _take_time(db: psycopg.Connection) -> None:
    """Lift the server's timeouts for the open transaction, since a large house takes long."""
    for name in ("statement_timeout", "idle_in_transaction_session_timeout"):
        db.execute(f"SET LOCAL {name} = 0")


@contextmanager
def _connection(address: str, *, to_write: bool) -> Iterator[psycopg.Connection]:
    """Open a connection with a transaction. At the end, the connection is closed, which undoes an uncommitted
    transaction.
    """
    with _telling(address, "store-unreadable"):
        db = connect(address, NAME, to_write=to_write)
        db.autocommit = False
    with closing(db):
        yield db


@contextmanager
def _telling(address: str, otherwise: str) -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise why(address, error, otherwise) from None
