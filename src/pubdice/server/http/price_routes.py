"""House rules with their price: what each does for the player who goes first, for the match in the address."""

from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pubdice.advice.questions.flags import MATCH_FLAGS
from pubdice.advice.rule_prices import FAIR, PricedPart, match_rules, parts
from pubdice.core.errors import BadNotation, Refused
from pubdice.server.http.tables import Tables
from pubdice.server.http.worked_out import PARTS_SOON_S, soon
from pubdice.server.requests import RulePrices
from pubdice.server.show import pages, price_page
from pubdice.server.web import responses
from pubdice.server.web.browser import Browser
from pubdice.server.web.limits import block_of
from pubdice.text.catalogues import language
from pubdice.text.language import sentence


@dataclass(frozen=True, slots=True)
class PriceRoutes:
    """Shows what the rules of a match change."""

    tables: Tables

    async def game(self, request: Request) -> Response:
        """``GET /prices/{game}``: the parts that are ready, while others are worked out."""
        browser, house = Browser(request), self.tables.house
        kit = house.games.get(request.path_params["game"])
        if kit is None or kit.solver is None:
            return responses.refused(browser, Refused("no-page"), self.tables.games)
        given = {name: text.strip() for name, text in request.query_params.items() if text.strip()}
        known = {*MATCH_FLAGS, *(option.key for option in kit.options)}
        found: list[PricedPart] = []
        try:
            if unknown := [name for name in given if name not in known]:
                raise Refused("fields", field=unknown[0])
            rules = match_rules(kit, given)
            if wait_s := self.tables.limiter.asking(browser.address, house.now() / 1000):
                raise Refused("often", wait_s=wait_s)
            names, asker = parts(kit, rules), block_of(browser.address)
            # one after the other, so that a page has one place in the queue; the order, of most matches, comes last
            for name in sorted(names, key=FAIR.__eq__):
                part = await house.answers.prices(kit.name, tuple(rules.items()), name, browser.language, asker=asker)
                if part is None:
                    break
                found.append(part)
        except (Refused, BadNotation) as error:
            return responses.refused(browser, error, self.tables.games, kit=kit)
        found.sort(key=lambda part: names.index(part.name))
        waits = len(found) < len(names)
        again_s = PARTS_SOON_S if waits else 0
        if browser.wants_page:
            tongue = language(browser.language)
            page = price_page.PricePage(
                kit.name,
                kit.words.title,
                price_page.link(kit.name, rules),
                f"/prices/{kit.name}",
                int(rules["seats"]),
                sentence(kit.format(rules["format"]).words.rules(tongue)),
                tuple(price_page.shown(kit.name, part) for part in found),
                len(names),
                again_s,
            )
            titles = [(name, each.words.title) for name, each in house.games.items() if each.solver is not None]
            text = pages.prices(responses.frame(browser, self.tables.games), page, titles)
            response = responses.html(browser, text)
        else:
            told = price_page.told(found, language(browser.language), waits=waits)
            data = RulePrices(kit.name, rules, price_page.as_data(kit, found), len(names), told)
            response = responses.data(msgspec.json.encode(data))
        return soon(response, again_s)
