"""Appends to logs, and the one thread that writes: all waiting jobs become one transaction, synced before any callback.

So it is group commit. The thread knows queues, transactions and what to do when a commit fails; nothing of what the
jobs write. An append, and what became of it, are the same in every database.

An append has three forms on its way down. ``Entry`` is what is stored. ``Append`` (``server.table.commit``) is an entry
in the event loop, where its table may have heard "not-known" when the outcome comes: then the second callback hears it.
``Job`` is any write in the thread's queue, with the one callback that hears its outcome.
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
"""The columns of ``tables`` that a ``TableSummary`` fills."""


OPENER, OPENED = "table opener", b'{"seq":0}'
"""The key of a log's first append, whose body tells who opened the table, as keys of people begin with the person; and
its answer, which says as every answer how many events there were.
"""


@dataclass(frozen=True, slots=True)
class TableSummary:
    """The row of a table in lists, with its search keys: it stands beside the log, so that no list reads logs.

    updated: in ms since 1970. people: added to those who have sat there. names: of all seats, "" for an empty one.
    """

    stage: str
    listed: bool
    updated: int
    people: tuple[str, ...] = ()
    game: str = ""
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_text(self.stage, *self.people, self.game, *self.names)


@dataclass(frozen=True, slots=True)
class Entry:
    """An append: lines for a table's log, after its first ``seen`` lines.

    key: an idempotency key, a person and a key of theirs: of several entries with one key only the first is stored.
    answer: stored under the key. body: a hash of the request; the same key with another body is refused. summary: None
    leaves what lists say of the table as it is.
    """

    table: int
    seen: int
    lines: tuple[str, ...]
    key: str | None = None
    answer: bytes = b""
    summary: TableSummary | None = None
    body: bytes = b""

    def __post_init__(self) -> None:
        check_text(*self.lines, self.key or "")


@dataclass(frozen=True, slots=True)
class Stored:
    """The entry is on the disk; the log has ``seq`` lines now."""

    seq: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """An entry with this idempotency key was stored before, with this answer; nothing was stored now."""

    answer: bytes
    body: bytes = b""


def is_same(kept: bytes, body: bytes) -> bool:
    """True if two requests under one key may have the same body, by its hash.

    Earlier versions kept no hash, or one of another length: those cannot be compared and count as the same.
    """
    return len(kept) != len(body) or kept == body


Outcome = Stored | Repeated | NotStored


def row_of(summary: TableSummary) -> tuple[object, ...]:
    """The values of ``SUMMARY_COLUMNS``."""
    return (
        summary.stage,
        summary.listed,
        summary.updated,
        summary.game,
        json.dumps(summary.names, ensure_ascii=False),
    )


def check_text(*texts: str) -> None:
    """Raise UnicodeEncodeError for a lone surrogate: here it stops one entry, in SQL it would stop the whole group."""
    "".join(texts).encode()


MOST = 512
"""Maximum of jobs in a transaction, and in one item of the queue."""
END_WITHIN_S = 5.0
"""The time that ``close`` waits for a disk that does not answer."""


class OpenTransaction(Protocol):
    """A group's transaction, as write tasks see it."""

    def execute(self, query: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Run SQL that SQLite and PostgreSQL both understand; its rows. A question mark stands for each value."""

    def insert_log(self, entry: Entry) -> None:
        """Add an entry to a table's log, without any check."""

    def lock(self, name: str) -> None:
        """Lock this name until the transaction ends; other processes wait for it."""


WriteTask = Callable[[OpenTransaction], object]
"""Any write but an entry: runs within the group's transaction and returns its outcome, or raises NotStored before it
has written.
"""
Write = Entry | WriteTask
OnOutcome = Callable[[Any], object]
LoopCall = Callable[[Callable[[], None]], object]
"""``call_soon_threadsafe`` of an event loop."""


@quick
@dataclass(frozen=True, slots=True)
class Job:
    """A write, and the callback for its outcome. loop_call: None calls it in the writer's thread."""

    work: Write
    done: OnOutcome
    loop_call: LoopCall | None = None


class Writer(Protocol):
    """Writes jobs in the order of their submission. has_thread: true if it does so on a thread of its own."""

    has_thread: bool

    def submit(self, *jobs: Job) -> None:
        """Have jobs written. Each callback hears the outcome once the job is on the disk, or never will be.

        Jobs submitted together, up to ``MOST``, are in one transaction.
        """

    def ask(self, work: Write) -> Any:
        """Submit one job, and wait for its outcome. Raises NotStored."""

    def close(self) -> None:
        """Write what waits, and end. NotStored("store-unwritable") if the disk does not answer."""


class Transactions(Protocol):
    """The connection of a database that writes, and its transactions."""

    def write(self, works: Sequence[Write]) -> Sequence[object]:
        """The outcome of each write. A group is written whole or not at all: a commit that fails, fails all of them."""

    def unwritable(self, error: Exception, work: Write | None = None) -> NotStored:
        """Why a write did not reach the disk."""

    def abandon(self) -> None:
        """Undo what was begun and not committed, after a fault in ``write`` itself; the next group begins again."""

    def close(self) -> None:
        """Close the connection; nothing more is written."""


class ThreadWriter:
    """Writes on a thread of its own."""

    has_thread = True

    def __init__(self, transactions: Transactions, ending: Deadline | None = None) -> None:
        """ending: of the process."""
        self._transactions, self._ending = transactions, ending or Deadline()
        self._jobs: queue.SimpleQueue[Sequence[Job]] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        # A daemon: a disk that hangs in a sync would otherwise keep the process alive after ``close`` has given up.
        self._thread = threading.Thread(target=self._run, name="pubdice-writer", daemon=True)
        self._thread.start()

    def submit(self, *jobs: Job) -> None:
        """Queue jobs. Each callback hears the outcome once the job is on the disk, or never will be.

        Jobs submitted together, up to ``MOST``, are in one transaction and wake the thread once.
        """
        with self._gate:
            if not self._closed:
                # In pieces, so that one caller's thousand writes do not hold the disk while a player waits for one.
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
        # Outside the gate: the thread's last callbacks may submit, and would wait for it.
        self._thread.join(self._ending.left(END_WITHIN_S))
        if self._thread.is_alive():
            raise self._transactions.unwritable(TimeoutError(ETIMEDOUT, "the disk does not answer"))

    def _run(self) -> None:
        while jobs := self._next_group():
            tell(jobs, outcomes_of(self._transactions, [job.work for job in jobs]))
        self._transactions.close()

    def _next_group(self) -> list[Job]:
        """The first jobs to come and those that wait behind them, fewer than twice MOST; none once closed."""
        jobs: list[Job] = []
        submitted = self._jobs.get()
        with suppress(queue.Empty):
            while submitted:
                jobs += submitted
                # Checked after the addition: a submission is never split, so a group has fewer than twice ``MOST``.
                if len(jobs) >= MOST:
                    return jobs
                # No wait for more: while one group syncs, the next ones queue up, so groups grow by themselves under
                # load and a lone move pays no delay.
                submitted = self._jobs.get_nowait()
            if jobs:
                self._jobs.put(())  # the writer was closed: end after these
        return jobs


def outcomes_of(transactions: Transactions, works: Sequence[Write]) -> Sequence[object]:
    """The outcome of each write, even if something goes wrong.

    ``write`` itself answers for what a database does. Anything else raised there, SystemExit too, would end the one
    thread that writes, and each command of the house would wait 8 s for nothing until somebody restarts it. Nobody
    knows then what became of the group, so it is "not-known": asked again under their keys, its writes count once.
    """
    try:
        return transactions.write(works)
    # SystemExit and KeyboardInterrupt count too: the thread is the only one that writes.
    except BaseException:  # noqa: BLE001 - whatever it is, the next group has to be written
        report_fault()
        try:
            transactions.abandon()
        except BaseException:  # noqa: BLE001 - as above
            report_fault()
        return [NotStored("not-known") for _ in works]


def report_fault() -> None:
    """Tell threading's hook of the exception that is being handled: by default it prints the traceback."""
    with suppress(BaseException):
        threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))


