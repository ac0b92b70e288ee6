"""New tables: one for each idempotency key, with an unused code, and a limit for each address. Knows no HTTP."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from pubdice.core.cup import Cup
from pubdice.core.errors import NotStored
from pubdice.core.seal import Seals
from pubdice.kit import Kit
from pubdice.room import Caller, Room, RoomState, Setup, Step, commands, write_setup
from pubdice.room.seeds import sealed
from pubdice.server.log_check import replayed
from pubdice.server.table.actor import summary_of
from pubdice.server.table.codes import new_code
from pubdice.server.table.commit import Key, Reads, await_commit, key_of
from pubdice.server.table.in_play import InPlay, opener_of
from pubdice.server.table.ordered_setup import setup_ordered
from pubdice.server.wire import Order
from pubdice.store.house_store import HouseStore

DAY_MS = 24 * 3600 * 1000
MONTH_MS = 31 * DAY_MS
CODES_TRIED = 20
FORK_BYTES = 8
"""The number of random bytes in the id of a match that goes on from another house. They tell apart two such matches
from one log.
"""
MOST_SHORT = 100
"""With this many tables in use under codes of two syllables, new codes get three. Two would be too easy to guess."""


@dataclass(frozen=True, slots=True)
class NewTables:
    """Sets up the tables of one house. ``now`` is in ms since 1970. ``source`` returns a number of random bytes."""

    store: HouseStore
    read: Reads
    games: Mapping[str, Kit]
    in_play: InPlay
    now: Callable[[], int]
    source: Callable[[int], bytes]
    cup: Callable[[], Cup]
    seals: Seals
    secret: bytes

    async def open(self, order: Order, person: str, address: str, live: int) -> str:
        """Set up a table with this person at it. Return its code. The same key opens no second table.

        ``address`` is the client's, for the limit of its tables in play. ``live`` counts the tables in memory. Raises
        OrderError, BadNotation, Refused or NotStored.
        """
        key, now = key_of(person, order) if order.key else None, self.now()
        if key is not None and (known := await self.known(key)) is not None:
            return known
        self.in_play.check(address, live, now)
        setup = sealed(setup_ordered(order, self.games, person, now), self.seals)
        return await self._open_for(setup, order.name, key, address, others=order.others, start=order.start)

    async def known(self, key: Key) -> str | None:
        """Return the code of the table that was opened under a key. None if there is none. Raises NotStored."""
        found = await self.read(self.store.ordered, *key)
        if found is not None:
            await await_commit(self.store.submit_confirming)
        return found

    async def open_of_night(self, setup: Setup, name: str, key: Key, address: str, live: int) -> str:
        """Set up a table of a duplicate night, with its host at it. Returns its code. Raises as ``open`` does."""
        self.in_play.check(address, live, self.now())
        return await self._open_for(setup, name, key, address)

    async def _open_for(
        self,
        setup: Setup,
        name: str,
        key: Key | None,
        address: str,
        *,
        others: Sequence[str] = (),
        start: bool = False,
    ) -> str:
        """Set up a table, with its host at it under ``name``. Return its code.

        ``others`` are the names of further players on the host's phone. If ``start``, the match begins at once. With
        sealed dice it waits for the seats' seeds.
        """
        room, now = Room(self.games[setup.rules["game"]], setup), self.now()
        caller, cup = Caller(setup.host, now), self.cup()
        steps = room.decide(room.start(), commands.Sit(None, name), caller, cup, self.seals)
        for other in others:
            steps += room.decide(steps[-1].after, commands.Share(other), caller, cup, self.seals)
        if start and steps[-1].after.match is None and setup.dice != "sealed":
            steps += room.decide(steps[-1].after, commands.Start(), caller, cup, self.seals)
        code = await self._create(setup, room.start(), steps, key, address)
        self.in_play.opened(address, code, now)
        return code

    async def go_on(self, lines: Sequence[str], before: str, person: str) -> str:
        """Set up a table that goes on with the match of another house, from its log. Returns its code.

        The same log opens one table, so a client may ask twice. ``before`` and ``person`` are the new host's ids in the
        other house and in this one. Raises Refused, NotStored("log-impossible").
        """
        key = Key(f"{person} went-on-{sha256(chr(10).join([before, *lines]).encode()).hexdigest()}")
        if (known := await self.known(key)) is not None:
            return known
        _, state = replayed(lines, self.games)
        room = Room(self.games[state.setup.rules["game"]], state.setup)
        went_on = commands.GoOn(self.source(FORK_BYTES).hex(), before, person)
        steps = room.decide(state, went_on, Caller(None, max(state.at, self.now())), self.cup(), self.seals)
        return await self._store(lines, room.start(), steps, key, "")

    async def open_next(self, setup: Setup, key: Key, address: str, live: int) -> str:
        """Set up the table of a rematch, unless this key already has one. Return its code.

        ``address`` is that of the client who asked first. Raises Refused or NotStored.
        """
        if (known := await self.known(key)) is not None:
            return known
        now = self.now()
        self.in_play.check(address, live, now)
        code = await self._create(setup, Room(self.games[setup.rules["game"]], setup).start(), (), key, address)
        self.in_play.opened(address, code, now)
        return code

    async def _create(
        self, setup: Setup, state: RoomState, steps: Sequence[Step], key: Key | None, address: str
    ) -> str:
        return await self._store([write_setup(setup)], state, steps, key, address)

    async def _store(
        self, begun: Sequence[str], state: RoomState, steps: Sequence[Step], key: Key | None, address: str
    ) -> str:
        """Store a new table under an unused code. Return the code. ``begun`` has the log lines before the steps."""
        summary = summary_of(state, steps[-1].after if steps else state)
        lines = [*begun, *(step.write() for step in steps)]
        now = self.now()
        few = await self.read(self.store.short_codes, now - MONTH_MS, now - DAY_MS, MOST_SHORT) < MOST_SHORT
        noted = {"opener": opener_of(self.secret, address), **({} if key is None else key._asdict())}
        for tried in range(CODES_TRIED):
            code = new_code(self.source, 2 if few and tried < CODES_TRIED // 2 else 3)
            try:
                submit = partial(self.store.submit_table, code, lines, summary, **noted)
                created: str = await await_commit(submit)
            except NotStored as error:
                if error.code == "code-taken":
                    continue
                raise
            return created
        raise NotStored("no-code")
