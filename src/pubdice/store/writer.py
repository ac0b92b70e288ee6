"""Appends to logs, and the one thread that writes. All waiting jobs become one transaction, synced before any callback.

This is group commit. The thread handles queues, transactions and failed commits, and knows nothing of the content. An
append and its outcome are the same in every database.

An append has three forms on its way to the disk. ``Append`` (``server.table.commit``) is an entry in the event loop. If
its table got "not-known" before the outcome came, its second callback gets the outcome. ``Entry`` is the content to
store. ``Job`` is any write in the thread's queue, with the one callback for its outcome.
"""

import json
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from errno import ETIMEDOUT
from functools import partial
from typing import Any, Protocol

from pubdice.core.errors import NotStored
from pubdice.core.frozen import quick
from pubdice.store.deadline import Deadline

SUMMARY_COLUMNS = ("stage", "listed", "updated", "game", "names")
"""The columns of the SQL table ``tables`` that a ``TableSummary`` fills."""


OPENER, OPENED = "table opener", b'{"seq":0}'
"""``OPENER`` is the key of a log's first append, and ``OPENED`` is its answer.

The body under this key identifies the person who opened the table. All other keys begin with a person, so none can be
the same. The answer has a number of events, as every answer does.
"""


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table's row for lists, with its search keys. It is stored beside the log, so a list need not read logs."""

    stage: str
    listed: bool
    updated: int  # ms since 1970
    people: tuple[str, ...] = ()  # people to add to those who have sat at the table
    game: str = ""
    names: tuple[str, ...] = ()  # the names at all seats, "" for an empty seat

    def __post_init__(self) -> None:
        check_text(self.stage, *self.people, self.game, *self.names)


@dataclass(frozen=True, slots=True)
class Entry:
    """An append: lines to add to a table's log of exactly ``seen`` lines."""

    table: int
    seen: int
    lines: tuple[str, ...]
    # an idempotency key, "person key"; if several entries have the same key, only the first is stored
    key: str | None = None
    answer: bytes = b""  # the answer to store under the key
    summary: TableSummary | None = None  # None keeps the table's row in lists
    body: bytes = b""  # a hash of the request; the same key with another hash is refused

    def __post_init__(self) -> None:
        check_text(*self.lines, self.key or "")


@dataclass(frozen=True, slots=True)
class Stored:
    """The outcome of an entry that is on the disk. The log now has ``seq`` lines."""

    seq: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """The outcome of an entry whose idempotency key was used earlier, with the answer from then.

    Nothing was stored now.
    """

    answer: bytes
    body: bytes = b""


def is_same(kept: bytes, body: bytes) -> bool:
    """Return True if two requests under one key may be the same.

    Their hashes must be equal. If an older version stored a hash of another length, they cannot be compared.
    """
    return len(kept) != len(body) or kept == body


Outcome = Stored | Repeated | NotStored


def row_of(summary: TableSummary) -> tuple[object, ...]:
    """Return the values of a summary, in the order of ``SUMMARY_COLUMNS``."""
    return (
        summary.stage,
        summary.listed,
        summary.updated,
        summary.game,
        json.dumps(summary.names, ensure_ascii=False),
    )


def check_text(*texts: str) -> None:
    """Raise UnicodeEncodeError for a lone surrogate.

    In SQL it would stop a whole group of writes, not just one entry.
    """
    "".join(texts).encode()


MOST = 512
"""The most jobs in one item of the queue. A transaction has fewer than twice as many."""
END_WITHIN_S = 5.0
"""The seconds that ``close`` waits if the disk does not answer."""


