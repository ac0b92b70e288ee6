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
import hashlib
import hmac
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cache, partial
from typing import Any, TypeVar

from pubdice.advice.rating import Ledger, SeatLedger, sums_of
from pubdice.core.errors import NotStored, Refused
from pubdice.match.notation import tidy
from pubdice.room.nickname import read_nickname
from pubdice.server.replay import lines_of, spoilt_seats
from pubdice.server.table.actor import Hub
from pubdice.server.table.codes import LANGUAGES, fold
from pubdice.server.table.house import House, RomMix
from pubdice.server.web.limits import block_of
from pubdice.server.workers.processes import FairLock
from pubdice.store.players_book import KEPT_FULL_MS, KEPT_MS, BookEntry, BookPlayer, PlayersBook
from pubdice.text.word_lists import BITS_OF_A_WORD, word_list, words_of

# The four words of a player in the players' book: drawn, read in any language, hashed. Knows no table and no file.
#
# They are 40 bits, which are four words in every language (``text.word_lists``). The file has only what scrypt makes
# of name and bits, so a name need not be the only one of its kind, and whether a name is in the book shows in
# nothing: every try costs one scrypt and one look-up, right or wrong.


WORDS = 4
"""Words of a player."""
BITS = WORDS * BITS_OF_A_WORD
NO_WORDS = b"\xff" * 8
"""What is hashed where the text has no four words of a list: no drawn number has so many bits."""
COST, BLOCK = 1 << 14, 8
"""Of scrypt: 16 MB and some 50 ms (RFC 7914). A thief of the file needs 2 ** 39 of these for one player's words."""
_LENGTH = 32
_BETWEEN = str.maketrans(dict.fromkeys(",;.-_/", " "))
_MOST_TYPED = 200


