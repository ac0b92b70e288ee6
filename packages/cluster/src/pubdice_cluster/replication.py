"""Replication: the other processes of a house, behind a table's log and the house.

Several processes may serve one house over one database. Each has actors of its own for the same tables, which know of
no other: an append names the length of the log, and the store takes the first (optimistic concurrency). The loser's
next steps are here. ``SharedLog`` is a ``TableLog`` that reads on in the log where an append, a hint or a look says
that it has grown, and has its actor take the lines; then a command that was refused is decided again. ``Replication``
is the process among the others: five times in 2 s it says that it lives (heartbeat), and takes over the tables of those
that have gone (failover). Every 2 s it looks at what the others have stored, and tells them who is here. Hints come
sooner.

The node that wrote a table's last line leads that table: it acts when something is due. The others wait, and step in
if it does nothing, so that a table goes on wherever its people are. That only saves work: if several act at once, the
log takes the first. Knows no database.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import count
from weakref import ref

from pubdice.core.errors import NotStored
from pubdice.server.replay import LINES_AT_ONCE
from pubdice.server.table.actor import TableActor
from pubdice.server.table.background import Background
from pubdice.server.table.clock import SharedClock
from pubdice.server.table.commit import GroupCommit, Key, Reads, TableLog, await_commit, within
from pubdice.server.table.stream import CLOSING
from pubdice.server.wire import PHRASES
from pubdice.store.house_store import HouseStore, Node, Nodes, Wakeups
from pubdice.store.writer import Outcome, Repeated, Stored, TableSummary

LOOK_WITHIN_S = 1.0
"""The time that a page waits for a look at other processes' lines; then it is shown as it is in memory. The same as
data is refused instead (``House.find``).
"""
OWN = "table"
"""Begins the keys of what a table does by itself; a person's begin with the person."""
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
GONE_MS = 1_200
"""A node without a beat for so long is gone; nodes beat every 0.4 s (``BEAT_EVERY_S``). One that is taken for
gone and is only late costs work: others load its tables. Nothing is done twice.
"""
ADOPTED_MS = 60_000
"""The tables of a node without a beat for so long have been taken over, by those who have met it."""
STEP_IN_MS = 6_000
"""The others act so long after what was due, where the leading node lives but has not acted."""
APART_MS = 200
"""Between two nodes that step in where the leading one is gone."""


class Neighbours:
    """The nodes of a house as they were at the last look. me: this process's number."""

    def __init__(self, me: int) -> None:
        self.me = me
        self.living: frozenset[int] = frozenset([me])
        self._left: dict[int, frozenset[int]] = {}
        self._met: frozenset[int] = frozenset()

    def look(self, nodes: Sequence[Node], *, steady: bool = True) -> bool:
        """Take in the list of nodes; True if others live now than before.

        steady: this node has beaten regularly for ``GONE_MS``. Else the database may have been away for all of them, so
        nobody is taken for gone but those who leave.
        """
        before = self.living
        fresh = frozenset([self.me, *(node.id for node in nodes if node.age_ms < GONE_MS and not node.leaving)])
        leaving = frozenset([node.id for node in nodes if node.leaving])
        # Intersected with the list, or numbers of nodes that are gone would stay for good.
        self._met = (self._met | fresh) & frozenset([node.id for node in nodes])
        self.living = fresh if steady else (fresh | before) - leaving
        return self.living != before

    def left_behind(self, nodes: Sequence[Node]) -> list[tuple[int, int]]:
        """Tables whose timers nobody keeps, as their node has gone or leaves, and that this node is the first to take.

        Each is named once, with its node.
        """
        known = {node.id: node for node in nodes if node.id not in self.living}
        self._left = {node: told for node, told in self._left.items() if node in known}
        found = []
        for number, node in known.items():
            # A process that starts after an outage sees rows of nodes that are long gone. Those who lived then have
            # taken over their tables.
            if node.age_ms > ADOPTED_MS and number not in self._met:
                continue
            told = self._left.get(number, frozenset())
            # Rank 0 alone takes a table. If it dies with it, the table is in its own row, and the next look finds that.
            mine = [table for table in node.acting if table not in told and self.rank(table) == 0]
            self._left[number] = told | frozenset(mine)
            found += [(table, number) for table in mine]
        return found

    def rank(self, table: int) -> int:
        """The place of this node in the order in which living nodes step in at a table (rendezvous hashing)."""
        mine = _weight(table, self.me)
        # Rendezvous hashing: each node computes the same order without a word, and the loss of one moves only its
        # tables.
        return sum(_weight(table, node) > mine for node in self.living if node != self.me)

    def wait_ms(self, table: int, leader: int) -> int:
        """The delay of this node after something was due, if ``leader`` wrote the table's last line."""
        if leader == self.me:
            return 0
        # 6 s if the leader lives, as it may only be slow, and two that act at once cost a refused append. If it is gone
        # they step in 200 ms apart, so that the hint of the first reaches the next.
        return STEP_IN_MS if leader in self.living else APART_MS * self.rank(table)