class OpenTransaction(Protocol):
    """The transaction of a group of writes, as a write task sees it."""

    def execute(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Run SQL that SQLite and PostgreSQL both understand, with a question mark for each value. Return its rows."""

    def insert_log(self, entry: Entry) -> None:
        """Add an entry to a table's log, without any check."""

    def lock(self, name: str) -> None:
        """Lock this name until the transaction ends. Other processes that lock it wait meanwhile."""


WriteTask = Callable[[OpenTransaction], object]
"""Any write that is not an entry. It runs in the group's transaction.

It may raise NotStored only before it has written.
"""
Write = Entry | WriteTask
OnOutcome = Callable[[Any], object]
LoopCall = Callable[[Callable[[], None]], object]
"""The type of the method ``call_soon_threadsafe`` of an event loop."""


@quick
@dataclass(frozen=True, slots=True)
class Job:
    """A write, and the callback for its outcome. If ``loop_call`` is None, the callback runs in the writer's thread."""

    work: Write
    done: OnOutcome
    loop_call: LoopCall | None = None


class Writer(Protocol):
    """A writer of jobs, in the order of their submission. ``has_thread`` is True if it has a thread for that."""

    has_thread: bool

    def submit(self, *jobs: Job) -> None:
        """Submit jobs. Each callback gets the outcome once the job is on the disk, or has failed.

        Jobs that are submitted together, up to ``MOST``, are in one transaction.
        """

    def ask(self, work: Write) -> Any:
        """Submit one job, wait, and return its outcome. Raise NotStored if it is refused."""

    def close(self) -> None:
        """Write the waiting jobs and end. Raise NotStored("store-unwritable") if the disk does not answer."""


class Transactions(Protocol):
    """The connection that writes to a database, and its transactions."""

    def write(self, works: Sequence[Write]) -> Sequence[object]:
        """Return the outcome of each write.

        A group is written whole or not at all, so a failed commit fails all of them.
        """

    def unwritable(self, error: Exception, work: Write | None = None) -> NotStored:
        """Return the error for a write that did not reach the disk."""

    def abandon(self) -> None:
        """Roll back an uncommitted transaction after a fault in ``write`` itself.

        The next group starts a new transaction.
        """

    def close(self) -> None:
        """Close the connection. Later writes fail."""


class ThreadWriter:
    """A writer with a thread of its own."""

    has_thread = True

    def __init__(self, transactions: Transactions, ending: Deadline | None = None) -> None:
        """Start the thread. ``ending`` is the deadline for the end of the process."""
        self._transactions, self._ending = transactions, ending or Deadline()
        self._jobs: queue.SimpleQueue[Sequence[Job]] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        # A daemon, or a disk that hangs in a sync would keep the process alive after ``close`` has given up.
        self._thread = threading.Thread(target=self._run, name="pubdice-writer", daemon=True)
        self._thread.start()

    def submit(self, *jobs: Job) -> None:
        """Queue jobs, as in ``Writer``. Jobs that are submitted together wake the thread once."""
        with self._gate:
            if not self._closed:
                # Pieces of up to MOST jobs keep a thousand writes of one caller from delaying a player's move.
                for at in range(0, len(jobs), MOST):
                    self._jobs.put(jobs[at : at + MOST])
                return
        tell(jobs, after_the_end(self._transactions, [job.work for job in jobs]))

    def ask(self, work: Write) -> Any:
        """Submit one job, wait, and return its outcome. Raise NotStored if it is refused."""
        outcomes: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.submit(Job(work, outcomes.put))
        return checked(outcomes.get())

    def close(self) -> None:
        """Write the waiting jobs and end. Raise NotStored("store-unwritable") if the disk does not answer."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(())
        # This is outside the lock, because the thread's last callbacks can submit, and would wait for the lock.
        self._thread.join(self._ending.left(END_WITHIN_S))
        if self._thread.is_alive():
            raise self._transactions.unwritable(TimeoutError(ETIMEDOUT, "the disk does not answer"))

    def _run(self) -> None:
        while jobs := self._next_group():
            tell(jobs, outcomes_of(self._transactions, [job.work for job in jobs]))
        self._transactions.close()

    def _next_group(self) -> list[Job]:
        """Return the jobs waiting in the queue, fewer than twice ``MOST``. Wait for the first.

        Return [] once closed.
        """
        jobs: list[Job] = []
        submitted = self._jobs.get()
        with suppress(queue.Empty):
            while submitted:
                jobs += submitted
                # Checked after the addition, so no submission is split. A group has fewer than twice ``MOST``.
                if len(jobs) >= MOST:
                    return jobs
                # No wait for more jobs. While one group syncs, the next jobs queue up. So groups grow under load, and a
                # lone move has no delay.
                submitted = self._jobs.get_nowait()
            if jobs:
                self._jobs.put(())  # the writer was closed: end after these jobs
        return jobs


def outcomes_of(transactions: Transactions, works: Sequence[Write]) -> Sequence[object]:
    """Return the outcome of each write, even after an unexpected error.

    ``write`` itself handles database errors. Any other exception there, even SystemExit, would end the only thread that
    writes. Each command of the house would then wait 8 s in vain, until a restart. After such an exception the outcome
    is unknown, so each write gets "not-known". If clients repeat the commands under the same keys, they count once.
    """
    try:
        return transactions.write(works)
    # SystemExit and KeyboardInterrupt are caught too, because no other thread writes.
    except BaseException:  # noqa: BLE001 - whatever it is, the next group has to be written
        report_fault()
        try:
            transactions.abandon()
        except BaseException:  # noqa: BLE001 - as above
            report_fault()
        return [NotStored("not-known") for _ in works]


def report_fault() -> None:
    """Pass the current exception to threading's hook. By default the hook prints the traceback."""
    with suppress(BaseException):
        threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))


def after_the_end(transactions: Transactions, works: Sequence[Write]) -> Sequence[object]:
    """Return the outcomes of writes that were submitted after the writer was closed."""
    return [transactions.unwritable(ValueError("closed"), work) for work in works]


def checked(outcome: object) -> object:
    """Return the outcome. If it is a refusal, raise it."""
    if isinstance(outcome, NotStored):
        raise outcome
    return outcome


def tell(jobs: Sequence[Job], outcomes: Sequence[object]) -> None:
    """Call the callbacks of a group. Each event loop is woken once for all of its callbacks."""
    loops: dict[LoopCall | None, list[tuple[OnOutcome, object]]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        # Each loop is woken once, not once an outcome: a wake-up is a system call, and a group has up to twice ``MOST``
        # jobs.
        loops.setdefault(job.loop_call, []).append((job.done, outcome))
    for loop_call, callbacks in loops.items():
        if loop_call is None:
            _call_all(callbacks)
        else:
            try:
                loop_call(partial(_call_all, callbacks))
            except RuntimeError:
                pass  # the event loop is closed, so no caller waits
            except BaseException:  # noqa: BLE001 - as in ``_call_all``
                report_fault()


def _call_all(callbacks: Sequence[tuple[OnOutcome, object]]) -> None:
    for done, outcome in callbacks:
        try:
            done(outcome)
        except BaseException:  # noqa: BLE001 - an error in one callback must not keep the others from being called
            report_fault()
