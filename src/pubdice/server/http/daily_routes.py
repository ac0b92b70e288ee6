"""Last orders: today's position to answer, and earlier days with their answers. The streak is in the browser's cookie.

The house keeps nothing of it: the cookie holds the grades, with a tag (HMAC-SHA256 by the house's secret) that says the
house wrote them. A cookie that lacks it, or holds what no streak can be, counts as none.
"""

import hmac
from dataclasses import dataclass, replace

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.advice.daily import (
    FIRST_DAY,
    Streak,
    ToldDay,
    asked,
    day_data,
    number_at,
    read_day,
    read_streak,
    written_day,
)
from pubdice.core.errors import BadNotation, Refused
from pubdice.server.http.tables import Tables
from pubdice.server.http.worked_out import SOON_S, no_answer, worked_out
from pubdice.server.live.solver_process import DayAnswer, NoAnswer
from pubdice.server.requests import DayPosition
from pubdice.server.show import pages
from pubdice.server.show.daily_page import DailyPage, day_page, told_page
from pubdice.server.web import render, responses
from pubdice.server.web.browser import DAILY_COOKIE, Browser, read_cookies, set_daily
from pubdice.server.web.limits import block_of
from pubdice.server.web.refusals import UNREAD
from pubdice.text.catalogues import language

TAG_DIGITS = 32
"""Of the cookie's tag: 128 bits."""


@dataclass(frozen=True, slots=True)
class DailyRoutes:
    """Shows the days of Last orders, and grades answers."""

    tables: Tables

    async def today(self, request: Request) -> Response:
        """``GET /daily``: today's position; its answer too once this browser has answered."""
        browser = Browser(request)
        try:
            number = self._today()
        except BadNotation as error:
            return responses.refused(browser, error, self.tables.games)
        return await self._show(browser, number)

    async def day(self, request: Request) -> Response:
        """``GET /daily/{date}``: an earlier day, with its answer."""
        browser = Browser(request)
        try:
            number = read_day(request.path_params["date"], self._today())
        except BadNotation as error:
            return responses.refused(browser, error, self.tables.games)
        return await self._show(browser, number)

    async def answer(self, request: Request) -> Response:
        """``POST /daily``: grade an answer to today's position. A second one changes nothing."""
        browser = Browser(request)
        try:
            number = self._today()
            form = browser.form()
            if form.get("day") != written_day(number):
                raise Refused("day-over")
            streak = self._streak(browser, number)
            if streak.of(number) is not None:
                return RedirectResponse("/daily", 303)
            told = await self._told(browser, number)
            if told is None:
                raise Refused("day-soon", wait_s=SOON_S)
        except (Refused, BadNotation) as error:
            return responses.refused(browser, error, self.tables.games)
        if isinstance(told, NoAnswer):
            return no_answer(browser, told, lambda found: self._unsolved(browser, found))
        choice = told.chosen(form.get("keep", ""))
        if choice is None:
            why = language(browser.language).say("Choose one of the answers first.")
            page = told_page(day_page(number, number, streak), told, streak, language(browser.language))
            return self._page(browser, replace(page, refusal=why), UNREAD)
        answered = streak.answered(number, told.choices[choice].grade, choice)
        response = RedirectResponse("/daily", 303)
        set_daily(response, self._signed(answered.write()), secure=browser.secure)
        return response

    async def _show(self, browser: Browser, number: int) -> Response:
        try:
            today = self._today()
            told = await self._told(browser, number)
        except (Refused, BadNotation) as error:
            return responses.refused(browser, error, self.tables.games)
        streak = self._streak(browser, today)
        page = day_page(number, today, streak)

        def shown(found: ToldDay) -> Response:
            whole = told_page(page, found, streak, language(browser.language))
            if browser.wants_page:
                return self._page(browser, whole)
            return responses.data(msgspec.json.encode(DayPosition(**day_data(found, answered=not whole.asks))))

        return worked_out(
            browser,
            told,
            shown=shown,
            waiting=lambda again_s: self._page(browser, replace(page, again_s=again_s)),
            refused=lambda found: self._unsolved(browser, found),
        )

    async def _told(self, browser: Browser, number: int) -> DayAnswer | None:
        """A day's position; None: not yet. Raises Refused."""
        if wait_s := self.tables.limiter.asking(browser.address, self.tables.house.now() / 1000):
            raise Refused("often", wait_s=wait_s)
        games = asked(self.tables.house.games)
        return await self.tables.house.answers.of_day(games, number, browser.language, asker=block_of(browser.address))

    def _today(self) -> int:
        """The number of today. Raises BadNotation where the house's clock stands before the first day."""
        number = number_at(int(self.tables.house.now()))
        if number < 1:
            raise BadNotation("day-early", day=FIRST_DAY)
        return number

    def _streak(self, browser: Browser, today: int) -> Streak:
        """What the browser's cookie says; a fresh streak if the house did not write it."""
        signed = read_cookies(browser.request.scope["headers"]).get(DAILY_COOKIE, "")
        text = signed.rpartition("~")[0]
        known = hmac.compare_digest(signed.encode(), self._signed(text).encode())
        return read_streak(text if known else "", today)

    def _signed(self, text: str) -> str:
        tag = hmac.new(self.tables.house.secret, f"daily|{text}".encode(), "sha256").hexdigest()
        return f"{text}~{tag[:TAG_DIGITS]}"

    def _unsolved(self, browser: Browser, answer: NoAnswer) -> Response:
        trouble = render.Trouble(UNREAD, answer.why, answer.code)
        return responses.html(browser, pages.trouble(responses.frame(browser, self.tables.games), trouble))

    def _page(self, browser: Browser, page: DailyPage, status: int = 200) -> Response:
        origin = self.tables.public_address.origin(browser)
        text = pages.daily(responses.frame(browser, self.tables.games), page, origin)
        return responses.html(browser, text, status)
