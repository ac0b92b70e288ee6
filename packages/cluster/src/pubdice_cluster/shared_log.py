"""The log of a table that other processes of the house write, too."""

from pubdice.server.table.commit import GroupCommit, Key, Reads, TableLog, await_commit
from pubdice.store.house_store import HouseStore
from pubdice_cluster.neighbours import Neighbours


class SharedLog(TableLog):
    """A table's log, with the node that wrote its last line: its leader."""

    def __init__(self, commit: GroupCommit, store: HouseStore, table: int, read: Reads, neighbours: Neighbours) -> None:
        super().__init__(commit, store, table, read)
        self._neighbours, self.leader = neighbours, 0

    async def answer(self, key: Key) -> bytes | None:
        """As ``TableLog.answer``; an answer found is as sure as a commit, also after a failover."""
        found = await super().answer(key)
        if found is not None:
            # A read can see rows that a failover will lose. A commit behind them is confirmed only with them.
            await await_commit(self._store.submit_confirming)
        return found

    def wait_ms(self) -> int:
        """The delay of this process after something is due: see ``Neighbours``."""
        return self._neighbours.wait_ms(self.table, self.leader)
