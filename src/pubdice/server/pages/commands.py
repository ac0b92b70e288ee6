"""Commands at tables, as JSON or from a form. Nearly all commands are answered by a callback, all others in a task.

A JSON command needs no task and no Starlette if its body came with its head, and its person has a seat at a table in
memory. It is checked, decided, stored together with other commands of that moment, and answered (``benchmarks.tricks``
measures the gain). All other commands go through ``ask``, which also answers forms, with a page.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.types import Scope

from pubdice.core.cup import read_night
from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.core.json_depth import shallow
from pubdice.kit import Kit
from pubdice.match.header import tidy
from pubdice.server.pages import table
from pubdice.server.pages.visit import CODE, FAULTS, Newcomers, PageVisit
from pubdice.server.table import commands as table_commands
from pubdice.server.table import typed_field
from pubdice.server.table.actor import TableActor
from pubdice.server.table.codes import read_code
from pubdice.server.table.commit import Key, fields_of, key_of
from pubdice.server.table.house import TABLES, House
from pubdice.server.table.ordered_setup import OrderError, changes_from_form
from pubdice.server.web.browser import (
    Browser,
    cookies_of,
    json_response,
    refusal_response,
    set_cookies,
    set_others,
    with_retry_after,
)
from pubdice.server.web.guard import WholeResponse
from pubdice.server.web.limits import Limiter
from pubdice.server.web.refusals import REFUSED, Fault
from pubdice.server.web.routing import JSON, Form, OneOf, Route
from pubdice.server.web.trusted_hosts import HeaderValues, client_address
from pubdice.server.wire import FIELDS, REQUESTS, Asked, AskHint, Done, TypeLine, wrong
from pubdice.text.catalogues import ENGLISH

JSON_TYPE = JSON.encode()
COMING = ("sit", "share", "queue")
"""Commands that bring a person to a table."""
ANSWERED = ("type", "hint")
"""Commands that are answered in words."""


@dataclass(slots=True, eq=False, kw_only=True)
class HttpCommand(table_commands.TableRequest):
    """A person's command by HTTP: request, table, and the way to answer. ``began`` is a time of ``perf_counter``."""

    scope: Scope
    actor: TableActor
    http_answer: WholeResponse
    began: float


@dataclass(frozen=True, slots=True)
class CommandRoute:
    """Reads and carries out commands at the tables of a house. ``failed`` is called with every unexpected error."""

    house: House
    limiter: Limiter
    newcomers: Newcomers
    failed: Callable[[Scope, BaseException], None]

    def read(
        self, scope: Scope, headers: HeaderValues, body: bytes, answer: WholeResponse
    ) -> Callable[[], None] | None:
        """Return a function that carries out the command in a request, or None if it needs a task. Changes nothing."""
        if headers.get(b"content-type") != JSON_TYPE or scope["query_string"]:
            return None
        address = scope["path"]
        if not address.startswith(TABLES) or "/" in address[len(TABLES) :]:
            return None
        code = read_code(address[len(TABLES) :])
        actor = self.house.actors.get(code) if code else None
        if actor is None or b"cookie" not in headers:
            return None
        person = cookies_of((headers[b"cookie"],), secure=scope["scheme"] == "https").person
        state = actor.loaded.state
        seat = None if person is None else state.seat_of(person)
        if person is None or seat is None or state.chairs[seat].why == "voted":
            return None
        try:
            request = table_commands.read_request(shallow(body))
        except (msgspec.DecodeError, ValueError):
            return None
        if request.do in table_commands.BESIDE_THE_ACTOR or state.setup.lessons:
            return None
        command = HttpCommand(
            request=request,
            person=person,
            key=key_of(person, request),
            arrived=table_commands.known_now(actor),
            reply=self._answer,
            scope=scope,
            actor=actor,
            http_answer=answer,
            began=perf_counter(),
        )
        return partial(self._carry_out, command)

    def _carry_out(self, command: HttpCommand) -> None:
        """Hand a command to its actor. The answer is sent later, within 8 s."""
        actor, person = command.actor, command.person
        command.scope["route"] = ASK
        try:
            now = self.house.now()
            wait_s = self.limiter.command(person, now / 1000)
            if wait_s:
                raise Refused("often", wait_s=wait_s)
            actor.used = now
            actor.seen(person, restores=False)  # ``read`` found no seat to restore
            table_commands.submit(actor, command)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is answered
            self._answer(command, error)

    def _answer(self, command: HttpCommand, outcome: bytes | Exception) -> None:
        if isinstance(outcome, bytes):
            self.house.metrics.commands.add(perf_counter() - command.began)
            if command.actor.loaded.state.setup.listed:
                self.newcomers.note(command.actor, command.person, client_address(command.scope))
            command.http_answer.send(200, ((b"content-type", JSON_TYPE),), outcome)
        elif isinstance(outcome, NotStored) and outcome.code == "moved-on":
            self.house.background.spawn(self._ask_again(command))
        else:
            self._refuse(command, outcome)

    async def _ask_again(self, command: HttpCommand) -> None:
        """Try a command again, because its table was replaced: its memory and log differed, or the table was loaded
        again.
        """
        try:
            done = await table_commands.ask(self.house, command.actor, command)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is answered
            self._refuse(command, error)
        else:
            self._answer(command, done)

    def _refuse(self, command: HttpCommand, error: Exception) -> None:
        if not isinstance(error, Refused | NotStored | IllegalAction | BadNotation):
            self.failed(command.scope, error)
            error = Refused("fault")
        self.house.metrics.refused[error.code or "notation"] += 1
        actor, browser = command.actor, Browser(HttpRequest(command.scope))
        game: Any = actor.state.table.match.game if actor.state.table else None
        response = refusal_response(browser, error, (), kit=actor.room.kit, game=game)
        headers = [header for header in response.raw_headers if header[0] != b"content-length"]  # send adds the length
        command.http_answer.send(response.status_code, headers, bytes(response.body))


