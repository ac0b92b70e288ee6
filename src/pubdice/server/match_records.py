"""A table's match as a record, written from its log in a thread, one at a time. The latest records are cached.

If there is a replay process, it writes the records of long logs.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial

from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.match import record
from pubdice.match.header import Header, RawHeader
from pubdice.match.record import Written, with_night
from pubdice.match.sealed_record import with_proof
from pubdice.match.table import Table, moves, read_event
from pubdice.room import RoomState
from pubdice.room.beginning import rules_of
from pubdice.room.seeds import proof_of
from pubdice.server.replay import LINES_AT_ONCE
from pubdice.server.shared_lock import SharedLock

MOST_RECORDS = 4
"""The most records kept. One may be 2 MB."""
MOVES = ("draw", "roll", "play", "back", "unplay")
"""The tags of log lines that are moves of the match, or take a move back."""
WriteRecord = Callable[[int, int, Header, Table], Awaitable[str | None]]
"""A function that writes a table's record from the first lines of its log. It returns None if the house must do so."""


class Records:
    """The records of a house's tables.

    ``read(table, start, most)`` returns lines of a log, and is called from any thread. ``write`` is tried first. If it
    returns None, a thread writes the record.
    """

    def __init__(self, read: Callable[[int, int, int], Sequence[str]], write: WriteRecord) -> None:
        self._read, self._write = read, write
        self._latest: OrderedDict[tuple[int, int], str] = OrderedDict()
        self._one_at_a_time = SharedLock()

    async def of(self, number: int, kit: Kit, state: RoomState) -> str:
        """Return the record of a table's match so far, with the present names. Raises Refused if there is no match."""
        if state.match is None:
            raise Refused("no-record")
        table = state.match.table
        key = number, state.seq
        async with self._one_at_a_time:
            if key not in self._latest:
                header = kit.normalize(RawHeader(rules_of(state)))
                text = await self._write(number, state.seq, header, table)
                if text is None:
                    lines = lines_of(partial(self._read, number), state.seq)
                    text = await asyncio.to_thread(write_record, header, table, lines)
                self._latest[key] = with_night(with_proof(text, proof_of(state)), state.setup.night)
                if len(self._latest) > MOST_RECORDS:
                    self._latest.popitem(last=False)
            return self._latest[key]


def write_record(header: Header, table: Table, lines: Iterator[str]) -> str:
    """Return the record of a match, from a log's lines."""
    return record.write(header, table.match, moves_of(table, lines))


def lines_of(read: Callable[[int, int], Sequence[str]], seq: int) -> Iterator[str]:
    """Yield the first ``seq`` lines of a log after its setup, read in batches. ``read(start, most)`` returns some."""
    next_line = 1
    while next_line <= seq and (lines := read(next_line, min(LINES_AT_ONCE, 1 + seq - next_line))):
        yield from lines
        next_line += len(lines)


def moves_of(table: Table, lines: Iterator[str]) -> list[Written]:
    """Return the moves of the match among a log's lines."""
    events = (line.partition(" ")[2] for line in lines)
    return moves(read_event(table, text) for text in events if text.partition(" ")[0] in MOVES)
