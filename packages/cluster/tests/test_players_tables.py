"""Tests of a cluster's players' book, with several houses, and with a database that goes away and comes back."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice

import psycopg
import pytest

from pubdice.core.errors import NotStored
from pubdice.store import players_book as module
from pubdice.store.players_book import BookEntry, BookPlayer
from pubdice_cluster.connecting import connect
from pubdice_cluster.players import PlayersTables
from pubdice_cluster.schema import NEEDS, VERSIONS, versions

ENTRY = BookEntry(1, "AAAAAA", 10, 0, "ship", "rounds 1", 2, 1.0, "worked", "share", {"matches": 1})


@pytest.fixture
def books(empty_database: str) -> Iterator[tuple[PlayersTables, PlayersTables]]:
    """The books of two houses that share a database."""
    with closing(PlayersTables(empty_database)) as one, closing(PlayersTables(empty_database)) as two:
        yield one, two


def at_once(*calls: Callable[[], object]) -> None:
    """Run each call in a thread, all at the same time, and raise the first error."""
    begin, errors = threading.Barrier(len(calls)), list[Exception]()

    def run(call: Callable[[], object]) -> None:
        begin.wait()
        try:
            call()
        except Exception as error:  # noqa: BLE001 - raised below
            errors.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if errors:
        raise errors[0]


def cut_off(address: str) -> None:
    """End all other connections to a database, as a restart of the server would."""
    with closing(connect(address)) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid != pg_backend_pid()"
        )


def test_a_browser_at_two_houses_is_one_player(books: tuple[PlayersTables, PlayersTables]) -> None:
    for at in range(10):
        at_once(*[partial(book.begin, f"ann {at}", 5) for book in books])
    assert len(books[0].players()) == 10


def test_matches_entered_at_two_houses_are_summed_once(
    books: tuple[PlayersTables, PlayersTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 3)
    one, _ = books
    one.begin("ann", 5)
    one.begin("bob", 5)

    def enter(book: PlayersTables, codes: range) -> None:
        for at in codes:
            entry = replace(ENTRY, code=f"CODE{at}", at=100 + at)
            book.add([entry, replace(entry, player=2, seat=1, won=0.0)])

    at_once(*[partial(enter, book, range(30)) for book in books])
    for player, won in ((1, 30), (2, 0)):
        kept, (sums,) = one.entries(player), one.sums(player)
        assert (len(kept), sums.games, sums.worth) == (3, 27, {"matches": 27})
        assert sums.won == won - sum(entry.won for entry in kept)


def test_sums_that_two_houses_add_to_at_once_lose_nothing(
    books: tuple[PlayersTables, PlayersTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    each = 30
    monkeypatch.setattr(module, "MOST_ENTRIES", each + 1)  # more matches than one house can ever be ahead of the other
    books[0].begin("ann", 5)
    books[0].begin("bob", 5)
    times = iter(range(100, 1000))

    def enter(book: PlayersTables, matches: int) -> None:
        for at in islice(times, matches):
            entry = replace(ENTRY, code=f"CODE{at}", at=at)
            book.add([entry, replace(entry, player=2, seat=1, won=0.0)])

    enter(books[0], each + 1)
    at_once(*[partial(enter, book, each) for book in books])
    for player, won in ((1, 2 * each), (2, 0)):
        (sums,) = books[0].sums(player)
        assert (sums.games, sums.won, sums.worth) == (2 * each, won, {"matches": 2 * each})


def test_a_connection_that_broke_is_made_again(empty_database: str) -> None:
    with closing(PlayersTables(empty_database)) as book:
        cut_off(empty_database)
        book.begin("ann", 5)
        cut_off(empty_database)
        assert book.player_of("ann") == BookPlayer(1, 1)


def test_a_broken_transaction_leaves_nothing(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(PlayersTables(empty_database)) as book:
        book.begin("ann", 5)
        with monkeypatch.context() as patched:
            patched.setattr(book, "_fold", lambda work, player: cut_off(empty_database))
            with pytest.raises(NotStored, match="store-unwritable"):
                book.add([ENTRY])
        assert book.entries(1) == []
        book.add([ENTRY])
        assert len(book.entries(1)) == 1


def test_an_error_in_a_transaction_lets_the_other_house_go_on(
    books: tuple[PlayersTables, PlayersTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = books
    monkeypatch.setattr(module, "LINK", "no SQL")
    with pytest.raises(NotStored):
        one.begin("ann", 5)
    two.leave("ann")
    assert (one.player_of("ann"), one.players()) == (None, [])


def test_a_database_that_is_away_is_named_without_its_password(empty_database: str) -> None:
    name = empty_database.rpartition("/")[2]
    with closing(PlayersTables(empty_database.replace("house@", "house:hidden@"))) as book:
        with psycopg.connect(empty_database, dbname="postgres", autocommit=True) as db:
            db.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        calls: tuple[Callable[[], object], ...] = (lambda: book.player_of("ann"), lambda: book.begin("ann", 5))
        for call in calls:
            with pytest.raises(NotStored) as refused:
                call()
            assert (refused.value.code, "\n" in str(refused.value.facts)) == ("store-unwritable", False)
            assert name in str(refused.value.facts)
            assert "hidden" not in str(refused.value.facts)
        with psycopg.connect(empty_database, dbname="postgres", autocommit=True) as db:
            db.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        book.begin("ann", 5)
        assert book.players() == [1]


def test_an_erased_player_is_in_no_file_of_the_database(empty_database: str) -> None:
    files = "SELECT relname, relfilenode FROM pg_class WHERE relname IN ('players', 'links')"
    with closing(PlayersTables(empty_database)) as book, closing(connect(empty_database)) as db:
        book.begin("ann", 5)
        before: dict[str, int] = dict(db.execute(files).fetchall())
        book.erase(1)
        after: dict[str, int] = dict(db.execute(files).fetchall())
        assert len(after) == 2
        assert all(before[table] != after[table] for table in after)


def test_an_old_book_loses_names_and_meetings_alone(empty_database: str) -> None:
    with closing(connect(empty_database)) as db:
        db.execute("CREATE TABLE pubdice_version (version int PRIMARY KEY)")
        for number, step in enumerate(VERSIONS[:3], 1):
            for statement in step:
                db.execute(statement)
            db.execute("INSERT INTO pubdice_version (version) VALUES (%s)", (number,))
        db.execute(
            "INSERT INTO players (name, words, joined) VALUES ('Ann', 'hash of Ann', 5), ('Bob', 'hash of Bob', 6)"
        )
        db.execute("INSERT INTO links VALUES ('ann', 1, 5)")
        db.execute("INSERT INTO book VALUES ('opener 2', 'ab')")
        db.execute("INSERT INTO met VALUES (1, 2, 1, 1, 0)")
        with closing(PlayersTables(empty_database)) as book:
            assert book.player_of("ann") == BookPlayer(1, 1)
            assert (book.has_words(), book.player_with(b"hash of Bob")) == (True, 2)
            book.begin("cid", 7)
            assert book.export(3)["words"] == ""
        assert db.execute("SELECT name FROM book").fetchall() == [("salt",)]
        assert db.execute("SELECT * FROM met").fetchall() == []
        assert versions(db) == (len(VERSIONS), NEEDS), "the release before serves on while houses are rolled"
        joined = "INSERT INTO players (name, words, joined) VALUES ('Dee', 'hash of Dee', 8)"
        assert db.execute(joined).rowcount == 1