def _weight(table: int, node: int) -> bytes:
    return blake2b(b"%d %d" % (table, node), digest_size=8).digest()


def changed(told: Mapping[int, str], now: Mapping[int, str]) -> dict[int, str]:
    """The changes since the last report, by table; "" for one that no longer holds.

    >>> changed({1: "a", 2: "b", 3: "c"}, {1: "a", 2: "x"})
    {2: 'x', 3: ''}
    """
    # A table without presence that was never told has nothing to take back.
    news = {table: text for table, text in now.items() if told.get(table, "") != text}
    return news | {table: "" for table, text in told.items() if text and table not in now}


# A query takes about a millisecond of a process's time, however many tables it is about; at a thousand moves a second
# of other processes, one for each would be all that a process does.

GATHER_S = 0.002
"""The time that the first reader waits for others: less than anybody notices."""
MOST_TABLES = 100
"""The most tables that one query reads; the others are in the next."""


class BatchedReads:
    """The ends of logs, as actors read them. Lives in one event loop."""

    def __init__(self, store: HouseStore, read: Reads) -> None:
        self._store, self._read = store, read
        self._asked: list[tuple[int, int, asyncio.Future[list[str] | Exception]]] = []
        self._reading: asyncio.Task[None] | None = None

    async def part(self, table: int, start: int) -> list[str]:
        """``LINES_AT_ONCE`` lines from a number on, fewer only at the end. Raises NotStored."""
        loop = asyncio.get_running_loop()
        found: asyncio.Future[list[str] | Exception] = loop.create_future()
        self._asked.append((table, start, found))
        if self._reading is None:
            self._reading = loop.create_task(self._answer_all())
        lines = await found
        if isinstance(lines, Exception):
            raise lines
        return lines

    async def _answer_all(self) -> None:
        """Answer all that is asked for, until nothing is."""
        while self._asked:
            # Moves of other processes come in bursts: at 1,000 a second one query serves two or more of them, and one
            # alone waits 2 ms.
            await asyncio.sleep(GATHER_S)
            asked, self._asked = self._asked[:MOST_TABLES], self._asked[MOST_TABLES:]
            for (_, _, found), lines in zip(asked, await self._parts(asked), strict=True):
                if not found.done():  # else who asked was cancelled
                    found.set_result(lines)
        # No await between the last look at the list and this line, so no reader can slip in and wait for good.
        self._reading = None

    async def _parts(self, asked: Sequence[tuple[int, int, object]]) -> Sequence[list[str] | Exception]:
        try:
            return await self._read(self._store.parts, [(table, start) for table, start, _ in asked], LINES_AT_ONCE)
        except Exception as error:  # noqa: BLE001 - whatever it is, all who asked are told
            return [error] * len(asked)


