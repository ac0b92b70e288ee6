"""A PostgreSQL database as the place of a house. Several processes serve the house, each with a ``SharedHouse``. The
module ``transactions`` explains when a move waits for the disk.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from pubdice.core.errors import NotStored
from pubdice.server.file_place import FilePlace
from pubdice.server.findings import Finding, Patient, Urgency
from pubdice.server.house_place import OpenHouse
from pubdice.server.table.commit import Found
from pubdice.server.table.house_config import HouseConfig
from pubdice.store.deadline import Deadline
from pubdice.store.sqlite.schema import not_stored
from pubdice.store.writer import ThreadWriter
from pubdice_cluster.connecting import check_address
from pubdice_cluster.copying import copy_rows
from pubdice_cluster.opened_seals import OpenedSealsTables
from pubdice_cluster.players import PlayersTables
from pubdice_cluster.postgres_copy import postgres_rows
from pubdice_cluster.primary import Primary
from pubdice_cluster.reader import PostgresReader
from pubdice_cluster.replication import Cluster
from pubdice_cluster.schema import reach
from pubdice_cluster.shared_clock import SharedClock
from pubdice_cluster.shared_house import SharedHouse
from pubdice_cluster.shared_secret import read_shared_secret
from pubdice_cluster.sqlite_copy import sqlite_target
from pubdice_cluster.store import PostgresStore
from pubdice_cluster.wakeups import PostgresWakeups

READING = 4
"""The number of threads that read from the database for the event loop. Each has its own connection."""
BEATING = 2
"""The number of threads for the list of nodes. They are separate, so a beat does not wait for a slow read."""
AWAY = "store-unreachable"
"""The code of a database that does not accept connections yet. A starting house waits until it does."""
WENT_AWAY = ("store-unreadable", "store-unwritable")
"""The codes of a database that went away after it had accepted a connection. The house tries again to open it, at most
``TRIES`` times in a row."""
TRIES = 3


def read_address(address: str) -> "PostgresPlace":
    """Return the place for an address that begins with postgresql:// or postgres://. Raises
    NotStored("bad-address").
    """
    return PostgresPlace(address, check_address(address))


class InThreads:
    """A limited number of threads, for reads that wait for the network."""

    def __init__(self, most: int) -> None:
        self._threads = ThreadPoolExecutor(most, "pubdice-reader")

    async def __call__(self, ask: Callable[..., Found], *values: object) -> Found:
        """Run a read in a thread and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, ask, *values)

    def close(self) -> None:
        """Drop the reads in the queue. Each thread ends after the read that it is doing."""
        self._threads.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class PostgresPlace:
    """A database as the place of a house. ``address`` includes the password, for the driver. ``shown`` does not, for
    people.
    """

    address: str = field(repr=False)
    shown: str

    def __str__(self) -> str:
        return self.shown

    @contextmanager
    def open(
        self,
        source: Callable[[int], bytes],
        ending: Deadline,
        wait: Callable[[NotStored], object] | None = None,
    ) -> Iterator[OpenHouse]:
        """Open or make the house, as one of the processes that serve it, as ``HousePlace`` says. Raises NotStored like
        ``reach``.
        """
        failed, opened = 0, ExitStack()
        while True:
            try:
                reach(self.address, to_serve=True)
                with ExitStack() as stack:
                    # The database was there. If opening fails from here on, the database went away again, or waiting
                    # does not help.
                    failed += 1
                    parts = stack.enter_context(self._open_once(source, ending))
                    opened = stack.pop_all()
                break
            except NotStored as error:
                away = error.code == AWAY
                if wait is None or not (away or (error.code in WENT_AWAY and failed < TRIES)):
                    raise
                failed = 0 if away else failed
                wait(error)
        with opened:
            yield parts

    @contextmanager
    def _open_once(self, source: Callable[[int], bytes], ending: Deadline) -> Iterator[OpenHouse]:
        address = self.address
        with ExitStack() as stack:
            make_writer, primary = partial(ThreadWriter, ending=ending), Primary(address)
            primary.meet()
            made = PostgresStore(address, writer=make_writer, ending=ending, primary=primary)
            store = stack.enter_context(closing(made))
            players = stack.enter_context(closing(PlayersTables(address, primary)))
            opened = OpenedSealsTables(store)
            reads, beats = (stack.enter_context(closing(InThreads(number))) for number in (READING, BEATING))
            houses: list[SharedHouse] = []

            def house(config: HouseConfig) -> SharedHouse:
                clock = SharedClock(config.clock)
                clock.begin(store.nodes.now_ms)
                wakeups = PostgresWakeups(primary, store.nodes.id)
                houses.append(SharedHouse(config, Cluster(store, store.nodes, wakeups, clock, beats, opened.refresh)))
                return houses[-1]

            async def leave(wait: Callable[[float], Awaitable[object]]) -> None:
                for each in houses:
                    await each.leave(wait)

            yield OpenHouse(
                store,
                partial(PostgresReader, address, READING, primary=primary),
                read_shared_secret(address, source),
                opened,
                players,
                reads,
                house,
                leave,
            )

    def reader(self) -> PostgresReader:
        """Return a reader of committed data. Raises NotStored like ``reach``, or NotStored("no-house")."""
        if not reach(self.address):
            raise NotStored("no-house", file=self.shown)
        return PostgresReader(self.address)

    def back_up(self, file: Path, *, key: bool) -> None:
        """Back up the house to a file, as ``HousePlace`` says. The house is first copied to a temporary folder beside
        the file.
        """
        if file.exists():
            raise NotStored("backup-exists", folder=str(file.parent), file=str(file))
        try:
            with TemporaryDirectory(prefix=".pubdice-", dir=file.parent) as folder:
                data = Path(folder) / "house.db"
                with postgres_rows(self.address, alone=False) as rows, sqlite_target(data) as made:
                    copy_rows(rows, made)
                    made.commit()
                FilePlace(data).back_up(file, key=key)
        except OSError as error:
            raise not_stored("store-unwritable", file, error) from None

    def examine(self, patient: Patient) -> Iterator[Finding]:
        """Yield what ``pubdice doctor`` finds about the database: it does not answer, it takes no writes, or all is
        well.
        """
        say = patient.language.own["pubdice_cluster"].say
        try:
            with closing(self.reader()):
                pass
        except NotStored as error:
            yield Finding(Urgency.WRONG, patient.trouble(error))
            return
        primary = Primary(self.address)
        if primary.takes_writes():
            yield Finding(Urgency.FINE, say("The database {place} answers.", place=self))
        else:
            said = say(
                "The database {place} answers, but takes no writes: it is a replica or read-only. Name the primary.",
                place=self,
            )
            yield Finding(Urgency.WRONG, said)
        if primary.has_others and not primary.names_it:
            said = say(
                "{place} names several servers. Add {setting}, or backup and check may read a replica that is behind.",
                place=self,
                setting="?target_session_attrs=read-write",
            )
            yield Finding(Urgency.LOOK, said)
