"""Tests of the commands ``move-house``, ``backup`` and ``check``, over files and databases, in real processes."""

import os
import shutil
import signal
import sqlite3
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from copied.every_table import with_every_table
from databases.every_event import spend
from pubdice.kit import Kit
from pubdice.server import checks, log_check
from pubdice.store.bundle import KEY
from pubdice.store.sqlite.house_files import bundle_path
from pubdice.store.sqlite.store import SqliteReader
from pubdice_cluster import move_house, reader
from pubdice_cluster.postgres_copy import NAME
from pubdice_cluster.schema import migrate
from support.console import pubdice
from support.started import Started

TABLES = 13
COPIED = ("tables", "log", "heads", "house")
DAMAGED = (
    "CREATE FUNCTION damaged() RETURNS bytea LANGUAGE plpgsql AS"
    " $$BEGIN RAISE EXCEPTION 'invalid page in block 3' USING ERRCODE = 'XX001'; END$$",
    "ALTER TABLE log RENAME TO kept",
    "CREATE VIEW log AS SELECT table_id, seq, key, body, answer,"
    " CASE WHEN table_id IN (3, 6) THEN damaged() ELSE lines END AS lines FROM kept",
)
"""Statements that make reads of two logs fail, as a damaged page would."""


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


def events(file: Path) -> int:
    """Return the number of events in the logs of a file. The first line of each log is not counted, because it sets up
    the table.
    """
    with closing(SqliteReader(file)) as logs:
        return sum(len(logs.read(number)) - 1 for number in logs.tables())


def sound(file: Path) -> str:
    """Return the output that ``check`` gives for this house, or for a complete copy of it."""
    return f"{TABLES} tables are sound, {events(file)} events replayed.\n"


def shown(address: str) -> str:
    return address.replace("house@", "")


def started(*words: str | Path, folder: Path) -> Started:
    return Started(*words, environ={**os.environ, "PUBDICE_DATA": str(folder)})


def crowd(file: Path, times: int) -> None:
    """Add more tables with the same logs."""
    with closing(sqlite3.connect(file)) as db, db:
        for more in range(1, times + 1):
            db.executescript(
                f"INSERT INTO tables SELECT id + {1000 * more}, code || {more}, stage, listed, updated, game, names"
                " FROM tables WHERE id < 1000;"
                "INSERT INTO log (table_id, seq, key, body, lines, answer)"
                f" SELECT table_id + {1000 * more}, seq, key, body, lines, answer FROM log WHERE table_id < 1000;"
                f"INSERT INTO sitting SELECT person, table_id + {1000 * more} FROM sitting WHERE table_id < 1000;"
            )


def test_a_house_moves_to_a_database_and_back(file: Path, empty_database: str) -> None:
    folder, place = file.parent, shown(empty_database)
    told = pubdice("move-house", str(file), empty_database, data=folder)
    same = f"the same in both, {events(file)} events replayed."
    assert (told.status, told.out, told.err) == (0, f"{TABLES} tables moved to {place}: {same}\n", "")
    told = pubdice("check", "--store", empty_database, "--against", str(file), data=folder)
    assert (told.status, told.out) == (0, f"{sound(file)}{place} has everything that {file} has.\n")
    back = folder / "back.db"
    assert pubdice("move-house", empty_database, str(back), data=folder).status == 0
    told = pubdice("check", "--data", str(back), "--against", empty_database, data=folder)
    assert (told.status, told.out) == (0, f"{sound(file)}{back} has everything that {place} has.\n")


