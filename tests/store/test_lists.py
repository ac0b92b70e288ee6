"""Tables found: by their code, in the lobby, by who sat there, by what is to be woken; and at what cost."""

import sqlite3
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from pubdice.store import Entry, Listed, SqliteReader, SqliteStore, TableSummary
from store.connections import code, summary_of, table


def test_a_table_is_found_by_its_code(store: SqliteStore) -> None:
    one, two = table(store, "AAAAAA"), table(store, "BBBBBB")
    assert (store.find("AAAAAA"), store.find("BBBBBB"), store.find("CCCCCC")) == (one, two, None)
    assert store.create("a table without a code") == 3
    assert store.codes() == {"AAAAAA": one, "BBBBBB": two}


def test_a_code_is_given_once(store: SqliteStore) -> None:
    table(store, "AAAAAA")
    assert code(lambda: table(store, "AAAAAA")) == "code-taken"
    assert store.tables() == [1]


def test_the_lobby_lists_open_tables_newest_first(store: SqliteStore) -> None:
    for letter, summary in {
        "A": summary_of("gathering", 10),
        "B": summary_of("playing", 30),
        "C": summary_of("over", 40),
        "D": summary_of("gathering", 50, listed=False),
        "E": summary_of("gathering", 20),
    }.items():
        store.open_table(letter * 6, "setup", summary)
    assert store.lobby(9) == [
        Listed(2, "BBBBBB", "playing", 30),
        Listed(5, "EEEEEE", "gathering", 20),
        Listed(1, "AAAAAA", "gathering", 10),
    ]
    assert [row.code for row in store.lobby(1)] == ["BBBBBB"]
    store.write(Entry(1, 1, ("a",), summary=summary_of("playing", 60)))
    store.write(Entry(2, 1, ("a",), summary=summary_of("over", 70)))
    assert store.lobby(1) == [Listed(1, "AAAAAA", "playing", 60)]


def test_a_person_finds_the_tables_they_sat_at(store: SqliteStore) -> None:
    one = store.open_table("AAAAAA", "setup", summary_of("gathering", 10, "ann"))
    two = store.open_table("BBBBBB", "setup", summary_of("gathering", 20, "ann", "bob"))
    assert [row.table for row in store.tables_of("ann", 9)] == [two, one]
    assert [row.table for row in store.tables_of("bob", 9)] == [two]
    assert store.tables_of("cid", 9) == []
    store.write(Entry(one, 1, ("a",), summary=summary_of("over", 30, "ann", "bob", "cid")))
    assert [row.table for row in store.tables_of("bob", 9)] == [one, two]
    assert store.tables_of("cid", 9) == [Listed(one, "AAAAAA", "over", 30)]
    assert len(store.tables_of("ann", 1)) == 1


def test_a_list_tells_what_is_played_and_who_sits_there(store: SqliteStore) -> None:
    summary = TableSummary("gathering", True, 10, ("ann",), "midnight", ("Zoë", "", "Tip"))
    of = store.open_table("AAAAAA", "setup", summary)
    assert store.lobby(9) == [Listed(of, "AAAAAA", "gathering", 10, "midnight", ("Zoë", "", "Tip"))]
    summary = TableSummary("over", True, 20, ("ann", "bob"), "midnight", ("Zoë", "Bob", "Tip"))
    store.write(Entry(of, 1, ("a",), summary=summary))
    assert store.tables_of("bob", 9) == [Listed(of, "AAAAAA", "over", 20, "midnight", ("Zoë", "Bob", "Tip"))]


def test_tables_are_found_by_how_the_key_began_that_opened_them(store: SqliteStore) -> None:
    told: SimpleQueue[object] = SimpleQueue()
    for letter, key, people in (
        ("A", "night:X ann 1", ("ann",)),
        ("B", "night:Y ann 1", ("ann",)),
        ("C", "night:X bob 1", ("bob", "ann")),
        ("D", "night:XX bob 2", ("bob",)),
        ("E", None, ("bob",)),
    ):
        store.submit_table(letter * 6, ["setup"], summary_of("gathering", 10, *people), told.put, key=key)
        told.get(timeout=10)
    assert [row.code for row in store.opened_under("night:X ", 9)] == ["CCCCCC", "AAAAAA"]
    assert [row.code for row in store.opened_under("night:X ", 1)] == ["CCCCCC"]
    assert [row.code for row in store.opened_under("night:X ", 9, "bob")] == ["CCCCCC"]
    assert store.opened_under("night:Z ", 9) == []


def test_an_entry_without_facts_changes_none(store: SqliteStore) -> None:
    of = store.open_table("AAAAAA", "setup", summary_of("gathering", 10, "ann"))
    store.append(of, 1, ["a"])
    assert store.lobby(9) == store.tables_of("ann", 9) == [Listed(of, "AAAAAA", "gathering", 10)]


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
