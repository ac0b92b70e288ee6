"""Commands at a table, as JSON or from a form: those that ``command_route`` leaves to a task."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import RedirectResponse, Response

from pubdice.core.duplicate import read_night
from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.kit import Kit
from pubdice.server.http.seat_limits import Newcomers
from pubdice.server.http.table_pages import TablePages
from pubdice.server.http.tables import Tables
from pubdice.server.live import table_service, typed_line
from pubdice.server.live.hub import Hub
from pubdice.server.live.idempotency import Key, key_of
from pubdice.server.live.orders import OrderError, changes_from_form
from pubdice.server.live.table_codes import read_code
from pubdice.server.requests import Done, Request, wrong
from pubdice.server.web import responses
from pubdice.server.web.browser import Browser, KnownBrowser, set_cookies, set_others
from pubdice.server.web.refusals import Fault, refusal
from pubdice.text.catalogues import ENGLISH, language

COMING = ("sit", "share", "queue")
"""Commands that bring somebody new to a table."""
ANSWERED = ("type", "hint")
"""Commands that are answered in words."""
_requests = msgspec.json.Decoder(Request)


@dataclass(frozen=True, slots=True)
class TableCommands:
    """The commands of tables; a form is answered with a page."""

    tables: Tables
    pages: TablePages
    newcomers: Newcomers

    async def ask(self, request: HttpRequest) -> Response:
        """A command, as JSON or from a form."""
        browser = KnownBrowser(request, self.tables.source)
        hub: Hub | None = None
        deed = text = ""
        code = read_code(request.path_params["code"])
        arrived = table_service.known_now(self.tables.house.hubs.get(code) if code else None)
        try:
            wait_s = self.tables.limiter.command(browser.person, self.tables.house.now() / 1000)
            if wait_s:
                return responses.refused(browser, Refused("often", wait_s=wait_s), self.tables.games)
            hub = await self.tables.finder.table(browser, request.path_params["code"])
            form = {} if browser.is_json else browser.form()
            deed = "rules" if form.get("do") == "rules" else ""  # whose fields may be wrong before it is a request
            asked = browser.data(_requests) if browser.is_json else from_form(form, hub.room.kit)
            deed = asked.do
            key = key_of(browser.person, asked)  # of a line as it was typed, whatever the table makes of it
            if deed == "type":
                text = typed_line.line_of(asked)
                if (said := self._reply(browser, hub, text)) is not None:
                    return self._answered(browser, hub, said)
                asked = typed_line.meant(asked, hub.state)
            done = await self._ask(browser, hub, asked, key, arrived)
        except (Refused, NotStored, IllegalAction, BadNotation) as error:
            return self._refused(browser, hub, error, deed, text)
        name = asked.name if isinstance(asked.name, str) and deed in ("sit", "queue", "rename") else ""
        if browser.is_json:
            return self._remember(set_cookies(responses.data(done), browser, name), browser, hub, deed)
        if asked.do in ANSWERED:
            said = msgspec.json.decode(done, type=Done).said or ""
            return self._answered(browser, hub, said, hinted=asked.do == "hint")
        go = msgspec.json.decode(done, type=Done).go or self.tables.house.link(hub.code)
        return self._remember(set_cookies(RedirectResponse(f"{go}#play", 303), browser, name), browser, hub, deed)

    def _remember(self, response: Response, browser: KnownBrowser, hub: Hub, deed: str) -> Response:
        """Have a pocket remember who shares it, for the form of the next game."""
        if browser.is_pocket and deed in ("share", "leave"):
            names = [hub.state.names[seat] for seat in hub.state.seats_of(browser.person)]
            set_others(response, [name for name in names if name != browser.name], secure=browser.secure)
        return response

    def _reply(self, browser: Browser, hub: Hub, text: str) -> str | None:
        """The answer to a typed line that only asks; None for any other."""
        hub.seen(browser.person)
        seat = hub.state.only_seat_of(browser.person)
        tongue, view = language(browser.language), hub.spectators.view(browser.language)
        lessons = bool(hub.state.setup.lessons)
        return typed_line.answer(tongue, text, view, seat, keeps_dice=hub.room.kit.keeps_dice, lessons=lessons)

    def _answered(self, browser: Browser, hub: Hub, said: str, *, hinted: bool = False) -> Response:
        """The answer to a typed line, or a hint, as data or on the page."""
        if browser.is_json:
            return set_cookies(responses.data(msgspec.json.encode(Done(hub.state.seq, said=said))), browser)
        return set_cookies(self.pages.show(browser, hub, said=said, hinted=hinted), browser)

    async def _ask(self, browser: KnownBrowser, hub: Hub, asked: Request, key: Key, arrived: int | None) -> bytes:
        if asked.do == "join":
            self.tables.finder.check_words(browser)
        night, comes, waits = hub.state.setup.night, asked.do in (*COMING, "join"), hub.state.stage == "gathering"
        if night and (comes or (waits and asked.do != "leave")):
            async with self.tables.house.one_comes:
                if comes:
                    await self.tables.nights.check_comes(night, browser.person, hub.code)
                if waits:  # it may have given its place back, and would begin
                    await self.tables.nights.check_room(read_night(night).code, browser.address, hub.code)
                return await self._carry_out(browser, hub, asked, key, arrived)
        return await self._carry_out(browser, hub, asked, key, arrived)

    async def _carry_out(self, browser: KnownBrowser, hub: Hub, asked: Request, key: Key, arrived: int | None) -> bytes:
        if asked.do in COMING:
            wait_s = self.tables.limiter.coming(hub.code, browser.address, self.tables.house.now() / 1000)
            if wait_s and not hub.state.kept_for(browser.person):
                raise Refused("often", wait_s=wait_s)
            self.newcomers.check(hub, browser.person, browser.address)
        hub.seen(browser.person, restores=asked.do != "resume")  # which asks for it
        if asked.do != "resume":
            await hub.restore_seat(browser.person)
        began = perf_counter()
        try:
            speaks = asked.do == "type" or hub.state.setup.lessons  # the rest is answered without a word
            code = browser.language if speaks else ENGLISH
            address = browser.address if asked.do == "rematch" else ""
            table_request = table_service.TableRequest(asked, browser.person, key, code, address, arrived)
            done = await table_service.ask(self.tables.house, hub, table_request)
        except Refused as error:
            if error.code == "wrong-words":
                self.tables.finder.wrong_words(browser)
            raise
        self.tables.house.metrics.commands.add(perf_counter() - began)
        if hub.state.seat_of(browser.person) is not None:
            self.tables.nights.part(hub.state.setup.night, browser.person, hub.code)
        self.newcomers.note(hub, browser.person, browser.address)
        return done

    def _refused(self, browser: Browser, hub: Hub | None, error: Fault, deed: str, text: str) -> Response:
        kit = hub.room.kit if hub else None
        game = hub.state.table.match.game if hub and hub.state.table else None
        self.tables.house.metrics.refused[error.code] += 1
        if browser.is_json or hub is None or not deed:
            return responses.refused(browser, error, self.tables.games, kit=kit, game=game)
        status, why = refusal(language(browser.language), error, kit, game)
        field = error.field if isinstance(error, OrderError) else ""
        told = {"refusal": why.why, "refused": deed, "typed": text, "field": field}
        return responses.patient(self.pages.show(browser, hub, status, **told), error)


def from_form(form: dict[str, str], kit: Kit) -> Request:
    """The request on a form: the fields of the wire; ``mark`` is short for marking these places.

    Rules are written as on the front page's form. Raises Refused, OrderError.
    """
    fields: dict[str, Any] = {key: value for key, value in form.items() if key in Request.__struct_fields__}
    if form.get("do") == "rules":
        fields.update(changes_from_form(form, kit))
    if "mark" in form:
        fields.update(do="mark", marks=form["mark"])
    if "marks" in fields:
        fields["marks"] = fields["marks"].split()
    seat, _, whose = form.get("seat", "").partition(" ")
    if whose:  # a button names both the seat and whom it means
        fields.update(seat=seat, name=whose)
    for name in ("seat", "to", "change"):
        if fields.get(name) == "":
            del fields[name]
    try:
        return msgspec.convert(fields, Request, strict=False)
    except msgspec.ValidationError as error:
        raise wrong(error) from None
