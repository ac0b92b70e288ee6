"""Duplicate nights of a house: what is played, their tables, who may see which, and what every seat gave away.

A night is a setting of the store: its code, and the rules and seats of its tables. Its dice follow from the key of the
seals and the code (``core.duplicate``), so no secret of it is stored. Its tables are found by the idempotency keys
under which they were opened, which begin with the night's code.

A person who has sat down at a table of the night sees no other before that one is over, and nobody sits at two: they
would know the dice. People are known by their browsers, so a second browser gets round it (``docs/fair-dice.md``).
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pubdice.advice.losses import MatchLosses
from pubdice.core.duplicate import read_night
from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.room import Setup
from pubdice.room.setup import checked
from pubdice.server.live.commit import await_commit
from pubdice.server.live.house import CLOSING, House
from pubdice.server.live.hub import Hub
from pubdice.server.live.idempotency import Key
from pubdice.server.live.new_tables import MONTH_MS
from pubdice.server.live.orders import OrderError
from pubdice.server.live.records import lines_of
from pubdice.server.live.solver_process import NoAnswer
from pubdice.server.live.spoilt_seats import spoilt_seats
from pubdice.server.live.table_codes import new_code
from pubdice.store import Listed

SYLLABLES = 3
"""Of a night's code: 160 million, as nights are found by their codes for a month."""
CODES_TRIED = 20
MOST_TABLES = 32
"""Tables of one night: what its page lists, and has the solver's process work on."""
AT_ONCE = 2
"""Tables whose losses one request asks for; each may read a log, and wait two seconds for the solver."""


@dataclass(frozen=True, slots=True)
class DuplicateNight:
    """A duplicate night. mark: as its tables have it. setup: of each of its tables, but for host and time. begun: in ms
    since 1970.
    """

    code: str
    mark: str
    setup: Setup
    begun: int


@dataclass(frozen=True, slots=True)
class NightStanding:
    """What is known of a night's tables. finished: those that are over, oldest first; each with its losses, why they
    are not known, or None while they are worked out. going: how many are not over.
    """

    finished: tuple[tuple[Listed, MatchLosses | NoAnswer | None], ...]
    going: int


