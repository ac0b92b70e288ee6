"""The turning point of a finished match, as a slip of paper, and as data for which a page asks until they are ready."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.receipt_parts import Receipt
from pubdice.advice.turning import TurningPoint
from pubdice.kit import Kit
from pubdice.match.match import Match
from pubdice.server.charts import LOW, Chart, turning_chart
from pubdice.server.jobs import MatchRecord, NoAnswer, find_turning_point, refused_at_once, write_receipt
from pubdice.server.pages.visit import CODE, FINDING, SOON_S, PageVisit, soon
from pubdice.server.table.actor import TableActor
from pubdice.server.table.house import House
from pubdice.server.web.refusals import UNREAD
from pubdice.server.web.routing import JSON, Route
from pubdice.server.wire import Refusal
from pubdice.text.language import sentence


class TurnAnswer(Struct):
    """The move that changed a player's chances most, in words for its reader.

    - move: its number from 1, as the receipt counts. 0 if nothing changed.
    - where: its round, "" in a match of one round.
    - told: the move in words.
    - names: the seats' names.
    - utility: the name of the values in ``line``.
    - line: every seat's value after the start and after each move.
    - choices: the number of choices that could have been better.
    """

    move: int
    where: str
    told: str
    names: list[str]
    utility: str
    line: list[list[float]]
    choices: int


@dataclass(frozen=True, slots=True)
class TurningShown:
    """The slip of paper at the end of a match: the fields of a ``TurnAnswer``, with its chart."""

    chart: Chart | None = None
    turned: bool = False
    where: str = ""
    told: str = ""
    utility: str = ""
    choices: int | None = None
    without: bool = False  # the turning point never comes, or only on request
    why: str = ""  # the reason why this match can't be worked out


MOST_DRAWN = 64
"""The most slips in the cache (LRU), of some 5 KB each."""
MOST_REFUSED = 64
"""The most reasons kept why matches can't be worked out. Each reason belongs to some rules and a language."""
NOT_SHOWN = TurningShown(without=True)
"""The value for a page with a link in the slip's place."""


async def turn(visit: PageVisit) -> Response:
    """``GET /t/{code}/turn``: the turning point of a finished match, once it is worked out."""
    actor = await visit.finished()
    found = known_turning_point(visit, actor, visit.language)
    if found is None:
        record = MatchRecord(actor.match_place)
        visit.count("asking")
        if not visit.house.answers.is_asked(find_turning_point, record, visit.language):  # else its log is read already
            visit.count("record")
            record = MatchRecord(actor.match_place, await visit.house.record(actor))
        found = await visit.ask(find_turning_point, record, visit.language)
    if found is None:
        return soon(Response(), SOON_S)
    if isinstance(found, NoAnswer):
        return visit.json(Refusal(found.code, found.why), UNREAD)
    line = [[units / found.scale for units in row] for row in found.rows]
    told = found.told_to(actor.state.only_seat_of(visit.person))
    return visit.json(TurnAnswer(found.move, found.where, told, list(found.names), found.utility, line, found.choices))


def shown_turning(visit: PageVisit, actor: TableActor) -> TurningShown:
    """Return the slip of paper for a page, with the turning point if it is known. Starts no work."""
    found = known_turning_point(visit, actor, visit.language)
    if isinstance(found, NoAnswer):
        return TurningShown(without=True, why=found.why)
    if not visit.house.answers.in_background:
        return NOT_SHOWN
    if found is None:
        return TurningShown()
    key = actor.match_place, visit.language, actor.state.only_seat_of(visit.person)
    return visit.site.part(TurningsShown).of(key, found)


def known_turning_point(visit: PageVisit, actor: TableActor, code: str) -> TurningPoint | NoAnswer | None:
    """Return the turning point of a finished match in a language, or the reason why there is none.

    Returns None if neither is known.

    The turning point may come from a question about it alone, or from any reader's receipt.
    """
    answers, place, seats = visit.house.answers, MatchRecord(actor.match_place), range(len(actor.state.names))
    live, refusals = actor.state.match, visit.site.part(RulesRefused)
    assert live is not None, "its match is over"
    found = answers.known(find_turning_point, place, code)
    if found is None:
        receipts = (answers.known(write_receipt, place, code, you) for you in (None, *seats))
        found = next((receipt.turning for receipt in receipts if isinstance(receipt, Receipt)), None)
    if isinstance(found, NoAnswer):
        refusals.note(live.table.match, code, found)
    return found or refusals.of(actor.room.kit, live.table.match, code)


class RulesRefused:
    """The reasons why matches can't be worked out: too many seats, or rules that failed lately."""

    def __init__(self, _: House | None = None) -> None:
        self._tried: OrderedDict[tuple[Match[Any, Any], str], NoAnswer] = OrderedDict()

    def of(self, kit: Kit, match: Match[Any, Any], code: str) -> NoAnswer | None:
        """Return the reason why a match of these rules can't be worked out. None if it can, or if that is unknown."""
        return refused_at_once(kit, match, code) or self._tried.get((match, code))

    def note(self, match: Match[Any, Any], code: str, found: NoAnswer) -> None:
        """Remember why a match can't be worked out, unless only this match is too long."""
        if found.code != "too-long":
            self._tried[match, code] = found
            if len(self._tried) > MOST_REFUSED:
                self._tried.popitem(last=False)


class TurningsShown:
    """The slips that pages showed lately. All phones of a table ask for theirs at once, and more than once.

    The key is the match, the language and the reader, so the cache keeps no ``TurningPoint`` in memory.
    """

    def __init__(self, _: House | None = None) -> None:
        self._drawn: OrderedDict[tuple[tuple[str, int], str, int | None], TurningShown] = OrderedDict()

    def of(self, key: tuple[tuple[str, int], str, int | None], found: TurningPoint) -> TurningShown:
        """Return the slip of a match in a language for one reader: a seat, or None."""
        if key not in self._drawn:
            self._drawn[key] = _drawn(found, key[-1])
            if len(self._drawn) > MOST_DRAWN:
                self._drawn.popitem(last=False)
        self._drawn.move_to_end(key)
        return self._drawn[key]


def _drawn(found: TurningPoint, you: int | None) -> TurningShown:
    names = [sentence(found.you) if seat == you else name for seat, name in enumerate(found.names)]
    drawn = turning_chart(found, names, tall=LOW)
    return TurningShown(drawn, found.move > 0, found.where, found.told_to(you), found.utility, found.choices)


ROUTES = (
    Route(
        "GET",
        "/t/{code}/turn",
        turn,
        "The turning point of a finished match: the move that changed a player's chances most.",
        (CODE,),
        returns=TurnAnswer,
        asks=True,
        refuses=(*FINDING, "not-over"),
        gives={200: (JSON,), 202: ()},
    ),
)
