"""Living with the other processes of a house: five times in 2 s this one says that it lives, and takes over the tables
of those that have gone. Every 2 s it looks at what the others have stored, and tells them who is here. Hints come
sooner.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count

from pubdice.core.errors import NotStored
from pubdice.server.table.actor import Hub
from pubdice.server.table.house import Cluster, House
from pubdice.server.table.replication import GONE_MS, changed

BEAT_EVERY_S = 0.4
"""A beat is one statement that syncs nothing. By them a dead process is noticed after 1.2 to 1.6 s, and a table whose
timers it kept goes on within 2 s.
"""
LOOK_EVERY_S = 2.0
"""How late somebody at another process sees a move whose hint was lost."""
LATE_S = 1.0
"""A beat that comes later than this after the last was held up."""
CUT_OFF_S = 6.0
"""A process that could not look for so long is cut off from its database, and shows no streams."""
ALL_EVERY = 5
"""Every fifth look tells again who is here, in case a crash of the database lost it."""
MOST_ADOPTED = 5_000
"""Tables of processes that have gone which wait to be taken over; further ones wait for somebody to come."""
AGAIN_S = 1.0
"""After a failure that nobody has thought of, following begins again."""


class Follower:
    """Keeps one process of a house up to date with the others."""

    def __init__(self, house: House, cluster: Cluster, time_s: Callable[[], float] | None = None) -> None:
        """time_s: a clock that nobody sets; None: the event loop's."""
        self._house, self._cluster = house, cluster
        self._time_s = asyncio.get_running_loop().time if time_s is None else time_s
        self._told: dict[int, str] = {}
        self._adopting: deque[tuple[int, int]] = deque(maxlen=MOST_ADOPTED)
        self._more = asyncio.Event()
        self._last_s = self._steady_s = self._seen_s = float("-inf")
        self._tell_all = False
        self._acting: list[int] | None = None  # tables whose timers it keeps, for the next beat to tell

    async def run(self) -> None:
        """Follow the others, until cancelled."""
        self._seen_s = self._time_s()
        while True:
            try:
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._cluster.wakeups.run(self._house.heard, self._house.called))
                    tasks.create_task(self._beat_often())
                    tasks.create_task(self._look_often())
                    tasks.create_task(self._adopt())
            except Exception as error:  # noqa: BLE001 - whatever it is, people at other processes are waited for
                self._house.background.failed(error)
            await asyncio.sleep(AGAIN_S)

    async def _beat_often(self) -> None:
        while True:
            with suppress(NotStored, TimeoutError):
                async with asyncio.timeout(CUT_OFF_S):
                    await self.beat()
            await asyncio.sleep(BEAT_EVERY_S)

    async def _look_often(self) -> None:
        for number in count():
            self._tell_all = number % ALL_EVERY == 0
            try:
                async with asyncio.timeout(CUT_OFF_S):
                    await self.look()
            except (NotStored, TimeoutError):  # the next look is in 2 s
                if self._time_s() > self._seen_s + CUT_OFF_S:
                    self._cut_off()
            else:
                self._seen_s, self._house.cut_off = self._time_s(), False
            await asyncio.sleep(LOOK_EVERY_S)

    def _cut_off(self) -> None:
        """End all streams, so that nobody takes an old table for the current one: pages connect elsewhere."""
        self._house.cut_off = True
        for hub in list(self._house.hubs.values()):
            hub.spectators.end_streams()

    async def beat(self) -> None:
        """Say that this process lives, and take over from those that have gone. Raises NotStored."""
        house = self._house
        acting = self._acting
        known = await self._cluster.read(partial(self._cluster.nodes.beat, acting, leaving=house.leaving))
        if self._acting is acting:  # told, and no look has found others meanwhile
            self._acting = None
        steady = self._is_steady()
        if house.neighbours.look(known, steady=steady):
            for hub in house.hubs.values():
                hub.autoplay.schedule()
        if steady:
            self._adopting += house.neighbours.left_behind(known)
            self._more.set()

    async def look(self) -> None:
        """Take in what the others have said and stored, and tell what they need to know. Raises NotStored."""
        house, nodes, read = self._house, self._cluster.nodes, self._cluster.read
        hubs = {hub.number: hub for hub in house.hubs.values()}
        self._acting = [hub.number for hub in hubs.values() if _acts(house, hub)]  # the next beat tells
        asked_at = house.now()
        self._cluster.clock.follow(await read(nodes.now_ms), asked_at)
        events = {number: hub.state.seq for number, hub in hubs.items()}
        heads = await read(nodes.heads, list(hubs))
        for table, (length, node) in heads.items():
            house.heard(table, length, node)
        for number, hub in hubs.items():
            if number not in heads or heads[number][0] <= events[number]:  # a failover has lost some of it
                hub.compare()
        await read(self._cluster.refresh)
        await self._meet(hubs)

    def _is_steady(self) -> bool:
        """Whether this process has beaten regularly for as long as it takes to be taken for gone."""
        now_s = self._time_s()
        if now_s > self._last_s + LATE_S:
            self._steady_s = now_s
        self._last_s = now_s
        return now_s >= self._steady_s + GONE_MS / 1000

    async def _meet(self, hubs: dict[int, Hub]) -> None:
        """Tell the others who is here, and hear who is there."""
        house, nodes, read = self._house, self._cluster.nodes, self._cluster.read
        told = {number: hub.presence.told() for number, hub in hubs.items()}
        gone = dict.fromkeys(self._told, "")
        if news := {**gone, **told} if self._tell_all else changed(self._told, told):
            await read(nodes.show, news)
        self._told = told
        shown: dict[int, dict[int, str]] = {}
        for table, node, text in await read(nodes.shown, list(hubs)):
            if node in house.neighbours.living:
                shown.setdefault(table, {})[node] = text
        for number, hub in hubs.items():
            hub.meet(shown.get(number, {}))

    async def _adopt(self) -> None:
        """Load the tables whose timers nobody keeps, one after the other, so that they go on."""
        house = self._house
        while True:
            await self._more.wait()
            self._more.clear()
            while self._adopting:
                table, node = self._adopting.popleft()
                if node in house.neighbours.living:  # it was only late
                    continue
                try:
                    for code in await house.read(self._cluster.nodes.codes_of, [table]):
                        if (hub := await house.find(code)) is not None:
                            hub.attend()
                except NotStored:  # the database is away: it has to be taken over when it is back
                    self._adopting.append((table, node))
                    await asyncio.sleep(AGAIN_S)


def _acts(house: House, hub: Hub) -> bool:
    return hub.autoplay.is_due and hub.autoplay.leader == house.neighbours.me
