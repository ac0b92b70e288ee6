"""A real PostgreSQL server for the tests, with its data in a folder. Tests can stop and kill it."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import psycopg
import pytest

from support.ports import free_port

GIVEN = "PUBDICE_TEST_POSTGRES"
"""The environment variable with the address of another server to use. Its user must be allowed to create databases."""
QUICK = ("-c", "shared_buffers=32MB", "-c", "max_connections=200")
"""Settings that save memory and connections. They weaken no guarantee of the server."""


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, or None if they are not installed. Debian does not put this folder on
    PATH.
    """
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda file: int(file.parts[-3]))
    on_path = shutil.which("pg_ctl")
    return found[-1].parent if found else Path(on_path).resolve().parent if on_path else None


def user() -> str | None:
    """Return the user that runs the server, or None for the current user. Another user is needed because the server
    refuses to run as root.
    """
    if os.getuid():
        return None
    return next(each.pw_name for name in ("postgres", "nobody") for each in pwd.getpwall() if each.pw_name == name)


class PostgresServer:
    """A server on a port of 127.0.0.1, with its data in ``folder``."""

    def __init__(self, programs: Path, folder: Path, settings: Sequence[str] = QUICK) -> None:
        self._settings, self._programs, self.folder, self.port, self.user = (
            settings,
            programs,
            folder,
            free_port(),
            user(),
        )
        folder.mkdir(mode=0o700)
        if self.user:
            shutil.chown(folder, self.user)
        self.run("initdb", "-D", str(folder), "-U", "house", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    @property
    def address(self) -> str:
        """The address of the server's first database."""
        return f"postgresql://house@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs and assert that it succeeds."""
        done = subprocess.run(
            [self._programs / program, *arguments], user=self.user, cwd="/", capture_output=True, text=True, check=False
        )
        log = self.folder / "server.log"
        said = log.read_text("utf-8")[-2_000:] if log.exists() else ""
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}{said}"

    def start(self) -> None:
        place = ("unix_socket_directories=", f"port={self.port}", "listen_addresses=127.0.0.1")
        settings = " ".join([*(word for each in place for word in ("-c", each)), *self._settings])
        log = str(self.folder / "server.log")
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-t", "60", "-l", log, "-o", settings, "start")

    def stop(self) -> None:
        """Stop the server, which closes all connections."""
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-m", "fast", "stop")

    def end(self) -> None:
        """Stop the server, if it runs."""
        if (self.folder / "postmaster.pid").exists() and Path(f"/proc/{self.processes()[0]}").exists():
            self.run("pg_ctl", "-D", str(self.folder), "-w", "-m", "immediate", "stop")

    def processes(self) -> list[int]:
        """Return the server's processes, the parent first."""
        first = int((self.folder / "postmaster.pid").read_text("ascii").split()[0])
        listed = Path(f"/proc/{first}/task/{first}/children")
        return [first, *map(int, listed.read_text("ascii").split() if listed.exists() else ())]

    def kill(self) -> None:
        """Kill all processes of the server at once, as if the machine had died."""
        first, *_ = processes = self.processes()
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + 20
        while Path(f"/proc/{first}").exists():  # otherwise a new server believes that the old one still runs
            assert time.monotonic() < deadline, "nobody has taken the dead server off the list of processes"
            time.sleep(0.02)


@contextmanager
def database(server: str) -> Iterator[str]:
    """Make an empty database on a server, and yield its address. It is dropped at the end."""
    name = f"test_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}")
    try:
        yield f"{server.rpartition('/')[0]}/{name}"
    finally:
        with psycopg.connect(server, autocommit=True) as db:
            db.execute(f"DROP DATABASE {name} WITH (FORCE)")


def own_programs() -> Path:
    """Return the folder of PostgreSQL's programs. If they are not installed, skip the test."""
    found = programs()
    if found is None:
        message = f"PostgreSQL is not installed, and {GIVEN} names no server"
        if os.environ.get("PUBDICE_CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@contextmanager
def own_server(settings: Sequence[str] = QUICK) -> Iterator[PostgresServer]:
    """Run a server that a test may stop and kill. If PostgreSQL's programs are not installed, skip the test."""
    found = own_programs()
    with TemporaryDirectory(prefix="pubdice-pg-", dir="/tmp") as made:
        Path(made).chmod(0o711)  # the server's own user needs access
        server = PostgresServer(found, Path(made) / "data", settings)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def postgres_running() -> Iterator[str]:
    """Yield the address of the given server, or else of a server that this function runs. If there is neither, skip the
    test.
    """
    if given := os.environ.get(GIVEN):
        yield given
        return
    with own_server() as server:
        yield server.address
