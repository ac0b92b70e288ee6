"""What a house is made of where it is kept: in a file, which it has to itself, or in a database that several share."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.core.seal import OpenedSeals
from pubdice.server.table.commit import Found, Reads, at_once
from pubdice.store.cluster import Nodes, Wakeups
from pubdice.store.disk import OpenedSealsFile, read_secret
from pubdice.store.house_store import HouseReads, HouseStore
from pubdice.store.places import HousePlace
from pubdice.store.players_book import PlayersBook
from pubdice.store.sqlite.players import PlayersFile, beside
from pubdice.store.sqlite.store import SqliteReader, SqliteStore
from pubdice.store.writer import Deadline, ThreadWriter

READING = 4
"""Threads that read from a database for the event loop, each over a connection of its own."""
BEATING = 2
"""The same for the nodes: a beat does not wait for a look that is held up."""

AWAY = "store-unreachable"
"""The code of a database that is not there yet, or lets nobody in as it starts; a house that starts waits for it."""
WENT_AWAY = ("store-unreadable", "store-unwritable")
"""Codes of one that was there and then went; so it is tried again, ``TRIES`` times in a row at most."""
TRIES = 3


@dataclass(frozen=True, slots=True)
class HouseParts:
    """An open house. reader: opens its logs in another process. read: how the event loop reads. beat: how it asks
    the nodes, by threads of its own.

    nodes, wakeups: of the processes that share it; None where it has no others. refresh: reads which seals they opened.
    """

    store: HouseStore
    reader: Callable[[], HouseReads]
    seals_key: bytes
    opened_seals: OpenedSeals
    players: PlayersBook
    read: Reads = at_once
    beat: Reads = at_once
    nodes: Nodes | None = None
    wakeups: Wakeups | None = None
    refresh: Callable[[], object] = lambda: None


class InThreads:
    """Reads that wait for a network, so many at once."""

    def __init__(self, most: int) -> None:
        self._threads = ThreadPoolExecutor(most, "pubdice-reader")

    async def __call__(self, ask: Callable[..., Found], *values: object) -> Found:
        """What the read finds."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, ask, *values)

    def close(self) -> None:
        """End the threads, once each has come back."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def open_house(
    place: HousePlace,
    source: Callable[[int], bytes],
    ending: Deadline | None = None,
    wait: Callable[[NotStored], object] | None = None,
) -> AbstractContextManager[HouseParts]:
    """The house in a place; made if there is none. source: so many random bytes. ending: of the process.

    wait: called with the reason while a database is away, before it is tried again; None tries once. Raises NotStored:
    at once for what waiting does not help, such as a wrong password or a schema that is unknown here.
    """
    if isinstance(place, Path):
        return _house_in_file(place, source, ending or Deadline())
    return _house_in_database(place.address, source, ending or Deadline(), wait)


@contextmanager
def _house_in_file(file: Path, source: Callable[[int], bytes], ending: Deadline) -> Iterator[HouseParts]:
    """The house in a file and the files beside it. source: so many random bytes. Raises NotStored."""
    with ExitStack() as stack:
        store = stack.enter_context(closing(SqliteStore(file, writer=partial(ThreadWriter, ending=ending))))
        key = read_secret(file.with_name(file.name + ".seals"), source)
        opened = OpenedSealsFile(file.with_name(file.name + ".opened"))
        players = stack.enter_context(closing(PlayersFile(beside(file))))
        yield HouseParts(store, partial(SqliteReader, file), key, opened, players)


@contextmanager
def _house_in_database(
    address: str, source: Callable[[int], bytes], ending: Deadline, wait: Callable[[NotStored], object] | None
) -> Iterator[HouseParts]:
    """The house in a database, as one of its processes. Raises NotStored."""
    from pubdice.store.postgres import reach  # noqa: PLC0415 - the driver is an extra, and there as the address was read

    failed, opened = 0, ExitStack()
    while True:
        try:
            reach(address, to_serve=True)
            with ExitStack() as stack:
                failed += 1  # it was there, so what fails now is the database going away again, or no matter of time
                parts = stack.enter_context(_parts_in_database(address, source, ending))
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
def _parts_in_database(address: str, source: Callable[[int], bytes], ending: Deadline) -> Iterator[HouseParts]:
    """The house in a database that can be reached. Raises NotStored."""
    from pubdice.store.postgres import (  # noqa: PLC0415 - as above
        OpenedSealsTables,
        PlayersTables,
        PostgresReader,
        PostgresStore,
        PostgresWakeups,
        read_shared_secret,
    )

    with ExitStack() as stack:
        make_writer = partial(ThreadWriter, ending=ending)
        store = stack.enter_context(closing(PostgresStore(address, writer=make_writer, ending=ending)))
        players = stack.enter_context(closing(PlayersTables(address)))
        opened = OpenedSealsTables(store)
        reads, beats = (stack.enter_context(closing(InThreads(number))) for number in (READING, BEATING))
        yield HouseParts(
            store,
            partial(PostgresReader, address, READING),
            read_shared_secret(address, source),
            opened,
            players,
            reads,
            beats,
            store.nodes,
            PostgresWakeups(address, store.nodes.id),
            opened.refresh,
        )
