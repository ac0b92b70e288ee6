"""A process beside the house that replays long logs and writes their records, so moves need not wait.

It starts with the first long log, and ends after ``LEAVE_AFTER_S`` without a long log. It reads the log and returns a
state or a record. The log stays the only truth. If the process fails, the house replays the log itself.
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
"""A log of at least this many lines is long. The house would take 40 ms to replay this many."""
REPLAYED_AT_ONCE, REPLAY_PART_S = 10_000, 0.25
"""The most lines read at once, and the time of one log's turn. After its turn a shorter log may go first."""
LEAVE_AFTER_S = 30.0
"""The idle time after which the process ends. It holds 40 MB."""


class ReplayProcess:
    """Replays long logs, one at a time. The log with the fewest lines left goes first. ``reader`` opens the logs in the
    process, so it must be picklable.
    """

    def __init__(self, reader: OpenReader) -> None:
        self._reader, self._stamp = reader, program_stamp()
        self._worker = WorkerProcess()
        self._lock = FairLock()
        self._leaving: asyncio.TimerHandle | None = None
        self._failed = False

    async def begin(self, table: int, lines: int) -> ReplayedSoFar | None:
        """Return the state near the end of a table's log, which has ``lines`` lines.

        Returns None if the log is short or the replay failed.
        """
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
        """Return the record of a table's match, from the first ``lines`` of its log.

        Returns None if the log is short or the process failed.
        """
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
    """Replay up to ``most`` further lines of a log, for ``REPLAY_PART_S`` at a time.

    ``stamp`` is the house's ``program_stamp``. Returns None if it differs: a new version was installed since the house
    started. Also returns None if the replay fails. The house then replays the log itself, and meets the error.
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
    """Return the record of a table's match, from the first ``lines`` of its log. None as in ``replay_further``."""
    if stamp != program_stamp():
        return None
    try:
        with closing(open_reader()) as reader:
            return write_record(header, match, lines_of(partial(reader.part, table), lines))
    except Exception:  # noqa: BLE001 - as above
        return None


def program_stamp() -> tuple[int, int, int]:
    """Return the stamp of the program's version: the number of its files, their bytes, and the latest change in ns."""
    found = [file.stat() for file in Path(__file__).parents[2].rglob("*.py")]
    return len(found), sum(status.st_size for status in found), max((status.st_mtime_ns for status in found), default=0)
