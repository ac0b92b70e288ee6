"""What can be asked of one table over HTTP: its page, commands, state, stream, record, and its address as a picture."""

import dataclasses
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any

import msgspec
import segno
from starlette.requests import Request as HttpRequest
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from pubdice.game import BadNotation, IllegalAction
from pubdice.kit import PERFECT, Kit
from pubdice.languages import ENGLISH, language
from pubdice.narrate import Narrator
from pubdice.notation import Header
from pubdice.party import Party, PartyState
from pubdice.party.bounds import is_full
from pubdice.party.setup import MOST_PERFECT, least_seats, placeholders
from pubdice.server import answers, field, pages
from pubdice.server.cards import card
from pubdice.server.codes import shown
from pubdice.server.finding import Finder
from pubdice.server.house import CLOSING, House
from pubdice.server.hub import Hub
from pubdice.server.keys import body_of
from pubdice.server.limits import Limiter
from pubdice.server.newcomers import Newcomers
from pubdice.server.orders import OrderError, changes_from_form, to_form
from pubdice.server.reach import Reach
from pubdice.server.session import new_token
from pubdice.server.stream import PIPE, Stream
from pubdice.server.visitor import Visitor, keep, known
from pubdice.server.wire import Done, Request, wrong
from pubdice.server.words import Fault, refusal
from pubdice.table import Refused
from pubdice.words import Language, sentence

STORY = 30
COMING = ("sit", "share", "queue")
"""What brings somebody new to a table."""
FULL_S = 8.0
"""When to try again where too many streams are open: one that is lost is found out by its next sign of life."""
_requests = msgspec.json.Decoder(Request)


