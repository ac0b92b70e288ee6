"""The server that a house writes to, and all of the house's connections to it.

A connection that answers is not yet a good one. After a switchover the old primary may stay up: read-only, frozen, or
taking writes as before (split brain). So a house connects to a server that takes writes, and never to one on an older
timeline than it has seen: each promotion begins a new one, which is the fencing token. All older connections are ended
as soon as one of them hears that its server takes no writes, or a new one finds a later timeline. Whatever they are
doing then fails as when a network breaks; the next connection finds the new primary.

A frozen primary says nothing, and one that takes writes as before does not say that another was promoted. So the other
servers that the address names are tried at the start, where the primary is silent, and now and then
(``look_further``).
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
"""The cluster's identifier, and its timeline: a promotion is there at once in the name of the file that is written, and
in the control file only with the next checkpoint.
"""
READ_ONLY = (b"in_hot_standby", b"default_transaction_read_only")
"""Settings that a server of version 14 or newer tells with each change, before the next answer: to ask costs nothing.
"""


class History(NamedTuple):
    """The history of a database: its cluster's identifier, and its timeline. ("", 0) if the server tells neither."""

    cluster: str
    timeline: int


NO_HISTORY = History("", 0)
UNTOLD = (psycopg.ProgrammingError, psycopg.NotSupportedError, psycopg.InternalError)
"""Errors of servers that don't tell their history: they know no such function, or let nobody ask."""


class _Line(NamedTuple):
    """A connection as it can be ended by any thread. end: another descriptor of its socket. place: host and port."""

    end: socket.socket
    place: tuple[str, str]
    history: History

    @property
    def server(self) -> str:
        """The server and its timeline, as the log names them."""
        return f"{self.place[0]}:{self.place[1]} timeline {self.history.timeline}"


class Primary:
    """The connections of one process, all to the server that it writes to. Any thread may call.

    server: its host, port and timeline, once one was met. Pickled for another process, it knows the latest history.
    """

    def __init__(self, address: str, latest: History | None = None) -> None:
        self.address, self.server, self._latest = address, "", latest
        named = conninfo_to_dict(address)
        lists = {key: str(named[key]).split(",") for key in ("host", "hostaddr", "port") if named.get(key)}
        number = max(map(len, lists.values()), default=1)
        self._places = [{key: each[at % len(each)] for key, each in lists.items()} for at in range(number)]
        self._lines: WeakKeyDictionary[Connection, _Line] = WeakKeyDictionary()
        self._changing = threading.Lock()
        # A pool keeps this very dict and connects by what is in it then: so a server can be put last.
        self.kwargs: dict[str, Any] = {**settings(address, SERVES), **TO_WRITE}

    def __reduce__(self) -> tuple[object, ...]:
        return Primary, (self.address, self._latest)

    def connect(self) -> psycopg.Connection:
        """A new connection. Raises psycopg.Error."""
        db = psycopg.connect(self.address, **self.kwargs)
        self.admit(db)
        return db

    async def connect_async(self) -> psycopg.AsyncConnection:
        """A new connection for an event loop. Raises psycopg.Error."""
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
        """Take a new connection among the house's. psycopg.OperationalError, and it is closed, if its server is older
        than one that this process has met.
        """
        try:
            self._admit(db, _history(db))
        except BaseException:
            db.close()
            raise

    def check(self, db: psycopg.Connection) -> None:
        """Raise psycopg.OperationalError if what a connection has just said does not count: it was ended meanwhile, or
        its server takes no writes.
        """
        line = self._lines.get(db)
        if line is None:
            raise psycopg.OperationalError("the database has moved to another server")
        if is_read_only(db):
            self.leave(db)
            raise psycopg.OperationalError(f"{line.server} takes no writes")

    def leave(self, db: Connection) -> None:
        """End all connections to the server of this one, which takes no writes any more."""
        with self._changing:
            left = self._lines.get(db)
            if left is not None:
                self._end([db for db, line in self._lines.items() if line[1:] == left[1:]])

    def takes_writes(self) -> bool:
        """True if one of the servers does, for a doctor."""
        try:
            self.connect().close()
        except psycopg.Error:
            return False
        return True

    @property
    def names_it(self) -> bool:
        """True if the address itself asks for the server that takes writes, and not for any."""
        return conninfo_to_dict(self.address).get("target_session_attrs") in {"read-write", "primary"}

    @property
    def has_others(self) -> bool:
        """True if the address names several servers."""
        return len(self._places) > 1

    def meet(self) -> None:
        """Learn which of the servers is the primary before anything is stored, if one can be reached."""
        if self.has_others:
            with suppress(psycopg.Error), closing(self.connect()):
                self.look_further()

    def look_further(self) -> None:
        """Try the servers that no connection leads to. If one is a later primary, the connections to others end."""
        with self._changing:
            here, latest = {line.place for line in self._lines.values()}, self._latest
            others = [place for place in self._places if _host_and_port(place) not in here]
        if not here or not others or latest is None:
            return  # a new connection tries all of them
        with (
            suppress(psycopg.Error),  # standbys, as a rule
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
        """End these connections, whatever thread waits for their answer. Called with the lock."""
        for db in lines:
            with suppress(OSError):  # it has broken already
                self._lines.pop(db).end.shutdown(socket.SHUT_RDWR)

    def _put_last(self, place: tuple[str, str]) -> None:
        """Let the next connections try this server after all others that the address names."""
        if self.has_others:
            self._places.sort(key=lambda each: _host_and_port(each) == place)
            self.kwargs.update(_joined(self._places))


def _host_and_port(place: Mapping[str, str]) -> tuple[str, str]:
    return place.get("host") or place.get("hostaddr") or "", place.get("port") or "5432"


def _joined(places: Sequence[Mapping[str, str]]) -> dict[str, str]:
    return {key: ",".join(place[key] for place in places) for key in places[0]}


def is_read_only(db: Connection) -> bool:
    """True if a server has told that it is a standby, or takes no writes."""
    return any(db.pgconn.parameter_status(name) == b"on" for name in READ_ONLY)


def _history(db: psycopg.Connection) -> History:
    try:
        return History(*db.execute(HISTORY).fetchall()[0])
    except UNTOLD:
        return NO_HISTORY
