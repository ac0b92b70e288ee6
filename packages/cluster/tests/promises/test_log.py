"""The core's tests for table logs, run over PostgreSQL."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from contracts.test_stores import *  # noqa: F403
from pubdice_cluster.store import PostgresStore

pytestmark = pytest.mark.usefixtures("patient_database")


@pytest.fixture  # type: ignore[no-redef]
def store(empty_database: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(empty_database)) as made:
        yield made
