"""How a group of entries is written: one INSERT, which stores the whole group or nothing of it.

Optimistic concurrency: an entry names how many lines it has seen, and the INSERT itself compares that with the log. So
a usual group, one move each at several tables, needs no other statement and is its own transaction. That saves twice: a
statement costs processor time, and at every statement Python releases its GIL, for which the thread then waits up to
5 ms beside a busy event loop. Where the INSERT stores nothing, an entry of the group is stale, or it repeats a command
under the same idempotency key: then ``insert_decided`` decides entry by entry, in a transaction that the caller begins
and ends. This is where a repeated command is recognised.
"""

import sqlite3
from collections.abc import Sequence
from functools import lru_cache

from pubdice.core.errors import NotStored
from pubdice.store.entries import Entry, Outcome, Repeated, Stored, is_same
from pubdice.store.lines import join_lines
from pubdice.store.schema import SAME_KEY

ROWS = 2_000
"""Rows of one statement: 7 values each stay far below the 32,766 SQLite takes."""


def insert_expected(db: sqlite3.Connection, entries: Sequence[Entry]) -> list[Outcome] | None:
    """Store all entries by one INSERT, in a transaction of its own if none is open. None, with nothing stored, if one
    of them is not as expected: its table has more lines or fewer, or its key was used, or its table comes twice here.
    """
    if len({entry.table for entry in entries}) < len(entries):
        return None  # one INSERT compares all its rows with the log as it was before
    if entries:
        try:
            db.execute(_checked_insert(len(entries)), _values(entries))
        except sqlite3.IntegrityError:
            return None
    return [_stored(entry) for entry in entries]


def insert_decided(db: sqlite3.Connection, entries: Sequence[Entry]) -> list[Outcome]:
    """Store every entry that can be stored, within an open transaction; the outcome of each, in order."""
    lengths, answered = _lengths_and_answers(db, entries)
    outcomes: list[Outcome] = []
    accepted: list[Entry] = []
    for entry in entries:
        outcome = _outcome_of(entry, lengths, answered)
        outcomes.append(outcome)
        if isinstance(outcome, Stored):
            accepted.append(entry)
            lengths[entry.table] = outcome.seq
            if entry.key is not None:
                answered[entry.table, entry.key] = Repeated(entry.answer, entry.body)
    insert_log(db, accepted)
    return outcomes


def insert_log(db: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    """Add entries to their logs, one row each, without any check."""
    rows = [(entry.table, _length_after(entry), *_content(entry)) for entry in entries]
    _insert_all(db, "INSERT INTO log (table_id, seq, key, body, lines, answer)", rows)


@lru_cache(maxsize=64)
def _checked_insert(count: int) -> str:
    """An INSERT of so many entries: for one that is not as expected it selects no table, and the schema refuses all."""
    return (
        "INSERT INTO log (table_id, seq, key, body, lines, answer) "  # noqa: S608 - marks only
        "SELECT CASE WHEN column2 = (SELECT max(seq) FROM log WHERE table_id = column1) "
        f"AND NOT EXISTS (SELECT 1 FROM log WHERE {SAME_KEY.format(table='column1', key='column4')}) "
        "THEN column1 END, column3, column4, column5, column6, column7 "
        f"FROM (VALUES {','.join(['(?,?,?,?,?,?,?)'] * count)})"
    )


def _values(entries: Sequence[Entry]) -> list[object]:
    values: list[object] = []
    for entry in entries:
        values += (entry.table, entry.seen, _length_after(entry), *_content(entry))
    return values


def _length_after(entry: Entry) -> int | None:
    """How many lines the log has after an entry; None for an entry without lines, as (table_id, seq) is unique."""
    return entry.seen + len(entry.lines) if entry.lines else None


def _content(entry: Entry) -> tuple[object, ...]:
    lines = join_lines(entry.lines) if entry.lines else None
    if entry.key is None:
        return None, None, lines, None
    return entry.key, entry.body, lines, entry.answer


def _stored(entry: Entry) -> Stored:
    return Stored(entry.seen + len(entry.lines))


def _outcome_of(entry: Entry, lengths: dict[int, int], answered: dict[tuple[int, str], Repeated]) -> Outcome:
    if entry.key is not None and (entry.table, entry.key) in answered:
        before = answered[entry.table, entry.key]
        return before if is_same(before.body, entry.body) else NotStored("key-used", table=entry.table)
    if entry.table not in lengths:
        return NotStored("no-table", table=entry.table)
    if entry.seen != lengths[entry.table]:
        return NotStored("moved-on", table=entry.table)
    return _stored(entry)


def _lengths_and_answers(
    db: sqlite3.Connection, entries: Sequence[Entry]
) -> tuple[dict[int, int], dict[tuple[int, str], Repeated]]:
    """How many lines each of these tables has, if there is one; and the answers stored under these keys."""
    keys = dict.fromkeys((entry.table, entry.key) for entry in entries)
    rows = db.execute(
        f"WITH wanted (t, k) AS (VALUES {','.join(['(?,?)'] * len(keys))}) "  # noqa: S608 - marks only
        "SELECT t, k, (SELECT max(seq) FROM log WHERE table_id = t), answer, body "
        f"FROM wanted LEFT JOIN log ON {SAME_KEY.format(table='t', key='k')}",
        [value for table_and_key in keys for value in table_and_key],
    ).fetchall()
    lengths = {table: length for table, _, length, _, _ in rows if length}
    answered = {(table, key): Repeated(answer, body) for table, key, _, answer, body in rows if answer is not None}
    return lengths, answered


def _insert_all(db: sqlite3.Connection, head: str, rows: Sequence[tuple[object, ...]], tail: str = "") -> None:
    for start in range(0, len(rows), ROWS):
        batch = rows[start : start + ROWS]
        marks = ",".join([f"({','.join('?' * len(batch[0]))})"] * len(batch))
        db.execute(f"{head} VALUES {marks} {tail}", [value for row in batch for value in row])
