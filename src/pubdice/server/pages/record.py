"""Saved records opened again in a pocket: the receipt, every choice, and the costly keeps as questions."""

from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256

from starlette.responses import Response

from pubdice.advice.receipt_parts import Receipt
from pubdice.checked_record import Checked, read_checked
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.match.notation import parts
from pubdice.match.sealed_record import DiceCheck, check_dice
from pubdice.match.sealed_sentences import chain_sentences, dice_sentence, fault_sentence, gap_sentence
from pubdice.match.table import Table
from pubdice.server.finished_match import FinishedMatch, finished_match, with_turning_point
from pubdice.server.jobs import MatchRecord, NoAnswer, write_receipt
from pubdice.server.pages import receipt as receipts
from pubdice.server.pages.ask import PositionAnswer, decision_in
from pubdice.server.pages.receipt import ReceiptAnswer, ReceiptPage
from pubdice.server.pages.visit import PageVisit
from pubdice.server.table.house import House
from pubdice.server.web.render import template
from pubdice.server.web.routing import JSON, NUMBER, PAGE, PICTURE, Field, Form, Route
from pubdice.text.language import Language

MOST_OPEN = 40
"""The most records that stay open (LRU), of some 3 KB each: more than an evening has."""
html = template("record.html")


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """An opened record: its text, the match in it, and the verdict on its dice."""

    text: str
    checked: Checked
    dice: DiceCheck


class OpenRecords:
    """The records opened in a house, by the first 64 bits of their SHA-256. They are in memory only."""

    def __init__(self, house: House) -> None:
        self._games = house.games
        self._records: OrderedDict[str, OpenRecord] = OrderedDict()

    def check(self, text: str, tongue: Language) -> OpenRecord:
        """Check a record. Raises Refused, BadNotation, IllegalAction."""
        checked = read_checked(text, self._games, tongue)
        if not checked.is_over:
            raise Refused("not-over")
        verdict = check_dice(text)
        if verdict.fault not in (None, "unsealed"):
            error = Refused("dice-differ")
            error.sentence = fault_sentence(verdict, tongue)
            raise error
        return OpenRecord(text, checked, verdict)

    def add(self, record: OpenRecord) -> str:
        """Open a record, and return its name in addresses."""
        name = sha256(record.text.encode()).hexdigest()[:16]
        self._records[name] = record
        self._records.move_to_end(name)
        while len(self._records) > MOST_OPEN:
            self._records.popitem(last=False)
        return name

    def find(self, name: str) -> OpenRecord:
        """Return an open record. Raises Refused("record-closed") if it is not open."""
        if name not in self._records:
            raise Refused("record-closed")
        self._records.move_to_end(name)
        return self._records[name]


@dataclass(frozen=True, slots=True)
class OpenedRow:
    """One of several records opened at once: its address, its game and players, and the verdict on its sealed dice."""

    link: str
    title: str
    dice: str


@dataclass(frozen=True, slots=True)
class RecordPage:
    """The page with the form that opens records."""

    text: str = ""  # the refused text, to be mended
    refusal: str = ""  # the reason for the refusal
    rows: tuple[OpenedRow, ...] = ()  # the matches of an opened evening
    gaps: tuple[str, ...] = ()  # the matches missing between them, in sentences


def row(link: str, checked: Checked, verdict: DiceCheck, language: Language) -> OpenedRow:
    """Return the row of a record. ``verdict`` is the verdict on its dice."""
    game, names = language.say(checked.kit.words.title), language.join(list(checked.header.names))
    title = language.say("{game} with {names}", game=game, names=names)
    return OpenedRow(link, title, dice_sentence(verdict, language))


async def form(visit: PageVisit) -> Response:
    """``GET /record``: the form that opens a record."""
    return visit.html(html, RecordPage())


async def open_records(visit: PageVisit) -> Response:
    """``POST /record``: check one record, and go to its page. Or check an evening's records, and list them."""
    opened, tongue, text = visit.site.part(OpenRecords), visit.tongue, ""
    try:
        text = visit.form().get("record", "").replace("\r\n", "\n")
        found = [opened.check(part, tongue) for part in parts(text)]
    except (Refused, BadNotation, IllegalAction) as error:
        status, why = visit.refusal(error)
        told = getattr(error, "sentence", None) or why.why
        return visit.html(html, RecordPage(text=text, refusal=told), status)
    rows = tuple(row(f"/record/{opened.add(each)}", each.checked, each.dice, tongue) for each in found)
    if len(rows) == 1:
        return visit.redirect(f"{rows[0].link}/receipt")
    verdicts = [each.dice for each in found]
    gaps = [gap_sentence(verdicts, tongue), *chain_sentences(verdicts, tongue)]
    return visit.html(html, RecordPage(rows=rows, gaps=tuple(filter(None, gaps))))


