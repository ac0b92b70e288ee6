"""Tests of docs/host/cluster.md: its commands make the role and the database, and a house can serve from them."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import httpx
import psycopg
import pytest

from support.house_process import House
from support.paths import TESTS
from support.postgres import PostgresServer, own_server

PAGE = (TESTS.parent / "docs/host/cluster.md").read_text("utf-8")
PASSWORD = "correct horse battery staple"
OTHER = "postgresql://other@127.0.0.1:{port}/{name}"
SUDO = """#!/bin/sh
[ "$1 $2" = "-u postgres" ] || exit 2
shift 2
exec "$@"
"""
LET_IN = "host all house,other 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"


def steps() -> list[str]:
    """Return the commands of docs/host/cluster.md that make the role and the database, one for each line."""
    (block,) = re.findall(r"<!-- the role and the database: .*?-->\n```\n(.*?)```", PAGE, re.DOTALL)
    return str(block).splitlines()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PostgresServer]:
    """A server with a superuser, and with another role that may have databases there."""
    with own_server() as found:
        (found.folder / "pg_hba.conf").write_text(LET_IN, "ascii")
        found.run("pg_ctl", "-D", str(found.folder), "reload")
        with psycopg.connect(found.address, autocommit=True) as db:
            db.execute("CREATE ROLE other LOGIN")
        yield found


def follow(server: PostgresServer, folder: Path, lines: list[str]) -> None:
    """Run lines of the page unchanged. Instead of sudo, a script runs them as the server's superuser."""
    (folder / "sudo").write_text(SUDO, "ascii")
    (folder / "sudo").chmod(0o700)
    environ = {"PATH": f"{folder}:{Path(which('psql') or '/usr/bin/psql').parent}:/usr/bin:/bin"}
    environ |= {"PGHOST": "127.0.0.1", "PGPORT": str(server.port), "PGUSER": "house", "PGDATABASE": "postgres"}
    for line in lines:
        typed = f"{PASSWORD}\n{PASSWORD}\n" if "--pwprompt" in line else ""
        # The new session has no terminal. So the program reads the password from stdin instead of prompting for it.
        done = subprocess.run(
            ["sh", "-c", line],
            input=typed,
            env=environ,
            text=True,
            capture_output=True,
            check=False,
            start_new_session=True,
        )
        assert done.returncode == 0, done.stderr


def may_notify(server: PostgresServer) -> bool:
    """Return True if the other role can connect to the houses' database and send false hints."""
    try:
        with psycopg.connect(OTHER.format(port=server.port, name="pubdice"), autocommit=True) as db:
            db.execute("SELECT pg_notify('pubdice_grown', '1 1:999999999')")
    except psycopg.OperationalError as error:
        if "permission denied for database" not in str(error):
            raise
        return False
    return True


def test_the_steps_of_the_page_make_a_database_for_a_house(
    server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = steps()
    assert [line.split()[3] for line in lines] == ["createuser", "createdb", "psql"]
    follow(server, tmp_path, lines[:2])
    assert may_notify(server), "as PostgreSQL makes it"
    follow(server, tmp_path, lines[2:])
    assert not may_notify(server)
    (form,) = re.findall(r"^PUBDICE_STORE=(.*PASSWORD.*)$", PAGE, re.MULTILINE)
    store = form.replace("PASSWORD", PASSWORD.replace(" ", "%20")).replace("db.example", f"127.0.0.1:{server.port}")
    assert os.environ.get("PUBDICE_STORE") is None
    monkeypatch.setenv("PUBDICE_STORE", store)
    with psycopg.connect(store) as db:
        role = db.execute(
            "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles"
            " WHERE rolname = current_user"
        ).fetchone()
        assert role == (False,) * 5
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(store.replace("battery", "nail"))
    with House(tmp_path) as house:
        order = {"game": "midnight", "name": "Ann", "people": 1, "key": "0123456789abcdef"}
        opened = httpx.post(f"http://127.0.0.1:{house.port}/tables", json=order)
        assert opened.status_code == 201, opened.text
        assert httpx.get(f"http://127.0.0.1:{house.port}/ready").status_code == 200
    with House(tmp_path) as house:
        again = httpx.get(f"http://127.0.0.1:{house.port}/t/{opened.json()['code']}/state")
        assert again.status_code == 200, "it is in the database"
    assert not (tmp_path / "house.db").exists()
