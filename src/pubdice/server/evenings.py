"""Evenings: the tables of a chain one after the other, their records in one file, the highlights of their matches.

A table is found from any other of its chain: those before it by the codes in the tables' first lines, those after it by
the rematches. What a finished table comes to is cached, so that a page of a long evening loads no log twice.

A table of a duplicate night is in the tally alone: its own pages show its dice, to those who do not play it elsewhere.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pubdice.advice.receipt import Highlights
from pubdice.core.errors import NotStored, Refused
from pubdice.kit import Kit
from pubdice.match.formats.format import Unit
from pubdice.room import RoomState
from pubdice.room.line_up import evening
from pubdice.room.setup import Row
from pubdice.room.state import Stage
from pubdice.server.table.actor import Hub
from pubdice.server.table.commands import MOST_HOPS
from pubdice.server.table.house import House
from pubdice.server.workers.jobs import NoAnswer
from pubdice.text.language import Language

MOST_SHOWN = 20
"""Matches of an evening that are shown; those before them are summed up."""
MOST_KEPT = 512
"""Finished tables whose outcome is cached, the latest used; each takes less than 1 KB."""
MOST_BYTES = 3_900_000
"""Of one file of records: a little less than ``pubdice`` reads of one."""


@dataclass(frozen=True, slots=True)
class EveningMatch:
    """A match of an evening. number: which one, from 1. seq: events of the match. winners: names, none if nobody won.

    before, after: the codes of the tables before and after it, if there are any.
    """

    code: str
    number: int
    game: str
    format: str
    stage: Stage
    names: tuple[str, ...]
    winners: tuple[str, ...]
    seq: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class WholeEvening:
    """A chain of tables. matches: the latest, oldest first; older: how many there were before them.

    games, rows: matches played, and the tally. last: the table it has come to.
    """

    matches: tuple[EveningMatch, ...]
    older: int
    games: int
    rows: tuple[Row, ...]
    last: Hub


def outcome(code: str, state: RoomState) -> EveningMatch:
    """What a table has come to."""
    rules, live = state.setup.rules, state.match
    winners: tuple[str, ...] = ()
    if live is not None and state.stage == "over":
        tally = live.state.match.tally
        winners = tuple(state.names[seat] for seat in live.table.match.format.champions(tally))
    names = tuple(chair.name for chair in state.chairs if chair.kind != "empty" or chair.awaited)
    seq = 0 if live is None else live.state.seq
    number, game, before, after = state.setup.games + 1, rules["game"], state.setup.before, state.rematch
    return EveningMatch(code, number, game, rules["format"], state.stage, names, winners, seq, before, after)


class Evenings:
    """The evenings of a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._over: OrderedDict[str, EveningMatch] = OrderedDict()

    async def of(self, hub: Hub) -> WholeEvening:
        """The evening that a table belongs to. Raises NotStored."""
        last = await self._last(hub)
        matches = [outcome(last.code, last.state)]
        while len(matches) < MOST_SHOWN and matches[-1].before:
            found = await self._match(matches[-1].before)
            if found is None:
                break
            matches.append(found)
        games, rows = evening(last.state)
        return WholeEvening(tuple(reversed(matches)), matches[-1].number - 1, games, rows, last)

    async def _last(self, hub: Hub) -> Hub:
        """The last table of the chain, no more than ``MOST_HOPS`` after this one. Raises NotStored."""
        code, after = hub.code, hub.state.rematch
        for _ in range(MOST_HOPS):
            found = await self._match(after) if after else None
            if found is None:
                break
            code, after = found.code, found.after
        return (await self._house.find(code)) or hub

    async def _match(self, code: str) -> EveningMatch | None:
        """What a table has come to; None if it cannot be read. One that another follows changes no more."""
        known = self._over.get(code)
        if known is not None:
            self._over.move_to_end(code)
            return known
        try:
            hub = await self._house.find(code)
        except NotStored:
            return None
        if hub is None or hub.state.setup.night:
            return None
        found = outcome(code, hub.state)
        if found.after:
            self._over[code] = found
            if len(self._over) > MOST_KEPT:
                self._over.popitem(last=False)
        return found

    async def records(self, whole: WholeEvening) -> str:
        """The records of all matches that are over, oldest first, in one text. Raises Refused, NotStored."""
        texts, size = list[str](), 0
        for match in whole.matches:
            if match.stage == "over" and (hub := await self._house.find(match.code)) is not None:
                texts.append((await self._house.record(hub)).rstrip("\n") + "\n")
                size += len(texts[-1].encode())
                if size > MOST_BYTES:
                    raise Refused("evening-large", most=MOST_BYTES // 1_000_000)
        if not texts:
            raise Refused("no-match-over")
        return "\n".join(texts)

    def known(self, match: EveningMatch, language: str) -> Highlights | NoAnswer | None:
        """The highlights of a match, if they are found already."""
        return self._house.answers.known_highlights((match.code, match.seq), language)

    async def find_highlights(self, match: EveningMatch, language: str, *, asker: str) -> Highlights | NoAnswer | None:
        """Those of a match that is over; None: not yet. asker: as in ``Answers``. Raises Refused, NotStored."""
        hub = await self._house.find(match.code)
        if hub is None:
            return None
        key = match.code, match.seq
        return await self._house.answers.highlights(key, await self._house.record(hub), language, asker=asker)


# Who pays at the end of an evening, by its tally: what the formats say, else who has won the fewest matches.


def units_of(games: Iterable[Kit]) -> dict[str, Unit]:
    """All units that the formats of these games have, by key."""
    return {kind.unit.key: kind.unit for kit in games for kind in kit.formats if kind.unit is not None}


def who_buys(language: Language, rows: Sequence[Row], units: Mapping[str, Unit]) -> list[str]:
    """Who buys and why, in sentences; none before anything is decided, or for somebody alone.

    Where matches were played for something that is owed, such as drinks, everybody pays their own. Else those pay who
    have lost most of something, such as chips; else those who have won the fewest matches. Bots buy nothing, unless
    nobody else is there.
    """
    people = [row for row in rows if row.people] or list(rows)
    owed = [
        unit.owed(language, row.name, amount)
        for row in people
        for key, amount in row.takings
        if amount > 0 and key in units and (unit := units[key]).owed is not None
    ]
    if owed or len(people) < 2:
        return owed
    for key, unit in units.items():
        least = min(dict(row.takings).get(key, 0) for row in people)
        if unit.lost is not None and least < 0:
            names = [row.name for row in people if dict(row.takings).get(key, 0) == least]
            return [unit.lost(language, names, -least)]
    fewest = min(row.wins for row in people)
    names = [row.name for row in people if row.wins == fewest]
    if len(names) == len(people):
        return [language.say("Everybody has won the same number of matches, so you share the bill.")]
    if len(names) > 1:
        text = "{names} have won the fewest matches, {number} each, and share the bill."
        return [language.say(text, names=language.join(names), number=fewest)]
    return [language.say("{name} has won the fewest matches, {number}, and buys.", name=names[0], number=fewest)]
