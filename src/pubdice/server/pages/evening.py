"""An evening as a page, as data, and its records in one file: found from any table of its chain."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.receipt_parts import Highlight, Highlights
from pubdice.core.dice import SIX, DieFaces
from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.core.game import Seat
from pubdice.kit import Kit
from pubdice.match.formats.format import Unit
from pubdice.room.next_table import evening as rows_of
from pubdice.room.setup import Row
from pubdice.room.setup_text import read_setup
from pubdice.room.state import Stage
from pubdice.server.jobs import MatchRecord, NoAnswer, find_highlights
from pubdice.server.pages.preview import preview_of
from pubdice.server.pages.visit import CODE, FINDING, PARTS_SOON_S, PageVisit
from pubdice.server.table import announce
from pubdice.server.table.actor import TableActor
from pubdice.server.table.house import House
from pubdice.server.table.rematches import MOST_HOPS
from pubdice.server.web.render import Frame, Preview, render
from pubdice.server.web.routing import JSON, PAGE, TEXT, Route
from pubdice.text.game_words import kept_names
from pubdice.text.language import Language, sentence, stopped

# Evenings: the tables of a chain one after the other, their records in one file, the highlights of their matches.
#
# A table is found from any other of its chain: those before it by the codes in the tables' first lines, those after
# it by the rematches. What a finished table comes to is cached, so that a page of a long evening loads no log twice.
#
# A table of a duplicate night is in the tally alone: its own pages show its dice, to those who do not play it
# elsewhere.


MOST_SHOWN = 20
"""Matches of an evening that are shown; those before them are summed up."""
MOST_KEPT = 512
"""Finished tables whose outcome is cached, the latest used; each takes less than 1 KB."""
MOST_BYTES = 3_900_000
"""Of one file of records: a little less than ``pubdice`` reads of one."""


@dataclass(frozen=True, slots=True)
class EveningMatch:
    """A match of an evening. number: which one, from 1. place: ``TableActor.match_place``. winners: seats, none if
    nobody won.

    seats: everybody's name, by seat. people: the persons of each seat. before, after: the codes of the tables before
    and after it, if there are any.
    """

    code: str
    number: int
    game: str
    format: str
    stage: Stage
    names: tuple[str, ...]
    seats: tuple[str, ...]
    people: tuple[tuple[str, ...], ...]
    winners: tuple[Seat, ...]
    place: tuple[str, int]
    before: str
    after: str

    def seat_of(self, person: str | None) -> int | None:
        """The seat that a page calls "you": the only one of a person, as in ``RoomState.only_seat_of``."""
        seats = [seat for seat, people in enumerate(self.people) if person in people]
        return seats[0] if len(seats) == 1 else None


@dataclass(frozen=True, slots=True)
class WholeEvening:
    """A chain of tables. matches: the latest, oldest first; older: the number before them.

    games, rows: matches played, and the tally. last: the present table.
    """

    matches: tuple[EveningMatch, ...]
    older: int
    games: int
    rows: tuple[Row, ...]
    last: TableActor


def outcome(actor: TableActor) -> EveningMatch:
    """The outcome of a table."""
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
        """The evening that a table belongs to. Raises NotStored."""
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
        """A table and those before it, the latest first, until all that are wanted are among them: no log is read, but
        for its first line. Raises NotStored.
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
        """The code of the table before one, "" if there is none; None of a table that is of no evening, or damaged."""
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
        """The last table of the chain, no more than ``MOST_HOPS`` after this one. Raises NotStored."""
        code, after = actor.code, actor.state.rematch
        for _ in range(MOST_HOPS):
            found = await self._match(after) if after else None
            if found is None:
                break
            code, after = found.code, found.after
        return (await self._house.find(code)) or actor

    async def _match(self, code: str) -> EveningMatch | None:
        """The outcome of a table; None if it cannot be read. One that another follows changes no more."""
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
        """The records of all matches that are over, oldest first, in one text. Raises Refused, NotStored."""
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
        """The highlights of a match, if they are found already. you: the seat that reads of them."""
        return self._house.answers.known(find_highlights, MatchRecord(match.place), language, you)

    async def find_highlights(
        self, match: EveningMatch, language: str, you: int | None, *, asker: str
    ) -> Highlights | NoAnswer | None:
        """Those of a match that is over; None: not yet. asker: as in ``Answers``. Raises Refused, NotStored."""
        actor = await self._house.find(match.code)
        if actor is None:
            return None
        record = MatchRecord(match.place, await self._house.record(actor))
        return await self._house.answers.ask(asker, find_highlights, record, language, you)


FoundHighlights = list[tuple[EveningMatch, Highlights | NoAnswer | None]]
"""The highlights of each match that is over; None where they are not found yet."""