@dataclass(frozen=True, slots=True)
class Cluster:
    """The link between the processes that serve one house.

    nodes: the list of them. wakeups: carries hints between them. clock: the house's; it follows the shared time.
    read: asks the nodes, by a thread of its own. refresh: reads which seals the others have opened.
    """

    nodes: Nodes
    wakeups: Wakeups
    clock: SharedClock
    read: Reads
    refresh: Callable[[], object] = lambda: None


class SharedLog(TableLog):
    """The log of a table that other processes write, too. leader: the node that wrote its last line.

    Its actor is there once ``serve`` has been called.
    """

    shared = True

    def __init__(self, replication: "Replication", commit: GroupCommit, table: int) -> None:
        super().__init__(commit, replication.store, table, replication.read)
        self._replication, self._grown = replication, replication.grown.part
        self.leader = 0
        self._actor: ref[TableActor] | None = (
            None  # weak, so that a forgotten table is freed at once (``Autoplay.close``)
        )
        self._look: asyncio.Future[bool] | None = None  # the next; one serves all who wait for it

    def serve(self, actor: TableActor) -> None:
        """Take in for this actor what others store."""
        self._actor = ref(actor)
        # Replaces an older log of the same table. That one's ``close`` then finds that the entry is not its own.
        self._replication.tables[self.table] = self, actor

    def close(self) -> None:
        """The table is no longer in memory."""
        known = self._replication.tables.get(self.table)
        if known is not None and known[0] is self:
            del self._replication.tables[self.table]

    @property
    def actor(self) -> TableActor:
        """Its actor."""
        actor = None if self._actor is None else self._actor()
        if actor is None:
            raise ValueError(f"nobody serves table {self.table}")
        return actor

    def append(
        self,
        length: int,
        lines: tuple[str, ...],
        done: Callable[[Outcome], None],
        late: Callable[[], object],
        *,
        key: Key | None = None,
        answer: bytes = b"",
        summary: TableSummary | None = None,
    ) -> None:
        """As ``TableLog.append``. An outcome that comes late has this log looked at, and not loaded again."""
        # A late outcome has the log looked at, not loaded again: here another process may have gone on after it.
        heard = partial(self._appended, lines, done)
        super().append(length, lines, heard, self.look_soon, key=key, answer=answer, summary=summary)

    def _appended(self, lines: tuple[str, ...], done: Callable[[Outcome], None], outcome: Outcome) -> None:
        # A stored answer without lines is no sign of life at the table, and leaves the leader as it was.
        if lines and isinstance(outcome, Stored):
            self.leader = self._replication.me
        done(outcome)

    async def answer(self, key: Key) -> bytes | None:
        """As ``TableLog.answer``; an answer found is as sure as a commit, also after a failover."""
        found = await super().answer(key)
        if found is not None:
            # A read can see rows that a failover will lose. A commit behind them is confirmed only with them.
            await await_commit(self._store.submit_confirming)
        return found

    def own_key(self, seq: int) -> Key | None:
        """Of several processes that try, the log takes the first, by its key too."""
        # By the number of events: timers of three processes that fire at once make one key, and the store takes one of
        # them.
        return Key(f"{OWN} {seq}")

    def wait_ms(self) -> int:
        """The delay of this process after something is due: see ``Neighbours``."""
        return self._replication.neighbours.wait_ms(self.table, self.leader)

    def call(self, seat: int, phrase: int) -> None:
        """Tell the other processes of a reaction."""
        self._replication.cluster.wakeups.call(self.table, seat, phrase)

    # what others have stored

    def may_know(self, key: Key | None, refusal: Exception | Repeated) -> bool:
        """Always: on the table as others have left it, the command may not be refused."""
        return True

    async def check(
        self, key: Key | None, refusal: Exception | Repeated, written: Sequence[str] = ()
    ) -> tuple[bytes | Exception, bool]:
        """A refused command's outcome, and whether others had stored what is taken in now. As ``TableLog.check``."""
        known: bytes | Exception = refusal.answer if isinstance(refusal, Repeated) else refusal
        came = False
        try:
            if not isinstance(refusal, NotStored) or refusal.code == "moved-on":  # else it has just said what it can
                stored = await self.answer(key) if key and isinstance(refusal, Exception) else None
                known, came = known if stored is None else stored, await self._follow()
                # A connection that broke in the commit: the group was written again under the same key, and this time
                # refused as a repeat.
                if isinstance(refusal, Repeated) and written and self._ends_with(written):
                    self._lead()  # they are ours, from a commit whose answer was lost
        except NotStored as error:
            known = known if isinstance(refusal, NotStored | Repeated) else error
        return known, came

    def _ends_with(self, lines: Sequence[str]) -> bool:
        return self.actor.loaded.tail.lines[-len(lines) :] == [*lines]

    def _lead(self) -> None:
        """Say to all that the last lines are of this node."""
        self._replication.cluster.wakeups.tell(self.table, self.actor.loaded.state.seq + 1)
        self.leader = self._replication.me
        self.actor.autoplay.schedule()

    def heard(self, length: int, node: int) -> None:
        """Take a hint of another process: the length of the log, and the node that wrote the last line."""
        seq = self.actor.loaded.state.seq
        # One line more than events is the length of a log that has nothing new.
        news = length > seq + 1
        # A hint may be older than memory, as hints overtake each other: then it says nothing about the leader.
        if length > seq and node != self.leader:
            self.leader, news = node, True
            self.actor.autoplay.schedule()
        if news:
            self.look_soon()

    async def catch_up(self) -> bool:
        """Take in lines that others have stored until now; False if the store could not be read in time."""
        look = self.look_soon()
        # ``wait``, not ``wait_for``: the look is shared, and must go on if this page gives up.
        await asyncio.wait((look,), timeout=LOOK_WITHIN_S)
        return look.done() and look.result()

    def look_soon(self) -> "asyncio.Future[bool]":
        """Have the next look at the log, between two commands; one serves all who wait for it."""
        if self._look is not None:
            return self._look
        look: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if not self.actor.is_live:
            look.set_result(False)
            return look
        self._look = look
        self.actor.between_commands(self._catch_up)
        return look

    async def _catch_up(self) -> None:
        look, self._look = self._look, None  # who asks from now on may ask for what this read does not find
        seen = False
        try:
            await self._follow()
            seen = True
        except NotStored:
            pass  # it is told again, or looked up
        finally:
            if look is not None and not look.done():
                look.set_result(seen)

    async def _follow(self) -> bool:
        """Take in the lines that the log has more than memory, in order; True if there were any. Raises NotStored.

        They are read from the last that memory has: after a failover to a replica that was behind, the log may have
        another there, or none. Then the table is loaded again.
        """
        actor, came, ended = self.actor, False, False
        while not ended and not actor.is_replaced:
            last = actor.loaded.tail.lines[-1:]
            async with within():
                found = await self._grown(self.table, actor.loaded.state.seq + 1 - len(last))
            # A full batch may have more behind it; a shorter one is the end of the log.
            lines, ended = found[len(last) :], len(found) < LINES_AT_ONCE
            came = came or bool(lines)
            try:
                # After a failover to a replica that lagged, the log has lost the line that memory ends with, or has
                # another.
                if found[: len(last)] != last:
                    raise NotStored("moved-on", table=self.table)
                actor.take_lines(lines)
            except Exception as error:  # noqa: BLE001 - this program cannot go on with the log: read it from its beginning
                if not isinstance(error, NotStored):
                    self._replication.background.failed(error)
                actor.reload()
                raise NotStored("moved-on", table=self.table) from None
        return came


