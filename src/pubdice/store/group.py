"""Entries, and how a group of them is written: decided one after the other here, put down together in SQL.

A group costs the same few statements however many entries are in it. That matters twice: the interpreter's lock is let
go at every statement, and beside a busy event loop it is milliseconds before it is held again.

Begins and ends no transaction. Whoever does knows that nothing in here happened if the commit does not.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pubdice.store.log import NotStored

ROWS = 2_000
"""Rows of one statement: 6 values each stay far below the 32,766 SQLite takes."""
KNOWN = ("stage", "listed", "updated", "game", "names")
"""What a row of ``tables`` holds of its facts."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the house looks tables up by, and what it tells of them in a list.

    updated: in ms since 1970. people: added to those who have sat there. names: of all seats, "" for an empty one.
    """

    stage: str
    listed: bool
    updated: int
    people: tuple[str, ...] = ()
    game: str = ""
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_text(self.stage, *self.people, self.game, *self.names)


@dataclass(frozen=True, slots=True)
class Entry:
    """Lines to be added to a table after the ``seen`` first ones.

    With a key, ``answer`` is kept under it, and an entry with the same key counts once. body: a hash of what was asked
    under that key; the same key for something else is refused. Without facts, what the house knows of the table stays
    as it is.
    """

    table: int
    seen: int
    lines: tuple[str, ...]
    key: str | None = None
    answer: bytes = b""
    facts: Facts | None = None
    body: bytes = b""

    def __post_init__(self) -> None:
        check_text(*self.lines, self.key or "")


@dataclass(frozen=True, slots=True)
class Stored:
    """It is on the disk; the log has ``seq`` lines now."""

    seq: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """An entry of this key had been stored before, with this answer; the log had ``seq`` lines then."""

    seq: int
    answer: bytes
    body: bytes = b""


def is_same(kept: bytes, body: bytes) -> bool:
    """Whether what is asked may be what was asked under the same key.

    Earlier versions kept no hash of it, or one of another length, which tells nothing here.
    """
    return len(kept) != len(body) or kept == body


Outcome = Stored | Repeated | NotStored


def write_entries(db: sqlite3.Connection, entries: Sequence[Entry]) -> list[Outcome]:
    """Write all that can be; what becomes of each, in order."""
    keys = {(entry.table, entry.key) for entry in entries if entry.key is not None}
    lengths, repeats = _known(db, {entry.table for entry in entries}, keys)
    answered = _answered(db, keys) if repeats else {}
    outcomes: list[Outcome] = []
    taken: list[Entry] = []
    for entry in entries:
        outcome = _decide(entry, lengths, answered)
        outcomes.append(outcome)
        if isinstance(outcome, Stored):
            taken.append(entry)
            lengths[entry.table] = outcome.seq
            if entry.key is not None:
                answered[entry.table, entry.key] = Repeated(outcome.seq, entry.answer, entry.body)
    _put_down(db, taken)
    return outcomes


def write_facts(db: sqlite3.Connection, facts: Iterable[tuple[int, Facts]]) -> None:
    """What the house now knows of these tables; of two facts about one table the later holds."""
    known = dict(facts)
    people = {(person, table): None for table, new in facts for person in new.people}
    _insert(
        db,
        f"INSERT INTO tables (id, {', '.join(KNOWN)})",
        [(table, *row_of(new)) for table, new in known.items()],
        f"ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in KNOWN)}",
    )
    _insert(db, "INSERT OR IGNORE INTO sitting (person, table_id)", list(people))


def row_of(facts: Facts) -> tuple[object, ...]:
    """The values of ``KNOWN``."""
    return facts.stage, int(facts.listed), facts.updated, facts.game, json.dumps(facts.names, ensure_ascii=False)


def check_text(*texts: str) -> None:
    """UnicodeEncodeError for half a character: here it stops its maker, in SQL it would stop the whole group."""
    "".join(texts).encode()


def _decide(entry: Entry, lengths: dict[int, int], answered: dict[tuple[int, str], Repeated]) -> Outcome:
    if entry.key is not None and (entry.table, entry.key) in answered:
        before = answered[entry.table, entry.key]
        return before if is_same(before.body, entry.body) else NotStored("key-used", table=entry.table)
    if entry.table not in lengths:
        return NotStored("no-table", table=entry.table)
    if entry.seen != lengths[entry.table]:
        return NotStored("moved-on", table=entry.table)
    return Stored(entry.seen + len(entry.lines))


def _put_down(db: sqlite3.Connection, taken: Sequence[Entry]) -> None:
    lines = [(entry.table, entry.seen + at, line) for entry in taken for at, line in enumerate(entry.lines)]
    answers = [
        (entry.table, entry.key, entry.seen + len(entry.lines), entry.answer, entry.body)
        for entry in taken
        if entry.key is not None
    ]
    _insert(db, "INSERT INTO events (table_id, seq, line)", lines)
    _insert(db, "INSERT INTO answers (table_id, key, seq, answer, body)", answers)
    write_facts(db, [(entry.table, entry.facts) for entry in taken if entry.facts is not None])


WANTED = "WITH wanted (t, k) AS (VALUES {keys}) "
"""The keys that are asked for; a join with them first, as (table_id, key) IN (VALUES …) would read every answer."""


def _known(db: sqlite3.Connection, tables: set[int], keys: set[tuple[int, str]]) -> tuple[dict[int, int], bool]:
    """How many lines each of these tables has, if it is there; and whether any of these keys has an answer.

    Both in one row of one statement: after each the interpreter's lock is waited for, up to half a millisecond.
    """
    if not tables:
        return {}, False
    length = "(SELECT 1 + max(seq) FROM events WHERE table_id = id)"
    query = f"SELECT json_group_object(id, {length}) FROM tables WHERE id IN ({_marks(len(tables))})"  # noqa: S608
    values: list[object] = [*tables]
    if keys:
        repeats = "EXISTS (SELECT 1 FROM wanted CROSS JOIN answers ON table_id = t AND key = k)"
        query = f"{WANTED.format(keys=_pairs(keys))} SELECT ({query}), {repeats}"
        values = [*_flat(keys), *tables]
    found, *repeated = db.execute(query, values).fetchall()[0]
    lengths = {int(table): count for table, count in json.loads(found).items() if count}
    return lengths, any(repeated)


def _answered(db: sqlite3.Connection, keys: set[tuple[int, str]]) -> dict[tuple[int, str], Repeated]:
    """Which of these keys have an answer."""
    query = (
        f"{WANTED.format(keys=_pairs(keys))} SELECT table_id, key, seq, answer, body "  # noqa: S608
        "FROM wanted CROSS JOIN answers ON table_id = t AND key = k"
    )
    found = db.execute(query, _flat(keys)).fetchall()
    return {(table, key): Repeated(seq, bytes(answer), bytes(body)) for table, key, seq, answer, body in found}


def _pairs(keys: set[tuple[int, str]]) -> str:
    return ",".join(["(?,?)"] * len(keys))


def _flat(keys: set[tuple[int, str]]) -> list[object]:
    return [value for pair in keys for value in pair]


def _insert(db: sqlite3.Connection, head: str, rows: Sequence[tuple[object, ...]], tail: str = "") -> None:
    for start in range(0, len(rows), ROWS):
        some = rows[start : start + ROWS]
        values = ",".join([f"({_marks(len(some[0]))})"] * len(some))
        db.execute(f"{head} VALUES {values} {tail}", [value for row in some for value in row])


def _marks(count: int) -> str:
    return ",".join("?" * count)
