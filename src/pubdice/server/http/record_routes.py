"""Saved records opened again in a pocket: what decided the match, every choice, and its costly keeps as questions."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.whole_number import whole_number
from pubdice.match.notation import parts
from pubdice.records import Checked, read_checked
from pubdice.server.http import responses
from pubdice.server.http.ask_routes import AskRoutes
from pubdice.server.http.browser import Browser
from pubdice.server.http.receipt_routes import ReceiptRoutes
from pubdice.server.http.refusals import refusal
from pubdice.server.http.tables import Tables
from pubdice.server.show import pages
from pubdice.server.show.receipt_page import ReceiptPage
from pubdice.server.show.record_page import OpenedRow, RecordPage, row
from pubdice.text.catalogues import language

MOST_OPEN = 40
"""Records that stay open, the latest used: an evening's, of some 3 KB each."""


@dataclass(frozen=True, slots=True)
class OpenRecords:
    """The records that were opened, by the first 64 bits of their SHA-256. Nothing of them is stored."""

    _texts: OrderedDict[str, tuple[str, Checked]] = field(default_factory=OrderedDict)

    def add(self, text: str, checked: Checked) -> str:
        """Open a record; its name in addresses."""
        name = sha256(text.encode()).hexdigest()[:16]
        self._texts[name] = text, checked
        self._texts.move_to_end(name)
        while len(self._texts) > MOST_OPEN:
            self._texts.popitem(last=False)
        return name

    def find(self, name: str) -> tuple[str, Checked]:
        """A record that is open. Raises Refused."""
        if name not in self._texts:
            raise Refused("record-closed")
        self._texts.move_to_end(name)
        return self._texts[name]


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
            rows = [self._open(part, browser) for part in parts(text)] or [self._open(text, browser)]
        except (Refused, BadNotation, IllegalAction) as error:
            status, why = refusal(tongue, error)
            told = getattr(error, "told", None) or why.why
            return self._page(browser, RecordPage(text=text, refusal=told), status)
        if len(rows) == 1:
            return RedirectResponse(f"{rows[0].link}/receipt", 303)
        return self._page(browser, RecordPage(rows=tuple(rows)))

    def _open(self, text: str, browser: Browser) -> OpenedRow:
        """Open one record. Raises Refused, BadNotation, IllegalAction."""
        tongue = language(browser.language)
        checked = read_checked(text, self.tables.house.games, tongue)
        if not checked.steps or not checked.steps[-1].after.over:
            raise Refused("not-over")
        return row(f"/record/{self.opened.add(text, checked)}", checked, tongue)

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
            text, checked = self.opened.find(name)
            answer = await self.tables.house.answers.receipt((name, 0), text, browser.language)
        except Refused as error:
            return responses.refused(browser, error, self.tables.games)
        return shown(browser, answer, ReceiptPage(f"/record/{name}", opened=True), checked.kit.words.title)

    async def decision(self, request: Request) -> Response:
        """``GET /record/{opened}/ask/{number}``: a decision, as of a table's finished match."""
        browser, name = Browser(request), request.path_params["opened"]
        number = whole_number(request.path_params["number"])
        try:
            text, checked = self.opened.find(name)
            if number is None:
                raise Refused("no-page")
        except Refused as error:
            return responses.refused(browser, error, self.tables.games)
        return await self.positions.at(browser, text, number, checked.kit.name, f"/record/{name}")

    def _page(self, browser: Browser, page: RecordPage, status: int = 200) -> Response:
        text = pages.render("record.html", responses.frame(browser, self.tables.games), page=page)
        return responses.html(browser, text, status)
