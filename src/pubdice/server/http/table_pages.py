"""A table's pages: to play and watch, and for a big screen."""

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import RedirectResponse, Response

from pubdice.core.duplicate import read_night
from pubdice.core.errors import NotStored, Refused
from pubdice.core.whole_number import whole_number
from pubdice.kit import PERFECT
from pubdice.match.narrate import Narrator
from pubdice.match.notation import RawHeader
from pubdice.room import Room, RoomState
from pubdice.room.bounds import is_full
from pubdice.room.line_up import following
from pubdice.room.setup import MOST_PERFECT, least_seats, placeholders
from pubdice.server.http.seat_limits import Newcomers
from pubdice.server.http.tables import Tables
from pubdice.server.live.hub import Hub
from pubdice.server.live.orders import to_form
from pubdice.server.live.table_codes import shown
from pubdice.server.pages import prices as price_page
from pubdice.server.show import page_data, pages
from pubdice.server.show.game_cards import card
from pubdice.server.show.line_up_told import plan_form
from pubdice.server.web import responses
from pubdice.server.web.browser import Browser, KnownBrowser, new_token, set_cookies
from pubdice.text.catalogues import language
from pubdice.text.language import Language, sentence

STORY = 30
"""Lines of the story on a fresh page."""


@dataclass(frozen=True, slots=True)
class TablePages:
    """The pages of tables."""

    tables: Tables
    newcomers: Newcomers

    async def page(self, request: HttpRequest) -> Response:
        """``GET /t/CODE``: the lobby, the table or its end, as this browser may see it."""
        browser = KnownBrowser(request, self.tables.source)
        try:
            hub = await self.tables.finder.table(browser, request.path_params["code"])
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        if not self.tables.house.link(hub.code).endswith(f"/{request.path_params['code']}"):
            return set_cookies(RedirectResponse(self.tables.house.link(hub.code), 307), browser)
        hub.seen(browser.person, restores=False)
        if hub.state.setup.listed:
            self.newcomers.note(hub, browser.person, browser.address)
        await hub.spectators.chances.catch_up(browser.language)
        return set_cookies(self.show(browser, hub), browser)

    async def big(self, request: HttpRequest) -> Response:
        """The table for a big screen."""
        browser = KnownBrowser(request, self.tables.source)
        try:
            hub = await self.tables.finder.table(browser, request.path_params["code"])
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        page = pages.big(responses.frame(browser, self.tables.games), self._page(browser, hub))
        return set_cookies(responses.html(browser, page), browser)

    def show(self, browser: Browser, hub: Hub, status: int = 200, **told: Any) -> Response:
        """The page, with what was refused or answered: ``refusal`` of ``refused`` at ``field``, ``said``,
        ``typed``.
        """
        page = self._page(browser, hub, **told)
        return responses.html(browser, pages.table(responses.frame(browser, self.tables.games), page), status)

    def _page(self, browser: Browser, hub: Hub, **told: Any) -> page_data.TablePage:
        state, kit, tongue = hub.state, hub.room.kit, language(browser.language)
        seat, moment = state.seat_of(browser.person), hub.spectators.context()
        lost = state.lost(moment.gone, moment.now)
        changes = state.stage == "gathering" and not state.setup.night and state.may_run(browser.person, lost)
        return page_data.TablePage(
            code=shown(hub.code),
            here=self.tables.house.link(hub.code),
            keeps_dice=kit.keeps_dice,
            lessons=state.setup.lessons,
            chances=hub.spectators.chances.panel(browser.language),
            prices=price_page.link_of(kit, state.setup.rules, len(state.chairs)) if state.stage == "gathering" else "",
            address=self.tables.place(browser, hub.code),
            game=kit.name,
            title=tongue.say(kit.words.title),
            rules=rules_line(tongue, hub.room, state),
            view=hub.spectators.view(browser.language),
            key=new_token(self.tables.source),
            seat=seat,
            seats=state.seats_of(browser.person),
            held=whole_number(browser.request.query_params.get("me", "")),
            queued=browser.person in dict(state.queue),
            host=state.may_run(browser.person, lost),
            removable=None if state.is_host(browser.person) else lost,
            words="" if seat is None else self.tables.house.words(hub, seat, browser.language),
            story=tuple(hub.spectators.story(browser.language, STORY, state.only_seat_of(browser.person))),
            name=browser.name,
            pace_ms=state.pace_ms,
            bots=tuple(bot for bot in kit.bots if bot != PERFECT or len(state.chairs) <= MOST_PERFECT),
            banned=browser.person in state.banned,
            shut=state.shut if seat is not None else state.is_shut_to(browser.person),
            full=state.match is not None and is_full(state),
            real=state.setup.dice == "real",
            unreachable=self.tables.public_address.trouble(browser, tongue),
            origin=self.tables.public_address.origin(browser),
            card=card(kit) if changes else None,
            values=to_form(state.setup, kit),
            plan=_plan(tongue, hub.room, state, runs=state.may_run(browser.person, lost)),
            more=state.stage == "over" and following(kit, hub.room.games, state).planned,
            change="change" in browser.request.query_params,
            night=self.tables.nights.link(read_night(state.setup.night).code) if state.setup.night else "",
            **told,
        )


def _plan(tongue: Language, room: Room, state: RoomState, *, runs: bool) -> page_data.PlanForm | None:
    """What somebody may plan here; ``runs``: they may run the table."""
    return plan_form(tongue, room, state) if runs and state.stage != "playing" and not state.rematch else None


def rules_line(tongue: Language, room: Room, state: RoomState) -> str:
    """The house rules in force, in a line."""
    kit, setup, say = room.kit, state.setup, tongue.say
    names = placeholders(max(len(state.chairs), least_seats(kit)))
    match = kit.match(kit.normalize(RawHeader({**setup.rules, "seats": ", ".join(names)})))
    rules = [Narrator(tongue, kit.words, match, names).rules()]
    if setup.dice == "real":
        rules.append(say("your own dice"))
    if setup.dice == "sealed":
        rules.append(say("sealed dice"))
    if setup.night:
        rules.append(say("the dice of the duplicate night {code}", code=shown(read_night(setup.night).code)))
    if setup.clock_s:
        rules.append(tongue.count("{number} second a turn", "{number} seconds a turn", setup.clock_s))
    if setup.lessons:
        rules.append(say("lessons"))
    if setup.chances:
        rules.append(say("chances shown"))
    return sentence("; ".join(rules)) + "."
