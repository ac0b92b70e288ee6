"""New tables: one under each idempotency key, with an unused code, and a limit for each address. Knows no HTTP."""

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
"""Random bytes of a continuation's identity: of two that begin at one log, each has its own."""
MOST_SHORT = 100
"""Tables in use with codes of two syllables; beyond that new codes have three, or guesses would find one too easily."""


@dataclass(frozen=True, slots=True)
class NewTables:
    """Sets up the tables of one house.

    now: ms since 1970. source: random bytes for codes. cup: where rolls come from. seals: of sealed dice. secret: the
    house's.
    """

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
        """Set up a table for a person, who sits at it; its code. Raises OrderError, BadNotation, Refused or NotStored.

        A person's idempotency key opens one table: the same order again gets that table's code. address: the client's,
        with a limit of tables in play. live: tables in memory.
        """
        key, now = key_of(person, order) if order.key else None, self.now()
        if key is not None and (known := await self.known(key)) is not None:
            return known
        self.in_play.check(address, live, now)
        setup = sealed(setup_ordered(order, self.games, person, now), self.seals)
        return await self._open_for(setup, order.name, key, address, others=order.others, start=order.start)

    async def known(self, key: Key) -> str | None:
        """The code of the table that was opened under a key; None if none was. Raises NotStored."""
        found = await self.read(self.store.ordered, *key)
        if found is not None:
            await await_commit(self.store.submit_confirming)
        return found

    async def open_of_night(self, setup: Setup, name: str, key: Key, address: str, live: int) -> str:
        """Set up a table of a duplicate night for its host, who sits at it; its code. Raises as ``open`` does."""
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
        """Set up a table at which its host sits under this name. others: names of those who share the host's phone.

        start: it begins at once, if its dice are not sealed, which wait for the seats' seeds.
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
        """Set up a table at which the match of another house goes on, from its log; its code.

        lines: the log, from anywhere. before: who goes on, as that house knew them; person: the same, as this one does,
        who is the host. The same log gives the same table: somebody may ask twice. Raises Refused, NotStored
        ("log-impossible").
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
        """Set up the table of a rematch, unless this key has one; its code. Raises Refused or NotStored.

        It counts as opened from the address of the first person who asked.
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
        """Store a new table under an unused code. begun: the lines before the steps; state: before anybody sat down."""
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
