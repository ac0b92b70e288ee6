"""Logs in memory, for tests and for tables that are not kept."""

from collections.abc import Sequence

from pubdice.core.errors import NotStored


class MemoryStore:
    """A store like ``FileStore``, but in memory. It is gone when the process ends."""

    def __init__(self) -> None:
        self._logs: list[list[str]] = []

    def create(self, *lines: str) -> int:
        """Make a table with these lines, and return its number."""
        self._logs.append(list(lines))
        return len(self._logs)

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Add lines to a log that has exactly ``seen`` lines. Raise NotStored("moved-on") if it has more or fewer."""
        log = self._log(table)
        if len(log) != seen:
            raise NotStored("moved-on", table=table)
        log.extend(lines)

    def read(self, table: int) -> list[str]:
        """Return all lines of a table, oldest first."""
        return list(self._log(table))

    def tables(self) -> list[int]:
        """Return the numbers of all tables, oldest first."""
        return list(range(1, len(self._logs) + 1))

    def _log(self, table: int) -> list[str]:
        if not 1 <= table <= len(self._logs):
            raise NotStored("no-table", table=table)
        return self._logs[table - 1]
