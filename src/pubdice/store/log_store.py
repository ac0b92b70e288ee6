"""Logs of tables: the ``Store`` protocol. Files, SQLite and memory implement it.

A table is a number and a log of text lines. Line 0 describes the table. Lines are only added, all of one append or
none, and are on the disk when ``append`` returns. Optimistic concurrency: an append states the number of lines it has
seen. If the log has more, it fails with "moved-on", so of two writers at once only one succeeds.
"""

from collections.abc import Sequence
from typing import Protocol


class Store(Protocol):
    """An append-only log for each table. The methods raise NotStored with the codes in their docstrings."""

    def create(self, *lines: str) -> int:
        """Makes a table with these lines, all or none. Returns its number. Raises NotStored("store-unwritable")."""

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Adds lines after the first ``seen`` lines.

        Raises NotStored("moved-on") if the log has more or fewer, ("no-table"), ("log-damaged") or
        ("store-unwritable").
        """

    def read(self, table: int) -> list[str]:
        """All lines, oldest first. Raises NotStored("no-table") or ("log-damaged")."""

    def tables(self) -> list[int]:
        """The numbers of all tables, oldest first. Raises NotStored("store-unreadable")."""
