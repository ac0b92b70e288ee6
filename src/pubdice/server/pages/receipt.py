"""The causes of a finished match's result: the receipt as a page, as data, and as a picture. It is not stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.receipt_parts import Receipt, ReceiptMove, ReceiptQuestion
from pubdice.core.dice import whole_number
from pubdice.core.errors import Refused
from pubdice.server.charts import HIGH as CHART_HIGH
from pubdice.server.charts import WIDE as CHART_WIDE
from pubdice.server.charts import Chart, turning_chart
from pubdice.server.finished_match import FinishedMatch
from pubdice.server.jobs import MatchRecord, NoAnswer, write_receipt
from pubdice.server.pages.preview import finished_table, preview_of
from pubdice.server.pages.visit import CODE, FINDING, PageVisit
from pubdice.server.result_picture import tall_picture
from pubdice.server.table.actor import TableActor
from pubdice.server.web.render import Frame, Preview, render
from pubdice.server.web.routing import PICTURE, Field, Route

MOST_ROWS = 250
"""The most rows of the table. A longer match has one row a turn, or one a round."""


class ReceiptAnswer(Struct):
    """The causes of a match's result, as ``pubdice review --json`` prints them.

    - utility: the name of the values.
    - bound: the error bound of a value.
    - seats: each with its name, expectation, luck, skill, given and result. The result is the sum of the four before
      it.
    - decisions: the graded choices. ``worst`` is the costliest, and ``best_roll`` the luckiest roll.
    - luck_rank: the rank of each seat's luck among replays.
    - line: every seat's value at the start and after each move.
    """

    utility: str
    bound: float
    seats: dict[str, dict[str, float]]
    decisions: list[dict[str, Any]]
    worst: dict[str, Any] | None
    best_roll: dict[str, Any] | None
    luck_rank: dict[str, Any]
    line: list[list[float]]


@dataclass(frozen=True, slots=True)
class ReceiptPage:
    """The receipt of one match as a page."""

    table: str  # the match's link here
    address: str = ""  # the match's full address, to share
    match: FinishedMatch | None = None  # the match as its picture tells it
    preview: Preview | None = None  # the preview of a link to the match
    receipt: Receipt | None = None
    step: int = 0  # the move shown, 0 for the start
    stepped: bool = False  # the query named the step
    question: int = 0  # the costly keep to ask about, from 1; 0 for none
    chosen: str = ""  # the key of the answer
    refusal: str = ""  # the reason why there is no receipt
    again_s: int = 0  # seconds until the page asks again, 0 for never
    opened: bool = False  # the match comes from a record that was opened from a file
    dice: str = ""  # the verdict on its sealed dice
    origin: str = ""  # the house's address for others

    @property
    def asked(self) -> ReceiptQuestion | None:
        """The costly keep to ask about."""
        return self.receipt.questions[self.question - 1] if self.receipt and self.question else None

    @property
    def high(self) -> int:
        """The height of the picture. Its width is ``TALL_WIDE``."""
        return tall_picture(self.match, coded=False)[1] if self.match else 0

    @property
    def chart(self) -> Chart | None:
        """The chart of the chances."""
        return chart_of(self.receipt, self.step) if self.receipt else None

    @property
    def rows(self) -> tuple[tuple[int, ReceiptMove], ...]:
        """The rows of the table, each with the number of its move."""
        return rows(self.receipt.moves) if self.receipt else ()


async def page(visit: PageVisit) -> Response:
    """``GET /t/{code}/receipt``: the receipt.

    ``step`` shows a move. ``again`` asks about a costly keep, and ``keep`` answers it.
    """
    actor = await visit.finished()
    answer = await _receipt(visit, actor)
    match = finished_table(visit, actor)
    preview = preview_of(visit, actor)
    blank = ReceiptPage(visit.house.link(actor.code), match.address, match=match, preview=preview)
    return respond(visit, answer, blank)


def respond(visit: PageVisit, answer: Receipt | NoAnswer | None, page: ReceiptPage) -> Response:
    """Answer with the page of a receipt, at the query's step or question, or with the page that waits for it.

    Raises Refused.
    """
    query = dict(visit.request.query_params)
    page = replace(page, origin=visit.public_origin)
    return visit.worked_out(html, page, answer, partial(asked_for, query=query), _data)


async def picture(visit: PageVisit) -> Response:
    """``GET /t/{code}/receipt.svg``: the result as a picture, with its turning point if that is ready."""
    return drawn(finished_table(visit, await visit.finished()))


def drawn(found: FinishedMatch) -> Response:
    """Answer with the picture of a match. Browsers cache it once it is complete, for the language it is in."""
    lasts = "private, max-age=300" if found.chart else "no-cache"
    headers = {"cache-control": lasts, "vary": "accept-language, cookie"}
    return Response(tall_picture(found)[0], media_type=PICTURE, headers=headers)


async def _receipt(visit: PageVisit, actor: TableActor) -> Receipt | NoAnswer | None:
    """Return the receipt, None if it is not ready. A receipt that is not cached counts as a question. If it was not
    asked for yet, it also counts as a record.

    Raises Refused and NotStored.
    """
    record, you = MatchRecord(actor.match_place), actor.state.only_seat_of(visit.person)
    known = visit.house.answers.known(write_receipt, record, visit.language, you)
    if known is not None:
        return known
    visit.count("asking")
    if not visit.house.answers.is_asked(write_receipt, record, visit.language, you):  # else its log is read already
        visit.count("record")
        record = MatchRecord(actor.match_place, await visit.house.record(actor))
    return await visit.ask(write_receipt, record, visit.language, you)


def asked_for(page: ReceiptPage, receipt: Receipt, query: Mapping[str, str]) -> ReceiptPage:
    """Return the page with its receipt, and the query's step or question. Raises Refused, with a code of ``ASKED``."""
    page, most = replace(page, receipt=receipt), len(receipt.moves) - 1
    step = whole_number(query["step"]) if "step" in query else most
    if step is None or step > most:
        raise Refused("no-move", most=most)
    if "again" not in query:
        return replace(page, step=step, stepped="step" in query)
    if not receipt.questions:
        raise Refused("no-questions")
    number = whole_number(query["again"])
    if number is None or not 1 <= number <= len(receipt.questions):
        raise Refused("no-question", most=len(receipt.questions))
    question, chosen = receipt.questions[number - 1], query.get("keep", "")
    if "keep" in query and chosen not in [option.key for option in question.options]:
        raise Refused("no-choice")
    return replace(page, question=number, chosen=chosen)


