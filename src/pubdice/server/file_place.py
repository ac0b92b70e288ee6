"""A house in a SQLite file and the files beside it: to open, to read, to back up, and for the doctor to look at."""

import errno
import shlex
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.server.backups import SUFFIX, save_all
from pubdice.server.findings import MB, OLDEST_MS, WITHIN_S, Finding, Patient, Urgency, minute
from pubdice.server.house_place import OpenHouse
from pubdice.store.deadline import Deadline
from pubdice.store.disk import network_file_system
from pubdice.store.opened_seals_file import OpenedSealsFile
from pubdice.store.secret_file import read_secret
from pubdice.store.sqlite.book_file import book_path, copy_players
from pubdice.store.sqlite.players import PlayersFile
from pubdice.store.sqlite.schema import VERSIONS, connection, not_stored, plain, version
from pubdice.store.sqlite.store import SqliteReader, SqliteStore, copy
from pubdice.store.writer import ThreadWriter
from pubdice.text.language import Language

AHEAD_MS = 120_000
"""A tolerance in ms. If the newest table has a time later than this from now, it was stored under another clock."""


@dataclass(frozen=True, slots=True)
class FilePlace:
    """The file of the tables, which one house has to itself."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    @contextmanager
    def open(
        self,
        source: Callable[[int], bytes],
        ending: Deadline,
        wait: Callable[[NotStored], object] | None = None,
    ) -> Iterator[OpenHouse]:
        """Open or make the house, as in ``HousePlace``. Never calls ``wait``. Raises NotStored."""
        file = self.path
        with ExitStack() as stack:
            store = stack.enter_context(closing(SqliteStore(file, writer=partial(ThreadWriter, ending=ending))))
            key = read_secret(file.with_name(file.name + ".seals"), source)
            opened = OpenedSealsFile(file.with_name(file.name + ".opened"))
            players = stack.enter_context(closing(PlayersFile(book_path(file))))
            yield OpenHouse(store, partial(SqliteReader, file), key, opened, players)

    def reader(self) -> SqliteReader:
        """Return a reader of committed data. Raises NotStored as ``SqliteReader``."""
        return SqliteReader(self.path)

    def back_up(self, file: Path, *, key: bool) -> None:
        """Copy everything of the house, as in ``HousePlace``. Raises NotStored as ``copy`` and ``save_all``."""
        if file.suffix.lower() == SUFFIX:
            save_all(self.path, file, key=key)
            return
        if key:
            raise NotStored("key-alone")
        book = book_path(self.path)
        if book.exists() and book_path(file).exists():
            raise NotStored("backup-exists", folder=str(file.parent), file=str(book_path(file)))
        copy(self.path, file)
        if book.exists():
            copy_players(book, book_path(file))

    def examine(self, patient: Patient) -> Iterator[Finding]:
        """Yield all findings about the folder and the file."""
        folder = self.path.parent
        yield from _folder(patient, folder)
        if not folder.is_dir() and folder != patient.home:
            return
        told, newest = _tables(patient, self.path)
        yield told
        if newest > patient.now_ms + AHEAD_MS and patient.now_ms >= OLDEST_MS:
            said = patient.language.say(
                "The clock says {now}, but the newest table is from {then}. One of the two is wrong.",
                now=minute(patient.now_ms),
                then=minute(newest),
            )
            yield Finding(Urgency.WRONG, said)


def _folder(house: Patient, folder: Path) -> Iterator[Finding]:
    say = house.language.say
    if not folder.is_dir():
        if folder != house.home:
            said = say("There's no folder {folder}: make it first, or check the name.", folder=folder)
            yield Finding(Urgency.WRONG, said)
        return
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        said = say("The house can't save in {folder} ({reason}).", folder=folder, reason=error.strerror or error)
        if error.errno in (errno.EACCES, errno.EPERM):
            said = say("You may not write in {folder}. Is it another user's?", folder=folder)
        yield Finding(Urgency.WRONG, said)
        return
    if said := over_network(house.language, folder, house.root):
        yield Finding(Urgency.WRONG, said)
    free = shutil.disk_usage(folder).free
    if free < house.least_free:
        said = say("Only {free} MB are left on the disk of {folder}. Make room.", free=free // MB, folder=folder)
        yield Finding(Urgency.WRONG, said)
    else:
        said = say("{folder} can be written, with {free} MB to spare.", free=free // MB, folder=folder)
        yield Finding(Urgency.FINE, said)


def over_network(language: Language, folder: Path, root: Path = Path("/")) -> str:
    """Return the warning about a folder on a network file system. "" if the system reports a local disk."""
    kind = network_file_system(folder, root)
    if not kind:
        return ""
    return language.say(
        "{folder} is on a network file system ({kind}), where SQLite loses data. Move it to a local disk, or use "
        "PostgreSQL.",
        folder=folder,
        kind=kind,
    )


def _tables(house: Patient, file: Path) -> tuple[Finding, int]:
    """Return the finding about the file, and the time of its newest table in ms since 1970."""
    say = house.language.say
    if not file.exists() and house.named:
        said = say(
            "{file} doesn't exist, so there are no tables. If they are elsewhere, name their file with --data. "
            "To begin a house in this one: {command}",
            file=file,
            command=shlex.join(["pubdice", "serve", "--data", str(file)]),
        )
        return Finding(Urgency.WRONG, said), 0
    if not file.exists():
        return Finding(Urgency.FINE, say("There are no tables yet. The house that opens makes {file}.", file=file)), 0
    try:
        with closing(connection(file, plain, WITHIN_S, writes=False)) as db:
            found = version(db, file)
            number, newest = db.execute("SELECT count(*), max(updated) FROM tables").fetchone() if found else (0, 0)
    except NotStored as error:
        return Finding(Urgency.WRONG, house.trouble(error)), 0
    except sqlite3.Error as error:
        return Finding(Urgency.WRONG, house.trouble(not_stored("store-unreadable", file, error))), 0
    if not found:
        return Finding(Urgency.LOOK, say("{file} is empty. The house that opens makes its tables in it.", file=file)), 0
    if found < len(VERSIONS):
        said = say(
            "An older pubdice wrote {file}. This one brings it up to date as it opens, and the older one can't read it "
            "then: take a backup first.",
            file=file,
        )
        return Finding(Urgency.LOOK, said), newest or 0
    one, many = "{file} can be read, and has {number} table.", "{file} can be read, and has {number} tables."
    return Finding(Urgency.FINE, house.language.count(one, many, number, file=file)), newest or 0
