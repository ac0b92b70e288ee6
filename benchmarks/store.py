"""Claim: grouped, the store keeps 3,000 entries a second or more, every one synced before anybody is told.

An entry is what a move makes: three lines, a key, an answer of 300 bytes, and what the house looks tables up by. Each
of the phones waits for its answer on one event loop before it moves again, its table its own.

Two other ways are timed beside it, in alternating batches of the same entries, with the same settings of SQLite:

- one commit an entry: the plain way, five statements and a commit, on one thread that does nothing else;
- bare: a loop with nothing checked, nobody told and no second thread, 512 entries a commit. This is the limit.

The comparison is made twice: on this disk, and as on a disk that needs so long to sync (``--sync-ms``, slept at every
commit; a tenth of the entries), because a virtual machine's sync may be a tenth of what a disk in a pub takes.

Then a group is written beside a thread that never rests, as the store writes it and statement by statement. Every
statement lets go of the interpreter's lock; whether the other thread is quick enough to take it depends on whether a
core is free for it, so look at the worst, and run it on an idle machine. Last, phones that move twice a second: how
long they wait.

Rates are wall time, of the fastest batch; ratios are medians of neighbouring batches. Exit status 1 below 3,000/s, or
if groups are no faster than single commits.

    .venv/bin/python -m benchmarks.store [--entries 8000] [--phones 400] [--batches 5] [--sync-ms 5] [--folder .]
"""

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import Any

from pubdice.store import Entry, Facts, Outcome, SqliteStore, Stored
from pubdice.store.group import write_entries
from pubdice.store.schema import Connect, connection, plain

GOAL = 3_000
GROUP = 512
LINES = ("mark 0 2 5", "play k446", "roll 136")
ANSWER = b"x" * 300


def slow(sync_ms: float) -> Connect:
    """Connections whose commits take so much longer."""

    class Slow(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if statement == "COMMIT":
                sleep(sync_ms / 1000)
            return super().execute(statement, *values)

    return lambda path: sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Slow)


def entry(table: int, at: int) -> Entry:
    """The move number ``at`` of a table."""
    return Entry(table, 1 + 3 * at, LINES, f"key-{at:016}", ANSWER, Facts("playing", True, at))


async def kept(store: SqliteStore, one: Entry) -> Outcome:
    """The outcome of an entry, as an event loop waits for it."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[Outcome] = loop.create_future()
    store.submit(one, waiting.set_result, loop.call_soon_threadsafe)
    return await waiting


def opened(store: SqliteStore, phones: int) -> list[int]:
    """A table for each phone."""
    return [store.open_table(f"{at:06}", "setup", Facts("gathering", True, 0)) for at in range(phones)]


def grouped_s(path: Path, connect: Connect, entries: int, phones: int) -> float:
    """Seconds for all entries: each phone waits for one before its next."""

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
    """Seconds for the same entries without a store, ``group`` of them a commit; the lone ones are looked at first."""
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
    """The plain statements."""
    if check:
        for move in moves:
            db.execute("SELECT answer FROM answers WHERE table_id = ? AND key = ?", (move.table, move.key)).fetchall()
            db.execute("SELECT max(seq) FROM events WHERE table_id = ?", (move.table,)).fetchall()
    lines = [(move.table, move.seen + at, line) for move in moves for at, line in enumerate(move.lines)]
    db.executemany("INSERT INTO events (table_id, seq, line) VALUES (?, ?, ?)", lines)
    answers = [(move.table, move.key, move.seen + 3, move.answer) for move in moves]
    db.executemany("INSERT INTO answers (table_id, key, seq, answer) VALUES (?, ?, ?, ?)", answers)
    known = [(move.seen, move.table) for move in moves]
    db.executemany("UPDATE tables SET stage = 'playing', listed = 1, updated = ? WHERE id = ?", known)


def compare(name: str, connect: Connect, chosen: argparse.Namespace, entries: int) -> tuple[float, float]:
    """Print all three; entries a second in groups, and their ratio to single commits."""
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


def beside_busy(batches: int, folder: Path) -> None:
    """Print how long one group takes beside a thread that computes all the time."""
    resting = threading.Event()

    def work() -> None:
        while not resting.is_set():
            sum(range(100))

    taken: dict[str, list[float]] = {"as the store does": [], "statement by statement": []}
    with tempfile.TemporaryDirectory(dir=folder) as place:
        path = Path(place) / "house.db"
        with closing(SqliteStore(path)) as store:
            tables = opened(store, 64)
        with closing(connection(path, plain, 5.0, writes=True)) as db:
            thread = threading.Thread(target=work)
            thread.start()
            for at in range(2 * batches):
                moves = [entry(table, at) for table in tables]
                begun = perf_counter()
                db.execute("BEGIN IMMEDIATE")
                if at % 2:
                    put(db, moves, check=True)
                else:
                    write_entries(db, moves)
                db.execute("COMMIT")
                taken[list(taken)[at % 2]].append(1000 * (perf_counter() - begun))
            resting.set()
            thread.join()
    print(f"a group of {len(tables)} beside a thread that never rests, medians of {batches}")
    for way, times in taken.items():
        print(f"  {way:<22}{median(times):>9,.0f} ms   worst {max(times):,.0f} ms")


async def waits_ms(store: SqliteStore, tables: list[int], moves: int, busy: bool) -> list[float]:
    """How long each entry took, with every phone moving twice a second; ``busy``: half of the loop's time is taken."""
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
    """Print how long an entry takes when phones move twice a second."""
    with tempfile.TemporaryDirectory(dir=folder) as place, closing(SqliteStore(Path(place) / "house.db")) as store:
        waited = quantiles(asyncio.run(waits_ms(store, opened(store, phones), 8, busy)), n=100)
    beside = "a loop half busy" if busy else "an idle loop"
    print(f"{2 * phones:,} entries/s beside {beside:<18} p50 {waited[49]:6.2f} ms   p99 {waited[98]:6.2f} ms")


def main() -> int:
    """Compare; exit status 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=8000)
    parser.add_argument("--phones", type=int, default=400)
    parser.add_argument("--batches", type=int, default=5)
    parser.add_argument("--sync-ms", type=float, default=5)
    parser.add_argument("--folder", type=Path, default=Path(), help="on the disk to be measured")
    chosen = parser.parse_args()
    rate, ratio = compare("this disk", plain, chosen, chosen.entries)
    compare(f"a sync of {chosen.sync_ms:g} ms more", slow(chosen.sync_ms), chosen, chosen.entries // 10)
    beside_busy(chosen.batches, chosen.folder)
    for busy in (False, True):
        steady(500, busy, chosen.folder)
    return 0 if rate >= GOAL and ratio > 1 else 1


if __name__ == "__main__":
    sys.exit(main())
