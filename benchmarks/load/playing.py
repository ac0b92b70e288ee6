"""Many tables at once: opens them, drives them by a schedule or as fast as they go, and prints the figures."""

import asyncio
import os
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import ceil, floor, inf, sqrt
from statistics import median
from time import perf_counter
from typing import Protocol

import msgspec

from benchmarks.load.process import Running, cpu_s, load_average
from benchmarks.load.tables import Table, Times
from benchmarks.load.wire import Address, Phone

TICK_S = 0.001
OPENING = 25
"""The number of tables opened at a time."""


async def opened(
    house: Running,
    tables: int,
    people: int,
    times: Times,
    *,
    rounds: Sequence[int] = (20,),
    marks: bool = False,
    bots: int = 0,
) -> list[Table]:
    """Open tables whose people all sit and listen. Each table plays one of the numbers of rounds, in turn."""
    address = Address(house.port)
    made = []
    for table in range(tables):
        phones = [Phone(address, table * people + seat) for seat in range(people)]
        made.append(Table(phones, rounds[table % len(rounds)], times, marks=marks, bots=bots))
    for start in range(0, tables, OPENING):
        await asyncio.gather(*(table.open() for table in made[start : start + OPENING]))
    return made


class Driven(Protocol):
    """A table or connection that a schedule drives."""

    def due(self, at: float) -> None:
        """Send the next command, which is due at this time (``perf_counter``, in s)."""


async def scheduled(tables: Sequence[Driven], per_s: float, seconds: float) -> None:
    """Send ``per_s`` commands a second, spread evenly over the tables, without waiting for answers."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    begun, number, all_of_them = perf_counter(), 0, int(per_s * seconds)

    def tick() -> None:
        nonlocal number
        now = perf_counter()
        while number < all_of_them and (at := begun + number / per_s) <= now:
            tables[number % len(tables)].due(at)
            number += 1
        if number < all_of_them:
            loop.call_later(TICK_S, tick)
        else:
            done.set()

    tick()
    await done.wait()


async def closed(tables: list[Table], seconds: float) -> None:
    """Let each table send its next command as soon as the last is answered."""
    ended = False

    def following(table: Table) -> None:
        if not ended:
            table.due(perf_counter())

    for table in tables:
        table.acked = partial(following, table)
        table.due(perf_counter())
    await asyncio.sleep(seconds)
    ended = True


async def settled(tables: list[Table]) -> None:
    """Wait until all commands are answered, and a little more for the last deliveries."""
    while any(table.waiting for table in tables):
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.3)


class Growth(msgspec.Struct, frozen=True):
    """Growth in MB a minute: the likely value, and the least and the most with 95 % certainty."""

    least: float
    likely: float
    most: float


async def soaked(house: Running, tables: list[Table], per_s: float, seconds: float, every_s: float) -> Growth:
    """Drive the tables by a schedule for long, and print a line every ``every_s``. Return the growth of memory over the
    second half.
    """
    ended, times = perf_counter() + seconds, tables[0].times
    points: list[tuple[float, float]] = []
    while perf_counter() < ended - every_s / 2:
        times.clear(on=True)
        watch = Watch(house)
        await scheduled(tables, per_s, every_s)
        points.append((perf_counter() / 60, house.rss_mb))
        print(f"{in_ms('ack', times.acks)}\n{watch.line(len(times.acks))}", flush=True)
    return trend(points[len(points) // 2 :])


def trend(points: Sequence[tuple[float, float]]) -> Growth:
    """Return the growth in a unit of time: the median of the slopes between any two points (Theil and Sen).

    Memory comes from the system in steps of up to a few MB, and Python keeps the memory of an ended table for the next
    one. A line of least squares would take one such step for growth. The median ignores one step, but counts many small
    ones. The number of tables in memory does not explain the resident memory, once there have been as many before. With
    too few points the growth is unknown, from -inf to inf.
    """
    number = len(points)
    if number < 4:
        return Growth(-inf, 0.0, inf)
    slopes = sorted((there - here) / (then - now) for (now, here), (then, there) in combinations(points, 2))
    spread = 1.96 * sqrt(number * (number - 1) * (2 * number + 5) / 18)  # of Kendall's statistic, 95 % without a trend
    least, most = floor((len(slopes) - spread) / 2), ceil((len(slopes) + spread) / 2)
    return Growth(slopes[max(least, 0)], median(slopes), slopes[min(most, len(slopes) - 1)])


class Watch:
    """A count of the processor time of the house and of this client, from now on."""

    def __init__(self, house: Running) -> None:
        self.house = house
        self.begun, self.house_s, self.own_s = perf_counter(), house.cpu_s, cpu_s_own()
        self.loop_s = house.loop_s

    @property
    def seconds(self) -> float:
        """The seconds by the clock so far."""
        return perf_counter() - self.begun

    @property
    def looped_s(self) -> float:
        """The processor time of the event loop's thread so far, in s."""
        return self.house.loop_s - self.loop_s

    def line(self, moves: int) -> str:
        """Return a line with each process's share of a core, and the memory of the house."""
        wall = self.seconds
        served, own = self.house.cpu_s - self.house_s, cpu_s_own() - self.own_s
        all_us, loop_us = [1e6 * spent / max(moves, 1) for spent in (served, self.looped_s)]
        return (
            f"  house {served / wall:.0%} of a core ({all_us:,.0f} µs a move, {loop_us:,.0f} of them in its loop), "
            f"{self.house.rss_mb:.0f} MB resident, at most "
            f"{self.house.most_rss_mb:.0f}, {self.house.files:,} files; client {own / wall:.0%} of a core; "
            f"load average {load_average()}"
        )


def cpu_s_own() -> float:
    """Return the processor time of this process."""
    return cpu_s(os.getpid())


def in_ms(name: str, seconds: list[float]) -> str:
    """Return a line with the median, the 99th percentile and the worst."""
    if not seconds:
        return f"  {name:<10} none"
    ordered = sorted(seconds)
    p50, p99 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    return (
        f"  {name:<10} p50 {1000 * p50:7.1f} ms  p99 {1000 * p99:7.1f} ms  worst {1000 * ordered[-1]:7.1f} ms"
        f"  ({len(ordered):,})"
    )


def p99_ms(seconds: list[float]) -> float:
    """Return the 99th percentile in ms."""
    return 1000 * sorted(seconds)[int(len(seconds) * 0.99)] if seconds else float("inf")
