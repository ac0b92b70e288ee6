"""A house's store: entries in groups, answers under idempotency keys, lists of tables, settings, in any database.

Knows no clock; every time comes in as an argument.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pubdice.core.errors import NotStored
from pubdice.store.entries import (
    OPENED,
    OPENER,
    SUMMARY_COLUMNS,
    Entry,
    Repeated,
    Stored,
    TableSummary,
    check_text,
    row_of,
)
from pubdice.store.reads import ORDERED, HouseReads, ordered
from pubdice.store.writer import Job, LoopCall, OnOutcome, OpenTransaction, Writer, WriteTask

PROBE_BYTES = 16_384
ROWS = 2_000
"""Rows of one statement: 6 values each stay far below the 32,766 SQLite takes."""
ORDER = (
    "INSERT INTO orders (key, table_id, body) VALUES (?, ?, ?) "
    "ON CONFLICT (key) DO UPDATE SET table_id = excluded.table_id, body = excluded.body"
)
SETTING = "INSERT INTO house (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
UNLISTED = TableSummary("", listed=False, updated=0)


class HouseStore(HouseReads):
    """Reads and writes. Its SQL is understood by SQLite and by PostgreSQL, but for what adds to a log."""

    _writer: Writer

    def submit(self, entries: Iterable[tuple[Entry, OnOutcome]], loop_call: LoopCall | None = None) -> None:
        """Queue entries, in one transaction; each ``done`` is called with the entry's outcome once it is on the disk.

        loop_call: an event loop's ``call_soon_threadsafe``, used once a group, so that every ``done`` runs in the loop;
        without it each runs in the writer's thread, and must not wait for the store.
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
        """Queue a new table; ``done`` is called with its code, or NotStored("code-taken"), ("store-unwritable").

        An idempotency key opens one table, permanently: a repeated request gets that table's code, or
        NotStored("key-used") if ``body``, the hash of the request, differs. opener: what ``opener`` reads.
        """
        self._writer.submit(Job(_ordering(_opening(code, lines, summary, opener), code, key, body), done, loop_call))

    def submit_forgetting(self, table: int, person: str, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a write that lists a table no longer for a person, until they sit there again; ``done`` hears True."""

        def forget(work: OpenTransaction) -> bool:
            work.execute("DELETE FROM sitting WHERE person = ? AND table_id = ?", (person, table))
            return True

        self._writer.submit(Job(forget, done, loop_call))

    def write(self, entry: Entry) -> Stored | Repeated:
        """Write one entry, and wait. NotStored("moved-on"), ("no-table"), ("store-unwritable")."""
        outcome: Stored | Repeated = self._writer.ask(entry)
        return outcome

    def open_table(self, code: str, line: str, summary: TableSummary) -> int:
        """A new table with this code; its number. NotStored("code-taken"), ("store-unwritable")."""
        table: int = self._writer.ask(_opening(code, [line], summary))
        return table

    def create(self, *lines: str) -> int:
        """A new table without a code, which no list shows."""
        table: int = self._writer.ask(_opening(None, lines, UNLISTED))
        return table

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Add lines, and wait until they are on the disk."""
        self.write(Entry(table, seen, tuple(lines)))

    def settle(self, name: str, value: bytes) -> bytes:
        """Store a setting if there is none of this name; the one that is stored then."""
        kept: bytes = self._writer.ask(_settling(name, value))
        return kept

    def submit_confirming(self, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Have ``done`` called once what was read is as sure as what is written: at once, on one disk."""
        done(None)

    def probe(self, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a write as large as a move or two, over the last probe; ``done`` hears whether the disk works."""
        self._writer.submit(Job(_probing, done, loop_call))

    def submit_task(self, task: WriteTask, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue any other write; ``done`` is called with its outcome. It must not wait for what other houses write."""
        self._writer.submit(Job(task, done, loop_call))

    def submit_setting(self, name: str, value: bytes, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a setting, in place of the one of this name; ``done`` is called once it is stored."""
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


def _probing(work: OpenTransaction) -> None:
    work.execute(SETTING, ("probe", bytes(PROBE_BYTES)))


def write_summaries(work: OpenTransaction, summaries: Sequence[tuple[int, TableSummary]]) -> None:
    """Replace the summaries of these tables; of two for one table the later counts. Their people are added.

    In order of the tables, so that no two houses wait for each other.
    """
    latest = dict(summaries)
    people = {(person, table) for table, new in summaries for person in new.people}
    _insert_all(
        work,
        f"INSERT INTO tables (id, {', '.join(SUMMARY_COLUMNS)})",
        [(table, *row_of(latest[table])) for table in sorted(latest)],
        f"ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in SUMMARY_COLUMNS)}",
    )
    _insert_all(work, "INSERT INTO sitting (person, table_id)", sorted(people), "ON CONFLICT DO NOTHING")


def _insert_all(work: OpenTransaction, head: str, rows: Sequence[tuple[object, ...]], tail: str) -> None:
    for start in range(0, len(rows), ROWS):
        batch = rows[start : start + ROWS]
        marks = ",".join([f"({','.join('?' * len(batch[0]))})"] * len(batch))
        work.execute(f"{head} VALUES {marks} {tail}", [value for row in batch for value in row])


def run_task(work: OpenTransaction, task: WriteTask) -> object:
    """A write task's outcome, or its refusal."""
    try:
        return task(work)
    except NotStored as refusal:
        return refusal
