"""The ``Store`` protocol for logs of tables. Files, SQLite and memory implement it.

A table is a number and a log of text lines. Line 0 describes the table. An append adds all its lines or none, and they
are on the disk when ``append`` returns. No line is ever changed. Optimistic concurrency: an append states the number of
lines that its writer has seen. If the log has more, it fails with "moved-on", so of two writers at the same time only
one succeeds.
"""

from collections.abc import Sequence
from typing import Protocol


class Store(Protocol):
    """A store with an append-only log for each table.

    Its methods raise NotStored with the codes in their docstrings.
    """

    def create(self, *lines: str) -> int:
        """Make a table with these lines, all or none, and return its number. Raise NotStored("store-unwritable")."""

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Add lines to a log that has exactly ``seen`` lines.

        Raise NotStored("moved-on") if the log has more or fewer, NotStored("no-table"), NotStored("log-damaged") or
        NotStored("store-unwritable").
        """

    def read(self, table: int) -> list[str]:
        """Return all lines of a table's log, oldest first. Raise NotStored("no-table") or NotStored("log-damaged")."""

    def tables(self) -> list[int]:
        """Return the numbers of all tables, oldest first. Raise NotStored("store-unreadable")."""
