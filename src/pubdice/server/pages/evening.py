"""An evening as a page and as data, and its records in one file. Any table of the evening's chain leads to it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.receipt_parts import Highlight, Highlights
from pubdice.core.dice import SIX, DieFaces
from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.match.formats.format import Unit
from pubdice.room.setup import Row
from pubdice.server.evenings import EveningMatch, Evenings, WholeEvening
from pubdice.server.jobs import NoAnswer
from pubdice.server.pages.preview import preview_of
from pubdice.server.pages.visit import CODE, FINDING, PARTS_SOON_S, PageVisit
from pubdice.server.table import announce, line_up_words
from pubdice.server.table.actor import TableActor
from pubdice.server.web.render import Frame, Preview, render
from pubdice.server.web.routing import JSON, PAGE, TEXT, Route
from pubdice.text.game_words import kept_names
from pubdice.text.language import Language, sentence, stopped

FoundHighlights = list[tuple[EveningMatch, Highlights | NoAnswer | None]]
"""The highlights of each finished match. None if they are not ready."""


class EveningAnswer(Struct):
    """An evening: the matches of a chain of tables (each a rematch of the one before).

    - games: matches played to their end.
    - rows: every player's matches won and amounts by unit, most won first.
    - buys: the payers, in sentences.
    - matches: the latest, oldest first, each with its number, game, format, stage, names, winners and table.
    - older: the number of matches before them.
    - dearest, luckiest: the costliest keep and the luckiest roll of each kind of value. Sentences call the client
      "you".
    - weighed, of: matches looked through, and finished matches.
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
    """A match of the evening. ``told`` names its winners, or says that it is under way."""

    number: int
    title: str
    rules: str
    told: str
    link: str
    over: bool


@dataclass(frozen=True, slots=True)
class TallyRow:
    """A player's tally: matches won, and an amount for each column."""

    name: str
    wins: int
    amounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HighlightShown:
    """A highlight of the evening."""

    highlight: Highlight
    match: MatchRow
    of: str  # the name of its amount, if there are several kinds
    red: tuple[int, ...]  # the faces that a turn needs
    die: DieFaces = SIX  # all faces of its dice


@dataclass(frozen=True, slots=True)
class EveningPage:
    """An evening."""

    table: str  # the link of the table in the address
    address: str  # the evening's full address, to share
    lead: str  # the leader, in a line
    columns: tuple[str, ...]  # the names of amounts beside matches won
    rows: tuple[TallyRow, ...]
    buys: tuple[str, ...]  # the payers
    matches: tuple[MatchRow, ...]  # the latest, oldest first
    older: int  # the number of matches before them
    dearest: tuple[HighlightShown, ...]  # one of each kind of value
    luckiest: tuple[HighlightShown, ...]  # one of each kind of value
    weighed: int  # matches looked through
    of: int  # finished matches
    untold: tuple[str, ...]  # the reasons why some matches have no highlights
    planned: str  # the next game
    share: str  # a line to share
    again_s: int = 0  # seconds until the page asks again by itself, 0 for never
    origin: str = ""  # the house's address for others
    preview: Preview | None = None  # the preview of this table's finished match


async def evening(visit: PageVisit) -> Response:
    """``GET /t/{code}/evening``: the tally, the buyer, every match, the costliest keep and the luckiest roll."""
    actor = await visit.table()
    whole = await visit.site.part(Evenings).of(actor)
    page = _page(visit, actor, whole, await _highlights(visit, whole))
    return visit.show(html, page, partial(_data, whole), page.again_s)


async def records(visit: PageVisit) -> Response:
    """``GET /t/{code}/evening/records``: the records of the evening's finished matches, one after another."""
    actor, evenings = await visit.table(), visit.site.part(Evenings)
    whole = await evenings.of(actor)
    for _ in [match for match in whole.matches if match.stage == "over"][1:]:  # the route counted the first one
        visit.site.limiter.record(visit.address, visit.now_s)
    text = await evenings.records(whole)
    name = f'attachment; filename="evening-{actor.code}.records"'
    return Response(text, media_type=TEXT, headers={"content-disposition": name})


async def _highlights(visit: PageVisit, whole: WholeEvening) -> FoundHighlights:
    """Return the highlights of the finished matches.

    The page asks about one match after another until one is not ready, so an evening has one place in the queue of
    questions. Each uncached match counts as a question. Raises NotStored.
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
        dearest=best_of(found, lambda each: each.dearest),
        luckiest=best_of(found, lambda each: each.luckiest),
        weighed=sum(each is not None for _, each in highlights),
        of=len(highlights),
        untold=tuple(
            tongue.say("Match {number}: {why}", number=match.number, why=each.why)
            for match, each in highlights
            if isinstance(each, NoAnswer)
        ),
        planned=line_up_words.planned(tongue, whole.last.room, whole.last.state),
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
        told = say("Won by {names}", names=say("no player"))
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
    """Return the keys of the units with a column."""
    return tuple(key for key, _ in (rows[0].takings if rows else ()) if key in units and units[key].label)


def tally_rows(language: Language, rows: Sequence[Row], keys: Sequence[str]) -> tuple[TallyRow, ...]:
    """Return the tally, with an amount for each key."""
    you = sentence(language.say("you"))
    return tuple(TallyRow(row.name or you, row.wins, tuple(dict(row.takings)[key] for key in keys)) for row in rows)


def match_rules(language: Language, kit: Kit, format_text: str) -> str:
    """Return the format of a match in a few words."""
    return kit.format_rules(kit.format(format_text), language)


def best_of(
    found: Sequence[tuple[MatchRow, Highlights]], highlight: Callable[[Highlights], Highlight | None]
) -> tuple[HighlightShown, ...]:
    """Return the best highlight of each kind of value. Chances are compared with chances, and chips with chips."""
    best: dict[str, tuple[Highlight, MatchRow, Highlights]] = {}
    for match, each in found:
        kind, there = "" if each.chances else each.utility, highlight(each)
        if there is not None and (kind not in best or there.amount > best[kind][0].amount):
            best[kind] = there, match, each
    several = len(best) > 1
    return tuple(
        HighlightShown(there, match, each.utility if several else "", each.red, each.die)
        for there, match, each in best.values()
    )


def share_line(language: Language, games: int, rows: Sequence[Row]) -> str:
    """Return a line of text to share. It calls every player by name."""
    told = ", ".join(language.say("{name} {score}", name=row.name, score=row.wins) for row in rows)
    text = "One match this evening: {wins}.", "{number} matches this evening: {wins}."
    return f"{language.count(*text, games, wins=told)} {stopped(announce.lead(language, rows))}"


def html(frame: Frame, page: EveningPage) -> str:
    """Return an evening: its tally, the buyer, its matches and its highlights."""
    preview = {}
    if page.share:
        of = page.preview or Preview("", "", page.origin)  # the picture shows this table's match
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
