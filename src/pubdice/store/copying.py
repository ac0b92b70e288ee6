"""A whole house copied from one place to another, in pieces, and compared row by row before it counts.

Source and target each show one moment. What the target is given counts only after its ``commit``: a process that is
killed before leaves nothing that could be served.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path
from typing import cast

from pubdice.core.errors import NotStored
from pubdice.store.house_tables import HOUSE, LOG, SETTINGS, TABLE_ROWS, HouseTable, SqlRow
from pubdice.store.lines import split_lines
from pubdice.store.places import HousePlace

ROWS_AT_ONCE = 500
"""Rows fetched from a server at once: a usual one has 500 bytes, the longest a house writes 100,000."""


class HouseRows(ABC):
    """All rows of a house as they are at one moment."""

    shown: str
    """Where they are, as people may see it."""

    @abstractmethod
    def has(self, table: HouseTable) -> bool:
        """Whether this place has such a SQL table."""

    @abstractmethod
    def rows(self, table: HouseTable, *, where: str = "", order: str = "") -> Iterator[SqlRow]:
        """The rows, in the order of the table's parts; or those that meet a condition, in an order. NotStored."""

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
    """What was copied. left: files of a house, by their names in a bundle, for which the target has no SQL table."""

    tables: int
    left: tuple[str, ...]


@contextmanager
def open_rows(place: HousePlace, *, alone: bool = False) -> Iterator[HouseRows]:
    """A house's rows, read in one transaction. alone: refuse a house that is served. NotStored as ``open_reader``."""
    if isinstance(place, Path):
        from pubdice.store.sqlite_copying import sqlite_rows  # noqa: PLC0415 - it needs what stands here

        with sqlite_rows(place, alone=alone) as rows:
            yield rows
    else:
        from pubdice.store.postgres.copying import postgres_rows  # noqa: PLC0415 - the driver is an extra

        with postgres_rows(place.address, alone=alone) as rows:
            yield rows


@contextmanager
def open_target(place: HousePlace) -> Iterator[HouseTarget]:
    """An empty place for a house. NotStored("place-taken"), ("store-in-use"), and what the places refuse."""
    if isinstance(place, Path):
        from pubdice.store.sqlite_copying import sqlite_target  # noqa: PLC0415 - as above

        with sqlite_target(place) as target:
            yield target
    else:
        from pubdice.store.postgres.copying import postgres_target  # noqa: PLC0415 - as above

        with postgres_target(place.address) as target:
            yield target


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


def logs(rows: HouseRows) -> Iterator[tuple[int, str | None, Iterator[str]]]:
    """Every table's number, its code and the lines of its log, in order of the numbers; read them before the next.

    The lines raise NotStored("log-damaged"), and ("no-table") if there are none.
    """
    found = _grouped(rows.rows(LOG, where="seq IS NOT NULL", order="table_id, seq"))
    waiting = next(found, None)
    for number, code, *_ in cast(Iterator[tuple[int, str | None]], rows.rows(TABLE_ROWS)):
        while waiting is not None and waiting[0] < number:
            waiting = next(found, None)
        if waiting is not None and waiting[0] == number:
            yield number, code, _lines(number, waiting[1])
        else:
            yield number, code, _no_lines(number)


def answers(rows: HouseRows) -> Iterator[tuple[int, Iterator[SqlRow]]]:
    """By table, in order of the numbers: its keys in order, with the hash of the body and the answer."""
    for number, found in _grouped(rows.rows(LOG, where="key IS NOT NULL", order="table_id, key")):
        yield number, ((key, body, answer) for _, _, key, body, _, answer in found)


def secret_of(rows: HouseRows) -> bytes | None:
    """The secret by which copies of one house are known; None if it has none yet."""
    found = [value for name, value in rows.rows(SETTINGS) if name == "secret"]
    return cast(bytes, found[0]) if found else None


def _grouped(rows: Iterator[SqlRow]) -> Iterator[tuple[int, Iterator[SqlRow]]]:
    return cast(Iterator[tuple[int, Iterator[SqlRow]]], groupby(rows, lambda row: row[0]))


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
