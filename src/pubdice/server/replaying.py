"""Long logs in a process of its own, replayed but for their end, or made a record: the house's time is for its moves.

The process is started for the first long log, and leaves when there has been none for a while. It reads the file, and
gives back a state or a record; the log stays the only truth, and whatever goes wrong here, the house replays it itself.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import pubdice
from pubdice.games import GAMES
from pubdice.notation import Header
from pubdice.party import Party, read_setup
from pubdice.server.aside import Aside
from pubdice.server.loading import Begun, Loaded, replay
from pubdice.server.records import lines_of, written
from pubdice.server.tail import KEPT
from pubdice.server.turns import Turns
from pubdice.store.reader import SqliteReader
from pubdice.table import Table

T = TypeVar("T")

LONG = 2_000
"""Lines from which on a log is long: the house would be at it for 40 ms."""
PART, PART_S = 10_000, 0.25
"""Lines read at once, and how long lines are replayed before a table whose log is shorter may have its turn."""
LEAVE_AFTER_S = 30.0
"""How long the process waits for another long log. It holds 40 MB."""


class Replayer:
    """Reads long logs of one file, one at a time, that of which the least is left first."""

    def __init__(self, file: Path) -> None:
        self._file, self._stamp = file, stamp()
        self._aside = Aside()
        self._turns = Turns()
        self._leaving: asyncio.TimerHandle | None = None
        self._failed = False

    async def begin(self, table: int, lines: int) -> Begun | None:
        """How far a table's log of so many lines is replayed here; None for one that is short."""
        if lines < LONG:
            return None
        begun: Begun | None = None
        while (left := lines - 1 - KEPT - (begun[0].seq if begun else 0)) > 0:
            async with self._turns.turn(left):
                found = await self._do(further, table, begun, left)
            if found is None:
                break
            begun = found
        return begun

    async def record(self, table: int, lines: int, header: Header, match: Table) -> str | None:
        """The record of a table's match, as far as its log has so many lines; None for one that is short."""
        if lines < LONG:
            return None
        async with self._turns.turn(lines):
            return await self._do(recorded, table, lines, (header, match))

    async def _do(self, work: Callable[..., T | None], *given: object) -> T | None:
        if self._failed:
            return None
        if self._leaving is not None:
            self._leaving.cancel()
        try:
            found = await self._aside.run(work, self._file, self._stamp, *given)
        except (BrokenExecutor, OSError):  # the system will have no such process: the house does without
            self._failed = True
            self.close()
            return None
        self._leaving = asyncio.get_running_loop().call_later(LEAVE_AFTER_S, self.close)
        return found

    def close(self) -> None:
        """Let the process go."""
        self._aside.close()


def further(file: Path, stamped: object, table: int, begun: Begun | None, most: int) -> Begun | None:
    """So many lines more of a log, or as many as there is time for.

    None if that cannot be; why, the house is to find out itself. stamped: the program of the house, as a newer
    one might have been installed meanwhile.
    """
    if stamped != stamp():
        return None
    until = perf_counter() + PART_S
    try:
        with closing(SqliteReader(file)) as reader:
            setup = read_setup(reader.part(table, 0, 1)[0])
            party = Party(GAMES[setup.rules["game"]], setup)
            loaded = Loaded(*begun) if begun else Loaded(party.start())
            end = loaded.state.seq + most
            while loaded.state.seq < end and (begun is None or perf_counter() < until):
                lines = reader.part(table, loaded.state.seq + 1, min(PART, end - loaded.state.seq))
                if not lines:
                    return None
                for _ in replay(party, loaded, lines):
                    pass
                begun = loaded.state, loaded.marks
            return begun
    except Exception:  # noqa: BLE001 - whatever it is, the house meets it too, and says so
        return None


def recorded(file: Path, stamped: object, table: int, lines: int, of: tuple[Header, Table]) -> str | None:
    """The record of a table's match. None as ``further``."""
    if stamped != stamp():
        return None
    try:
        with closing(SqliteReader(file)) as reader:
            return written(*of, lines_of(partial(reader.part, table), lines))
    except Exception:  # noqa: BLE001 - as above
        return None


def stamp() -> tuple[int, int, int]:
    """What tells one version of the program from another: how many files, how large, and when written at last."""
    found = [file.stat() for file in Path(pubdice.__file__).parent.rglob("*.py")]
    return len(found), sum(each.st_size for each in found), max((each.st_mtime_ns for each in found), default=0)
