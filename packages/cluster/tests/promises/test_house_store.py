"""The core's tests for house stores, run over PostgreSQL, and tests of reads of several logs."""

import pytest

from contracts.test_house_stores import *  # noqa: F403
from contracts.test_house_stores import Open
from pubdice.core.errors import NotStored
from pubdice_cluster.store import PostgresStore
from store.connections import table

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
