"""Duplicate nights of a house (tables that play with the same dice): setup, tables, access, and every seat's losses.

A night is a setting of the store: its code, and the rules and seats of its tables. Its dice follow from the key of the
seals and the code (``core.cup``), so the store keeps no secret of them. Its link follows from the house's secret, as a
table's does, so nights of earlier versions have links too. Its tables are found by the idempotency keys that opened
them, which begin with the night's code. Each key is stored with two bytes derived from the opener's address: enough to
count the tables of one address, also at several nodes, and too few to identify it.

A person sits at one table of the night, and sees no other before that one is over. Otherwise they would know the dice.
People are known by their browsers, so a second browser gets round this (``docs/solve/fair-dice.md``).
"""

import asyncio
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import msgspec

from pubdice.advice.losses import MatchLosses
from pubdice.core.cup import read_night
from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.core.json_depth import shallow
from pubdice.room import Setup
from pubdice.room.setup import CLOCK_S, GRACE_S, MOST_SEATS, checked
from pubdice.server.jobs import MatchRecord, NoAnswer, weigh_losses
from pubdice.server.match_records import lines_of
from pubdice.server.spoilt_seats import spoilt_seats
from pubdice.server.table.actor import HOUR_MS, TableActor
from pubdice.server.table.codes import link, new_code
from pubdice.server.table.commit import Key, await_commit
from pubdice.server.table.house import House
from pubdice.server.table.new_tables import MONTH_MS
from pubdice.server.table.ordered_setup import OrderError
from pubdice.server.table.stream import CLOSING
from pubdice.server.web.limits import block_of
from pubdice.store import Listed

SYLLABLES = 3
"""The number of syllables in a night's code. Three make 160 million codes. Fewer would not do, because a guesser has a
month to find a night.
"""
CODES_TRIED = 20
_SETTING = "night "
MOST_TABLES, MOST_SHARED, MOST_LISTED = 32, 96, 128
"""``MOST_TABLES`` is the most tables with a place in one night. An address with less than an equal share of them may
get more, up to ``MOST_SHARED`` in all. ``MOST_LISTED`` is the most tables that the night's page lists and analyses. It
is higher, because a table that gave its place back may play on, and must still hide no other table's results.
"""
MOST_HERE = 16
"""The most tables of one night from one address. Two full pubs use up ``MOST_TABLES``. After that an address gets only
an equal share (a third pub 32 // 3 = 10), until the night has ``MOST_SHARED``. If each takes its share, 25 addresses
get places.
"""
WAITING_MS = 30 * 60 * 1000
"""A table that has not begun gives its place back after this time without a change."""
LEFT_MS = WAITING_MS + HOUR_MS
"""A table that has begun and that everyone left gives its place back after this time.

    The store notes moves only once an hour of the clock. So there has been no move for at least half an hour.
"""
NIGHTS = "/night/"
"""The path of every night's page. A code or a link follows it."""
AT_ONCE = 2
"""The number of tables whose losses one request asks for. Each may read a log, and wait two seconds for the solver."""


class StoredNight(msgspec.Struct, forbid_unknown_fields=True):
    """A night as it is stored. ``begun`` is in ms since 1970. The first version lacked ``clock_s`` and ``grace_s``."""

    rules: dict[str, str]
    seats: Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)]
    begun: Annotated[int, msgspec.Meta(ge=0, lt=10**14)]
    clock_s: Annotated[int, msgspec.Meta(ge=0, lt=10**9)] = CLOCK_S
    grace_s: Annotated[int, msgspec.Meta(ge=0, lt=10**9)] = GRACE_S


def read_stored_night(value: bytes) -> StoredNight:
    """Decode a stored night. Raises BadNotation("night") if no house can have written it."""
    try:
        return msgspec.json.decode(shallow(value), type=StoredNight)
    except (msgspec.DecodeError, ValueError):
        raise BadNotation("night", found=value[:99].decode(errors="replace")) from None


@dataclass(frozen=True, slots=True)
class DuplicateNight:
    """A duplicate night: tables that play the same match with the same dice."""

    code: str
    mark: str  # the night as its tables' setup names it
    setup: Setup  # the setup of each table, without host and time
    begun: int  # the time of its beginning, in ms since 1970


@dataclass(frozen=True, slots=True)
class NightStanding:
    """The state of a night's tables. ``finished`` has the finished tables, oldest first. With each come its losses, or
    the reason why it has none, or None while its losses are worked out. ``going`` is the number of the other tables.
    """

    finished: tuple[tuple[Listed, MatchLosses | NoAnswer | None], ...]
    going: int


