"""Duplicate nights: begin one, set up one's table of it, and see who gave least away."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.advice.losses import MatchLosses, ranked, ranking_data
from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.kit import Kit
from pubdice.room import Room, Setup
from pubdice.room.setup import with_seats, within
from pubdice.server.http.table_pages import rules_line
from pubdice.server.http.tables import Tables
from pubdice.server.http.worked_out import SOON_S, no_answer, soon
from pubdice.server.live.nights import DuplicateNight
from pubdice.server.live.orders import OrderError, from_form, setup_ordered
from pubdice.server.live.solver_process import NoAnswer
from pubdice.server.live.table_codes import secret_in, shown
from pubdice.server.requests import MOST_ASKED_SEATS, NightAnswer
from pubdice.server.show import night_pages
from pubdice.server.show.game_cards import card
from pubdice.server.show.night_page import NightForm, NightPage
from pubdice.server.web import responses
from pubdice.server.web.browser import Browser, KnownBrowser, new_token, set_cookies
from pubdice.server.web.limits import block_of
from pubdice.server.web.refusals import Fault, refusal
from pubdice.text.catalogues import language

TRIES = 3
"""How often a form that begins a night waits for the count of its match, two seconds each; then it is sent again."""


@dataclass(frozen=True, slots=True)
class NightRoutes:
    """Begins duplicate nights and shows them."""

    tables: Tables

    async def form(self, request: Request) -> Response:
        """``GET /night``: the form that begins a night."""
        return self._form(Browser(request), {})

    async def begin(self, request: Request) -> Response:
        """``POST /night``: begin a night, if its match can be solved."""
        browser, house = Browser(request), self.tables.house
        form: dict[str, str] = {}
        try:
            if wait_s := self._wait(browser):
                raise Refused("often", wait_s=wait_s)
            form = browser.form()
            setup = self._setup(form)
            rules, solved = tuple(with_seats(setup.rules, setup.seats).items()), None
            for _ in range(TRIES):
                solved = solved or await house.answers.solvable(
                    rules, browser.language, asker=block_of(browser.address)
                )
            if solved is None:
                raise Refused("night-counting", wait_s=SOON_S)
            if isinstance(solved, NoAnswer):
                return no_answer(browser, solved, lambda found: self._form(browser, form, why=found.why))
            code = await self.tables.nights.begin(setup)
        except (Refused, NotStored, BadNotation) as error:
            return self._refused(browser, form, error)
        return RedirectResponse(self.tables.nights.link(code), 303)

    async def night(self, request: Request) -> Response:
        """``GET /night/{code}``: the night, and who gave least away; a bare code leads to the link."""
        browser = KnownBrowser(request, self.tables.source)
        try:
            night = await self._find(browser)
            link = self.tables.nights.link(night.code)
            if not link.endswith(f"/{request.path_params['code']}"):
                return set_cookies(RedirectResponse(link, 307), browser)
            return set_cookies(await self._show(browser, night), browser)
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)

    async def open(self, request: Request) -> Response:
        """``POST /night/{code}``: set up a table of the night, for the person who asks."""
        browser = KnownBrowser(request, self.tables.source)
        limiter, now_s = self.tables.limiter, self.tables.house.now() / 1000
        night: DuplicateNight | None = None
        try:
            if wait_s := limiter.opening(browser.address, now_s):
                raise Refused("often", wait_s=wait_s)
            night = await self._find(browser)
            form = browser.form()
            name = form.get("name", "")
            code = await self.tables.nights.open_table(
                night, name, browser.person, form.get("key", ""), browser.address
            )
        except (Refused, NotStored, BadNotation) as error:
            if night is None or not isinstance(error, BadNotation) or not browser.wants_page:
                return responses.refused(browser, error, self.tables.games)
            status, why = refusal(language(browser.language), error)
            return set_cookies(await self._show(browser, night, status, why.why), browser)
        return set_cookies(RedirectResponse(self.tables.house.link(code), 303), browser, name)

    def _wait(self, browser: Browser) -> float:
        limiter, now_s = self.tables.limiter, self.tables.house.now() / 1000
        return limiter.opening(browser.address, now_s) or limiter.asking(browser.address, now_s)

    def _games(self) -> dict[str, Kit]:
        """The games whose losses can be worked out."""
        return {name: kit for name, kit in self.tables.house.games.items() if kit.solver is not None}

    def _setup(self, form: Mapping[str, str]) -> Setup:
        """The setup of a night's tables. Raises OrderError, Refused."""
        games = self._games()
        name = form.get("game", next(iter(games), ""))
        fields = {key: value for key, value in form.items() if key in ("game", "clock", "grace") or "." in key}
        order = from_form({**fields, f"{name}.people": form.get("players", "") or "2"}, games)
        try:
            within("players", order.people or 0, 1, MOST_ASKED_SEATS)
        except BadNotation as error:
            raise OrderError("players", error) from None
        return setup_ordered(order, games, "", self.tables.house.now())

    async def _find(self, browser: Browser) -> DuplicateNight:
        """The night of the address. Raises Refused; counts codes that lead nowhere, as for tables."""
        text = browser.request.path_params["code"]
        night = await self.tables.finder.night(browser, text)
        if night is None:
            if not secret_in(text):
                self.tables.finder.missed(browser)
            raise Refused("no-night")
        return night

    async def _show(
        self, browser: KnownBrowser, night: DuplicateNight, status: int = 200, refusal: str = ""
    ) -> Response:
        nights, house, tongue = self.tables.nights, self.tables.house, language(browser.language)
        own = await nights.own_table(night.mark, browser.person)
        page = self._page(browser, night)
        found: list[MatchLosses] = []
        if own is not None:
            tables = await nights.tables(night)
            over = sum(entry.stage == "over" for entry in tables)
            page = replace(page, own=house.link(own.code), held=True, going=len(tables) - over, over=over)
        else:
            if wait_s := self.tables.limiter.asking(browser.address, house.now() / 1000):
                raise Refused("often", wait_s=wait_s)
            standing = await nights.standing(night, asker=block_of(browser.address))
            known = [(entry, losses) for entry, losses in standing.finished if isinstance(losses, MatchLosses)]
            found = [losses for _, losses in known]
            waits = any(losses is None for _, losses in standing.finished)
            page = replace(
                page,
                played=await nights.has_played(night, browser.person),
                going=standing.going,
                over=len(standing.finished),
                ranking=ranked(found, tongue),
                tables=tuple(house.link(entry.code) for entry, _ in known),
                failed=sum(isinstance(losses, NoAnswer) for _, losses in standing.finished),
                again_s=SOON_S if waits else 0,
            )
        page = replace(page, refusal=refusal)
        if browser.wants_page:
            origin = self.tables.public_address.origin(browser)
            text = night_pages.night(responses.frame(browser, self.tables.games), page, origin)
            response = responses.html(browser, text, status)
        else:
            data = NightAnswer(
                night.code,
                page.game,
                dict(night.setup.rules),
                page.players,
                page.going,
                page.over,
                page.held,
                ranking_data(page.ranking, found) if page.ranking else [],
            )
            response = responses.data(msgspec.json.encode(data), status)
        return soon(response, page.again_s)

    def _page(self, browser: KnownBrowser, night: DuplicateNight) -> NightPage:
        kit = self.tables.house.games[night.setup.rules["game"]]
        room = Room(kit, replace(night.setup, night=""))
        tongue = language(browser.language)
        here = self.tables.nights.link(night.code)
        return NightPage(
            code=shown(night.code),
            address=f"{self.tables.public_address.origin(browser)}{here}",
            here=here,
            game=kit.name,
            title=tongue.say(kit.words.title),
            rules=rules_line(tongue, room, room.start()),
            players=night.setup.seats,
            key=new_token(self.tables.source),
            name=browser.name,
        )

    def _refused(self, browser: Browser, form: dict[str, str], error: Fault) -> Response:
        if not form or not browser.wants_page:
            return responses.refused(browser, error, self.tables.games)
        status, why = refusal(language(browser.language), error)
        field = error.field if isinstance(error, OrderError) else ""
        field = "players" if field.endswith(".people") else field
        return responses.patient(self._form(browser, form, status, why.why, field), error)

    def _form(
        self, browser: Browser, values: dict[str, str], status: int = 200, why: str = "", field: str = ""
    ) -> Response:
        page = NightForm(tuple(card(kit) for kit in self._games().values()), values, why, field)
        origin = self.tables.public_address.origin(browser)
        text = night_pages.night_form(responses.frame(browser, self.tables.games), page, origin)
        return responses.html(browser, text, status)
