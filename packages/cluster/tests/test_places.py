"""Tests of database addresses and servers: each fault has a sentence, which never contains the password."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from databases.every_event import spend
from pubdice.server.findings import Patient, Urgency
from pubdice.server.teller import trouble
from pubdice.text.catalogues import language
from pubdice_cluster.place import PostgresPlace, read_address
from pubdice_cluster.schema import VERSIONS, migrate
from pubdice_cluster.store import PostgresStore
from support.console import pubdice
from support.postgres import PostgresServer, database, programs
from test_moving import sound, started


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house after an evening of play."""
    data = tmp_path_factory.mktemp("evening") / "house.db"
    spend(data)
    return data


@pytest.fixture
def file(evening: Path, tmp_path: Path) -> Path:
    """A copy of the evening's house for one test."""
    return Path(shutil.copy(evening, tmp_path))


@pytest.fixture(scope="module")
def guarded() -> Iterator[PostgresServer]:
    """A server that asks one of its users for a password."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    with TemporaryDirectory(prefix="pubdice-pg-", dir="/tmp") as made:
        Path(made).chmod(0o711)
        server = PostgresServer(found, Path(made) / "data")
        rules = server.folder / "pg_hba.conf"
        rules.write_text("host all asked 127.0.0.1/32 scram-sha-256\n" + rules.read_text(encoding="utf-8"))
        server.start()
        try:
            with psycopg.connect(server.address, autocommit=True) as db:
                db.execute("CREATE USER asked PASSWORD 'geheim'")
                db.execute("CREATE USER guest")
            yield server
        finally:
            server.stop()


@contextmanager
def prepared(server: PostgresServer, *statements: str, house: bool = False) -> Iterator[str]:
    """Make a database, run these statements in it, and yield its address. If ``house``, migrate it first."""
    with database(server.address) as address:
        if house:
            migrate(address)
        with psycopg.connect(address) as db:
            for statement in statements:
                db.execute(statement)
        yield address


FULL = (
    "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$",
    "CREATE TRIGGER full_disk BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION full_disk()",
)


@pytest.fixture
def cases(file: Path, guarded: PostgresServer) -> Iterator[dict[tuple[str, ...], str]]:
    """Command lines, each with a part of the sentence that it must print."""
    folder, host = file.parent, f"127.0.0.1:{guarded.port}"
    newer = f"UPDATE pubdice_version SET version = {len(VERSIONS) + 1}"
    with (
        prepared(guarded, "CREATE TABLE posts (id int)") as foreign,
        prepared(guarded) as empty,
        prepared(guarded, newer, house=True) as later,
        prepared(guarded, *FULL, house=True) as full,
    ):
        name = empty.rpartition("/")[2]
        checked = {
            f"postgresql://asked:se%40cret@{host}/{name}": f"{host}/{name} refuses that user or that",
            f"postgresql://asked@{host}/{name}": f"{host}/{name} refuses that user or that",
            f"postgresql://nobody@{host}/{name}": f"{host}/{name} refuses that user or that",
            "postgresql://me:secret@nohost.invalid/x": "no such host: postgresql://nohost.invalid/x.",
            "postgresql://me:secret@127.0.0.1:1/x": "127.0.0.1:1/x doesn't answer (",
            "postgresql://me:se/cret@host/x": "no address of a database.",
            "postgresql://me:se@cret@host/x": "no address of a database.",
            "postgresql://me:se%cret@host/x": "no address of a database.",
            "mysql://me:secret@host/x": "no address of a database.",
            f"postgres://house@{host}/none": f"no such database: postgresql://{host}/none.",
            empty: f"no house in postgresql://{host}/{name}.",
            foreign: "holds tables of another program.",
            later: "was written by a newer pubdice.",
        }
        yield {("check", "--store", place): said for place, said in checked.items()} | {
            ("move-house", str(file), later): "was written by a newer pubdice.",
            ("move-house", str(file), foreign): "holds tables of another program.",
            ("move-house", str(file), f"postgresql://guest@{host}/{name}"): "That user may not do that in ",
            ("move-house", str(file), full): "no room left for ",
            ("move-house", str(folder / "none.db"), empty): "none.db (No such file or directory).",
            ("check", "--data", str(file), "--against", empty): "no house in ",
        }


def test_faults_are_one_sentence(file: Path, cases: dict[tuple[str, ...], str]) -> None:
    for words, said in cases.items():
        told = pubdice(*words, data=file.parent)
        assert said in told.err, (words, told.err)
        assert (told.status, told.err.count("\n"), "cret" in told.err) == (1, 1, False)
    for words in list(cases)[:3]:
        process = started(*words, folder=file.parent)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, cases[words] in err, err.count("\n")) == (1, "", True, 1)


def test_without_the_driver_a_sentence_says_what_to_install(file: Path) -> None:
    script = "import sys; sys.modules['psycopg'] = None; from pubdice.cli import main; sys.exit(main(sys.argv[1:]))"
    words: Sequence[str] = (sys.executable, "-c", script, "check", "--store")
    environ = {**os.environ, "PUBDICE_DATA": str(file.parent)}
    done = subprocess.run([*words, "postgresql://h/x"], capture_output=True, text=True, check=False, env=environ)
    assert (done.returncode, done.stderr) == (1, "pubdice check: To use PostgreSQL install pubdice[cluster].\n")
    assert subprocess.run(
        [*words, str(file)], capture_output=True, text=True, check=False, env=environ
    ).stdout == sound(file)


ENGLISH = language("en")
PATIENT = Patient("127.0.0.1", 1, "", None, 0, ENGLISH, lambda error: trouble(ENGLISH, error))


def said(place: PostgresPlace, urgency: Urgency) -> list[str]:
    return [each.said for each in place.examine(PATIENT) if each.urgency is urgency]


def wrong(place: PostgresPlace) -> list[str]:
    return said(place, Urgency.WRONG)


def looks(place: PostgresPlace) -> list[str]:
    return said(place, Urgency.LOOK)


def test_a_database_that_takes_no_writes_is_wrong(empty_database: str) -> None:
    PostgresStore(empty_database).close()
    place = read_address(empty_database)
    assert (wrong(place), looks(place)) == ([], [])
    name = empty_database.rpartition("/")[2]
    with psycopg.connect(empty_database, autocommit=True) as db:
        db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
    (found,) = wrong(place)
    assert (
        found == f"The database {place} answers, but takes no writes: it is a replica or read-only. Name the primary."
    )


def test_an_address_of_several_servers_asks_for_the_primary(empty_database: str) -> None:
    PostgresStore(empty_database).close()
    before, _, rest = empty_database.partition("127.0.0.1:")
    two = f"{before}127.0.0.1:{rest.partition('/')[0]},localhost:{rest}"
    (found,) = looks(read_address(two))
    assert "names several servers. Add ?target_session_attrs=read-write, or backup" in found
    assert looks(read_address(f"{two}?target_session_attrs=read-write")) == []
