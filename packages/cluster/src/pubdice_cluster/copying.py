"""Places of a house; and a whole house copied from one place to another, and compared row by row before it counts.

Source and target each show one moment. Nothing in the target counts before its ``commit``: a process that is killed
before leaves nothing that could be served.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Generic, TypeVar, cast

from pubdice.core.dice import whole_number
from pubdice.core.errors import NotStored
from pubdice.store.bundle import BOOK, KEY, OPENED, TABLES
from pubdice.store.house_store import HouseReads
from pubdice.store.sqlite.store import SqliteReader
from pubdice.store.writer import split_lines

# Where a house is kept, as people type it: the path of a SQLite file, or the address of a PostgreSQL database.
#
# PostgreSQL's driver is an extra, so it is imported only once somebody names such an address.


SCHEMES = ("postgresql://", "postgres://")


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """A database of PostgreSQL. address: with the password, for the driver; shown: without it, for people."""

    address: str = field(repr=False)
    shown: str

    def __str__(self) -> str:
        return self.shown


HousePlace = Path | DatabaseAddress


def read_place(word: str) -> HousePlace:
    """A path, or an address, which begins with postgresql://. NotStored("no-driver"), ("bad-address").

    Only a word that names another kind of server is no path: nobody has a folder called ``mysql:``.
    """
    if word.lower().startswith(SCHEMES):
        try:
            from pubdice_cluster.schema import check_address  # noqa: PLC0415 - the driver is an extra
        except ImportError:
            raise NotStored("no-driver") from None
        return DatabaseAddress(word, check_address(word))
    if "://" in word:
        raise NotStored("bad-address")
    return Path(word)


def open_reader(place: HousePlace) -> HouseReads:
    """Reads what is committed in a place. NotStored as ``SqliteReader``, or as ``reach``; ("no-house")."""
    if isinstance(place, Path):
        return SqliteReader(place)
    from pubdice_cluster.schema import reach  # noqa: PLC0415 - as above
    from pubdice_cluster.store import PostgresReader  # noqa: PLC0415 - as above

    if not reach(place.address):
        raise NotStored("no-house", file=place.shown)
    return PostgresReader(place.address)


# What a house consists of: the SQL tables that a copy takes along, between SQLite and PostgreSQL.
#
# A SQL table that is added to the schema of both is one more entry in HOUSE.


SqlRow = tuple[object, ...]


class ColumnKind(Enum):
    """The kind of a column's values. UTF8: a text in SQLite, and its bytes in PostgreSQL, whose texts cannot hold
    U+0000.
    """

    NUMBER = auto()
    COUNT = auto()
    REAL = auto()
    FLAG = auto()
    TEXT = auto()
    UTF8 = auto()
    BYTES = auto()


NUMBER, COUNT, REAL, FLAG, TEXT, UTF8, BYTES = ColumnKind
"""COUNT is PostgreSQL's int, NUMBER its bigint."""


@dataclass(frozen=True, slots=True)
class HouseTable:
    """A SQL table of a house. name: PostgreSQL's; columns: the same in both.

    parts: conditions, and the order of the rows that meet them; together all rows, in an order without ties. file:
    which file of a house holds it, by its name in a bundle. counter: the column that numbers itself. latest: the column
    of which only the largest value counts, for rows that are otherwise the same.
    """

    name: str
    columns: Sequence[tuple[str, ColumnKind]]
    parts: Sequence[tuple[str, str]]
    file: str = TABLES
    counter: str = ""
    latest: str = ""

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [name for name, _ in self.columns]

    @property
    def kinds(self) -> list[ColumnKind]:
        """The kinds of the columns."""
        return [kind for _, kind in self.columns]


TABLE_ROWS = HouseTable(
    "tables",
    (
        ("id", NUMBER),
        ("code", TEXT),
        ("stage", TEXT),
        ("listed", FLAG),
        ("updated", NUMBER),
        ("game", TEXT),
        ("names", TEXT),
    ),
    (("", "id"),),
    counter="id",
)
LOG = HouseTable(
    "log",
    (("table_id", NUMBER), ("seq", COUNT), ("key", UTF8), ("body", BYTES), ("lines", UTF8), ("answer", BYTES)),
    (("seq IS NOT NULL", "table_id, seq"), ("seq IS NULL", "table_id, key")),
)
SETTINGS = HouseTable("house", (("name", TEXT), ("value", BYTES)), (("", "name"),))
ENTRY = (
    ("player", NUMBER), ("code", TEXT), ("at", NUMBER), ("seat", COUNT), ("game", TEXT), ("form", TEXT),
    ("seats", COUNT), ("won", REAL), ("state", TEXT), ("tries", COUNT), ("utility", TEXT), ("worth", TEXT),
)  # fmt: skip
SUM = (("player", NUMBER), ("game", TEXT), ("utility", TEXT), ("games", NUMBER), ("won", REAL), ("worth", TEXT))
HOUSE = (
    TABLE_ROWS,
    LOG,
    HouseTable("sitting", (("person", TEXT), ("table_id", NUMBER)), (("", "person, table_id"),)),
    HouseTable("orders", (("key", TEXT), ("table_id", NUMBER), ("body", BYTES)), (("", "key"),)),
    SETTINGS,
    HouseTable("book", (("name", TEXT), ("value", BYTES)), (("name = 'salt'", "name"),), BOOK),
    HouseTable(
        "players",
        (("id", NUMBER), ("words", BYTES), ("joined", NUMBER)),
        (("", "id"),),
        BOOK,
        counter="id",
    ),
    HouseTable("links", (("person", TEXT), ("player", NUMBER), ("since", NUMBER)), (("", "person"),), BOOK),
    HouseTable("entries", ENTRY, (("", "player, code"),), BOOK),
    HouseTable("sums", SUM, (("", "player, game, utility"),), BOOK),
    HouseTable("secrets", (("name", TEXT), ("value", BYTES)), (("", "name"),), KEY),
    HouseTable("opened_seals", (("chain", TEXT), ("number", COUNT)), (("", "chain"),), OPENED, latest="number"),
)
"""All of them, in the order in which they are copied. Those of a file that is a text have a row for each line."""


