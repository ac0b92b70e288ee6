"""Places of houses, as ``serve``, ``doctor``, ``backup`` and ``check`` use them: a file, or a database.

``FilePlace`` is one, a file of SQLite. A package brings others for the schemes of their addresses (``stores``,
``docs/annexes.md``).
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

    reader: opens its logs in another process, so it can be pickled. seals_key: 32 bytes, the key of sealed dice. read:
    runs reads for the event loop. house: makes the house, in its event loop; another class than ``House`` where other
    processes serve the tables, too. leave: asks those to take over the tables before this process stops, by a function
    that waits some seconds; None: there are no others.
    """

    store: HouseStore
    reader: Callable[[], HouseReads]
    seals_key: bytes
    opened_seals: OpenedSeals
    players: PlayersBook
    read: Reads = at_once
    house: Callable[[HouseConfig], House] = House
    leave: Callable[[Callable[[float], Awaitable[object]]], Awaitable[object]] | None = None


class HousePlace(Protocol):
    """A place where a house is, or may be made. Its ``str`` is fit for people to see, and has no password in it."""

    def open(
        self, source: Callable[[int], bytes], ending: Deadline, wait: Callable[[NotStored], object] | None
    ) -> AbstractContextManager[OpenHouse]:
        """Open the house to serve it, and make it if there is none. source: returns that many random bytes.

        ending: of the process. wait: called with the reason while a database is away, before it is tried again; None:
        try once. Raises NotStored: at once for what waiting does not help, such as a wrong password.
        """

    def reader(self) -> HouseReads:
        """Reads of what is committed, also while a house serves it. NotStored, for example if no house is there."""

    def back_up(self, file: Path, *, key: bool) -> None:
        """Copy everything of the house, also while it is served, to a file that is not there yet.

        A name that ends in .zip gets all in one file; any other is a SQLite file, with the players' book beside it.
        key: the key of sealed dice, too. NotStored.
        """

    def examine(self, patient: Patient) -> Iterator[Finding]:
        """All that there is to say about the place, in the order in which one would mend it. Changes nothing."""