async def ask(visit: PageVisit) -> Response:
    """``POST /t/CODE``: a command, as JSON or from a form."""
    person, house = visit.known(), visit.house
    actor: TableActor | None = None
    form: dict[str, str] = {}
    deed = ""
    code = read_code(visit.path("code"))
    arrived = table_commands.known_now(house.actors.get(code) if code else None)
    if wait_s := visit.site.limiter.command(person, visit.now_s):
        raise Refused("often", wait_s=wait_s)
    try:
        actor = await visit.table()
        form = {} if visit.is_json else visit.form()
        deed = "rules" if form.get("do") == "rules" else ""  # before parsing: a refused field must show the form
        asked = visit.data(table_commands.read_request) if visit.is_json else from_form(form, actor.room.kit)
        deed = asked.do
        key = key_of(person, asked)  # before a typed line is parsed: the key covers the line itself
        if isinstance(asked, TypeLine):
            text = typed_field.line_of(asked)
            actor.seen(visit.person)
            view = actor.spectators.view(visit.language)
            if (said := typed_field.answer(visit.tongue, text, view, actor, visit.person)) is not None:
                return _answered(visit, actor, said)
            asked = typed_field.meant(asked, actor.state, actor.room.kit, visit.tongue)
        done = await _ask(visit, actor, asked, key, arrived)
    except FAULTS as error:
        return _refused(visit, actor, error, form, deed)
    name = fields_of(asked).get("name", "") if deed in ("sit", "queue", "rename") else ""
    if visit.is_json:
        return _remember(set_cookies(json_response(done), visit, name), visit, actor, deed)
    if asked.do in ANSWERED:
        said = msgspec.json.decode(done, type=Done).said or ""
        return _answered(visit, actor, said, hinted=isinstance(asked, AskHint))
    go = msgspec.json.decode(done, type=Done).go or house.link(actor.code)
    return _remember(set_cookies(visit.redirect(f"{go}#play"), visit, name), visit, actor, deed)


def _remember(response: Response, visit: PageVisit, actor: TableActor, deed: str) -> Response:
    """Have a pocket remember the names of its players, for the form of the next game."""
    if visit.is_pocket and deed in ("share", "leave"):
        names = [actor.state.names[seat] for seat in actor.state.seats_of(visit.known())]
        set_others(response, [name for name in names if name != visit.name], secure=visit.secure)
    return response


def _answered(visit: PageVisit, actor: TableActor, said: str, *, hinted: bool = False) -> Response:
    """Answer a typed line, or give a hint, as data or on the page."""
    if visit.is_json:
        return set_cookies(visit.json(Done(actor.state.seq, said=said)), visit)
    return set_cookies(table.show(visit, actor, said=said, hinted=hinted), visit)


