"""What decided a finished match: the receipt as a page, as data, and as a picture to share."""

from dataclasses import dataclass, replace

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pubdice.advice.receipt import Receipt
from pubdice.core.errors import NotStored, Refused
from pubdice.core.whole_number import whole_number
from pubdice.server.http import responses
from pubdice.server.http.tables import Tables
from pubdice.server.http.worked_out import worked_out
from pubdice.server.live.hub import Hub
from pubdice.server.live.solver_process import NoAnswer
from pubdice.server.show import pages
from pubdice.server.show.receipt_card import receipt_card
from pubdice.server.show.receipt_page import ReceiptPage, refused, waiting
from pubdice.server.web.browser import Browser
from pubdice.server.web.limits import block_of
from pubdice.text.catalogues import language


@dataclass(frozen=True, slots=True)
class ReceiptRoutes:
    """Receipts of tables whose match is over; nothing of them is stored."""

    tables: Tables

    async def page(self, request: Request) -> Response:
        """``GET /t/{code}/receipt``: what decided it; with ``step`` a move; with ``again`` a costly keep as a question,
        and with ``keep`` its answer.
        """
        browser = Browser(request)
        try:
            hub = await self._over(browser)
            answer = await self._receipt(browser, hub)
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        here = self.tables.house.link(hub.code)
        page = ReceiptPage(here, f"{self.tables.place(browser, hub.code)}/receipt")
        return self.shown(browser, answer, page, hub.room.kit.words.title)

    def shown(self, browser: Browser, answer: Receipt | NoAnswer | None, page: ReceiptPage, title: str) -> Response:
        """The page of a receipt, with what the query asks for, once it is worked out."""

        def shown(receipt: Receipt) -> Response:
            try:
                asked = asked_for(replace(page, receipt=receipt), receipt, dict(browser.request.query_params))
            except Refused as error:
                return responses.refused(browser, error, self.tables.games)
            if not browser.wants_page:
                return responses.data(msgspec.json.encode(dict(receipt.data)))
            return self._page(browser, asked)

        return worked_out(
            browser,
            answer,
            shown=shown,
            waiting=lambda again_s: self._page(browser, waiting(page, again_s)),
            refused=lambda found: self._page(browser, refused(page, found.why)),
        )

    async def picture(self, request: Request) -> Response:
        """``GET /t/{code}/receipt.svg``: the result as a picture, once it is worked out."""
        browser = Browser(request)
        try:
            hub = await self._over(browser)
            answer = await self._receipt(browser, hub)
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        page = ReceiptPage(self.tables.house.link(hub.code))
        return self.drawn(browser, answer, page, hub.room.kit.words.title)

    def drawn(self, browser: Browser, answer: Receipt | NoAnswer | None, page: ReceiptPage, title: str) -> Response:
        """The picture of a receipt of a game with this title, once it is worked out."""

        def drawn(receipt: Receipt) -> Response:
            picture = receipt_card(receipt, title, language(browser.language))
            return Response(picture, media_type="image/svg+xml", headers={"cache-control": "private, max-age=300"})

        return worked_out(browser, answer, shown=drawn, waiting=lambda again_s: Response(), refused=None)

    async def _over(self, browser: Browser) -> Hub:
        """The table. Raises Refused("not-over") before its match is, and as the finder does."""
        hub = await self.tables.finder.table(browser, browser.request.path_params["code"])
        if hub.state.stage != "over":
            raise Refused("not-over")
        return hub

    async def _receipt(self, browser: Browser, hub: Hub) -> Receipt | NoAnswer | None:
        """The receipt; what is not cached counts as a record and a question. Raises Refused, NotStored."""
        live = hub.state.match
        assert live is not None, "its match is over"
        answers = self.tables.house.answers
        match = hub.code, live.state.seq  # of the match: people who come and go afterwards change nothing
        known = answers.known_receipt(match, browser.language)
        if known is not None:
            return known
        limiter, now_s = self.tables.limiter, self.tables.house.now() / 1000
        if wait_s := limiter.record(browser.address, now_s) or limiter.asking(browser.address, now_s):
            raise Refused("often", wait_s=wait_s)
        return await answers.receipt(
            match, await self.tables.house.record(hub), browser.language, asker=block_of(browser.address)
        )

    def _page(self, browser: Browser, page: ReceiptPage) -> Response:
        origin = self.tables.public_address.origin(browser)
        text = pages.receipt(responses.frame(browser, self.tables.games), page, origin)
        return responses.html(browser, text)


def asked_for(page: ReceiptPage, receipt: Receipt, query: dict[str, str]) -> ReceiptPage:
    """The page with what the query asks for. Raises Refused: "no-move", "no-question(s)", "no-choice"."""
    most = len(receipt.moves) - 1
    step = whole_number(query["step"]) if "step" in query else most
    if step is None or step > most:
        raise Refused("no-move", most=most)
    if "again" not in query:
        return replace(page, step=step)
    if not receipt.questions:
        raise Refused("no-questions")
    number = whole_number(query["again"])
    if number is None or not 1 <= number <= len(receipt.questions):
        raise Refused("no-question", most=len(receipt.questions))
    question, chosen = receipt.questions[number - 1], query.get("keep", "")
    if "keep" in query and chosen not in [option.key for option in question.options]:
        raise Refused("no-choice")
    return replace(page, question=number, chosen=chosen)
