"""Checks that the store keeps at least 3,000 entries a second in groups, each synced before its phone is told.

An entry is the data of one move: three lines, a key, an answer of 300 bytes, and the fields by which the house finds
tables. Each phone has its own table. It waits for its answer on the event loop before it moves again.

Two other ways are timed with it, in alternating batches of the same entries, with the same settings of SQLite:

- one commit an entry: the plain way, with five statements and a commit, on one thread that does nothing else
- bare: a loop without checks, answers or a second thread, with 512 entries a commit. This is the limit.

The comparison runs twice: on this disk, and as on a slower disk (a pause of ``--sync-ms`` at each commit, with a tenth
of the entries). A virtual machine's sync may take a tenth of the time of a disk in a pub.

The first figure is the cost of a move for the writer's thread (`writer_costs`). Groups of 64 moves come from 500 tables
with some history. Like most moves, they change nothing in the lists of tables. Processor time is the thread's own, from
the queue to the callbacks. The peer in the same run is one bare INSERT of the same bytes into a table without an index,
the least that SQLite can do.

The last figure is the wait of phones that move twice a second, beside an idle event loop and a half busy one.

Rates are by the clock, of the fastest batch. Ratios are medians over neighbouring batches. The exit status is 1 below
3,000/s, or if groups are no faster than single commits.

    .venv/bin/python -m benchmarks.store [--entries 8000] [--phones 400] [--batches 5] [--sync-ms 5] [--folder .]
    .venv/bin/python -m benchmarks.store --only-writer [--history 20] [--random-keys]
"""

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import median, quantiles
from time import clock_gettime, perf_counter, pthread_getcpuclockid, sleep, thread_time
from typing import Any

from pubdice.store import Entry, Outcome, SqliteStore, Stored, TableSummary
from pubdice.store.house_store import join_lines
from pubdice.store.sqlite.schema import SAME_KEY, Connect, connection, plain

GOAL = 3_000
GROUP = 512
TABLES, MOVES, GROUPS = 500, 64, 200
"""For the measurement of the writer: the numbers of tables, of moves in a group, and of groups."""
LINES = ("mark 0 2 5", "play k446", "roll 136")
ANSWER = b"x" * 300


def slow(sync_ms: float) -> Connect:
    """Return a function that opens connections whose commits take ``sync_ms`` longer."""

    class Slow(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if statement == "COMMIT" or (statement.startswith("INSERT") and not self.in_transaction):
                sleep(sync_ms / 1000)
            return super().execute(statement, *values)

    return lambda path: sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Slow)


def entry(table: int, at: int) -> Entry:
    """Return the entry of move number ``at`` of a table."""
    return Entry(table, 1 + 3 * at, LINES, f"key-{at:016}", ANSWER, TableSummary("playing", True, at))