async def _ask(visit: PageVisit, actor: TableActor, asked: Asked, key: Key, arrived: int | None) -> bytes:
    limiter, nights = visit.site.limiter, visit.site.nights
    if asked.do == "join" and (wait_s := limiter.guess_words(visit.address, visit.now_s)):
        raise Refused("guesses", wait_s=wait_s)
    night, comes, waits = actor.state.setup.night, asked.do in (*COMING, "join"), actor.state.stage == "gathering"
    if night and (comes or (waits and asked.do != "leave")):
        async with visit.house.one_comes:
            if comes:
                await nights.check_comes(night, visit.known(), actor.code)
            if waits:  # the table may have lost its place in the night, and this command may begin its match
                await nights.check_room(read_night(night).code, visit.address, actor.code)
            return await _run_request(visit, actor, asked, key, arrived)
    return await _run_request(visit, actor, asked, key, arrived)


async def _run_request(visit: PageVisit, actor: TableActor, asked: Asked, key: Key, arrived: int | None) -> bytes:
    if asked.do not in COMING:
        return await _carry_out(visit, actor, asked, key, arrived)
    person = visit.known()
    wait_s = visit.site.limiter.coming(actor.code, visit.address, visit.now_s)
    if wait_s and not actor.state.kept_for(person):
        raise Refused("often", wait_s=wait_s)
    names = fields_of(asked).get("name", "").split(",") if asked.do == "share" else []
    shares = tuple(filter(None, map(tidy, names)))
    ends = visit.site.part(Newcomers).comes(actor, person, visit.address, shares=shares)
    try:
        return await _carry_out(visit, actor, asked, key, arrived)
    finally:
        ends()  # the person is noted by now


async def _carry_out(visit: PageVisit, actor: TableActor, asked: Asked, key: Key, arrived: int | None) -> bytes:
    person, house = visit.known(), visit.house
    actor.seen(person, restores=asked.do != "resume")  # resume restores the seat itself
    if asked.do != "resume":
        await actor.restore_seat(person)
    began = perf_counter()
    try:
        speaks = asked.do == "type" or actor.state.setup.lessons  # other answers have no words
        code = visit.language if speaks else ENGLISH
        address = visit.address if asked.do == "rematch" else ""
        table_request = table_commands.TableRequest(
            request=asked, person=person, key=key, language=code, address=address, arrived=arrived
        )
        done = await table_commands.ask(house, actor, table_request)
    except Refused as error:
        if error.code == "wrong-words":
            visit.site.limiter.missed_words(visit.address, visit.now_s)
        raise
    house.metrics.commands.add(perf_counter() - began)
    if (night := actor.state.setup.night) and actor.state.seat_of(person) is not None:
        visit.site.nights.part(night, person, actor.code)
    visit.site.part(Newcomers).note(actor, person, visit.address)
    return done


def _refused(visit: PageVisit, actor: TableActor | None, error: Fault, form: dict[str, str], deed: str) -> Response:
    visit.kit = actor.room.kit if actor else None
    game = actor.state.table.match.game if actor and actor.state.table else None
    visit.house.metrics.refused[error.code] += 1
    if visit.is_json or actor is None or not deed:
        return visit.refused(error, game)
    status, why = visit.refusal(error, game)
    field = error.field if isinstance(error, OrderError) else ""
    told = {"refusal": why.why, "refused": deed, "posted": form, "field": field}
    return with_retry_after(table.show(visit, actor, status, **told), error)


def from_form(form: dict[str, str], kit: Kit) -> Asked:
    """Read the request of a form. It has the fields of the wire, and the short forms ``mark`` and ``move``.

    Rules are written as in the form of the front page. Raises Refused, OrderError.
    """
    fields: dict[str, Any] = {key: value for key, value in form.items() if key in ("key", "do", *FIELDS)}
    if form.get("do") == "rules":
        fields.update(changes_from_form(form, kit))
    if "mark" in form:
        fields.update(do="mark", marks=form["mark"])
    if "move" in form:
        fields.update(do="choose", action=form["move"])
    if "marks" in fields:
        fields["marks"] = fields["marks"].split()
    seat, _, whose = form.get("seat", "").partition(" ")
    if whose:  # a button names the seat and the person in it
        fields.update(seat=seat, name=whose)
    for name in ("seat", "to", "change", "decider"):
        if fields.get(name) == "":
            del fields[name]
    try:
        return table_commands.request_of(fields, strict=False)
    except msgspec.ValidationError as error:
        raise wrong(error) from None


ASK = Route(
    "POST",
    "/t/{code}",
    ask,
    "Ask something of a table.",
    (CODE,),
    takes=(OneOf("Request", tuple(REQUESTS.values())), Form("RequestForm", ("key",), ("do", *FIELDS, "mark", "move"))),
    returns=Done,
    refuses=tuple(REFUSED),
    gives={200: (JSON,), 303: ()},
)
ROUTES = (ASK,)
