"""The players' book (a phone's matches, with luck and losses): its players, the matches that count, and their results.

A book belongs to a phone, as a seat does: to the person in its cookie. Another phone opens it with the four words of a
seat whose match is in it. So a book needs no words of its own, and a house stores none.

Tables do nothing for the book, and no move waits for it. When a player opens it, the house enters the finished matches
at the tables of the player's browsers. The process of figures then works out a few at a time. So nothing runs unless a
player reads the book, and after a crash the house finds missing matches again.

A match counts for a player who had one seat from its beginning to its end, and was the only player of the book at that
seat. It does not count if a bot played the seat for a while (given to it, voted away, out of time), or if several seats
shared the player's phone: the house can't tell who made the choices.
"""

import asyncio
import hashlib
import hmac
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

from pubdice.advice.ledger import Ledger, SeatLedger
from pubdice.advice.rating import sums_of
from pubdice.core.errors import NotStored, Refused
from pubdice.match.header import tidy
from pubdice.server.jobs import MatchRecord, write_ledger
from pubdice.server.match_records import lines_of
from pubdice.server.shared_lock import SharedLock
from pubdice.server.spoilt_seats import spoilt_seats
from pubdice.server.table.actor import TableActor
from pubdice.server.table.codes import read_code
from pubdice.server.table.house import House
from pubdice.server.table.seat_words import fold
from pubdice.store.players_book import BookEntry, BookPlayer, PlayersBook
from pubdice.text.word_lists import BITS_OF_A_WORD, LANGUAGES, word_list

T = TypeVar("T")

MOST_TABLES = 200
"""The most tables of a browser that the house looks through, the latest first. The matches of older tables that it
never looked at do not count.
"""
MOST_TAKEN, MOST_WORKED, MOST_CARRIED = 12, 6, 6
"""The most matches to enter and to work out each time a player opens the book, and the most to search for a seat with
words.
"""
UNSOUND, GONE = ("log-damaged", "no-table"), "game-gone"
"""Reasons why a table can't be read, by code of NotStored. A match at an unsound table never counts. A match whose game
is gone is tried again. Any other reason may be temporary.
"""
WAIT_S = 2.0
"""The time that a page waits for matches to be worked out."""
MOST_TYPED = 200
"""The most letters that are read of a name, and of the four words that an earlier version gave a player."""


