"""What is written to a store and what became of it, whatever the store is kept in."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pubdice.core.errors import NotStored

SUMMARY_COLUMNS = ("stage", "listed", "updated", "game", "names")
"""The columns of ``tables`` that a ``TableSummary`` fills."""


OPENER, OPENED = "table opener", b'{"seq":0}'
"""The key of a log's first append, whose body tells who opened the table, as keys of people begin with the person; and
its answer, which says as every answer how many events there were.
"""


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What lists say of a table, and what it is found by: a row beside its log, so that no list reads logs.

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
    """An append: lines for a table's log, after its first ``seen`` lines.

    key: an idempotency key, a person and a key of theirs: of several entries with one key only the first is stored.
    answer: stored under the key. body: a hash of the request; the same key with another body is refused. summary: None
    leaves what lists say of the table as it is.
    """

    table: int
    seen: int
    lines: tuple[str, ...]
    key: str | None = None
    answer: bytes = b""
    summary: TableSummary | None = None
    body: bytes = b""

    def __post_init__(self) -> None:
        check_text(*self.lines, self.key or "")


@dataclass(frozen=True, slots=True)
class Stored:
    """The entry is on the disk; the log has ``seq`` lines now."""

    seq: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """An entry with this idempotency key was stored before, with this answer; nothing was stored now."""

    answer: bytes
    body: bytes = b""


def is_same(kept: bytes, body: bytes) -> bool:
    """Whether two requests under one key may have the same body, by its hash.

    Earlier versions kept no hash, or one of another length: those cannot be compared and count as the same.
    """
    return len(kept) != len(body) or kept == body


Outcome = Stored | Repeated | NotStored


def row_of(summary: TableSummary) -> tuple[object, ...]:
    """The values of ``SUMMARY_COLUMNS``."""
    return (
        summary.stage,
        summary.listed,
        summary.updated,
        summary.game,
        json.dumps(summary.names, ensure_ascii=False),
    )


def check_text(*texts: str) -> None:
    """Raise UnicodeEncodeError for a lone surrogate: here it stops one entry, in SQL it would stop the whole group."""
    "".join(texts).encode()


# The lines of one append as one text, a line each, so that the `sqlite3` program shows them as they are.
#
# A line break or a backslash within a line, which no house writes, is escaped, so that any text comes back as it was.


AS_LINES = (
    "CASE typeof(line) WHEN 'text' THEN replace(replace(line, char(92), char(92, 92)), char(10), char(92, 110)) "
    "ELSE line END"
)
"""SQL that turns a column ``line`` into one line of ``join_lines``; values other than text stay as they are."""
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def join_lines(lines: Sequence[str]) -> str:
    r"""The lines, at least one, as one text.

    >>> join_lines(["mark 0 2", "roll 136"])
    'mark 0 2\nroll 136'
    """
    text = "\n".join(lines)
    if "\\" not in text and text.count("\n") == len(lines) - 1:
        return text
    return "\n".join([line.replace("\\", "\\\\").replace("\n", "\\n") for line in lines])


def split_lines(text: str) -> list[str]:
    r"""The lines of a text that ``join_lines`` has made.

    >>> split_lines(join_lines(["", "two\nhalves", "\\n"]))
    ['', 'two\nhalves', '\\n']
    """
    lines = text.split("\n")
    if "\\" not in text:
        return lines
    return [_ESCAPE.sub(lambda found: "\n" if found[1] == "n" else found[1], line) for line in lines]
