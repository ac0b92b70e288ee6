"""Figures of a process of the house: real houses, loaded by ``benchmarks.load`` as ``benchmarks.house`` does."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import uvloop

from benchmarks.load.playing import closed, opened, p99_ms, scheduled, settled
from benchmarks.load.process import Running, load_average, running
from benchmarks.load.tables import Table, Times
from benchmarks.load.wire import Address
from benchmarks.queueing.figures import Figure

SEATS, WARM_S = 4, 1.0
AT_ONCE = 200
"""Streams that are opened at the same time."""
RATES = (250, 500, 1_000)
"""Commands a second; the model is compared with what each of them costs."""
ALONE_AT = 500
"""The rate at which what a delivery costs is told from what a move does."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What some moves took: µs of a process each, deliveries of each, bytes of a delivery, and how long in ms."""

    cost: float
    deliveries: float
    size: float
    took: str


def seen(value: float, unit: str, how: str) -> Figure:
    """A figure with the time and the machine's load beside it."""
    now = datetime.now(UTC)
    digits = 1 if value < 100 else 0
    return Figure(round(value, digits), unit, f"{how}, {now:%Y-%m-%d at %H:%M}, load {load_average().split()[0]}")


def measured_house(folder: Path, seconds: float, tables: int, store: str | None = None) -> dict[str, Figure]:
    """What a move, a delivery, a stream and a phone cost a process. store: a database's address, else a SQLite file."""
    where = f"{'PostgreSQL' if store else 'SQLite'}, {tables} tables of {SEATS}"
    with running(folder, change=_at(store)) as house:
        return uvloop.run(_all(house, seconds, tables, where))


def _at(store: str | None) -> str:
    """Python that has the command ``serve`` use a database."""
    return f"import sys; at = sys.argv.index('--data'); sys.argv[at : at + 2] = ['--store', {store!r}]" if store else ""


def _ignored(seq: int, data: bytes) -> None:
    """Leave a message unread."""


async def _all(house: Running, seconds: float, number: int, where: str) -> dict[str, Figure]:
    before_mb = house.rss_mb
    tables = await opened(house, number, SEATS, Times())
    pairs = [(phone, each.code) for each in tables for phone in each.phones]
    found = {
        "memory_process": seen(before_mb, "MB", "resident, no tables"),
        "memory_phone": seen(1000 * (house.rss_mb - before_mb) / len(pairs), "kB", f"{where}, all with streams"),
    }
    watched = {rate: await _scheduled(tables, house, rate, seconds) for rate in RATES}
    cpu_s = house.cpu_s
    for start in range(0, len(pairs), AT_ONCE):
        await asyncio.gather(*(phone.listen(code, _ignored) for phone, code in pairs[start : start + AT_ONCE]))
    join = 1e6 * (house.cpu_s - cpu_s) / len(pairs)
    for phone, _ in pairs:
        phone.deafen()
    alone = await _scheduled(tables, house, ALONE_AT, seconds)
    least = await _closed(tables, house, seconds)
    beside = watched[ALONE_AT]
    for rate, each in watched.items():
        how = f"{where}, {rate:,} commands/s, {each.deliveries:.1f} deliveries each, {each.took}"
        found[f"move_at_{rate}"] = seen(each.cost, "µs", how)
    half = f"half of a move, {where}, closed loop, nobody watching, {least.took}"
    delivery = max(0.0, beside.cost - alone.cost) / max(beside.deliveries, 0.1)
    told = f"{where}, {ALONE_AT} commands/s: {beside.cost:.0f} µs with streams, {alone.cost:.0f} µs without"
    return found | {
        "command": seen(least.cost / 2, "µs", half),
        "answer": seen(least.cost / 2, "µs", half),
        "delivery": seen(delivery, "µs", told),
        "join": seen(join, "µs", f"{where}, their streams opened again, {AT_ONCE} at once"),
        "bytes_delivery": seen(watched[RATES[0]].size, "bytes", f"{where}, on the wire, not compressed"),
    }


async def _scheduled(tables: list[Table], house: Running, rate: int, seconds: float) -> Measured:
    await scheduled(tables, rate, WARM_S)
    await settled(tables)
    return await _measured(tables, house, scheduled(tables, rate, seconds))


async def _closed(tables: list[Table], house: Running, seconds: float) -> Measured:
    await closed(tables, WARM_S)
    await settled(tables)
    return await _measured(tables, house, closed(tables, seconds))


async def _measured(tables: list[Table], house: Running, work: Awaitable[None]) -> Measured:
    """What some work of a house costs it."""
    times = tables[0].times
    times.clear(on=True)
    (messages, size), cpu_s = _heard(tables), house.cpu_s
    await work
    await settled(tables)
    times.on = False
    moves, took = max(1, len(times.acks)), sorted(times.acks)
    more, larger = _heard(tables)
    return Measured(
        cost=1e6 * (house.cpu_s - cpu_s) / moves,
        deliveries=(more - messages) / moves,
        size=(larger - size) / max(1, more - messages),
        took=f"p50 {1000 * took[len(took) // 2]:.1f} ms, p99 {p99_ms(took):.1f} ms",
    )


def _heard(tables: list[Table]) -> tuple[int, int]:
    """Messages of all streams, and bytes."""
    streams = [phone.listener for table in tables for phone in table.phones if phone.listener is not None]
    return sum(stream.messages for stream in streams), sum(stream.size for stream in streams)


def measured_follow(folder: Path, seconds: float, tables: int, store: str, own_us: float) -> dict[str, Figure]:
    """What a process spends on a move of another one, whose table's phones are all at this one.

    own_us: what telling a move of its own takes at that rate, without the command and its answer.
    """
    with running(folder, change=_at(store)) as house, running(folder, change=_at(store)) as other:
        return uvloop.run(_follow(house, other, seconds, tables, own_us))


async def _follow(house: Running, other: Running, seconds: float, number: int, own_us: float) -> dict[str, Figure]:
    tables = await opened(house, number, SEATS, Times())
    there = Address(other.port)
    for each in tables:
        for phone in each.phones:
            phone.deafen()
            phone.house = there
        await asyncio.gather(*(phone.listen(each.code, _ignored) for phone in each.phones))
    found = await _scheduled(tables, other, ALONE_AT, seconds)
    how = f"{ALONE_AT} moves/s of another process, {found.deliveries:.1f} deliveries each: {found.cost:.0f} µs"
    return {"follow": seen(found.cost - own_us, "µs", f"{how}, less {own_us:.0f} µs for telling a move of its own")}
