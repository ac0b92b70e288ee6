"""A table's match as a record: its log read and written out beside the loop, one at a time, the latest ones kept.

Those of long logs are written in another process, where there is one.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

from pubdice import record
from pubdice.kit import Kit
from pubdice.notation import Header
from pubdice.party import PartyState
from pubdice.party.apply import rules_of
from pubdice.record import Move
from pubdice.server.loading import PART
from pubdice.table import Refused, Table, moves, read_event

KEPT = 4
"""Records kept: one may be 2 MB."""
MOVES = ("draw", "roll", "play", "back")
"""What lines of a log begin with, after their time, that are moves of the match or take one back."""


class Beside(Protocol):
    """Who writes records of long logs."""

    async def __call__(self, table: int, lines: int, header: Header, match: Table, /) -> str | None:
        """A table's record, as far as its log has so many lines; None if not there."""


class Records:
    """The records of a house's tables.

    read: so many lines of a table from a number on, from any thread. beside: asked first.
    """

    def __init__(self, read: Callable[[int, int, int], Sequence[str]], beside: Beside) -> None:
        self._read, self._beside = read, beside
        self._latest: OrderedDict[tuple[int, int], str] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    async def of(self, number: int, kit: Kit, state: PartyState) -> str:
        """The moves of a table's log so far, under the names of now. Raises Refused before the match has begun."""
        if state.table is None:
            raise Refused("no-record")
        key = number, state.seq
        async with self._one_at_a_time:
            if key not in self._latest:
                header = kit.settle(Header(rules_of(state)))
                text = await self._beside(number, state.seq, header, state.table)
                if text is None:
                    lines = lines_of(partial(self._read, number), state.seq)
                    text = await asyncio.to_thread(written, header, state.table, lines)
                self._latest[key] = text
                if len(self._latest) > KEPT:
                    self._latest.popitem(last=False)
            return self._latest[key]


def written(header: Header, table: Table, lines: Iterator[str]) -> str:
    """The record of a match, out of a log's lines."""
    return record.write(header, table.match, moves_of(table, lines))


def lines_of(read: Callable[[int, int], Sequence[str]], seq: int) -> Iterator[str]:
    """The lines of a log up to a number, a part at a time. read: so many from a number on."""
    at = 1
    while at <= seq and (lines := read(at, min(PART, 1 + seq - at))):
        yield from lines
        at += len(lines)


def moves_of(table: Table, lines: Iterator[str]) -> list[Move]:
    """The moves of the match among a log's lines."""
    told = (line.partition(" ")[2] for line in lines)
    return moves(read_event(table, text) for text in told if text.partition(" ")[0] in MOVES)
