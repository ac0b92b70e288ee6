"""Compare a house with another copy of it, to find lost events and answers, as after a failover to a late replica.

Both copies are read table by table, and can be in use meanwhile. Each table is read first in the old copy, then in the
new one. Lines that are stored in between can only be in the new copy, so they do not count as lost.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from pubdice.core.dice import whole_number
from pubdice.core.errors import NotStored
from pubdice.store.house_store import HouseReads

LINES_AT_ONCE = 500
MOST_TIME_DIGITS = 14


@dataclass(frozen=True, slots=True)
class LostEvents:
    """The lost events and answers of one table."""

    table: int
    code: str | None
    # "missing": the whole table; "shorter": the last lines; "different": from ``line`` on; "answers": only answers
    kind: str
    line: int = 0  # the first lost line, from 0
    events: int = 0  # the number of lost lines
    since: int | None = None  # the first time in those lines, in ms since 1970
    until: int | None = None  # the last time in those lines
    answers: int = 0  # the number of answers missing or different


def lost_events(old: HouseReads, new: HouseReads) -> Iterator[LostEvents]:
    """Yield the tables of ``old`` that are not complete in ``new``, by number. Raise NotStored.

    If a number has another code in ``new``, the table counts as missing. A damaged log counts up to the damage.
    """
    tables, codes = old.tables(), _codes(old)
    theirs, their_codes = set(new.tables()), _codes(new)
    for table in tables:
        code = codes.get(table)
        there = table in theirs and their_codes.get(table) == code
        mine = old.answers(table)
        lost = len(set(mine) - set(new.answers(table) if there else ()))
        kind, line, events, times = _lines_lost(_lines(old, table), _lines(new, table) if there else iter(()))
        if events or lost or not there:
            since, until = (times[0], times[-1]) if times else (None, None)
            yield LostEvents(table, code, kind if there else "missing", line, events, since, until, lost)


def _codes(reads: HouseReads) -> dict[int, str]:
    return {table: code for code, table in reads.codes().items()}


def _lines(reads: HouseReads, table: int) -> Iterator[str]:
    """Yield the lines of a log up to its end, or up to damage. Raise NotStored if the store is unreachable."""
    start, most = 0, LINES_AT_ONCE
    while True:
        try:
            lines = reads.part(table, start, most)
        except NotStored as error:
            if error.code not in ("log-damaged", "no-table"):
                raise
            if most == 1 or error.code == "no-table":
                return
            most = 1  # read line by line up to the damage
        else:
            yield from lines
            start += len(lines)
            if len(lines) < most:
                return


def _lines_lost(old: Iterator[str], new: Iterator[str]) -> tuple[str, int, int, list[int]]:
    """Return the kind of loss, the number of the first lost line, the count of lost lines, and their times."""
    for at, (one, other) in enumerate(zip_longest(old, new)):
        if one is None:
            break
        if one != other:
            lost = [one, *old]
            found = [whole_number(line.partition(" ")[0], MOST_TIME_DIGITS) for line in lost]
            times = [time for time in found if time is not None]
            return "shorter" if other is None else "different", at, len(lost), times
    return "answers", 0, 0, []
