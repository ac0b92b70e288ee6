"""An evening as a page, as data, and its records in one file: found from any table of its chain."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pubdice.advice.receipt import Highlights
from pubdice.core.errors import NotStored, Refused
from pubdice.server.http.tables import Tables
from pubdice.server.http.worked_out import PARTS_SOON_S, soon
from pubdice.server.live.evenings import EveningMatch, Evenings, WholeEvening
from pubdice.server.live.hub import Hub
from pubdice.server.live.solver_process import NoAnswer
from pubdice.server.requests import EveningAnswer
from pubdice.server.show import company, evening_page, line_up_told, pages
from pubdice.server.show.evening_page import EveningPage, HighlightShown, MatchRow
from pubdice.server.show.who_buys import units_of, who_buys
from pubdice.server.web import responses
from pubdice.server.web.browser import Browser
from pubdice.server.web.limits import block_of
from pubdice.text.catalogues import language
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class EveningRoutes:
    """Evenings, for everybody who may see one of their tables."""

    tables: Tables
    evenings: Evenings

    async def page(self, request: Request) -> Response:
        """``GET /t/{code}/evening``: the tally, who buys, every match, the dearest keep and the luckiest roll."""
        browser = Browser(request)
        try:
            hub, whole = await self._whole(browser)
            highlights = await self._highlights(browser, whole)
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        waits = any(found is None for _, found in highlights)
        page = self._page(browser, hub, whole, highlights, PARTS_SOON_S if waits else 0)
        if browser.wants_page:
            text = pages.evening(
                responses.frame(browser, self.tables.games), page, self.tables.public_address.origin(browser)
            )
            response = responses.html(browser, text)
        else:
            response = responses.data(msgspec.json.encode(_data(whole, page)))
        return soon(response, page.again_s)

    async def records(self, request: Request) -> Response:
        """``GET /t/{code}/evening/records``: the records of all its matches that are over, one after the other."""
        browser = Browser(request)
        try:
            hub, whole = await self._whole(browser)
            for _ in [match for match in whole.matches if match.stage == "over"][1:]:  # one is counted already
                self.tables.limiter.record(browser.address, self.tables.house.now() / 1000)
            text = await self.evenings.records(whole)
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        name = f'attachment; filename="evening-{hub.code}.records"'
        return Response(text, media_type="text/plain", headers={"content-disposition": name})

    async def _whole(self, browser: Browser) -> tuple[Hub, WholeEvening]:
        """The table asked for and its evening, which counts as a record, as it may read logs. Raises as the finder."""
        if wait_s := self.tables.limiter.record(browser.address, self.tables.house.now() / 1000):
            raise Refused("often", wait_s=wait_s)
        hub = await self.tables.finder.table(browser, browser.request.path_params["code"])
        return hub, await self.evenings.of(hub)

    async def _highlights(
        self, browser: Browser, whole: WholeEvening
    ) -> list[tuple[EveningMatch, Highlights | NoAnswer | None]]:
        """The highlights of each match that is over; None where they are not found yet.

        A page asks for those of one match after the other, until one takes longer: so an evening has one place in the
        queue of questions. What is not cached counts as a question. Raises NotStored.
        """
        found: list[tuple[EveningMatch, Highlights | NoAnswer | None]] = []
        asks = True
        for match in [match for match in whole.matches if match.stage == "over"]:
            known = self.evenings.known(match, browser.language)
            if known is None and asks:
                try:
                    if not self.tables.limiter.asking(browser.address, self.tables.house.now() / 1000):
                        known = await self.evenings.find_highlights(
                            match, browser.language, asker=block_of(browser.address)
                        )
                except Refused:  # too many questions wait: the page asks again
                    known = None
                asks = known is not None
            found.append((match, known))
        return found

    def _page(
        self,
        browser: Browser,
        hub: Hub,
        whole: WholeEvening,
        highlights: list[tuple[EveningMatch, Highlights | NoAnswer | None]],
        again_s: int,
    ) -> EveningPage:
        tongue, games = language(browser.language), self.tables.house.games
        units, link = units_of(games.values()), self.tables.house.link
        rows = {match.code: _row(tongue, match, self, link(match.code)) for match in whole.matches}
        found = [(rows[match.code], each) for match, each in highlights if isinstance(each, Highlights)]
        keys = evening_page.columns(whole.rows, units)
        lead = company.lead(tongue, whole.rows) if whole.games else ""
        return EveningPage(
            table=link(hub.code),
            address=f"{self.tables.place(browser, hub.code)}/evening",
            lead=lead,
            columns=tuple(tongue.say(units[key].label) for key in keys),
            rows=evening_page.tally_rows(whole.rows, keys),
            buys=tuple(who_buys(tongue, whole.rows, units)) if whole.games else (),
            matches=tuple(rows.values()),
            older=whole.older,
            dearest=evening_page.best_of(found, lambda each: each.lost, lambda each: each.dearest),
            luckiest=evening_page.best_of(found, lambda each: each.gain, lambda each: each.luckiest),
            weighed=sum(each is not None for _, each in highlights),
            of=len(highlights),
            untold=tuple(
                tongue.say("Match {number}: {why}", number=match.number, why=each.why)
                for match, each in highlights
                if isinstance(each, NoAnswer)
            ),
            planned=line_up_told.planned(tongue, whole.last.room, whole.last.state),
            share=evening_page.share_line(tongue, whole.games, whole.rows, lead) if whole.games else "",
            again_s=again_s,
        )


def _row(tongue: Language, match: EveningMatch, routes: EveningRoutes, link: str) -> MatchRow:
    kit, say = routes.tables.house.games[match.game], tongue.say
    won = {
        "gathering": say("about to begin"),
        "playing": say("under way"),
        "over": tongue.join(match.winners) if match.winners else say("nobody"),
    }[match.stage]
    rules = evening_page.match_rules(tongue, kit, match.format)
    return MatchRow(match.number, say(kit.words.title), rules, won, link, match.stage == "over")


def _data(whole: WholeEvening, page: EveningPage) -> EveningAnswer:
    rows = [{"name": row.name, "wins": row.wins, **dict(row.takings)} for row in whole.rows]
    matches = [
        {
            "number": match.number,
            "game": match.game,
            "format": match.format,
            "stage": match.stage,
            "names": list(match.names),
            "winners": list(match.winners),
            "go": shown.link,
        }
        for match, shown in zip(whole.matches, page.matches, strict=True)
    ]
    dearest, luckiest = _told(page.dearest), _told(page.luckiest)
    buys = list(page.buys)
    return EveningAnswer(whole.games, rows, buys, matches, whole.older, dearest, luckiest, page.weighed, page.of)


def _told(kind: Sequence[HighlightShown]) -> list[dict[str, Any]]:
    return [
        {"match": each.match.number, "dice": list(each.turning.dice), "told": list(each.turning.lines)} for each in kind
    ]
