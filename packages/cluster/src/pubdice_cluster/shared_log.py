"""The log of a table that several processes write."""

from pubdice.server.table.commit import GroupCommit, Key, Reads, TableLog, await_commit
from pubdice.store.house_store import HouseStore
from pubdice_cluster.neighbours import Neighbours


class SharedLog(TableLog):
    """A table's log, with its leader: the node that wrote the last line."""

    def __init__(self, commit: GroupCommit, store: HouseStore, table: int, read: Reads, neighbours: Neighbours) -> None:
        super().__init__(commit, store, table, read)
        self._neighbours, self.leader = neighbours, 0

    async def answer(self, key: Key) -> bytes | None:
        """The stored answer of a key, as ``TableLog.answer``. It is as durable as a commit, even after a failover."""
        found = await super().answer(key)
        if found is not None:
            # A read can see rows that a failover would lose. A later commit is confirmed only together with them.
            await await_commit(self._store.submit_confirming)
        return found

    def wait_ms(self) -> int:
        """The delay of this process after something is due (see ``Neighbours``)."""
        return self._neighbours.wait_ms(self.table, self.leader)
