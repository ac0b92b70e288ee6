"""Tests of a house without its database: it waits at the start, and ends in time when it gets a signal."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from cluster.houses import houses
from pubdice.core.errors import NotStored
from pubdice.server.cli import Patience, ended_by_signals
from pubdice.store.deadline import Deadline
from pubdice.text.catalogues import language
from pubdice_cluster.connecting import why
from pubdice_cluster.place import AWAY, TRIES, read_address
from pubdice_cluster.store import PostgresStore
from support.house_process import House, Phone, run
from support.postgres import PostgresServer, database, own_programs, own_server

WAITS = "Pubdice waits until the database is there."
LATE = "Something didn't answer, so Pubdice ends without it."
WITHIN_S = 30.0


@pytest.fixture
def silent() -> Iterator[PostgresServer]:
    """A server that is not started yet."""
    programs = own_programs()
    with TemporaryDirectory(prefix="pubdice-pg-", dir="/tmp") as made:
        Path(made).chmod(0o711)  # the server's own user needs access
        server = PostgresServer(programs, Path(made) / "data")
        try:
            yield server
        finally:
            server.end()


def _until_it_waits(house: House) -> None:
    assert house.process is not None
    until = time.monotonic() + WITHIN_S
    while WAITS not in house.errors():
        assert house.process.poll() is None, house.errors()
        assert time.monotonic() < until, house.errors()
        time.sleep(0.05)


def test_a_house_waits_for_its_database_and_says_so_once(tmp_path: Path, silent: PostgresServer) -> None:
    async def evening(house: House) -> None:
        assert await Phone(house.port, "ann").open_table(game="midnight")

    house = House(tmp_path, "--store", silent.address)
    house.begin()
    try:
        _until_it_waits(house)
        silent.start()
        house.wait_open()
        assert house.errors().count(WAITS) == 1
        assert house.errors().count("\n") == 1, "in one sentence"
        run(evening(house))
        assert house.stop() < WITHIN_S
    finally:
        house.clear()


def test_a_house_that_waits_ends_when_it_is_told_to(tmp_path: Path, silent: PostgresServer) -> None:
    house = House(tmp_path, "--store", silent.address)
    house.begin()
    try:
        _until_it_waits(house)
        house.signal(signal.SIGTERM)
        assert house.end() == 0
        assert "Traceback" not in house.errors()
    finally:
        house.clear()


class Falls:
    """An object that raises a signal when it is deleted. In real life the garbage collector may cause this at any
    moment.
    """

    def __init__(self, number: int) -> None:
        self.number = number

    def __del__(self) -> None:
        signal.raise_signal(self.number)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("number", "ends"), [(signal.SIGTERM, SystemExit), (signal.SIGINT, KeyboardInterrupt)])
def test_a_signal_that_python_drops_ends_a_house_that_waits_too(number: int, ends: type[BaseException]) -> None:
    said, waited = StringIO(), list[float]()
    with ended_by_signals() as end:
        patience = Patience(language("en"), said, end, waited.append)
        patience(NotStored(AWAY, file="x", reason="gone"))
        Falls(number)
        with pytest.raises(ends):
            patience(NotStored(AWAY, file="x", reason="gone"))
    assert (len(waited), said.getvalue().count(WAITS)) == (1, 1)


def test_what_waiting_does_not_help_ends_the_house_at_once(tmp_path: Path, postgres_server: str) -> None:
    house = House(tmp_path, "--store", f"{postgres_server.rpartition('/')[0]}/none")
    house.begin()
    try:
        assert house.end() == 1
        assert "no such database" in house.errors()
        assert WAITS not in house.errors()
    finally:
        house.clear()


@pytest.mark.parametrize("said", ["the database system is starting up", "the database system is in recovery mode"])
def test_a_server_that_lets_nobody_in_yet_is_away(said: str) -> None:
    error = psycopg.OperationalError(f'connection to server at "127.0.0.1", port 5432 failed: FATAL:  {said}')
    assert why("postgresql://h/x", error, "store-unreadable").code == AWAY


def test_a_database_that_goes_away_at_the_start_is_tried_again(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = read_address(empty_database)
    left, waited, init = ["store-unreadable"] * 2, list[str](), PostgresStore.__init__

    def fails(self: PostgresStore, *values: object, **named: object) -> None:
        if left:
            raise NotStored(left.pop(), file="x", reason="gone")
        init(self, *values, **named)  # type: ignore[arg-type]

    def opened() -> None:
        with place.open(os.urandom, Deadline(), lambda error: waited.append(error.code)) as parts:
            assert parts.leave is not None

    monkeypatch.setattr(PostgresStore, "__init__", fails)
    opened()
    assert waited == ["store-unreadable"] * 2
    left += ["store-unreadable"] * (TRIES + 1)
    with pytest.raises(NotStored):
        opened()
    assert len(waited) == 2 + TRIES - 1


@pytest.mark.nightly
def test_a_house_with_a_frozen_database_ends_in_time(tmp_path: Path) -> None:
    """A read that waits for a frozen server cannot be stopped, so the process ends without it."""

    async def evening(house: House) -> None:
        assert await Phone(house.port, "ann").open_table(game="midnight")

    with ExitStack() as stack:
        server = stack.enter_context(own_server())
        address = stack.enter_context(database(server.address))
        (house,) = stack.enter_context(houses(address, tmp_path, 1))
        run(evening(house))
        frozen = server.processes()
        for pid in frozen:
            os.kill(pid, signal.SIGSTOP)
        for pid in frozen:
            stack.callback(os.kill, pid, signal.SIGCONT)
        house.signal(signal.SIGTERM)
        assert house.end() == 1, "it was not killed"
        assert LATE in house.errors()
