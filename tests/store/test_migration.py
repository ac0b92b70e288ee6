"""Files of earlier versions migrated: all they hold is there, and a killed migration leaves the file as it was."""

import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from faults.powercut import Disk
from pubdice.core.errors import NotStored
from pubdice.store import SqliteReader, SqliteStore
from pubdice.store.sqlite.schema import VERSIONS

OLD = Path(__file__).parent.parent / "databases" / "house-3.sql"
TRICKY = ("two\nhalves", "back\\slash", "\\n", "", "Zoë 🎲")

Held = tuple[dict[int, list[str]], dict[tuple[int, str], tuple[bytes, bytes]]]
"""Logs by their table, and answers with their bodies by table and key."""


def _version_3(path: Path) -> Held:
    """A file of version 3, and what it holds."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(OLD.read_text(encoding="utf-8"))
        with db:
            lines = [(1, 1_000 + at, line) for at, line in enumerate(TRICKY)]
            [(length,)] = db.execute("SELECT 1 + max(seq) FROM events WHERE table_id = 1").fetchall()
            db.executemany("INSERT INTO events VALUES (?, ? - 1000 + ?, ?)", [(t, s, length, x) for t, s, x in lines])
        logs: dict[int, list[str]] = {}
        for table, line in db.execute("SELECT table_id, line FROM events ORDER BY table_id, seq"):
            logs.setdefault(table, []).append(line)
        answers = {
            (table, key): (a, b) for table, key, a, b in db.execute("SELECT table_id, key, answer, body FROM answers")
        }
    assert len(answers) > 30
    return logs, answers


def _held(reader: SqliteReader, old: Held) -> Held:
    logs = {table: reader.read(table) for table in reader.tables()}
    assert {table: reader.length(table) for table in logs} == {table: len(log) for table, log in logs.items()}
    assert logs[1][3:9] == [line for at in range(3, 9) for line in reader.part(1, at, 1)]
    return logs, {(table, key): (reader.answer(table, key) or b"", b"") for table, key in old[1]}


@pytest.mark.parametrize("migrates", [False, True], ids=["read as it is", "migrated"])
def test_a_file_of_version_3_has_its_logs_and_answers(path: Path, migrates: bool) -> None:
    old = _version_3(path)
    if migrates:
        SqliteStore(path).close()
    with closing(SqliteReader(path)) as reader:
        assert _held(reader, old) == old
        assert reader._rows("PRAGMA user_version") == [(len(VERSIONS) if migrates else 3,)]


@pytest.mark.parametrize("statement", ["INSERT INTO log (table_id, key", "DROP TABLE answers", "COMMIT"])
def test_a_migration_that_is_killed_leaves_the_file_as_it_was(statement: str, path: Path) -> None:
    old = _version_3(path)
    script = f"""
import os, signal, sqlite3
from pathlib import Path
from pubdice.store import SqliteStore

class Killed(sqlite3.Connection):
    def execute(self, statement, *values):
        if statement.startswith({statement!r}):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(statement, *values)

SqliteStore(Path({str(path)!r}), connect=lambda path: sqlite3.connect(path, isolation_level=None, factory=Killed))
"""
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode < 0
    with closing(SqliteReader(path)) as reader:
        assert reader._rows("PRAGMA user_version") == [(3,)]
        assert _held(reader, old) == old
    with closing(SqliteStore(path)) as store:
        assert _held(store, old) == old
        assert store.damage() == []


def test_a_power_cut_in_a_migration_loses_nothing(tmp_path: Path) -> None:
    folder, cut, rng = tmp_path / "house", tmp_path / "cut", random.Random(3)
    folder.mkdir()
    old = _version_3(folder / "house.db")
    disk = Disk(folder)
    SqliteStore(folder / "house.db", connect=disk.connect()).close()
    for _ in range(40):
        shutil.rmtree(cut, ignore_errors=True)
        cut.mkdir()
        for name, data in disk.image(rng.randrange(len(disk.notes) + 1), rng).items():
            (cut / name).write_bytes(data)
        with closing(SqliteStore(cut / "house.db")) as store:
            assert _held(store, old) == old
            assert store.damage() == []


def test_past_damaged_pages_all_other_logs_are_migrated(path: Path) -> None:
    """As before the migration: one damaged log is one table's, and the house opens."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(OLD.read_text(encoding="utf-8"))
        with db:
            tables = [100 + at for at in range(8)]
            rows = [(of, seq, f"{of} {seq} " + "x" * 40) for of in tables for seq in range(500)]
            db.executemany(
                "INSERT INTO tables (id, stage, listed, updated) VALUES (?, 'over', 0, 0)", [(t,) for t in tables]
            )
            db.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
    with closing(SqliteReader(path)) as reader:
        whole = {table: reader.read(table) for table in reader.tables()}
    data = bytearray(path.read_bytes())
    at = data.index(b"104 250 x") // 4096 * 4096
    data[at : at + 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    with closing(SqliteStore(path)) as store:
        read = {table: _log_or_code(store, table) for table in store.tables()}
        assert {table for table in whole if read[table] == "log-damaged"} == {104}
        assert {table: log for table, log in read.items() if table != 104} == {
            table: log for table, log in whole.items() if table != 104
        }
        store.append(103, 500, ["goes on"])
        assert store.damage() != []
    with closing(SqliteReader(path)) as reader:
        assert reader._rows("PRAGMA user_version") == [(len(VERSIONS),)]
        assert reader._rows("SELECT count(*) FROM events WHERE table_id = 103") == [(500,)]


def _log_or_code(store: SqliteStore, table: int) -> list[str] | str:
    try:
        return store.read(table)
    except NotStored as refused:
        return refused.code
