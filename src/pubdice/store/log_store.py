"""Logs of tables: the ``Store`` that files, SQLite and memory are.

A table is a number and a log of text lines; line 0 says what the table is. Lines are only ever added, all of one append
or none, and are on the disk when ``append`` returns. Optimistic concurrency: an append names how many lines it has seen
and fails with "moved-on" if there are more, so of two writers at once only one succeeds.
"""

from collections.abc import Sequence
from typing import Protocol


class Store(Protocol):
    """An append-only log for each table. The methods raise NotStored with the codes they name."""

    def create(self, *lines: str) -> int:
        """A new table with these lines, all or none; its number, from 1. NotStored("store-unwritable")."""

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Add lines after the first ``seen`` lines.

        NotStored("moved-on") if there are more or fewer, ("no-table"), ("log-damaged"), ("store-unwritable").
        """

    def read(self, table: int) -> list[str]:
        """All lines, oldest first. NotStored("no-table"), ("log-damaged")."""

    def tables(self) -> list[int]:
        """The numbers of all tables, oldest first. NotStored("store-unreadable")."""
