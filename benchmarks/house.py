"""Measures the house under load: a real server process, and a client cheap enough to run on the same machine.

- phones: 2,000 phones, four to a table of Midnight, each with its stream open. Each phone moves once in 2 s on average,
  by a schedule that does not wait for answers. Each command keeps a die and rolls the others. Goals: 99 in 100 commands
  are acknowledged within 50 ms of the time they are due, and the house has 256 MB at most. The time of a move in the
  event loop is printed beside that of an empty POST to Starlette at the same pace.
- closed: each table sends its next command as soon as the last is answered. The peer is an empty POST to Starlette,
  over as many connections, in the same run. Goals: a move takes at most 4 times its processor time while all four
  phones watch, and 3 times if no phone watches.
- joins: 500 browsers without a cookie sit down, and open the page and its stream. Goal: 5 s for all.
- page: a table's page in Chromium. Goals: 40 KB over the wire, usable within 300 ms.
- bots: the number of tables, each with one thought a second, until p99 is above 200 ms: tables of two people, and of
  one person with a bot. There is no goal. PlayPalace is known to take 200 tables of people at p99 217 ms, and to
  saturate at 300, without durable moves. Its fork PlayAural takes 500 tables with a bot at 109 ms.
- neighbours: one address with 24 connections asks for one page over and over, while others play. Goal: the others' p99
  is at most 3 times their p99 without it, for each route that reads. ``--paths`` names some of the routes.
- soak: as phones, with a rematch after each match, and a printed line a minute. Goal: over the second half, resident
  memory grows by at most 0.1 MB a minute, with 95 % certainty. In less than an hour memory does not settle, so a
  shorter run must allow more with ``--growth``. A house of a hundred tables gets most of its size in five minutes.

All limits have their defaults, because each phone has its own address. The load average beside each figure shows the
other work on the machine. The exit status is 1 if a goal is missed.

    .venv/bin/python -m benchmarks.house phones closed joins page bots [--seconds 60] [--folder .]
    .venv/bin/python -m benchmarks.house soak --seconds 3600
"""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

import uvloop

from benchmarks.load import arriving, browsing, neighbours
from benchmarks.load.empty import empty_server, posted, posters
from benchmarks.load.playing import (
    Watch,
    closed,
    in_ms,
    opened,
    p99_ms,
    scheduled,
    settled,
    soaked,
)
from benchmarks.load.process import Running, load_average, running, sync_ms
from benchmarks.load.tables import Times
from pubdice.server.serve import MOST_FILES, allow_files

ACK_MS, MEMORY_MB, JOINS, JOINS_S = 50, 256, 500, 5
MOST_POSTS = (4.0, 3.0)
"""The most empty POSTs that a move may cost: while all phones watch, and while none does."""
PAGE_BYTES, PAGE_MS, VISITS = 40_000, 300, 9
GROWTH_MB = 0.1
"""The most growth in MB a minute. One finished table that stays in memory is as much, and a house of a hundred tables
finishes a hundred a minute.
"""
MOST_BESIDE = 3.0
SLOW_MS = 200
PACE_S = 0.5
"""The time between two commands of a table of four, if each of its phones moves once in 2 s."""
SOAK_ROUNDS = (3, 4, 5, 6)


async def phones(house: Running, chosen: argparse.Namespace) -> bool:
    """Measure two thousand phones ("phones" above)."""
    times = Times()
    tables = await opened(house, chosen.tables, 4, times, marks=chosen.marks)
    rate = chosen.tables / PACE_S
    await scheduled(tables, rate, chosen.warm)
    await settled(tables)
    times.on, watch = True, Watch(house)
    await scheduled(tables, rate, chosen.seconds)
    line, loop_us = watch.line(len(times.acks)), 1e6 * watch.looped_s / max(1, len(times.acks))
    await settled(tables)
    print(
        f"phones: {4 * len(tables):,} phones at {len(tables)} tables, {rate:,.0f} commands/s for {chosen.seconds:g} s; "
        f"{len(times.deliveries) / chosen.seconds:,.0f} deliveries/s; refused: {times.refused or 0}"
    )
    print(in_ms("ack", times.acks), in_ms("delivery", times.deliveries), line, sep="\n")
    empty = await _empty(4 * len(tables), chosen.seconds, rate)
    print(f"  in empty POSTs at the same pace: {loop_us / empty:.1f}")
    return p99_ms(times.acks) <= ACK_MS and house.most_rss_mb <= MEMORY_MB and not times.refused


async def fast(house: Running, chosen: argparse.Namespace) -> bool:
    """Measure moves as fast as they go ("closed" above)."""
    times = Times()
    tables = await opened(house, chosen.tables, 4, times, marks=chosen.marks)
    costs = []
    for looking in (True, False):
        if not looking:
            for phone in (phone for table in tables for phone in table.phones):
                phone.deafen()
        await closed(tables, chosen.warm)
        await settled(tables)
        times.clear(on=True)
        watch = Watch(house)
        await closed(tables, chosen.seconds)
        times.on = False
        costs.append(1e6 * (house.cpu_s - watch.house_s) / max(1, len(times.acks)))
        who = "everybody" if looking else "nobody"
        print(
            f"closed, {who} watching: {len(times.acks) / watch.seconds:,.0f} moves/s at {len(tables)} tables, "
            f"{len(times.deliveries) / watch.seconds:,.0f} deliveries/s; refused: {times.refused or 0}"
        )
        print(in_ms("ack", times.acks), in_ms("delivery", times.deliveries), watch.line(len(times.acks)), sep="\n")
        await settled(tables)
    empty = await _empty(len(tables), chosen.seconds)
    ratios = [cost / empty for cost in costs]
    print(f"  in empty POSTs: {ratios[0]:.1f} with everybody watching, {ratios[1]:.1f} with nobody")
    return ratios[0] <= MOST_POSTS[0] and ratios[1] <= MOST_POSTS[1]