class Book:
    """The players' book of a house. It lives in the event loop, and asks the database in threads."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._hashing = SharedLock()  # one at a time, as scrypt takes 16 MB
        self._working: dict[int, asyncio.Task[None]] = {}

    @property
    def _players(self) -> PlayersBook:
        return self._house.config.players

    # players

    async def player(self, person: str | None) -> BookPlayer | None:
        """Return the player to whom this browser is linked, or None."""
        return await self._ask(self._players.player_of, person) if person else None

    async def has_games(self, person: str | None) -> bool:
        """Return True if this browser has sat at a table. Only such a browser may begin a book."""
        return bool(person and await self._house.read(self._house.store.tables_of, person, 1))

    async def begin(self, person: str) -> None:
        """Begin a book for a browser. Raises Refused("book-empty") if it never sat at a table, and NotStored.

        So there are at most as many books as persons in the logs. Page requests alone can't fill the database.
        """
        if not await self.has_games(person):
            raise Refused("book-empty")
        await self._ask(self._players.begin, person, self._house.now())

    async def carried(self, player: BookPlayer, language: str) -> tuple[str, str]:
        """Return the code of a table whose match is in the book, and the four words of the player's seat there.

        Raises Refused("book-uncarried") if none of the latest ``MOST_CARRIED`` matches has such a seat.
        """
        for entry in await self._ask(self._players.entries, player.id, MOST_CARRIED):
            try:
                actor = await self._readable(entry.code)
            except NotStored as error:
                if error.code != GONE:
                    raise
                continue
            if actor is not None and actor.state.chairs[entry.seat].people:
                return entry.code, self._house.words(actor, entry.seat, language)
        raise Refused("book-uncarried")

    async def enter(self, person: str, table: str, words: str) -> None:
        """Link a browser with a player of the book, by the words of a seat whose match the player has in it.

        A seat is in the book only if one person played it alone, so people who shared a phone don't know its words.
        Raises Refused("book-words") for any fault of the words, and NotStored.
        """
        code = read_code(table)
        seats = await self._ask(self._players.seats, code) if code else []
        actor = await self._readable(code) if code and seats else None
        found = [player for player, seat in seats if actor is not None and self._house.is_seat(actor, seat, words)]
        if not found:
            raise Refused("book-words")
        await self._ask(self._players.enter, person, found[0], self._house.now())

    async def enter_earlier(self, person: str, name: str, words: str) -> None:
        """Link a browser with the player to whom an earlier version gave these words. Raises Refused("book-words").

        It costs a hash of 50 ms, so callers first count it against the limit of wrong words.
        """
        if not await self._ask(self._players.has_words):
            raise Refused("book-words")
        async with self._hashing:
            salt = await self._ask(self._players.salt)
            hashed = await asyncio.to_thread(earlier_hash, salt, name, words)
        player = None if hashed is None else await self._ask(self._players.player_with, hashed)
        if player is None:
            raise Refused("book-words")
        await self._ask(self._players.enter, person, player, self._house.now())

    async def leave(self, person: str) -> None:
        """Remove the link between a browser and its player."""
        await self._ask(self._players.leave, person)

    async def erase(self, player: BookPlayer) -> None:
        """Delete everything about a player."""
        task = self._working.pop(player.id, None)
        if task is not None:
            task.cancel()
        await self._ask(self._players.erase, player.id)

    async def read(self, get: Callable[..., T], *arguments: object) -> T:
        """Run a read of the book in a thread. Raises NotStored."""
        return await self._ask(get, *arguments)

    @staticmethod
    async def _ask(do: Callable[..., T], *arguments: object) -> T:
        return await asyncio.to_thread(do, *arguments)

    # matches

    async def bring_up_to_date(self, player: BookPlayer, *, asker: str) -> int:
        """Enter and work out finished matches. Return the number of matches left. For ``asker`` see ``Answers``."""
        more = await self._take_up(player.id)
        task = self._working.get(player.id)
        if task is None:
            task = self._working[player.id] = asyncio.ensure_future(self._work(player, asker))
            self._house.background.spawn(asyncio.shield(task))
            task.add_done_callback(lambda _: self._working.pop(player.id, None))
        await asyncio.wait([task], timeout=WAIT_S)
        return more + await self._ask(self._players.waiting, player.id)

    async def _take_up(self, player: int) -> int:
        """Enter finished matches that the book lacks, the latest first. Return the number left to enter.

        If a table can't be read now, it and the tables after it count as left.
        """
        found: dict[str, int] = {}
        after = await self._ask(self._players.horizon, player)
        for person, since in await self._ask(self._players.browsers, player):
            for table in await self._house.read(self._house.store.tables_of, person, MOST_TABLES):
                if table.stage == "over" and table.updated > max(since, after):
                    found[table.code] = table.updated
        known = await self._ask(self._players.known, player, list(found)) if found else set()
        codes = sorted(found.keys() - known, key=lambda code: -found[code])
        for at, code in enumerate(codes[:MOST_TAKEN]):
            try:
                entries = await self._entries(player, code, found[code])
            except NotStored as error:
                if error.code == GONE:
                    continue  # the next visit looks again: its game may be back
                return len(codes) - at
            await self._ask(self._players.add, entries)
        return max(0, len(codes) - MOST_TAKEN)

    async def _entries(self, player: int, code: str, at: int) -> list[BookEntry]:
        """Return the entries of a table's match: one for each player of the book for whom the match counts.

        If the match does not count for ``player``, an entry with the state "out" says so, and this match is not looked
        at again. ``at`` is the time of the table's last change. Raises NotStored if a later look may succeed.
        """
        out = BookEntry(player, code, at, 0, "", "", 0, 0.0, state="out")
        actor = await self._readable(code)
        if actor is None or actor.state.stage != "over":
            return [out]
        if actor.state.moved_at <= await self._ask(self._players.horizon, player):
            return [out]  # the match is in the sums already, and only the table has changed since
        read = partial(self._house.store.part, actor.number)
        spoilt = await asyncio.to_thread(lambda: spoilt_seats(lines_of(read, actor.state.seq)))
        links = await self._ask(self._players.links, list(actor.state.people))
        entries = [
            _entry(actor, at, seat)
            for at, seat in seats_that_count(actor, links, spoilt).items()
            if actor.state.moved_at > await self._ask(self._players.horizon, at)
        ]
        return entries if any(entry.player == player for entry in entries) else [*entries, out]

    async def _readable(self, code: str) -> TableActor | None:
        """Return a table. None if there is none, or if it can never be read.

        Raises NotStored if a later look may succeed.
        """
        try:
            return await self._house.find(code)
        except NotStored as error:
            if error.code not in UNSOUND:
                raise
            return None

    async def _work(self, player: BookPlayer, asker: str) -> None:
        for entry in await self._ask(self._players.new, player.id, MOST_WORKED):
            try:
                actor = await self._house.find(entry.code)
                if actor is None or actor.state.match is None:
                    raise NotStored("no-table")
                match = MatchRecord(actor.match_place, await self._house.record(actor))
                while (found := await self._house.answers.ask(asker, write_ledger, match)) is None:
                    pass  # in the background, waiting holds up no request
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


def seats_that_count(actor: TableActor, links: Mapping[str, tuple[int, int]], spoilt: frozenset[int]) -> dict[int, int]:
    """Return the seat of each player of the book for whom a finished match counts.

    ``links`` maps each person to the player's number and the time of the link. A match with lessons counts for no
    player, because the house helped to play it.
    """
    if actor.state.setup.lessons:
        return {}
    seats: dict[int, set[int]] = {}
    shared: set[int] = set()
    for seat, chair in enumerate(actor.state.chairs):
        players = {links[person][0] for person in chair.people if person in links}
        if len(players) > 1 or seat in spoilt or any(len(actor.state.seats_of(person)) > 1 for person in chair.people):
            shared |= players
        for player in players:
            seats.setdefault(player, set()).add(seat)
    joined = {player for player, since in links.values() if actor.state.moved_at > since}
    return {
        player: next(iter(mine))
        for player, mine in seats.items()
        if len(mine) == 1 and player not in shared and player in joined
    }


def _entry(actor: TableActor, player: int, seat: int) -> BookEntry:
    live = actor.state.match
    assert live is not None, "its match is over"
    match, tally = live.table.match, live.state.match.tally
    written, won = match.format.write(), match.shares(tally)[seat]
    return BookEntry(player, actor.code, actor.state.moved_at, seat, actor.room.kit.name, written, match.seats, won)


def worth_of(ledger: Ledger) -> dict[int, dict[str, float]]:
    """Return the numbers that the book keeps of a match, by seat: amounts to add up over matches, and the parts of the
    match's receipt.
    """
    return {seat: _worth(mine) for seat, mine in enumerate(ledger.seats)}


def _worth(seat: SeatLedger) -> dict[str, float]:
    parts: Mapping[str, Any] = asdict(seat)
    return {**asdict(sums_of(seat)), **{name: parts[name] for name in ("expectation", "skill", "given", "result")}}


def earlier_hash(salt: bytes, name: str, words: str) -> bytes | None:
    """Return the hash that an earlier version stored for a name and its four words: 32 bytes of scrypt, with 16 MB in
    50 ms.

    Returns None if they are not four words of one list, or if this Python has no scrypt, as in a browser.
    """
    number = _earlier_words(words)
    if number is None or not hasattr(hashlib, "scrypt"):
        return None
    spelt = unicodedata.normalize("NFKC", tidy(name[:MOST_TYPED])).casefold().encode()
    own = hmac.digest(salt, spelt, "sha256")
    return hashlib.scrypt(number.to_bytes(8, "big"), salt=own, n=1 << 14, r=8, p=1, dklen=32)


def _earlier_words(text: str) -> int | None:
    """Return the number that four words of one language's list stand for. The first word is the lowest ten bits."""
    parts = [fold(part) for part in text[:MOST_TYPED].translate(dict.fromkeys(map(ord, ",;.-_/"), " ")).split()]
    for code in LANGUAGES:
        places = {fold(word): at for at, word in enumerate(word_list(code))}
        if len(parts) == 4 and all(part in places for part in parts):
            return sum(places[part] << BITS_OF_A_WORD * at for at, part in enumerate(parts))
    return None
