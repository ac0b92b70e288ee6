"""A process beside the house. It replays long logs and writes their records, so that moves need not wait.

It starts with the first long log, and ends when there has been none for a while. It reads the log and returns a
state or a record. The log stays the only truth. If anything goes wrong here, the house replays the log itself.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from time import perf_counter

from pubdice.games import GAMES
from pubdice.match.header import Header
from pubdice.match.table import Table
from pubdice.room import Room, read_setup
from pubdice.server.fair_lock import FairLock
from pubdice.server.jobs import T
from pubdice.server.match_records import lines_of, write_record
from pubdice.server.processes import WorkerProcess
from pubdice.server.replay import LINES_KEPT, Loaded, ReplayedSoFar, replay
from pubdice.store.house_store import HouseReads

OpenReader = Callable[[], HouseReads]

LONG = 2_000
"""The number of lines from which a log is long: the house would take 40 ms to replay it."""
REPLAYED_AT_ONCE, REPLAY_PART_S = 10_000, 0.25
"""Lines read at once; and how long one log has its turn, as others may be shorter."""
LEAVE_AFTER_S = 30.0
"""The time that the process waits for another long log. It holds 40 MB."""


class ReplayProcess:
    """Replays long logs, one at a time; the one with the least left goes first. reader: opens them; it is pickled."""

    def __init__(self, reader: OpenReader) -> None:
        self._reader, self._stamp = reader, program_stamp()
        self._worker = WorkerProcess()
        self._lock = FairLock()
        self._leaving: asyncio.TimerHandle | None = None
        self._failed = False

    async def begin(self, table: int, lines: int) -> ReplayedSoFar | None:
        """The state near the end of a table's log, which has ``lines``; None for a short log, or if that failed."""
        if lines < LONG:
            return None
        begun: ReplayedSoFar | None = None
        while (left := lines - 1 - LINES_KEPT - (begun[0].seq if begun else 0)) > 0:
            async with self._lock.turn("", left):
                found = await self._do(replay_further, table, begun, left)
            if found is None:
                break
            begun = found
        return begun

    async def record(self, table: int, lines: int, header: Header, match: Table) -> str | None:
        """The record of a table's match, from the first ``lines`` of its log; None for a short log, or if it failed."""
        if lines < LONG:
            return None
        async with self._lock.turn("", lines):
            return await self._do(record_of, table, lines, header, match)

    async def _do(self, work: Callable[..., T | None], *arguments: object) -> T | None:
        if self._failed:
            return None
        if self._leaving is not None:
            self._leaving.cancel()
        try:
            found = await self._worker.run(work, self._reader, self._stamp, *arguments)
        except (BrokenExecutor, OSError):  # the system allows no such process: the house replays all logs itself
            self._failed = True
            self.close()
            return None
        self._leaving = asyncio.get_running_loop().call_later(LEAVE_AFTER_S, self.close)
        return found

    def close(self) -> None:
        """End the worker process, if one is running."""
        self._worker.close()


def replay_further(
    open_reader: OpenReader, stamp: object, table: int, begun: ReplayedSoFar | None, most: int
) -> ReplayedSoFar | None:
    """Replay a number of further lines of a log, or as many as there is time for.

    None if that fails: the house then meets the error itself. stamp: the house's ``program_stamp``, as another version
    might have been installed since it started.
    """
    if stamp != program_stamp():
        return None
    until = perf_counter() + REPLAY_PART_S
    try:
        with closing(open_reader()) as reader:
            setup = read_setup(reader.part(table, 0, 1)[0])
            room = Room(GAMES[setup.rules["game"]], setup)
            loaded = Loaded(*begun) if begun else Loaded(room.start())
            end = loaded.state.seq + most
            while loaded.state.seq < end and (begun is None or perf_counter() < until):
                lines = reader.part(table, loaded.state.seq + 1, min(REPLAYED_AT_ONCE, end - loaded.state.seq))
                if not lines:
                    return None
                for _ in replay(room, loaded, lines):
                    pass
                begun = loaded.state, loaded.marks
            return begun
    except Exception:  # noqa: BLE001 - whatever it is, the house meets it too, and says so
        return None


def record_of(  # noqa: PLR0917 - a worker takes no keywords
    open_reader: OpenReader, stamp: object, table: int, lines: int, header: Header, match: Table
) -> str | None:
    """The record of a table's match, from the first ``lines`` of its log. None if that fails, as above."""
    if stamp != program_stamp():
        return None
    try:
        with closing(open_reader()) as reader:
            return write_record(header, match, lines_of(partial(reader.part, table), lines))
    except Exception:  # noqa: BLE001 - as above
        return None


def program_stamp() -> tuple[int, int, int]:
    """The stamp of the program's version: the number of files, their bytes, and the latest change (ns)."""
    found = [file.stat() for file in Path(__file__).parents[2].rglob("*.py")]
    return len(found), sum(status.st_size for status in found), max((status.st_mtime_ns for status in found), default=0)
