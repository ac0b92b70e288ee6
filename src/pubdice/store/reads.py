"""What a house reads of its store, whatever database that is: logs, stored answers, lists of tables."""

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pubdice.core.errors import NotStored
from pubdice.store.entries import OPENER, is_same
from pubdice.store.lines import split_lines

ORDERED = "SELECT code, body FROM orders JOIN tables ON id = table_id WHERE key = ?"
"""The code of the table that was opened under a key."""
_OPENED = "FROM orders JOIN tables ON id = orders.table_id"
_UNDER = """WHERE key >= ? AND key < ? AND code IS NOT NULL
AND (stage != 'gathering' OR updated >= ?) AND (stage != 'playing' OR updated >= ?)"""
ALL = 1 << 62
"""A line number that no log has."""
MOST_BYTES = 4_000_000
"""The most bytes read of one append: the longest line a house writes, a setup with its tally, has 100,000."""


@dataclass(frozen=True, slots=True)
class LogQueries:
    """The SQL queries of a log, with the values :table, and :start and :end, or :key.

    part: the appends that hold the lines from start to end, in order, each with the log's length after it; an append of
    more than :most bytes never reaches memory. length: how many lines the log has. answer: the answer stored under a
    key, and the hash of its body.
    """

    part: str
    length: str
    answer: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list.

    updated: in ms since 1970. game, names: what is played, and who sits where; empty where version 1 wrote last.
    """

    table: int
    code: str
    stage: str
    updated: int
    game: str = ""
    names: tuple[str, ...] = ()


def ordered(rows: Sequence[tuple[Any, ...]], body: bytes) -> str | None:
    """The code in the rows of the query ORDERED. NotStored("key-used") if its key came with another body."""
    if rows and not is_same(bytes(rows[0][1]), body):
        raise NotStored("key-used")
    return str(rows[0][0]) if rows else None


def _under(prefix: str, since: int, played: int) -> tuple[object, ...]:
    """The values of the clause _UNDER."""
    return prefix, prefix + chr(0x10FFFF), since, played


def _split(text: object) -> list[str]:
    """The lines of an append, as text or UTF-8; none if that is damaged."""
    try:
        text = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError:
        return []
    return split_lines(text) if isinstance(text, str) else []


def joined(appends: Sequence[tuple[Any, ...]], table: int, start: int, most: int) -> list[str]:
    """So many lines from a number on, out of the appends that hold them, each with the log's length after it.

    NotStored("no-table") if the log has no first line, ("log-damaged").
    """
    if not appends and not start:
        raise NotStored("no-table", table=table)
    lines: list[str] = []
    first, end = start, None  # where the first append begins, and where the latest ends
    for seq, text in appends:
        appended = _split(text)
        first = seq - len(appended) if end is None else first
        if not appended or (first > start if end is None else seq - len(appended) != end):
            raise NotStored("log-damaged", table=table, line=1 + (start if end is None else end))
        lines += appended
        end = seq
    return lines[start - first : start - first + most]


class HouseReads(ABC):
    """Reads of what is committed, each of them short. Its SQL is understood by SQLite and by PostgreSQL."""

    _log: LogQueries

    def read(self, table: int) -> list[str]:
        """All lines, oldest first. NotStored("no-table"), ("log-damaged"), ("store-unreadable")."""
        return self.part(table, 0, ALL)

    def part(self, table: int, start: int, most: int) -> list[str]:
        """So many lines from a number on, fewer only at the end. NotStored as ``read``."""
        values = {"table": table, "start": start, "end": start + most, "most": MOST_BYTES}
        return joined(self._rows(self._log.part, values, table=table), table, start, most)

    def parts(self, wanted: Sequence[tuple[int, int]], most: int) -> Sequence[list[str] | NotStored]:
        """``part`` of several tables, each with the number to begin at; for each its lines, or why there are none."""

        def tried(table: int, start: int) -> list[str] | NotStored:
            try:
                return self.part(table, start, most)
            except NotStored as refusal:
                return refusal

        return [tried(table, start) for table, start in wanted]

    def length(self, table: int) -> int:
        """How many lines a table's log has."""
        return int(self._rows(self._log.length, {"table": table}, table=table)[0][0] or 0)

    def answer(self, table: int, key: str, body: bytes = b"") -> bytes | None:
        """The answer stored under an idempotency key; None if none is. NotStored("key-used") if its body differs."""
        rows = self._rows(self._log.answer, {"table": table, "key": key})
        if rows and not is_same(bytes(rows[0][1]), body):
            raise NotStored("key-used", table=table)
        return bytes(rows[0][0]) if rows else None

    def opener(self, table: int) -> bytes:
        """What the table was opened with to know its opener by; empty for tables of versions that stored nothing."""
        rows = self._rows(self._log.answer, {"table": table, "key": OPENER})
        return bytes(rows[0][1]) if rows else b""

    def tables(self) -> list[int]:
        """The numbers of all tables, oldest first."""
        return [table for (table,) in self._rows("SELECT id FROM tables ORDER BY id")]

    def find(self, code: str) -> int | None:
        """The number of the table with this code; None if there is none."""
        rows = self._rows("SELECT id FROM tables WHERE code = ?", (code,))
        return int(rows[0][0]) if rows else None

    def codes(self) -> dict[str, int]:
        """All codes, and their tables."""
        return dict(self._rows("SELECT code, id FROM tables WHERE code IS NOT NULL ORDER BY id"))

    def lobby(self, limit: int) -> list[Listed]:
        """Tables that are listed and not over, the newest first."""
        live = "stage IN ('gathering', 'playing')"
        return self._listed(f"FROM tables WHERE listed AND {live} AND code IS NOT NULL", limit)

    def tables_of(self, person: str, limit: int) -> list[Listed]:
        """Tables where this person has sat, the newest first."""
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
        """Tables opened under idempotency keys that begin so, the newest first. person: those where they have sat.

        since, played: of those still gathering, or playing, only what was updated then (ms since 1970) or later.
        """
        sat = "" if person is None else "JOIN sitting ON sitting.table_id = id AND person = ?"
        values = () if person is None else (person,)
        return self._listed(f"{_OPENED} {sat} {_UNDER}", limit, *values, *_under(prefix, since, played))

    def bodies_under(self, prefix: str, *, since: int = 0, played: int = 0) -> Counter[bytes]:
        """How many tables each hash of a request opened, of those that ``opened_under`` finds."""
        query = f"SELECT body, COUNT(*) {_OPENED} {_UNDER} GROUP BY body"
        return Counter({bytes(body): int(count) for body, count in self._rows(query, _under(prefix, since, played))})

    def sat(self, person: str, code: str) -> bool:
        """Whether a person has ever sat at the table of this code."""
        query = "SELECT 1 FROM tables JOIN sitting ON table_id = id WHERE code = ? AND person = ?"
        return bool(self._rows(query, (code, person)))

    def short_codes(self, since: int, over_since: int, most: int) -> int:
        """How many codes of six letters are in use; ``most`` if there are more.

        In use are codes of tables updated at ``since`` (ms since 1970) or later, or at ``over_since`` if they are over.
        """
        query = "SELECT 1 FROM tables WHERE length(code) = 6 AND updated >= ? AND (stage != 'over' OR updated >= ?)"
        return len(self._rows(f"{query} LIMIT ?", (since, over_since, most)))

    def ordered(self, key: str, body: bytes = b"") -> str | None:
        """The code of the table that was opened under this key; None if none was. NotStored("key-used")."""
        return ordered(self._rows(ORDERED, (key,)), body)

    def setting(self, name: str) -> bytes | None:
        """The house's setting of this name; None if it has none."""
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
        """Release the store's files or connections."""

    @abstractmethod
    def _rows(
        self, query: str, values: Sequence[object] | Mapping[str, object] = (), *, table: int | None = None
    ) -> Sequence[tuple[Any, ...]]:
        """The rows of a query; a question mark stands for each value. table: whose log is read.

        NotStored("log-damaged") with a table, ("store-unreadable").
        """
