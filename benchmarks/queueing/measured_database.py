"""Figures of PostgreSQL: a real server in a folder, the function that appends, and hints heard by a process.

Processor time is that of all processes of the server. Groups come one by one, every 4 ms, as a house's writer sends
them: in a closed loop they would cost less, as nothing would be woken.
"""

import asyncio
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from inspect import signature
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Any

import uvloop

from benchmarks.load.process import TICKS, free_port
from benchmarks.queueing.figures import Figure
from benchmarks.queueing.measured_house import seen

GROUPS = (1, 5, 25)
LISTENERS = (0, 8)
HINTS = (1, 25)
EVERY_S = 0.004
TABLES = 500
LINES = ("mark 0 2 5", "play k446", "roll 136")
ANSWER = b"x" * 300
MISSING = "This needs PostgreSQL's programs, and pubdice's extra: pip install 'pubdice[cluster]'."


class Server:
    """A server of our own on 127.0.0.1."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs, self._folder, self._port = programs, folder, free_port()
        known = [each.pw_name for each in pwd.getpwall()]
        self._user = None if os.getuid() else "postgres" if "postgres" in known else "nobody"
        folder.mkdir(mode=0o700)
        if self._user:
            shutil.chown(folder, self._user)
        if self._user and subprocess.run(["test", "-w", folder], user=self._user, check=False).returncode:
            raise SystemExit(f"PostgreSQL's user can't write to {folder}. Name another place with --folder.")
        self._run("initdb", "-D", str(folder), "-U", "house", "-A", "trust", "-E", "UTF8", "--locale=C")
        settings = f"-c port={self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        log = str(folder / "log")
        self._run("pg_ctl", "-D", str(folder), "-w", "-l", log, "-o", settings, "start")
        self._pid = (folder / "postmaster.pid").read_text("ascii").split()[0]
        self.address = f"postgresql://house@127.0.0.1:{self._port}/postgres"

    @property
    def cpu_s(self) -> float:
        """Processor time so far of all processes of the server; the postmaster knows that of those that have ended."""
        used = 0
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            if self._pid in (folder.name, fields[1]):
                used += sum(map(int, fields[11 : 15 if folder.name == self._pid else 13]))
        return used / TICKS

    def stop(self) -> None:
        """End it."""
        self._run("pg_ctl", "-D", str(self._folder), "-w", "-m", "fast", "stop")

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [self._programs / program, *words], user=self._user, cwd="/", check=True, stdout=subprocess.DEVNULL
        )


@contextmanager
def server_running(folder: Path) -> Iterator[Server]:
    """A fresh server, deleted after. SystemExit with a sentence if it, or what pubdice needs for it, is missing."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda file: int(file.parts[-3]))
    on_path = shutil.which("pg_ctl")
    try:
        import_module("pubdice.store.postgres.schema")
    except ImportError:
        raise SystemExit(MISSING) from None
    if not found and on_path is None:
        raise SystemExit(MISSING)
    programs = found[-1].parent if found else Path(str(on_path)).resolve().parent
    with TemporaryDirectory(dir=folder) as place:
        Path(place).chmod(0o755)
        server = Server(programs, Path(place) / "data")
        try:
            yield server
        finally:
            server.stop()


def measured_database(server: Server, seconds: float) -> dict[str, Figure]:
    """What a group and an append in it cost, what hints cost the server and a process that hears them."""
    schema, transactions = (
        import_module("pubdice.store.postgres.schema"),
        import_module("pubdice.store.postgres.transactions"),
    )
    schema.migrate(server.address)
    with schema.connect(server.address) as db:
        db.execute("TRUNCATE heads, log")
        db.execute("INSERT INTO heads (id, seq) SELECT id, 0 FROM generate_series(1, %s) id", (TABLES,))
        return _appends(server, db, transactions.append, seconds) | _hints(server, seconds)