@dataclass(frozen=True)
class Tables:
    """The tables of a house, for browsers and programs."""

    house: House
    limiter: Limiter
    source: Callable[[int], bytes]
    games: tuple[tuple[str, str], ...]
    reach: Reach
    newcomers: Newcomers = dataclasses.field(default_factory=Newcomers)

    @property
    def finder(self) -> Finder:
        """The way to the tables."""
        return Finder(self.house, self.limiter)

    def place(self, visitor: Visitor, code: str) -> str:
        """A table's link as others can use it: that of this machine alone is of no use to a phone."""
        return f"{self.reach.origin(visitor)}{self.house.link(code)}"

    # pages

    async def page(self, request: HttpRequest) -> Response:
        """The table's page."""
        visitor = known(request, self.source)
        try:
            hub = await self.finder.table(visitor, request.path_params["code"])
        except Refused as error:
            return answers.refused(visitor, error, self.games)
        if not self.house.link(hub.code).endswith(f"/{request.path_params['code']}"):
            return keep(RedirectResponse(self.house.link(hub.code), 307), visitor)
        hub.seen(visitor.person, reads=True)
        if hub.state.setup.listed:
            self.newcomers.note(hub, visitor.person, visitor.address)
        return keep(self._show(visitor, hub), visitor)

    async def big(self, request: HttpRequest) -> Response:
        """The table for a big screen."""
        visitor = known(request, self.source)
        try:
            hub = await self.finder.table(visitor, request.path_params["code"])
        except Refused as error:
            return answers.refused(visitor, error, self.games)
        page = pages.big(answers.frame(visitor, self.games), self._page(visitor, hub))
        return keep(answers.html(visitor, page), visitor)

    def _show(self, visitor: Visitor, hub: Hub, status: int = 200, **told: str) -> Response:
        """The page, with what was refused or answered: ``refusal`` of ``refused`` at ``field``, ``said``,
        ``typed``.
        """
        page = self._page(visitor, hub, **told)
        return answers.html(visitor, pages.table(answers.frame(visitor, self.games), page), status)

    def _page(self, visitor: Visitor, hub: Hub, **told: str) -> pages.TablePage:
        state, kit, tongue = hub.state, hub.party.kit, language(visitor.language)
        seat, moment = state.seat_of(visitor.person), hub.moment()
        lost = state.lost(moment.gone, moment.now)
        return pages.TablePage(
            code=shown(hub.code),
            here=self.house.link(hub.code),
            address=self.place(visitor, hub.code),
            game=kit.name,
            title=tongue.say(kit.words.title),
            rules=rules_line(tongue, hub.party, state),
            view=hub.view(visitor.language),
            key=new_token(self.source),
            seat=seat,
            seats=state.seats_of(visitor.person),
            held=_number(visitor.request.query_params.get("me")),
            queued=visitor.person in dict(state.queue),
            host=state.may_run(visitor.person, lost),
            removable=None if state.is_host(visitor.person) else lost,
            words="" if seat is None else self.house.words(hub, seat, visitor.language),
            story=tuple(hub.story(visitor.language, STORY, state.only_seat_of(visitor.person))),
            name=visitor.name,
            pace_ms=state.pace_ms,
            bots=tuple(bot for bot in kit.bots if bot != PERFECT or len(state.chairs) <= MOST_PERFECT),
            barred=visitor.person in state.barred,
            shut=state.shut if seat is not None else state.is_shut_to(visitor.person),
            full=state.play is not None and is_full(state),
            real=state.setup.dice == "real",
            unreachable=self.reach.trouble(visitor, tongue),
            origin=self.reach.origin(visitor),
            card=card(kit) if state.stage == "gathering" and state.may_run(visitor.person, lost) else None,
            values=to_form(state.setup, kit),
            change="change" in visitor.request.query_params,
            **told,
        )

    # commands

    async def ask(self, request: HttpRequest) -> Response:
        """A command, as JSON or from a form."""
        visitor = known(request, self.source)
        assert visitor.person is not None, "it has a token now"
        hub: Hub | None = None
        deed = text = ""
        try:
            wait_s = self.limiter.command(visitor.person, self.house.now() / 1000)
            if wait_s:
                return answers.refused(visitor, Refused("often", wait_s=wait_s), self.games)
            hub = await self.finder.table(visitor, request.path_params["code"])
            form = {} if visitor.is_json else visitor.form()
            deed = "rules" if form.get("do") == "rules" else ""  # whose fields may be wrong before it is a request
            asked = visitor.data(_requests) if visitor.is_json else from_form(form, hub.party.kit)
            deed = asked.do
            body = body_of(asked)  # a line as it was typed, whatever the table makes of it
            if deed == "type":
                text = field.line_of(asked)
                if (said := self._reply(visitor, hub, text)) is not None:
                    return self._answered(visitor, hub, said)
                asked = field.meant(asked, hub.state)
            done = await self._ask(visitor, hub, asked, body)
        except (Refused, IllegalAction, BadNotation, OrderError) as error:
            return self._refused(visitor, hub, error, deed, text)
        name = asked.name if isinstance(asked.name, str) and deed in ("sit", "queue", "rename") else ""
        if visitor.is_json:
            return keep(answers.data(done), visitor, name)
        if asked.do == "type":
            return self._answered(visitor, hub, msgspec.json.decode(done, type=Done).said or "")
        go = msgspec.json.decode(done, type=Done).go or self.house.link(hub.code)
        return keep(RedirectResponse(f"{go}#play", 303), visitor, name)

    def _reply(self, visitor: Visitor, hub: Hub, text: str) -> str | None:
        """The answer to a typed line that only asks; None for any other."""
        hub.seen(visitor.person)
        seat = hub.state.only_seat_of(visitor.person)
        return field.answer(language(visitor.language), text, hub.view(visitor.language), seat)

    def _answered(self, visitor: Visitor, hub: Hub, said: str) -> Response:
        """The answer to a typed line: as data, or beside the field; there what happened stands for it."""
        if visitor.is_json:
            return keep(answers.data(msgspec.json.encode(Done(hub.state.seq, said=said))), visitor)
        return keep(self._show(visitor, hub, said=said), visitor)

    async def _ask(self, visitor: Visitor, hub: Hub, asked: Request, body: bytes) -> bytes:
        assert visitor.person is not None, "it has a token"
        if asked.do == "join":
            self.finder.check_words(visitor)
        if asked.do in COMING:
            wait_s = self.limiter.coming(hub.code, visitor.address, self.house.now() / 1000)
            if wait_s and not hub.state.kept_for(visitor.person):
                raise Refused("often", wait_s=wait_s)
            self.newcomers.check(hub, visitor.person, visitor.address)
        hub.seen(visitor.person, reads=asked.do == "resume")  # which asks for it
        if asked.do != "resume":
            await hub.welcome(visitor.person)
        began = perf_counter()
        try:
            code = visitor.language if asked.do == "type" else ENGLISH  # the rest is answered without a word
            address = visitor.address if asked.do == "rematch" else ""
            done = await self.house.ask(hub, asked, visitor.person, code, body, address=address)
        except Refused as error:
            if error.code == "wrong-words":
                self.finder.wrong_words(visitor)
            raise
        self.house.figures.commands.add(perf_counter() - began)
        self.newcomers.note(hub, visitor.person, visitor.address)
        return done

    def _refused(self, visitor: Visitor, hub: Hub | None, error: Fault, deed: str, text: str) -> Response:
        kit = hub.party.kit if hub else None
        game = hub.state.table.match.game if hub and hub.state.table else None
        self.house.figures.refused.add(str(getattr(error, "code", "") or getattr(error, "rule", "") or "notation"))
        if visitor.is_json or hub is None or not deed:
            return answers.refused(visitor, error, self.games, kit=kit, game=game)
        status, why = refusal(language(visitor.language), error, kit, game)
        told = {"refusal": why.why, "refused": deed, "typed": text, "field": getattr(error, "field", "")}
        return answers.patient(self._show(visitor, hub, status, **told), error)

    # data

    async def state(self, request: HttpRequest) -> Response:
        """The whole state in one request."""
        visitor = known(request, self.source)
        try:
            hub = await self.finder.table(visitor, request.path_params["code"])
        except Refused as error:
            return answers.refused(visitor, error, self.games)
        hub.seen(visitor.person, reads=True)
        return keep(answers.data(msgspec.json.encode(hub.whole(visitor.language, visitor.person))), visitor)

    async def record(self, request: HttpRequest) -> Response:
        """The match so far as a record."""
        visitor = Visitor(request)
        try:
            if wait_s := self.limiter.record(visitor.address, self.house.now() / 1000):
                raise Refused("often", wait_s=wait_s)
            hub = await self.finder.table(visitor, request.path_params["code"])
            text = await self.house.record(hub)
        except Refused as error:
            return answers.refused(visitor, error, self.games)
        name = f'attachment; filename="{hub.party.kit.name}-{hub.code}.record"'
        return Response(text, media_type="text/plain", headers={"content-disposition": name})

    async def qr(self, request: HttpRequest) -> Response:
        """The table's link as a QR code, for those who may see the table."""
        visitor = Visitor(request)
        try:
            hub = await self.finder.table(visitor, request.path_params["code"])
        except Refused as error:
            return answers.refused(visitor, error, self.games)
        picture = drawn(self.place(visitor, hub.code))
        return Response(picture, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})

    async def events(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The table's stream, from where the reader left off."""
        request = HttpRequest(scope, receive)
        visitor = Visitor(request)
        try:
            hub = await self.finder.table(visitor, scope["path_params"]["code"])
            seq = _number(request.headers.get("last-event-id") or request.query_params.get("from"))
            if not self.limiter.stream_opens(visitor.address):
                raise Refused("streams", wait_s=FULL_S)
        except Refused as error:
            await answers.refused(visitor, error, self.games)(scope, receive, send)
            return
        stream = Stream(None if visitor.wants_page else visitor.person, visitor.language)  # a link is no page of ours
        try:
            hub.join(stream)
            if self.house.closed:
                stream.end(CLOSING)
            first = hub.since(hub.state.seq if seq is None else seq, visitor.language)
            pipe = scope.get(PIPE)
            await stream.serve(receive, send, first, pipe and pipe.transport)
        finally:
            hub.part(stream)
            self.limiter.stream_closed(visitor.address)


@lru_cache(maxsize=256)
def drawn(address: str) -> bytes:
    """An address as a QR code."""
    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(picture, kind="svg", border=4, light="#fff", xmldecl=False)
    return picture.getvalue()


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


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def rules_line(tongue: Language, party: Party, state: PartyState) -> str:
    """The house rules in force, in a line."""
    kit, setup, say = party.kit, state.setup, tongue.say
    names = placeholders(max(len(state.chairs), least_seats(kit)))
    match = kit.match(kit.settle(Header({**setup.rules, "seats": ", ".join(names)})))
    rules = [Narrator(tongue, kit.words, match, names).rules()]
    if setup.dice == "real":
        rules.append(say("your own dice"))
    if setup.clock_s:
        rules.append(tongue.count("{number} second a turn", "{number} seconds a turn", setup.clock_s))
    return sentence("; ".join(rules)) + "."
