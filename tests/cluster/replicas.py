"""A PostgreSQL server with a replica of it, as in a cluster that fails over."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from support.ports import free_port
from support.postgres import PostgresServer, own_programs

NAME = "replica"
"""By which the replica is named in ``synchronous_standby_names``."""


class Replica:
    """A copy of a server that follows it."""

    def __init__(self, server: PostgresServer) -> None:
        self._server, self.port = server, free_port()
        self.folder = server.folder.with_name("replica")
        source = f"host=127.0.0.1 port={server.port} user=house application_name={NAME}"
        server.run("pg_basebackup", "-d", source, "-R", "-c", "fast", "-D", str(self.folder))

    @property
    def address(self) -> str:
        """Of its first database."""
        return f"postgresql://house@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = (
            f"-c port={self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200"
        )
        log = str(self._server.folder / "replica.log")
        self._server.run("pg_ctl", "-D", str(self.folder), "-w", "-t", "60", "-l", log, "-o", settings, "start")

    def stop(self) -> None:
        """End it at once."""
        self._server.run("pg_ctl", "-D", str(self.folder), "-w", "-m", "immediate", "stop")

    def promote(self) -> None:
        """Make it the database that is written to."""
        self._server.run("pg_ctl", "-D", str(self.folder), "-w", "promote")


@contextmanager
def replicated(*, synchronous: bool) -> Iterator[tuple[PostgresServer, Replica]]:
    """A running server and its replica."""
    programs = own_programs()
    with TemporaryDirectory(prefix="pubdice-pg-", dir="/tmp") as made:
        Path(made).chmod(0o777)  # the server's user makes the copy
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
