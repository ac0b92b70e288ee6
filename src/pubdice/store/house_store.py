"""A house's store in any SQL database: reads, appends in groups, answers under idempotency keys, lists, settings.

It has no clock. Callers pass every time.
"""

import json
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pubdice.core.errors import NotStored
from pubdice.store.writer import (
    OPENED,
    OPENER,
    SUMMARY_COLUMNS,
    Entry,
    Job,
    LoopCall,
    OnOutcome,
    OpenTransaction,
    Repeated,
    Stored,
    TableSummary,
    Writer,
    WriteTask,
    check_text,
    is_same,
    row_of,
)

ORDERED = "SELECT code, body FROM orders JOIN tables ON id = table_id WHERE key = ?"
"""The query for the code of the table that was opened under a key, and for the hash of the request that opened it."""
_OPENED = "FROM orders JOIN tables ON id = orders.table_id"
_UNDER = """WHERE key >= ? AND key < ? AND code IS NOT NULL
AND (stage != 'gathering' OR updated >= ?) AND (stage != 'playing' OR updated >= ?)"""
ALL = 1 << 62
"""A number of lines larger than any log has."""
MOST_BYTES = 4_000_000
"""The most bytes that are read of one append. The longest line of a house, a setup with its tally, has 100,000."""


_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LogQueries:
    """The SQL queries of a log. Their values are named :table, and :start and :end, or :key."""

    # all appends that hold lines from :start to :end, in order, as (the log's length after it, text). An append of
    # more than :most bytes has no text, so it never reaches memory.
    part: str
    length: str  # the number of lines of the log
    answer: str  # the answer stored under a key, and the hash of its request
    answers: str  # every key of the table in order, as UTF-8, with the hash and the answer


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list. ``game`` and ``names`` are empty if version 1 of the house wrote the table's row last."""

    table: int
    code: str
    stage: str
    updated: int  # ms since 1970
    game: str = ""
    names: tuple[str, ...] = ()


def ordered(rows: Sequence[tuple[Any, ...]], body: bytes) -> str | None:
    """Return the table's code in ``rows``, the rows of the query ``ORDERED``. None if there are no rows.

    Raise NotStored("key-used") if the key was used with another request.
    """
    if rows and not is_same(bytes(rows[0][1]), body):
        raise NotStored("key-used")
    return str(rows[0][0]) if rows else None


def _under(prefix: str, since: int, played: int) -> tuple[object, ...]:
    return prefix, prefix + chr(0x10FFFF), since, played


def join_lines(lines: Sequence[str]) -> str:
    r"""Return the lines of an append, at least one, as one text that is readable in the ``sqlite3`` program.

    A line break or backslash inside a line is escaped, so any text comes back unchanged. No house writes such lines.

    >>> join_lines(["mark 0 2", "roll 136"])
    'mark 0 2\nroll 136'
    """
    text = "\n".join(lines)
    if "\\" not in text and text.count("\n") == len(lines) - 1:
        return text
    return "\n".join([line.replace("\\", "\\\\").replace("\n", "\\n") for line in lines])


def split_lines(text: str) -> list[str]:
    r"""Return the lines of a text made by ``join_lines``.

    >>> split_lines(join_lines(["", "two\nhalves", "\\n"]))
    ['', 'two\nhalves', '\\n']
    """
    lines = text.split("\n")
    if "\\" not in text:
        return lines
    return [_ESCAPE.sub(lambda found: "\n" if found[1] == "n" else found[1], line) for line in lines]


def _split(text: object) -> list[str]:
    """Return the lines of an append from its text or UTF-8. Return [] if it is damaged."""
    try:
        text = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError:
        return []
    return split_lines(text) if isinstance(text, str) else []


def joined(appends: Sequence[tuple[Any, ...]], table: int, start: int, most: int) -> list[str]:
    """Return at most ``most`` lines from the line ``start`` on. ``appends`` has the appends that hold them.

    Each append is (the log's length after it, text). Raise NotStored("no-table") if the log has no first line, and
    NotStored("log-damaged") if lines are missing.
    """
    if not appends and not start:
        raise NotStored("no-table", table=table)
    lines: list[str] = []
    first, end = start, None  # the start of the first append, and the end of the latest one
    for seq, text in appends:
        appended = _split(text)
        first = seq - len(appended) if end is None else first
        if not appended or (first > start if end is None else seq - len(appended) != end):
            raise NotStored("log-damaged", table=table, line=1 + (start if end is None else end))
        lines += appended
        end = seq
    return lines[start - first : start - first + most]


