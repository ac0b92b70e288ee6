"""The players' book of a cluster: several houses at one database, which comes and goes."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice

import psycopg
import pytest

from pubdice.core.errors import NotStored, Refused
from pubdice.store import players_book as module
from pubdice.store.players_book import BookEntry
from pubdice.store.postgres.players import PlayersTables
from pubdice.store.postgres.schema import connect

ENTRY = BookEntry(1, "AAAAAA", 10, 0, "ship", "rounds 1", 2, 1.0, "worked", "share", {"matches": 1})
WORTH = {"matches": 1}


@pytest.fixture
def books(empty_database: str) -> Iterator[tuple[PlayersTables, PlayersTables]]:
    """The books of two houses that share a database."""
    with closing(PlayersTables(empty_database)) as one, closing(PlayersTables(empty_database)) as two:
        yield one, two


def at_once(*calls: Callable[[], object]) -> None:
    """Make calls in a thread each, which begin together; raise the first error."""
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
    """End all other connections of a database, as a server does that starts again."""
    with closing(connect(address)) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid != pg_backend_pid()"
        )


def test_what_one_house_writes_the_other_reads(books: tuple[PlayersTables, PlayersTables]) -> None:
    one, two = books
    assert one.salt == two.salt
    assert one.join("ann", "Ann", b"hash of Ann", 5)
    assert not two.join("ann", "Else", b"other", 6)
    assert two.enter("phone", b"hash of Ann", 7)
    one.add([replace(ENTRY, state="new", worth=None)])
    two.worked("AAAAAA", "share", {0: WORTH})
    assert [(entry.state, entry.worth) for entry in one.entries(1)] == [("worked", WORTH)]
    two.erase(1)
    assert one.player_of("ann") is None


def test_joins_at_once_lose_nobody_and_fill_no_book_beyond_its_bound(
    books: tuple[PlayersTables, PlayersTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_PLAYERS", 20)
    joined: list[bool] = []

    def join(book: PlayersTables, house: int) -> None:
        for at in range(15):
            try:
                joined.append(book.join(f"{house} {at}", f"Ann {house}", b"%d %d" % (house, at), at))
            except Refused:
                joined.append(False)

    at_once(*[partial(join, book, house) for house, book in enumerate(books)])
    assert (joined.count(True), joined.count(False)) == (20, 10)
    people = [f"{house} {at}" for house in (0, 1) for at in range(15)]
    assert len({player for player, _ in books[0].links(people).values()}) == 20


def test_a_browser_that_joins_at_two_houses_at_once_is_one_player(books: tuple[PlayersTables, PlayersTables]) -> None:
    def join(book: PlayersTables, house: int, at: int, found: list[bool]) -> None:
        found.append(book.join(f"ann {at}", "Ann", b"%d %d" % (house, at), 5))

    for at in range(10):
        found: list[bool] = []
        at_once(*[partial(join, book, house, at, found) for house, book in enumerate(books)])
        assert sorted(found) == [False, True]


def test_matches_that_two_houses_enter_at_once_are_summed_once_each(
    books: tuple[PlayersTables, PlayersTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 3)
    one, _ = books
    one.join("ann", "Ann", b"hash of Ann", 5)
    one.join("bob", "Bob", b"hash of Bob", 5)

    def enter(book: PlayersTables, codes: range) -> None:
        for at in codes:
            entry = replace(ENTRY, code=f"CODE{at}", at=100 + at)
            book.add([entry, replace(entry, player=2, seat=1, won=0.0)])

    at_once(*[partial(enter, book, range(30)) for book in books])
    for player, won in ((1, 30), (2, 0)):
        kept, (sums,) = one.entries(player), one.sums(player)
        assert (len(kept), sums.games, sums.worth) == (3, 27, {"matches": 27})
        (other,) = one.opponents(player, 9)
        assert (other.games, other.won, other.theirs) == (30, won, 30 - won)


def test_sums_that_two_houses_add_to_at_once_lose_nothing(
    books: tuple[PlayersTables, PlayersTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    each = 30
    monkeypatch.setattr(module, "MOST_ENTRIES", each + 1)  # one house alone never gets ahead of the other by so many
    books[0].join("ann", "Ann", b"hash of Ann", 5)
    books[0].join("bob", "Bob", b"hash of Bob", 5)
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
        (other,) = books[1].opponents(player, 9)
        assert other.games == 3 * each + 1


def test_a_connection_that_broke_is_made_again(empty_database: str) -> None:
    with closing(PlayersTables(empty_database)) as book:
        cut_off(empty_database)
        assert book.join("ann", "Ann", b"hash of Ann", 5)
        cut_off(empty_database)
        player = book.player_of("ann")
        assert player is not None
        assert player.name == "Ann"


def test_a_connection_that_breaks_within_a_transaction_leaves_nothing_of_it(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(PlayersTables(empty_database)) as book:
        book.join("ann", "Ann", b"hash of Ann", 5)
        with monkeypatch.context() as patched:
            patched.setattr(book, "_fold", lambda work, player: cut_off(empty_database))
            with pytest.raises(NotStored, match="store-unwritable"):
                book.add([ENTRY])
        assert book.entries(1) == []
        book.add([ENTRY])
        assert len(book.entries(1)) == 1


def test_an_error_within_a_transaction_lets_the_other_house_go_on(
    books: tuple[PlayersTables, PlayersTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = books
    monkeypatch.setattr(module, "MOST_PLAYERS", 0)
    with pytest.raises(Refused):
        one.join("ann", "Ann", b"hash of Ann", 5)
    two.leave("ann")
    assert one.player_of("ann") is None


def test_a_database_that_is_away_is_named_without_its_password(empty_database: str) -> None:
    name = empty_database.rpartition("/")[2]
    with closing(PlayersTables(empty_database.replace("house@", "house:hidden@"))) as book:
        with psycopg.connect(empty_database, dbname="postgres", autocommit=True) as db:
            db.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        for call in (lambda: book.player_of("ann"), lambda: book.join("ann", "Ann", b"hash", 5)):
            with pytest.raises(NotStored) as refused:
                call()
            assert (refused.value.code, "\n" in str(refused.value.facts)) == ("store-unwritable", False)
            assert name in str(refused.value.facts)
            assert "hidden" not in str(refused.value.facts)
        with psycopg.connect(empty_database, dbname="postgres", autocommit=True) as db:
            db.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        assert book.join("ann", "Ann", b"hash", 5)


def test_after_somebody_is_erased_names_and_browsers_are_in_other_files(empty_database: str) -> None:
    files = "SELECT relname, relfilenode FROM pg_class WHERE relname IN ('players', 'links')"
    with closing(PlayersTables(empty_database)) as book, closing(connect(empty_database)) as db:
        book.join("ann", "Ann", b"hash of Ann", 5)
        before: dict[str, int] = dict(db.execute(files).fetchall())
        book.erase(1)
        after: dict[str, int] = dict(db.execute(files).fetchall())
        assert len(after) == 2
        assert all(before[table] != after[table] for table in after)
