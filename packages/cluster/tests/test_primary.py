"""Tests of a house's connections: all lead to the server that takes writes, and if it changes, all leave it
together.
"""

import asyncio
import pickle
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from unittest.mock import patch

import psycopg
import pytest

from pubdice.core.errors import NotStored
from pubdice.store import Entry, Repeated, Stored
from pubdice_cluster import primary
from pubdice_cluster.players import PlayersTables
from pubdice_cluster.primary import NO_HISTORY, History, Primary
from pubdice_cluster.reader import PostgresReader
from pubdice_cluster.schema import reach
from pubdice_cluster.store import PostgresStore
from pubdice_cluster.wakeups import PostgresWakeups
from store.connections import PLAYING

NO_WRITES = "SELECT set_config('default_transaction_read_only', 'on', false)"
"""A statement after which a connection reports that its server takes no writes."""
BACKENDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pubdice'"


def backends(address: str) -> set[int]:
    """Return the ids of the server processes that handle a house's connections."""
    with psycopg.connect(address) as db:
        return {pid for (pid,) in db.execute(BACKENDS).fetchall()}


def ended(before: set[int], address: str, within_s: float = 20.0) -> bool:
    """Return True if all of these processes end in time. The server notices a closed socket only after a moment."""
    end = time.monotonic() + within_s
    while before & backends(address) and time.monotonic() < end:
        pass  # no pause, because each check opens a connection, which takes time
    return not before & backends(address)


def take_no_writes(reader: PostgresReader) -> None:
    """Make one connection of the reader report that its server takes no writes."""
    with reader._pool.connection() as db:
        db.execute(NO_WRITES)


def history(of: Primary) -> History:
    """Return the history (cluster and timeline) of the server that a new connection finds."""
    with closing(of.connect()) as db:
        return History(*db.execute(primary.HISTORY).fetchall()[0])


@pytest.fixture
def one(empty_database: str) -> Primary:
    return Primary(empty_database)


@pytest.fixture
def store(one: Primary) -> Iterator[PostgresStore]:
    with closing(PostgresStore(one.address, primary=one)) as made:
        yield made


def later(of: Primary) -> str:
    """Return a query whose result is a later timeline than the server's."""
    found = history(of)
    return f"SELECT '{found.cluster}', {found.timeline + 1}"


def test_one_read_only_connection_takes_all_others_along(one: Primary, store: PostgresStore) -> None:
    """These connections all end: those of readers and beats, of the writer, of the players' book and of the
    listener.
    """

    async def moved() -> None:
        wakeups = PostgresWakeups(one, store.nodes.id)
        with closing(PlayersTables(one.address, one)) as book:
            table = store.open_table("AAAAAA", "setup", PLAYING)
            book.players()
            listening = asyncio.create_task(wakeups.run(lambda *_: None, lambda *_: None))
            # Wait until all connections are admitted. A connection that is still being made does not belong to the
            # house yet, so it would stay.
            while len(before := backends(one.address)) < 6 or len(one._lines) < len(before):
                store.nodes.beat(None)
                await asyncio.sleep(0.02)
            take_no_writes(store)
            for _ in range(5):  # several times, because the pool has several connections
                store.rows("SELECT 1")
            assert store.write(Entry(table, 1, ("a",), "ann 1", b"answer")) == Stored(2)
            assert store.read(table) == ["setup", "a"]
            book.players()
            until = time.monotonic() + 20
            while before & backends(one.address):
                assert time.monotonic() < until
                await asyncio.sleep(0.02)
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening

    asyncio.run(moved())


def test_a_server_that_refuses_a_write_is_left(one: Primary, store: PostgresStore) -> None:
    """Servers before version 14, and connection poolers, do not report that they take no writes."""
    with patch.object(primary, "READ_ONLY", ()):
        before = backends(one.address)
        take_no_writes(store.nodes._reader)
        for _ in range(3):  # several times, because the reader has two connections
            store.nodes.beat(None)
        assert store.rows("SELECT 1") == [(1,)]
        assert ended(before, one.address)


def test_a_read_from_before_the_move_is_read_again(one: Primary, store: PostgresStore) -> None:
    table = store.open_table("AAAAAA", "setup", PLAYING)
    asked = Primary.check

    def moved_meanwhile(self: Primary, db: psycopg.Connection) -> None:
        with patch.object(Primary, "check", asked):
            self.leave(db)
        asked(self, db)

    with (
        patch("pubdice_cluster.reader.WITHIN_S", 0.2),
        patch.object(Primary, "check", moved_meanwhile),
        pytest.raises(NotStored, match="store-unreadable"),
    ):
        store.read(table)
    assert store.read(table) == ["setup"]


