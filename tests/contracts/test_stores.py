"""The promises of every store: one suite, run against each of them."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pubdice.core.errors import NotStored
from pubdice.store import FileStore, MemoryStore, SqliteStore, Store
from pubdice.store.direct_writer import DirectWriter
from pubdice.store.sqlite.schema import Connect, exclusive, plain
from pubdice.store.writer import ThreadWriter, Transactions, Writer

TRICKY = ("", " ", "a\nb", "\r\n", "\u2028", '"\\', "Zoë 🎲", "[]", "\0", "x" * 100_000)


def _memory(_: Path) -> Store:
    return MemoryStore()


def _files(folder: Path) -> Store:
    return FileStore(folder / "not" / "there" / "yet")


WRITERS: dict[str, tuple[Connect, Callable[[Transactions], Writer]]] = {
    "sqlite": (plain, ThreadWriter),
    "sqlite_no_threads": (exclusive, DirectWriter),
}


@pytest.fixture(params=["memory", "files", *WRITERS])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param in WRITERS:
        file = tmp_path / "not" / "there" / "yet" / "house.db"
        connect, writer = WRITERS[request.param]
        with closing(SqliteStore(file, connect=connect, writer=writer)) as made:
            yield made
    else:
        yield {"memory": _memory, "files": _files}[request.param](tmp_path)


def _code(call: Callable[[], object]) -> str:
    with pytest.raises(NotStored) as caught:
        call()
    return caught.value.code


def test_a_new_store_is_empty(store: Store) -> None:
    assert store.tables() == []


def test_tables_are_numbered_from_1_in_the_order_they_were_made(store: Store) -> None:
    assert [store.create(f"setup {at}") for at in range(12)] == list(range(1, 13))
    assert store.tables() == list(range(1, 13))
    assert [store.read(table) for table in store.tables()] == [[f"setup {at}"] for at in range(12)]


def test_a_table_can_be_made_with_more_lines_than_one(store: Store) -> None:
    table = store.create("setup", "a", "b")
    store.append(table, 3, ["c"])
    assert store.read(table) == ["setup", "a", "b", "c"]


def test_what_is_appended_is_read_in_order(store: Store) -> None:
    table = store.create("setup")
    store.append(table, 1, ["a"])
    store.append(table, 2, ["b", "c"])
    store.append(table, 4, ["d"])
    assert store.read(table) == ["setup", "a", "b", "c", "d"]


def test_any_text_is_kept_as_it_is(store: Store) -> None:
    table = store.create(TRICKY[-1])
    store.append(table, 1, list(TRICKY))
    for line in TRICKY:
        store.append(table, len(store.read(table)), [line])
    assert store.read(table) == [TRICKY[-1], *TRICKY, *TRICKY]


def test_tables_do_not_mix(store: Store) -> None:
    one, two = store.create("one"), store.create("two")
    store.append(two, 1, ["b"])
    store.append(one, 1, ["a"])
    assert (store.read(one), store.read(two)) == (["one", "a"], ["two", "b"])


@pytest.mark.parametrize("seen", [0, 1, 3, 100, -1])
def test_a_writer_who_has_not_seen_all_is_refused(store: Store, seen: int) -> None:
    table = store.create("setup")
    store.append(table, 1, ["a"])
    assert _code(lambda: store.append(table, seen, ["mine"])) == "moved-on"
    assert store.read(table) == ["setup", "a"]
    store.append(table, 2, ["b"])
    assert store.read(table) == ["setup", "a", "b"]


def test_of_two_writers_who_have_seen_the_same_one_wins(store: Store) -> None:
    table = store.create("setup")
    store.append(table, 1, ["hers"])
    assert _code(lambda: store.append(table, 1, ["his"])) == "moved-on"
    assert store.read(table) == ["setup", "hers"]


@pytest.mark.parametrize("table", [0, 2, 99, -1])
def test_a_table_that_is_not_there_is_neither_read_nor_written(store: Store, table: int) -> None:
    store.create("setup")
    assert _code(lambda: store.read(table)) == "no-table"
    assert _code(lambda: store.append(table, 1, ["a"])) == "no-table"
    assert store.tables() == [1]
    assert store.read(1) == ["setup"]


def test_what_was_read_can_be_changed_without_harm(store: Store) -> None:
    table = store.create("setup")
    lines = store.read(table)
    lines.append("mine")
    store.tables().append(7)
    assert store.read(table) == ["setup"]
    assert store.tables() == [1]


def test_a_refusal_names_its_table(store: Store) -> None:
    with pytest.raises(NotStored) as caught:
        store.read(42)
    assert caught.value.facts["table"] == 42


def test_a_second_store_in_the_same_folder_sees_the_same_tables(tmp_path: Path) -> None:
    one, two = FileStore(tmp_path), FileStore(tmp_path)
    table = one.create("setup")
    two.append(table, 1, ["a"])
    assert _code(lambda: one.append(table, 1, ["b"])) == "moved-on"
    assert one.read(table) == two.read(table) == ["setup", "a"]
    assert two.create("another") == 2
    assert one.tables() == [1, 2]


def test_files_that_are_no_logs_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "x.log").write_text("mine")
    (tmp_path / "².log").write_text("mine")
    store = FileStore(tmp_path)
    assert store.tables() == []
    assert store.create("setup") == 1
    assert store.tables() == [1]
    assert (tmp_path / "x.log").read_text() == "mine"
