"""The players' book at work: who writes a name into it, which finished matches count, and what they come to.

Nothing happens at a table for it, and no move waits. When a player opens the book, the house looks through the tables
at which the player's browsers sat and takes up those whose match is over since they were linked; a few at a time are
then worked out in the process of figures. So nothing runs while nobody is there, and a crash loses nothing: what was
not taken up is found again.

A match counts for a player who had one seat, from its beginning to its end, and was its only player of the book there.
Not at all if a bot played the seat in between (given, voted away, out of time), or if several seats shared the player's
phone: the house can't tell whose choices those were.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

from pubdice.advice.ledger import Ledger, SeatLedger
from pubdice.advice.rating import sums_of
from pubdice.core.errors import NotStored, Refused
from pubdice.room.nickname import read_nickname
from pubdice.server.live.book_words import draw_words, words_hash
from pubdice.server.live.house import House
from pubdice.server.live.hub import Hub
from pubdice.server.live.records import lines_of
from pubdice.server.live.spoilt_seats import spoilt_seats
from pubdice.store.players_book import BookEntry, BookPlayer, PlayersBook

T = TypeVar("T")

MOST_TABLES = 200
"""Tables of a browser that are looked through, the latest; older ones that were never looked at do not count."""
MOST_TAKEN, MOST_WORKED = 12, 6
"""Matches that are taken up, and worked out, each time a player opens the book."""
MOST_HASHES = 16
"""People who may wait for a hash of their words, one after the other, 50 ms each."""
WAIT_S = 2.0
"""How long a page waits for matches that are worked out."""


class Book:
    """The players' book of a house. Lives in its event loop; the database is asked in threads."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._one_hash = asyncio.Lock()
        self._hashes = 0
        self._working: dict[int, asyncio.Task[None]] = {}

    @property
    def _players(self) -> PlayersBook:
        return self._house.config.players

    # players

    async def player(self, person: str | None) -> BookPlayer | None:
        """The player whose browser this is."""
        return await self._ask(self._players.player_of, person) if person else None

    async def join(self, person: str, name: str) -> int | None:
        """Write a name into the book; the number of its four words, which are kept nowhere. None if it is in already.

        Raises BadNotation for the name, Refused("book-full"), ("asks-waiting"); NotStored.
        """
        name, number = read_nickname(name), draw_words(self._house.config.source)
        words = await self._hash(name, number)
        return number if await self._ask(self._players.join, person, name, words, self._house.now()) else None

    async def enter(self, person: str, name: str, number: int | None) -> bool:
        """Link a browser with the player of this name and these words; whether there is one. Raises as ``join``."""
        words = await self._hash(name, number)
        return await self._ask(self._players.enter, person, words, self._house.now())

    async def change_words(self, player: BookPlayer) -> int:
        """Draw other words for a player; their number. Raises Refused("asks-waiting"), NotStored."""
        number = draw_words(self._house.config.source)
        await self._ask(self._players.change_words, player.id, await self._hash(player.name, number))
        return number

    async def leave(self, person: str) -> None:
        """Link a browser with nobody."""
        await self._ask(self._players.leave, person)

    async def erase(self, player: BookPlayer) -> None:
        """Delete everything about a player."""
        task = self._working.pop(player.id, None)
        if task is not None:
            task.cancel()
        await self._ask(self._players.erase, player.id)

    async def read(self, get: Callable[..., T], *arguments: object) -> T:
        """Ask the book something, in a thread. Raises NotStored."""
        return await self._ask(get, *arguments)

    async def _hash(self, name: str, number: int | None) -> bytes:
        if self._hashes >= MOST_HASHES:
            raise Refused("asks-waiting")
        self._hashes += 1
        try:
            async with self._one_hash:
                return await asyncio.to_thread(words_hash, self._players.salt, name, number, self._house.config.rom_mix)
        finally:
            self._hashes -= 1

    @staticmethod
    async def _ask(do: Callable[..., T], *arguments: object) -> T:
        return await asyncio.to_thread(do, *arguments)

    # matches

    async def bring_up_to_date(self, player: BookPlayer) -> int:
        """Take up finished matches and work some out; how many are left. Raises NotStored."""
        more = await self._take_up(player)
        task = self._working.get(player.id)
        if task is None:
            task = self._working[player.id] = asyncio.ensure_future(self._work(player))
            self._house.background.spawn(asyncio.shield(task))
            task.add_done_callback(lambda _: self._working.pop(player.id, None))
        await asyncio.wait([task], timeout=WAIT_S)
        return more + await self._ask(self._players.waiting, player.id)

    async def _take_up(self, player: BookPlayer) -> int:
        """Enter finished matches that are not in the book yet, the latest first; how many are left to take up."""
        found: dict[str, int] = {}
        after = await self._ask(self._players.horizon, player.id)
        for person, since in await self._ask(self._players.browsers, player.id):
            for table in await self._house.read(self._house.store.tables_of, person, MOST_TABLES):
                if table.stage == "over" and table.updated > max(since, after):
                    found[table.code] = table.updated
        known = await self._ask(self._players.known, player.id, list(found)) if found else set()
        codes = sorted(found.keys() - known, key=lambda code: -found[code])
        for code in codes[:MOST_TAKEN]:
            await self._ask(self._players.add, await self._entries(player, code, found[code]))
        return max(0, len(codes) - MOST_TAKEN)

    async def _entries(self, player: BookPlayer, code: str, at: int) -> list[BookEntry]:
        """What a table's match is to its players of the book; to this one, at least that it does not count.

        at: when anything last changed there.
        """
        out = BookEntry(player.id, code, at, 0, "", "", 0, 0.0, state="out")
        try:
            hub = await self._house.find(code)
        except NotStored:  # its log is damaged
            return [out]
        if hub is None or hub.state.stage != "over":
            return [out]
        if hub.state.moved_at <= await self._ask(self._players.horizon, player.id):
            return [out]  # it is in the sums already: only the table has changed since
        read = partial(self._house.store.part, hub.number)
        spoilt = await asyncio.to_thread(lambda: spoilt_seats(lines_of(read, hub.state.seq)))
        links = await self._ask(self._players.links, list(hub.state.people))
        entries = [
            _entry(hub, at, seat)
            for at, seat in seats_that_count(hub, links, spoilt).items()
            if hub.state.moved_at > await self._ask(self._players.horizon, at)
        ]
        return entries if any(entry.player == player.id for entry in entries) else [*entries, out]

    async def _work(self, player: BookPlayer) -> None:
        """Work out some of a player's matches, the latest first."""
        for entry in await self._ask(self._players.new, player.id, MOST_WORKED):
            try:
                hub = await self._house.find(entry.code)
                if hub is None or hub.state.match is None:
                    raise NotStored("no-table")
                found = await self._house.answers.ledger(
                    (hub.code, hub.state.match.state.seq), await self._house.record(hub)
                )
            except Refused as error:
                if error.code == "asks-waiting":
                    return  # the page asks again
                await self._ask(self._players.tried, entry.code)
            except NotStored:
                await self._ask(self._players.tried, entry.code)
            else:
                worth = worth_of(found) if isinstance(found, Ledger) else None
                utility = found.utility if isinstance(found, Ledger) else ""
                await self._ask(self._players.worked, entry.code, utility, worth)


