"""``pubdice doctor`` of a database: whether it answers, takes writes, and is the one that is meant."""

import psycopg

from pubdice.server.findings import Patient, Urgency
from pubdice.server.teller import trouble
from pubdice.text.catalogues import language
from pubdice_cluster.place import PostgresPlace, read_address
from pubdice_cluster.store import PostgresStore

ENGLISH = language("en")
PATIENT = Patient("127.0.0.1", 1, "", None, 0, ENGLISH, lambda error: trouble(ENGLISH, error))


def said(place: PostgresPlace, urgency: Urgency) -> list[str]:
    return [each.said for each in place.examine(PATIENT) if each.urgency is urgency]


def wrong(place: PostgresPlace) -> list[str]:
    return said(place, Urgency.WRONG)


def looks(place: PostgresPlace) -> list[str]:
    return said(place, Urgency.LOOK)


def test_a_database_that_takes_no_writes_is_wrong_though_it_answers(empty_database: str) -> None:
    PostgresStore(empty_database).close()
    place = read_address(empty_database)
    assert (wrong(place), looks(place)) == ([], [])
    name = empty_database.rpartition("/")[2]
    with psycopg.connect(empty_database, autocommit=True) as db:
        db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
    (found,) = wrong(place)
    assert (
        found == f"The database {place} answers, but takes no writes: it is a replica or read-only. Name the primary."
    )


def test_an_address_of_several_servers_that_asks_for_none_is_looked_at(empty_database: str) -> None:
    PostgresStore(empty_database).close()
    before, _, rest = empty_database.partition("127.0.0.1:")
    two = f"{before}127.0.0.1:{rest.partition('/')[0]},localhost:{rest}"
    (found,) = looks(read_address(two))
    assert "names several servers. Add ?target_session_attrs=read-write, or backup" in found
    assert looks(read_address(f"{two}?target_session_attrs=read-write")) == []
