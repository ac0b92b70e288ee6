"""What a house is made of: its store, clock, dice, bots and workers, and what binds it to other processes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pubdice.core.cup import Cup
from pubdice.core.seal import Seals
from pubdice.kit import Kit
from pubdice.match.notation import Header
from pubdice.match.table import Table
from pubdice.server.live.answers import Answers
from pubdice.server.live.book_words import RomMix
from pubdice.server.live.bots import ChooseAction
from pubdice.server.live.clock import Clock, SharedClock
from pubdice.server.live.loading import ReplayedSoFar
from pubdice.server.live.reads import Reads, at_once
from pubdice.server.live.worker import ThreadWorker
from pubdice.server.observe import EventLog, Metrics
from pubdice.store.house_store import HouseStore
from pubdice.store.nodes import Nodes
from pubdice.store.players import PlayersFile
from pubdice.store.players_book import PlayersBook
from pubdice.store.wakeups import Wakeups
from pubdice.text.language import Language


class LogReader(Protocol):
    """Replays long logs in a process beside the house's."""

    async def begin(self, table: int, lines: int) -> ReplayedSoFar | None:
        """The state at some line of a table's log, which has ``lines``; None if the house must replay all of it."""

    async def record(self, table: int, lines: int, header: Header, match: Table) -> str | None:
        """The record of a table's match, from the first ``lines`` of its log; None if the house must write it."""


class NoLogReader:
    """Every log is replayed in the house's own process."""

    async def begin(self, table: int, lines: int) -> None:
        """None: no other process replays logs."""

    async def record(self, table: int, lines: int, header: Header, match: Table) -> None:
        """None: no other process writes records."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """What binds the processes that serve one house.

    nodes: the list of them. wakeups: carries hints between them. clock: the house's; it follows the shared time.
    read: asks the nodes, by a thread of its own. refresh: reads which seals the others have opened.
    """

    nodes: Nodes
    wakeups: Wakeups
    clock: SharedClock
    read: Reads
    refresh: Callable[[], object] = lambda: None


@dataclass(frozen=True, slots=True)
class HouseConfig:
    """What a house is made of.

    cup: where rolls come from; called with 0, as all tables share it. seals: of sealed dice. bots: where the draw
    between a bot's actions comes from. choose: computes a bot's weighted actions. source: so many random bytes, for the
    secret and for table codes. log_reader: replays long logs. answers: works out what keeps are worth. players: the
    players' book; rom_mix: does scrypt's costly part for its words where Python has no OpenSSL. read: how the event
    loop reads from the store. cluster: the other processes that serve this house; None if this one serves it alone.
    trace: whether each command is followed in the event log.
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
    rom_mix: RomMix | None = None
    read: Reads = at_once
    cluster: Cluster | None = None
    trace: bool = False
