"""Replication: the part of a process that keeps it in step with the other processes of its house.

The process sends a heartbeat ("beat") five times in 2 s. It takes over the tables of processes that have gone
(failover). Every 2 s it reads the lengths of the logs, to which the other processes may have added lines (a "look"),
and reports which people are present. Hints about new lines come sooner. The module ``shared_table`` takes in the lines
of other processes. The module ``neighbours`` decides which process acts at a table.
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
"""The time in seconds between two beats. A beat is one statement, and does not wait for the disk. The other processes
notice a dead process after 1.2 to 1.6 s. The tables whose timers it kept go on within 2 s.
"""
LOOK_EVERY_S = 2.0
"""The time in seconds between two looks. If a hint is lost, the other processes show the move after at most
this time."""
SILENT_S = 1.5
"""If the database has not answered a beat for this many seconds, it is slow, frozen or cut off. Then its other servers
are tried."""
AWAY_S = 3.0
"""If no beat has succeeded for this many seconds, the database is logged as away. A database that is only slow is not
logged."""
LATE_S = 1.0
"""A beat that comes more than this many seconds after the last one is late, because this process was held up."""
CUT_OFF_S = 6.0
"""If no look has succeeded for this many seconds, the process is cut off from its database, and ends its streams."""
ALL_EVERY = 5
"""Every fifth look reports the presence of all people again, since a crash of the database may have lost it. It also
tries the database's other servers, because a primary may be replaced without knowing it."""
MOST_ADOPTED = 5_000
"""The most tables of gone processes that wait for a takeover. Further tables wait until a person opens them."""
AGAIN_S = 1.0
"""The time in seconds before ``run`` begins again after an unexpected error."""
BEAT_S = 1.0
"""The time in seconds that a leaving process waits for its last beat."""
UNREADY_S = 3.0
"""The time in seconds that a leaving process goes on serving after ``/ready`` has turned 503. Balancers check every
second or two."""
SPREAD_S, PARTS = 3.0, 16
"""The streams of a leaving process end over ``SPREAD_S`` seconds, in ``PARTS`` groups of tables. They do not end at
once, because each page that reconnects makes another process compute a view.
"""


def changed(told: Mapping[int, str], now: Mapping[int, str]) -> dict[int, str]:
    """Return what has changed in this process's presence reports, by table. "" means that the last report no longer
    holds.

    >>> changed({1: "a", 2: "b", 3: "c"}, {1: "a", 2: "x"})
    {2: 'x', 3: ''}
    """
    # A table that has no presence now, and of which none was reported, needs no report.
    news = {table: text for table, text in now.items() if told.get(table, "") != text}
    return news | {table: "" for table, text in told.items() if text and table not in now}


@dataclass(frozen=True, slots=True)
class Cluster:
    """The link between the processes that serve one house. ``read`` runs the queries of ``nodes`` in threads of their
    own. ``refresh`` reads the seals that other processes have opened.
    """

    store: PostgresStore
    nodes: PostgresNodes
    wakeups: PostgresWakeups
    clock: SharedClock
    read: Reads
    refresh: Callable[[], object] = lambda: None


