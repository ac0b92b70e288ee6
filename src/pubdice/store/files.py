"""Logs as files: one append-only file a table, one JSON array of lines an append, synced before ``append`` returns.

A process killed while it writes leaves at most a torn last line, without its newline: it was never acknowledged, and
the next append cuts it off. Anything else that does not read is damage, and is said, never guessed at.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from pubdice.store.log import NotStored

try:
    import fcntl
except ImportError:  # no such lock on Windows: there the count of lines alone keeps two writers apart
    fcntl = None  # type: ignore[assignment]

SUFFIX = ".log"


class FileStore:
    """Logs in a folder, which is made when first written to; without one, everything is refused."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[int, tuple[int, int]] = {}  # by table: bytes and lines, as this process last left them

    @property
    def folder(self) -> Path:
        """Where the files are. NotStored("no-home") if no folder is known."""
        if self._folder is None:
            raise NotStored("no-home")
        return self._folder

    def create(self, line: str) -> int:
        """A new table; its number is one more than the highest there is."""
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            number = max(self._numbers(), default=0) + 1
            while True:
                with suppress(FileExistsError):
                    self._make(self._path(number), line)
                    return number
                number += 1

    def _make(self, path: Path, line: str) -> None:
        """A new file with its first line; no file, if that cannot be written."""
        with path.open("xb") as file:
            try:
                self._put(file, [line])
            except OSError:
                with suppress(OSError):
                    path.unlink()
                raise
        self._settle_folder()

    def append(self, table: int, seen: int, lines: Sequence[str]) -> None:
        """Add lines, and wait until they are on the disk."""
        path = self._path(table)
        with self._writing():
            if not path.exists():
                raise NotStored("no-table", table=table)
            with path.open("r+b") as file:
                if fcntl is not None:
                    fcntl.flock(file, fcntl.LOCK_EX)
                whole, have = self._known.get(table, (0, -1))
                if (whole, have) != (os.fstat(file.fileno()).st_size, seen):
                    whole, known = self._parse(file.read(), table)
                    have = len(known)
                if have != seen:
                    raise NotStored("moved-on", table=table)
                file.truncate(whole)
                file.seek(whole)
                try:
                    self._put(file, lines)
                except OSError:
                    with suppress(OSError):
                        file.truncate(whole)
                    raise
                self._known[table] = (file.tell(), seen + len(lines))

    def read(self, table: int) -> list[str]:
        """All lines that were acknowledged."""
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
        """All tables whose first line was acknowledged, or which cannot be read (reading them says why)."""
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
            if suffix == SUFFIX and stem.isascii() and stem.isdigit() and str(int(stem)) == stem:
                yield int(stem)

    def _path(self, table: int) -> Path:
        return self.folder / f"{table}{SUFFIX}"

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise NotStored("store-unwritable", reason=error.strerror, folder=str(self.folder)) from None

    def _settle_folder(self) -> None:
        """The new file's name is on the disk too. Not every system can sync a folder; those that cannot need not."""
        with suppress(OSError, AttributeError):
            handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    @staticmethod
    def _put(file: IO[bytes], lines: Sequence[str]) -> None:
        file.write(json.dumps(list(lines), ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())

    @staticmethod
    def _parse(data: bytes, table: int) -> tuple[int, list[str]]:
        """The length in bytes of what was acknowledged, and its lines."""
        whole = data.rfind(b"\n") + 1
        lines: list[str] = []
        for number, row in enumerate(data[:whole].splitlines(), 1):
            try:
                batch = json.loads(row)
            except (ValueError, RecursionError):
                batch = None
            if not isinstance(batch, list) or not batch or not all(isinstance(line, str) for line in batch):
                raise NotStored("log-damaged", table=table, line=number)
            lines.extend(batch)
        return whole, lines
