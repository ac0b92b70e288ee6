"""The house as a web application: which address is whose, and the door in front of it all."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pubdice.server import answers, pages
from pubdice.server.callers import Proxies
from pubdice.server.front import Front
from pubdice.server.guard import Guard
from pubdice.server.health import Health
from pubdice.server.house import PARTS, PULSE_S, House
from pubdice.server.limits import Limiter, Limits
from pubdice.server.observe import PROMETHEUS
from pubdice.server.openapi import describe
from pubdice.server.reach import Reach
from pubdice.server.tables import Tables
from pubdice.server.visitor import Visitor
from pubdice.server.wire import Refusal
from pubdice.table import Refused

APART_S = 0.02
"""Between one template compiled and the next."""
FOR_EVER = "public, max-age=31536000, immutable"
GUESSES = "guesses"
"""Where the buckets of wrong codes are kept in the store, so that a restart gives nobody new tries."""
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "txt": "text/plain"}


@dataclass(frozen=True, slots=True)
class Doors:
    """How people get in: limits, the names the house goes by, the proxies it believes.

    reach: the addresses under which people come.
    """

    limits: Limits = field(default_factory=Limits)
    names: Iterable[str] = ()
    proxies: Proxies = ()
    reach: Reach = field(default_factory=Reach)


class _Events:
    """The stream's endpoint, which speaks ASGI itself: a page keeps it open for hours."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await Response(media_type="text/event-stream")(scope, receive, send)
        else:
            await self._tables.events(scope, receive, send)


class _App(Starlette):
    """Starlette, with a short way to commands and streams, past all that it puts round a request.

    Nearly everything that is asked is one of the two. Whatever goes wrong there is the door's to write down.
    """

    def __init__(self, tables: Tables, ask: Route, events: Route, **given: Any) -> None:
        super().__init__(**given)
        self._tables, self._ask, self._events = tables, ask, events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        code, slash, rest = scope["path"][3:].partition("/") if scope["type"] == "http" else ("", "", "")
        if not code or not scope["path"].startswith("/t/"):
            await super().__call__(scope, receive, send)
        elif not slash and scope["method"] == "POST":
            scope["route"], scope["path_params"] = self._ask, {"code": code}
            answer = await self._tables.ask(Request(scope, receive))
            await answer(scope, receive, send)
        elif rest == "events" and scope["method"] == "GET":
            scope["route"], scope["path_params"] = self._events, {"code": code}
            await self._tables.events(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def load_templates(names: Sequence[str]) -> None:
    """Compile templates one after the other, with time for others between: all at once are 150 ms and more."""
    if names:
        pages.load(names[0])
        asyncio.get_running_loop().call_later(APART_S, load_templates, names[1:])


def create_app(house: House, source: Callable[[int], bytes], doors: Doors) -> ASGIApp:
    """The application of a house. source: random bytes, for tokens and keys."""
    limiter = Limiter(doors.limits, house.secret)
    games = tuple((kit.name, kit.words.title) for kit in house.games.values())
    tables = Tables(house, limiter, source, games, doors.reach)
    front = Front(house, limiter, source, games, doors.reach)

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        try:
            body, packed = answers.static(name)
        except OSError:
            return answers.refused(Visitor(request), Refused("no-page"), games)
        headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["content-encoding"] = packed, "gzip"
        return Response(body, headers=headers, media_type=TYPES.get(name.rpartition(".")[2], "text/plain"))

    async def metrics(request: Request) -> Response:
        figures = house.figures
        figures.streams.set(sum(len(hub.streams) for hub in house.hubs.values()))
        figures.tables.set(len(house.hubs))
        return Response(figures.text(), media_type=PROMETHEUS)

    described = msgspec.json.encode(describe(version("pubdice")))

    async def openapi(request: Request) -> Response:
        return answers.data(described)

    routes = [
        Route("/", front.page),
        Route("/tables", front.open, methods=["POST"]),
        Route("/find", front.find),
        Route("/language", front.speak, methods=["POST"]),
        Route("/rules/{game}", front.rules),
        Route("/help", front.help),
        Route("/privacy", front.privacy),
        Route("/words", front.moved),
        Route("/preview.png", front.preview),
        Route("/t/{code}", tables.page),
        ask := Route("/t/{code}", tables.ask, methods=["POST"]),
        Route("/t/{code}/big", tables.big),
        Route("/t/{code}/state", tables.state),
        events := Route("/t/{code}/events", _Events(tables), methods=["GET"]),
        Route("/t/{code}/record", tables.record),
        Route("/t/{code}/qr.svg", tables.qr),
        Route("/static/{hash}/{name}", static),
        Route("/openapi.json", openapi),
        Route("/healthz", Health(house).page),
        Route("/metrics", metrics),
    ]

    @asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        def beat(part: int = 0) -> None:
            house.after(PULSE_S / PARTS, lambda: beat((part + 1) % PARTS))  # whatever becomes of this one
            house.pulse(part)
            if not part:
                keep_guesses(house, limiter)

        limiter.restore_guesses(house.store.setting(GUESSES) or b"[]", house.now() / 1000)
        beat()
        load_templates(pages.templates())
        yield
        house.closing()
        keep_guesses(house, limiter)
        await house.rest()

    def look(scope: Scope, status: int, code: str, why: str) -> tuple[str, bytes]:
        return answers.at_the_door(Visitor(Request(scope)), games, status, Refusal(code, why))

    def failed(scope: Scope, error: BaseException) -> None:
        house.figures.faults.add()
        house.journal.failed(error, route=route_of(scope))

    def answered(scope: Scope, status: int) -> None:
        house.figures.requests.add(route_of(scope), str(status))

    handlers = {404: front.missing, 405: front.wrong_way, 500: front.fault}
    app = _App(tables, ask, events, routes=routes, exception_handlers=handlers, lifespan=living)
    app.router.redirect_slashes = False  # an address with a slash at its end, also as %2f, is none of the house's
    return Guard(
        app,
        names=doors.names,
        proxies=doors.proxies,
        admit=lambda address: limiter.request(address, house.now() / 1000),
        look=look,
        failed=failed,
        answered=answered,
    )


def keep_guesses(house: House, limiter: Limiter) -> None:
    """Have the store keep what was guessed wrongly, if anything was since the last time."""
    if (guesses := limiter.changed_guesses(house.now() / 1000)) is not None:
        house.spawn(house.keep(GUESSES, guesses))


def route_of(scope: Scope) -> str:
    """The route of a request, without what is in it; "none" where it was answered at the door."""
    route = scope.get("route")
    return str(getattr(route, "path", "none"))
