"""Kinds of events in the logs of a database: each new one has a number, so that an older program leaves it alone."""

from databases.test_databases import FIRST, KINDS, SECOND, THIRD
from pubdice_cluster.schema import NEEDS, VERSIONS

KINDS_BY_VERSION = {(2, 1): FIRST, (3, 3): SECOND, (4, 3): SECOND, (5, 3): THIRD}
"""The tags in logs, by the version of the database, and the least of a program that may serve it."""


def test_a_new_kind_of_event_has_a_new_number_of_the_database() -> None:
    """Somebody who adds a kind to the file adds a version here, and changes no released one."""
    assert max(KINDS_BY_VERSION) == (len(VERSIONS), NEEDS)
    assert KINDS_BY_VERSION[len(VERSIONS), NEEDS] == KINDS[max(KINDS)]
