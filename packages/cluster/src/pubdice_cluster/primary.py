"""The database server that a house writes to, and all of the house's connections to it.

A server that answers is not always the primary. After a switchover the old primary may stay up: read-only, frozen, or
still taking writes (split brain). So a house connects only to a server that takes writes. A house also never connects
to a timeline older than one it has seen. Each promotion of a server begins a new timeline, so the timeline's number
serves as a fencing token.

The house ends all its connections to an old primary in two cases: if one of them reports that its server takes no
writes, or if a new connection finds a later timeline. Work on the ended connections fails as if the network had broken.
The next connection finds the new primary.

A frozen primary is silent, and an old primary that still takes writes does not know of the promotion. So the house also
tries the other servers in the address: at the start, when the primary is silent, and now and then (``look_further``).
"""

import socket
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, finalize

import psycopg
from psycopg.conninfo import conninfo_to_dict

from pubdice_cluster.connecting import SERVES, TO_WRITE, settings

Connection = psycopg.Connection | psycopg.AsyncConnection

HISTORY = (
    "SELECT (pg_control_system()).system_identifier::text, CASE WHEN pg_is_in_recovery() THEN 0"
    " ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END"
)
"""A query for the cluster's identifier and its timeline. It takes the timeline from the name of the current WAL file,
because that name changes at once with a promotion. The control file changes only with the next checkpoint."""
READ_ONLY = (b"in_hot_standby", b"default_transaction_read_only")
"""Settings that show if a server takes writes. A server of version 14 or newer reports each change of them before its
next answer, without a query."""


class History(NamedTuple):
    """The identifier and the timeline of a cluster. It is ("", 0) if the server does not tell them."""

    cluster: str
    timeline: int


NO_HISTORY = History("", 0)
UNTOLD = (psycopg.ProgrammingError, psycopg.NotSupportedError, psycopg.InternalError)
"""Errors of a server that does not tell its history, because it lacks the functions or denies access to them."""


class _Line(NamedTuple):
    """A connection that any thread can end.

    ``end`` is a second descriptor of the connection's socket. ``place`` is the server's host and port.
    """

    end: socket.socket
    place: tuple[str, str]
    history: History

    @property
    def server(self) -> str:
        """The server and its timeline, in the form used by the event log."""
        return f"{self.place[0]}:{self.place[1]} timeline {self.history.timeline}"


