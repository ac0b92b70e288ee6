"""A whole house copied from one place to another, and compared row by row before it counts.

Source and target each show one moment. Nothing in the target counts before its ``commit``: a process that is killed
before leaves nothing that could be served.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, takewhile, zip_longest
from typing import cast

from pubdice.core.errors import NotStored
from pubdice.store.house_store import split_lines
from pubdice_cluster.house_tables import HOUSE, LOG, TABLE_ROWS, HouseTable, SqlRow


class HouseRows(ABC):
    """All rows of a house as they are at one moment."""

    shown: str
    """The place of the tables, fit for people to see."""

    @abstractmethod
    def has(self, table: HouseTable) -> bool:
        """True if this place has such a SQL table."""

    @abstractmethod
    def rows(self, table: HouseTable) -> Iterator[SqlRow]:
        """The rows, in the order of the table's parts. NotStored."""

    @abstractmethod
    def last(self, table: HouseTable) -> int:
        """The last number that the table's counter has given, 0 if it has given none."""


class HouseTarget(HouseRows):
    """An empty place that is being filled. Nothing in it counts until ``commit``."""

    @abstractmethod
    def fill(self, table: HouseTable, rows: Iterable[SqlRow]) -> None:
        """Let a SQL table hold these rows, and nothing else. Raises NotStored."""

    @abstractmethod
    def count_on(self, table: HouseTable, last: int) -> None:
        """Let the table's counter give numbers after this one."""

    @abstractmethod
    def commit(self) -> None:
        """Let everything count at once. Raises NotStored."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The counts of a copy. left: files of a house, by name in a bundle, for which the target has no SQL table."""

    tables: int
    left: tuple[str, ...]


def copy_rows(source: HouseRows, target: HouseTarget) -> Copied:
    """Fill a target, and compare every row with the source's. Nothing counts yet. NotStored("copy-differs")."""
    both = [table for table in HOUSE if source.has(table) and target.has(table)]
    for table in both:
        target.fill(table, source.rows(table))
        if table.counter:
            target.count_on(table, source.last(table))
    for table in both:
        for one, other in zip_longest(source.rows(table), target.rows(table)):
            if one != other:
                raise NotStored("copy-differs", name=table.name, file=target.shown)
    lacking = [table for table in HOUSE if source.has(table) and not target.has(table)]
    left = {table.file: None for table in lacking if any(True for _ in source.rows(table))}
    return Copied(sum(1 for _ in target.rows(TABLE_ROWS)), tuple(left))


def logs(rows: HouseRows) -> Iterator[tuple[int, Iterator[str]]]:
    """Every table's number and the lines of its log, in order of the numbers; read them before the next.

    The lines raise NotStored("log-damaged"), and ("no-table") if there are none.
    """
    appends = takewhile(lambda row: row[1] is not None, rows.rows(LOG))  # before those that only have an answer
    found = cast(Iterator[tuple[int, Iterator[SqlRow]]], groupby(appends, lambda row: row[0]))
    waiting = next(found, None)
    for number, *_ in cast(Iterator[tuple[int]], rows.rows(TABLE_ROWS)):
        while waiting is not None and waiting[0] < number:
            waiting = next(found, None)
        if waiting is not None and waiting[0] == number:
            yield number, _lines(number, waiting[1])
        else:
            yield number, _no_lines(number)


def _lines(number: int, appends: Iterator[SqlRow]) -> Iterator[str]:
    end = 0
    for _, seq, _, _, text, _ in appends:
        try:
            lines = split_lines(text.decode()) if isinstance(text, bytes) else []
        except UnicodeDecodeError:
            lines = []
        if not lines or seq != end + len(lines):
            raise NotStored("log-damaged", table=number, line=1 + end)
        yield from lines
        end += len(lines)


def _no_lines(number: int) -> Iterator[str]:
    yield from ()
    raise NotStored("no-table", table=number)