class EveningAnswer(Struct):
    """An evening: the matches of a chain of tables.

    games: played to their end. rows: everybody's matches won and amounts by unit, most won first. buys: the payers, in
    sentences. matches: the latest, oldest first, each with its number, game, format, stage, names, winners and table;
    older: how many there were before. dearest, luckiest: the dearest keep and the luckiest roll of each kind of value,
    in the number of matches ``weighed``, of all. Sentences call the asker "you".
    """

    games: int
    rows: list[dict[str, Any]]
    buys: list[str]
    matches: list[dict[str, Any]]
    older: int
    dearest: list[dict[str, Any]]
    luckiest: list[dict[str, Any]]
    weighed: int
    of: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of the evening, and the address of its table. told: who won it, or that it is under way."""

    number: int
    title: str
    rules: str
    told: str
    link: str
    over: bool


@dataclass(frozen=True, slots=True)
class TallyRow:
    """Somebody's tally: matches won, and an amount in each column."""

    name: str
    wins: int
    amounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HighlightShown:
    """A highlight of the night. match: its number, from 1. of: the name of its amount, if there are several kinds.

    red: the faces that a turn needs; die: all faces.
    """

    highlight: Highlight
    match: MatchRow
    of: str
    red: tuple[int, ...]
    die: DieFaces = SIX


@dataclass(frozen=True, slots=True)
class EveningPage:
    """An evening. table: the link of the one it was asked of; address: in full, to share.

    lead: the leader, in a line. columns: the amounts of rows besides matches won. buys: the payers. matches: the
    latest, oldest first; older: those before. dearest, luckiest: one of each kind of value. weighed: matches looked
    through, of all. untold: the reason some could not be. planned: the next game. share: a line to hand on. again_s:
    when the page asks again by itself; 0 for never. origin: where others find the house. preview: of this table's
    match, if it is over.
    """

    table: str
    address: str
    lead: str
    columns: tuple[str, ...]
    rows: tuple[TallyRow, ...]
    buys: tuple[str, ...]
    matches: tuple[MatchRow, ...]
    older: int
    dearest: tuple[HighlightShown, ...]
    luckiest: tuple[HighlightShown, ...]
    weighed: int
    of: int
    untold: tuple[str, ...]
    planned: str
    share: str
    again_s: int = 0
    origin: str = ""
    preview: Preview | None = None


async def evening(visit: PageVisit) -> Response:
    """``GET /t/{code}/evening``: the tally, who buys, every match, the dearest keep and the luckiest roll."""
    actor = await visit.table()
    whole = await visit.site.part(Evenings).of(actor)
    page = _page(visit, actor, whole, await _highlights(visit, whole))
    return visit.show(html, page, partial(_data, whole), page.again_s)


async def records(visit: PageVisit) -> Response:
    """``GET /t/{code}/evening/records``: the records of all its matches that are over, one after the other."""
    actor, evenings = await visit.table(), visit.site.part(Evenings)
    whole = await evenings.of(actor)
    for _ in [match for match in whole.matches if match.stage == "over"][1:]:  # one is counted already
        visit.site.limiter.record(visit.address, visit.now_s)
    text = await evenings.records(whole)
    name = f'attachment; filename="evening-{actor.code}.records"'
    return Response(text, media_type=TEXT, headers={"content-disposition": name})


async def _highlights(visit: PageVisit, whole: WholeEvening) -> FoundHighlights:
    """The highlights of the matches that are over.

    A page asks for those of one match after the other, until one takes longer: so an evening has one place in the queue
    of questions. One that is not cached counts as a question. Raises NotStored.
    """
    evenings, asks, found = visit.site.part(Evenings), True, FoundHighlights()
    for match in [match for match in whole.matches if match.stage == "over"]:
        you = match.seat_of(visit.person)
        known = evenings.known(match, visit.language, you)
        if known is None and asks:
            try:
                visit.count("asking")
                known = await evenings.find_highlights(match, visit.language, you, asker=visit.asker)
            except Refused:  # too many questions wait: the page asks again
                known = None
            asks = known is not None
        found.append((match, known))
    return found


def _page(visit: PageVisit, actor: TableActor, whole: WholeEvening, highlights: FoundHighlights) -> EveningPage:
    tongue, games = visit.tongue, visit.house.games
    units, link, person = announce.units_of(games.values()), visit.house.link, visit.person
    rows = {match.code: _row(tongue, match, person, games[match.game], link(match.code)) for match in whole.matches}
    found = [(rows[match.code], each) for match, each in highlights if isinstance(each, Highlights)]
    keys = columns(whole.rows, units)
    read, decided = announce.read_by(person, whole.rows), announce.says_who_buys(whole.games, whole.rows, units)
    return EveningPage(
        table=link(actor.code),
        address=f"{visit.place(actor.code)}/evening",
        lead=announce.lead(tongue, read) if whole.games else "",
        columns=tuple(tongue.say(units[key].label) for key in keys),
        rows=tally_rows(tongue, read, keys),
        buys=tuple(announce.who_buys(tongue, read, units)) if decided else (),
        matches=tuple(rows.values()),
        older=whole.older,
        dearest=best_of(found, lambda each: each.lost, lambda each: each.dearest),
        luckiest=best_of(found, lambda each: each.gain, lambda each: each.luckiest),
        weighed=sum(each is not None for _, each in highlights),
        of=len(highlights),
        untold=tuple(
            tongue.say("Match {number}: {why}", number=match.number, why=each.why)
            for match, each in highlights
            if isinstance(each, NoAnswer)
        ),
        planned=announce.planned(tongue, whole.last.room, whole.last.state),
        share=share_line(tongue, whole.games, whole.rows) if whole.games else "",
        again_s=PARTS_SOON_S if any(found is None for _, found in highlights) else 0,
        origin=visit.public_origin,
        preview=preview_of(visit, actor) if actor.state.stage == "over" else None,
    )