def seats_that_count(hub: Hub, links: Mapping[str, tuple[int, int]], spoilt: frozenset[int]) -> dict[int, int]:
    """The players of the book for whom a finished match counts, and the seat of each.

    links: each person's player, and since when. No match with lessons counts: the house helped to play it.
    """
    if hub.state.setup.lessons:
        return {}
    seats: dict[int, set[int]] = {}
    shared: set[int] = set()
    for seat, chair in enumerate(hub.state.chairs):
        players = {links[person][0] for person in chair.people if person in links}
        if len(players) > 1 or seat in spoilt or any(len(hub.state.seats_of(person)) > 1 for person in chair.people):
            shared |= players
        for player in players:
            seats.setdefault(player, set()).add(seat)
    joined = {player for player, since in links.values() if hub.state.moved_at > since}
    return {
        player: next(iter(mine))
        for player, mine in seats.items()
        if len(mine) == 1 and player not in shared and player in joined
    }


def _entry(hub: Hub, player: int, seat: int) -> BookEntry:
    live = hub.state.match
    assert live is not None, "its match is over"
    match, tally = live.table.match, live.state.match.tally
    winners = match.format.champions(tally)
    won = 1 / len(winners) if seat in winners else 0.0
    written = match.format.write()
    return BookEntry(player, hub.code, hub.state.moved_at, seat, hub.room.kit.name, written, match.seats, won)


def worth_of(ledger: Ledger) -> dict[int, dict[str, float]]:
    """What the book keeps of each seat's match: sums that can be added, and the parts of its receipt."""
    return {seat: _worth(mine) for seat, mine in enumerate(ledger.seats)}


def _worth(seat: SeatLedger) -> dict[str, float]:
    parts: Mapping[str, Any] = asdict(seat)
    return {**asdict(sums_of(seat)), **{name: parts[name] for name in ("expectation", "skill", "given", "result")}}
