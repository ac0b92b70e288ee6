"""What every store promises, whatever it is made of.

A table is a number and a log of text lines; line 0 says what the table is. Lines are only ever added, all of one append
or none, and are on the disk when ``append`` returns. An append names how many lines it has seen, so two writers can
never both believe that they were next.
"""

from collections.abc import Sequence
from typing import Protocol

from pubdice.table import Refused


class NotStored(Refused):
    """The store says no: nothing was written, and nothing may be shown."""


class Store(Protocol):
    """A keeper of logs. NotStored is raised with the codes named at each method."""

    def create(self, line: str) -> int:
        """A new table whose line 0 is this one; its number, from 1. NotStored("store-unwritable")."""

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Add lines after the ``seen`` first ones.

        NotStored("moved-on") if there are more or fewer, ("no-table"), ("log-damaged"), ("store-unwritable").
        """

    def read(self, table: int) -> list[str]:
        """All lines, oldest first. NotStored("no-table"), ("log-damaged")."""

    def tables(self) -> list[int]:
        """The numbers of all tables, oldest first. NotStored("store-unreadable")."""
