"""Ask the house: what every keep of a position is worth, as a page and as data; the position is in the address."""

from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.advice.questions.house_questions import question
from pubdice.advice.questions.ranking import Ranking
from pubdice.core.errors import NotStored, Refused
from pubdice.core.whole_number import whole_number
from pubdice.kit import Flag, Kit
from pubdice.server.http import responses
from pubdice.server.http.tables import Tables
from pubdice.server.http.worked_out import worked_out
from pubdice.server.live.solver_process import Answer, NoAnswer
from pubdice.server.show import ask_page, pages
from pubdice.server.web.browser import Browser
from pubdice.server.web.limits import block_of
from pubdice.text.catalogues import language

NEEDED = ("roll", "hands")
"""Fields without which there is no position."""
WIN = ("to-beat", "holders", "to-come")
"""Fields that make winning the round the goal, in place of the best mean score."""


@dataclass(frozen=True, slots=True)
class AskRoutes:
    """Answers questions about positions, as pages and as data."""

    tables: Tables

    async def first(self, request: Request) -> Response:
        """``GET /ask``: the first game's page; with ``record``, a position of any game."""
        browser = Browser(request)
        text = request.query_params.get("record", "")
        if text:
            return await self._answer(
                browser,
                lambda code, asker: self.tables.house.answers.at_decision(text, None, code, asker=asker),
                ask_page.AskPage("", values={"record": text}),
            )
        return RedirectResponse(f"/ask/{next(iter(self._games()))}", 303)

    async def game(self, request: Request) -> Response:
        """``GET /ask/{game}``: the position that the fields describe; an empty form without any."""
        browser = Browser(request)
        kit = self._games().get(request.path_params["game"])
        if kit is None:
            return responses.refused(browser, Refused("no-page"), self.tables.games)
        fields = flags_of(kit)
        given = {name: text.strip() for name, text in request.query_params.items() if text.strip()}
        if not given and browser.wants_page:
            return self._page(browser, ask_page.AskPage(kit.name, fields, {}))
        unknown = [name for name in given if name not in {flag.name for flag in fields} and name != "goal"]
        if unknown:
            return responses.refused(browser, Refused("fields", field=unknown[0]), self.tables.games)
        asked = _asked(given)
        page = ask_page.AskPage(kit.name, fields, given)
        missing = [flag.label for flag in fields if flag.name in NEEDED and flag.name not in given]
        if missing:
            why = language(browser.language).say('Fill in "{field}".', field=language(browser.language).say(missing[0]))
            return self._told(browser, page, NoAnswer("flag-missing", why))
        return await self._answer(
            browser,
            lambda code, asker: self.tables.house.answers.by_flags(kit.name, asked, code, asker=asker),
            page,
        )

    async def decision(self, request: Request) -> Response:
        """``GET /t/{code}/ask/{number}``: a decision of a table's finished match."""
        browser = Browser(request)
        try:
            hub = await self.tables.finder.table(browser, request.path_params["code"])
            if hub.state.stage != "over":
                raise Refused("not-over")
            if wait_s := self.tables.limiter.record(browser.address, self.tables.house.now() / 1000):
                raise Refused("often", wait_s=wait_s)
            text = await self.tables.house.record(hub)
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        number = whole_number(request.path_params["number"])
        if number is None:
            return responses.refused(browser, Refused("no-page"), self.tables.games)
        return await self.at(browser, text, number, hub.room.kit.name, self.tables.house.link(hub.code))

    async def at(self, browser: Browser, text: str, number: int, game: str, link: str) -> Response:
        """A decision of the record of a finished match. link: of the match."""
        return await self._answer(
            browser,
            lambda code, asker: self.tables.house.answers.at_decision(text, number, code, asker=asker),
            ask_page.AskPage(game, table=link),
            open_to_movers=True,
        )

    def _games(self) -> dict[str, Kit]:
        """The games that have an answer."""
        return {name: kit for name, kit in self.tables.house.games.items() if question(kit, "advise") is not None}

    async def _answer(
        self,
        browser: Browser,
        ask: "ask_page.Ask[Answer | None]",
        page: ask_page.AskPage,
        *,
        open_to_movers: bool = False,
    ) -> Response:
        """The answer. open_to_movers: also for people whose turn it is at a table without lessons."""
        try:
            if not open_to_movers and self.tables.house.has_to_move(browser.person):
                raise Refused("own-turn")
            if wait_s := self.tables.limiter.asking(browser.address, self.tables.house.now() / 1000):
                raise Refused("often", wait_s=wait_s)
            answer = await ask(browser.language, block_of(browser.address))
        except Refused as error:
            return responses.refused(browser, error, self.tables.games)
        return self._told(browser, page, answer)

    def _told(self, browser: Browser, page: ask_page.AskPage, answer: Answer | None) -> Response:
        def shown(ranking: Ranking) -> Response:
            if not browser.wants_page:
                return responses.data(msgspec.json.encode(dict(ranking.data)))
            return self._page(browser, ask_page.answered(page, ranking))

        return worked_out(
            browser,
            answer,
            shown=shown,
            waiting=lambda again_s: self._page(browser, ask_page.waiting(page, again_s)),
            refused=lambda found: self._page(browser, ask_page.refused(page, found.why)),
        )

    def _page(self, browser: Browser, page: ask_page.AskPage) -> Response:
        origin = self.tables.public_address.origin(browser)
        titles = [(name, kit.words.title) for name, kit in self._games().items()]
        text = pages.ask(responses.frame(browser, self.tables.games), page, titles, origin)
        return responses.html(browser, text)


def flags_of(kit: Kit) -> tuple[Flag, ...]:
    """The fields of a game's form: its flags that have a label."""
    asked = question(kit, "advise")
    return tuple(flag for flag in asked.flags if flag.label) if asked else ()


def _asked(given: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """The flags that fields mean: a form sends all its choices, but a tie's rule means nothing where the goal is not
    to win.
    """
    to_win = "format" not in given and any(name in given for name in WIN)
    goal = given.get("goal") or ("win" if to_win else "")
    asked = {name: text for name, text in given.items() if name != "goal"}
    if goal:
        asked["goal"] = goal
    if goal != "win":
        asked.pop("ties", None)
    return tuple(sorted(asked.items()))
