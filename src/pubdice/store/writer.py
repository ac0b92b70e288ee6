"""The one thread that writes: it takes all that waits, makes it one transaction, and tells everybody once it is synced.

Knows queues, transactions and what to do when a commit fails; nothing of what is written.
"""

import queue
import sqlite3
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from errno import ETIMEDOUT
from functools import partial
from pathlib import Path
from typing import Any

from pubdice.store.group import Entry, write_entries
from pubdice.store.log import NotStored
from pubdice.store.schema import commit_nothing, damaged, not_stored

MOST = 512
"""Works of one transaction."""
END_WITHIN_S = 5.0
"""How long a disk that does not answer is waited for at the end."""

Errand = Callable[[sqlite3.Connection], object]
"""Anything else to be written: returns its outcome, or raises NotStored before it has written."""

Done = Callable[[Any], object]
Via = Callable[[Callable[[], None]], object]


@dataclass(frozen=True, slots=True)
class Job:
    """A work, who is told its outcome, and by which way (None: by the writer's own thread)."""

    work: Entry | Errand
    done: Done
    via: Via | None = None


class Writer:
    """Writes what is submitted, in order, on a thread of its own."""

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection]) -> None:
        self._path = path
        self._connect = connect
        self._db: sqlite3.Connection | None = connect()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="pubdice-writer", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job. Its outcome is told once it is on the disk, or will never be."""
        with self._gate:
            if not self._closed:
                self._jobs.put(job)
                return
        _tell([job], [self._unwritable(sqlite3.ProgrammingError("closed"), job.work)])

    def ask(self, work: Entry | Errand) -> Any:
        """Submit, and wait for the outcome; a refusal is raised."""
        outcomes: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.submit(Job(work, outcomes.put))
        outcome = outcomes.get()
        if isinstance(outcome, NotStored):
            raise outcome
        return outcome

    def close(self) -> None:
        """Write what waits, and end. NotStored("store-unwritable") if the disk does not answer."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join(END_WITHIN_S)
        if self._thread.is_alive():
            raise not_stored("store-unwritable", self._path, TimeoutError(ETIMEDOUT, "the disk does not answer"))

    def _run(self) -> None:
        while jobs := self._waiting():
            _tell(jobs, self._write(jobs))
        self._drop()

    def _waiting(self) -> list[Job]:
        """The first job to come and all that wait behind it; none at the end."""
        jobs: list[Job] = []
        job = self._jobs.get()
        with suppress(queue.Empty):
            while job is not None:
                jobs.append(job)
                if len(jobs) == MOST:
                    return jobs
                job = self._jobs.get_nowait()
            if jobs:
                self._jobs.put(None)  # the end, for when these are written
        return jobs

    def _write(self, jobs: Sequence[Job]) -> Sequence[object]:
        """What becomes of each. All or nothing of a group is written: a commit that fails, fails them all.

        Where the file is damaged each is tried alone, so that one damaged log stops nobody at other tables.
        """
        try:
            db = self._healthy()
            db.execute("BEGIN IMMEDIATE")
            outcomes = _written(db, jobs)
            db.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait are told
            if self._db is not None:
                self._drop()
                with suppress(sqlite3.Error):
                    self._healthy()
            if damaged(error) and len(jobs) > 1:
                return [outcome for job in jobs for outcome in self._write([job])]
            return [self._unwritable(error, job.work) for job in jobs]
        return outcomes

    def _healthy(self) -> sqlite3.Connection:
        """The connection; after a failure a new one, once the disk works again.

        A commit whose sync failed may have left its frames, whole, in the write-ahead log, where they would be found
        after a power cut, though everybody was told that they are not stored. One commit more, of nothing, is written
        over them: what follows it belongs to another chain of checksums.
        """
        if self._db is None:
            db = self._connect()
            try:
                commit_nothing(db)
            except sqlite3.Error:
                db.close()
                raise
            self._db = db
        return self._db

    def _drop(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db = None

    def _unwritable(self, error: Exception, work: Entry | Errand) -> NotStored:
        if damaged(error) and isinstance(work, Entry):
            return NotStored("log-damaged", table=work.table, line=0, reason=str(error))
        return not_stored("store-unwritable", self._path, error)


def _written(db: sqlite3.Connection, jobs: Sequence[Job]) -> list[object]:
    """The outcomes of all entries, written together, and of the errands, one after the other."""
    entries = iter(write_entries(db, [job.work for job in jobs if isinstance(job.work, Entry)]))
    return [next(entries) if isinstance(job.work, Entry) else _run_errand(db, job.work) for job in jobs]


def _run_errand(db: sqlite3.Connection, errand: Errand) -> object:
    try:
        return errand(db)
    except NotStored as refusal:
        return refusal


def _tell(jobs: Sequence[Job], outcomes: Sequence[object]) -> None:
    """Every way is taken once, for all of the group that go by it."""
    ways: dict[Via | None, list[tuple[Done, object]]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        ways.setdefault(job.via, []).append((job.done, outcome))
    for via, told in ways.items():
        if via is None:
            _call(told)
        else:
            with suppress(RuntimeError):  # an event loop that was closed: nobody waits there any more
                via(partial(_call, told))


def _call(told: Sequence[tuple[Done, object]]) -> None:
    for done, outcome in told:
        try:
            done(outcome)
        except Exception:  # noqa: BLE001 - a fault of one who is told is no reason not to tell the others
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