async def first(visit: PageVisit) -> Response:
    """``GET /record/{opened}``: redirect to the record's receipt."""
    return visit.redirect(f"/record/{visit.path('opened')}/receipt")


async def receipt(visit: PageVisit) -> Response:
    """``GET /record/{opened}/receipt``: the receipt, as at a table."""
    record, answer = await _worked_out(visit)
    dice = dice_sentence(record.dice, visit.tongue)
    page = ReceiptPage(_link(visit), match=_match(record, answer, visit.tongue), opened=True, dice=dice)
    return receipts.respond(visit, answer, page)


async def picture(visit: PageVisit) -> Response:
    """``GET /record/{opened}/receipt.svg``: the picture, as at a table."""
    record, answer = await _worked_out(visit)
    return receipts.drawn(_match(record, answer, visit.tongue))


async def decision(visit: PageVisit) -> Response:
    """``GET /record/{opened}/ask/{number}``: a decision, as at a table's finished match."""
    record = visit.site.part(OpenRecords).find(visit.path("opened"))
    return await decision_in(visit, record.text, record.checked.kit.name, _link(visit))


async def _worked_out(visit: PageVisit) -> tuple[OpenRecord, Receipt | NoAnswer | None]:
    name = visit.path("opened")
    record = visit.site.part(OpenRecords).find(name)
    return record, await visit.ask(write_receipt, MatchRecord((name, 0), record.text), visit.language)


def _match(record: OpenRecord, answer: Receipt | NoAnswer | None, tongue: Language) -> FinishedMatch:
    """Return an opened record's match as its picture tells it. It has no address."""
    checked, names = record.checked, record.checked.header.names
    table = Table(checked.match, names)
    play = table.start()
    for step in checked.steps:
        play = table.apply(play, step.move)
    found = finished_match(tongue, checked.kit, table, play)
    return with_turning_point(found, answer.turning, tongue) if isinstance(answer, Receipt) else found


def _link(visit: PageVisit) -> str:
    return f"/record/{visit.path('opened')}"


OPENED = Field("opened", "An opened record: 64 bits of its SHA-256.", schema={"pattern": "^[0-9a-f]{16}$"})
CLOSED = ("no-page", "record-closed")
"""The codes with which a pocket may refuse to find a record. A house opens no record, so it always says "no-page"."""
ROUTES = (
    Route(
        "GET",
        "/record",
        form,
        "In a pocket, the form that opens a saved record.",
        refuses=("no-page",),
        only="pocket",
    ),
    Route(
        "POST",
        "/record",
        open_records,
        "In a pocket, open a saved record, or those of an evening.",
        takes=(Form("RecordForm", ("record",)),),
        refuses=("no-page", "not-over", "dice-differ"),
        gives={200: (PAGE,), 303: ()},
        only="pocket",
    ),
    Route(
        "GET",
        "/record/{opened}",
        first,
        "To what decided the match of an opened record.",
        (OPENED,),
        refuses=("no-page",),
        gives={303: ()},
        only="pocket",
    ),
    Route(
        "GET",
        "/record/{opened}/receipt",
        receipt,
        "What decided the match of an opened record, as of a table's.",
        (OPENED, *receipts.QUERY),
        returns=ReceiptAnswer,
        asks=True,
        refuses=(*CLOSED, *receipts.ASKED),
        only="pocket",
    ),
    Route(
        "GET",
        "/record/{opened}/receipt.svg",
        picture,
        "Its result as a picture.",
        (OPENED,),
        asks=True,
        refuses=CLOSED,
        gives={200: (PICTURE,)},
        only="pocket",
    ),
    Route(
        "GET",
        "/record/{opened}/ask/{number}",
        decision,
        "A decision of an opened record, by its number.",
        (OPENED, NUMBER),
        returns=PositionAnswer,
        asks=True,
        refuses=(*CLOSED, *receipts.ASKED),
        gives={200: (PAGE, JSON), 202: (PAGE,)},
        only="pocket",
    ),
)