def test_a_copy_never_takes_itself_for_a_house(
    file: Path, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connections of a copy have another name than a house's, because the server lists a closed connection
    for a moment.
    """
    connect, names = psycopg.connect, set[str]()

    def noted(address: str, **settings: Any) -> Any:
        names.add(settings["application_name"])
        return connect(address, **settings)

    monkeypatch.setattr(psycopg, "connect", noted)
    folder = file.parent
    assert pubdice("move-house", str(file), empty_database, data=folder).status == 0
    assert pubdice("move-house", empty_database, str(folder / "back.db"), data=folder).status == 0
    assert names == {"pubdice copy"}


def test_a_backup_of_a_database_is_a_house_in_a_file(file: Path, empty_database: str) -> None:
    folder = file.parent
    pubdice("move-house", str(file), empty_database, data=folder)
    for name in ("copy.db", "copy.zip"):
        told = pubdice("backup", str(folder / name), "--store", empty_database, data=folder)
        assert (told.status, told.out, told.err) == (0, f"Copied all tables to {folder / name}.\n", "")
        again = pubdice("backup", str(folder / name), "--store", empty_database, data=folder)
        assert again.status == 1
        assert "never overwrites" in again.err
    told = pubdice("restore", str(folder / "copy.zip"), "--data", str(folder / "restored.db"), data=folder)
    assert told.status == 0, told.err
    for name in ("copy.db", "restored.db"):
        told = pubdice("check", "--data", str(folder / name), "--against", str(file), data=folder)
        assert (told.status, told.out.splitlines()[0]) == (0, sound(file).strip())
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_a_backup_has_the_key_only_with_its_flag(file: Path, empty_database: str) -> None:
    with_every_table(empty_database)
    bundle_path(file, KEY).write_text("5e" * 32 + "\n")
    assert pubdice("move-house", str(file), empty_database, data=file.parent).status == 0
    for words, has_key in (((), False), (("--with-key",), True)):
        target = file.parent / f"{has_key}.zip"
        assert pubdice("backup", *words, str(target), "--store", empty_database, data=file.parent).status == 0
        with zipfile.ZipFile(target) as packed:
            assert (KEY in packed.namelist()) is has_key
    told = pubdice("backup", "--with-key", str(file.parent / "copy.db"), "--store", empty_database, data=file.parent)
    assert told.err == "pubdice backup: The key goes only into a file that ends in .zip.\n"


def test_the_environment_names_the_store(file: Path, empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = file.parent
    monkeypatch.setenv("PUBDICE_STORE", str(file))
    assert pubdice("check", data=folder / "elsewhere").out == sound(file)
    assert pubdice("move-house", str(file), empty_database, data=folder).status == 0
    monkeypatch.setenv("PUBDICE_STORE", empty_database)
    assert pubdice("check", data=folder / "elsewhere").out == sound(file)
    other = pubdice("check", "--data", str(folder / "none.db"), data=folder)
    assert (other.status, "No such file" in other.err) == (1, True)
    assert pubdice("check", "--store", str(file), data=folder).out == sound(file)


def test_a_damaged_log_is_moved_only_with_its_flag(file: Path, empty_database: str) -> None:
    folder = file.parent
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("UPDATE log SET lines = '1763640009000 roll 666666' WHERE table_id = 1 AND seq = 21")
        db.execute("DELETE FROM log WHERE table_id = 3")
    told = pubdice("move-house", str(file), empty_database, data=folder)
    assert told.status == 1
    assert [line.partition(":")[0] for line in told.out.splitlines()] == ["Table 1", "Table 3"]
    assert told.err == "pubdice move-house: Nothing was moved. Add --damaged to move these logs as they are.\n"
    assert pubdice("check", "--store", empty_database, data=folder).out.startswith("0 tables")
    told = pubdice("move-house", "--damaged", str(file), empty_database, data=folder)
    assert (told.status, f"{TABLES} tables moved" in told.out) == (0, True)
    one, two = (pubdice("check", "--store", place, data=folder) for place in (str(file), empty_database))
    assert (one.status, one.out) == (two.status, two.out) == (1, one.out)


def test_what_a_replica_has_lost_is_told_table_by_table(file: Path, empty_database: str) -> None:
    folder, place = file.parent, shown(empty_database)
    pubdice("move-house", str(file), empty_database, data=folder)
    with psycopg.connect(empty_database) as db:
        db.execute("DELETE FROM log WHERE table_id = 1 AND seq > 10")
        db.execute("DELETE FROM tables WHERE id = 2")
        db.execute(
            "DELETE FROM log WHERE table_id = 4 AND key IS NOT NULL AND seq = (SELECT max(seq) FROM log "
            "WHERE table_id = 4)"
        )
        db.execute("UPDATE log SET answer = 'another' WHERE table_id = 5 AND key IS NOT NULL")
    told = pubdice("check", "--store", empty_database, "--against", str(file), data=folder)
    assert (told.status, told.err) == (1, "")
    lines = [line for line in told.out.splitlines() if "Table" in line]
    assert "Table 1 (MDNGHT) lacks its last " in lines[0]
    assert " events, 2025-11-20 12:0" in lines[0]
    assert lines[0].endswith(" answers.")
    assert lines[1].startswith("Table 2 (AGAYNN) is missing, with ")
    assert told.out.splitlines()[-1].startswith(f"{place} lacks something of {len(lines)} tables. Events: ")
    assert len(lines) in (3, 4)


def test_of_many_tables_the_first_are_told(file: Path, empty_database: str) -> None:
    crowd(file, 2)
    pubdice("move-house", str(file), empty_database, data=file.parent)
    with psycopg.connect(empty_database) as db:
        db.execute("TRUNCATE tables, log")
    told = pubdice("check", "--store", empty_database, "--against", str(file), data=file.parent)
    first, *lines, more, last = told.out.splitlines()
    assert (told.status, first, len(lines), more) == (
        1,
        "0 tables are sound, 0 events replayed.",
        20,
        "And 19 more tables.",
    )
    assert all(" is missing, with " in line for line in lines)
    assert f"39 tables. Events: {events(file) + 39}" in last


def killed(process: Started, due: Callable[[], bool]) -> bool:
    """Kill a process once ``due`` returns True. Return True if the process was still running."""
    try:
        while process.poll() is None and not due():
            time.sleep(0.001)
    finally:
        process.kill()
    process.communicate(timeout=60)
    return process.returncode == -signal.SIGKILL


SLOW = (
    "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.001); RETURN NEW; END $$",
    "CREATE TRIGGER slow BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION slow()",
)
"""Statements that make a copy of the log take seconds, so the test can kill it in time."""


@pytest.mark.parametrize("doing", ["COPY log", pytest.param("FETCH", marks=pytest.mark.nightly)])
def test_a_copy_into_a_database_that_is_killed_leaves_nothing(file: Path, empty_database: str, doing: str) -> None:
    crowd(file, 3 if doing == "COPY log" else 20)  # with the slow statements, each line of a log takes a millisecond
    query = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'pubdice copy' AND starts_with(query, %s)"
    migrate(empty_database)
    with psycopg.connect(empty_database, autocommit=True) as db:
        if doing == "COPY log":
            for statement in SLOW:
                db.execute(statement)
        process = started("move-house", file, empty_database, folder=file.parent)
        was = killed(process, lambda: bool(db.execute(query, (doing,)).fetchall()))
        until = time.monotonic() + 20
        while db.execute(query, ("",)).fetchall():
            assert time.monotonic() < until
            time.sleep(0.01)
        found = [db.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in COPIED]
        assert was
        assert found == [0, 0, 0, 0]
        db.execute("DROP TRIGGER IF EXISTS slow ON log")
    assert pubdice("move-house", str(file), empty_database, data=file.parent).status == 0


@pytest.mark.parametrize("damaged", [[], ["--damaged"]])
def test_a_server_that_ends_a_move_is_told_once(
    file: Path, empty_database: str, damaged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(file, 5)
    read = list[int]()

    def verify(log: Iterable[str], games: Mapping[str, Kit]) -> int:
        if len(read) == 3:
            with psycopg.connect(empty_database, autocommit=True) as db:
                db.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", (NAME,)
                )
        read.append(log_check.verify(log, games))
        return read[-1]

    monkeypatch.setattr(move_house, "verify", verify)
    done = pubdice("move-house", str(file), empty_database, *damaged, data=file.parent)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert shown(empty_database) in done.err
    with psycopg.connect(empty_database, autocommit=True) as db:
        assert db.execute("SELECT 1 FROM tables").fetchall() == []


def test_a_server_that_is_gone_during_a_check_is_told_once(
    file: Path, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pubdice("move-house", str(file), empty_database, data=file.parent).status == 0

    def verify(log: Iterable[str], games: Mapping[str, Kit]) -> int:
        server, _, name = empty_database.rpartition("/")
        with psycopg.connect(f"{server}/postgres", autocommit=True) as db:
            db.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        return log_check.verify(log, games)

    monkeypatch.setattr(checks, "verify", verify)
    monkeypatch.setattr(reader, "WITHIN_S", 0.2)
    done = pubdice("check", "--store", empty_database)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert shown(empty_database) in done.err


def test_a_damaged_page_of_a_database_is_one_tables_fault(file: Path, empty_database: str) -> None:
    assert pubdice("move-house", str(file), empty_database, data=file.parent).status == 0
    with psycopg.connect(empty_database, autocommit=True) as db:
        for statement in DAMAGED:
            db.execute(statement)
    done = pubdice("check", "--store", empty_database)
    assert (done.status, done.err) == (1, "")
    *wrong, last = done.out.splitlines()
    assert [line.partition(":")[0] for line in wrong] == ["Table 3", "Table 6"]
    assert all("invalid page in block 3" in line for line in wrong)
    assert last.startswith(f"{TABLES - 2} tables are sound")


@pytest.mark.parametrize("least", [1, 600_000])
def test_a_copy_into_a_file_that_is_killed_leaves_nothing(file: Path, least: int) -> None:
    crowd(file, 20)
    target = file.parent / "new" / "copy.db"

    staged = target.with_name("copy.db.new.copy.db")

    def due() -> bool:
        return staged.exists() and staged.stat().st_size >= least

    assert killed(started("move-house", file, target, folder=file.parent), due)
    assert not target.exists()
    assert pubdice("check", "--data", str(target), data=file.parent).status == 1
    assert pubdice("move-house", str(file), str(target), data=file.parent).status == 0
    assert {path.name for path in target.parent.iterdir()} == {"copy.db", "copy.db.lock"}


def test_no_folder_is_made_for_a_house_that_is_not_there(tmp_path: Path) -> None:
    lost, target = tmp_path / "no" / "x.db", tmp_path / "new" / "x.db"
    told = pubdice("move-house", str(lost), str(target), data=tmp_path)
    assert (told.status, told.err.count("\n")) == (1, 1)
    assert told.err.startswith("pubdice move-house: Couldn't ")
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_the_target_is_made(file: Path) -> None:
    target = file.parent / "new" / "two" / "x.db"
    told = pubdice("move-house", str(file), str(target), data=file.parent)
    assert (told.status, told.err, target.is_file()) == (0, "", True)


def test_restore_refuses_a_database_and_says_the_way(file: Path, tmp_path: Path) -> None:
    """The command never connects, so the test needs no database."""
    told = pubdice("restore", str(file), "--store", "postgresql://me:secret@127.0.0.1:1/pub", data=tmp_path)
    assert (told.status, told.out) == (1, "")
    assert told.err == (
        "pubdice restore: restore writes to a file, not to postgresql://127.0.0.1:1/pub: name one with --data, and "
        "pubdice move-house copies it there.\n"
    )
