"""Measures houses over PostgreSQL: real processes with their own server, and SQLite beside it in the same run.

- cost: each table sends its next command as soon as the last is answered. No phone watches. Runs over SQLite and over
  PostgreSQL form pairs, and every second pair begins with the other. Goal: a move takes at most 1.5 times the processor
  time of SQLite, the server's included, in the median of the pairs.
- phones: 2,000 phones as in ``benchmarks.house``. Goals: two processes, with each table's phones at one of them, take
  1,000 moves a second, and acknowledge 99 in 100 within 25 ms. One process with all phones has 150 MB at most, at 500
  moves a second (1,000 are all that a core can do). The same is shown over SQLite.
- two: as cost, but all phones watch. It runs with one process, then with two: with a table's phones all at one process,
  as deploy/Caddyfile sends them, and then at both. Goal: two processes do 1.7 times as much as one, if cores are free.
  On fewer than four cores the server and the client take the time of the second process. Then the goal is for the work
  that two would do with a core each, by the moves a second of the houses' processor time.

    .venv/bin/python -m benchmarks.cluster cost phones two [--seconds 20] [--pairs 3]
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import uvloop

from benchmarks.load.playing import OPENING, closed, cpu_s_own, in_ms, p99_ms, scheduled, settled
from benchmarks.load.process import Running, cpu_s, load_average, running
from benchmarks.load.tables import Table, Times
from benchmarks.load.wire import Address, Phone
from pubdice.server.serve import MOST_FILES, allow_files

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.postgres import PostgresServer, database, own_server

COST, ACK_MS, MEMORY_MB, TWICE = 1.5, 25, 150, 1.7
CORES = 4
"""The cores that two houses, the server and the client need."""


async def seated(
    houses: Sequence[Running], tables: int, times: Times, *, deaf: bool = False, spread: bool = False
) -> list[Table]:
    """Open tables of four. The tables go to the houses in turn, or with ``spread`` the phones of each table. With
    ``deaf`` the phones do not watch.
    """
    places = [Address(house.port) for house in houses]
    made = []
    for table in range(tables):
        turns = [seat if spread else table for seat in range(4)]
        phones = [Phone(places[turns[seat] % len(places)], 4 * table + seat) for seat in range(4)]
        made.append(Table(phones, 20, times))
    for start in range(0, tables, OPENING):
        await asyncio.gather(*(table.open() for table in made[start : start + OPENING]))
    for phone in (phone for table in made for phone in table.phones if deaf):
        phone.deafen()
    return made


class Took:
    """A count of the processor time of the houses, the server and the client from now on, in s."""

    def __init__(self, houses: Sequence[Running], server: PostgresServer | None) -> None:
        self._houses, self._server = houses, server
        self._before = self._now()

    def _now(self) -> tuple[float, float, float]:
        server = 0.0 if self._server is None else sum(map(cpu_s, self._server.processes()))
        return sum(house.cpu_s for house in self._houses), server, cpu_s_own()

    def so_far(self) -> tuple[float, float, float]:
        """Return the seconds of the houses, the server, and the client."""
        houses, server, client = self._now()
        return houses - self._before[0], server - self._before[1], client - self._before[2]


async def as_fast_as_it_goes(
    houses: Sequence[Running],
    server: PostgresServer | None,
    chosen: argparse.Namespace,
    *,
    deaf: bool,
    spread: bool = False,
) -> tuple[int, tuple[float, float, float]]:
    """Let all tables play for ``chosen.seconds``. Return the number of moves, and the processor time for them of the
    houses, the server and the client.
    """
    times = Times()
    tables = await seated(houses, chosen.tables, times, deaf=deaf, spread=spread)
    await closed(tables, chosen.warm)
    await settled(tables)
    times.clear(on=True)
    took = Took(houses, server)
    await closed(tables, chosen.seconds)
    times.on = False
    found = took.so_far()
    await settled(tables)
    print(
        f"  {len(times.acks) / chosen.seconds:,.0f} moves/s; of a core: houses {found[0] / chosen.seconds:.0%}, server "
        f"{found[1] / chosen.seconds:.0%}, client {found[2] / chosen.seconds:.0%}; refused: {times.refused or 0}; "
        f"load average {load_average()}"
    )
    print(in_ms("ack", times.acks), flush=True)
    return len(times.acks), found


Opened = AbstractContextManager[tuple[Sequence[Running], PostgresServer | None]]


@contextmanager
def over_sqlite(chosen: argparse.Namespace) -> Iterator[tuple[list[Running], None]]:
    """Run one house with SQLite."""
    with running(chosen.folder) as house:
        yield [house], None


@contextmanager
def over_postgres(chosen: argparse.Namespace, number: int = 1) -> Iterator[tuple[list[Running], PostgresServer]]:
    """Run ``number`` houses with one database, on a PostgreSQL server of their own."""
    with own_server(settings=()) as server, database(server.address) as address, ExitStack() as stack:
        houses = [stack.enter_context(running(chosen.folder, words=("--store", address))) for _ in range(number)]
        yield houses, server


def cost(chosen: argparse.Namespace) -> bool:
    """Measure the cost of a move ("cost" above)."""
    ratios = []
    for pair in range(chosen.pairs):
        us = {}
        for name in ("SQLite", "PostgreSQL") if pair % 2 else ("PostgreSQL", "SQLite"):
            way: Callable[[argparse.Namespace], Any] = over_sqlite if name == "SQLite" else over_postgres
            with way(chosen) as (houses, server):
                moves, (house, database_s, _) = uvloop.run(as_fast_as_it_goes(houses, server, chosen, deaf=True))
            us[name] = 1e6 * (house + database_s) / max(1, moves)
            print(
                f"cost: {name}: {us[name]:.0f} µs a move, {1e6 * database_s / max(1, moves):.0f} of them the server's"
            )
        ratios.append(us["PostgreSQL"] / us["SQLite"])
    print(f"cost: PostgreSQL by SQLite: {', '.join(f'{each:.2f}' for each in ratios)}; median {median(ratios):.2f}")
    return median(ratios) <= COST


def phones(chosen: argparse.Namespace) -> bool:
    """Measure two thousand phones ("phones" above)."""

    async def play(houses: Sequence[Running], rate: float) -> Times:
        times = Times()
        tables = await seated(houses, 500, times)
        await scheduled(tables, rate, chosen.warm)
        await settled(tables)
        times.clear(on=True)
        await scheduled(tables, rate, chosen.seconds)
        await settled(tables)
        return times

    def measured(way: Opened, name: str, rate: float) -> tuple[float, float]:
        """Return the p99 of the acknowledgements in ms, and the most memory of a process in MB."""
        with way as (houses, _):
            times = uvloop.run(play(houses, rate))
            memory = max(house.most_rss_mb for house in houses)
        print(
            f"phones: 2,000 over {name}, {rate:,.0f} moves/s; at most {memory:.0f} MB a process; "
            f"refused: {times.refused or 0}; load average {load_average()}"
        )
        print(in_ms("ack", times.acks), in_ms("delivery", times.deliveries), sep="\n", flush=True)
        return p99_ms(times.acks), memory

    p99, _ = measured(over_postgres(chosen, 2), "two processes", 1_000)
    _, memory = measured(over_postgres(chosen), "one process", 500)
    measured(over_sqlite(chosen), "SQLite", 500)
    return p99 <= ACK_MS and memory <= MEMORY_MB


def two(chosen: argparse.Namespace) -> bool:
    """Measure one process, and two ("two" above)."""

    def measured(number: int, *, spread: bool = False) -> tuple[float, float]:
        """Return the moves a second, and the moves a second of the houses' processor time."""
        with over_postgres(chosen, number) as (houses, server):
            moves, took = uvloop.run(as_fast_as_it_goes(houses, server, chosen, deaf=False, spread=spread))
        return moves / chosen.seconds, moves / max(took[0], 1e-9)

    speed, work = measured(1)
    print(f"two: one process: {speed:,.0f} moves/s, {work:,.0f} a second of its processor time")
    ratios = {}
    for name, spread in (("each table at one", False), ("each table at both", True)):
        speed_of_two, work_of_two = measured(2, spread=spread)
        ratios[name] = speed_of_two / speed if (os.cpu_count() or 1) >= CORES else 2 * work_of_two / work
        print(
            f"two: {name}: {speed_of_two:,.0f} moves/s, {speed_of_two / speed:.2f} times one's; a core each would do "
            f"{2 * work_of_two / work:.2f} times as much as one's"
        )
    return ratios["each table at one"] >= TWICE


WAYS: dict[str, Callable[[argparse.Namespace], bool]] = {"cost": cost, "phones": phones, "two": two}


def main() -> int:
    """Measure the claims named. Return exit status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+", choices=WAYS)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--warm", type=float, default=3, help="seconds before that, which do not count")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path(), help="on the disk to be measured")
    chosen = parser.parse_args()
    allow_files(MOST_FILES)
    met = True
    for what in chosen.what:
        reached = WAYS[what](chosen)
        print(f"  {what}: goal {'met' if reached else 'missed'}", flush=True)
        met = met and reached
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
