"""The drill: positions of a game, one after the other, each graded. How somebody does is in the browser's cookie."""

from dataclasses import dataclass
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.advice.daily import ToldDay, asked, day_data
from pubdice.advice.drill import MOST_NUMBER, DrillScore, read_scores, write_scores
from pubdice.core.errors import BadNotation, Refused
from pubdice.kit import Kit
from pubdice.server.http.tables import Tables
from pubdice.server.http.worked_out import SOON_S, no_answer, worked_out
from pubdice.server.live.solver_process import DayAnswer, NoAnswer
from pubdice.server.requests import DayPosition
from pubdice.server.show import pages
from pubdice.server.show.drill_page import DrillPage, graded_page, listed_page
from pubdice.server.web import render, responses
from pubdice.server.web.browser import DRILL_COOKIE, Browser, read_cookies, set_drill
from pubdice.server.web.limits import block_of
from pubdice.server.web.refusals import UNREAD
from pubdice.text.catalogues import language


@dataclass(frozen=True, slots=True)
class DrillRoutes:
    """Asks positions of a game, and grades answers."""

    tables: Tables

    async def games(self, request: Request) -> Response:
        """``GET /drill``: the games that can be drilled, and how this browser does in each."""
        browser = Browser(request)
        page = listed_page(self._kits().values(), self._scores(browser))
        return responses.html(browser, pages.drill_games(responses.frame(browser, self.tables.games), page))

    async def following(self, request: Request) -> Response:
        """``GET /drill/{game}``: to the position that this browser is asked next."""
        browser = Browser(request)
        try:
            kit = self._kit(request)
        except Refused as error:
            return responses.refused(browser, error, self.tables.games)
        score = self._scores(browser).get(kit.name, DrillScore())
        return RedirectResponse(f"/drill/{kit.name}/{score.next}", 303)

    async def position(self, request: Request) -> Response:
        """``GET /drill/{game}/{number}``: a position; with ``keep``, graded."""
        browser = Browser(request)
        try:
            kit, number = self._kit(request), _number(request)
            told = await self._told(browser, kit, number)
        except Refused as error:
            return responses.refused(browser, error, self.tables.games)
        page = self._page(browser, kit, number)
        keep = request.query_params.get("keep", "")

        def shown(found: ToldDay) -> Response:
            whole = graded_page(page, found, found.chosen(keep), language(browser.language))
            if browser.wants_page:
                return self._html(browser, whole)
            return responses.data(msgspec.json.encode(DayPosition(**day_data(found, answered=not whole.asks))))

        return worked_out(
            browser,
            told,
            shown=shown,
            waiting=lambda again_s: self._html(browser, page.waiting(again_s)),
            refused=lambda found: self._unsolved(browser, found),
        )

    async def answer(self, request: Request) -> Response:
        """``POST /drill/{game}/{number}``: note how good an answer is, and show it. A second one changes nothing."""
        browser = Browser(request)
        try:
            kit, number = self._kit(request), _number(request)
            keep = browser.form().get("keep", "")
            told = await self._told(browser, kit, number)
            if told is None:
                raise Refused("day-soon", wait_s=SOON_S)
        except (Refused, BadNotation) as error:
            return responses.refused(browser, error, self.tables.games)
        if isinstance(told, NoAnswer):
            return no_answer(browser, told, lambda found: self._unsolved(browser, found))
        choice = told.chosen(keep)
        if choice is None:
            why = language(browser.language).say("Choose one of the answers first.")
            page = graded_page(self._page(browser, kit, number), told, None, language(browser.language))
            return self._html(browser, page.refused(why), UNREAD)
        scores = self._scores(browser)
        right = told.choices[choice].grade == "best"
        scores[kit.name] = scores.pop(kit.name, DrillScore()).after(number, right=right)  # the latest is the last
        response = RedirectResponse(f"/drill/{kit.name}/{number}?keep={quote(told.choices[choice].action)}", 303)
        set_drill(response, write_scores(scores), secure=browser.secure)
        return response

    def _kits(self) -> dict[str, Kit]:
        """The games that are solved, by name."""
        return {name: self.tables.house.games[name] for name in asked(self.tables.house.games)}

    def _kit(self, request: Request) -> Kit:
        """The game in the address. Raises Refused."""
        kit = self._kits().get(request.path_params["game"])
        if kit is None:
            raise Refused("no-page")
        return kit

    async def _told(self, browser: Browser, kit: Kit, number: int) -> DayAnswer | None:
        """A position; None: not yet. Raises Refused."""
        answers = self.tables.house.answers
        if (known := answers.known_drill(kit.name, number, browser.language)) is not None:
            return known
        if wait_s := self.tables.limiter.asking(browser.address, self.tables.house.now() / 1000):
            raise Refused("often", wait_s=wait_s)
        return await answers.of_drill(kit.name, number, browser.language, asker=block_of(browser.address))

    def _scores(self, browser: Browser) -> dict[str, DrillScore]:
        """What the browser's cookie says of the games of this house."""
        text = read_cookies(browser.request.scope["headers"]).get(DRILL_COOKIE, "")
        return read_scores(text, self._kits())

    def _page(self, browser: Browser, kit: Kit, number: int) -> DrillPage:
        score = self._scores(browser).get(kit.name, DrillScore())
        counted = score.next if number > score.last else 0
        return DrillPage(kit.name, kit.words.title, number, score.answered, score.right, len(score.missed), counted)

    def _unsolved(self, browser: Browser, answer: NoAnswer) -> Response:
        trouble = render.Trouble(UNREAD, answer.why, answer.code)
        return responses.html(browser, pages.trouble(responses.frame(browser, self.tables.games), trouble))

    def _html(self, browser: Browser, page: DrillPage, status: int = 200) -> Response:
        text = pages.drill(responses.frame(browser, self.tables.games), page)
        return responses.html(browser, text, status)


def _number(request: Request) -> int:
    """The number in the address. Raises Refused."""
    text: str = request.path_params["number"]
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST_NUMBER)) and text[0] != "0"):
        raise Refused("no-page")
    return int(text)
