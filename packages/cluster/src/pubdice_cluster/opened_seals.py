"""The seals that were opened, in the database of all processes of a house.

An older copy of the database holds fewer opened seals, so keep the table as it is when you put one back: save it before
by ``pg_dump --data-only --table=opened_seals``, and add its rows after.
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
"""The oldest transaction under way, as the number of no chain; and what was noted from such a transaction on.

Times and numbers of rows would miss some: of two transactions the one that begins first may end last.
"""
NOTE = (
    "INSERT INTO opened_seals (chain, number) SELECT ?, ? WHERE NOT EXISTS"
    " (SELECT 1 FROM opened_seals WHERE chain = ? AND number >= ?)"
)


class OpenedSealsTables:
    """The opened seals of a cluster. Of each chain the last one counts, as earlier seeds follow from it.

    All are in memory. The event loop asks and notes; ``refresh`` may run in a thread. NotStored("store-unreadable").
    """

    def __init__(self, store: PostgresStore) -> None:
        self._store, self._changing = store, threading.Lock()
        self._last: dict[str, int] = {}
        self._unwritten: dict[str, int] = {}
        self._from = 0
        self.refresh()

    def is_opened(self, seal: Seal) -> bool:
        """True if this seal, or a later one of its chain, was opened; by another house, as far as that is known."""
        return seal.number <= self._last.get(seal.chain, 0)

    def note(self, seal: Seal) -> None:
        """Note it, once, and have it written soon. A note that cannot be written waits for the next ``refresh``."""
        with self._changing:
            if self.is_opened(seal):
                return
            self._last[seal.chain] = seal.number
        self._write(seal.chain, seal.number)

    def refresh(self) -> None:
        """Read what other houses have noted since the last time. NotStored("store-unreadable")."""
        found = dict(self._store.rows(NEWS, (self._from,)))
        if found[None] < self._from:  # an older copy of the database was put back
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