@dataclass(frozen=True, slots=True)
class Nights:
    """The nights of a house."""

    house: House

    async def begin(self, setup: Setup) -> str:
        """Begin a night whose tables are set up like this; its code. Raises Refused, NotStored."""
        house = self.house
        for _ in range(CODES_TRIED):
            code = new_code(house.config.source, SYLLABLES)
            if await house.read(house.store.setting, _setting(code)) is None:
                house.seals.night(code)
                facts = {"rules": dict(setup.rules), "seats": setup.seats, "begun": house.now()}
                facts |= {"clock_s": setup.clock_s, "grace_s": setup.grace_s}
                await await_commit(partial(house.store.submit_setting, _setting(code), json.dumps(facts).encode()))
                return code
        raise NotStored("no-code")

    async def find(self, code: str | None) -> DuplicateNight | None:
        """The night of a code; None if there is none, or not any more. Raises NotStored, Refused("no-seals")."""
        kept = await self.house.read(self.house.store.setting, _setting(code)) if code else None
        if code is None or kept is None:
            return None
        facts: dict[str, Any] = json.loads(kept)
        kit = self.house.games.get(facts["rules"]["game"])
        if kit is None or self.house.now() > facts["begun"] + MONTH_MS:
            return None
        mark = self.house.seals.night(code).write()
        times = {key: facts[key] for key in ("clock_s", "grace_s") if key in facts}
        unchecked = Setup(facts["rules"], facts["seats"], "", facts["begun"], first_stays=True, night=mark, **times)
        try:
            return DuplicateNight(code, mark, checked(kit, unchecked), facts["begun"])
        except BadNotation:  # begun by another version, whose game had other rules
            return None

    async def open_table(self, night: DuplicateNight, name: str, person: str, key: str, address: str) -> str:
        """Set up a table of the night for a person, who sits at it; its code. Raises Refused, BadNotation, NotStored.

        A key opens one table, as everywhere.
        """
        store_key = Key(f"{_prefix(night.code)}{person} {key}")
        known = await self.house.known_order(store_key) if key else None
        if known is not None:
            return known
        async with self.house.one_comes:
            await self.check_comes(night.mark, person, "")
            if len(await self.tables(night)) >= MOST_TABLES:
                raise Refused("night-full", most=MOST_TABLES)
            setup = replace(night.setup, host=person, opened=self.house.now())
            try:
                code = await self.house.open_of_night(setup, name, store_key, address)
            except BadNotation as error:
                raise OrderError("name", error) from None
        self.part(night.mark, person, code)
        return code

    def part(self, mark: str, person: str, code: str) -> None:
        """End a person's streams at other tables of the night, as they sit at this one now."""
        for hub in self.house.hubs.values():
            if mark and hub.state.setup.night == mark and hub.code != code:
                for stream in [stream for stream in hub.presence.streams if stream.person == person]:
                    stream.end(CLOSING)

    async def tables(self, night: DuplicateNight) -> list[Listed]:
        """The night's tables, oldest first."""
        found = await self.house.read(self.house.store.opened_under, _prefix(night.code), MOST_TABLES)
        return sorted(found, key=lambda entry: entry.table)

    async def own_table(self, mark: str, person: str | None, but: str = "") -> Listed | None:
        """The table of the night at which a person sits and which is not over, or at which they sat when it was played;
        None if there is none but this.
        """
        for entry in await self._sat(mark, person):
            if entry.code != but and (
                entry.stage == "playing" or (entry.stage == "gathering" and await self._sits(entry, person))
            ):
                return entry
        return None

    async def check_shown(self, hub: Hub, person: str | None) -> None:
        """Raise Refused("night-held") for a table of a night whose dice this person may still meet elsewhere."""
        mark = hub.state.setup.night
        if mark and hub.state.match is not None and (own := await self.own_table(mark, person, hub.code)) is not None:
            raise Refused("night-held", table=own.code)

    async def check_comes(self, mark: str, person: str, code: str) -> None:
        """Raise Refused("night-once") for a person who has a table of this night, or has played, but not this one."""
        sat = await self._sat(mark, person)
        played = any(entry.stage != "gathering" and entry.code != code for entry in sat)
        if mark and (played or await self.own_table(mark, person, code) is not None):
            raise Refused("night-once")

    async def has_played(self, night: DuplicateNight, person: str | None) -> bool:
        """Whether a person has sat at a table of the night that is over."""
        return any(entry.stage == "over" for entry in await self._sat(night.mark, person))

    async def standing(self, night: DuplicateNight) -> NightStanding:
        """What every seat of the night gave away, as far as it is known; asks for what is not.

        Raises Refused, NotStored.
        """
        answers, asked = self.house.answers, 0
        finished: list[tuple[Listed, MatchLosses | NoAnswer | None]] = []
        tables = await self.tables(night)
        for entry in tables:
            if entry.stage != "over":
                continue
            found = answers.known_losses(entry.code)
            if found is None and asked < AT_ONCE:
                asked += 1
                found = await self._losses(entry)
            finished.append((entry, found))
        return NightStanding(tuple(finished), len(tables) - len(finished))

    async def _losses(self, entry: Listed) -> MatchLosses | NoAnswer | None:
        hub = await self.house.find(entry.code)
        if hub is None:
            return None
        read = partial(self.house.store.part, hub.number)
        spoilt = await asyncio.to_thread(lambda: spoilt_seats(lines_of(read, hub.state.seq)))
        bots = {seat for seat, chair in enumerate(hub.state.chairs) if chair.kind == "bot"}
        return await self.house.answers.losses(entry.code, await self.house.record(hub), spoilt | bots)

    async def _sat(self, mark: str, person: str | None) -> Sequence[Listed]:
        if not mark or person is None:
            return ()
        store = self.house.store
        return await self.house.read(store.opened_under, _prefix(read_night(mark).code), MOST_TABLES, person)

    async def _sits(self, entry: Listed, person: str | None) -> bool:
        hub = await self.house.find(entry.code)
        return hub is not None and hub.state.seat_of(person) is not None


def _setting(code: str) -> str:
    return f"night {code}"


def _prefix(code: str) -> str:
    """How the keys of a night's tables begin; no person's key begins so."""
    return f"night:{code} "