class Replication:
    """One process of a house, kept in step with the other processes.

    Attributes:
        find: returns the actor of the table with this code, loaded if necessary.
        now: returns milliseconds since 1970.
        process: the state that balancers and metrics see.
        tables: the tables in memory, by number.
        time_s: a monotonic clock in seconds.

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
        self._acting: list[int] | None = None  # tables whose timers this process keeps, to report with the next beat

    async def run(self) -> None:
        """Follow the other processes, until cancelled."""
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
        """Take a hint from another process: the new length of a table's log, and the node that wrote the last line."""
        found = self.tables.get(table)
        if found is not None:
            found.heard(length, node)

    def called(self, table: int, seat: int, phrase: int) -> None:
        """Show a reaction (a phrase that a seat calls out) from another process at this table. An unknown seat or
        phrase is ignored.
        """
        found = self.tables.get(table)
        if found is not None and seat < len(found.state.chairs) and phrase < len(PHRASES):
            found.spectators.call(seat, phrase)

    async def _beat_often(self) -> None:
        while True:
            await self.try_beat()
            await asyncio.sleep(BEAT_EVERY_S)

    async def try_beat(self) -> None:
        """Send a beat. Log once if the database is away, is back, or has moved to another server."""
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
            if self._steady_s == self._last_s:  # this process stood still, so the database may have moved meanwhile
                self._doubts.set()

    async def look_further(self) -> None:
        """Try the database's other servers each time there is doubt about the primary. Runs until cancelled."""
        while True:
            await self._doubts.wait()
            self._doubts.clear()
            if self.cluster.nodes.has_others:
                # This uses a thread of its own, because all reading threads may be waiting for a frozen server. It runs
                # beside the beats, because a server that is switched off takes 3 s, and a node that is silent for 1.2 s
                # counts as gone.
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
        """End all streams, so no page shows an old table as current. The pages then connect to another process."""
        self.process.cut_off = True
        for actor in list(self.tables.values()):
            actor.spectators.end_streams()

    async def beat(self) -> None:
        """Send a beat, and take over tables from processes that have gone. Raises NotStored."""
        # Read this before the await. A look may set a new list meanwhile, and that list must still be reported.
        acting = self._acting
        known = await self.cluster.read(partial(self.cluster.nodes.beat, acting, leaving=self.process.leaving))
        if self._acting is acting:  # the list is reported, and no look has set another
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
        """Take in the presence and the log lengths of other processes, and report this process's presence. Raises
        NotStored.
        """
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
            # Here the log has fewer lines than memory has events, so the log went back. No hint tells about that.
            if table not in heads or heads[table][0] <= events[table]:  # true after a failover that has lost lines
                actor.look_soon()
        await read(self.cluster.refresh)
        await self._meet(tables)

    def _is_steady(self) -> bool:
        """Return True if this process has sent its beats regularly for ``GONE_MS``."""
        now_s = self.time_s()
        # The process itself was late (a stopped VM, a frozen database). It must not declare others gone before it has
        # sent beats on time again.
        if now_s > self._last_s + LATE_S:
            self._steady_s = now_s
        self._last_s = now_s
        return now_s >= self._steady_s + GONE_MS / 1000

    async def _meet(self, tables: Mapping[int, SharedTable]) -> None:
        """Report this process's presence to the other processes, and take in the presence that they report."""
        nodes, read = self.cluster.nodes, self.cluster.read
        told = {table: actor.presence.to_text() for table, actor in tables.items()}
        gone = dict.fromkeys(self._told, "")
        # Usually only the changes are sent. Now and then all presence is sent, since a restored database has lost it.
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
            # This comes after ``hear``, because another process may have reported that a person was here all the time.
            actor.settle_coming()

    async def _adopt(self) -> None:
        """Load the tables of gone processes, one after another, so their timers run on."""
        while True:
            await self._more.wait()
            self._more.clear()
            while self.adopting:
                table, node = self.adopting.popleft()
                if node in self.neighbours.living:  # the node lives: it was only late
                    continue
                try:
                    for code in await self.read(self.cluster.nodes.codes_of, [table]):
                        if (actor := await self._find(code)) is not None:
                            actor.attend()
                except NotStored:  # the database is away, so try this table again later
                    self.adopting.append((table, node))
                    await asyncio.sleep(AGAIN_S)

    async def drain(self, wait: Callable[[float], Awaitable[object]]) -> None:
        """Leave the tables to the other processes. ``/ready`` turns 503 at once, so a balancer sends no new clients.
        Then the streams end in groups.
        """
        self.process.leaving = True
        beat = self.cluster.read(partial(self.cluster.nodes.beat, (), leaving=True))
        with suppress(NotStored, TimeoutError):  # if it fails, the other processes notice that the beats have ended
            await asyncio.wait_for(beat, BEAT_S)
        await wait(UNREADY_S)
        for part in range(PARTS):
            # End the streams of every 16th table, then wait, then those of the next group of tables. If all pages
            # reconnected at once, the other processes would have to make all views in one turn of their event loops.
            for actor in list(self.tables.values())[part::PARTS]:
                actor.spectators.end_streams(CLOSING)
            await wait(SPREAD_S / PARTS)
