"""Best play of each game: figures with their numbers and commands, worked out when somebody asks for the first time."""

from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pubdice.advice.figures import BestPlayFigure, figure_names
from pubdice.core.errors import Refused
from pubdice.server.http.tables import Tables
from pubdice.server.http.worked_out import PARTS_SOON_S, soon
from pubdice.server.live.solver_process import NoAnswer
from pubdice.server.requests import Figures
from pubdice.server.show import best_play_page, pages
from pubdice.server.web import responses
from pubdice.server.web.browser import Browser
from pubdice.server.web.limits import block_of


@dataclass(frozen=True, slots=True)
class BestPlayRoutes:
    """Shows what best play of a game is worth."""

    tables: Tables

    async def game(self, request: Request) -> Response:
        """``GET /best-play/{game}``: its figures; those that are ready, while others are worked out."""
        browser, house = Browser(request), self.tables.house
        kit = house.games.get(request.path_params["game"])
        names = figure_names(kit) if kit is not None else ()
        if kit is None or not names:
            return responses.refused(browser, Refused("no-page"), self.tables.games)
        found: list[BestPlayFigure] = []
        refusal, waits = "", False
        try:
            if wait_s := self.tables.limiter.asking(browser.address, house.now() / 1000):
                raise Refused("often", wait_s=wait_s)
            for name in names:  # one after the other, so that a page has one place in the queue of questions
                answer = await house.answers.figure(kit.name, name, browser.language, asker=block_of(browser.address))
                if answer is None:
                    waits = True
                    break
                if isinstance(answer, NoAnswer):
                    refusal = answer.why
                else:
                    found.append(answer)
        except Refused as error:
            return responses.refused(browser, error, self.tables.games)
        again_s = PARTS_SOON_S if waits else 0
        if browser.wants_page:
            shown = tuple(map(best_play_page.shown, found))
            page = best_play_page.BestPlayPage(kit.name, kit.words.title, shown, len(names), again_s, refusal)
            titles = [(name, each.words.title) for name, each in house.games.items() if figure_names(each)]
            text = pages.best_play(responses.frame(browser, self.tables.games), page, titles)
            response = responses.html(browser, text)
        else:
            data = Figures(kit.name, best_play_page.as_data(found), len(names))
            response = responses.data(msgspec.json.encode(data))
        return soon(response, again_s)
