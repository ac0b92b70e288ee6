"""The house as one of several processes serves it. Its tables take in the lines that other processes store."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from pubdice.core.errors import NotStored
from pubdice.room import Room
from pubdice.server.replay import Loaded
from pubdice.server.table.actor import TableActor
from pubdice.server.table.house import AGAIN_S, MOST_LOADS, House
from pubdice.server.table.house_config import HouseConfig
from pubdice.store.writer import Entry
from pubdice_cluster.replication import Cluster, Replication
from pubdice_cluster.shared_log import SharedLog
from pubdice_cluster.shared_table import SharedTable


class SharedHouse(House):
    """All tables of one database, as this process has them in memory. The object lives in one event loop."""

    def __init__(self, config: HouseConfig, cluster: Cluster) -> None:
        def told(entry: Entry) -> None:
            cluster.wakeups.tell(entry.table, entry.seen + len(entry.lines))

        super().__init__(replace(config, clock=cluster.clock, grown=told))
        self.replication = Replication(
            cluster,
            config.read,
            self.background,
            self.find,
            self.process,
            now=self.now,
            log=config.event_log.write,
        )
        if self.services.trace is not None:
            self.services.trace.node = self.replication.me
        self._following = asyncio.ensure_future(self.replication.run())

    async def find(self, code: str, *, current: bool = False) -> TableActor | None:
        """Return the actor of a table, as ``House.find``. If the table is in memory, it first takes in the lines of
        other processes. Raises NotStored if the log keeps differing from memory. If ``current``, also raises NotStored
        if reading the log took too long.
        """
        for _ in range(MOST_LOADS):
            loads = code not in self.actors and code not in self._loading
            actor = await super().find(code)
            if loads or not isinstance(actor, SharedTable):
                return actor
            seen = await actor.catch_up()
            if self.actors.get(code) is actor:
                if current and not seen:
                    raise NotStored("store-unreadable", wait_s=AGAIN_S)
                return actor
            # The log differed from memory, so the next loop loads the table again.
        raise NotStored("store-unreadable", wait_s=AGAIN_S)

    def _served(self, code: str, number: int, room: Room, loaded: Loaded, asker: str) -> SharedTable:
        links = self.replication.links
        log = SharedLog(self._commit, self.store, number, self.read, links.neighbours)
        return SharedTable(code, room, loaded, log, self.services, asker=asker, links=links)

    async def leave(self, wait: Callable[[float], Awaitable[object]]) -> None:
        """Leave the tables to the other processes before this one stops."""
        await self.replication.drain(wait)

    async def close(self) -> None:
        """Stop following the other processes, and close the house, as ``House.close``."""
        self._following.cancel()
        await super().close()
