"""The causes of a finished match's result: the receipt as a page, as data, and as a picture to share. Nothing of it is
stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.receipt import Receipt, ReceiptMove, ReceiptPart, ReceiptQuestion
from pubdice.core.dice import whole_number
from pubdice.core.errors import Refused
from pubdice.server.charts import HIGH as CHART_HIGH
from pubdice.server.charts import WIDE as CHART_WIDE
from pubdice.server.charts import Chart, chart
from pubdice.server.jobs import MatchRecord, NoAnswer, write_receipt
from pubdice.server.pages.visit import CODE, FINDING, SOON_S, PageVisit, soon
from pubdice.server.table.actor import TableActor
from pubdice.server.web.refusals import UNREAD
from pubdice.server.web.render import Frame, Preview, render
from pubdice.server.web.routing import PICTURE, Field, Route
from pubdice.server.wire import Refusal
from pubdice.text.language import Language

MOST_ROWS = 250
"""Rows of the table; a longer match has one a turn, or one a round."""


WIDE, HIGH = 1080, 700
"""Of the picture, whose colours are its own (design.md, tokens, light): it stands alone, without a style sheet."""
MOST_SEATS = 8
COLOURS = {"seat": "#857760", "luck": "#b07408", "skill": "#b3261e", "others": "#2c6b33"}
INK = "#2a241b"
SERIF, SANS = "Palatino, Georgia, serif", "system-ui, sans-serif"


class ReceiptAnswer(Struct):
    """The causes of a match's result, as ``pubdice review --json`` prints them.

    utility: the name of the values. seats: each name's expectation, luck, skill, given and result; the first four add
    up to the last. decisions, worst, best_roll: choices graded, the dearest, the luckiest roll. luck_rank: the rank of
    each seat's luck among the replays. line: every seat's value at the start and after each move.
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
    """One match. table: its link here; address: in full, to share. opened: it is a record from a file; dice: true if
    its dice are those that were sealed.

    step: the move shown, 0 for the start; stepped: it was asked for. question: the costly keep that is asked, from 1; 0
    for none; chosen: the key of the answer given. refusal: why there is no receipt. again_s: when the page asks again;
    0 for never. origin: where others find the house.
    """

    table: str
    address: str = ""
    receipt: Receipt | None = None
    step: int = 0
    stepped: bool = False
    question: int = 0
    chosen: str = ""
    refusal: str = ""
    again_s: int = 0
    opened: bool = False
    dice: str = ""
    origin: str = ""

    @property
    def asked(self) -> ReceiptQuestion | None:
        """The costly keep that is asked."""
        return self.receipt.questions[self.question - 1] if self.receipt and self.question else None

    @property
    def chart(self) -> Chart | None:
        """The picture of the chances."""
        return chart_of(self.receipt, self.step) if self.receipt else None

    @property
    def rows(self) -> tuple[tuple[int, ReceiptMove], ...]:
        """The rows of the table, with the number of each move."""
        return rows(self.receipt.moves) if self.receipt else ()


async def page(visit: PageVisit) -> Response:
    """``GET /t/{code}/receipt``: the receipt; with ``step`` a move; with ``again`` a costly keep as a question, and
    with ``keep`` its answer.
    """
    actor = await visit.finished()
    answer = await _receipt(visit, actor)
    blank = ReceiptPage(visit.house.link(actor.code), f"{visit.place(actor.code)}/receipt")
    return respond(visit, answer, blank)


def respond(visit: PageVisit, answer: Receipt | NoAnswer | None, page: ReceiptPage) -> Response:
    """The page of a receipt, with what the query asks for, once it is worked out. Raises Refused."""
    query = dict(visit.request.query_params)
    page = replace(page, origin=visit.public_origin)
    return visit.worked_out(html, page, answer, partial(asked_for, query=query), _data)


async def picture(visit: PageVisit) -> Response:
    """``GET /t/{code}/receipt.svg``: the result as a picture, once it is worked out."""
    actor = await visit.finished()
    return drawn(visit, await _receipt(visit, actor), actor.room.kit.words.title)


def drawn(visit: PageVisit, answer: Receipt | NoAnswer | None, title: str) -> Response:
    """The picture of a receipt of a game with this title, once it is worked out."""
    if answer is None:
        return soon(Response(), SOON_S)
    if isinstance(answer, NoAnswer):  # as data for everybody: there is no page
        return visit.json(Refusal(answer.code, answer.why), UNREAD)
    text = receipt_card(answer, title, visit.tongue)
    return Response(text, media_type=PICTURE, headers={"cache-control": "private, max-age=300"})


async def _receipt(visit: PageVisit, actor: TableActor) -> Receipt | NoAnswer | None:
    """The receipt; one that is not cached counts as a record and a question. Raises Refused, NotStored."""
    live = actor.state.match
    assert live is not None, "its match is over"
    place = actor.code, live.state.seq  # of the match: people who come and go afterwards change nothing
    you = actor.state.only_seat_of(visit.person)
    known = visit.house.answers.known(write_receipt, MatchRecord(place), visit.language, you)
    if known is not None:
        return known
    visit.count("record")
    visit.count("asking")
    record = MatchRecord(place, await visit.house.record(actor))
    return await visit.ask(write_receipt, record, visit.language, you)


