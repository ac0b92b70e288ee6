"""The log of a table that several processes write to."""

from pubdice.server.table.commit import GroupCommit, Key, Reads, TableLog, await_commit
from pubdice.store.house_store import HouseStore
from pubdice_cluster.neighbours import Neighbours


class SharedLog(TableLog):
    """The log of a table, with its leader: the node that wrote the last line."""

    def __init__(self, commit: GroupCommit, store: HouseStore, table: int, read: Reads, neighbours: Neighbours) -> None:
        super().__init__(commit, store, table, read)
        self._neighbours, self.leader = neighbours, 0

    async def answer(self, key: Key) -> bytes | None:
        """Return the stored answer for a key, as ``TableLog.answer``. The answer is as durable as a commit, even after
        a failover.
        """
        found = await super().answer(key)
        if found is not None:
            # A read can return rows that a failover would still lose. So commit a small write afterwards: once it is
            # confirmed, those rows are safe as well.
            await await_commit(self._store.submit_confirming)
        return found

    def wait_ms(self) -> int:
        """Return how many milliseconds this process waits after a timer is due (see ``Neighbours``)."""
        return self._neighbours.wait_ms(self.table, self.leader)
