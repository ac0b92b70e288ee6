"""The house as a web application: its routes, with the guard in front of them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Container, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.metadata import version

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pubdice.core.errors import Refused
from pubdice.server.http.book_routes import BookRoutes
from pubdice.server.http.command_route import CommandRoute
from pubdice.server.http.front_routes import FrontRoutes
from pubdice.server.http.health import Health
from pubdice.server.http.metrics_page import MetricsPage
from pubdice.server.http.night_routes import NightRoutes
from pubdice.server.http.route_table import ROUTES as OTHERS
from pubdice.server.http.seat_limits import Newcomers
from pubdice.server.http.table_commands import TableCommands
from pubdice.server.http.table_data import TableData
from pubdice.server.http.table_pages import TablePages
from pubdice.server.http.tables import Tables
from pubdice.server.live.book import Book
from pubdice.server.live.following import Follower
from pubdice.server.live.house import HEARTBEAT_S, PARTS, House
from pubdice.server.observe import LoopLag
from pubdice.server.pages import ask as ask_page
from pubdice.server.pages import best_play, daily, drill, evening, prices, receipt, record, verify
from pubdice.server.pages.visit import PageVisit, Site, served
from pubdice.server.requests import Refusal
from pubdice.server.web import assets, render, responses
from pubdice.server.web.browser import Browser, PublicAddress
from pubdice.server.web.guard import MOST_BODY, MOST_HEARD, Guard
from pubdice.server.web.limits import Limiter, Limits
from pubdice.server.web.openapi import describe
from pubdice.server.web.routing import Route as Declared
from pubdice.server.web.trusted_hosts import Proxies

APART_S = 0.02
"""Between one template compiled and the next."""
FOR_EVER = "public, max-age=31536000, immutable"
GUESSES = "guesses"
"""Where the buckets of wrong codes are kept in the store, so that a restart gives nobody new tries."""
HOUSE_ONLY = ("/find", "/night", "/night/{code}", "/t/{code}/big", "/t/{code}/qr.svg")
"""Routes that need other devices: codes to type, duplicate nights, big screens, and QR codes to scan."""
PAGES = (ask_page, receipt, record, best_play, prices, daily, drill, verify, evening)
"""The pages of the house: one module and one template each."""
DECLARED = tuple(route for page in PAGES for route in page.ROUTES)
ROUTES = (*DECLARED, *OTHERS)
"""Every route of the house."""
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "txt": "text/plain"}


@dataclass(frozen=True, slots=True)
class HttpConfig:
    """How people get in: limits, the names the house goes by, the proxies it believes.

    public_address: the addresses under which people come. pocket: the house runs in one browser, where nobody else can
    come in; ``HOUSE_ONLY`` is refused there.
    """

    limits: Limits = field(default_factory=Limits)
    names: Iterable[str] = ()
    proxies: Proxies = ()
    public_address: PublicAddress = field(default_factory=PublicAddress)
    pocket: bool = False


class _Events:
    """The stream's endpoint, which speaks ASGI itself: a page keeps it open for hours."""

    def __init__(self, data: TableData) -> None:
        self._data = data

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await Response(media_type="text/event-stream")(scope, receive, send)
        else:
            await self._data.events(scope, receive, send)


@cache
def _described() -> bytes:
    """The house's API as JSON: 40 ms of work, a second on a phone, done when somebody asks for it first."""
    return msgspec.json.encode(describe(ROUTES, version("pubdice")))


@dataclass(frozen=True)
class _Observed:
    """What is counted and logged of every request, as it comes and as it is answered."""

    house: House
    limiter: Limiter

    @cached_property
    def _lag(self) -> LoopLag:
        return LoopLag(self.house.metrics.loop_lag, self.house.event_log.write)

    def admit(self, address: str) -> float:
        """The seconds that a request from an address has to wait."""
        self._lag.begins()
        return self.limiter.request(address, self.house.now() / 1000)

    def answered(self, scope: Scope, status: int) -> None:
        """A request is answered."""
        route = route_of(scope)
        self.house.metrics.requests[route, status] += 1
        self._lag.ends(route)

    def failed(self, scope: Scope, error: BaseException) -> None:
        """A request failed by a fault of ours."""
        self.house.metrics.faults += 1
        self.house.event_log.failed(error, route=route_of(scope))


def load_templates(names: Sequence[str]) -> None:
    """Compile templates one after the other, with time for others between: all at once are 150 ms and more."""
    if names:
        render.load(names[0])
        asyncio.get_running_loop().call_later(APART_S, load_templates, names[1:])


