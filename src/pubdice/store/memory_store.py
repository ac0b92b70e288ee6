"""Logs in memory, for tests and for tables that need not be kept."""

from collections.abc import Sequence

from pubdice.core.errors import NotStored


class MemoryStore:
    """Keeps logs as a ``FileStore`` does, until the process ends."""

    def __init__(self) -> None:
        self._logs: list[list[str]] = []

    def create(self, *lines: str) -> int:
        """Makes a table with these lines and returns its number."""
        self._logs.append(list(lines))
        return len(self._logs)

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Adds lines after the first ``seen`` lines. Raises NotStored("moved-on") if the log has more or fewer."""
        log = self._log(table)
        if len(log) != seen:
            raise NotStored("moved-on", table=table)
        log.extend(lines)

    def read(self, table: int) -> list[str]:
        """All lines of a table, oldest first."""
        return list(self._log(table))

    def tables(self) -> list[int]:
        """The numbers of all tables, oldest first."""
        return list(range(1, len(self._logs) + 1))

    def _log(self, table: int) -> list[str]:
        if not 1 <= table <= len(self._logs):
            raise NotStored("no-table", table=table)
        return self._logs[table - 1]