ROWS_AT_ONCE = 500
"""Rows fetched from a server at once: a usual one has 500 bytes, the longest a house writes 100,000."""


class HouseRows(ABC):
    """All rows of a house as they are at one moment."""

    shown: str
    """The place of the tables, fit for people to see."""

    @abstractmethod
    def has(self, table: HouseTable) -> bool:
        """True if this place has such a SQL table."""

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
    """The counts of a copy. left: files of a house, by name in a bundle, for which the target has no SQL table."""

    tables: int
    left: tuple[str, ...]


@contextmanager
def open_rows(place: HousePlace, *, alone: bool = False) -> Iterator[HouseRows]:
    """A house's rows, read in one transaction. alone: refuse a house that is served. NotStored as ``open_reader``."""
    if isinstance(place, Path):
        from pubdice_cluster.sqlite_copy import sqlite_rows  # noqa: PLC0415 - it needs what stands here

        with sqlite_rows(place, alone=alone) as rows:
            yield rows
    else:
        from pubdice_cluster.postgres_copy import postgres_rows  # noqa: PLC0415 - the driver is an extra

        with postgres_rows(place.address, alone=alone) as rows:
            yield rows


@contextmanager
def open_target(place: HousePlace) -> Iterator[HouseTarget]:
    """An empty place for a house. NotStored("place-taken"), ("store-in-use"), and what the places refuse."""
    if isinstance(place, Path):
        from pubdice_cluster.sqlite_copy import sqlite_target  # noqa: PLC0415 - as above

        with sqlite_target(place) as target:
            yield target
    else:
        from pubdice_cluster.postgres_copy import postgres_target  # noqa: PLC0415 - as above

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


# What a house has lost compared with another copy of it, for example by a failover to a replica that was behind.


MOST_TIME_DIGITS = 14
Each = TypeVar("Each", bound=tuple[object, ...])


@dataclass(frozen=True, slots=True)
class LostEvents:
    """The events that the log of a table lacks. events: the number of lines; from line ``line`` on, the first being 0.

    kind: "missing" (the whole table), "shorter", "different" (that line is another one), or "answers" (nothing but
    stored answers). since, until: the first and last time in those lines, in ms since 1970. answers: the number that
    are missing or differ.
    """

    table: int
    code: str | None
    kind: str
    line: int = 0
    events: int = 0
    since: int | None = None
    until: int | None = None
    answers: int = 0


def lost_events(old: HouseRows, new: HouseRows) -> Iterator[LostEvents]:
    """The tables of ``old`` of which ``new`` lacks something, in order of their numbers. NotStored("other-house").

    A number that belongs to a table of another code counts as a missing table. A log that is damaged ends there.
    """
    known, found = secret_of(old), secret_of(new)
    if known is not None and found is not None and known != found:
        raise NotStored("other-house", file=new.shown, other=old.shown)
    their_logs, our_answers, their_answers = _Following(logs(new)), _Following(answers(old)), _Following(answers(new))
    for number, code, lines in logs(old):
        theirs = their_logs.at(number)
        there = theirs is not None and theirs[1] == code
        mine, other = our_answers.at(number), their_answers.at(number)
        lost = _answers_lost(mine[1] if mine else iter(()), other[1] if other and there else iter(()))
        kind, line, events, times = _lines_lost(lines, theirs[2] if theirs and there else iter(()))
        if events or lost or not there:
            kind = "missing" if not there else kind
            since, until = (times[0], times[-1]) if times else (None, None)
            yield LostEvents(number, code, kind, line, events, since, until, lost)


class _Following(Generic[Each]):
    """Goes on in a sorted iterator to the item that begins with a number, if there is one."""

    def __init__(self, items: Iterator[Each]) -> None:
        self._items, self._next = items, next(items, None)

    def at(self, number: int) -> Each | None:
        """The item of this number, or of none; numbers asked for only grow."""
        while self._next is not None and int(str(self._next[0])) < number:
            self._next = next(self._items, None)
        return self._next if self._next is not None and self._next[0] == number else None


def _lines_lost(old: Iterator[str], new: Iterator[str]) -> tuple[str, int, int, list[int]]:
    """The kind of loss, the first line's number, how many lines, and the first and last time in them."""
    mine, theirs = _readable(old), _readable(new)
    for at, (one, other) in enumerate(zip_longest(mine, theirs)):
        if one is None:
            break
        if one != other:
            events, times = 0, list[int]()
            for line in _and_then(one, mine):
                events += 1
                time = whole_number(line.partition(" ")[0], MOST_TIME_DIGITS)
                times = times if time is None else [*times[:1], time]
            return "shorter" if other is None else "different", at, events, times
    return "answers", 0, 0, []


def _answers_lost(old: Iterator[SqlRow], new: Iterator[SqlRow]) -> int:
    """The number of answers that are missing or differ; both are in order of their keys."""
    lost, other = 0, next(new, None)
    for one in old:
        while other is not None and bytes(other[0]) < bytes(one[0]):  # type: ignore[call-overload]
            other = next(new, None)
        lost += one != other
    return lost


def _readable(lines: Iterator[str]) -> Iterator[str]:
    try:
        yield from lines
    except NotStored:
        return


def _and_then(first: str, others: Iterator[str]) -> Iterator[str]:
    yield first
    yield from others