def _appends(server: Server, db: Any, append: Any, seconds: float) -> dict[str, Figure]:
    entry, stored = import_module("pubdice.store.entries"), import_module("pubdice.store.entries").Stored
    seen_of, number = dict.fromkeys(range(1, TABLES + 1), 0), 0

    def write(size: int) -> float:
        """One group; how long it took."""
        nonlocal number
        group = []
        for _ in range(size):
            number += 1
            table = 1 + number % TABLES
            group.append(entry.Entry(table, seen_of[table], LINES, f"{number:044}", ANSWER, body=b"x" * 16))
            seen_of[table] += len(LINES)
        begun = perf_counter()
        assert all(isinstance(outcome, stored) for outcome in append(db, group))
        return perf_counter() - begun

    points, waits, wal = [], [], 0.0
    for size in GROUPS:
        for _ in range(50):
            write(size)
        lsn, cpu_s, took = _lsn(db), server.cpu_s, []
        until = perf_counter() + seconds
        while perf_counter() < until:
            took.append(write(size))
            sleep(max(0.0, EVERY_S - took[-1]))
        points.append((size, 1e6 * (server.cpu_s - cpu_s) / len(took)))
        waits.append(1e6 * median(took) - points[-1][1])
        wal = (_lsn(db) - lsn) / len(took) / size
    group, append_us = line(points)
    how = "groups of {}, one every 4 ms: {} µs a group".format(
        ", ".join(str(size) for size, _ in points), ", ".join(f"{cost:.0f}" for _, cost in points)
    )
    size = db.execute("SELECT pg_total_relation_size('log')").fetchone()[0] / number
    return {
        "group": seen(group, "µs", f"PostgreSQL, {how}; the line through them"),
        "append": seen(append_us, "µs", "the same line"),
        "flush": seen(max(waits[0], 0.0), "µs", "the same groups of 1: wall time in the median, less processor time"),
        "wal_append": seen(wal, "bytes", "the same groups of 25, write-ahead log"),
        "disk_append": seen(size, "bytes", "the same run, the log and its indexes"),
    }


def _lsn(db: Any) -> float:
    return float(db.execute("SELECT pg_current_wal_lsn() - '0/0'").fetchone()[0])


def line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The line of least squares: its height at 0, and its slope.

    >>> line([(1, 12), (5, 20), (25, 60)])
    (10.0, 2.0)
    """
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    over = sum((x - mean_x) * (y - mean_y) for x, y in points)
    slope = over / sum((x - mean_x) ** 2 for x, _ in points)
    return mean_y - slope * mean_x, slope


def _hints(server: Server, seconds: float) -> dict[str, Figure]:
    """One message every 4 ms, of few hints and of many, to no other listener and to some."""
    costs: dict[tuple[int, int], float] = {}
    heard: list[tuple[float, float]] = []
    for listeners, hints in [*((some, HINTS[0]) for some in LISTENERS), (1, HINTS[1])]:
        processes = [_process(server, f"{2 + number}") for number in range(listeners)]
        teller = _process(server, "1", f"{hints}", f"{seconds}")
        cpu_s = server.cpu_s
        number = int(teller.communicate("\n")[0])
        costs[listeners, hints] = 1e6 * (server.cpu_s - cpu_s) / number
        spent = [float(process.communicate("\n")[0]) for process in processes]
        if spent:
            heard.append((hints, 1e6 * median(spent) / number))
    least, most = (costs[some, HINTS[0]] for some in LISTENERS)
    message, hint = line(heard)
    return {
        "message": seen(message, "µs", f"a process that only listens, messages of {HINTS[0]} and of {HINTS[1]} hints"),
        "hint": seen(hint, "µs", "the same"),
        "notify": seen(least, "µs", "PostgreSQL, a message of 1 hint every 4 ms, heard by its sender alone"),
        "signal": seen((most - least) / LISTENERS[-1], "µs", f"the same with {LISTENERS[-1]} more listening, for each"),
    }


def _process(server: Server, *words: str) -> "subprocess.Popen[str]":
    """Run this module as a process, until it listens."""
    command = [sys.executable, "-m", __name__, server.address, *words]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    return process


async def hinted(address: str, node: str, hints: str = "", seconds: str = "") -> None:
    """Listen until a line comes on standard input, and print the processor time; or tell hints, and print how often."""
    wakeups = import_module("pubdice.store.postgres").PostgresWakeups(address, int(node))
    callbacks = [lambda *hint: None for _ in signature(wakeups.run).parameters]
    hearing = asyncio.create_task(wakeups.run(*callbacks))
    await asyncio.sleep(0.5)
    print("ready", flush=True)
    if not hints:
        begun = process_time()
        await asyncio.to_thread(sys.stdin.readline)
        print(process_time() - begun)
    else:
        number, until = 0, perf_counter() + float(seconds)
        while perf_counter() < until:
            for table in range(int(hints)):
                wakeups.tell(table, 100_000 + number)
            number += 1
            await asyncio.sleep(EVERY_S)
        print(number)
    hearing.cancel()


if __name__ == "__main__":
    uvloop.run(hinted(*sys.argv[1:]))
