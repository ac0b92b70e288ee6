"""Newcomers: browsers without a cookie that take a seat, and open the page and its stream, at a steady rate."""

import asyncio
from time import perf_counter

from benchmarks.load.process import Running
from benchmarks.load.tables import NAMES, Table, Times, sit
from benchmarks.load.wire import Address, Phone

SEATS = 4
FIRST = 10_000
"""The number of the first newcomer's address."""


async def joined(house: Running, number: int, seconds: float) -> tuple[list[float], float]:
    """Let ``number`` newcomers come within ``seconds``. Return the time of each from when it is due until its stream is
    open, and the time of all.
    """
    address = Address(house.port)
    hosts = [Phone(address, host) for host in range(-(-number // (SEATS - 1)))]
    codes = []
    for host in hosts:
        table = Table([host] * SEATS, 20, Times())
        codes.append(await table.set_up())
        await host.listen(codes[-1], lambda seq, data: None)
    begun = perf_counter()

    async def newcomer(at: int) -> float:
        meant = begun + at * seconds / number
        await asyncio.sleep(max(0.0, meant - perf_counter()))
        phone, code = Phone(address, FIRST + at), codes[at % len(codes)]
        await sit(phone, code, NAMES[1 + at // len(codes)])
        status, got = await phone.ask("GET", f"/t/{code}", accept="text/html")
        if status != 200 or (b"<main" not in got and b"content-encoding: gzip" not in got):
            raise RuntimeError(f"no page: {got[:200]!r}")
        await phone.listen(code, lambda seq, data: None)
        return perf_counter() - meant

    took = await asyncio.gather(*(newcomer(at) for at in range(number)))
    return list(took), perf_counter() - begun
