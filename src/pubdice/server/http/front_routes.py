"""Routes that belong to no table: the front page, setting up a table, finding one, the pages of rules and help."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.room.nickname import read_nickname
from pubdice.server.http.find_table import Finder
from pubdice.server.live.house import House
from pubdice.server.live.hub import Hub
from pubdice.server.live.nights import Nights
from pubdice.server.live.orders import OrderError, from_form, setup_ordered
from pubdice.server.pages import prices as price_page
from pubdice.server.requests import Opened, Order
from pubdice.server.show import page_data, pages
from pubdice.server.show.game_cards import card
from pubdice.server.web import responses
from pubdice.server.web.browser import (
    THEMES,
    Browser,
    KnownBrowser,
    PublicAddress,
    new_token,
    set_cookies,
    set_language,
    set_others,
    set_theme,
)
from pubdice.server.web.limits import Limiter
from pubdice.server.web.link_preview import preview
from pubdice.server.web.refusals import Fault, refusal
from pubdice.store import Listed
from pubdice.text.catalogues import CODES, language
from pubdice.text.language import Language

ROWS = 20
LOOKED_AT = 400
"""Open tables of which the lobby's rows are picked: more than a few addresses can open in an hour."""
_orders = msgspec.json.Decoder(Order)


@dataclass(frozen=True)
class FrontRoutes:
    """The house's own pages."""

    house: House
    limiter: Limiter
    source: Callable[[int], bytes]
    games: tuple[tuple[str, str], ...]
    public_address: PublicAddress

    async def page(self, request: Request) -> Response:
        """``GET /``: the front page, with this browser's tables."""
        browser = KnownBrowser(request, self.source)
        return set_cookies(await self._show(browser), browser)

    async def _show(self, browser: Browser, status: int = 200, **facts: object) -> Response:
        mine = () if browser.person is None else await self._rows(browser, mine=True)
        here = {row.code for row in mine}
        page = page_data.FrontPage(
            games=tuple(card(kit) for kit in self.house.games.values()),
            mine=mine,
            lobby=tuple(row for row in await self._rows(browser, mine=False) if row.code not in here),
            key=new_token(self.source),
            name=browser.name,
            others=browser.others[: len(page_data.OTHERS)] if browser.is_pocket else (),
            origin=self.public_address.origin(browser),
        )
        page = replace(page, **facts)  # type: ignore[arg-type]
        return responses.html(browser, pages.front(responses.frame(browser, self.games), page), status)

    async def _rows(self, browser: Browser, *, mine: bool) -> tuple[page_data.TableRow, ...]:
        store, tongue = self.house.store, language(browser.language)
        try:
            if mine and browser.person:
                listed = await self.house.read(store.tables_of, browser.person, ROWS)
            else:
                listed = await self._lobby()
        except NotStored:  # the page says so when a table is asked for
            return ()
        rows = []
        for entry in listed:
            hub = await self._read(entry) if not entry.game or (mine and entry.stage == "playing") else None
            if hub is not None:
                entry = replace(entry, game=hub.room.kit.name, names=hub.state.names)  # noqa: PLW2901
            if entry.game in self.house.games:
                rows.append(self._row(tongue, entry, browser, hub, mine=mine))
        return tuple(rows)

    async def _lobby(self) -> list[Listed]:
        """Open tables, the newest first, but only a few of one address while others have some, too."""
        store, in_play = self.house.store, self.house.in_play
        listed = await self.house.read(store.lobby, ROWS)
        if len(listed) == ROWS and in_play.is_crowded([entry.code for entry in listed]):
            listed = await self.house.read(store.lobby, LOOKED_AT)
        shown = set(in_play.in_turn([entry.code for entry in listed], ROWS))
        return [entry for entry in listed if entry.code in shown]

    async def _read(self, entry: Listed) -> Hub | None:
        """The table of a row that does not hold enough; None if its log cannot be read."""
        await asyncio.sleep(0)  # others' moves come before the next of these
        try:
            return await self.house.find(entry.code)
        except NotStored:
            return None

    def _row(
        self, tongue: Language, entry: Listed, browser: Browser, hub: Hub | None, *, mine: bool
    ) -> page_data.TableRow:
        """A table in a list. hub: of a table of this browser's that is being played."""
        title, names = tongue.say(self.house.games[entry.game].words.title), [name for name in entry.names if name]
        if hub is not None and (seat := hub.state.seat_of(browser.person)) is not None:
            names = [name for other, name in enumerate(entry.names) if name and other != seat]
        elif mine and browser.name in names:
            names.remove(browser.name)
        if names:
            title = tongue.say("{game} with {names}", game=title, names=tongue.join(names))
        turn = hub is not None and _moves(hub, browser.person)
        line, go = {
            "gathering": (tongue.say("Waiting for players"), tongue.say("Open") if mine else tongue.say("Join")),
            "playing": (tongue.say("Playing"), tongue.say("Watch")),
            "over": (tongue.say("Finished"), tongue.say("Result")),
        }[entry.stage]
        if turn:
            line, go = tongue.say("Your turn"), tongue.say("Play")
        elif hub is not None and hub.state.stage == "playing" and hub.state.mover is not None:
            line = tongue.say("{name}'s turn", name=entry.names[hub.state.mover])
        forget = new_token(self.source) if mine and entry.stage == "over" else ""
        return page_data.TableRow(entry.code, title, line, go, turn, forget, self.house.link(entry.code))

    async def open(self, request: Request) -> Response:
        """Set up a table, by form or by JSON."""
        browser = KnownBrowser(request, self.source)
        form: dict[str, str] = {}
        try:
            if wait_s := self.limiter.opening(browser.address, self.house.now() / 1000):
                return responses.refused(browser, Refused("often", wait_s=wait_s), self.games)
            if browser.is_json:
                order = browser.data(_orders)
            else:
                form = browser.form()
                order = from_form(form, self.house.games)
            code = await self.house.open(order, browser.person, browser.address)
        except (Refused, NotStored, BadNotation) as error:
            return await self._refused(browser, error, form)
        go = self.house.link(code)
        if browser.is_json:
            return set_cookies(responses.data(msgspec.json.encode(Opened(code, go)), 201), browser, order.name)
        response = set_cookies(RedirectResponse(go, 303), browser, order.name)
        if form.get("with") == "phone":
            set_others(response, order.others, secure=browser.secure)
        return response

    async def prices(self, request: Request) -> Response:
        """``POST /prices``: redirect from a form that opens a table to what the rules of its match change."""
        browser = KnownBrowser(request, self.source)
        form: dict[str, str] = {}
        try:
            form = browser.form()
            return RedirectResponse(self._priced(form), 303)
        except (Refused, BadNotation) as error:
            return await self._refused(browser, error, form)

    def _priced(self, form: dict[str, str]) -> str:
        """The page of prices of the match on a form. Raises OrderError, Refused."""
        games = self.house.games
        order = from_form(form, games)
        setup = setup_ordered(order, games, "", self.house.now())
        try:
            return price_page.link_for(games[order.game], setup.rules, form.get("players", "").strip() or "2")
        except BadNotation as error:  # its rules are checked, so it is the number of players
            raise OrderError("players", error) from None

    async def _refused(self, browser: Browser, error: Fault, form: dict[str, str]) -> Response:
        if not form or not browser.wants_page:
            return responses.refused(browser, error, self.games)
        status, why = refusal(language(browser.language), error)
        field = error.field if isinstance(error, OrderError) else field_named(form, error)
        return await self._show(browser, status, values=form, refusal=why.why, field=field)

    async def find(self, request: Request) -> Response:
        """``GET /find``: redirect to the night or the table of a code that was typed, or of a link."""
        browser = Browser(request)
        text = request.query_params.get("code", "")[:100]
        try:
            finder = Finder(self.house, self.limiter)
            with suppress(Refused):  # no night's link, or too many guesses: the same of a table is told below
                if (night := await finder.night(browser, text)) is not None:
                    return RedirectResponse(Nights(self.house).link(night.code), 303)
            hub = await finder.table(browser, text)
        except (Refused, NotStored) as error:
            if not browser.wants_page:
                return responses.refused(browser, error, self.games)
            status, why = refusal(language(browser.language), error)
            page = await self._show(browser, status, values={"code": text}, refusal=why.why, field="code")
            return responses.patient(page, error)
        return RedirectResponse(self.house.link(hub.code), 303)

    async def rules(self, request: Request) -> Response:
        """A game's page of rules."""
        browser = Browser(request)
        kit = self.house.games.get(request.path_params["game"])
        if kit is None:
            return responses.refused(browser, Refused("no-page"), self.games)
        text = kit.rules(browser.language)
        solved = kit.name if kit.solver is not None else ""
        return responses.html(browser, pages.rules(responses.frame(browser, self.games), kit.words.title, text, solved))

    async def help(self, request: Request) -> Response:
        """How to play here."""
        browser = Browser(request)
        return responses.html(browser, pages.help_page(responses.frame(browser, self.games)))

    async def privacy(self, request: Request) -> Response:
        """``GET /privacy``: what the house stores about people."""
        browser = Browser(request)
        return responses.html(browser, pages.privacy(responses.frame(browser, self.games)))

    async def moved(self, request: Request) -> Response:
        """Redirect from an earlier address of the page on privacy."""
        return RedirectResponse("/privacy", 308)

    async def preview(self, request: Request) -> Response:
        """The picture that chats show of a link."""
        picture = await asyncio.to_thread(preview)
        return Response(picture, headers={"cache-control": "public, max-age=86400"}, media_type="image/png")

    async def speak(self, request: Request) -> Response:
        """Set a browser's language, or light or dark, and send it back to the page it came from."""
        browser = Browser(request)
        try:
            form = browser.form()
        except Refused as error:
            return responses.refused(browser, error, self.games)
        back = form.get("back", "/")
        if not back.startswith("/") or back[1:2] in ("/", "\\") or not back.isprintable():
            back = "/"
        response = RedirectResponse(back, 303)
        if form.get("theme") in THEMES:
            set_theme(response, form["theme"], secure=browser.secure)
        if form.get("language") in CODES:
            set_language(response, form["language"], secure=browser.secure)
        return response

    async def forget_others(self, request: Request) -> Response:
        """``POST /names``: forget the names of those who share the phone."""
        response = RedirectResponse("/", 303)
        set_others(response, (), secure=Browser(request).secure)
        return response

    async def wrong_way(self, request: Request, error: Exception) -> Response:
        """The answer to a method that a page does not have."""
        response = responses.refused(Browser(request), Refused("no-way"), self.games)
        response.headers.update(getattr(error, "headers", None) or {})
        return response

    async def missing(self, request: Request, error: Exception) -> Response:
        """The answer for a page that does not exist."""
        return responses.refused(Browser(request), Refused("no-page"), self.games)

    async def fault(self, request: Request, error: Exception) -> Response:
        """The answer after an error inside, which the guard logs."""
        return responses.refused(Browser(request), Refused("fault"), self.games)


def field_named(form: Mapping[str, str], error: Fault) -> str:
    """Which of a form's names an error is about; "" for none of them.

    >>> field_named({"name": "Ann", "player2": "", "player3": "ann"}, Refused("name-taken", name="ann"))
    'player3'
    """
    if not isinstance(error, BadNotation) and error.code != "name-taken":
        return ""
    for field in (*reversed(page_data.OTHERS), "name"):
        try:
            if form.get(field, "").strip() and read_nickname(form[field], ()) == error.facts.get("name"):
                return field
        except BadNotation as found:
            if found.code == error.code:
                return field
    return "name"


def _moves(hub: Hub, person: str | None) -> bool:
    """Whether it is this person's turn."""
    seat = hub.state.seat_of(person)
    return seat is not None and hub.state.stage == "playing" and hub.state.mover == seat
