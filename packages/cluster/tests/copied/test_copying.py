"""Tests of copies between files and databases: the copy has the same bytes, counts as a whole or not at all, and
reveals what an earlier copy has lost.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Timer

import psycopg
import pytest

from copied.copied_houses import (
    PLAYING,
    TRICKY,
    address_of,
    everything,
    move,
    open_rows,
    open_store,
    open_target,
    reads,
)
from pubdice.core.errors import NotStored
from pubdice.store import Entry, Repeated, SqliteStore, Stored
from pubdice.store.bundle import BOOK, KEY, OPENED
from pubdice.store.players_book import BookPlayer
from pubdice.store.sqlite.house_files import bundle_path
from pubdice.store.sqlite.players import PlayersFile
from pubdice_cluster.copying import copy_rows
from pubdice_cluster.house_tables import HOUSE, LOG, HouseTable, SqlRow
from pubdice_cluster.place import PostgresPlace
from store.connections import code
from support.paths import TESTS

pytestmark = pytest.mark.usefixtures("patient_database")


def test_a_house_is_the_same_in_a_file_a_database_and_a_file(
    file: Path, database: PostgresPlace, tmp_path: Path
) -> None:
    again = tmp_path / "again" / "house.db"
    again.parent.mkdir()
    move(file, database)
    move(database, again)
    first, there, back = everything(file), everything(database), everything(again)
    assert {name: rows for name, rows in there.items() if first[name] != rows} == {}
    assert {name: rows for name, rows in there.items() if back[name] != rows} == {}
    assert reads(file) == reads(database) == reads(again)
    assert [path.name for path in again.parent.iterdir() if ".new." in path.name or "replacing" in path.name] == []


def test_a_file_is_copied_with_all_that_lies_beside_it(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    assert move(file, other) == ()
    assert everything(file) == everything(other)
    assert bundle_path(other, KEY).read_text() == bundle_path(file, KEY).read_text()
    assert bundle_path(other, KEY).stat().st_mode & 0o777 == 0o600
    with closing(PlayersFile(bundle_path(other, BOOK))) as book:
        assert book.export(1)["browsers"] == [{"person": "the Queen of Diamonds' phone", "since": 0}]


def test_a_copy_has_the_last_opened_seal_of_each_chain(file: Path, database: PostgresPlace, tmp_path: Path) -> None:
    with bundle_path(file, OPENED).open("a") as more:
        more.write("0011223344556677/9\n0011223344556677/7\nffff/1\n00112233")
    move(file, database)
    assert everything(database)["opened_seals"] == [("0011223344556677", 9), ("ffff", 1)]
    with psycopg.connect(address_of(database)) as db:
        db.execute("INSERT INTO opened_seals (chain, number) VALUES ('ffff', 4), ('ffff', 3)")
    move(database, tmp_path / "back.db")
    assert bundle_path(tmp_path / "back.db", OPENED).read_text() == "0011223344556677/9\nffff/4\n"


def test_no_number_of_a_player_is_given_twice(file: Path, database: PostgresPlace, tmp_path: Path) -> None:
    with closing(PlayersFile(bundle_path(file, BOOK))) as book:
        book.erase(2)
    move(file, database)
    move(database, tmp_path / "back.db")
    with psycopg.connect(address_of(database)) as db:
        query = "INSERT INTO players (joined) VALUES (1) RETURNING id"
        assert db.execute(query).fetchall() == [(3,)]
    with closing(PlayersFile(bundle_path(tmp_path / "back.db", BOOK))) as book:
        book.begin("third", 7)
        assert book.player_of("third") == BookPlayer(3, 1)


def test_a_copy_keeps_what_only_the_database_has(file: Path, database: PostgresPlace) -> None:
    for name in (BOOK, KEY, OPENED):
        bundle_path(file, name).unlink()
    with psycopg.connect(address_of(database)) as db:
        db.execute("INSERT INTO book SELECT 'salt', 'salt' WHERE NOT EXISTS (SELECT 1 FROM book)")
        salt = db.execute("SELECT name, value FROM book").fetchall()
    move(file, database)
    assert everything(database)["book"] == salt


def test_a_timeout_of_the_server_ends_no_copy(file: Path, database: PostgresPlace) -> None:
    with psycopg.connect(address_of(database), autocommit=True) as db:
        db.execute(f"ALTER DATABASE {db.info.dbname} SET statement_timeout = '300ms'")

    def slowly(rows: Iterator[SqlRow]) -> Iterator[SqlRow]:
        time.sleep(0.5)
        yield from rows

    with open_rows(file) as rows, open_target(database) as target:
        for table in HOUSE:
            target.fill(table, slowly(rows.rows(table)) if table is LOG else rows.rows(table))
        target.commit()
    assert everything(database)["log"] == everything(file)["log"]


def test_a_repeated_command_gets_the_same_bytes_in_the_copy(file: Path, database: PostgresPlace) -> None:
    move(file, database)
    with closing(open_store(database)) as store:
        table = store.find("ODDODD")
        assert table is not None
        for at, text in enumerate(TRICKY):
            again = Entry(table, 1, ("anything",), f"ann\0 {at}", b"another answer", body=bytes([at]))
            assert store.write(again) == Repeated(text.encode(), bytes([at]))
        assert code(lambda: store.write(Entry(table, 1, ("a",), "ann\0 3", b"", body=b"\xff"))) == "key-used"
        assert store.answer(table, "ann lone and empty") == b""
        length = store.length(table)
        assert store.write(Entry(table, length, ("goes on",))) == Stored(length + 1)
        assert store.ordered("night:X ann", b"\0\1") == "NYGHT7"
        assert store.open_table("NEWONE", "setup", PLAYING) == max(store.codes().values())


def test_a_place_with_a_house_is_not_written_over(file: Path, database: PostgresPlace, tmp_path: Path) -> None:
    move(file, database)
    before = everything(database)
    (tmp_path / "taken.db.players").write_text("precious")
    for source, target in ((file, database), (database, file), (file, tmp_path / "taken.db"), (file, file)):
        with pytest.raises(NotStored) as refused:
            move(source, target)
        assert refused.value.code == "place-taken"
    assert everything(database) == before
    assert not (tmp_path / "taken.db").exists()
    assert code(lambda: move(database, Path("/"))) == code(lambda: move(database, Path())) == "store-unwritable"
    assert code(lambda: move(Path(), database)) == code(lambda: move(tmp_path, database)) == "store-unreadable"


def test_a_house_that_is_served_is_not_moved_but_read(file: Path, database: PostgresPlace, tmp_path: Path) -> None:
    with closing(SqliteStore(file)):
        assert code(lambda: move(file, database)) == "store-in-use"
        assert everything(file)["tables"]
    move(file, database)
    with closing(open_store(database)):
        assert code(lambda: move(database, tmp_path / "other.db")) == "house-open"
        assert everything(database)["tables"]


def test_a_house_that_is_closing_is_waited_for(file: Path, database: PostgresPlace, tmp_path: Path) -> None:
    closes = Timer(0.3, open_store(database).close)
    closes.start()
    move(file, database)
    closes.join()
    closes = Timer(0.3, open_store(database).close)
    closes.start()
    move(database, tmp_path / "other.db")
    closes.join()


def test_a_database_that_a_house_has_only_opened_is_empty(file: Path, database: PostgresPlace) -> None:
    with closing(open_store(database)) as store:
        store.settle("secret", b"its own")
        assert code(lambda: move(file, database)) == "house-open"
    move(file, database)
    assert everything(database)["house"] == everything(file)["house"]


def test_rows_that_are_written_meanwhile_are_in_no_copy(file: Path, database: PostgresPlace, tmp_path: Path) -> None:
    move(file, database)
    before = everything(database)
    with open_rows(database) as rows, closing(open_store(database)) as store:
        store.open_table("NEWONE", "setup", PLAYING)
        with open_target(tmp_path / "copy.db") as target:
            copy_rows(rows, target)
            target.commit()
    copied = everything(tmp_path / "copy.db")
    assert {name: rows for name, rows in before.items() if copied[name] != rows} == {}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE tables SET code = 'AB' || char(0) WHERE id = 1",
        "UPDATE tables SET updated = 'soon' WHERE id = 1",
        "UPDATE log SET seq = 5000000000 WHERE id = 1",
        "UPDATE orders SET table_id = 1.5",
        "UPDATE house SET value = 'text' WHERE name = 'secret'",
    ],
)
def test_a_row_that_no_house_writes_is_refused(file: Path, database: PostgresPlace, change: str) -> None:
    with closing(sqlite3.connect(file)) as db, db:
        db.execute(change)
    assert code(lambda: move(file, database)) in ("copy-odd", "copy-differs")
    assert everything(database)["tables"] == []


def test_a_copy_that_differs_does_not_count(file: Path, database: PostgresPlace, tmp_path: Path) -> None:
    for target in (database, tmp_path / "copy.db"):
        with open_rows(file) as rows, open_target(target) as made:
            fill = made.fill

            def spoil(table: HouseTable, rows: Iterator[SqlRow], fill: Callable[..., None] = fill) -> None:
                changed = ((*row[:-1], b"!") if table.name == "log" and at == 7 else row for at, row in enumerate(rows))
                fill(table, changed)

            made.fill = spoil  # type: ignore[method-assign, assignment]
            assert code(partial(copy_rows, rows, made)) == "copy-differs"
    assert everything(database)["tables"] == []
    assert not (tmp_path / "copy.db").exists()


def test_a_file_of_an_earlier_version_is_moved_and_stays(tmp_path: Path, database: PostgresPlace) -> None:
    file = tmp_path / "old.db"
    with closing(sqlite3.connect(file)) as db:
        db.executescript((TESTS / "databases/house-1.sql").read_text(encoding="utf-8"))
    before = file.read_bytes()
    move(file, database)
    assert file.read_bytes() == before
    with closing(open_store(database)) as store, closing(SqliteStore(file)) as other:
        assert other.tables()
        assert [store.read(number) for number in store.tables()] == [other.read(number) for number in other.tables()]
