"""Places of houses for ``serve``, ``doctor``, ``backup`` and ``check``: a file, or a database.

``FilePlace`` is a SQLite file. Packages add places for other schemes of addresses (``stores``,
``docs/contribute/annexes.md``).
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pubdice.core.errors import NotStored
from pubdice.core.seal import OpenedSeals
from pubdice.server.findings import Finding, Patient
from pubdice.server.table.commit import Reads, at_once
from pubdice.server.table.house import House
from pubdice.server.table.house_config import HouseConfig
from pubdice.store.deadline import Deadline
from pubdice.store.house_store import HouseReads, HouseStore
from pubdice.store.players_book import PlayersBook


@dataclass(frozen=True, slots=True)
class OpenHouse:
    """A house that is open in its place, for the process that serves it.

    ``house`` makes the house, in its event loop. If other processes serve the same tables, it makes a subclass of
    ``House``. Then ``leave`` makes the other processes take over the tables before this process stops. ``leave`` gets a
    function that waits for a number of seconds.
    """

    store: HouseStore
    reader: Callable[[], HouseReads]  # can be pickled, because another process calls it to open the logs
    seals_key: bytes  # 32 bytes, the key of sealed dice
    opened_seals: OpenedSeals
    players: PlayersBook
    read: Reads = at_once  # runs reads for the event loop
    house: Callable[[HouseConfig], House] = House
    leave: Callable[[Callable[[float], Awaitable[object]]], Awaitable[object]] | None = None


class HousePlace(Protocol):
    """A place that has a house, or may get one. Its ``str`` has no password, so it may be printed."""

    def open(
        self, source: Callable[[int], bytes], ending: Deadline, wait: Callable[[NotStored], object] | None
    ) -> AbstractContextManager[OpenHouse]:
        """Open the house to serve it, and make it if there is none. ``source`` returns random bytes.

        ``ending`` is the deadline of the process. While a database is away, ``wait`` gets the reason before each new
        try. If ``wait`` is None, there is only one try. Raises NotStored, at once for errors that waiting can't fix,
        such as a wrong password.
        """

    def reader(self) -> HouseReads:
        """Return a reader of committed data, also while the house is served.

        Raises NotStored, for example without a house.
        """

    def back_up(self, file: Path, *, key: bool) -> None:
        """Copy everything of the house to a new file, also while it is served.

        If the file's name ends in .zip, everything is in this file. Otherwise it is a SQLite file with the tables, and
        the players' book is in a file beside it. ``key``: include the key of sealed dice. Raises NotStored.
        """

    def examine(self, patient: Patient) -> Iterator[Finding]:
        """Yield all findings about the place, in the order in which to mend them. Changes nothing."""
