"""Tests that play goes on after a house process leaves or dies, or after the database was away, and that any house
serves any request.
"""

import asyncio
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cluster.houses import houses
from pubdice_cluster.reader import PostgresReader
from support.house_process import Ear, House, Phone, run
from support.http_wire import Answer
from support.paths import TESTS
from support.postgres import database, own_server

FAST_CLOCK = TESTS / "support/fast_clock_house.py"
AWAY_S = 30
"""The time in seconds that the database is away."""
UNSAVED = ("not-known", "store-unwritable")
GOES_ON_S = 3.5
"""The time in seconds within which a table must go on after its process has died. On an idle machine it takes 2 s. On a
busy machine one of three tries is that quick. If beats came only every 2 s, no try would be: they took 5.1 s and more.
"""
TRIES = 3
BOTS: dict[str, Any] = {"game": "midnight", "bots": ["lucky", "tip"], "people": 1, "rules": {"format": "rounds 20"}}


@dataclass(frozen=True)
class Pair:
    address: str
    first: House
    second: House


@pytest.fixture(scope="module")
def opened(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with database(postgres_server) as address, houses(address, tmp_path_factory.mktemp("pair"), 2) as (first, second):
        yield Pair(address, first, second)
        assert "Traceback" not in second.errors()


@pytest.fixture
def pair(opened: Pair) -> Iterator[Pair]:
    """Two open houses. A test may kill the first one, so it is opened again if necessary. Each test has tables of its
    own.
    """
    if opened.first.process is None or opened.first.process.poll() is not None:
        opened.first.open()
    told = len(opened.second.errors())
    yield opened
    assert "Traceback" not in opened.second.errors()[told:]


async def _bots_play(first: House, second: House) -> tuple[str, Ear, Phone]:
    """Open a table of bots at the first house. Return its code, a listener at the second house, and the person who
    opened it.
    """
    ann = Phone(first.port, "ann")
    code = await ann.open_table(**BOTS, pace_ms=200)
    assert (await ann.do(code, do="give")).status == 200
    ear = Ear(Phone(second.port, "ann"), code, patient=True)
    return code, ear, ann


@pytest.mark.nightly
@pytest.mark.parametrize("watched", [True, False])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_table_of_a_dead_or_frozen_process_goes_on(how: int, watched: bool, pair: Pair) -> None:
    async def silence(first: House, second: House) -> float:
        """Return the seconds between the last event before the first process died and the next event."""
        code, ear, ann = await _bots_play(first, second)
        listening = [asyncio.ensure_future(each.listen()) for each in (ear, Ear(ann, code)) if watched]
        reader = PostgresReader(pair.address)
        number = reader.codes()[code]
        while len(reader.read(number)) < 8:
            await asyncio.sleep(0.1)
        await asyncio.sleep(3)  # by then the process has reported that it keeps this table's timers
        first.signal(how)
        before = len(reader.read(number))
        until = time.monotonic() + 60
        while len(log := reader.read(number)) < before + 1:
            assert time.monotonic() < until, "it stands still"
            await asyncio.sleep(0.05)
        for task in listening:
            task.cancel()
        await asyncio.sleep(0)
        reader.close()
        at = [int(line.split()[0]) for line in log[before - 1 : before + 1]]
        return (at[1] - at[0]) / 1000

    silences: list[float] = []
    while not silences or min(silences) >= GOES_ON_S:
        assert len(silences) < TRIES, silences
        if silences:
            pair.first.open()
        silences.append(run(silence(pair.first, pair.second)))
        pair.first.kill()


def test_a_process_that_stops_sends_its_streams_elsewhere(pair: Pair) -> None:
    async def evening(first: House, second: House) -> None:
        ann = Phone(first.port, "ann")
        code = await ann.open_table(**BOTS, pace_ms=300)
        await ann.do(code, do="give")
        ear = Ear(ann, code)
        listening = asyncio.ensure_future(ear.listen())
        await ear.until(5, 20)
        assert (await ann.ask("GET", "/ready")).status == 200
        ending = asyncio.ensure_future(asyncio.to_thread(first.stop))
        bob = Phone(first.port, "bob")
        async with asyncio.timeout(60):
            while (ready := await bob.ask("GET", "/ready")).status == 200:
                await asyncio.sleep(0.05)
        assert ready.status == 503
        assert (await bob.ask("GET", "/healthz")).status == 200
        assert (await ann.do(code, do="pace", ms=250)).status == 200, "it still serves those who are here"
        async with asyncio.timeout(60):
            await listening
        assert ear.events[-1] == "closing"
        ear.phone = Phone(second.port, "ann")
        goes_on = asyncio.ensure_future(ear.listen())
        await ear.until(ear.seq + 3, 60)
        goes_on.cancel()
        assert await ending < 20, "a supervisor waits so long (TimeoutStopSec in deploy)"

    run(evening(pair.first, pair.second))


def test_a_hint_that_is_lost_is_made_up_for_by_the_next_look(pair: Pair) -> None:
    async def evening(first: House, second: House) -> None:
        ann = Phone(first.port, "ann")
        code = await ann.open_table(game="midnight")
        ear = Ear(Phone(second.port, "ann"), code)
        listening = asyncio.ensure_future(ear.listen())
        async with await psycopg.AsyncConnection.connect(pair.address, autocommit=True) as db:
            for pace in (100, 101):
                await db.execute(  # ends the listening connections, just before each move
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                )
                answer = await ann.do(code, do="pace", ms=pace)
                await ear.until(answer.data["seq"], 60)
        listening.cancel()

    run(evening(pair.first, pair.second))


@pytest.mark.nightly
def test_play_goes_on_after_the_database_was_away(tmp_path: Path) -> None:
    async def evening(house: House, stop: Any, start: Any) -> None:
        ann = Phone(house.port, "ann")
        code = await ann.open_table(game="midnight", bots=["lucky"], pace_ms=10_000)
        while (await ann.view(code))["mover"] != 0:
            await asyncio.sleep(0.1)
        await asyncio.to_thread(stop)
        roll = {"key": ann.key(), "do": "roll"}
        for asked, codes in ((roll, UNSAVED), ({"key": ann.key(), "do": "bank"}, ["store-unreadable"])):
            began = time.monotonic()
            refused = await ann.ask("POST", f"/t/{code}", asked)
            assert (refused.status, refused.data["code"] in codes) == (503, True), refused.body
            assert time.monotonic() - began < 30  # the house waits for 8 s
            assert "\n" not in refused.data["why"]
            assert len(refused.data["why"]) < 120
        assert (await ann.ask("GET", "/healthz")).status == 503
        await asyncio.sleep(AWAY_S)
        await asyncio.to_thread(start)
        answer: Answer | None = None
        async with asyncio.timeout(60):
            while answer is None or answer.status != 200:
                answer = await ann.ask("POST", f"/t/{code}", roll)
                await asyncio.sleep(0.2)
        async with asyncio.timeout(60):
            # after the refusal the house reads the log before it answers
            while (await ann.do(code, do="bank")).status == 503:
                await asyncio.sleep(0.2)
        async with asyncio.timeout(60):
            while (await ann.ask("GET", "/healthz")).status != 200:
                await asyncio.sleep(0.2)

    with own_server() as server, database(server.address) as address, houses(address, tmp_path, 1) as (house,):
        run(evening(house, server.stop, server.start))
        assert "Traceback" not in house.errors()


def test_a_machine_whose_clock_is_wrong_takes_nobody_s_time(tmp_path: Path, pair: Pair) -> None:
    async def evening(right: House, wrong: House) -> None:
        ann, bob = Phone(right.port, "ann"), Phone(wrong.port, "bob")
        code = await ann.open_table(game="midnight", people=2, clock_s=30)
        assert (await bob.do(code, do="sit", name="Bob")).status == 200
        for phone in (ann, bob, ann, bob):  # each round is a roll, then a mark that the other process decides
            mover = (await phone.view(code))["mover"]
            roller = (ann, bob)[mover]
            await roller.do(code, do="roll")
            assert (await roller.do(code, do="mark", marks=[0])).status == 200
            await roller.do(code, do="roll", marks=[0, 1, 2, 3, 4, 5])
        began = time.monotonic()
        shown = [await phone.view(code) for phone in (ann, bob)]
        took_ms = 1000 * (time.monotonic() - began)
        assert abs(shown[0]["now"] - shown[1]["now"]) < 2_000 + took_ms
        assert shown[0]["clock"] == shown[1]["clock"]
        assert 0 < shown[0]["clock"] - shown[0]["now"] <= 30_000
        reader = PostgresReader(pair.address)
        events = [int(line.split()[0]) for line in reader.read(reader.codes()[code])[1:]]
        reader.close()
        assert sorted(events) == events
        assert events[-1] - events[0] < 60_000

    with House(tmp_path, "--store", pair.address, script=FAST_CLOCK) as wrong:
        run(evening(pair.first, wrong))


def test_a_reaction_is_heard_at_the_other_process(pair: Pair) -> None:
    async def evening(first: House, second: House) -> None:
        ann, bob = Phone(first.port, "ann"), Phone(second.port, "bob")
        code = await ann.open_table(game="midnight", people=2)
        assert (await bob.do(code, do="sit", name="Bob")).status == 200
        ear = Ear(bob, code)
        listening = asyncio.ensure_future(ear.listen())
        async with asyncio.timeout(60):
            await ear.began.wait()
        assert (await ann.do(code, do="react", phrase=2)).status == 200
        async with asyncio.timeout(60):
            while not ear.reactions:
                await asyncio.sleep(0.05)
        listening.cancel()

    run(evening(pair.first, pair.second))


async def _two_keeps(ports: list[int]) -> None:
    here, there = (Phone(port, "Ann") for port in ports)
    for _ in range(10):
        code = await here.open_table(game="midnight", name="Ann", people=1, bots=["tip"])
        assert (await here.do(code, do="roll")).status == 200
        seen = (await here.view(code))["seq"]
        keeps = (here.do(code, do="roll", marks=[0], seen=seen), there.do(code, do="roll", marks=[1, 2], seen=seen))
        answers = await asyncio.gather(*keeps)
        assert sorted(answer.status for answer in answers) == [200, 409]
        late = next(answer for answer in answers if answer.status == 409)
        assert late.data["code"] == "seen-late"
        shown = [(await phone.view(code))["rolls"] for phone in (here, there)]
        assert shown == [2, 2], "one of the two was done, at both houses"
    for phone in (here, there):
        phone.hang_up()


@pytest.mark.nightly
def test_of_two_keeps_from_one_view_at_two_houses_one_is_done(tmp_path: Path, empty_database: str) -> None:
    with houses(empty_database, tmp_path, 2) as two:
        run(_two_keeps([house.port for house in two]))
