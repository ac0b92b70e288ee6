"""A table's log in PostgreSQL keeps what every store promises: the core's suite, over this store."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from contracts.test_stores import *  # noqa: F403
from pubdice_cluster.store import PostgresStore


@pytest.fixture  # type: ignore[no-redef]
def store(empty_database: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(empty_database)) as made:
        yield made
