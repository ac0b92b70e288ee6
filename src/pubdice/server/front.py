"""What is not one table's: the front page, setting a table up, finding one, the pages of rules and help."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.game import BadNotation
from pubdice.languages import CODES, language
from pubdice.server import answers, pages
from pubdice.server.cards import card
from pubdice.server.finding import Finder
from pubdice.server.house import House
from pubdice.server.hub import Hub
from pubdice.server.limits import Limiter
from pubdice.server.orders import OrderError, from_form
from pubdice.server.picture import preview
from pubdice.server.reach import Reach
from pubdice.server.session import new_token, set_language, set_theme
from pubdice.server.visitor import THEMES, Visitor, keep, known
from pubdice.server.wire import Opened, Order
from pubdice.server.words import Fault, refusal
from pubdice.store import Listed, NotStored
from pubdice.table import Refused
from pubdice.words import Language

ROWS = 20
LOOKED_AT = 400
"""Open tables of which the lobby's rows are picked: more than a few addresses can open in an hour."""
_orders = msgspec.json.Decoder(Order)


@dataclass(frozen=True)
class Front:
    """The house's own pages."""

    house: House
    limiter: Limiter
    source: Callable[[int], bytes]
    games: tuple[tuple[str, str], ...]
    reach: Reach

    async def page(self, request: Request) -> Response:
        """The front page."""
        visitor = known(request, self.source)
        return keep(await self._show(visitor), visitor)

    async def _show(self, visitor: Visitor, status: int = 200, **facts: object) -> Response:
        mine = () if visitor.person is None else await self._rows(visitor, mine=True)
        here = {row.code for row in mine}
        page = pages.Front(
            games=tuple(card(kit) for kit in self.house.games.values()),
            mine=mine,
            lobby=tuple(row for row in await self._rows(visitor, mine=False) if row.code not in here),
            key=new_token(self.source),
            name=visitor.name,
            origin=self.reach.origin(visitor),
        )
        page = replace(page, **facts)  # type: ignore[arg-type]
        return answers.html(visitor, pages.front(answers.frame(visitor, self.games), page), status)

    async def _rows(self, visitor: Visitor, *, mine: bool) -> tuple[pages.TableRow, ...]:
        store, tongue = self.house.store, language(visitor.language)
        try:
            listed = store.tables_of(visitor.person, ROWS) if mine and visitor.person else self._lobby()
        except NotStored:  # the page says so when a table is asked for
            return ()
        rows = []
        for entry in listed:
            hub = await self._read(entry) if not entry.game or (mine and entry.stage == "playing") else None
            if hub is not None:
                entry = replace(entry, game=hub.party.kit.name, names=hub.state.names)  # noqa: PLW2901
            if entry.game in self.house.games:
                rows.append(self._row(tongue, entry, visitor, hub, mine=mine))
        return tuple(rows)

    def _lobby(self) -> list[Listed]:
        """Open tables, the newest first, but not all of one address while others have some, too."""
        store, in_play = self.house.store, self.house.in_play
        listed = store.lobby(ROWS)
        if len(listed) == ROWS and in_play.is_crowded([entry.code for entry in listed]):
            listed = store.lobby(LOOKED_AT)
        shown = set(in_play.in_turn([entry.code for entry in listed], ROWS))
        return [entry for entry in listed if entry.code in shown]

    async def _read(self, entry: Listed) -> Hub | None:
        """The table of a row, where the row alone does not tell enough; None if it cannot be read."""
        await asyncio.sleep(0)  # others' moves come before the next of these
        try:
            return await self.house.find(entry.code)
        except NotStored:
            return None

    def _row(self, tongue: Language, entry: Listed, visitor: Visitor, hub: Hub | None, *, mine: bool) -> pages.TableRow:
        """A table in a list; ``hub`` is there for one's own tables that are being played."""
        title, names = tongue.say(self.house.games[entry.game].words.title), [name for name in entry.names if name]
        if hub is not None and (seat := hub.state.seat_of(visitor.person)) is not None:
            names = [name for at, name in enumerate(entry.names) if name and at != seat]
        elif mine and visitor.name in names:
            names.remove(visitor.name)
        if names:
            title = tongue.say("{game} with {names}", game=title, names=tongue.join(names))
        turn = hub is not None and _moves(hub, visitor.person)
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
        return pages.TableRow(entry.code, title, line, go, turn, forget, self.house.link(entry.code))

    async def open(self, request: Request) -> Response:
        """Set up a table, by form or by JSON."""
        visitor = known(request, self.source)
        assert visitor.person is not None, "it has a token now"
        form: dict[str, str] = {}
        try:
            if wait_s := self.limiter.opening(visitor.address, self.house.now() / 1000):
                return answers.refused(visitor, Refused("often", wait_s=wait_s), self.games)
            if visitor.is_json:
                order = visitor.data(_orders)
            else:
                form = visitor.form()
                order = from_form(form, self.house.games)
            code = await self.house.open(order, visitor.person, visitor.address)
        except (Refused, BadNotation, OrderError) as error:
            return await self._refused(visitor, error, form)
        go = self.house.link(code)
        if visitor.is_json:
            return keep(answers.data(msgspec.json.encode(Opened(code, go)), 201), visitor, order.name)
        return keep(RedirectResponse(go, 303), visitor, order.name)

    async def _refused(self, visitor: Visitor, error: Fault, form: dict[str, str]) -> Response:
        if not form:
            return answers.refused(visitor, error, self.games)
        status, why = refusal(language(visitor.language), error)
        field = error.field if isinstance(error, OrderError) else "name" if isinstance(error, BadNotation) else ""
        return await self._show(visitor, status, values=form, refusal=why.why, field=field)

    async def find(self, request: Request) -> Response:
        """To the table of a code that was typed."""
        visitor = Visitor(request)
        text = request.query_params.get("code", "")[:100]
        try:
            hub = await Finder(self.house, self.limiter).table(visitor, text)
        except Refused as error:
            if not visitor.wants_page:
                return answers.refused(visitor, error, self.games)
            status, why = refusal(language(visitor.language), error)
            page = await self._show(visitor, status, values={"code": text}, refusal=why.why, field="code")
            return answers.patient(page, error)
        return RedirectResponse(self.house.link(hub.code), 303)

    async def rules(self, request: Request) -> Response:
        """A game's page of rules."""
        visitor = Visitor(request)
        kit = self.house.games.get(request.path_params["game"])
        if kit is None:
            return answers.refused(visitor, Refused("no-page"), self.games)
        text = kit.rules(visitor.language)
        return answers.html(visitor, pages.rules(answers.frame(visitor, self.games), kit.words.title, text))

    async def help(self, request: Request) -> Response:
        """How to play here."""
        visitor = Visitor(request)
        return answers.html(visitor, pages.help_page(answers.frame(visitor, self.games)))

    async def privacy(self, request: Request) -> Response:
        """What the house keeps of people."""
        visitor = Visitor(request)
        return answers.html(visitor, pages.privacy(answers.frame(visitor, self.games)))

    async def moved(self, request: Request) -> Response:
        """The address that the page on privacy had before."""
        return RedirectResponse("/privacy", 308)

    async def preview(self, request: Request) -> Response:
        """The picture that chats show of a link."""
        picture = await asyncio.to_thread(preview)
        return Response(picture, headers={"cache-control": "public, max-age=86400"}, media_type="image/png")

    async def speak(self, request: Request) -> Response:
        """Choose a language, or light or dark, and go back to where one was."""
        visitor = Visitor(request)
        try:
            form = visitor.form()
        except Refused as error:
            return answers.refused(visitor, error, self.games)
        back = form.get("back", "/")
        if not back.startswith("/") or back[1:2] in ("/", "\\") or not back.isprintable():
            back = "/"
        response = RedirectResponse(back, 303)
        if form.get("theme") in THEMES:
            value = set_theme(form["theme"], secure=visitor.secure)
            response.raw_headers.append((b"set-cookie", value.encode("latin-1")))
        if form.get("language") in CODES:
            value = set_language(form["language"], secure=visitor.secure)
            response.raw_headers.append((b"set-cookie", value.encode("latin-1")))
        return response

    async def wrong_way(self, request: Request, error: Exception) -> Response:
        """A page that is there, but not to be asked like that."""
        response = answers.refused(Visitor(request), Refused("no-way"), self.games)
        response.headers.update(getattr(error, "headers", None) or {})
        return response

    async def missing(self, request: Request, error: Exception) -> Response:
        """A page that is not there."""
        return answers.refused(Visitor(request), Refused("no-page"), self.games)

    async def fault(self, request: Request, error: Exception) -> Response:
        """Something went wrong inside; the door writes down what."""
        return answers.refused(Visitor(request), Refused("fault"), self.games)


def _moves(hub: Hub, person: str | None) -> bool:
    """Whether it is this person's turn."""
    seat = hub.state.seat_of(person)
    return seat is not None and hub.state.stage == "playing" and hub.state.mover == seat
