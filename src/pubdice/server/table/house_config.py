"""The parts of a house: its store, clock, dice, bots and workers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pubdice.core.cup import Cup
from pubdice.core.seal import Seals
from pubdice.kit import Kit
from pubdice.match.header import Header
from pubdice.match.table import Table
from pubdice.server.answers import Answers
from pubdice.server.observe import EventLog, Metrics
from pubdice.server.processes import ThreadWorker
from pubdice.server.replay import ReplayedSoFar
from pubdice.server.table.bot_moves import ChooseAction
from pubdice.server.table.commit import Reads, at_once
from pubdice.server.table.services import Clock
from pubdice.store.house_store import HouseStore
from pubdice.store.players_book import PlayersBook
from pubdice.store.sqlite.players import PlayersFile
from pubdice.store.writer import Entry
from pubdice.text.language import Language


class LogReader(Protocol):
    """Replays long logs in another process."""

    async def begin(self, table: int, lines: int) -> ReplayedSoFar | None:
        """Return the state at some line of a table's log of ``lines`` lines.

        Returns None if the house must replay the whole log.
        """

    async def record(self, table: int, lines: int, header: Header, match: Table) -> str | None:
        """Return the record of a match, from the first ``lines`` of its table's log. None: the house must write it."""


class NoLogReader:
    """A reader that leaves every log to the house's own process."""

    async def begin(self, table: int, lines: int) -> None:
        """Return None, because no other process replays logs."""

    async def record(self, table: int, lines: int, header: Header, match: Table) -> None:
        """Return None, because no other process writes records."""


@dataclass(frozen=True, slots=True)
class HouseConfig:
    """The parts of a house.

    ``cup`` is called with 0, as all tables share one cup. ``choose`` computes a bot's weighted actions, and ``bots``
    draws one of them. ``source`` returns a number of random bytes, for the secret and for table codes. ``read`` runs
    the event loop's reads of the store. ``trace`` turns on the trace of commands in the event log. ``grown`` gets each
    stored entry, before its sender has the answer.
    """

    games: Mapping[str, Kit]
    store: HouseStore
    clock: Clock
    cup: Callable[[int], Cup]
    seals: Seals
    bots: Cup
    choose: ChooseAction
    language: Callable[[str], Language]
    source: Callable[[int], bytes]
    event_log: EventLog
    metrics: Metrics = field(default_factory=Metrics)
    log_reader: LogReader = field(default_factory=NoLogReader)
    answers: Answers = field(default_factory=lambda: Answers(ThreadWorker()))
    players: PlayersBook = field(default_factory=PlayersFile)
    read: Reads = at_once
    trace: bool = False
    grown: Callable[[Entry], object] | None = None
