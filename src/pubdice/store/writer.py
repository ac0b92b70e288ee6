"""The one thread that writes, by group commit: all waiting jobs become one transaction, synced before any callback.

Knows queues, transactions and what to do when a commit fails; nothing of what the jobs write.
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
from typing import Any, Protocol

from pubdice.core.errors import NotStored
from pubdice.store.entries import Entry, Stored
from pubdice.store.group import insert_decided, insert_expected, write_summaries
from pubdice.store.schema import commit_nothing, damaged, not_stored

MOST = 512
"""A group of so many jobs waits for no more; and of one submission no more come in one piece."""
END_WITHIN_S = 5.0
"""How long ``close`` waits for a disk that does not answer."""

WriteTask = Callable[[sqlite3.Connection], object]
"""Any write but an entry: runs SQL within the group's transaction and returns its outcome, or raises NotStored before
it has written.
"""
Write = Entry | WriteTask
OnOutcome = Callable[[Any], object]
LoopCall = Callable[[Callable[[], None]], object]
"""``call_soon_threadsafe`` of an event loop."""
ConnectWriting = Callable[[], sqlite3.Connection]
"""Makes the connection that writes."""


@dataclass(frozen=True, slots=True)
class Job:
    """A write, and the callback for its outcome. loop_call: None calls it in the writer's thread."""

    work: Write
    done: OnOutcome
    loop_call: LoopCall | None = None


class Writer(Protocol):
    """Writes jobs in the order of their submission."""

    @property
    def shared(self) -> Callable[[], sqlite3.Connection] | None:
        """Gives its connection to those who read on the thread that writes; None where that is a thread of its own."""

    def submit(self, *jobs: Job) -> None:
        """Have jobs written. Each callback hears the outcome once the job is on the disk, or never will be.

        Jobs submitted together, up to ``MOST``, are in one transaction.
        """

    def ask(self, work: Write) -> Any:
        """Submit one job, and wait for its outcome. Raises NotStored."""

    def close(self) -> None:
        """Write what waits, and end. NotStored("store-unwritable") if the disk does not answer."""


class Transactions:
    """The connection that writes, and its transactions. Raises what ``connect`` raises.

    A commit whose sync failed may have left its frames, whole, in the write-ahead log. SQLite would find them there
    after a power cut, though every client was told that they are not stored. So before anything else an empty commit
    is written over them: frames after it belong to another chain of checksums, and SQLite ignores them.
    """

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection], *, alone: bool = False) -> None:
        """alone: the connection has the file to itself (``schema.exclusive``), and goes on after a failure.

        Another one would read the log from the disk, and so take those frames for stored; and on a full disk, where
        the empty commit fails too, nobody could read.
        """
        self._path, self._connect, self._alone = path, connect, alone
        self._db: sqlite3.Connection | None = connect()
        self._failed = False

    def write(self, works: Sequence[Write]) -> Sequence[object]:
        """The outcome of each write. A group is written whole or not at all: a commit that fails, fails all of them.

        If the file is damaged each is tried alone, so that one damaged log stops nobody at other tables.
        """
        try:
            return _write_group(self._ready(), works)
        except Exception as error:  # noqa: BLE001 - whatever it is, every write gets an outcome
            if not self._failed:
                self._fail()
            if damaged(error) and len(works) > 1:
                return [outcome for work in works for outcome in self.write([work])]
            return [self.unwritable(error, work) for work in works]

    def connection(self) -> sqlite3.Connection:
        """The connection, for reading what is committed; a new one if there is none."""
        if self._db is None:
            self._db = self._connect()
        return self._db

    def _ready(self) -> sqlite3.Connection:
        """The connection, for writing; after a failure once the disk works again."""
        db = self.connection()
        if self._failed:
            try:
                db.rollback()  # a connection that goes on still has what failed; a new one has nothing
                commit_nothing(db)
            except Exception:
                if not self._alone:
                    self.close()
                raise
            self._failed = False
        return db

    def _fail(self) -> None:
        """Undo what failed, and write over it. Raises nothing: if the thread ended here, every job would wait."""
        self._failed = True
        with suppress(Exception):
            if not self._alone:
                self.close()
            self._ready()

    def close(self) -> None:
        """Close the connection; the next write makes another."""
        db, self._db = self._db, None
        if db is not None:
            with suppress(sqlite3.Error):
                db.close()

    def unwritable(self, error: Exception, work: Write) -> NotStored:
        """Why a write did not reach the disk."""
        if damaged(error) and isinstance(work, Entry):
            return NotStored("log-damaged", table=work.table, line=0, reason=str(error))
        return not_stored("store-unwritable", self._path, error)


