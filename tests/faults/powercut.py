"""A disk that remembers what was written and what was synced, so that the power can be cut at any moment of a run.

SQLite runs over it through a VFS of apsw, with the library apsw brings along. Every write, truncation, sync, birth and
death of a file is noted in order, and so is what people were told. An image at a cut keeps all that was synced. Of the
rest each 512-byte sector may or may not have arrived, in no order. Names settle when a file that was new to its folder
is synced (SQLite syncs the folder then), else in order, as in a journalling file system. The shared-memory file is
no file after a cut.
"""

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Literal, cast

import apsw

SECTOR = 512
_NAMES = count()


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that happened: to a file, or (``told``) to those who wait."""

    what: Literal["write", "size", "sync", "born", "gone", "told"]
    name: str = ""
    at: int = 0
    data: bytes = b""
    told: Any = None


@dataclass
class Inode:
    """A file's content: the settled bytes, and the writes since."""

    settled: bytearray = field(default_factory=bytearray)
    pending: list[Note] = field(default_factory=list)

    def settle(self) -> None:
        for note in self.pending:
            _put(self.settled, note)
        self.pending.clear()

    def after_a_cut(self, rng: random.Random, luck: float) -> bytes:
        data = bytearray(self.settled)
        for note in self.pending:
            for piece in _pieces(note):
                if rng.random() < luck:
                    _put(data, piece)
        return bytes(data)


class Disk:
    """A folder, as it is now, and everything that happens to it from now on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[Note] = []
        self.failing_syncs = 0
        self.vfs = f"cut-{next(_NAMES)}"
        self._before = {path.name: path.read_bytes() for path in folder.iterdir()}
        self._vfs = _Vfs(self)

    def tell(self, what: object) -> None:
        """Note that a player was told."""
        self.notes.append(Note("told", told=what))

    def connect(self, synchronous: str = "FULL") -> Any:
        """The connections of a store, for ``connect``. Any ``synchronous`` but FULL is sabotage."""

        def connect(path: str) -> sqlite3.Connection:
            if not any(note.name == Path(path).name for note in self.notes):
                self._before.setdefault(Path(path).name, b"")  # the store has made and synced the empty file
            return cast(sqlite3.Connection, _Connection(path, self.vfs, synchronous))

        return connect

    def image(self, cut: int, rng: random.Random) -> dict[str, bytes]:
        """The folder after a cut before note number ``cut``."""
        now = {name: Inode(bytearray(data)) for name, data in self._before.items()}
        safe, unsafe = dict(now), list[tuple[str, Inode | None]]()
        for note in self.notes[:cut]:
            if note.what == "born":
                now[note.name] = Inode()
                unsafe.append((note.name, now[note.name]))
            elif note.what == "gone":
                del now[note.name]
                unsafe.append((note.name, None))
            elif note.what == "sync":
                now[note.name].settle()
                if (note.name, now[note.name]) in unsafe:
                    _rename(safe, unsafe)
                    unsafe.clear()
            elif note.what != "told":
                now[note.name].pending.append(note)
        _rename(safe, unsafe[: rng.randint(0, len(unsafe))])
        luck = rng.choice([0.0, 0.5, 0.9, 1.0])
        return {name: inode.after_a_cut(rng, luck) for name, inode in safe.items()}

    def told_before(self, cut: int) -> list[Any]:
        """The news told by then."""
        return [note.told for note in self.notes[:cut] if note.what == "told"]


def _rename(names: dict[str, Inode], changes: Sequence[tuple[str, Inode | None]]) -> None:
    for name, inode in changes:
        if inode is None:
            names.pop(name, None)
        else:
            names[name] = inode


def _put(data: bytearray, note: Note) -> None:
    if note.what == "size":
        del data[note.at :]
    data.extend(bytes(max(0, note.at + len(note.data) - len(data))))
    data[note.at : note.at + len(note.data)] = note.data


def _pieces(note: Note) -> Iterator[Note]:
    """A write as the disk sees it: sector by sector."""
    if note.what == "size":
        yield note
    start = 0
    while start < len(note.data):
        end = min(len(note.data), start + SECTOR - (note.at + start) % SECTOR)
        yield Note("write", note.name, note.at + start, note.data[start:end])
        start = end


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, path: str, name: Any, flags: list[int]) -> None:
        self._disk, self._name = disk, Path(path).name
        if not Path(path).exists():
            disk.notes.append(Note("born", self._name))
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.notes.append(Note("write", self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.notes.append(Note("size", self._name, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        if self._disk.failing_syncs:
            self._disk.failing_syncs -= 1
            raise apsw.IOError("the disk does not sync")
        self._disk.notes.append(Note("sync", self._name))


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__(disk.vfs, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        return _File(self._disk, path, name, flags) if path else apsw.VFSFile("", name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self._disk.notes.append(Note("gone", Path(filename).name))


class _Connection:
    """As much of ``sqlite3.Connection`` as the store uses, over apsw. Checkpoints come often."""

    def __init__(self, path: str, vfs: str, synchronous: str) -> None:
        with _as_sqlite3():
            self._db = apsw.Connection(path, vfs=vfs)
            self._db.execute("PRAGMA wal_autocheckpoint = 20").fetchall()
        self._synchronous = synchronous

    def execute(self, statement: str, values: Sequence[Any] = ()) -> "_Rows":
        sabotaged = statement.replace("synchronous = FULL", f"synchronous = {self._synchronous}")
        with _as_sqlite3():
            return _Rows(self._db.execute(sabotaged, values).fetchall())

    def rollback(self) -> None:
        if self._db.in_transaction:
            self.execute("ROLLBACK")

    def close(self) -> None:
        with _as_sqlite3():
            self._db.close()


@dataclass(frozen=True, slots=True)
class _Rows:
    rows: list[Any]

    def fetchall(self) -> list[Any]:
        return self.rows


@contextmanager
def _as_sqlite3() -> Iterator[None]:
    try:
        yield
    except apsw.ConstraintError as error:
        raise sqlite3.IntegrityError(str(error)) from None
    except apsw.Error as error:
        raise sqlite3.OperationalError(str(error)) from None
