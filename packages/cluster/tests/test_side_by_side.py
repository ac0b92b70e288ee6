"""Tests of two program versions over the same PostgreSQL database: the schema of the newer one, and the versions that
may serve it.
"""

from contextlib import closing

import psycopg
import pytest

from databases.test_databases import FIRST, FOURTH, KINDS, SECOND, THIRD
from pubdice.core.errors import NotStored
from pubdice_cluster import schema
from pubdice_cluster.schema import NEEDS, VERSIONS, reach, versions
from pubdice_cluster.store import PostgresStore

NEWER = len(VERSIONS) + 1


def changed(address: str, *, needs: int) -> None:
    """Change the schema as a newer program would."""
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("ALTER TABLE tables ADD COLUMN IF NOT EXISTS colour text NOT NULL DEFAULT ''")
        db.execute("INSERT INTO pubdice_version VALUES (%s, %s)", (NEWER, needs))


def test_after_an_expand_step_the_version_before_serves_on(empty_database: str) -> None:
    with closing(PostgresStore(empty_database)) as running:
        table = running.create("setup")
        changed(empty_database, needs=NEEDS)
        assert reach(empty_database, to_serve=True) == NEWER
        with closing(PostgresStore(empty_database)) as started:
            started.append(table, 1, ["a"])
        running.append(table, 2, ["b"])
        assert running.read(table) == ["setup", "a", "b"]


def test_a_copy_would_lose_what_is_new(empty_database: str) -> None:
    PostgresStore(empty_database).close()
    changed(empty_database, needs=NEEDS)
    with pytest.raises(NotStored, match="store-newer"):
        reach(empty_database)


def test_after_a_contract_step_it_is_refused(empty_database: str) -> None:
    PostgresStore(empty_database).close()
    changed(empty_database, needs=NEWER)
    with pytest.raises(NotStored, match="store-newer"):
        reach(empty_database, to_serve=True)
    with pytest.raises(NotStored, match="store-newer"):
        PostgresStore(empty_database)


def test_a_program_that_knows_fewer_kinds_of_event_is_refused(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a log had ``retimed``, ``committed`` or ``fixed``, an older program would call its table damaged."""
    PostgresStore(empty_database).close()
    monkeypatch.setattr(schema, "VERSIONS", VERSIONS[:2])
    with pytest.raises(NotStored, match="store-newer"):
        PostgresStore(empty_database)


def test_a_house_of_the_first_version_is_migrated(empty_database: str) -> None:
    with psycopg.connect(empty_database, autocommit=True) as db:
        db.execute("CREATE TABLE pubdice_version (version int PRIMARY KEY)")
        for statement in VERSIONS[0]:
            db.execute(statement)
        db.execute("INSERT INTO pubdice_version VALUES (1)")
        assert versions(db) == (1, 0)
        PostgresStore(empty_database).close()
        assert versions(db) == (len(VERSIONS), NEEDS)


KINDS_BY_VERSION = {(2, 1): FIRST, (3, 3): SECOND, (4, 3): SECOND, (5, 3): THIRD, (6, 3): FOURTH}
"""Tags in logs, by the version of the database and the lowest version that may serve it."""


def test_a_new_kind_of_event_has_a_new_number_of_the_database() -> None:
    """A new kind in the file needs a new version here. Released versions never change."""
    assert max(KINDS_BY_VERSION) == (len(VERSIONS), NEEDS)
    assert KINDS_BY_VERSION[len(VERSIONS), NEEDS] == KINDS[max(KINDS)]