class HouseReads(ABC):
    """The reads of committed data. Each of them is short. SQLite and PostgreSQL both understand the SQL here."""

    _log: LogQueries

    def read(self, table: int) -> list[str]:
        """Return all lines of a table's log, oldest first.

        Raise NotStored("no-table"), NotStored("log-damaged") or NotStored("store-unreadable").
        """
        return self.part(table, 0, ALL)

    def part(self, table: int, start: int, most: int) -> list[str]:
        """Return at most ``most`` lines from the line ``start`` on. There are fewer only at the end of the log.

        Raise NotStored as ``read`` does.
        """
        values = {"table": table, "start": start, "end": start + most, "most": MOST_BYTES}
        return joined(self._rows(self._log.part, values, table=table), table, start, most)

    def length(self, table: int) -> int:
        """Return the number of lines of a table's log."""
        return int(self._rows(self._log.length, {"table": table}, table=table)[0][0] or 0)

    def answer(self, table: int, key: str, body: bytes = b"") -> bytes | None:
        """Return the answer stored under an idempotency key, or None.

        Raise NotStored("key-used") if the key was used with another request.
        """
        rows = self._rows(self._log.answer, {"table": table, "key": key}, table=table)
        if rows and not is_same(bytes(rows[0][1]), body):
            raise NotStored("key-used", table=table)
        return bytes(rows[0][0]) if rows else None

    def answers(self, table: int) -> Sequence[tuple[Any, ...]]:
        """Return all answers of a table in order of their keys, as (key in UTF-8, hash of the request, answer)."""
        return self._rows(self._log.answers, {"table": table}, table=table)

    def opener(self, table: int) -> bytes:
        """Return the mark that identifies the table's opener, stored when it opened. Return b"" for older tables."""
        rows = self._rows(self._log.answer, {"table": table, "key": OPENER}, table=table)
        return bytes(rows[0][1]) if rows else b""

    def tables(self) -> list[int]:
        """Return the numbers of all tables, oldest first."""
        return [table for (table,) in self._rows("SELECT id FROM tables ORDER BY id")]

    def find(self, code: str) -> int | None:
        """Return the number of the table with this code. None if there is none."""
        rows = self._rows("SELECT id FROM tables WHERE code = ?", (code,))
        return int(rows[0][0]) if rows else None

    def codes(self) -> dict[str, int]:
        """Return the number of the table for each code."""
        return dict(self._rows("SELECT code, id FROM tables WHERE code IS NOT NULL ORDER BY id"))

    def lobby(self, limit: int) -> list[Listed]:
        """Return tables that are listed and not over, latest update first."""
        live = "stage IN ('gathering', 'playing')"
        return self._listed(f"FROM tables WHERE listed AND {live} AND code IS NOT NULL", limit)

    def tables_of(self, person: str, limit: int) -> list[Listed]:
        """Return tables at which this person has sat, latest update first."""
        return self._listed(
            "FROM sitting JOIN tables ON id = table_id WHERE person = ? AND code IS NOT NULL", limit, person
        )

    def opened_under(
        self,
        prefix: str,
        limit: int,
        person: str | None = None,
        *,
        since: int = 0,
        played: int = 0,
    ) -> list[Listed]:
        """Return tables opened under idempotency keys with this prefix, latest update first.

        With ``person``, return only tables at which this person has sat. A table where people gather must be updated at
        ``since`` (ms since 1970) or later, and a table under way at ``played`` or later.
        """
        sat = "" if person is None else "JOIN sitting ON sitting.table_id = id AND person = ?"
        values = () if person is None else (person,)
        return self._listed(f"{_OPENED} {sat} {_UNDER}", limit, *values, *_under(prefix, since, played))

    def bodies_under(self, prefix: str, *, since: int = 0, played: int = 0) -> Counter[bytes]:
        """Return the number of tables opened by each request, by the hash of the request.

        It counts the tables that ``opened_under`` finds.
        """
        query = f"SELECT body, COUNT(*) {_OPENED} {_UNDER} GROUP BY body"
        return Counter({bytes(body): int(count) for body, count in self._rows(query, _under(prefix, since, played))})

    def sat(self, person: str, code: str) -> bool:
        """Return True if a person has ever sat at the table with this code."""
        query = "SELECT 1 FROM tables JOIN sitting ON table_id = id WHERE code = ? AND person = ?"
        return bool(self._rows(query, (code, person)))

    def short_codes(self, since: int, over_since: int, most: int) -> int:
        """Return the number of codes of six letters in use, but at most ``most``.

        A code is in use if its table was updated at ``since`` (ms since 1970) or later. If the match is over, the time
        is ``over_since``.
        """
        query = "SELECT 1 FROM tables WHERE length(code) = 6 AND updated >= ? AND (stage != 'over' OR updated >= ?)"
        return len(self._rows(f"{query} LIMIT ?", (since, over_since, most)))

    def ordered(self, key: str, body: bytes = b"") -> str | None:
        """Return the code of the table that was opened under this key, or None.

        Raise NotStored("key-used") if the key was used with another request.
        """
        return ordered(self._rows(ORDERED, (key,)), body)

    def setting(self, name: str) -> bytes | None:
        """Return the house's setting with this name. None if there is none."""
        rows = self._rows("SELECT value FROM house WHERE name = ?", (name,))
        return bytes(rows[0][0]) if rows else None

    def _listed(self, source: str, limit: int, *values: object) -> list[Listed]:
        query = f"SELECT id, code, stage, updated, game, names {source} ORDER BY updated DESC, id DESC LIMIT ?"
        return [
            Listed(table, code, stage, updated, game, tuple(json.loads(names)))
            for table, code, stage, updated, game, names in self._rows(query, (*values, limit))
        ]

    @abstractmethod
    def close(self) -> None:
        """Release the store's files or connections to a database."""

    @abstractmethod
    def _rows(
        self, query: str, values: Sequence[object] | Mapping[str, object] = (), *, table: int | None = None
    ) -> Sequence[tuple[Any, ...]]:
        """Return the rows of a query with these values, each for a question mark or a name in it.

        ``table`` is the table whose log is read, if any. Raise NotStored("log-damaged") for it, or else
        NotStored("store-unreadable").
        """


