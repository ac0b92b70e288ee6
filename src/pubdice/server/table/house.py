"""The house: all live tables over one store. Opens, finds, keeps, reloads and forgets them.

A table is loaded from its log when a client opens it, and forgotten after a while without visitors. Memory only holds a
copy of the log. So crash recovery is a replay of the log (``replay``): the first visitor after a crash has it replayed,
as after any quiet hour.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from pubdice.checked_record import installed
from pubdice.core.errors import NotStored, Refused
from pubdice.room import Room, Setup, read_setup
from pubdice.server.answers import AHEAD
from pubdice.server.jobs import MatchRecord, find_turning_point, refused_at_once
from pubdice.server.match_records import Records
from pubdice.server.replay import FairSlices, Loaded, load
from pubdice.server.shared_lock import SharedLock, needed_by_others
from pubdice.server.table.actor import TableActor
from pubdice.server.table.background import Background
from pubdice.server.table.bot_moves import Bots
from pubdice.server.table.codes import link
from pubdice.server.table.commit import GroupCommit, Key, TableLog, await_commit
from pubdice.server.table.house_config import HouseConfig
from pubdice.server.table.in_play import InPlay
from pubdice.server.table.new_tables import NewTables
from pubdice.server.table.seat_words import EARLIER, same_words, words_for
from pubdice.server.table.services import Broadcaster, TableServices
from pubdice.server.table.stream import CLOSING
from pubdice.server.table.trace import Trace
from pubdice.server.wire import Order
from pubdice.text.word_lists import LANGUAGES

TABLES = "/t/"
"""The path of every table's page. A code or a link comes after it."""
IDLE_MS = 10 * 60 * 1000
OVER_MS = 30 * 1000
"""The time that a table stays in memory without visitors. ``OVER_MS`` applies once its match is over."""
MANY = 2_000
"""With more tables in memory than this, an idle table is forgotten after ``OVER_MS``, even in a match."""
HEARTBEAT_S = 1.5
"""The time between two heartbeats of a stream.

After 4.7 s of silence a page reconnects. If that fails, it says so 1.2 s later (``table.html``). In a pocket the page
waits 20 s, as the engine is silent while it computes. So a house or a network that stalls for 3 s makes no page
reconnect. With heartbeats of 3 s and a limit of 4.5 s, a stall of 1.7 s made all pages reconnect at once.
"""
PARTS = 16
"""The tables form 16 parts, which get their heartbeats one after another. All streams at once would delay the moves."""
AGAIN_S = 1.0
"""The delay before the next try if the store could not be read."""
MOST_LOADS = 3
"""The most times that one request loads a table because its log grew during the load."""


@dataclass(slots=True)
class HouseProcess:
    """The process that serves a house, for balancers and metrics.

    - ``living`` counts the processes that serve the house's tables, including this one.
    - ``leaving`` is true if this process is about to stop, and others go on.
    - ``cut_off`` is true if this process cannot see what others store. Then it shows no streams.
    """

    living: int = 1
    leaving: bool = False
    cut_off: bool = False