def draw_words(source: Callable[[int], bytes]) -> int:
    """The number of a new player's words. source: so many random bytes."""
    return int.from_bytes(source(BITS // 8), "big")


def told_words(number: int, code: str) -> str:
    """The words of a number in a language; English where the language has no list."""
    return " ".join(words_of(number, WORDS, code if code in LANGUAGES else LANGUAGES[0]))


def read_book_words(text: str) -> int | None:
    """The number of the words somebody typed, in any language; None if they are not four words of one list.

    >>> read_book_words(told_words(2**39 + 77, "en").upper().replace(" ", ", ")) == 2**39 + 77
    True
    """
    parts = [fold(part) for part in text[:_MOST_TYPED].translate(_BETWEEN).split()]
    for code in LANGUAGES:
        places = [_places(code).get(part) for part in parts]
        if len(places) == WORDS and None not in places:
            return sum(place << BITS_OF_A_WORD * at for at, place in enumerate(places) if place is not None)
    return None


def words_hash(salt: bytes, name: str, number: int | None, mix: RomMix | None = None) -> bytes:
    """What the file has of a name and its words: 32 bytes. Takes 50 ms, so not on the event loop.

    mix: where Python has no OpenSSL, what does scrypt's costly part; the same 32 bytes come out.
    """
    password = NO_WORDS if number is None else number.to_bytes(8, "big")
    spelt = unicodedata.normalize("NFKC", tidy(name[:_MOST_TYPED])).casefold().encode()
    own = hmac.digest(salt, spelt, "sha256")
    if mix is None:
        return hashlib.scrypt(password, salt=own, n=COST, r=BLOCK, p=1, dklen=_LENGTH)
    return _pbkdf2(password, mix(_pbkdf2(password, own, 128 * BLOCK)), _LENGTH)


def _pbkdf2(password: bytes, salt: bytes, length: int) -> bytes:
    """PBKDF2-HMAC-SHA256 with one iteration, as scrypt has it twice. length: a multiple of 32 bytes."""
    blocks = range(1, length // 32 + 1)
    return b"".join(hmac.digest(password, salt + block.to_bytes(4, "big"), "sha256") for block in blocks)


@cache
def _places(code: str) -> dict[str, int]:
    return {fold(word): at for at, word in enumerate(word_list(code))}


T = TypeVar("T")

MOST_TABLES = 200
"""Tables of a browser that are looked through, the latest; older ones that were never looked at do not count."""
MOST_TAKEN, MOST_WORKED = 12, 6
"""Matches that are taken up, and worked out, each time a player opens the book."""
MOST_HASHES, MOST_HASHES_HERE = 100, 2
"""People who may wait for a hash of their words, one after the other by address in turns, 50 ms each; and those of them
at one address.
"""
MOST_DROPPED = 8
"""Names of which no match counts that are looked at when another comes: more than one, so that there is room again."""
UNSOUND = ("log-damaged", "no-table")
"""Why a table can't be read, now or later; its match never counts. Anything else may pass."""
WAIT_S = 2.0
"""How long a page waits for matches that are worked out."""


class Book:
    """The players' book of a house. Lives in its event loop; the database is asked in threads."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._hashing = ThreadPoolExecutor(1, "hash")  # a thread keeps 16 MB and more of what scrypt had
        self._hashes, self._turns = Counter[str](), FairLock()
        self._working: dict[int, asyncio.Task[None]] = {}

    @property
    def _players(self) -> PlayersBook:
        return self._house.config.players

    # players

    async def player(self, person: str | None) -> BookPlayer | None:
        """The player whose browser this is."""
        return await self._ask(self._players.player_of, person) if person else None

    async def join(self, person: str, name: str, address: str) -> int | None:
        """Write a name into the book; the number of its four words, which are kept nowhere. None if it is in already.

        Raises BadNotation for the name, Refused("book-full"), ("book-here"), ("asks-waiting"); NotStored.
        """
        name, number = read_nickname(name), draw_words(self._house.config.source)
        words = await self._hash(name, number, address)
        await self._drop_unplayed(KEPT_MS)
        here = hmac.digest(self._house.secret, f"book {block_of(address)}".encode(), "sha256")[:2]
        write = partial(self._ask, self._players.join, person, name, words, self._house.now(), here)
        try:
            joined = await write()
        except Refused as error:  # it is full, or has no room for this address
            await self._drop_unplayed(KEPT_FULL_MS, here if error.code == "book-here" else b"")
            joined = await write()
        return number if joined else None

    async def _drop_unplayed(self, kept_ms: int, opener: bytes = b"") -> None:
        """Drop some names that are older than that and of which no match counts, not even one not taken up yet.

        opener: those written from there alone; empty: from anywhere.
        """
        before = self._house.now() - kept_ms
        found = await self._ask(self._players.unplayed, before, MOST_DROPPED, opener)
        await self._ask(self._players.drop_unplayed, [player for player in found if not await self._take_up(player)])

    async def enter(self, person: str, name: str, number: int | None, address: str) -> bool:
        """Link a browser with the player of this name and these words; whether there is one. Raises as ``join``."""
        words = await self._hash(name, number, address)
        return await self._ask(self._players.enter, person, words, self._house.now())

    async def change_words(self, player: BookPlayer, address: str) -> int:
        """Draw other words for a player; their number. Raises Refused("asks-waiting"), NotStored."""
        number = draw_words(self._house.config.source)
        await self._ask(self._players.change_words, player.id, await self._hash(player.name, number, address))
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

    async def _hash(self, name: str, number: int | None, address: str) -> bytes:
        here, loop = block_of(address), asyncio.get_running_loop()
        if self._hashes[here] >= MOST_HASHES_HERE or self._hashes.total() >= MOST_HASHES:
            raise Refused("asks-waiting")
        self._hashes[here] += 1
        try:
            mix, salt = self._house.config.rom_mix, self._players.salt
            async with self._turns.turn(here):
                return await loop.run_in_executor(self._hashing, words_hash, salt, name, number, mix)
        finally:
            self._hashes -= Counter([here])  # which forgets an address without any

    @staticmethod
    async def _ask(do: Callable[..., T], *arguments: object) -> T:
        return await asyncio.to_thread(do, *arguments)

    # matches

    async def bring_up_to_date(self, player: BookPlayer, *, asker: str) -> int:
        """Take up finished matches and work some out; how many are left. asker: as in ``Answers``. Raises NotStored."""
        more = await self._take_up(player.id)
        task = self._working.get(player.id)
        if task is None:
            task = self._working[player.id] = asyncio.ensure_future(self._work(player, asker))
            self._house.background.spawn(asyncio.shield(task))
            task.add_done_callback(lambda _: self._working.pop(player.id, None))
        await asyncio.wait([task], timeout=WAIT_S)
        return more + await self._ask(self._players.waiting, player.id)

    async def _take_up(self, player: int) -> int:
        """Enter finished matches that are not in the book yet, the latest first; how many are left to take up.

        A table that can't be read in time, and those after it, are left.
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
            except NotStored:
                return len(codes) - at
            await self._ask(self._players.add, entries)
        return max(0, len(codes) - MOST_TAKEN)

    async def _entries(self, player: int, code: str, at: int) -> list[BookEntry]:
        """What a table's match is to its players of the book; to this one, at least that it does not count.

        at: when anything last changed there. NotStored for what another look may find.
        """
        out = BookEntry(player, code, at, 0, "", "", 0, 0.0, state="out")
        try:
            hub = await self._house.find(code)
        except NotStored as error:
            if error.code not in UNSOUND:
                raise
            return [out]
        if hub is None or hub.state.stage != "over":
            return [out]
        if hub.state.moved_at <= await self._ask(self._players.horizon, player):
            return [out]  # it is in the sums already: only the table has changed since
        read = partial(self._house.store.part, hub.number)
        spoilt = await asyncio.to_thread(lambda: spoilt_seats(lines_of(read, hub.state.seq)))
        links = await self._ask(self._players.links, list(hub.state.people))
        entries = [
            _entry(hub, at, seat)
            for at, seat in seats_that_count(hub, links, spoilt).items()
            if hub.state.moved_at > await self._ask(self._players.horizon, at)
        ]
        return entries if any(entry.player == player for entry in entries) else [*entries, out]

    async def _work(self, player: BookPlayer, asker: str) -> None:
        """Work out some of a player's matches, the latest first."""
        for entry in await self._ask(self._players.new, player.id, MOST_WORKED):
            try:
                hub = await self._house.find(entry.code)
                if hub is None or hub.state.match is None:
                    raise NotStored("no-table")
                found = await self._house.answers.ledger(
                    (hub.code, hub.state.match.state.seq), await self._house.record(hub), asker=asker
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
