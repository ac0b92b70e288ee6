"""The house told to stop and opened again, with many streams open: everybody is told, comes back, misses nothing."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

from pubdice.room.events import public
from pubdice.store.sqlite.store import SqliteReader
from support.house_process import Ear, House, Phone, run

STREAMS = 200
TABLES = 4
CLOCK_S = 300


async def restart(folder: Path) -> None:
    """Two hundred streams at four tables, a turn clock running, a house stopped and the next one opened."""
    house = House(folder)
    house.open()
    try:
        hosts = [Phone(house.port, f"host{at}") for at in range(TABLES)]
        codes = [await host.open_table(clock_s=CLOCK_S, rules={"format": "rounds 3"}) for host in hosts]
        ears = [Ear(Phone(house.port, f"phone{at}"), codes[at % TABLES]) for at in range(STREAMS)]
        listening = [asyncio.ensure_future(ear.listen()) for ear in ears]
        async with asyncio.timeout(60):
            await asyncio.gather(*(ear.began.wait() for ear in ears))
        for host, code in zip(hosts, codes, strict=True):
            assert (await host.do(code, do="roll")).status == 200
        before = [await host.view(code) for host, code in zip(hosts, codes, strict=True)]

        house.stop()
        house.open()  # benchmarks measure its time, and test_alone the logs it reads
        for host in hosts:
            host.hang_up()
        assert (await hosts[0].ask("GET", "/privacy")).status == 200
        await asyncio.gather(*listening)
        assert all(ear.events[-1] == "closing" for ear in ears)
        assert not any("closing" in ear.events[:-1] for ear in ears)

        first, others = ears[:TABLES], ears[TABLES:]
        listening = [asyncio.ensure_future(ear.listen()) for ear in first]
        for host, ear, was in zip(hosts, first, before, strict=True):
            await ear.until(was["seq"] + 1)
            assert ear.lines[-1].endswith(" retimed"), "nothing else happens while the house is closed"
            view = await host.view(ear.code)
            assert view["seq"] == was["seq"] + 1
            assert view["clock"] - was["clock"] >= 100, "the clock stands still while nobody looks after it"
            assert view["clock"] >= was["now"] + 1000 * CLOCK_S
            assert 1000 * (CLOCK_S - 60) < view["clock"] - view["now"] <= 1000 * CLOCK_S
            marks = [die["place"] for die in view["dice"] if die["status"] == "free"][:2]
            assert (await host.do(ear.code, do="roll", marks=marks)).status == 200  # before the others are back
        listening += [asyncio.ensure_future(ear.listen()) for ear in others]
        for ear in ears:
            await ear.until(before[0]["seq"] + 3)
        reader = SqliteReader(house.file)
        logs = {code: reader.read(number) for code, number in reader.codes().items()}
        reader.close()
        for ear in ears:
            assert ear.lines == [public(line) for line in logs[ear.code][1:]]
        house.signal(signal.SIGTERM)
        await asyncio.gather(*listening)
        assert all(ear.events[-1] == "closing" for ear in ears)
        assert house.end() == 0
        assert "Traceback" not in house.errors()
        assert '"error"' not in house.errors()
    finally:
        house.clear()


def test_two_hundred_streams_miss_nothing_at_a_restart(
    tmp_path: Path,
) -> None:
    run(restart(tmp_path))


async def move_until_closed(house: House, phone: Phone, code: str) -> list[int]:
    """Set the pace over and over while the house is told to stop. Return the answers."""
    found, stopping = [], False
    with suppress(OSError, asyncio.IncompleteReadError):
        for at in range(30):
            answer = await phone.do(code, do="pace", ms=at)
            assert answer.status in (200, 503), answer.body
            if answer.status == 200:
                found.append(answer.data["seq"])
            if at == 10 and not stopping:
                house.signal(signal.SIGTERM)
                stopping = True
    return found


async def stop_under_load(folder: Path) -> None:
    house = House(folder)
    house.open()
    phones = [Phone(house.port, f"host{at}") for at in range(6)]
    try:
        codes = [await phone.open_table(bots=["lucky"]) for phone in phones]
        pairs = zip(phones, codes, strict=True)
        told = await asyncio.gather(*(move_until_closed(house, phone, code) for phone, code in pairs))
        assert house.end() == 0
        reader = SqliteReader(house.file)
        for code, seqs in zip(codes, told, strict=True):
            log = reader.read(reader.codes()[code])
            assert len(seqs) > 5
            assert seqs == sorted(set(seqs))
            for at, seq in enumerate(seqs):
                assert log[seq].endswith(f" paced {at}")
        reader.close()
        assert '"error"' not in house.errors(), house.errors()
    finally:
        house.clear()


def test_what_was_answered_while_the_house_was_closing_is_kept(tmp_path: Path) -> None:
    run(stop_under_load(tmp_path))