def after_the_end(transactions: Transactions, works: Sequence[Write]) -> Sequence[object]:
    """The outcomes of writes that came after the end."""
    return [transactions.unwritable(ValueError("closed"), work) for work in works]


def checked(outcome: object) -> object:
    """An outcome, raised if it is a refusal."""
    if isinstance(outcome, NotStored):
        raise outcome
    return outcome


def tell(jobs: Sequence[Job], outcomes: Sequence[object]) -> None:
    """Call the callbacks of a group; each event loop is woken once for all of its callbacks."""
    loops: dict[LoopCall | None, list[tuple[OnOutcome, object]]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        # One wake-up a loop, and not one an outcome: each wake-up is a system call, and a group has up to twice
        # ``MOST`` jobs.
        loops.setdefault(job.loop_call, []).append((job.done, outcome))
    for loop_call, callbacks in loops.items():
        if loop_call is None:
            _call_all(callbacks)
        else:
            try:
                loop_call(partial(_call_all, callbacks))
            except RuntimeError:
                pass  # an event loop that was closed: nobody waits there any more
            except BaseException:  # noqa: BLE001 - as in ``_call_all``
                report_fault()


def _call_all(callbacks: Sequence[tuple[OnOutcome, object]]) -> None:
    for done, outcome in callbacks:
        try:
            done(outcome)
        except BaseException:  # noqa: BLE001 - an error in one callback must not keep the others from being called
            report_fault()