def create_app(house: House, source: Callable[[int], bytes], config: HttpConfig) -> Guard:
    """The application of a house. source: random bytes, for tokens and keys."""
    limiter = Limiter(config.limits, house.secret)
    games = tuple((kit.name, kit.words.title) for kit in house.games.values())
    tables, newcomers = Tables(house, limiter, source, games, config.public_address), Newcomers()
    table_pages, data = TablePages(tables, newcomers), TableData(tables)
    commands = TableCommands(tables, table_pages, newcomers)
    site = Site(house, limiter, source, config.public_address)
    nights, health = NightRoutes(tables), Health(house)
    books = BookRoutes(tables, Book(house))
    front = FrontRoutes(house, limiter, source, games, config.public_address)

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        try:
            body, packed = assets.served(name)
        except OSError:
            return responses.refused(Browser(request), Refused("no-page"), games)
        headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["content-encoding"] = packed, "gzip"
        return Response(body, headers=headers, media_type=TYPES.get(name.rpartition(".")[2], "text/plain"))

    async def openapi(request: Request) -> Response:
        return responses.data(_described())

    ask = Route("/t/{code}", commands.ask, methods=["POST"])
    refused_here = "house" if config.pocket else "pocket"
    routes = [
        *(Route(each.path, served(site, _refusing(each, refused_here)), methods=[each.method]) for each in DECLARED),
        Route("/", front.page),
        Route("/tables", front.open, methods=["POST"]),
        Route("/find", front.find),
        Route("/language", front.speak, methods=["POST"]),
        Route("/names", front.forget_others, methods=["POST"]),
        Route("/rules/{game}", front.rules),
        Route("/prices", front.prices, methods=["POST"]),
        Route("/night", nights.form),
        Route("/night", nights.begin, methods=["POST"]),
        Route("/night/{code}", nights.night),
        Route("/night/{code}", nights.open, methods=["POST"]),
        Route("/book", books.page),
        Route("/book", books.ask, methods=["POST"]),
        Route("/book/export", books.export),
        Route("/help", front.help),
        Route("/privacy", front.privacy),
        Route("/words", front.moved),
        Route("/preview.png", front.preview),
        Route("/t/{code}", table_pages.page),
        ask,
        Route("/t/{code}/big", table_pages.big),
        Route("/t/{code}/state", data.state),
        Route("/t/{code}/events", _Events(data), methods=["GET"]),
        Route("/t/{code}/record", data.record),
        Route("/t/{code}/qr.svg", data.qr),
        Route("/static/{hash}/{name}", static),
        Route("/openapi.json", openapi),
        Route("/healthz", health.page),
        Route("/ready", health.ready),
        Route("/metrics", MetricsPage(house, health.is_well).page),
    ]

    @asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        def beat(part: int = 0) -> None:
            # first the next one, so that it comes even if this one fails
            house.after(HEARTBEAT_S / PARTS, lambda: beat((part + 1) % PARTS))
            house.heartbeat(part)
            if not part:
                keep_guesses(house, limiter)

        limiter.restore_guesses(house.store.setting(GUESSES) or b"[]", house.now() / 1000)
        beat()
        load_templates(render.templates())
        cluster = house.config.cluster
        following = None if cluster is None else asyncio.ensure_future(Follower(house, cluster).run())
        yield
        if following is not None:
            following.cancel()
        house.closing()
        keep_guesses(house, limiter)
        await house.background.drain()

    def look(scope: Scope, status: int, code: str, why: str) -> tuple[str, bytes]:
        return responses.guard_refusal(Browser(Request(scope)), games, status, Refusal(code, why))

    observed = _Observed(house, limiter)
    handlers = {404: front.missing, 405: front.wrong_way, 500: front.fault}
    app = Starlette(
        routes=_but(routes, HOUSE_ONLY if config.pocket else (), "house-only", games),
        exception_handlers=handlers,
        lifespan=living,
    )
    app.router.redirect_slashes = False  # an address with a slash at its end, also as %2f, is none of the house's
    return Guard(
        app,
        names=config.names,
        proxies=config.proxies,
        admit=observed.admit,
        look=look,
        failed=observed.failed,
        commands=CommandRoute(house, limiter, newcomers, ask, observed.failed),
        answered=observed.answered,
        pocket=config.pocket,
        most_body=MOST_HEARD if config.pocket else MOST_BODY,
    )


def _but(routes: Sequence[Route], paths: Container[str], code: str, games: tuple[tuple[str, str], ...]) -> list[Route]:
    """The routes, of which those with these paths are refused."""

    async def refuse(request: Request) -> Response:
        return responses.refused(Browser(request), Refused(code), games)

    def told(route: Route) -> Route:
        return Route(route.path, refuse, methods=list(route.methods or ())) if route.path in paths else route

    return [told(route) for route in routes]


def _refusing(route: Declared, only: str) -> Declared:
    """The route; one that is ``only`` for another kind of house is refused."""

    async def refuse(visit: PageVisit) -> Response:
        raise Refused("house-only" if only == "house" else "no-page")

    return replace(route, answer=refuse) if route.only == only else route


def keep_guesses(house: House, limiter: Limiter) -> None:
    """Have the store keep what was guessed wrongly, if anything was since the last time."""
    if (guesses := limiter.changed_guesses(house.now() / 1000)) is not None:
        house.background.spawn(house.keep(GUESSES, guesses))


def route_of(scope: Scope) -> str:
    """The route of a request, without what is in it; "none" if the guard answered it."""
    route = scope.get("route")
    return str(getattr(route, "path", "none"))
