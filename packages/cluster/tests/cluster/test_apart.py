"""Tests of a house that loses the database, in a network namespace of its own.

Each house has two links: one to the database, one to the people. A cut of the database link silently drops packets, in
one direction or both. No connection is refused or closed.
"""

import asyncio
import os
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cluster.houses import Evening
from support.house_process import House, Phone, run
from support.metrics import metric
from support.networks import far_end, ip, namespace
from support.postgres import QUICK, database, own_server

pytestmark = pytest.mark.nightly
TABLES = 12
CUT_S = 15
"""The time in seconds after which a cut-off house has noticed the cut and has no more streams. It counts from the
moment when the house's balancer knows of the cut.
"""
EVERYWHERE = (*QUICK, "-c", "listen_addresses=*")


@dataclass(frozen=True, slots=True)
class Network:
    """The network of one house, numbered from 0 to 99."""

    number: int

    @property
    def name(self) -> str:
        return f"pdh{os.getpid() % 10_000}x{self.number}"

    @property
    def database(self) -> tuple[str, str]:
        """The addresses of the database and the house on their link."""
        return f"10.214.{self.number}.1", f"10.214.{self.number}.2"

    @property
    def people(self) -> tuple[str, str]:
        """The addresses of the people and the house on their link."""
        return f"10.215.{self.number}.1", f"10.215.{self.number}.2"

    @contextmanager
    def laid(self) -> Iterator[None]:
        """Make the network for the time of a test. If namespaces are not allowed, skip the test."""
        with namespace(self.name, {f"{self.name}d": self.database, f"{self.name}p": self.people}):
            yield

    def cut(self, way: str) -> None:
        """Drop packets to the database, from it, or in both directions. For this, the neighbour table maps the
        receiver's IP address to a hardware address that no device has.
        """
        self._neighbour("replace", way)

    def mend(self, way: str) -> None:
        """Undo a cut."""
        self._neighbour("del", way)

    def _neighbour(self, do: str, way: str) -> None:
        (here, there), device = self.database, f"{self.name}d"
        nobody = ("lladdr", "02:00:00:00:00:99", "nud", "permanent") if do == "replace" else ()
        if way in ("to", "both"):
            ip("-n", self.name, "neigh", do, here, "dev", far_end(device), *nobody)
        if way in ("from", "both"):
            ip("neigh", do, there, "dev", device, *nobody)


class Apart(House):
    """A house in a network of its own."""

    def __init__(self, network: Network, folder: Path, address: str) -> None:
        folder.mkdir()
        store = address.replace("127.0.0.1", network.database[0])
        super().__init__(folder, "--store", store, limits=False, inside=("ip", "netns", "exec", network.name))
        self.network, self.host = network, network.people[1]


@pytest.fixture
def address() -> Iterator[str]:
    """A database on a server that listens on every link."""
    with own_server(EVERYWHERE) as server:
        with (server.folder / "pg_hba.conf").open("a", encoding="ascii") as rules:
            rules.write("host all all 10.214.0.0/16 trust\n")
        server.run("pg_ctl", "-D", str(server.folder), "reload")
        with database(server.address) as made:
            yield made


@pytest.fixture
def two(tmp_path: Path, address: str) -> Iterator[list[Apart]]:
    """Two open houses, each in a network of its own. If namespaces are not allowed, the test is skipped."""
    with ExitStack() as stack:
        made = []
        for number in range(2):
            network = Network(number)
            stack.enter_context(network.laid())
            made.append(Apart(network, tmp_path / f"house{number}", address))
            stack.callback(made[-1].clear)
            made[-1].open()
        yield made


@pytest.mark.parametrize("way", ["to", "from", "both"])
def test_a_house_that_loses_the_database_shows_nobody_old_tables(way: str, two: list[Apart], address: str) -> None:
    lost, well = two

    async def status(house: Apart, path: str) -> int:
        phone = Phone(house.port, "operator", house.host)
        async with asyncio.timeout(5):
            answer = await phone.ask("GET", path)
        phone.hang_up()
        return answer.status

    async def shown(house: Apart, *names: str) -> tuple[float, ...]:
        phone = Phone(house.port, "operator", house.host)
        metrics = (await phone.ask("GET", "/metrics")).text
        phone.hang_up()
        return tuple(metric(metrics, f"pubdice_{name}") for name in names)

    async def until(house: Apart, path: str, wanted: int, within_s: float) -> None:
        async with asyncio.timeout(within_s):
            while await status(house, path) != wanted:
                await asyncio.sleep(0.2)

    async def playing(evening: Evening) -> None:
        tasks = await evening.begin(TABLES)
        await asyncio.sleep(3)
        lost.network.cut(way)
        await until(lost, "/ready", 503, 10)
        asked.remove(lost)  # a balancer would do this, so no more requests go to the lost house
        assert await status(well, "/ready") == 200
        await asyncio.sleep(CUT_S)
        before = len(evening.told)
        assert await shown(lost, "streams") == (0,), "every page has gone to the other"
        assert await shown(lost, "store_up", "cut_off") == (0, 1), "an alert can know"
        assert await shown(well, "store_up", "cut_off", "processes") == (1, 0, 1)
        await asyncio.sleep(5)
        assert len(evening.told) > before + 50, "people play on there"
        lost.network.mend(way)
        await until(lost, "/ready", 200, 20)
        assert await shown(lost, "store_up", "cut_off") == (1, 0)
        asked.append(lost)
        await asyncio.sleep(5)
        tasks += await evening.begin(2)
        await asyncio.sleep(3)
        await evening.end(tasks)
        await evening.ask_again(50)

    asked: list[House] = [lost, well]
    evening = Evening(asked, random.Random(f"lost {way}"))
    run(playing(evening))
    assert evening.check(address) > 200
    for house in two:
        assert "Traceback" not in house.errors()
