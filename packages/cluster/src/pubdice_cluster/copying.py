"""Copies a whole house from one place to another, and compares each row before the copy counts.

The source and the target each show one moment. Nothing in the target counts before ``commit``. If the process is killed
earlier, the target holds nothing that a house could serve.
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
    """All SQL rows of a house, as they are at one moment."""

    shown: str
    """The place for people to read, without a password."""

    @abstractmethod
    def has(self, table: HouseTable) -> bool:
        """Return True if this place has this SQL table."""

    @abstractmethod
    def rows(self, table: HouseTable) -> Iterator[SqlRow]:
        """Return the rows of a SQL table, in the order of ``HouseTable.parts``. Raises NotStored."""

    @abstractmethod
    def last(self, table: HouseTable) -> int:
        """Return the last number that the table's counter column has given, or 0 if it has given none."""


class HouseTarget(HouseRows):
    """An empty place while a copy fills it. Nothing in it counts before ``commit``."""

    @abstractmethod
    def fill(self, table: HouseTable, rows: Iterable[SqlRow]) -> None:
        """Replace the contents of a SQL table by these rows. Raises NotStored."""

    @abstractmethod
    def count_on(self, table: HouseTable, last: int) -> None:
        """Set the table's counter column, so its next number follows ``last``."""

    @abstractmethod
    def commit(self) -> None:
        """Make the whole copy count at once. Raises NotStored."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The result of a copy. ``tables`` is the number of game tables. ``left`` names the files with rows that the target
    has no SQL table for.
    """

    tables: int
    left: tuple[str, ...]


def copy_rows(source: HouseRows, target: HouseTarget) -> Copied:
    """Fill the target, and compare each row with the source. The target is not yet committed. Raises
    NotStored("copy-differs").
    """
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
    """Yield the number of each game table and the lines of its log, in the order of the numbers. Read one table's lines
    before you ask for the next table. Reading the lines raises NotStored("log-damaged"), or NotStored("no-table") if
    the log has no lines.
    """
    # rows with no lines (``seq`` is NULL, only an answer kept) sort last
    appends = takewhile(lambda row: row[1] is not None, rows.rows(LOG))
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