class Primary:
    """The connections of one process to the server that it writes to. Any thread may call the methods. Once a server
    was found, ``server`` has its host, port and timeline. If the object is pickled for another process, the copy keeps
    the latest history.
    """

    def __init__(self, address: str, latest: History | None = None) -> None:
        self.address, self.server, self._latest = address, "", latest
        named = conninfo_to_dict(address)
        lists = {key: str(named[key]).split(",") for key in ("host", "hostaddr", "port") if named.get(key)}
        number = max(map(len, lists.values()), default=1)
        self._places = [{key: each[at % len(each)] for key, each in lists.items()} for at in range(number)]
        self._lines: WeakKeyDictionary[Connection, _Line] = WeakKeyDictionary()
        self._changing = threading.Lock()
        # The pool keeps this very dict and reads it at each connect. So updating the dict can move a server to the end
        # of the list to try.
        self.kwargs: dict[str, Any] = {**settings(address, SERVES), **TO_WRITE}

    def __reduce__(self) -> tuple[object, ...]:
        return Primary, (self.address, self._latest)

    def connect(self) -> psycopg.Connection:
        """Connect to the primary. Raises psycopg.Error."""
        db = psycopg.connect(self.address, **self.kwargs)
        self.admit(db)
        return db

    async def connect_async(self) -> psycopg.AsyncConnection:
        """Connect to the primary from an event loop. Raises psycopg.Error."""
        db = await psycopg.AsyncConnection.connect(self.address, **self.kwargs)
        try:
            try:
                found = History(*(await (await db.execute(HISTORY)).fetchall())[0])
            except UNTOLD:
                found = NO_HISTORY
            self._admit(db, found)
        except BaseException:
            await db.close()
            raise
        return db

    def admit(self, db: psycopg.Connection) -> None:
        """Add a new connection to the connections of the house. If its timeline is older than one this process has
        seen, close the connection and raise psycopg.OperationalError.
        """
        try:
            self._admit(db, _history(db))
        except BaseException:
            db.close()
            raise

    def check(self, db: psycopg.Connection) -> None:
        """Raise psycopg.OperationalError if the last answer on this connection must not be trusted. This is so if the
        connection was ended meanwhile, or if its server takes no writes.
        """
        line = self._lines.get(db)
        if line is None:
            raise psycopg.OperationalError("the database has moved to another server")
        if is_read_only(db):
            self.leave(db)
            raise psycopg.OperationalError(f"{line.server} takes no writes")

    def leave(self, db: Connection) -> None:
        """End all connections to the server of ``db``, because that server takes no writes any more."""
        with self._changing:
            left = self._lines.get(db)
            if left is not None:
                self._end([db for db, line in self._lines.items() if line[1:] == left[1:]])

    def takes_writes(self) -> bool:
        """Return True if one of the servers takes writes, for ``pubdice doctor``."""
        try:
            self.connect().close()
        except psycopg.Error:
            return False
        return True

    @property
    def names_it(self) -> bool:
        """True if the address itself asks for a server that takes writes."""
        return conninfo_to_dict(self.address).get("target_session_attrs") in {"read-write", "primary"}

    @property
    def has_others(self) -> bool:
        """True if the address names several servers."""
        return len(self._places) > 1

    def meet(self) -> None:
        """Find the primary among several servers before anything is stored. If no server answers, do nothing."""
        if self.has_others:
            with suppress(psycopg.Error), closing(self.connect()):
                self.look_further()

    def look_further(self) -> None:
        """Try the servers that this process has no connection to. If one of them is a later primary, end the
        connections to the other servers.
        """
        with self._changing:
            here, latest = {line.place for line in self._lines.values()}, self._latest
            others = [place for place in self._places if _host_and_port(place) not in here]
        if not here or not others or latest is None:
            return  # the next new connection tries all servers anyway
        with (
            suppress(psycopg.Error),  # most of the other servers are standbys, which refuse
            closing(psycopg.connect(self.address, **{**self.kwargs, **_joined(others)})) as db,
        ):
            found = _history(db)
            if found.cluster == latest.cluster and found.timeline > latest.timeline:
                self._admit(db, found)

    def _admit(self, db: Connection, history: History) -> None:
        end = socket.fromfd(db.fileno(), socket.AF_INET, socket.SOCK_STREAM)
        finalize(db, end.close)
        line = _Line(end, (db.info.host, str(db.info.port)), history)
        with self._changing:
            latest = self._latest
            if latest is not None and history.cluster == latest.cluster and history.timeline < latest.timeline:
                self._put_last(line.place)
                raise psycopg.OperationalError(f"{line.server} is older than timeline {latest.timeline}")
            older = {db: each for db, each in self._lines.items() if each.history != history}
            for each in older.values():
                self._put_last(each.place)
            self._end(older)
            self._latest, self.server = history, line.server
            self._lines[db] = line

    def _end(self, lines: Iterable[Connection]) -> None:
        """End these connections, even if a thread waits for an answer on one of them. The caller holds the lock."""
        for db in lines:
            with suppress(OSError):  # the connection is already broken
                self._lines.pop(db).end.shutdown(socket.SHUT_RDWR)

    def _put_last(self, place: tuple[str, str]) -> None:
        """Move a server to the end of the list that new connections try."""
        if self.has_others:
            self._places.sort(key=lambda each: _host_and_port(each) == place)
            self.kwargs.update(_joined(self._places))


def _host_and_port(place: Mapping[str, str]) -> tuple[str, str]:
    return place.get("host") or place.get("hostaddr") or "", place.get("port") or "5432"


def _joined(places: Sequence[Mapping[str, str]]) -> dict[str, str]:
    return {key: ",".join(place[key] for place in places) for key in places[0]}


def is_read_only(db: Connection) -> bool:
    """Return True if the server has reported that it is a standby or takes no writes."""
    return any(db.pgconn.parameter_status(name) == b"on" for name in READ_ONLY)


def _history(db: psycopg.Connection) -> History:
    try:
        return History(*db.execute(HISTORY).fetchall()[0])
    except UNTOLD:
        return NO_HISTORY
