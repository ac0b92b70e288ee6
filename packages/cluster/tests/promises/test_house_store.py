"""The core's tests for house stores, run over PostgreSQL, and tests of reads of several logs and of a full disk."""

import psycopg
import pytest

from contracts.test_house_stores import *  # noqa: F403
from contracts.test_house_stores import Open
from pubdice.core.errors import NotStored
from pubdice.store import Entry
from pubdice_cluster.store import PostgresStore
from store.connections import code, table

pytestmark = pytest.mark.usefixtures("patient_database")


@pytest.fixture  # type: ignore[no-redef]
def again(empty_database: str) -> Open:
    return lambda: PostgresStore(empty_database)


def test_the_ends_of_several_logs_are_read_together(store: PostgresStore) -> None:
    one, two = table(store, "AAAAAA"), table(store, "BBBBBB")
    store.append(one, 1, ["a", "b"])
    store.append(one, 3, ["c"])
    found = store.parts([(one, 2), (two, 1), (99, 0), (one, 1), (99, 5)], 2)
    assert [each.code if isinstance(each, NotStored) else each for each in found] == [
        ["b", "c"],
        [],
        "no-table",
        ["a", "b"],
        [],
    ]
    assert found[3] == store.part(one, 1, 2)
    assert store.parts([], 2) == []


FULL = (
    "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$",
    "CREATE TRIGGER full_disk BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION full_disk()",
)


def test_a_full_disk_is_told_and_a_free_one_goes_on(store: PostgresStore, empty_database: str) -> None:
    one = table(store, "AAAAAA")
    with psycopg.connect(empty_database, autocommit=True) as db:
        for statement in FULL:
            db.execute(statement)
        assert code(lambda: store.write(Entry(one, 1, ("a",)))) == "store-unwritable"
        db.execute("DROP FUNCTION full_disk CASCADE")
    store.write(Entry(one, 1, ("b",)))
    assert store.read(one)[1:] == ["b"]