def _row(tongue: Language, match: EveningMatch, person: str | None, kit: Kit, link: str) -> MatchRow:
    say, you = tongue.say, match.seat_of(person)
    told = {"gathering": say("about to begin"), "playing": say("under way")}.get(match.stage, "")
    if match.stage == "over":
        names = ["" if seat == you else match.seats[seat] for seat in match.winners]
        told = say("Won by {names}", names=say("nobody"))
        if names == [""]:
            told = say("You won")
        elif names:
            told = tongue.about_all("Won by {names}", "Won by you and {names}", names)
    rules = match_rules(tongue, kit, match.format)
    told = sentence(told, kept_names(match.seats))
    return MatchRow(match.number, say(kit.words.title), rules, told, link, match.stage == "over")


def _data(whole: WholeEvening, page: EveningPage) -> EveningAnswer:
    rows = [{"name": row.name, "wins": row.wins, **dict(row.takings)} for row in whole.rows]
    matches = [
        {
            "number": match.number,
            "game": match.game,
            "format": match.format,
            "stage": match.stage,
            "names": list(match.names),
            "winners": [match.seats[seat] for seat in match.winners],
            "go": shown.link,
        }
        for match, shown in zip(whole.matches, page.matches, strict=True)
    ]
    dearest, luckiest = _highlight_data(page.dearest), _highlight_data(page.luckiest)
    buys = list(page.buys)
    return EveningAnswer(whole.games, rows, buys, matches, whole.older, dearest, luckiest, page.weighed, page.of)


def _highlight_data(kind: Sequence[HighlightShown]) -> list[dict[str, Any]]:
    return [
        {"match": each.match.number, "dice": list(each.highlight.dice), "told": list(each.highlight.lines)}
        for each in kind
    ]


def columns(rows: Sequence[Row], units: Mapping[str, Unit]) -> tuple[str, ...]:
    """The keys of the units that have a column."""
    return tuple(key for key, _ in (rows[0].takings if rows else ()) if key in units and units[key].label)


def tally_rows(language: Language, rows: Sequence[Row], keys: Sequence[str]) -> tuple[TallyRow, ...]:
    """The tally, with an amount for each key."""
    you = sentence(language.say("you"))
    return tuple(TallyRow(row.name or you, row.wins, tuple(dict(row.takings)[key] for key in keys)) for row in rows)


def match_rules(language: Language, kit: Kit, format_text: str) -> str:
    """The format of a match in a few words."""
    return kit.format_rules(kit.format(format_text), language)


def best_of(
    found: Sequence[tuple[MatchRow, Highlights]],
    amount: Callable[[Highlights], float],
    highlight: Callable[[Highlights], Highlight | None],
) -> tuple[HighlightShown, ...]:
    """The greatest highlight of each kind of value: chances are compared with chances, chips with chips."""
    best: dict[str, tuple[MatchRow, Highlights]] = {}
    for match, each in found:
        kind = "" if each.chances else each.utility
        if highlight(each) is not None and (kind not in best or amount(each) > amount(best[kind][1])):
            best[kind] = match, each
    shown = []
    for match, each in best.values():
        there = highlight(each)
        assert there is not None, "only those that are there were compared"
        shown.append(HighlightShown(there, match, each.utility if len(best) > 1 else "", each.red, each.die))
    return tuple(shown)


def share_line(language: Language, games: int, rows: Sequence[Row]) -> str:
    """A line of text to hand on, so everybody is called by name in it."""
    told = ", ".join(language.say("{name} {score}", name=row.name, score=row.wins) for row in rows)
    text = "One match this evening: {wins}.", "{number} matches this evening: {wins}."
    return f"{language.count(*text, games, wins=told)} {stopped(announce.lead(language, rows))}"


def html(frame: Frame, page: EveningPage) -> str:
    """An evening: its tally, who buys, its matches and its highlights."""
    preview = {}
    if page.share:
        of = page.preview or Preview("", "", page.origin)  # the picture is of this table's match
        preview = {"preview": replace(of, title=frame.language.say("The evening"), text=page.share)}
    return render("evening.html", frame, page=page, **preview)


ROUTES = (
    Route(
        "GET",
        "/t/{code}/evening",
        evening,
        "The evening of a table: tally, who buys, every match, the dearest keep and the luckiest roll.",
        (CODE,),
        returns=EveningAnswer,
        limit="record",
        refuses=FINDING,
        gives={200: (PAGE, JSON), 202: (PAGE, JSON)},
    ),
    Route(
        "GET",
        "/t/{code}/evening/records",
        records,
        "The records of an evening's finished matches, one after the other.",
        (CODE,),
        limit="record",
        refuses=(*FINDING, "no-match-over", "evening-large"),
        gives={200: (TEXT,)},
    ),
)
