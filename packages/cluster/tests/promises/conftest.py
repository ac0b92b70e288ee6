"""One database for all stores of a test file. It is emptied between tests."""

from collections.abc import Iterator

import psycopg
import pytest

from pubdice_cluster.schema import migrate
from support.postgres import database

EMPTIED = """
DO $$ DECLARE each text;
BEGIN
  FOR each IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND relname NOT IN ('pubdice_version', 'book')
  LOOP EXECUTE format('DELETE FROM %I', each); END LOOP;
  FOR each IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
  LOOP EXECUTE format('ALTER SEQUENCE %I RESTART', each); END LOOP;
  DELETE FROM book WHERE name <> 'salt';
END $$
"""
"""SQL that deletes all rows but those of the migrations. It takes a twentieth of the 0.15 s that a new migrated
database takes."""


@pytest.fixture(scope="module")
def migrated_database(postgres_server: str) -> Iterator[str]:
    """The address of a migrated database without rows."""
    with database(postgres_server) as address:
        migrate(address)
        yield address


@pytest.fixture
def empty_database(migrated_database: str) -> Iterator[str]:
    """The address of the migrated database, for one test. Afterwards all connections to it are ended."""
    yield migrated_database
    with psycopg.connect(migrated_database, autocommit=True) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        db.execute(EMPTIED)
