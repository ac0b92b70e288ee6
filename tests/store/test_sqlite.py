"""The house's file: opened again, kept to one house, refused, damaged, brought forward. At what cost it is read."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from contracts.test_house_stores import ordered_as
from pubdice.core.errors import NotStored
from pubdice.store import Entry, Outcome, SqliteReader, SqliteStore, Stored, copy
from pubdice.store.sqlite import schema
from pubdice.store.sqlite.store import insert_decided, insert_expected
from store.connections import code, entry, table


def test_the_first_setting_of_a_name_stays(store: SqliteStore) -> None:
    assert store.setting("secret") is None
    assert store.settle("secret", b"\0one") == b"\0one"
    assert store.settle("secret", b"two") == b"\0one"
    assert store.setting("secret") == b"\0one"


def test_a_house_opened_again_has_everything(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        of = table(store)
        store.write(entry(of, 1, "a", key="key"))
        store.settle("secret", b"one")
    with closing(SqliteStore(path)) as store:
        assert (store.read(of), store.answer(of, "key"), store.find("ABCDEF")) == (["setup", "a"], b"answer to key", of)
        assert store.setting("secret") == b"one"
        assert store.write(entry(of, 2, "b")) == Stored(3)


@pytest.mark.skipif(os.name != "posix", reason="file modes and locks of posix")
def test_nobody_else_may_read_the_file(store: SqliteStore, path: Path) -> None:
    table(store)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert len(modes) == 4
    assert set(modes.values()) == {0o600}


@pytest.mark.skipif(os.name != "posix", reason="file modes and locks of posix")
def test_a_second_house_on_the_file_is_refused(path: Path) -> None:
    script = (
        f"from pathlib import Path; from pubdice.store import SqliteStore; SqliteStore(Path({str(path)!r})).close()"
    )
    first = SqliteStore(path)
    of = table(first)
    assert code(lambda: SqliteStore(path)) == "store-in-use"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert b"store-in-use" in told.stderr
    assert first.write(entry(of, 1, "a")) == Stored(2)
    first.close()
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode == 0


def test_a_closed_house_is_one_file_and_its_lock(store: SqliteStore, path: Path) -> None:
    table(store)
    store.close()
    assert sorted(file.name for file in path.parent.iterdir()) == ["house.db", "house.db.lock"]
    store.close()


def test_a_reader_sees_a_running_house_and_what_it_writes(store: SqliteStore, path: Path) -> None:
    of = table(store)
    with closing(SqliteReader(path)) as reader:
        assert reader.read(of) == ["setup"]
        store.append(of, 1, ["a"])
        assert reader.read(of) == ["setup", "a"]
        assert reader.damage() == []


def test_a_reader_does_not_make_a_house(path: Path) -> None:
    assert code(lambda: SqliteReader(path)) == "store-unreadable"
    assert not path.exists()
    path.touch()
    assert code(lambda: SqliteReader(path)) == "store-unreadable"


def _another_programs(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE notes (text)")


def _newer(path: Path) -> None:
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute(f"PRAGMA user_version = {len(schema.VERSIONS) + 1}")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: path.write_text("Dear diary, " * 1000), "store-unreadable"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + b"\xff" * 9_000), "store-unreadable"),
        (_another_programs, "store-unreadable"),
        (_newer, "store-newer"),
    ],
    ids=["a text", "a damaged head", "another program's", "a newer house's"],
)
def test_a_file_of_no_house_of_this_version_is_left_alone(make: object, why: str, path: Path) -> None:
    assert callable(make)
    make(path)
    before = path.read_bytes()
    assert code(lambda: SqliteStore(path)) == why
    assert code(lambda: SqliteReader(path)) == why
    assert code(lambda: copy(path, path.with_name("copy.db"))) == why
    assert path.read_bytes() == before


def _small(pages: int) -> Callable[[str], sqlite3.Connection]:
    """Connections to files that have room for so many pages."""

    def connect(path: str) -> sqlite3.Connection:
        db = schema.exclusive(path)
        db.execute(f"PRAGMA max_page_count = {pages}").fetchall()
        return db

    return connect


@pytest.mark.parametrize("breaks", [sqlite3.OperationalError, sqlite3.DatabaseError, OSError])
def test_a_file_that_could_not_be_made_is_made_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, breaks: type[Exception]
) -> None:
    path = tmp_path / "house.db"
    for pages in (1, 5, 10):
        assert code(lambda: SqliteStore(path, connect=_small(pages))) == "store-unwritable"  # noqa: B023
        assert list(tmp_path.iterdir()) == []

    def cut_short(*_: object) -> None:
        path.write_bytes(b"SQLite format 3\0 and no room for more")
        raise breaks("no more")

    with monkeypatch.context() as patched:
        patched.setattr("pubdice.store.sqlite.store.migrate", cut_short)
        assert code(lambda: SqliteStore(path)) == "store-unwritable"
    assert list(tmp_path.iterdir()) == []
    SqliteStore(path).close()


@pytest.mark.parametrize("where", ["file/house.db", "folder"])
def test_a_place_that_cannot_be_a_file_is_refused(where: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    assert code(lambda: SqliteStore(tmp_path / where)) == "store-unwritable"


@pytest.mark.parametrize("folder", ["/", "."])
def test_a_folder_without_a_name_is_refused_as_any_other(folder: str, path: Path) -> None:
    assert code(lambda: SqliteStore(Path(folder))) == "store-unwritable"
    SqliteStore(path).close()
    assert code(lambda: copy(path, Path(folder))) == "backup-exists"


def test_damaged_logs_are_said_and_the_others_are_read(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        tables = [table(store, letter * 6) for letter in "ABCDEFGH"]
        for of in tables:
            store.append(of, 1, ["x" * 40] * 500)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    with closing(SqliteStore(path)) as store:
        told = [_whole_or_why(store, of) for of in tables]
        assert {"log-damaged", "whole"} == set(told)
        outcomes: SimpleQueue[Outcome] = SimpleQueue()
        for of in tables:
            store.submit([(entry(of, 501, "b"), outcomes.put)])
        written = [outcomes.get(timeout=10) for _ in tables]
        assert all(isinstance(outcome, Stored) or outcome.code == "log-damaged" for outcome in written)  # type: ignore[union-attr]
        assert sum(isinstance(outcome, Stored) for outcome in written) >= told.count("whole")
        assert store.damage() != []


def _whole_or_why(store: SqliteStore, of: int) -> str:
    try:
        return "whole" if store.read(of) == ["setup", *["x" * 40] * 500] else "changed"
    except NotStored as refused:
        return refused.code


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM log WHERE seq = 1",
        "DELETE FROM log WHERE seq = 2",
        "UPDATE log SET lines = x'ff' WHERE seq = 2",
        "UPDATE log SET lines = CAST(x'ff' AS TEXT) WHERE seq = 2",
        "UPDATE log SET lines = NULL WHERE seq = 4",
        "UPDATE log SET lines = 'b' WHERE seq = 4",
        "UPDATE log SET lines = 'b' || char(10) || 'c' || char(10) || 'd' WHERE seq = 4",
        "UPDATE log SET seq = 7 WHERE seq = 4",
    ],
)
def test_a_log_with_a_hole_or_without_text_is_damaged(change: str, path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        of = table(store)
        store.append(of, 1, ["a"])
        store.append(of, 2, ["b", "c"])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(change)
    with closing(SqliteStore(path)) as store:
        assert code(lambda: store.read(of)) == "log-damaged"


def test_an_older_file_is_brought_forward_with_all_it_holds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(SqliteStore(path)) as store:
        of = table(store)
    more = ("ALTER TABLE tables ADD COLUMN mood TEXT", "CREATE INDEX moods ON tables (mood)")
    monkeypatch.setattr(schema, "VERSIONS", (*schema.VERSIONS, more, ("UPDATE tables SET mood = 'merry'",)))
    assert code(lambda: _fail_to_bring_forward(path, monkeypatch)) == "store-unwritable"
    for _ in range(2):
        with closing(SqliteStore(path)) as store:
            assert store.read(of) == ["setup"]
            assert store._rows("SELECT mood FROM tables") == [("merry",)]
            assert store._rows("PRAGMA user_version") == [(len(schema.VERSIONS),)]


def _fail_to_bring_forward(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(schema, "VERSIONS", (*schema.VERSIONS, ("CREATE TABLE nonsense (", "never")))
        SqliteStore(path)


def test_an_empty_file_becomes_a_house(path: Path) -> None:
    path.touch()
    with closing(SqliteStore(path)) as store:
        assert table(store) == 1


def test_a_key_whose_table_was_deleted_opens_another(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        ordered_as(store, "AAAAAA", "ann one")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM log")
        db.execute("DELETE FROM tables")
    with closing(SqliteStore(path)) as store:
        assert store.ordered("ann one") is None
        assert [ordered_as(store, code, "ann one") for code in ("BBBBBB", "CCCCCC")] == ["BBBBBB", "BBBBBB"]


@pytest.mark.parametrize(
    ("ask", "index"),
    [
        (lambda store: store.lobby(20), "lobby"),
    ],
    ids=["the lobby"],
)
def test_a_list_is_read_from_its_own_index_and_needs_no_sorting(path: Path, ask: Any, index: str) -> None:
    asked: list[tuple[str, Any]] = []

    class Watched(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            asked.append((statement, values))
            return super().execute(statement, *values)

    def watched(path: str) -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Watched)

    with closing(SqliteStore(path)) as store:
        table(store)
    with closing(SqliteReader(path, connect=watched)) as reader:
        asked.clear()
        ask(reader)
        [(statement, values)] = asked
        plan = [row[3] for row in reader._connection().execute(f"EXPLAIN QUERY PLAN {statement}", *values).fetchall()]
    assert len(plan) == 1
    assert f"USING INDEX {index}" in plan[0]


def test_a_copy_made_under_load_is_whole_and_a_prefix(store: SqliteStore, path: Path) -> None:
    tables = [table(store, letter * 6) for letter in "ABCD"]
    copied, told = path.with_name("copy.db"), list[Outcome]()
    well_under_way, stop = threading.Event(), threading.Event()

    def load() -> None:
        at = 0
        while not stop.is_set():
            at += 1
            for of in tables[:-1]:
                store.submit([(entry(of, at, f"line {at}", key=f"{at}"), told.append)])
            store.write(entry(tables[-1], at, f"line {at}", key=f"{at}"))
            if at == 200:
                well_under_way.set()

    thread = threading.Thread(target=load)
    thread.start()
    assert well_under_way.wait(10)
    before = [store.read(of) for of in tables]
    store.backup(copied)
    stop.set()
    thread.join()
    assert not (path.parent / "copy.db-wal").exists()
    assert not (path.parent / "copy.db.part").exists()
    with closing(SqliteStore(copied)) as other:
        assert other.damage() == []
        for of, earlier in zip(tables, before, strict=True):
            log = other.read(of)
            assert log[: len(earlier)] == earlier
            assert log == store.read(of)[: len(log)]
            assert other.answer(of, f"{len(log) - 1}") == f"answer to {len(log) - 1}".encode()
            assert other.write(entry(of, len(log), "goes on")) == Stored(len(log) + 1)


def test_a_copy_writes_over_nothing(store: SqliteStore, path: Path) -> None:
    mine = path.with_name("mine")
    mine.write_text("mine")
    assert code(lambda: store.backup(mine)) == "backup-exists"
    assert mine.read_text() == "mine"
    assert code(lambda: store.backup(path.with_name("not there") / "copy.db")) == "store-unwritable"
    assert code(lambda: store.backup(path)) == "backup-exists"


def test_a_running_house_is_copied_from_another_process(store: SqliteStore, path: Path) -> None:
    of, copied = table(store), path.with_name("copy.db")
    script = "import sys; from pathlib import Path; from pubdice.store import copy; copy(*map(Path, sys.argv[1:]))"
    subprocess.run([sys.executable, "-c", script, str(path), str(copied)], check=True)
    assert store.write(entry(of, 1, "a")) == Stored(2)
    with closing(SqliteReader(copied)) as reader:
        assert reader.read(of) == ["setup"]
    assert stat.S_IMODE(copied.stat().st_mode) == 0o600


def test_no_statement_of_a_group_reads_more_than_it_needs(store: SqliteStore, path: Path) -> None:
    """All go by an index, however many appends and idempotency keys there are."""
    for name in ("AAAAAA", "BBBBBB", "CCCCCC"):
        table(store, name)
    asked: list[tuple[str, list[object]]] = []

    class Watched(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if "FROM" in statement:
                asked.append((statement, list(*values)))
            return super().execute(statement, *values)

    store.close()
    group = [Entry(of, 1, ("x",), f"person {of}", b"{}") for of in (1, 2, 3)]
    with closing(sqlite3.connect(path, factory=Watched, isolation_level=None)) as db:
        assert insert_expected(db, group) == [Stored(2)] * 3
        assert len(asked) == 1, "a group that is expected is one statement"
        assert insert_expected(db, group) is None
        insert_decided(db, group)
        assert len(asked) == 3, "what a group is decided by is asked for in one statement"
        plans, asked = asked, []
        for statement, values in plans:
            plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
            assert not [step for step in plan if step.startswith(("SCAN log", "SCAN tables"))], plan
            assert [step for step in plan if "USING INDEX keys" in step], plan
