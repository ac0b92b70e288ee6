"""A replica that was behind becomes the database: ``check --against`` says what it never got."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from databases.every_event import spend
from pubdice.store import Entry
from pubdice_cluster.store import PostgresStore
from store.connections import PLAYING
from support.console import pubdice
from support.ports import free_port
from support.postgres import PostgresServer, programs

LATE_MS = 1_800_000_000_000
"""In January 2027, in ms since 1970."""


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A server that can be copied."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    with TemporaryDirectory(prefix="pubdice-pg-", dir="/tmp") as made:
        Path(made).chmod(0o777)  # the server's user makes the copy
        made_server = PostgresServer(found, Path(made) / "data")
        made_server.start()
        try:
            yield made_server
        finally:
            made_server.stop()


@pytest.fixture
def replica(server: PostgresServer) -> Iterator[str]:
    """The address of an asynchronous replica of it."""
    folder, port = server.folder.with_name("replica"), free_port()
    server.run(
        "pg_basebackup", "-h", "127.0.0.1", "-p", str(server.port), "-U", "house", "-R", "-c", "fast", "-D", str(folder)
    )
    settings = f"-c port={port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200"
    log = str(server.folder / "replica.log")
    server.run("pg_ctl", "-D", str(folder), "-w", "-t", "60", "-l", log, "-o", settings, "start")
    try:
        yield f"postgresql://house@127.0.0.1:{port}/postgres"
    finally:
        server.run("pg_ctl", "-D", str(folder), "-w", "-m", "fast", "stop")


def play_on(address: str) -> None:
    """Three moves at one table, and a new table."""
    with closing(PostgresStore(address)) as store:
        seen = store.length(1)
        for more in range(3):
            line = f"{LATE_MS + 1_000 * more} noted"
            store.write(Entry(1, seen + more, (line,), f"ann {more}", b"answer"))
        store.open_table("BRANDN", "setup", PLAYING)


@pytest.mark.nightly
def test_what_a_replica_never_got_is_told(tmp_path: Path, server: PostgresServer, replica: str) -> None:
    spend(tmp_path / "house.db")
    assert pubdice("move-house", str(tmp_path / "house.db"), server.address, data=tmp_path).status == 0
    with psycopg.connect(replica, autocommit=True) as db:
        while (
            db.execute("SELECT to_regclass('tables')").fetchall() == [(None,)]
            or not db.execute("TABLE tables").fetchall()
        ):
            db.execute("SELECT pg_sleep(0.01)")
        told = pubdice("check", "--store", replica, "--against", server.address, data=tmp_path)
        assert (told.status, told.out.count("has everything that")) == (0, 1), told
        db.execute("ALTER SYSTEM SET primary_conninfo = ''")
        db.execute("SELECT pg_reload_conf()")
        while db.execute("SELECT pid FROM pg_stat_wal_receiver").fetchall():
            db.execute("SELECT pg_sleep(0.01)")
        play_on(server.address)
        assert db.execute("SELECT pg_promote()").fetchall() == [(True,)]
    told = pubdice("check", "--store", replica, "--against", server.address, data=tmp_path)
    short, new, last = told.out.splitlines()[1:]
    times = "from 2027-01-15 08:00:00 to 2027-01-15 08:00:02 UTC"
    assert short == f"Table 1 (MDNGHT) lacks its last 3 events, {times}. Table 1 (MDNGHT) lacks 3 answers."
    assert new.endswith("(BRANDN) is missing, with one event.")
    assert (told.status, last.partition(" lacks ")[2]) == (1, "something of 2 tables. Events: 4, answers: 3.")
