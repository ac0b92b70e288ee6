"""Saved records opened again in a pocket: what decided the match, every choice, and its costly keeps as questions."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.whole_number import whole_number
from pubdice.match.dice_check_text import chains_told, dice_told, fault_told, gap_told
from pubdice.match.notation import parts
from pubdice.match.sealed_record import DiceCheck, check_dice
from pubdice.records import Checked, read_checked
from pubdice.server.http import responses
from pubdice.server.http.ask_routes import AskRoutes
from pubdice.server.http.receipt_routes import ReceiptRoutes
from pubdice.server.http.tables import Tables
from pubdice.server.show.receipt_page import ReceiptPage
from pubdice.server.show.record_page import RecordPage, row
from pubdice.server.web import render
from pubdice.server.web.browser import Browser
from pubdice.server.web.limits import block_of
from pubdice.server.web.refusals import refusal
from pubdice.text.catalogues import language
from pubdice.text.language import Language

MOST_OPEN = 40
"""Records that stay open, the latest used: an evening's, of some 3 KB each."""


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """A record that was opened: its text, all that follows from it, and the verdict on its dice."""

    text: str
    checked: Checked
    dice: DiceCheck


@dataclass(frozen=True, slots=True)
class OpenRecords:
    """The records that were opened, by the first 64 bits of their SHA-256. Nothing of them is stored."""

    _records: OrderedDict[str, OpenRecord] = field(default_factory=OrderedDict)

    def add(self, record: OpenRecord) -> str:
        """Open a record; its name in addresses."""
        name = sha256(record.text.encode()).hexdigest()[:16]
        self._records[name] = record
        self._records.move_to_end(name)
        while len(self._records) > MOST_OPEN:
            self._records.popitem(last=False)
        return name

    def find(self, name: str) -> OpenRecord:
        """A record that is open. Raises Refused."""
        if name not in self._records:
            raise Refused("record-closed")
        self._records.move_to_end(name)
        return self._records[name]


@dataclass(frozen=True, slots=True)
class RecordRoutes:
    """Records from files, shown as a table's finished match is."""

    tables: Tables
    receipts: ReceiptRoutes
    positions: AskRoutes
    opened: OpenRecords = field(default_factory=OpenRecords)

    async def form(self, request: Request) -> Response:
        """``GET /record``: the form that opens a record."""
        return self._page(Browser(request), RecordPage())

    async def open(self, request: Request) -> Response:
        """``POST /record``: check a record, or each of an evening's, and go to it, or list them."""
        browser, text = Browser(request), ""
        tongue = language(browser.language)
        try:
            text = browser.form().get("record", "").replace("\r\n", "\n")
            found = [self._checked(part, tongue) for part in parts(text)]
        except (Refused, BadNotation, IllegalAction) as error:
            status, why = refusal(tongue, error)
            told = getattr(error, "told", None) or why.why
            return self._page(browser, RecordPage(text=text, refusal=told), status)
        rows = tuple(row(f"/record/{self.opened.add(each)}", each.checked, each.dice, tongue) for each in found)
        if len(rows) == 1:
            return RedirectResponse(f"{rows[0].link}/receipt", 303)
        verdicts = [each.dice for each in found]
        gaps = [gap_told(verdicts, tongue), *chains_told(verdicts, tongue)]
        return self._page(browser, RecordPage(rows=rows, gaps=tuple(filter(None, gaps))))

    def _checked(self, text: str, tongue: Language) -> OpenRecord:
        """One record, checked. Raises Refused, BadNotation, IllegalAction."""
        checked = read_checked(text, self.tables.house.games, tongue)
        if not checked.steps or not checked.steps[-1].after.over:
            raise Refused("not-over")
        verdict = check_dice(text)
        if verdict.fault not in (None, "unsealed"):
            error = Refused("dice-differ")
            error.told = fault_told(verdict, tongue)
            raise error
        return OpenRecord(text, checked, verdict)

    async def first(self, request: Request) -> Response:
        """``GET /record/{opened}``: redirect to what decided it."""
        return RedirectResponse(f"/record/{request.path_params['opened']}/receipt", 303)

    async def receipt(self, request: Request) -> Response:
        """``GET /record/{opened}/receipt``: as a table's."""
        return await self._worked_out(request, self.receipts.shown)

    async def picture(self, request: Request) -> Response:
        """``GET /record/{opened}/receipt.svg``: as a table's."""
        return await self._worked_out(request, self.receipts.drawn)

    async def _worked_out(self, request: Request, shown: Callable[..., Response]) -> Response:
        browser, name = Browser(request), request.path_params["opened"]
        try:
            record = self.opened.find(name)
            answer = await self.tables.house.answers.receipt(
                (name, 0), record.text, browser.language, asker=block_of(browser.address)
            )
        except Refused as error:
            return responses.refused(browser, error, self.tables.games)
        dice = dice_told(record.dice, language(browser.language))
        page = ReceiptPage(f"/record/{name}", opened=True, dice=dice)
        return shown(browser, answer, page, record.checked.kit.words.title)

    async def decision(self, request: Request) -> Response:
        """``GET /record/{opened}/ask/{number}``: a decision, as of a table's finished match."""
        browser, name = Browser(request), request.path_params["opened"]
        number = whole_number(request.path_params["number"])
        try:
            record = self.opened.find(name)
            if number is None:
                raise Refused("no-page")
        except Refused as error:
            return responses.refused(browser, error, self.tables.games)
        return await self.positions.at(browser, record.text, number, record.checked.kit.name, f"/record/{name}")

    def _page(self, browser: Browser, page: RecordPage, status: int = 200) -> Response:
        text = render.render("record.html", responses.frame(browser, self.tables.games), page=page)
        return responses.html(browser, text, status)
