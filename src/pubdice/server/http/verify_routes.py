"""The page that checks sealed dice: empty, with a table's record, and as one file that needs no house."""

import asyncio
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.match.sealed_record import check_dice
from pubdice.server.http.tables import Tables
from pubdice.server.show import pages, verify_page
from pubdice.server.web import assets, responses
from pubdice.server.web.browser import Browser
from pubdice.text.catalogues import language

STYLES, SCRIPTS = ("house.css", "paper.css", "seal.css"), ("sha256.js", "verify.js")


@dataclass(frozen=True, slots=True)
class VerifyRoutes:
    """Checks of sealed dice, as pages. The check itself runs in the browser, and for those without scripts here."""

    tables: Tables

    async def first(self, request: Request) -> Response:
        """``GET /verify``: the page, to paste a record into."""
        browser = Browser(request)
        page = verify_page.blank(language(browser.language))
        return responses.html(browser, pages.verify(responses.frame(browser, self.tables.games), page))

    async def alone(self, request: Request) -> Response:
        """``GET /verify.html``: the page as one file."""
        browser = Browser(request)
        page = verify_page.blank(language(browser.language))
        styles = "".join(assets.served(name)[0].decode() for name in STYLES)
        script = "\n".join(assets.served(name)[0].decode() for name in SCRIPTS)
        text = pages.verify_alone(responses.frame(browser, self.tables.games), page, styles, script)
        response = responses.html(browser, text)
        response.headers["content-disposition"] = 'attachment; filename="pubdice-verify.html"'
        return response

    async def table(self, request: Request) -> Response:
        """``GET /t/{code}/verify``: the page with a table's record, checked in a thread, as a long one takes 0.2 s."""
        browser = Browser(request)
        try:
            if wait_s := self.tables.limiter.record(browser.address, self.tables.house.now() / 1000):
                raise Refused("often", wait_s=wait_s)
            hub = await self.tables.finder.table(browser, request.path_params["code"])
            if hub.state.setup.dice != "sealed":
                raise Refused("not-sealed")
            text = await self.tables.house.record(hub)
            verdict = await asyncio.to_thread(check_dice, text)
        except (Refused, NotStored, BadNotation) as error:
            return responses.refused(browser, error, self.tables.games)
        page = verify_page.checked(language(browser.language), text, verdict, self.tables.house.link(hub.code))
        return responses.html(browser, pages.verify(responses.frame(browser, self.tables.games), page))