def _data(page: ReceiptPage, receipt: Receipt) -> object:
    return dict(receipt.data)


def rows(moves: Sequence[ReceiptMove]) -> tuple[tuple[int, ReceiptMove], ...]:
    """Return the moves for the table: all, or in a long match the last move of each turn or round.

    The start is always there.
    """
    numbered = tuple(enumerate(moves))
    for least in (0, 1, 2):
        found = tuple((number, move) for number, move in numbered if not number or move.ends >= least)
        if len(found) <= MOST_ROWS:
            return found
    every = -(-len(found) // MOST_ROWS)
    return (*found[:-1:every], found[-1])


def chart_of(receipt: Receipt, step: int) -> Chart:
    """Return the chances of a whole match as lines, with the move ``step`` marked."""
    return turning_chart(receipt.turning, receipt.names, at=step)


def html(frame: Frame, page: ReceiptPage) -> str:
    """Return the page of a receipt: its causes, its moves, and its costly keeps as questions."""
    say, preview = frame.language.say, {}
    if page.asked:
        preview = {"preview": Preview(say("Play it again"), say("What would you keep?"), page.origin)}
    elif page.preview:
        preview = {"preview": page.preview}
    return render("receipt.html", frame, page=page, found=page.receipt, wide=CHART_WIDE, high=CHART_HIGH, **preview)


QUERY = (
    Field("step", "Which move to show, 0 for the start; the last one if left out.", schema={"pattern": "^[0-9]{1,6}$"}),
    Field("again", "Which costly keep to ask about, from 1.", schema={"pattern": "^[0-9]{1,6}$"}),
    Field("keep", "What one would have done, as a record has it.", schema={"maxLength": 40}),
)
ASKED = ("no-move", "no-question", "no-questions", "no-choice")
"""The codes with which the house may refuse to show the query's step or question."""
ROUTES = (
    Route(
        "GET",
        "/t/{code}/receipt",
        page,
        "What decided a finished match; its moves one by one; its costly keeps as questions.",
        (CODE, *QUERY),
        returns=ReceiptAnswer,
        asks=True,
        refuses=(*FINDING, "not-over", *ASKED),
    ),
    Route(
        "GET",
        "/t/{code}/receipt.svg",
        picture,
        "Its result as a picture, with where it turned once that is worked out.",
        (CODE,),
        refuses=(*FINDING, "not-over"),
        gives={200: (PICTURE,)},
    ),
)
