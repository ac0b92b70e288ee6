"""Logs as files: one append-only file for each table. Each append is one JSON array of lines, synced before it returns.

A process killed during a write leaves at most a torn last line without its newline. ``append`` had not returned, so no
caller takes these lines for stored, and the next append cuts them off. Any other unreadable content is damage, and
raises NotStored.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from pubdice.core.dice import whole_number
from pubdice.core.errors import NotStored
from pubdice.core.json_depth import shallow
from pubdice.store.disk import lock_file, sync_folder

SUFFIX = ".log"


class FileStore:
    """A store of logs in a folder. The first write makes the folder.

    If ``folder`` is None, every method raises NotStored("no-home").
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[int, tuple[int, int]] = {}  # by table, its log's (bytes, lines) after our last write

    @property
    def folder(self) -> Path:
        """The folder of the files. Raises NotStored("no-home") if there is none."""
        if self._folder is None:
            raise NotStored("no-home")
        return self._folder

    def create(self, *lines: str) -> int:
        """Make a new table with these lines. Return its number, one more than the highest so far."""
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            number = max(self._numbers(), default=0) + 1
            while True:
                with suppress(FileExistsError):
                    self._create_file(self._path(number), lines)
                    return number
                number += 1

    def _create_file(self, path: Path, lines: Sequence[str]) -> None:
        """Make a file with its first append. If that fails, remove the file."""
        with path.open("xb") as file:
            try:
                self._write_lines(file, lines)
            except OSError:
                with suppress(OSError):
                    path.unlink()
                raise
        sync_folder(self.folder)

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Add lines to a table's log, and wait until they are on the disk."""
        path = self._path(table)
        with self._writing():
            if not path.exists():
                raise NotStored("no-table", table=table)
            with path.open("r+b") as file:
                lock_file(file, wait=True)
                end, count = self._known.get(table, (0, -1))
                if (end, count) != (os.fstat(file.fileno()).st_size, seen):
                    end, found = self._parse(file.read(), table)
                    count = len(found)
                if count != seen:
                    raise NotStored("moved-on", table=table)
                file.truncate(end)
                file.seek(end)
                try:
                    self._write_lines(file, lines)
                except OSError:
                    with suppress(OSError):
                        file.truncate(end)
                    raise
                self._known[table] = (file.tell(), seen + len(lines))

    def read(self, table: int) -> list[str]:
        """Return all lines of a table whose append was complete."""
        try:
            data = self._path(table).read_bytes()
        except FileNotFoundError:
            raise NotStored("no-table", table=table) from None
        except OSError as error:
            raise NotStored("store-unreadable", reason=error.strerror, folder=str(self.folder)) from None
        lines = self._parse(data, table)[1]
        if not lines:
            raise NotStored("no-table", table=table)
        return lines

    def tables(self) -> list[int]:
        """Return the numbers of all tables whose first append was complete.

        Unreadable tables are among them, and raise when read.
        """
        try:
            return sorted(number for number in self._numbers() if not self._is_stillborn(number))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise NotStored("store-unreadable", reason=error.strerror, folder=str(self.folder)) from None

    def _is_stillborn(self, table: int) -> bool:
        try:
            return b"\n" not in self._path(table).read_bytes()
        except OSError:
            return False

    def _numbers(self) -> Iterator[int]:
        for name in os.listdir(self.folder):
            stem, suffix = os.path.splitext(name)
            number = whole_number(stem)
            if suffix == SUFFIX and number is not None and str(number) == stem:
                yield number

    def _path(self, table: int) -> Path:
        return self.folder / f"{table}{SUFFIX}"

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise NotStored("store-unwritable", reason=error.strerror, folder=str(self.folder)) from None

    @staticmethod
    def _write_lines(file: IO[bytes], lines: Sequence[str]) -> None:
        file.write(json.dumps(list(lines), ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())

    @staticmethod
    def _parse(data: bytes, table: int) -> tuple[int, list[str]]:
        """Return the lines of all complete appends, after the number of bytes that they take."""
        end = data.rfind(b"\n") + 1
        lines: list[str] = []
        for number, row in enumerate(data[:end].splitlines(), 1):
            try:
                batch = json.loads(shallow(row))
            except ValueError:
                batch = None
            if not isinstance(batch, list) or not batch or not all(isinstance(line, str) for line in batch):
                raise NotStored("log-damaged", table=table, line=number)
            lines.extend(batch)
        return end, lines