class Replication:
    """One process of a house among the others. find: the actor of a table's code, loaded if need be. now: in ms
    since 1970. log: writes to the event log.

    leaving: it is about to stop. cut_off: it has not seen for seconds what the others store. tables: those in memory
    with their logs, by number. time_s: a clock that nobody sets.
    """

    def __init__(
        self,
        cluster: Cluster,
        store: HouseStore,
        read: Reads,
        background: Background,
        find: Callable[[str], Awaitable[TableActor | None]],
        *,
        now: Callable[[], int],
        log: Callable[..., object],
    ) -> None:
        self.cluster, self.store, self.read, self.background, self._find = cluster, store, read, background, find
        self.me, self._now, self._log = cluster.nodes.id, now, log
        self._server, self._away = cluster.nodes.server, False
        self.neighbours = Neighbours(self.me)
        self.grown = BatchedReads(store, read)
        self.tables: dict[int, tuple[SharedLog, TableActor]] = {}
        self.leaving = self.cut_off = False
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
            found[0].heard(length, node)

    def called(self, table: int, seat: int, phrase: int) -> None:
        """Somebody at this table has reacted, at another process. Nothing, if no such seat or phrase is known here."""
        found = self.tables.get(table)
        if found is not None and seat < len(found[1].state.chairs) and phrase < len(PHRASES):
            found[1].spectators.call(seat, phrase)

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
                self._seen_s, self.cut_off = self.time_s(), False
                if self._tell_all:
                    self._doubts.set()
            await asyncio.sleep(pause_s)

    def _cut_off(self) -> None:
        """End all streams, so that nobody takes an old table for the current one: pages connect elsewhere."""
        self.cut_off = True
        for _, actor in list(self.tables.values()):
            actor.spectators.end_streams()

    async def beat(self) -> None:
        """Say that this process lives, and take over from those that have gone. Raises NotStored."""
        # Taken before the await: a look may set a new list meanwhile, which must not be dropped as told.
        acting = self._acting
        known = await self.cluster.read(partial(self.cluster.nodes.beat, acting, leaving=self.leaving))
        if self._acting is acting:  # told, and no look has found others meanwhile
            self._acting = None
        steady = self._is_steady()
        if self.neighbours.look(known, steady=steady):
            for _, actor in self.tables.values():
                actor.autoplay.schedule()
        if steady:
            self.adopting += self.neighbours.left_behind(known)
            self._more.set()

    async def look(self) -> None:
        """Take in what the others have said and stored, and tell what they need to know. Raises NotStored."""
        nodes, read, tables = self.cluster.nodes, self.cluster.read, dict(self.tables)
        self._acting = [
            table for table, (log, actor) in tables.items() if log.leader == self.me and actor.autoplay.is_due
        ]
        asked_at = self._now()
        self.cluster.clock.follow(await read(nodes.now_ms), asked_at)
        events = {table: actor.loaded.state.seq for table, (_, actor) in tables.items()}
        heads = await read(nodes.heads, list(tables))
        for table, (length, node) in heads.items():
            self.heard(table, length, node)
        for table, (log, _) in tables.items():
            # The log has fewer lines than memory has events: it went back, and hints will not say so.
            if table not in heads or heads[table][0] <= events[table]:  # a failover has lost some of it
                log.look_soon()
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

    async def _meet(self, tables: Mapping[int, tuple[SharedLog, TableActor]]) -> None:
        """Tell the others who is here, and hear who is there."""
        nodes, read = self.cluster.nodes, self.cluster.read
        told = {table: actor.presence.to_text() for table, (_, actor) in tables.items()}
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
        for table, (_, actor) in tables.items():
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
        self.leaving = True
        beat = self.cluster.read(partial(self.cluster.nodes.beat, (), leaving=True))
        with suppress(NotStored, TimeoutError):  # then the others see its beats end
            await asyncio.wait_for(beat, BEAT_S)
        await wait(UNREADY_S)
        for part in range(PARTS):
            # Every 16th table at a time: all pages at once would reconnect to the other processes, and have each of
            # them make all views in one turn of its loop.
            for _, actor in list(self.tables.values())[part::PARTS]:
                actor.spectators.end_streams(CLOSING)
            await wait(SPREAD_S / PARTS)
