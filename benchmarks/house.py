"""Claims about the house under load: a real server process, and a client that is cheap enough to stand beside it.

- phones: 2,000 phones, four to a table of Midnight, each with its stream open; every phone moves once in 2 s on
  average, by a schedule that waits for nobody. An acknowledgement takes 50 ms at most for 99 in 100, counted from when
  its command was meant to be sent, and the house 256 MB. Every command keeps a die and rolls the others. What a move
  takes of the loop is told beside an empty POST to Starlette at the same pace.
- closed: every table asks for its next as soon as the last is answered, with everybody watching and with nobody. A
  move takes at most 3 times the processor time of an empty POST to Starlette, at as many connections, in the same run,
  with nobody watching, and 4 times with four watching.
- joins: 500 browsers without a cookie sit down, open the page and its stream in 5 s.
- page: a table's page in Chromium: 40 KB over the wire, usable within 300 ms.
- bots: how many tables, at one thought a second a table, until p99 is above 200 ms: of two people, and of one with a
  bot. No goal. PlayPalace is known to take 200 of the former at p99 217 ms and to saturate at 300, with nothing
  durable; its fork PlayAural 500 of the latter at 109 ms.
- neighbours: one address with 24 connections asks for one page over and over, while others play: their p99 is 3 times
  what it is without it at most, for every route that reads. ``--paths`` names some of the routes.
- soak: as phones, with a rematch after every match, and a line a minute; resident memory grows by 0.1 MB a minute at
  most over the second half, with 95 % certainty. A shorter run than an hour has not settled and must say with
  ``--growth`` what it allows: a house of a hundred tables becomes about as large as it stays in five minutes.

All limits are on at their defaults: every phone has an address of its own. Whatever else the machine was doing is
printed as the load average beside each figure. Exit status 1 where a goal is missed.

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
"""Empty POSTs that a move may cost: with everybody watching, and with nobody."""
PAGE_BYTES, PAGE_MS, VISITS = 40_000, 300, 9
GROWTH_MB = 0.1
"""A minute. A finished table that stayed in memory is as much, and a house of a hundred finishes a hundred a minute."""
MOST_BESIDE = 3.0
SLOW_MS = 200
PACE_S = 0.5
"""Between the commands of a table of four whose phones each move once in 2 s."""
SOAK_ROUNDS = (3, 4, 5, 6)


async def phones(house: Running, chosen: argparse.Namespace) -> bool:
    """Two thousand phones."""
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
    """As fast as they go."""
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
    """µs of processor time of an empty POST: each as soon as the last is answered, or so many a second."""
    with empty_server() as server:
        asking = await posters(server.port, connections)
        await posted(asking, 0.5)
        await asyncio.sleep(0.5)  # until the last of these is answered
        before, earlier = server.cpu_s, sum(poster.answered for poster in asking)
        await (scheduled(asking, per_s, seconds) if per_s else posted(asking, seconds))
        done = sum(poster.answered for poster in asking) - earlier
        cost = 1e6 * (server.cpu_s - before) / max(1, done)
    print(f"  an empty POST to Starlette: {cost:.0f} µs, {done / seconds:,.0f}/s at {connections} connections")
    return cost


async def joins(house: Running, chosen: argparse.Namespace) -> bool:
    """Five hundred newcomers."""
    watch = Watch(house)
    took, all_s = await arriving.joined(house, JOINS, JOINS_S)
    print(
        f"joins: {JOINS} browsers come within {JOINS_S} s; the last has its stream {all_s:.2f} s after the first came"
    )
    print(in_ms("join", took), watch.line(JOINS), sep="\n")
    return all_s <= JOINS_S + 0.1


async def bots(house: Running, chosen: argparse.Namespace) -> bool:
    """More and more tables."""
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
    """One address with many connections."""
    rows = await neighbours.beside_all(house, chosen.seconds, chosen.paths)
    return all(row.ratio <= MOST_BESIDE for row in rows)


async def soak(house: Running, chosen: argparse.Namespace) -> bool:
    """A long evening."""
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
    """First visits."""
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
    """Measure what is asked for, each with a house of its own; exit status 1 if a goal is missed."""
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
