"""A writer without a thread: each submission is one transaction, written before ``submit`` returns."""

from typing import Any

from pubdice.store.writer import MOST, Job, Transactions, Write, after_the_end, checked, outcomes_of, tell


class DirectWriter:
    """A writer in the caller's thread. A browser's Python needs it, because it has no threads."""

    has_thread = False

    def __init__(self, transactions: Transactions) -> None:
        self._transactions, self._closed = transactions, False

    def submit(self, *jobs: Job) -> None:
        """Write jobs, and call their callbacks, before returning."""
        for at in range(0, len(jobs), MOST):
            group = jobs[at : at + MOST]
            works = [job.work for job in group]
            written = after_the_end if self._closed else outcomes_of
            tell(group, written(self._transactions, works))

    def ask(self, work: Write) -> Any:
        """Write one job, and return its outcome. Raise NotStored if it is refused."""
        outcomes: list[object] = []
        self.submit(Job(work, outcomes.append))
        return checked(outcomes[0])

    def close(self) -> None:
        """Close the database. Later writes are refused."""
        self._closed = True
        self._transactions.close()
