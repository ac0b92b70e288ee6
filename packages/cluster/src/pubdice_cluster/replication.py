"""Replication: one process of a house among the others that serve it.

Five times in 2 s it says that it lives (heartbeat), and takes over the tables of those that have gone (failover). Every
2 s it looks at what the others have stored, and tells them who is here. Hints come sooner. How a table takes in what
others have stored is in ``shared_table``, and who acts at it in ``neighbours``.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count

from pubdice.core.errors import NotStored
from pubdice.server.table.actor import TableActor
from pubdice.server.table.background import Background
from pubdice.server.table.commit import Reads
from pubdice.server.table.house import HouseProcess
from pubdice.server.table.stream import CLOSING
from pubdice.server.wire import PHRASES
from pubdice_cluster.batched_reads import BatchedReads
from pubdice_cluster.neighbours import GONE_MS, Neighbours
from pubdice_cluster.nodes import PostgresNodes
from pubdice_cluster.shared_clock import SharedClock
from pubdice_cluster.shared_table import SharedTable, TableLinks
from pubdice_cluster.store import PostgresStore
from pubdice_cluster.wakeups import PostgresWakeups

BEAT_EVERY_S = 0.4
"""A beat is one statement that syncs nothing. By them a dead process is noticed after 1.2 to 1.6 s, and a table whose
timers it kept goes on within 2 s.
"""
LOOK_EVERY_S = 2.0
"""The delay with which somebody at another process sees a move whose hint was lost."""
SILENT_S = 1.5
"""A database that has not answered a beat for so long is silent: slow, frozen or cut off. Its other servers are tried,
as one of them may be the primary by now.
"""
AWAY_S = 3.0
"""A database is logged as away after so long without a beat, so that one that is slow fills no log."""
LATE_S = 1.0
"""A beat that comes later than this after the last was held up."""
CUT_OFF_S = 6.0
"""A process that could not look for so long is cut off from its database, and shows no streams."""
ALL_EVERY = 5
"""Every fifth look tells again who is here, in case a crash of the database lost it; and the database's other servers
are tried, as the primary may have been replaced without a word to it.
"""
MOST_ADOPTED = 5_000
"""Tables of processes that have gone which wait to be taken over; further ones wait for somebody to come."""
AGAIN_S = 1.0
"""After a failure that nobody has thought of, following begins again."""
BEAT_S = 1.0
"""The time that a process that leaves waits until the others know."""
UNREADY_S = 3.0
"""A process that leaves goes on for so long after ``/ready`` has said so: balancers look every second or two."""
SPREAD_S, PARTS = 3.0, 16
"""Its streams end within so long, a part after the other: each page that reconnects costs another process a view."""


def changed(told: Mapping[int, str], now: Mapping[int, str]) -> dict[int, str]:
    """The changes since the last report, by table; "" for one that no longer holds.

    >>> changed({1: "a", 2: "b", 3: "c"}, {1: "a", 2: "x"})
    {2: 'x', 3: ''}
    """
    # A table without presence that was never told has nothing to take back.
    news = {table: text for table, text in now.items() if told.get(table, "") != text}
    return news | {table: "" for table, text in told.items() if text and table not in now}


@dataclass(frozen=True, slots=True)
class Cluster:
    """The link between the processes that serve one house.

    store: the house's. nodes: the list of them. wakeups: carries hints between them. clock: the house's; it follows the
    shared time. read: asks the nodes, by a thread of its own. refresh: reads which seals the others have opened.
    """

    store: PostgresStore
    nodes: PostgresNodes
    wakeups: PostgresWakeups
    clock: SharedClock
    read: Reads
    refresh: Callable[[], object] = lambda: None


class Replication:
    """One process of a house among the others. find: the actor of a table's code, loaded if need be. now: in ms
    since 1970. log: writes to the event log.

    process: what balancers and metrics see of it. tables: those in memory, by number. time_s: a clock that nobody sets.
    """

    def __init__(
        self,
        cluster: Cluster,
        read: Reads,
        background: Background,
        find: Callable[[str], Awaitable[TableActor | None]],
        process: HouseProcess,
        *,
        now: Callable[[], int],
        log: Callable[..., object],
    ) -> None:
        self.cluster, self.read, self.background, self._find = cluster, read, background, find
        self.process = process
        self.me, self._now, self._log = cluster.nodes.id, now, log
        self._server, self._away = cluster.nodes.server, False
        self.neighbours = Neighbours(self.me)
        self.links = TableLinks(self.me, self.neighbours, cluster.wakeups, BatchedReads(cluster.store, read))
        self.tables = self.links.tables
        self.time_s: Callable[[], float] = asyncio.get_running_loop().time
        self._told: dict[int, str] = {}
        self.adopting: deque[tuple[int, int]] = deque(maxlen=MOST_ADOPTED)
        self._more, self._doubts = asyncio.Event(), asyncio.Event()
        self._last_s = self._steady_s = self._seen_s = self._beaten_s = float("-inf")
        self._tell_all = False
        self._acting: list[int] | None = None  # tables whose timers it keeps, for the next beat to tell

    async def run(self) -> None:
        """Follow the others, until cancelled."""
        self._seen_s = self._beaten_s = self.time_s()
        while True:
            try:
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self.cluster.wakeups.run(self.heard, self.called))
                    tasks.create_task(self._beat_often())
                    tasks.create_task(self._look_often())
                    tasks.create_task(self.look_further())
                    tasks.create_task(self._adopt())
            except Exception as error:  # noqa: BLE001 - whatever it is, people at other processes are waited for
                self.background.failed(error)
            await asyncio.sleep(AGAIN_S)

    def heard(self, table: int, length: int, node: int) -> None:
        """Take a hint of another process: the length of a table's log, and the node that wrote the last line."""
        found = self.tables.get(table)
        if found is not None:
            found.heard(length, node)

    def called(self, table: int, seat: int, phrase: int) -> None:
        """Somebody at this table has reacted, at another process. Nothing, if no such seat or phrase is known here."""
        found = self.tables.get(table)
        if found is not None and seat < len(found.state.chairs) and phrase < len(PHRASES):
            found.spectators.call(seat, phrase)

    async def _beat_often(self) -> None:
        while True:
            await self.try_beat()
            await asyncio.sleep(BEAT_EVERY_S)

    async def try_beat(self) -> None:
        """Beat, and log once that the database is away, is back, or has moved to another server."""
        try:
            async with asyncio.timeout(SILENT_S):
                await self.beat()
        except NotStored:
            self._is_away()
        except TimeoutError:
            self._is_away()
            self._doubts.set()
        else:
            self._is_there(self.cluster.nodes.server)
            if self._steady_s == self._last_s:  # this process stood still: the database may have moved meanwhile
                self._doubts.set()

    async def look_further(self) -> None:
        """Try the database's other servers in doubt, as a later primary may be among them; until cancelled."""
        while True:
            await self._doubts.wait()
            self._doubts.clear()
            if self.cluster.nodes.has_others:
                # In a thread of its own: those that read may all wait for a server that is frozen. And beside the
                # beats: a server that is switched off takes 3 s, and a node that is silent for 1.2 s counts as gone.
                await asyncio.to_thread(self.cluster.nodes.look_further)

    def _is_away(self) -> None:
        if not self._away and self.time_s() > self._beaten_s + AWAY_S:
            self._log("database-away", logging.WARNING, server=self._server)
            self._away = True

    def _is_there(self, server: str) -> None:
        self._beaten_s = self.time_s()
        if server != self._server:
            self._log("database-moved", logging.WARNING, before=self._server, server=server)
        if self._away:
            self._log("database-back", server=server)
        self._server, self._away = server, False

    async def _look_often(self) -> None:
        for number in count():
            self._tell_all, pause_s = number % ALL_EVERY == 0, LOOK_EVERY_S
            try:
                async with asyncio.timeout(CUT_OFF_S):
                    await self.look()
            except (NotStored, TimeoutError):
                pause_s = BEAT_EVERY_S
                if self.time_s() > self._seen_s + CUT_OFF_S:
                    self._cut_off()
            else:
                self._seen_s, self.process.cut_off = self.time_s(), False
                if self._tell_all:
                    self._doubts.set()
            await asyncio.sleep(pause_s)

    def _cut_off(self) -> None:
        """End all streams, so that nobody takes an old table for the current one: pages connect elsewhere."""
        self.process.cut_off = True
        for actor in list(self.tables.values()):
            actor.spectators.end_streams()

    async def beat(self) -> None:
        """Say that this process lives, and take over from those that have gone. Raises NotStored."""
        # Taken before the await: a look may set a new list meanwhile, which must not be dropped as told.
        acting = self._acting
        known = await self.cluster.read(partial(self.cluster.nodes.beat, acting, leaving=self.process.leaving))
        if self._acting is acting:  # told, and no look has found others meanwhile
            self._acting = None
        steady = self._is_steady()
        if self.neighbours.look(known, steady=steady):
            self.process.living = len(self.neighbours.living)
            for actor in self.tables.values():
                actor.autoplay.schedule()
        if steady:
            self.adopting += self.neighbours.left_behind(known)
            self._more.set()

    async def look(self) -> None:
        """Take in what the others have said and stored, and tell what they need to know. Raises NotStored."""
        nodes, read, tables = self.cluster.nodes, self.cluster.read, dict(self.tables)
        self._acting = [
            table for table, actor in tables.items() if actor.log.leader == self.me and actor.autoplay.is_due
        ]
        asked_at = self._now()
        self.cluster.clock.follow(await read(nodes.now_ms), asked_at)
        events = {table: actor.loaded.state.seq for table, actor in tables.items()}
        heads = await read(nodes.heads, list(tables))
        for table, (length, node) in heads.items():
            self.heard(table, length, node)
        for table, actor in tables.items():
            # The log has fewer lines than memory has events: it went back, and hints will not say so.
            if table not in heads or heads[table][0] <= events[table]:  # a failover has lost some of it
                actor.look_soon()
        await read(self.cluster.refresh)
        await self._meet(tables)

    def _is_steady(self) -> bool:
        """True if this process has beaten regularly for as long as it takes to be taken for gone."""
        now_s = self.time_s()
        # This process was late itself (a stopped VM, a frozen database): it must not judge others before it has beaten
        # on time again.
        if now_s > self._last_s + LATE_S:
            self._steady_s = now_s
        self._last_s = now_s
        return now_s >= self._steady_s + GONE_MS / 1000

    async def _meet(self, tables: Mapping[int, SharedTable]) -> None:
        """Tell the others who is here, and hear who is there."""
        nodes, read = self.cluster.nodes, self.cluster.read
        told = {table: actor.presence.to_text() for table, actor in tables.items()}
        gone = dict.fromkeys(self._told, "")
        # Changes alone, and everything once in a while: a database that was restored has forgotten what was told.
        if news := {**gone, **told} if self._tell_all else changed(self._told, told):
            await read(nodes.show, news)
        self._told = told
        shown: dict[int, dict[int, str]] = {}
        for table, node, text in await read(nodes.presence_texts, list(tables)):
            if node in self.neighbours.living:
                shown.setdefault(table, {})[node] = text
        now = self._now()
        for table, actor in tables.items():
            if actor.presence.hear(shown.get(table, {}), now):
                actor.spectators.update_presence()
                actor.autoplay.schedule()
            # Only now, as the others may have said that somebody was here all the time.
            actor.settle_coming()

    async def _adopt(self) -> None:
        """Load the tables whose timers nobody keeps, one after the other, so that they go on."""
        while True:
            await self._more.wait()
            self._more.clear()
            while self.adopting:
                table, node = self.adopting.popleft()
                if node in self.neighbours.living:  # it was only late
                    continue
                try:
                    for code in await self.read(self.cluster.nodes.codes_of, [table]):
                        if (actor := await self._find(code)) is not None:
                            actor.attend()
                except NotStored:  # the database is away: it has to be taken over when it is back
                    self.adopting.append((table, node))
                    await asyncio.sleep(AGAIN_S)

    async def drain(self, wait: Callable[[float], Awaitable[object]]) -> None:
        """Leave the tables to the other processes.

        ``/ready`` says so at once, so that a balancer sends nobody new. Then the streams end, a part at a time.
        """
        self.process.leaving = True
        beat = self.cluster.read(partial(self.cluster.nodes.beat, (), leaving=True))
        with suppress(NotStored, TimeoutError):  # then the others see its beats end
            await asyncio.wait_for(beat, BEAT_S)
        await wait(UNREADY_S)
        for part in range(PARTS):
            # Every 16th table at a time: all pages at once would reconnect to the other processes, and have each of
            # them make all views in one turn of its loop.
            for actor in list(self.tables.values())[part::PARTS]:
                actor.spectators.end_streams(CLOSING)
            await wait(SPREAD_S / PARTS)