PROBE_BYTES = 16_384
ROWS = 2_000
"""The most rows of one statement. With 7 values each, they stay far below SQLite's limit of 32,766 values."""
ORDER = (
    "INSERT INTO orders (key, table_id, body) VALUES (?, ?, ?) "
    "ON CONFLICT (key) DO UPDATE SET table_id = excluded.table_id, body = excluded.body"
)
SETTING = "INSERT INTO house (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
UNLISTED = TableSummary("", listed=False, updated=0)


class HouseStore(HouseReads):
    """The reads and writes of a house. SQLite and PostgreSQL both understand the SQL here.

    Only appends to a log have SQL of their own in each database.
    """

    _writer: Writer

    def submit(self, entries: Iterable[tuple[Entry, OnOutcome]], loop_call: LoopCall | None = None) -> None:
        """Queue appends for one transaction. Each ``done`` is called with the outcome once the append is on the disk.

        ``loop_call`` is an event loop's ``call_soon_threadsafe``. It is called once for a group, and every ``done``
        then runs in the loop. Without it, each ``done`` runs in the writer's thread, and must not wait for the store.
        """
        self._writer.submit(*[Job(entry, done, loop_call) for entry, done in entries])

    def submit_table(
        self,
        code: str,
        lines: Sequence[str],
        summary: TableSummary,
        done: OnOutcome,
        loop_call: LoopCall | None = None,
        *,
        key: str | None = None,
        body: bytes = b"",
        opener: bytes = b"",
    ) -> None:
        """Queue a new table. ``done`` gets its code, or NotStored("code-taken") or NotStored("store-unwritable").

        An idempotency key opens only one table, permanently. If the request is repeated, ``done`` gets the code of that
        table. If ``body``, the hash of the request, differs, it gets NotStored("key-used"). ``opener`` is the mark that
        the method ``opener`` returns.
        """
        self._writer.submit(Job(_ordering(_opening(code, lines, summary, opener), code, key, body), done, loop_call))

    def submit_forgetting(self, table: int, person: str, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a write that removes a table from a person's list, until the person sits there again.

        ``done`` gets True.
        """

        def forget(work: OpenTransaction) -> bool:
            work.execute("DELETE FROM sitting WHERE person = ? AND table_id = ?", (person, table))
            return True

        self._writer.submit(Job(forget, done, loop_call))

    def write(self, entry: Entry) -> Stored | Repeated:
        """Write one append and wait.

        Raise NotStored("moved-on"), NotStored("no-table") or NotStored("store-unwritable").
        """
        outcome: Stored | Repeated = self._writer.ask(entry)
        return outcome

    def open_table(self, code: str, line: str, summary: TableSummary) -> int:
        """Open a table with this code and return its number.

        Raise NotStored("code-taken") or NotStored("store-unwritable").
        """
        table: int = self._writer.ask(_opening(code, [line], summary))
        return table

    def create(self, *lines: str) -> int:
        """Make a table without a code and return its number. Such a table is in no list."""
        table: int = self._writer.ask(_opening(None, lines, UNLISTED))
        return table

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Add lines to a table's log, and wait until they are on the disk."""
        self.write(Entry(table, seen, tuple(lines)))

    def settle(self, name: str, value: bytes) -> bytes:
        """Store a setting if the house has none with this name. Return the stored value, perhaps an earlier one."""
        kept: bytes = self._writer.ask(_settling(name, value))
        return kept

    def submit_confirming(self, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Call ``done`` once committed reads are as durable as writes. With one disk, that is at once."""
        done(None)

    def probe(self, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a test write, as large as one or two moves. It replaces the value of the test before.

        ``done`` gets the outcome.
        """
        self.submit_setting("probe", bytes(PROBE_BYTES), done, loop_call)

    def submit_task(self, task: WriteTask, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a write that is not an append to a log. ``done`` gets its outcome. The write must not wait for writes
        of another house.
        """
        self._writer.submit(Job(task, done, loop_call))

    def submit_setting(self, name: str, value: bytes, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a setting that replaces the stored value of its name. ``done`` is called once it is stored."""
        self._writer.submit(Job(_replacing(name, value), done, loop_call))


def _ordering(opening: WriteTask, code: str, key: str | None, body: bytes) -> WriteTask:
    check_text(key or "")

    def order_table(work: OpenTransaction) -> str:
        if key is not None:
            work.lock(f"order {key}")
            known = ordered(work.execute(ORDERED, (key,)), body)
            if known is not None:
                return known
        table = opening(work)
        if key is not None:
            work.execute(ORDER, (key, table, body))
        return code

    return order_table


def _opening(code: str | None, lines: Sequence[str], summary: TableSummary, opener: bytes = b"") -> WriteTask:
    first = Entry(0, 0, tuple(lines))
    if opener:
        first = replace(first, key=OPENER, answer=OPENED, body=opener)

    def open_table(work: OpenTransaction) -> int:
        found = work.execute(
            f"INSERT INTO tables (code, {', '.join(SUMMARY_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?) "  # noqa: S608
            "ON CONFLICT DO NOTHING RETURNING id",
            (code, *row_of(summary)),
        )
        if not found:
            raise NotStored("code-taken", taken=code)
        table = int(found[0][0])
        work.insert_log(replace(first, table=table))
        write_summaries(work, [(table, summary)])
        return table

    return open_table


def _replacing(name: str, value: bytes) -> WriteTask:
    def replace(work: OpenTransaction) -> None:
        work.execute(SETTING, (name, value))

    return replace


def _settling(name: str, value: bytes) -> WriteTask:
    def settle(work: OpenTransaction) -> bytes:
        work.execute("INSERT INTO house (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, value))
        return bytes(work.execute("SELECT value FROM house WHERE name = ?", (name,))[0][0])

    return settle


def write_summaries(work: OpenTransaction, summaries: Sequence[tuple[int, TableSummary]]) -> None:
    """Replace the summaries of these tables, and add their people. If a table has two summaries, the later counts.

    The rows are written in order of the tables' numbers, so two houses never wait for each other.
    """
    latest = dict(summaries)
    people = {(person, table) for table, new in summaries for person in new.people}
    insert_all(
        work.execute,
        f"INSERT INTO tables (id, {', '.join(SUMMARY_COLUMNS)})",
        [(table, *row_of(latest[table])) for table in sorted(latest)],
        f"ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in SUMMARY_COLUMNS)}",
    )
    insert_all(work.execute, "INSERT INTO sitting (person, table_id)", sorted(people), "ON CONFLICT DO NOTHING")


def insert_all(
    execute: Callable[[str, list[object]], object], head: str, rows: Sequence[tuple[object, ...]], tail: str = ""
) -> None:
    """Run an INSERT of many rows, at most ``ROWS`` in a statement. ``tail`` is the SQL after the rows."""
    for start in range(0, len(rows), ROWS):
        batch = rows[start : start + ROWS]
        marks = ",".join([f"({','.join('?' * len(batch[0]))})"] * len(batch))
        execute(f"{head} VALUES {marks} {tail}", [value for row in batch for value in row])


def run_task(work: OpenTransaction, task: WriteTask) -> object:
    """Return a write task's outcome. If the task raises NotStored, return that."""
    try:
        return task(work)
    except NotStored as refusal:
        return refusal