def asked_for(page: ReceiptPage, receipt: Receipt, query: Mapping[str, str]) -> ReceiptPage:
    """The page with its receipt, and what the query asks for. Raises Refused, with a code of ``ASKED``."""
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
    """The moves for the table: all, or of a long match those that ended a turn, or a round; the start always."""
    numbered = tuple(enumerate(moves))
    for least in (0, 1, 2):
        found = tuple((number, move) for number, move in numbered if not number or move.ends >= least)
        if len(found) <= MOST_ROWS:
            return found
    every = -(-len(found) // MOST_ROWS)
    return (*found[:-1:every], found[-1])


def chart_of(receipt: Receipt, step: int) -> Chart:
    """The chances of a whole match as lines, with the move ``step`` marked."""
    moves = receipt.moves
    ended = [number for number, move in enumerate(moves[:-1]) if move.ends == 2]
    said = (moves[0].said, moves[-1].said)
    return chart(receipt.names, [move.units for move in moves], said, receipt, ended=ended, at=step)


def html(frame: Frame, page: ReceiptPage) -> str:
    """The page of a receipt: its causes, the moves one by one, and its costly keeps as questions."""
    say, preview = frame.language.say, {}
    if page.asked:
        preview = {"preview": Preview(say("Play it again"), say("What would you keep?"), page.origin)}
    elif page.receipt:
        preview = {"preview": Preview(say("What decided it"), page.receipt.share, page.origin)}
    return render("receipt.html", frame, page=page, found=page.receipt, wide=CHART_WIDE, high=CHART_HIGH, **preview)


def receipt_card(receipt: Receipt, title: str, language: Language) -> str:
    """The picture. title: the game's."""
    seats = receipt.seats[:MOST_SEATS]
    lead = receipt.lead or title
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}">',
        f"<title>{escape(receipt.share)}</title>",
        f'<rect width="{WIDE}" height="{HIGH}" fill="#654127"/>',
        f'<rect x="28" y="28" width="{WIDE - 56}" height="{HIGH - 56}" rx="14" fill="#2a3835"/>',
        _text(WIDE / 2, 122, lead, WIDE - 140, size=62, colour="#f6f1e4", family=SERIF, anchor="middle"),
        f'<rect x="70" y="160" width="{WIDE - 140}" height="430" rx="6" fill="#fcf8ee"/>',
    ]
    step = 350 / max(3, len(seats))
    size = min(34, step * 0.45)
    for number, seat in enumerate(seats):
        middle = 175 + (number + (0.5 if len(seats) >= 3 else 1)) * step
        drawn.append(_text(100, middle + size / 3, seat.name, 250, size=size, colour=INK))
        drawn += [_bar(part, middle, step) for part in seat.parts if part.name in COLOURS and part.units]
        amount = seat.parts[-1].amount
        drawn.append(_text(980, middle + size / 3, amount, 150, size=size, colour=INK, anchor="end"))
    for number, part in enumerate(part for part in receipt.seats[0].parts if part.name in COLOURS):
        x = 100 + 225 * number
        drawn.append(f'<rect x="{x}" y="545" width="22" height="22" fill="{COLOURS[part.name]}"/>')
        drawn.append(_text(x + 34, 565, part.label, 180, size=26, colour=INK))
    foot = f"{language.say(title)} · pubdice"
    drawn.append(_text(WIDE / 2, 640, foot, WIDE - 140, size=30, colour="#edb64d", anchor="middle"))
    return "\n".join([*drawn, "</svg>\n"])


def _bar(part: ReceiptPart, middle: float, step: float) -> str:
    x, width = 360 + 440 * part.begin, max(2.0, 440 * (part.end - part.begin))
    high = step * 0.16
    y = middle + (list(COLOURS).index(part.name) - 2) * high
    colour = COLOURS[part.name]
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{high:.1f}" fill="{colour}"/>'


def _text(
    x: float, y: float, text: str, most: float, *, size: float, colour: str, family: str = SANS, anchor: str = "start"
) -> str:
    """A line of text, no wider than ``most``: a letter takes some 0.58 of its size, so a long line is made smaller."""
    size = min(size, most / (0.58 * max(1, len(text))))
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{family}" font-size="{size:.1f}" font-weight="600" fill="{colour}"'
        f' text-anchor="{anchor}">{escape(text)}</text>'
    )


QUERY = (
    Field("step", "Which move to show, 0 for the start; the last one if left out.", schema={"pattern": "^[0-9]{1,6}$"}),
    Field("again", "Which costly keep to ask about, from 1.", schema={"pattern": "^[0-9]{1,6}$"}),
    Field("keep", "What one would have done, as a record has it.", schema={"maxLength": 40}),
)
ASKED = ("no-move", "no-question", "no-questions", "no-choice")
"""Why the page does not show what its query asks for."""
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
        "Its result as a picture.",
        (CODE,),
        asks=True,
        refuses=(*FINDING, "not-over"),
        gives={200: (PICTURE,), 202: ()},
    ),
)