async def kept(store: SqliteStore, one: Entry) -> Outcome:
    """Store an entry, and wait for its outcome on the event loop."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[Outcome] = loop.create_future()
    store.submit([(one, waiting.set_result)], loop.call_soon_threadsafe)
    return await waiting


def opened(store: SqliteStore, phones: int) -> list[int]:
    """Open a table for each phone."""
    return [store.open_table(f"{at:06}", "setup", TableSummary("gathering", True, 0)) for at in range(phones)]


def grouped_s(path: Path, connect: Connect, entries: int, phones: int) -> float:
    """Return the seconds for all entries in groups. Each phone waits for one entry before it sends its next."""

    async def phone(store: SqliteStore, table: int) -> None:
        for at in range(entries // phones):
            assert isinstance(await kept(store, entry(table, at)), Stored)

    async def all_phones(store: SqliteStore, tables: list[int]) -> float:
        begun = perf_counter()
        await asyncio.gather(*(phone(store, table) for table in tables))
        return perf_counter() - begun

    with closing(SqliteStore(path, connect=connect)) as store:
        return asyncio.run(all_phones(store, opened(store, phones)))


def by_hand_s(path: Path, connect: Connect, entries: int, phones: int, group: int) -> float:
    """Return the seconds for the same entries without the store, with ``group`` entries a commit.

    With one entry a commit, the statements also check it first.
    """
    with closing(SqliteStore(path)) as store:
        tables = opened(store, phones)
    moves = [entry(table, at) for at in range(entries // phones) for table in tables]
    with closing(connection(path, connect, 5.0, writes=True)) as db:
        begun = perf_counter()
        for start in range(0, len(moves), group):
            db.execute("BEGIN IMMEDIATE")
            put(db, moves[start : start + group], check=group == 1)
            db.execute("COMMIT")
        return perf_counter() - begun


def put(db: sqlite3.Connection, moves: list[Entry], *, check: bool) -> None:
    """Run the plain statements for some moves."""
    if check:
        for move in moves:
            db.execute(f"SELECT answer FROM log WHERE {SAME_KEY.format(table='?1', key='?2')}", (move.table, move.key))
            db.execute("SELECT max(seq) FROM log WHERE table_id = ?", (move.table,)).fetchall()
    rows = [(move.table, move.seen + 3, move.key, join_lines(move.lines), move.answer) for move in moves]
    db.executemany("INSERT INTO log (table_id, seq, key, lines, answer) VALUES (?, ?, ?, ?, ?)", rows)
    known = [(move.seen, move.table) for move in moves]
    db.executemany("UPDATE tables SET stage = 'playing', listed = 1, updated = ? WHERE id = ?", known)


def compare(name: str, connect: Connect, chosen: argparse.Namespace, entries: int) -> tuple[float, float]:
    """Print all three rates. Return the entries a second in groups, and their ratio to single commits."""
    phones = min(chosen.phones, entries // 2)
    ways: dict[str, Callable[[Path], float]] = {
        "grouped": lambda path: grouped_s(path, connect, entries, phones),
        "one commit an entry": lambda path: by_hand_s(path, connect, entries, phones, 1),
        "bare, the limit": lambda path: by_hand_s(path, connect, entries, phones, GROUP),
    }
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(chosen.batches):
        for way, run in ways.items():
            with tempfile.TemporaryDirectory(dir=chosen.folder) as place:
                taken[way].append(run(Path(place) / "house.db"))
    count = entries // phones * phones
    print(f"{name}: {count} entries of {len(LINES)} lines, {phones} phones, {chosen.batches} alternating batches")
    ratios = {}
    for way, times in taken.items():
        ratios[way] = median(ours / theirs for ours, theirs in zip(times, taken["grouped"], strict=True))
        print(f"  {way:<22}{count / min(times):>9,.0f} entries/s   grouped is {ratios[way]:.2f} times that, median")
    return count / min(taken["grouped"]), ratios["one commit an entry"]


class Moves:
    """Moves of many tables, as phones make them. Each key has a person, a time and a random part."""

    def __init__(self, tables: Sequence[int], *, random_keys: bool) -> None:
        self._rng, self._tables, self._random = Random(1), tables, random_keys
        self._at = dict.fromkeys(tables, 1)
        self._now_ms = 1_763_640_000_000

    def group(self, tables: Sequence[int] | None = None) -> list[Entry]:
        """Return the next move of the given tables, or of 64 random ones."""
        return [self._next(table) for table in tables or self._rng.sample(self._tables, MOVES)]

    def _next(self, table: int) -> Entry:
        seen = self._at[table]
        self._at[table] += len(LINES)
        self._now_ms += 1
        time = self._rng.getrandbits(48) if self._random else self._now_ms
        key = f"{table:022} {time:012x}{self._rng.getrandbits(40):010x}"
        return Entry(table, seen, LINES, key, b'{"seq":%d}' % seen, body=self._rng.randbytes(16))


def writer_costs(folder: Path, history: int, *, random_keys: bool, busy: bool) -> tuple[float, float, float]:
    """Return the processor time of the writer's thread and of a bare INSERT, in µs an entry, and the median time of a
    group in ms.
    """
    with tempfile.TemporaryDirectory(dir=folder) as place, ExitStack() as stack:
        store = stack.enter_context(closing(SqliteStore(Path(place) / "house.db")))
        bare = stack.enter_context(closing(connection(Path(place) / "bare.db", plain, 5.0, writes=True)))
        bare.execute("CREATE TABLE bare (a INTEGER, b INTEGER, c TEXT, d TEXT, e BLOB, f BLOB)")
        moves = Moves(opened(store, TABLES), random_keys=random_keys)
        for _ in range(history):
            _told_at(store, moves.group(range(1, TABLES + 1)))
        thread = next(each for each in threading.enumerate() if each.name == "pubdice-writer")
        assert thread.ident is not None
        clock, values = pthread_getcpuclockid(thread.ident), ",".join(["(?,?,?,?,?,?)"] * MOVES)
        if busy:
            stack.enter_context(_working())
        used_s, bare_s, groups = 0.0, 0.0, list[float]()
        for _ in range(GROUPS):
            group = moves.group()
            used_s -= clock_gettime(clock)
            began = perf_counter()
            groups.append(1000 * (_told_at(store, group) - began))
            used_s += clock_gettime(clock)
            row = [
                value
                for each in group
                for value in (each.table, each.seen, each.key, "\n".join(each.lines), each.answer, each.body)
            ]
            bare_s -= thread_time()
            bare.execute(f"INSERT INTO bare VALUES {values}", row)
            bare_s += thread_time()
    per_entry = 1e6 / (GROUPS * MOVES)
    return used_s * per_entry, bare_s * per_entry, median(groups)


def _told_at(store: SqliteStore, group: Sequence[Entry]) -> float:
    """Store a group. Return the time at which the writer's thread reported the last of its entries.

    All entries are queued before the writer gets the GIL.
    """
    ended, told = SimpleQueue[float](), list[Outcome]()

    def done(outcome: Outcome) -> None:
        told.append(outcome)
        if len(told) == len(group):
            ended.put(perf_counter())

    for each in group:
        store.submit([(each, done)])
    at = ended.get()
    assert all(isinstance(outcome, Stored) for outcome in told)
    return at


@contextmanager
def _working() -> Iterator[None]:
    """Run a thread that computes all the time."""
    resting = threading.Event()

    def work() -> None:
        while not resting.is_set():
            sum(range(100))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        resting.set()
        thread.join()


def measure_writer(chosen: argparse.Namespace) -> None:
    """Print the cost of a move for the writer: the least of some runs, as other work shares the machine."""
    print(f"the writer: {MOVES} moves a group, {TABLES} tables of {chosen.history} moves each, {GROUPS} groups")
    for busy in (False, True):
        runs = [
            writer_costs(chosen.folder, chosen.history, random_keys=chosen.random_keys, busy=busy)
            for _ in range(chosen.batches)
        ]
        used, bare, ms = (min(figures) for figures in zip(*runs, strict=True))
        ratio = median(used / bare for used, bare, _ in runs)
        print(
            f"  {'beside a busy thread' if busy else 'alone':<22}{used:7.1f} µs an entry   bare INSERT {bare:.1f} µs, "
            f"ratio {ratio:.1f}   a group {ms:.2f} ms (p50)"
        )


async def waits_ms(store: SqliteStore, tables: list[int], moves: int, busy: bool) -> list[float]:
    """Return the ms that each entry took while each phone moves twice a second. ``busy``: the loop is half busy."""
    waited: list[float] = []

    async def phone(table: int, late_s: float) -> None:
        await asyncio.sleep(late_s)
        for at in range(moves):
            begun = perf_counter()
            assert isinstance(await kept(store, entry(table, at)), Stored)
            waited.append(1000 * (perf_counter() - begun))
            await asyncio.sleep(max(0.0, 0.5 - (perf_counter() - begun)))

    async def work() -> None:
        while True:
            until = perf_counter() + 0.002
            while perf_counter() < until:
                pass
            await asyncio.sleep(0.002)

    working = asyncio.create_task(work()) if busy else None
    await asyncio.gather(*(phone(table, 0.5 * at / len(tables)) for at, table in enumerate(tables)))
    if working:
        working.cancel()
    return waited


def steady(phones: int, busy: bool, folder: Path) -> None:
    """Print the time of an entry if phones move twice a second."""
    with tempfile.TemporaryDirectory(dir=folder) as place, closing(SqliteStore(Path(place) / "house.db")) as store:
        waited = quantiles(asyncio.run(waits_ms(store, opened(store, phones), 8, busy)), n=100)
    beside = "a loop half busy" if busy else "an idle loop"
    print(f"{2 * phones:,} entries/s beside {beside:<18} p50 {waited[49]:6.2f} ms   p99 {waited[98]:6.2f} ms")


def main() -> int:
    """Compare all ways. Return exit status 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=8000)
    parser.add_argument("--phones", type=int, default=400)
    parser.add_argument("--batches", type=int, default=5)
    parser.add_argument("--sync-ms", type=float, default=5)
    parser.add_argument("--folder", type=Path, default=Path(), help="on the disk to be measured")
    parser.add_argument("--history", type=int, default=20, help="moves each table of the writer's measurement has")
    parser.add_argument("--random-keys", action="store_true", help="keys without a time in front")
    parser.add_argument("--only-writer", action="store_true")
    chosen = parser.parse_args()
    measure_writer(chosen)
    if chosen.only_writer:
        return 0
    rate, ratio = compare("this disk", plain, chosen, chosen.entries)
    compare(f"a sync of {chosen.sync_ms:g} ms more", slow(chosen.sync_ms), chosen, chosen.entries // 10)
    for busy in (False, True):
        steady(500, busy, chosen.folder)
    return 0 if rate >= GOAL and ratio > 1 else 1


if __name__ == "__main__":
    sys.exit(main())
