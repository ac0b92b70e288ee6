"""A PostgreSQL server with a replica, for failovers."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from support.ports import free_port
from support.postgres import PostgresServer, own_programs

NAME = "replica"
"""The replica's name in ``synchronous_standby_names``."""


class Replica:
    """A replica of a server."""

    def __init__(self, server: PostgresServer) -> None:
        self._server, self.port = server, free_port()
        self.folder = server.folder.with_name("replica")
        source = f"host=127.0.0.1 port={server.port} user=house application_name={NAME}"
        server.run("pg_basebackup", "-d", source, "-R", "-c", "fast", "-D", str(self.folder))

    @property
    def address(self) -> str:
        return f"postgresql://house@127.0.0.1:{self.port}/postgres"

    @property
    def both(self) -> str:
        """The address that names both servers, the primary first."""
        hosts = f"127.0.0.1:{self._server.port},127.0.0.1:{self.port}"
        return f"postgresql://house@{hosts}/postgres?target_session_attrs=read-write"

    def start(self) -> None:
        settings = (
            f"-c port={self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200"
        )
        log = str(self._server.folder / "replica.log")
        self._server.run("pg_ctl", "-D", str(self.folder), "-w", "-t", "60", "-l", log, "-o", settings, "start")

    def stop(self) -> None:
        self._server.run("pg_ctl", "-D", str(self.folder), "-w", "-m", "immediate", "stop")

    def promote(self) -> None:
        """Make the replica the primary."""
        self._server.run("pg_ctl", "-D", str(self.folder), "-w", "promote")

    def catch_up(self) -> None:
        """Wait until the replica has everything that the server has written."""
        with psycopg.connect(self._server.address, autocommit=True) as db:
            (written,) = db.execute("SELECT pg_current_wal_lsn()").fetchall()
        with psycopg.connect(self.address, autocommit=True) as db:
            while db.execute("SELECT pg_last_wal_replay_lsn() >= %s", written).fetchall() != [(True,)]:
                db.execute("SELECT pg_sleep(0.02)")


def take_no_writes(address: str) -> None:
    """Make a server read-only, but leave it running. Open connections learn of it with their next answer."""
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        db.execute("SELECT pg_reload_conf()")


def follow(server: PostgresServer, replica: Replica) -> None:
    """Start a stopped server again, as a replica of the server that was promoted."""
    source = f"host=127.0.0.1 port={replica.port} user=house"
    with (server.folder / "postgresql.auto.conf").open("a") as settings:
        settings.write(f"primary_conninfo = '{source}'\n")
    (server.folder / "standby.signal").touch()
    if server.user:
        shutil.chown(server.folder / "standby.signal", server.user)
    server.start()


@contextmanager
def frozen(server: PostgresServer) -> Iterator[None]:
    """Freeze a server's processes with SIGSTOP. The kernel still accepts connections for them."""
    stopped = server.processes()
    try:
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        yield
    finally:
        for pid in stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


@contextmanager
def replicated(*, synchronous: bool) -> Iterator[tuple[PostgresServer, Replica]]:
    """Run a server and a replica of it."""
    programs = own_programs()
    with TemporaryDirectory(prefix="pubdice-pg-", dir="/tmp") as made:
        Path(made).chmod(0o777)  # the copy is made by the server's user, who needs the folder
        server = PostgresServer(programs, Path(made) / "data")
        server.start()
        replica = Replica(server)
        replica.start()
        try:
            if synchronous:
                with psycopg.connect(server.address, autocommit=True) as db:
                    db.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{NAME}'")
                    db.execute("SELECT pg_reload_conf()")
                    while db.execute("SELECT sync_state FROM pg_stat_replication").fetchall() != [("sync",)]:
                        db.execute("SELECT pg_sleep(0.02)")
            yield server, replica
        finally:
            replica.stop()
            server.end()