def test_a_write_at_the_old_server_counts_once(one: Primary, store: PostgresStore) -> None:
    table, entry = store.open_table("AAAAAA", "setup", PLAYING), Entry(1, 1, ("a",), "ann 1", b"answer")
    asked, left = Primary.check, list[bool]()

    def moved_meanwhile(self: Primary, db: psycopg.Connection) -> None:
        if not left:
            left.append(True)
            self.leave(db)
        asked(self, db)

    assert entry.table == table
    with patch.object(Primary, "check", moved_meanwhile):
        assert store.write(entry) == Repeated(b"answer")
    assert store.read(table) == ["setup", "a"]


def test_an_older_primary_is_refused_by_all_of_a_house(one: Primary) -> None:
    found = history(one)
    behind = Primary(one.address, found._replace(timeline=found.timeline + 1))
    for each in (behind, pickle.loads(pickle.dumps(behind))):
        with pytest.raises(psycopg.OperationalError, match=f"is older than timeline {found.timeline + 1}"):
            each.connect()
        with pytest.raises(psycopg.OperationalError, match="is older"):
            asyncio.run(each.connect_async())
        with (
            patch("pubdice_cluster.reader.WITHIN_S", 0.2),
            closing(PostgresReader(one.address, primary=each)) as reader,
            pytest.raises(NotStored, match="store-unreadable"),
        ):
            reader.rows("SELECT 1")
    with closing(PostgresReader(one.address)) as reader:
        assert reader.rows("SELECT 1") == [(1,)], "a copy that is only checked may be any"
    of_another_cluster = Primary(one.address, History("another", 7))
    of_another_cluster.connect().close()
    assert of_another_cluster.server.endswith(f" timeline {found.timeline}")


def test_a_later_primary_among_the_other_servers_is_gone_over_to(empty_database: str) -> None:
    """In this test one server has two names, and tells of a later timeline under the second one."""
    host, _, rest = empty_database.partition("127.0.0.1:")
    port = rest.partition("/")[0]
    two = Primary(f"{host}127.0.0.1:{port},localhost:{rest}")
    assert two.has_others
    db, query = two.connect(), later(two)
    two.look_further()
    two.check(db)  # passes, because the other server is not later
    with patch.object(primary, "HISTORY", "SELECT 'another cluster', 99"):
        two.look_further()
    two.check(db)
    with patch.object(primary, "HISTORY", query):
        two.look_further()
        with pytest.raises(psycopg.OperationalError, match="moved to another server"):
            two.check(db)
        with closing(db), pytest.raises(psycopg.OperationalError):
            db.execute("SELECT 1")
        with closing(two.connect()) as there:
            assert there.info.host == "localhost", "the one that was left is tried last"
            two.check(there)


def test_a_house_that_starts_tries_all_servers_first(empty_database: str) -> None:
    host, _, rest = empty_database.partition("127.0.0.1:")
    two = Primary(f"{host}127.0.0.1:{rest.partition('/')[0]},localhost:{rest}")
    answers = iter((primary.HISTORY, later(Primary(empty_database))))
    with patch.object(primary, "_history", lambda db: History(*db.execute(next(answers)).fetchall()[0])):
        two.meet()
    assert two.server.startswith("localhost:")
    away = Primary("postgresql://127.0.0.1:9,localhost:9/none")
    away.meet()
    assert not away.server


def test_an_address_with_one_server_looks_no_further(one: Primary) -> None:
    db = one.connect()
    assert not one.has_others
    with patch.object(psycopg, "connect", side_effect=AssertionError("it connects")):
        one.look_further()
    one.check(db)
    db.close()


def test_a_plain_user_is_told_the_timeline(one: Primary) -> None:
    with psycopg.connect(one.address, autocommit=True) as db:
        db.execute("DROP ROLE IF EXISTS plain_house")
        db.execute("CREATE ROLE plain_house LOGIN")
    try:
        plain = Primary(one.address.replace("//house@", "//plain_house@"))
        assert history(plain).timeline > 0
    finally:
        with psycopg.connect(one.address, autocommit=True) as db:
            db.execute("DROP ROLE plain_house")


def test_a_server_that_tells_no_history_is_taken_as_it_is(one: Primary) -> None:
    with patch.object(primary, "HISTORY", "SELECT no_such_function()"):
        with closing(one.connect()) as db:
            one.check(db)
        asyncio.run(_taken(one))
    assert one._latest == NO_HISTORY


async def _taken(one: Primary) -> None:
    async with await one.connect_async() as db:
        await db.execute("SELECT 1")


def test_a_house_waits_for_writes_and_a_check_reads_any_server(one: Primary) -> None:
    PostgresStore(one.address).close()
    address = f"{one.address}?options=-c%20default_transaction_read_only%3Don"
    assert reach(address) > 0
    with pytest.raises(NotStored, match="store-unreachable"):  # with this code, a starting house waits
        reach(address, to_serve=True)
    with pytest.raises(NotStored, match="store-unreachable"):
        PostgresStore(address)
