"""Long logs replayed in a process of its own, all but their end: the house's own time is for its moves.

The process is started for the first long log, and leaves when there has been none for a while. It reads the file, and
gives back a state; the log stays the only truth, and whatever goes wrong here, the house replays it itself.
"""

import asyncio
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import pubdice
from pubdice.games import GAMES
from pubdice.party import Party, read_setup
from pubdice.server.bench import sit_down
from pubdice.server.loading import Begun, Loaded, replay
from pubdice.server.tail import KEPT
from pubdice.server.turns import Turns
from pubdice.store.reader import SqliteReader

LONG = 2_000
"""Lines from which on a log is long: the house would be at it for 40 ms."""
PART = 10_000
"""Lines replayed before a table whose log is shorter may have its turn: a quarter of a second."""
LEAVE_AFTER_S = 30.0
"""How long the process waits for another long log. It holds 40 MB."""


class Replayer:
    """Replays long logs of one file, one at a time, that of which the least is left first."""

    def __init__(self, file: Path) -> None:
        self._file, self._stamp = file, stamp()
        self._pool: ProcessPoolExecutor | None = None
        self._turns = Turns()
        self._leaving: asyncio.TimerHandle | None = None
        self._failed = False

    async def begin(self, table: int, lines: int) -> Begun | None:
        """How far a table's log of so many lines is replayed here; None for one that is short."""
        if lines < LONG or self._failed:
            return None
        begun: Begun | None = None
        while (left := lines - 1 - KEPT - (begun[0].seq if begun else 0)) > 0:
            async with self._turns.turn(left):
                found = await self._further(table, begun, min(left, PART))
            if found is None:
                break
            begun = found
        return begun

    async def _further(self, table: int, begun: Begun | None, most: int) -> Begun | None:
        if self._failed:
            return None
        loop = asyncio.get_running_loop()
        if self._leaving is not None:
            self._leaving.cancel()
        try:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, get_context("spawn"), sit_down)
            found = await loop.run_in_executor(self._pool, further, self._file, self._stamp, table, begun, most)
        except (BrokenExecutor, OSError):  # the system will have no such process: the house does without
            self._failed = True
            self.close()
            return None
        self._leaving = loop.call_later(LEAVE_AFTER_S, self.close)
        return found

    def close(self) -> None:
        """Let the process go, once it has done what it is at."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def further(file: Path, stamped: object, table: int, begun: Begun | None, most: int) -> Begun | None:
    """So many lines more of a log; None if that cannot be, which the house is to find out itself.

    stamped: the program of the house, as a newer one might have been installed beside it meanwhile.
    """
    if stamped != stamp():
        return None
    try:
        with closing(SqliteReader(file)) as reader:
            setup = read_setup(reader.part(table, 0, 1)[0])
            party = Party(GAMES[setup.rules["game"]], setup)
            loaded = Loaded(*begun) if begun else Loaded(party.start())
            for _ in replay(party, loaded, reader.part(table, loaded.state.seq + 1, most)):
                pass
            return loaded.state, loaded.marks
    except Exception:  # noqa: BLE001 - whatever it is, the house meets it too, and says so
        return None


def stamp() -> tuple[int, int, int]:
    """What tells one version of the program from another: how many files, how large, and when written at last."""
    found = [file.stat() for file in Path(pubdice.__file__).parent.rglob("*.py")]
    return len(found), sum(each.st_size for each in found), max((each.st_mtime_ns for each in found), default=0)