class House:
    """All tables of one store, in one event loop. Links and words of seats follow from ``secret`` (32 bytes)."""

    def __init__(self, config: HouseConfig) -> None:
        self.config, self.store, self.games = config, config.store, config.games
        self.metrics, self.event_log = config.metrics, config.event_log
        self.seals = config.seals
        self.now, self.after = config.clock.now, config.clock.after
        self.closed = False
        # Held while a person sits down at a duplicate night, so they sit at one table only.
        self.one_comes = SharedLock()
        self.actors: dict[str, TableActor] = {}
        self.secret = self.store.setting("secret") or self.store.settle("secret", config.source(32))
        self.background = Background(config.event_log, config.metrics)
        self.in_play = InPlay(self._is_in_play)
        self._new_tables = NewTables(
            config.store,
            config.read,
            config.games,
            self.in_play,
            self.now,
            config.source,
            lambda: config.cup(0),
            config.seals,
            self.secret,
        )
        self.process = HouseProcess()
        self._commit = GroupCommit(config.store, config.metrics.commits, config.grown)
        self._loading: dict[str, asyncio.Future[None]] = {}
        self._differ: set[str] = set()  # codes of tables whose log grew while it was read
        self._slices = FairSlices()
        self.answers = config.answers
        self.read = config.read
        self._records = Records(self.store.part, config.log_reader.record)
        self.services = TableServices(
            clock=config.clock,
            background=self.background,
            broadcaster=Broadcaster(),
            bots=Bots(config.choose, config.bots, self.background),
            answers=config.answers,
            cup=partial(config.cup, 0),
            seals=config.seals,
            language=config.language,
            link=self.link,
            seen_before=self._seen_before,
            metrics=config.metrics,
            reload=self.reload,
            ended=self._ended,
            trace=Trace(config.event_log, self.secret) if config.trace else None,
        )

    async def find(self, code: str, *, current: bool = False) -> TableActor | None:
        """Return the table with this code. If it is not in memory, load it from its log. None if there is none.

        If ``current``, a class for several processes refuses a table that may lack stored events. In this class, memory
        has all of them. Raises NotStored if the log cannot be read, or grows during each load.
        """
        while (under_way := self._loading.get(code)) is not None:
            await asyncio.shield(under_way)
        actor = self.actors.get(code)
        if actor is None:
            with needed_by_others():
                actor = await self._load(code)
        if actor is not None:
            actor.used = self.now()
        return actor

    async def _load(self, code: str) -> TableActor | None:
        for _ in range(MOST_LOADS):
            actor = await self._load_once(code)
            if code not in self._differ:
                if actor is not None:
                    self.actors[code] = actor
                return actor
            if actor is not None:
                actor.replace()
        raise NotStored("store-unreadable", wait_s=AGAIN_S)

    async def _load_once(self, code: str) -> TableActor | None:
        """Return the table as its log is now. If more was stored meanwhile, ``_differ`` has the code afterwards."""
        known = self._loading[code] = asyncio.get_running_loop().create_future()
        self._differ.discard(code)
        number: int | None = None
        try:
            number = await self.read(self.store.find, code)
            if number is None:
                return None
            part = partial(self.read, self.store.part, number)
            setup = read_setup((await part(0, 1))[0])
            room = Room(installed(self.games, setup.rules["game"], number), setup, self.games)
            begun = await self.config.log_reader.begin(number, await self.read(self.store.length, number))
            opener = await self.read(self.store.opener, number)
            loaded = await load(room, part, self._slices, begun)
            actor = self._served(code, number, room, loaded, asker=opener.hex() or code)
        except (NotStored, Refused):  # the store can't read it, or its game has a fault
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one log, the others must still load
            self.background.failed(error)
            raise NotStored("log-damaged", table=number, line=1) from None
        finally:
            del self._loading[code]
            known.set_result(None)
        return actor

    def _served(self, code: str, number: int, room: Room, loaded: Loaded, asker: str) -> TableActor:
        log = TableLog(self._commit, self.store, number, self.read)
        return TableActor(code, room, loaded, log, self.services, asker=asker)

    async def open(self, order: Order, person: str, address: str = "") -> str:
        """Set up a table for a person: see ``NewTables.open``."""
        return await self._new_tables.open(order, person, address, len(self.actors))

    async def open_of_night(self, setup: Setup, name: str, key: Key, address: str) -> str:
        """Set up a table of a duplicate night: see ``NewTables.open_of_night``."""
        return await self._new_tables.open_of_night(setup, name, key, address, len(self.actors))

    async def open_next(self, setup: Setup, key: Key, address: str) -> str:
        """Set up the table of a rematch: see ``NewTables.open_next``."""
        return await self._new_tables.open_next(setup, key, address, len(self.actors))

    async def go_on(self, lines: Sequence[str], before: str, person: str) -> str:
        """Go on with a table of another house: see ``NewTables.go_on``."""
        return await self._new_tables.go_on(lines, before, person)

    async def known_order(self, key: Key) -> str | None:
        """Return the code of the table that was opened under a key. None if there is none. Raises NotStored."""
        return await self._new_tables.known(key)

    def _is_in_play(self, code: str) -> bool | None:
        actor = self.actors.get(code)
        return None if actor is None else actor.state.stage != "over"

    def _seen_before(self, code: str, people: Iterable[str]) -> int:
        actor = self.actors.get(code)
        return 0 if actor is None else actor.presence.seen(people, self.now())

    def reload(self, code: str) -> None:
        """Load a table from its log again, because memory and log may differ. Its pages reconnect by themselves."""
        actor = self.actors.pop(code, None)
        if actor is not None:
            actor.replace()
            self.background.spawn(self._load_again(actor))
        elif code in self._loading:
            self._differ.add(code)

    async def _load_again(self, actor: TableActor) -> None:
        try:
            fresh = await self.find(actor.code)
        except Refused:  # its game has a fault
            return
        except NotStored as error:
            # If the database is away, retry: the table's bots would stand still until the next visitor. A damaged log
            # stays as it is.
            if error.code == "store-unreadable" and not self.closed and actor.presence.is_attended(self.now()):
                self.after(AGAIN_S, lambda: self.background.spawn(self._load_again(actor)))
            return
        if fresh is not None:
            if actor.presence.is_attended(self.now()):
                fresh.attend()
            fresh.autoplay.pause()

    async def record(self, actor: TableActor) -> str:
        """Return a table's match so far as a record. Raises Refused before the match has begun, NotStored."""
        return await self._records.of(actor.number, actor.room.kit, actor.state)

    def _ended(self, code: str) -> None:
        """Find a match's turning point before its pages ask for it."""
        if self.answers.in_background and (actor := self.actors.get(code)) is not None:
            self.background.spawn(self._find_turning_point(actor))

    async def _find_turning_point(self, actor: TableActor) -> None:
        live, languages = actor.state.match, sorted({stream.language for stream in actor.streams})
        assert live is not None, "it has just ended"
        if refused_at_once(actor.room.kit, live.table.match, LANGUAGES[0]):
            return
        with suppress(Refused, NotStored):  # a page asks again, and gets the reason
            record = MatchRecord(actor.match_place, await self.record(actor))
            for language in languages:
                await self.answers.ask(AHEAD, find_turning_point, record, language)

    def words(self, actor: TableActor, seat: int, language: str = LANGUAGES[0]) -> str:
        """Return the four words of a taken seat, in a language."""
        person = actor.state.chairs[seat].people[0]
        return words_for(self.secret, actor.code, seat, person, language=language)

    def is_seat(self, actor: TableActor, seat: int, typed: str) -> bool:
        """Return True if a person sits at this seat, and ``typed`` is its four words, in any language."""
        languages = (*LANGUAGES, EARLIER) if actor.state.chairs[seat].people else ()
        return same_words(typed, *[self.words(actor, seat, code) for code in languages])

    def to_move(self, person: str | None) -> TableActor | None:
        """Return a table without lessons at which it is this person's turn. None if there is none in memory."""
        for actor in () if person is None else self.actors.values():
            state = actor.state
            if state.stage == "playing" and not state.setup.lessons and state.mover in state.seats_of(person):
                return actor
        return None

    def link(self, code: str) -> str:
        """Return the address of a table. It contains a secret, and lets in every client that has it."""
        return f"{TABLES}{link(self.secret, code)}"

    async def keep(self, name: str, value: bytes) -> None:
        """Store a setting. A failure only goes to the event log."""
        try:
            await await_commit(partial(self.store.submit_setting, name, value))
        except NotStored as error:
            self.event_log.write("setting-unwritten", setting=name, refusal=error.code)

    def heartbeat(self, part: int) -> None:
        """Send a heartbeat to the streams of one part of the tables. With part 0, also forget idle tables."""
        for actor in list(self.actors.values())[part::PARTS]:
            for stream in list(actor.presence.streams):
                stream.heartbeat()
        if not part:
            self.tidy()

    def tidy(self) -> None:
        """Drop idle tables from memory. The store has them."""
        now, many = self.now(), len(self.actors) > MANY
        for code, actor in list(self.actors.items()):
            if actor.idle(now, OVER_MS if many or actor.state.stage == "over" else IDLE_MS):
                self.actors.pop(code).close()

    def closing(self) -> None:
        """Tell every page that the house is about to stop. Pages then reconnect by themselves."""
        self.closed = True
        for actor in self.actors.values():
            actor.spectators.end_streams(CLOSING)
            actor.close()

    async def close(self) -> None:
        """Close, and wait for tasks under way, a second at most."""
        self.closing()
        await self.background.drain()