async def _empty(connections: int, seconds: float, per_s: float = 0.0) -> float:
    """Return the µs of processor time of an empty POST.

    Each POST is sent as soon as the last is answered, or with ``per_s`` so many a second.
    """
    with empty_server() as server:
        asking = await posters(server.port, connections)
        await posted(asking, 0.5)
        await asyncio.sleep(0.5)  # so the last of these is answered
        before, earlier = server.cpu_s, sum(poster.answered for poster in asking)
        await (scheduled(asking, per_s, seconds) if per_s else posted(asking, seconds))
        done = sum(poster.answered for poster in asking) - earlier
        cost = 1e6 * (server.cpu_s - before) / max(1, done)
    print(f"  an empty POST to Starlette: {cost:.0f} µs, {done / seconds:,.0f}/s at {connections} connections")
    return cost


async def joins(house: Running, chosen: argparse.Namespace) -> bool:
    """Measure five hundred newcomers ("joins" above)."""
    watch = Watch(house)
    took, all_s = await arriving.joined(house, JOINS, JOINS_S)
    print(
        f"joins: {JOINS} browsers come within {JOINS_S} s; the last has its stream {all_s:.2f} s after the first came"
    )
    print(in_ms("join", took), watch.line(JOINS), sep="\n")
    return all_s <= JOINS_S + 0.1


async def bots(house: Running, chosen: argparse.Namespace) -> bool:
    """Measure more and more tables ("bots" above)."""
    for name, people, seats in (("two people", 2, 0), ("one person and one bot", 1, 1)):
        for number in chosen.steps:
            times = Times()
            tables = await opened(house, number, people, times, bots=seats)
            await scheduled(tables, number, 3)
            times.on, watch = True, Watch(house)
            await scheduled(tables, number, min(chosen.seconds, 15))
            print(f"bots: {number} tables of {name}, a thought a second")
            print(in_ms("ack", times.acks), watch.line(len(times.acks)), sep="\n")
            await settled(tables)
            for phone in (phone for table in tables for phone in table.phones):
                phone.leave()
            if p99_ms(times.acks) > SLOW_MS:
                break
    return True


async def beside(house: Running, chosen: argparse.Namespace) -> bool:
    """Measure other players beside one address with many connections ("neighbours" above)."""
    rows = await neighbours.beside_all(house, chosen.seconds, chosen.paths)
    return all(row.ratio <= MOST_BESIDE for row in rows)


async def soak(house: Running, chosen: argparse.Namespace) -> bool:
    """Measure the growth of memory over a long evening ("soak" above)."""
    times = Times()
    tables = await opened(house, chosen.tables, 4, times, rounds=SOAK_ROUNDS)
    for table in tables:
        table.again = True
    growth = await soaked(house, tables, chosen.tables / PACE_S, chosen.seconds, chosen.every)
    print(
        f"soak: resident memory grows by {growth.likely:.3f} MB a minute over the second half "
        f"({growth.least:.3f} to {growth.most:.3f}); {sum(table.matches for table in tables):,} matches finished; "
        f"refused: {times.refused or 0}"
    )
    return growth.most <= chosen.growth and not times.refused


def page(house: Running) -> bool:
    """Measure first visits of a page ("page" above)."""
    seen = browsing.visits(house.port, VISITS)
    usable = sorted(visit.usable_ms for visit in seen)
    print(
        f"page: {seen[0].total:,} bytes over the wire; usable after {median(usable):.0f} ms, median of {VISITS} "
        f"({usable[0]:.0f} to {usable[-1]:.0f}); load average {load_average()}"
    )
    print("  " + ", ".join(f"{name.rpartition('/')[2] or name} {size:,}" for name, size in seen[0].wire.items()))
    return seen[0].total <= PAGE_BYTES and median(usable) <= PAGE_MS


WAYS: dict[str, Callable[[Running, argparse.Namespace], Awaitable[bool]]] = {
    "phones": phones,
    "closed": fast,
    "joins": joins,
    "bots": bots,
    "neighbours": beside,
    "soak": soak,
}


def main() -> int:
    """Measure the claims named, each with a new house. Return exit status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+", choices=[*WAYS, "page"])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm", type=float, default=5, help="seconds before that, which do not count")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--marks", action="store_true", help="mark each die before the roll, as taps on a page do")
    parser.add_argument("--steps", type=int, nargs="+", default=[200, 300, 500, 1000, 1500])
    parser.add_argument("--paths", nargs="+", default=[], help="of the neighbours, as the house's routes name them")
    parser.add_argument("--every", type=float, default=60, help="seconds between the lines of a soak")
    parser.add_argument("--growth", type=float, default=GROWTH_MB, help="MB a minute that a soak may grow by")
    parser.add_argument("--folder", type=Path, default=Path(), help="on the disk to be measured")
    parser.add_argument("--log", type=Path, help="where the house's log goes")
    chosen = parser.parse_args()
    allow_files(MOST_FILES)
    print("a sync of 4 KB on this disk: {:.2f} ms median, {:.2f} ms p99".format(*sync_ms(chosen.folder)))
    met = True
    for what in chosen.what:
        with running(chosen.folder, chosen.log) as house:
            reached = page(house) if what == "page" else uvloop.run(_told(WAYS[what](house, chosen)))
        print(f"  {what}: goal {'met' if reached else 'missed'}", flush=True)
        met = met and reached
    return 0 if met else 1


async def _told(way: Awaitable[bool]) -> bool:
    return await way


if __name__ == "__main__":
    sys.exit(main())
