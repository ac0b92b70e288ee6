"""The list of opened seals (of sealed dice) of a cluster, in its database.

An older copy of the database knows fewer opened seals. So keep the newest list when you restore an older copy: save it
first with ``pg_dump --data-only --table=opened_seals``, and add its rows afterwards.
"""

import threading
from functools import partial

from pubdice.core.errors import NotStored
from pubdice.core.seal import Seal
from pubdice.store.writer import OpenTransaction
from pubdice_cluster.store import PostgresStore

NEWS = (
    "SELECT NULL, pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
    " UNION ALL SELECT chain, max(number) FROM opened_seals WHERE noted >= ? GROUP BY chain"
)
"""A query for the seals that a given transaction or a later one has noted: the last seal of each chain. The row without
a chain has the oldest running transaction. The next query begins with it. Times or row numbers in place of transactions
would miss some seals, since a transaction that begins first may commit last.
"""
NOTE = (
    "INSERT INTO opened_seals (chain, number) SELECT ?, ? WHERE NOT EXISTS"
    " (SELECT 1 FROM opened_seals WHERE chain = ? AND number >= ?)"
)


class OpenedSealsTables:
    """The opened seals of a cluster, kept in memory.

    Only the last opened seal of each chain is kept, because the seeds of all earlier ones follow from its seed. The
    event loop reads and notes seals. ``refresh`` may run in a thread. Raises NotStored("store-unreadable").
    """

    def __init__(self, store: PostgresStore) -> None:
        self._store, self._changing = store, threading.Lock()
        self._last: dict[str, int] = {}
        self._unwritten: dict[str, int] = {}
        self._from = 0
        self.refresh()

    def is_opened(self, seal: Seal) -> bool:
        """Return True if this seal, or a later seal of its chain, is known to be opened."""
        return seal.number <= self._last.get(seal.chain, 0)

    def note(self, seal: Seal) -> None:
        """Note a seal as opened, and queue the write. If the write fails, the next ``refresh`` tries it again."""
        with self._changing:
            if self.is_opened(seal):
                return
            self._last[seal.chain] = seal.number
        self._write(seal.chain, seal.number)

    def refresh(self) -> None:
        """Read the seals that other houses have noted since the last call. Raises NotStored("store-unreadable")."""
        found = dict(self._store.rows(NEWS, (self._from,)))
        if found[None] < self._from:  # true after an older copy of the database was restored
            found = dict(self._store.rows(NEWS, (0,)))
        self._from = found.pop(None)
        with self._changing:
            for chain, number in found.items():
                self._last[chain] = max(number, self._last.get(chain, 0))
            unwritten, self._unwritten = self._unwritten, {}
        for chain, number in unwritten.items():
            self._write(chain, number)

    def _write(self, chain: str, number: int) -> None:
        def note(work: OpenTransaction) -> None:
            work.execute(NOTE, (chain, number, chain, number))

        self._store.submit_task(note, partial(self._written, chain, number))

    def _written(self, chain: str, number: int, outcome: object) -> None:
        with self._changing:
            if isinstance(outcome, NotStored):
                self._unwritten[chain] = max(number, self._unwritten.get(chain, 0))
