"""Tests of sealed dice in a cluster: all houses share one key, and all know which seals are opened."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue as ProcessQueue
from queue import SimpleQueue

import pytest

from pubdice.core.errors import NotStored
from pubdice.core.seal import MOST_LINKS, KeyedSeals, Seal
from pubdice.store.secret_file import SIZE
from pubdice.store.writer import MOST
from pubdice_cluster.connecting import connect
from pubdice_cluster.opened_seals import OpenedSealsTables
from pubdice_cluster.shared_secret import read_shared_secret
from pubdice_cluster.store import PostgresStore

HOUSES = 4


def seal(number: int, chain: str = "ab" * 8) -> Seal:
    return Seal(chain, number, "cd" * 32)


@pytest.fixture
def stores(empty_database: str) -> Iterator[tuple[PostgresStore, PostgresStore]]:
    """Two houses that share a database."""
    with closing(PostgresStore(empty_database)) as one, closing(PostgresStore(empty_database)) as two:
        yield one, two


def soon(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not true():
        assert time.monotonic() < until
        time.sleep(0.01)


def written(store: PostgresStore, chain: str, number: int) -> bool:
    return (number,) in store.rows("SELECT number FROM opened_seals WHERE chain = ?", (chain,))


def test_an_opened_seal_stays_open_with_all_before_it(stores: tuple[PostgresStore, PostgresStore]) -> None:
    def made() -> OpenedSealsTables:
        return OpenedSealsTables(stores[0])

    opened = made()
    assert not opened.is_opened(seal(1))
    opened.note(seal(2))
    assert opened.is_opened(seal(2)), "at once"
    opened.note(seal(1))
    soon(lambda: made().is_opened(seal(2)))
    assert [made().is_opened(each) for each in (seal(1), seal(3), seal(1, "cd" * 8))] == [True, False, False]


def test_another_house_knows_it_after_its_refresh(stores: tuple[PostgresStore, PostgresStore]) -> None:
    one, two = map(OpenedSealsTables, stores)
    for number in range(1, 6):
        one.note(seal(number))
        soon(partial(written, stores[0], "ab" * 8, number))
        two.refresh()
        assert (two.is_opened(seal(number)), two.is_opened(seal(number + 1))) == (True, False)
    key = bytes(range(SIZE))
    ours, theirs = KeyedSeals(key, bytes, one), KeyedSeals(key, bytes, two)
    first = ours.first()
    assert theirs.can_roll(first)
    ours.note_opened(first)
    soon(lambda: written(stores[0], first.chain, 1))
    two.refresh()
    assert not theirs.can_roll(first)


def test_a_note_that_is_committed_late_is_not_missed(
    empty_database: str, stores: tuple[PostgresStore, PostgresStore]
) -> None:
    one, two = map(OpenedSealsTables, stores)
    with closing(connect(empty_database)) as late:
        late.execute("BEGIN")
        late.execute("INSERT INTO opened_seals (chain, number) VALUES ('late', 7)")
        one.note(seal(1))
        soon(lambda: written(stores[0], "ab" * 8, 1))
        two.refresh()
        assert (two.is_opened(seal(1)), two.is_opened(seal(7, "late"))) == (True, False)
        late.execute("COMMIT")
        two.refresh()
    assert two.is_opened(seal(7, "late"))


def test_only_what_is_new_is_read_again(
    stores: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = map(OpenedSealsTables, stores)
    for number in range(1, 20):
        one.note(seal(1, f"chain {number}"))
    soon(lambda: written(stores[0], "chain 19", 1))
    two.refresh()
    read: list[int] = []
    rows = stores[1].rows

    def counted(query: str, values: tuple[object, ...]) -> object:
        found = rows(query, values)
        read.append(len(found))
        return found

    monkeypatch.setattr(stores[1], "rows", counted)
    two.refresh()
    assert read == [1]


def test_houses_that_note_the_same_seals_do_not_deadlock(
    stores: tuple[PostgresStore, PostgresStore],
) -> None:
    chains, told = [f"chain {at}" for at in range(MOST)], SimpleQueue[object]()
    one, two = map(OpenedSealsTables, stores)
    for chain, other in zip(chains, reversed(chains), strict=True):
        one.note(seal(1, chain))
        two.note(seal(1, other))
    for store in stores:
        store.probe(told.put)  # queued behind all notes
        assert told.get(timeout=60) is None
    deadlocks = stores[0].rows("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    assert deadlocks == [(0,)]
    again = OpenedSealsTables(stores[0])
    assert all(again.is_opened(seal(1, chain)) for chain in chains)


def test_what_could_not_be_written_is_written_at_a_refresh(
    stores: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = OpenedSealsTables(stores[0])
    with monkeypatch.context() as patched:
        patched.setattr(
            stores[0], "submit_task", lambda task, done, loop_call=None: done(NotStored("store-unwritable"))
        )
        opened.note(seal(MOST_LINKS))
    assert opened.is_opened(seal(1))
    opened.refresh()
    soon(lambda: written(stores[1], "ab" * 8, MOST_LINKS))


def test_a_database_put_back_to_an_older_state_is_read_whole(stores: tuple[PostgresStore, PostgresStore]) -> None:
    one, two = map(OpenedSealsTables, stores)
    two._from = 1 << 40
    one.note(seal(3))
    soon(lambda: written(stores[0], "ab" * 8, 3))
    two.refresh()
    assert two.is_opened(seal(3))


def ask(address: str, byte: int, told: ProcessQueue[bytes]) -> None:
    """Read the secret as a starting house does, and send it to the test."""
    told.put(read_shared_secret(address, lambda size: bytes([byte]) * size))


@pytest.mark.nightly
def test_of_houses_that_start_at_once_one_makes_the_secret(empty_database: str) -> None:
    context = get_context("spawn")
    told: ProcessQueue[bytes] = context.SimpleQueue()
    houses = [context.Process(target=ask, args=(empty_database, at, told)) for at in range(HOUSES)]
    for house in houses:
        house.start()
    secrets = [told.get() for _ in houses]
    for house in houses:
        house.join(60)
    assert len(set(secrets)) == 1
    assert [len(secret) for secret in secrets] == [SIZE] * HOUSES
    assert read_shared_secret(empty_database, bytes) == secrets[0]
    assert read_shared_secret(empty_database, bytes, "another") == bytes(SIZE)


def test_a_damaged_secret_is_refused_and_left_alone(empty_database: str) -> None:
    read_shared_secret(empty_database, bytes)
    with closing(connect(empty_database)) as db:
        db.execute("UPDATE secrets SET value = 'short'")
        with pytest.raises(NotStored) as refused:
            read_shared_secret(empty_database, bytes)
        assert (refused.value.code, refused.value.facts["reason"]) == ("secret-file", "")
        assert db.execute("SELECT value FROM secrets").fetchall() == [(b"short",)]
        db.execute("DROP TABLE secrets")
    with pytest.raises(NotStored, match="secret-file"):
        read_shared_secret(empty_database, bytes)