@dataclass(frozen=True, slots=True)
class Nights:
    """The nights of a house."""

    house: House

    async def begin(self, setup: Setup) -> str:
        """Begin a night with this setup for its tables. Return its code. Raises Refused, NotStored."""
        house = self.house
        for _ in range(CODES_TRIED):
            code = new_code(house.config.source, SYLLABLES)
            if await house.read(house.store.setting, _setting(code)) is None:
                house.seals.night(code)
                night = StoredNight(dict(setup.rules), setup.seats, house.now(), setup.clock_s, setup.grace_s)
                await await_commit(partial(house.store.submit_setting, _setting(code), msgspec.json.encode(night)))
                return code
        raise NotStored("no-code")

    def link(self, code: str) -> str:
        """Return the address of a night. It contains a secret, and lets in every client that has it."""
        return f"{NIGHTS}{link(self.house.secret, code, 'night')}"

    async def find(self, code: str | None) -> DuplicateNight | None:
        """Return the night of a code. None if there is no such night, or if it has expired.

        Raises NotStored, Refused("no-seals").
        """
        kept = await self.house.read(self.house.store.setting, _setting(code)) if code else None
        if code is None or kept is None:
            return None
        mark = self.house.seals.night(code).write()
        try:
            night = read_stored_night(kept)
            kit = self.house.games.get(night.rules.get("game", ""))
            if kit is None or self.house.now() > night.begun + MONTH_MS:
                return None
            setup = Setup(night.rules, night.seats, "", night.begun, first_stays=True, night=mark, loser_lost=True)
            setup = checked(kit, replace(setup, clock_s=night.clock_s, grace_s=night.grace_s))
        except BadNotation:  # damaged, or begun by another version, whose game had other rules
            return None
        return DuplicateNight(code, mark, setup, night.begun)

    async def open_table(self, night: DuplicateNight, name: str, person: str, key: str, address: str) -> str:
        """Open a table of the night for a person, who gets a seat. Return its code.

        With the same idempotency ``key`` it returns the same table. Raises Refused, BadNotation, NotStored.
        """
        store_key = Key(f"{_prefix(night.code)}{person} {key}")
        known = await self.house.known_order(store_key) if key else None
        if known is not None:
            return known
        store_key = store_key._replace(body=self._opener(night.code, address))
        async with self.house.one_comes:
            await self.check_comes(night.mark, person, "")
            await self.check_room(night.code, address)
            setup = replace(night.setup, host=person, opened=self.house.now())
            try:
                code = await self.house.open_of_night(setup, name, store_key, address)
            except BadNotation as error:
                raise OrderError("name", error) from None
        self.part(night.mark, person, code)
        return code

    def part(self, mark: str, person: str, code: str) -> None:
        """End a person's streams at all tables of a night but the table ``code``, where the person now has a seat."""
        for actor in self.house.actors.values():
            if actor.state.setup.night == mark and actor.code != code:
                for stream in [stream for stream in actor.presence.streams if stream.person == person]:
                    stream.end(CLOSING)

    async def tables(self, night: DuplicateNight) -> list[Listed]:
        """Return the night's tables, oldest first, without the ones that gave their place back."""
        return sorted(await self._placed(night.code), key=lambda entry: entry.table)

    async def check_room(self, code: str, address: str, table: str = "") -> None:
        """Raise Refused if the night has no place for one more table from this address.

        ``table`` is the code of a table that has not begun, and may still have its place.
        """
        if table and any(entry.code == table for entry in await self._placed(code)):
            return
        (since, played), here = self._lately(), self._opener(code, address)
        read = partial(self.house.store.bodies_under, _prefix(code), since=since, played=played)
        opened = await self.house.read(read)
        share = max(1, MOST_TABLES // len(opened.keys() | {here}))
        if opened.total() >= (MOST_SHARED if opened[here] < share else MOST_TABLES):
            raise Refused("night-full", count=opened.total())
        if opened[here] >= MOST_HERE:
            raise Refused("night-here", most=MOST_HERE)

    async def _placed(self, code: str) -> Sequence[Listed]:
        """Return the tables with a place in a night: the finished tables, and unfinished tables that changed lately."""
        since, played = self._lately()
        read = self.house.store.opened_under
        return await self.house.read(partial(read, _prefix(code), MOST_LISTED, since=since, played=played))

    def _lately(self) -> tuple[int, int]:
        """Return two times in ms since 1970.

        To keep its place, a waiting table must have changed after the first, and a begun one after the second.
        """
        return self.house.now() - WAITING_MS, self.house.now() - LEFT_MS

    def _opener(self, code: str, address: str) -> bytes:
        """Return two bytes for an address, different at each night."""
        return hmac.digest(self.house.secret, f"opener {code} {block_of(address)}".encode(), "sha256")[:2]

    async def own_table(self, mark: str, person: str | None, but: str = "") -> Listed | None:
        """Return the night's running table at which a person has sat, or the waiting table at which they sit now.

        Leaves out the table ``but``. None if there is no such table.
        """
        for entry in await self._sat(mark, person):
            if entry.code != but and (
                entry.stage == "playing" or (entry.stage == "gathering" and await self._sits(entry, person))
            ):
                return entry
        return None

    async def check_may_watch(self, actor: TableActor, person: str | None) -> None:
        """Raise Refused("night-held") if a person may still meet this table's dice at another table of the night."""
        mark = actor.state.setup.night
        if (
            mark
            and actor.state.match is not None
            and (own := await self.own_table(mark, person, actor.code)) is not None
        ):
            raise Refused("night-held", table=own.code)

    async def check_comes(self, mark: str, person: str, code: str) -> None:
        """Raise Refused("night-once") if a person has, or has played at, another table of this night."""
        sat = await self._sat(mark, person)
        played = any(entry.stage != "gathering" and entry.code != code for entry in sat)
        if mark and (played or await self.own_table(mark, person, code) is not None):
            raise Refused("night-once")

    async def has_sat(self, code: str, person: str | None) -> bool:
        """Return True if a person has ever had a seat at a table of this night."""
        if person is None:
            return False
        return bool(await self.house.read(self.house.store.opened_under, _prefix(code), 1, person))

    async def has_played(self, night: DuplicateNight, person: str | None) -> bool:
        """Return True if a person had a seat at a finished table of the night."""
        return any(entry.stage == "over" for entry in await self._sat(night.mark, person))

    async def standing(self, night: DuplicateNight, *, asker: str) -> NightStanding:
        """Return every known loss of the night's seats. Asks for the losses of ``AT_ONCE`` more tables.

        For ``asker`` see ``Answers``. Raises Refused, NotStored.
        """
        asked = 0
        finished: list[tuple[Listed, MatchLosses | NoAnswer | None]] = []
        tables = await self.tables(night)
        for entry in tables:
            if entry.stage != "over":
                continue
            found = self.house.answers.known(weigh_losses, MatchRecord((entry.code, 0)))
            if found is None and asked < AT_ONCE:
                asked += 1
                found = await self._losses(entry, asker)
            finished.append((entry, found))
        return NightStanding(tuple(finished), len(tables) - len(finished))

    async def _losses(self, entry: Listed, asker: str) -> MatchLosses | NoAnswer | None:
        actor = await self.house.find(entry.code)
        if actor is None:
            return None
        read = partial(self.house.store.part, actor.number)
        spoilt = await asyncio.to_thread(lambda: spoilt_seats(lines_of(read, actor.state.seq)))
        bots = {seat for seat, chair in enumerate(actor.state.chairs) if chair.kind == "bot"}
        match = MatchRecord((entry.code, 0), await self.house.record(actor), spoilt | bots)
        return await self.house.answers.ask(asker, weigh_losses, match)

    async def _sat(self, mark: str, person: str | None) -> Sequence[Listed]:
        if not mark or person is None:
            return ()
        store = self.house.store
        return await self.house.read(store.opened_under, _prefix(read_night(mark).code), MOST_TABLES, person)

    async def _sits(self, entry: Listed, person: str | None) -> bool:
        actor = await self.house.find(entry.code)
        return actor is not None and actor.state.seat_of(person) is not None


def code_of_setting(name: str) -> str | None:
    """Return the code of the night whose setting has this name. None for any other setting.

    >>> code_of_setting("night KORBUMTAL"), code_of_setting("secret")
    ('KORBUMTAL', None)
    """
    return name.removeprefix(_SETTING) if name.startswith(_SETTING) else None


def _setting(code: str) -> str:
    return f"{_SETTING}{code}"


def _prefix(code: str) -> str:
    """Return the prefix of the keys that open a night's tables. Persons' own keys never begin with it."""
    return f"night:{code} "
