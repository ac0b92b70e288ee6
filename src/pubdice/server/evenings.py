"""Evenings: the tables of a chain (each a rematch of the one before) in order, their records, and their highlights.

Any table leads to all other tables of its chain: back by the codes in the tables' first lines, forward by the
rematches. The outcomes of finished tables are cached, so the page of a long evening loads no log twice.

A table of a duplicate night counts in the tally, but an evening shows nothing else of it. Its own pages show its dice,
and only to people who don't play the same match elsewhere.
"""

from collections import OrderedDict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass

from pubdice.advice.receipt_parts import Highlights
from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.core.game import Seat
from pubdice.room.next_table import evening as rows_of
from pubdice.room.setup import Row
from pubdice.room.setup_text import read_setup
from pubdice.room.state import Stage
from pubdice.server.jobs import MatchRecord, NoAnswer, find_highlights
from pubdice.server.table.actor import TableActor
from pubdice.server.table.house import House
from pubdice.server.table.rematches import MOST_HOPS

MOST_SHOWN = 20
"""The most matches of an evening that a page shows. Earlier ones are summed up."""
MOST_KEPT = 512
"""The most finished tables whose outcome is cached (LRU). Each takes less than 1 KB."""
MOST_BYTES = 3_900_000
"""The most bytes of an evening's file of records. It is a little less than ``pubdice`` reads of one file."""


@dataclass(frozen=True, slots=True)
class EveningMatch:
    """A match of an evening."""

    code: str
    number: int  # the match's number in the evening, from 1
    game: str
    format: str
    stage: Stage
    names: tuple[str, ...]  # the players' names, without empty seats
    seats: tuple[str, ...]  # the name of each seat
    people: tuple[tuple[str, ...], ...]  # the persons of each seat
    winners: tuple[Seat, ...]  # empty if no seat won
    place: tuple[str, int]  # ``TableActor.match_place``
    before: str  # the code of the table before it, or ""
    after: str  # the code of the table after it, or ""

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat that a page calls "you": a person's seat, if they have only one. None otherwise."""
        seats = [seat for seat, people in enumerate(self.people) if person in people]
        return seats[0] if len(seats) == 1 else None


@dataclass(frozen=True, slots=True)
class WholeEvening:
    """An evening: the matches of a chain of tables (each a rematch of the one before)."""

    matches: tuple[EveningMatch, ...]  # the latest matches, at most ``MOST_SHOWN``, oldest first
    older: int  # the number of matches before them
    games: int  # the number of matches played
    rows: tuple[Row, ...]  # the tally
    last: TableActor  # the present table


def outcome(actor: TableActor) -> EveningMatch:
    """Return the outcome of a table's match so far."""
    state = actor.state
    rules, live = state.setup.rules, state.match
    winners: tuple[Seat, ...] = ()
    if live is not None and state.stage == "over":
        winners = live.table.match.format.champions(live.state.match.tally)
    names = tuple(chair.name for chair in state.chairs if chair.kind != "empty" or chair.awaited)
    return EveningMatch(
        actor.code,
        state.setup.games + 1,
        rules["game"],
        rules["format"],
        state.stage,
        names,
        tuple(state.names),
        tuple(chair.people for chair in state.chairs),
        winners,
        actor.match_place,
        state.setup.before,
        state.rematch,
    )


class Evenings:
    """The evenings of a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._over: OrderedDict[str, EveningMatch] = OrderedDict()
        self._before: OrderedDict[str, str] = OrderedDict()

    async def of(self, actor: TableActor) -> WholeEvening:
        """Return the evening of a table. Raises NotStored."""
        last = await self.last(actor)
        matches = [outcome(last)]
        while len(matches) < MOST_SHOWN and matches[-1].before:
            found = await self._match(matches[-1].before)
            if found is None:
                break
            matches.append(found)
        games, rows = rows_of(last.state)
        return WholeEvening(tuple(reversed(matches)), matches[-1].number - 1, games, rows, last)

    async def chain(self, code: str, wanted: Collection[str]) -> list[str]:
        """Return the codes of a table and of the tables before it, the latest first, until all ``wanted`` codes are
        found.

        Stops at ``MOST_SHOWN`` codes. Reads only the first line of each log. Raises NotStored.
        """
        found, left = list[str](), set(wanted)
        while code and left and len(found) < MOST_SHOWN:
            before = await self._code_before(code)
            if before is None:
                break
            found.append(code)
            left.discard(code)
            code = before
        return found

    async def _code_before(self, code: str) -> str | None:
        """Return the code of the table before this table, "" if there is none. None if this table is damaged or shows
        no evening.
        """
        if code not in self._before:
            house, actor = self._house, self._house.actors.get(code)
            setup = actor.state.setup if actor else None
            if setup is None and (number := await house.read(house.store.find, code)) is not None:
                with suppress(BadNotation, IndexError):
                    setup = read_setup((await house.read(house.store.part, number, 0, 1))[0])
            if setup is None or setup.night:
                return None
            self._before[code] = setup.before
            if len(self._before) > MOST_KEPT:
                self._before.popitem(last=False)
        return self._before[code]

    async def last(self, actor: TableActor) -> TableActor:
        """Return the last table of the chain, at most ``MOST_HOPS`` after this one. Raises NotStored."""
        code, after = actor.code, actor.state.rematch
        for _ in range(MOST_HOPS):
            found = await self._match(after) if after else None
            if found is None:
                break
            code, after = found.code, found.after
        return (await self._house.find(code)) or actor

    async def _match(self, code: str) -> EveningMatch | None:
        """Return the outcome of a table, None if the table can't be read. After a rematch it is final, and cached."""
        known = self._over.get(code)
        if known is not None:
            self._over.move_to_end(code)
            return known
        try:
            actor = await self._house.find(code)
        except NotStored:
            return None
        if actor is None or actor.state.setup.night:
            return None
        found = outcome(actor)
        if found.after:
            self._over[code] = found
            if len(self._over) > MOST_KEPT:
                self._over.popitem(last=False)
        return found

    async def records(self, whole: WholeEvening) -> str:
        """Return the records of all finished matches, oldest first.

        Raises NotStored. Raises Refused if the records are too large, or if no match is finished.
        """
        texts, size = list[str](), 0
        for match in whole.matches:
            if match.stage == "over" and (actor := await self._house.find(match.code)) is not None:
                texts.append((await self._house.record(actor)).rstrip("\n") + "\n")
                size += len(texts[-1].encode())
                if size > MOST_BYTES:
                    raise Refused("evening-large", most=MOST_BYTES // 1_000_000)
        if not texts:
            raise Refused("no-match-over")
        return "\n".join(texts)

    def known(self, match: EveningMatch, language: str, you: int | None) -> Highlights | NoAnswer | None:
        """Return the cached highlights of a match, in the words for a reader at seat ``you``. None if not cached."""
        return self._house.answers.known(find_highlights, MatchRecord(match.place), language, you)

    async def find_highlights(
        self, match: EveningMatch, language: str, you: int | None, *, asker: str
    ) -> Highlights | NoAnswer | None:
        """Return the highlights of a match, None if not ready. For ``asker`` see ``Answers``.

        Raises NotStored and Refused.
        """
        actor = await self._house.find(match.code)
        if actor is None:
            return None
        record = MatchRecord(match.place, await self._house.record(actor))
        return await self._house.answers.ask(asker, find_highlights, record, language, you)