class ThreadWriter:
    """Writes on a thread of its own."""

    shared = None

    def __init__(self, path: Path, connect: ConnectWriting) -> None:
        self._path = path
        self._transactions = Transactions(path, connect)
        self._jobs: queue.SimpleQueue[Sequence[Job]] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="pubdice-writer", daemon=True)
        self._thread.start()

    def submit(self, *jobs: Job) -> None:
        """Queue jobs. Each callback hears the outcome once the job is on the disk, or never will be.

        Jobs submitted together, up to ``MOST``, are in one transaction and wake the thread once.
        """
        with self._gate:
            if not self._closed:
                for at in range(0, len(jobs), MOST):
                    self._jobs.put(jobs[at : at + MOST])
                return
        tell(jobs, after_the_end(self._transactions, [job.work for job in jobs]))

    def ask(self, work: Write) -> Any:
        """Submit one job, and wait for its outcome. Raises NotStored."""
        outcomes: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.submit(Job(work, outcomes.put))
        return checked(outcomes.get())

    def close(self) -> None:
        """Write what waits, and end. NotStored("store-unwritable") if the disk does not answer."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(())
        self._thread.join(END_WITHIN_S)
        if self._thread.is_alive():
            raise not_stored("store-unwritable", self._path, TimeoutError(ETIMEDOUT, "the disk does not answer"))

    def _run(self) -> None:
        while jobs := self._next_group():
            tell(jobs, self._transactions.write([job.work for job in jobs]))
        self._transactions.close()

    def _next_group(self) -> list[Job]:
        """The first jobs to come and those that wait behind them, fewer than twice MOST; none once closed."""
        jobs: list[Job] = []
        submitted = self._jobs.get()
        with suppress(queue.Empty):
            while submitted:
                jobs += submitted
                if len(jobs) >= MOST:
                    return jobs
                submitted = self._jobs.get_nowait()
            if jobs:
                self._jobs.put(())  # the writer was closed: end after these
        return jobs


def _write_group(db: sqlite3.Connection, works: Sequence[Write]) -> Sequence[object]:
    """Commit all works in one transaction: their outcomes. Entries are written first, then the tasks, in order.

    Entries at different tables, without summaries, are one INSERT, which is its own transaction; anything else goes
    between BEGIN and COMMIT.
    """
    entries = [work for work in works if isinstance(work, Entry)]
    only_moves = len(entries) == len(works) and all(entry.summary is None for entry in entries)
    if only_moves and (stored := insert_expected(db, entries)) is not None:
        return stored
    db.execute("BEGIN IMMEDIATE")
    stored = None if only_moves else insert_expected(db, entries)
    entry_outcomes = insert_decided(db, entries) if stored is None else stored
    accepted = [entry for entry, outcome in zip(entries, entry_outcomes, strict=True) if isinstance(outcome, Stored)]
    write_summaries(db, [(entry.table, entry.summary) for entry in accepted if entry.summary is not None])
    remaining = iter(entry_outcomes)
    outcomes = [next(remaining) if isinstance(work, Entry) else _run_task(db, work) for work in works]
    db.execute("COMMIT")
    return outcomes


def _run_task(db: sqlite3.Connection, task: WriteTask) -> object:
    try:
        return task(db)
    except NotStored as refusal:
        return refusal


def after_the_end(transactions: Transactions, works: Sequence[Write]) -> Sequence[object]:
    """The outcomes of writes that came after the end."""
    return [transactions.unwritable(sqlite3.ProgrammingError("closed"), work) for work in works]


def checked(outcome: object) -> object:
    """An outcome, raised if it is a refusal."""
    if isinstance(outcome, NotStored):
        raise outcome
    return outcome


def tell(jobs: Sequence[Job], outcomes: Sequence[object]) -> None:
    """Call the callbacks of a group; each event loop is woken once for all of its callbacks."""
    loops: dict[LoopCall | None, list[tuple[OnOutcome, object]]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        loops.setdefault(job.loop_call, []).append((job.done, outcome))
    for loop_call, callbacks in loops.items():
        if loop_call is None:
            _call_all(callbacks)
        else:
            with suppress(RuntimeError):  # an event loop that was closed: nobody waits there any more
                loop_call(partial(_call_all, callbacks))


def _call_all(callbacks: Sequence[tuple[OnOutcome, object]]) -> None:
    for done, outcome in callbacks:
        try:
            done(outcome)
        except Exception:  # noqa: BLE001 - an error in one callback must not keep the others from being called
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
