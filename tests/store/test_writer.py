"""Entries from many threads: in groups, in order, each once, also after a failed commit and at the end."""

import asyncio
import resource
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from pubdice.core.errors import NotStored
from pubdice.store import Outcome, SqliteStore, Stored
from pubdice.store.deadline import ENDS_WITHIN_S, Deadline
from pubdice.store.direct_writer import DirectWriter
from pubdice.store.sqlite.schema import Connect, exclusive, plain
from pubdice.store.writer import ThreadWriter, Transactions, Writer
from store.connections import PLAYING, code, entry, hooked, table


class Gate:
    """Holds the writer up before a transaction, so that a group can gather. Counts commits. Fails what it should."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.open.set()
        self.held = threading.Event()
        self.commits = 0
        self.failing: list[str] = []
        self.fault: type[Exception] = sqlite3.OperationalError

    def __call__(self, statement: str) -> None:
        if statement == "BEGIN IMMEDIATE":
            self.held.set()
            assert self.open.wait(10)
        if self.failing and statement.startswith(self.failing[0]):
            raise self.fault(f"no {self.failing.pop(0)}")
        self.commits += statement == "COMMIT"

    @contextmanager
    def shut(self, store: SqliteStore, *failing: str) -> Iterator[None]:
        """Entries submitted in here make one group, behind a first entry of no interest. That group fails."""
        self.open.clear()
        self.held.clear()
        store.submit([(entry(0, 0), lambda _: self.failing.extend(failing))])
        assert self.held.wait(10)
        yield
        self.open.set()


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def store(gate: Gate, tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(tmp_path / "house.db", connect=hooked(gate))) as made:
        yield made


def test_entries_of_many_threads_keep_their_order(store: SqliteStore, gate: Gate) -> None:
    tables = [table(store, letter * 6) for letter in "ABCDEFGH"]
    outcomes: SimpleQueue[Outcome] = SimpleQueue()

    def play(of: int) -> None:
        for at in range(250):
            store.submit([(entry(of, 1 + 2 * at, f"{at} a", f"{at} b", key=f"key {at}"), outcomes.put)])

    threads = [threading.Thread(target=play, args=(of,)) for of in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = [outcomes.get(timeout=10) for _ in range(2_000)]
    assert all(isinstance(outcome, Stored) for outcome in told)
    for of in tables:
        assert store.read(of) == ["setup", *(f"{at} {half}" for at in range(250) for half in "ab")]
    assert gate.commits < 1_000


def test_a_taken_code_is_refused_alone_too(store: SqliteStore, gate: Gate) -> None:
    of = table(store, "ABCDEF")
    told: SimpleQueue[Any] = SimpleQueue()
    with gate.shut(store):
        store.submit_table("ABCDEF", ["mine"], PLAYING, told.put)
        store.submit([(entry(of, 1, "a"), told.put)])
        store.submit_table("GHIJKL", ["new"], PLAYING, told.put)
    taken, stored, new = (told.get(timeout=10) for _ in range(3))
    assert (taken.code, stored, store.read(store.codes()[new])) == ("code-taken", Stored(2), ["new"])


def test_more_than_a_group_holds_is_several_groups(store: SqliteStore, gate: Gate) -> None:
    of, outcomes, ended = table(store), list[Outcome](), threading.Event()
    with gate.shut(store):
        before = gate.commits
        for at in range(1_300):
            store.submit([(entry(of, 1 + at, "x", key=f"{at}"), outcomes.append)])
        store.submit([(entry(0, 0), lambda _: ended.set())])
    assert ended.wait(10)
    assert outcomes == [Stored(2 + at) for at in range(1_300)]
    assert gate.commits == before + 4


@pytest.mark.parametrize("statement", ["BEGIN", "INSERT INTO log", "INSERT INTO tables", "COMMIT"])
def test_a_group_that_cannot_be_written_is_refused_whole(statement: str, store: SqliteStore, gate: Gate) -> None:
    one, two = table(store, "AAAAAA"), table(store, "BBBBBB")
    told: SimpleQueue[Outcome] = SimpleQueue()
    with gate.shut(store, statement):
        store.submit([(entry(one, 1, "a", key="1"), told.put)])
        store.submit([(entry(two, 1, "b", key="1"), told.put)])
    refused = [told.get(timeout=10) for _ in range(2)]
    assert [outcome.code for outcome in refused if isinstance(outcome, NotStored)] == ["store-unwritable"] * 2
    assert (store.read(one), store.read(two), store.answer(one, "1")) == (["setup"], ["setup"], None)
    assert store.write(entry(one, 1, "a", key="1")) == Stored(2)
    assert store.read(one) == ["setup", "a"]


def test_a_disk_that_takes_nothing_can_be_read(store: SqliteStore, gate: Gate) -> None:
    of = table(store)
    gate.failing = ["COMMIT", *["PRAGMA"] * 5]
    told = [code(lambda: store.write(entry(of, 1, "a"))) for _ in range(5)]
    assert told == ["store-unwritable"] * 5
    assert store.read(of) == ["setup"]
    gate.failing.clear()
    assert store.write(entry(of, 1, "a")) == Stored(2)


@pytest.mark.parametrize("fault", [MemoryError, AttributeError])
def test_a_fault_that_sqlite_does_not_know_leaves_nobody_waiting(
    fault: type[Exception], store: SqliteStore, gate: Gate
) -> None:
    of, told = table(store), SimpleQueue[Outcome]()
    gate.fault, gate.failing = fault, ["COMMIT", "PRAGMA", "PRAGMA"]
    outcomes: list[Outcome] = []
    for _ in range(3):
        store.submit([(entry(of, 1, "a", key="1"), told.put)])
        outcomes.append(told.get(timeout=10))
    assert [getattr(outcome, "code", outcome) for outcome in outcomes] == ["store-unwritable"] * 2 + [Stored(2)]


@pytest.mark.parametrize(("connect", "writer"), [(plain, ThreadWriter), (exclusive, DirectWriter)])
def test_a_full_disk_refuses_until_there_is_room(
    connect: Connect, writer: Callable[[Transactions], Writer], tmp_path: Path
) -> None:
    with closing(SqliteStore(tmp_path / "house.db", connect=connect, writer=writer)) as store:
        of, lines, refused = table(store), ["setup"], 0
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, limits[1]))
        try:
            while refused < 20:
                try:
                    store.append(of, len(lines), ["x" * 1_000])
                    lines.append("x" * 1_000)
                except NotStored:
                    refused += 1
                assert store.read(of) == lines
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        store.append(of, len(lines), ["there is room"])
    with closing(SqliteStore(tmp_path / "house.db", connect=connect, writer=writer)) as store:
        assert store.read(of) == [*lines, "there is room"]
        assert store.damage() == []


def test_one_wake_tells_a_whole_group(store: SqliteStore, gate: Gate) -> None:
    of, told = table(store), list[Outcome]()
    wakes: SimpleQueue[Callable[[], None]] = SimpleQueue()
    with gate.shut(store):
        for at in range(100):
            store.submit([(entry(of, 1 + at, "x"), told.append)], wakes.put)
    wake = wakes.get(timeout=10)
    assert told == []
    wake()
    assert told == [Stored(2 + at) for at in range(100)]
    store.close()
    assert wakes.empty()


def test_an_idle_writer_asks_its_queue_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = list[tuple[bool, float | None]]()

    class Asked(SimpleQueue[Any]):
        def get(self, block: bool = True, timeout: float | None = None) -> Any:
            if threading.current_thread().name == "pubdice-writer":
                asked.append((block, timeout))
            return super().get(block, timeout)

    monkeypatch.setattr("pubdice.store.writer.queue.SimpleQueue", Asked)
    with closing(SqliteStore(tmp_path / "house.db")) as store:
        store.write(entry(table(store), 1, "a"))
    assert asked == [(True, None)] * 3, "for a table, for a line, and for the end"


def test_an_event_loop_waits_for_entries_without_a_thread(store: SqliteStore) -> None:
    tables = [table(store, letter * 6) for letter in "ABCDEFGH"]

    async def play(of: int) -> list[Outcome]:
        loop, outcomes = asyncio.get_running_loop(), list[Outcome]()
        for at in range(20):
            waiting: asyncio.Future[Outcome] = loop.create_future()
            store.submit([(entry(of, 1 + at, "x"), waiting.set_result)], loop.call_soon_threadsafe)
            outcomes.append(await waiting)
        return outcomes

    async def all_play() -> list[list[Outcome]]:
        return await asyncio.gather(*(play(of) for of in tables))

    assert asyncio.run(all_play()) == [[Stored(2 + at) for at in range(20)]] * len(tables)


def test_a_loop_that_is_closed_stops_nobody_else(store: SqliteStore, gate: Gate) -> None:
    def closed(_: Callable[[], None]) -> None:
        raise RuntimeError("Event loop is closed")

    of, told = table(store), SimpleQueue[Outcome]()
    with gate.shut(store):
        store.submit([(entry(of, 1, "a"), told.put)], closed)
        store.submit([(entry(of, 2, "b"), told.put)])
    assert told.get(timeout=10) == Stored(3)


def test_a_fault_in_one_callback_leaves_the_others(
    store: SqliteStore, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda fault: reported.append(str(fault.exc_value)))

    def fails(_: Outcome) -> None:
        raise ValueError("mine")

    of, told = table(store), SimpleQueue[Outcome]()
    with gate.shut(store):
        store.submit([(entry(of, 1, "a"), fails)])
        store.submit([(entry(of, 2, "b"), told.put)])
    assert told.get(timeout=10) == Stored(3)
    assert reported == ["mine"]


def test_half_a_character_stops_its_maker_and_nobody_else() -> None:
    with pytest.raises(UnicodeEncodeError):
        entry(1, 1, "name \ud800")
    with pytest.raises(UnicodeEncodeError):
        entry(1, 1, key="\udfff")


def test_what_is_queued_when_the_house_closes_is_written(tmp_path: Path) -> None:
    store, told = SqliteStore(tmp_path / "house.db"), list[Outcome]()
    of = table(store)
    for at in range(1_000):
        store.submit([(entry(of, 1 + at, "x"), told.append)])
    store.close()
    assert told == [Stored(2 + at) for at in range(1_000)]
    assert code(lambda: store.write(entry(of, 1_001, "late"))) == "store-unwritable"
    with closing(SqliteStore(tmp_path / "house.db")) as again:
        assert len(again.read(of)) == 1_001


def test_entries_submitted_together_are_one_transaction(store: SqliteStore) -> None:
    tables = [table(store, letter * 6) for letter in "ABCDEFGH"]
    told, wakes = list[Outcome](), SimpleQueue[Callable[[], None]]()
    for _ in range(20):  # whatever the thread is doing meanwhile
        seen = len(store.read(tables[0]))
        store.submit([(entry(of, seen, "x"), told.append) for of in tables], wakes.put)
        wakes.get(timeout=10)()
        assert told == [Stored(seen + 1)] * len(tables)
        told.clear()
    store.close()
    assert wakes.empty()


def test_a_write_that_comes_alone_waits_for_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = list[tuple[bool, float | None]]()

    class Watched(SimpleQueue[Any]):
        def get(self, block: bool = True, timeout: float | None = None) -> Any:
            waits.append((block, timeout))
            return super().get(block, timeout)

    monkeypatch.setattr("pubdice.store.writer.queue.SimpleQueue", Watched)
    with closing(SqliteStore(tmp_path / "house.db")) as store:
        of = table(store)
        for at in range(3):
            store.write(entry(of, 1 + at, "x"))
    assert waits
    assert {timeout for _, timeout in waits} == {None}, "the thread sleeps until a job comes, and for no moment more"


class Clock:
    """A clock that a test moves, in s."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_steps_that_all_hang_end_at_one_deadline() -> None:
    clock = Clock()
    deadline = Deadline(clock)
    assert deadline.left(5.0) == 5.0, "nobody has told the process to end"
    deadline.begin()
    for most_s in (1.0, 3.0, 3.0, 2.0, 5.0, 5.0, 5.0):  # each takes all that it is given
        clock.now += deadline.left(most_s)
    assert clock.now == 100.0 + ENDS_WITHIN_S < 115.0
    assert deadline.left(5.0) == 0.0


def test_one_who_is_told_again_to_end_has_no_more_time() -> None:
    clock = Clock()
    deadline = Deadline(clock)
    deadline.begin()
    clock.now += 10.0
    deadline.begin()
    assert deadline.left(100.0) == ENDS_WITHIN_S - 10.0


def test_what_hangs_at_the_deadline_is_ended() -> None:
    ended = threading.Event()
    Deadline(end=ended.set).begin(0.01)
    assert ended.wait(30)


def test_nothing_is_ended_that_nobody_told_to_end() -> None:
    ended = list[int]()
    deadline = Deadline(Clock(), lambda: ended.append(1))
    assert deadline.left(1.0) == 1.0
    assert not [thread for thread in threading.enumerate() if thread.name == "pubdice-deadline"]
    assert ended == []
