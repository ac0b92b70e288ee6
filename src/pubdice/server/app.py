"""The house as a web application: its pages, with the guard in front of them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.metadata import version

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as AppRoute
from starlette.types import Scope

from pubdice.core.errors import Refused
from pubdice.server.observe import LoopLag
from pubdice.server.pages import (
    about,
    ask,
    best_play,
    book,
    commands,
    daily,
    drill,
    evening,
    front,
    health,
    night,
    preview,
    prices,
    receipt,
    record,
    table,
    trial,
    turned,
    verify,
)
from pubdice.server.pages.visit import Newcomers, PageVisit, Site, served
from pubdice.server.table.house import HEARTBEAT_S, PARTS, House
from pubdice.server.web import render
from pubdice.server.web.browser import Browser, PublicAddress, guard_refusal, json_response
from pubdice.server.web.guard import MOST_BODY, MOST_HEARD, Guard
from pubdice.server.web.limits import Limiter, Limits
from pubdice.server.web.openapi import describe
from pubdice.server.web.routing import JSON, Route
from pubdice.server.web.trusted_hosts import Proxies
from pubdice.server.web.turns import Turns
from pubdice.server.wire import Refusal
from pubdice.text.catalogues import native_names

PAGES = (
    health, table, commands, front, about, ask, best_play, prices, daily, drill, receipt, evening, verify, record,
    night, book, trial, turned, preview,
)  # fmt: skip
"""The modules of the house's pages. For a new page, add a module with its ``ROUTES``, a template beside it, and a name
here.

Starlette tries the routes in order, and each route that does not match costs two calls. So the busiest come first:
``health``, because each page asks for 14 files.
"""
APART_S = 0.02
"""The pause between two templates as they are compiled."""
GUESSES = "guesses"
"""The store's setting with the rate-limit buckets of wrong codes. It outlives a restart: no client gets new tries."""


@dataclass(frozen=True, slots=True)
class HttpConfig:
    """The limits of requests, the accepted host names, the trusted proxies, and the addresses at which people reach the
    house.

    ``pocket`` is True for a house that runs in one browser. It refuses the routes that are ``only`` for a "house".
    """

    limits: Limits = field(default_factory=Limits)
    names: Iterable[str] = ()
    proxies: Proxies = ()
    public_address: PublicAddress = field(default_factory=PublicAddress)
    pocket: bool = False


async def openapi(site: Site, request: Request) -> Response:
    """``GET /openapi.json``: the house's API."""
    return json_response(_described())


@cache
def _described() -> bytes:
    """Return the house's API as JSON. The first request takes 40 ms, or a second on a phone."""
    return msgspec.json.encode(describe(ROUTES, version("pubdice")))


AWAY = (ask, best_play, book, daily, drill, evening, night, prices, receipt, record, verify)
"""The modules of pages away from the tables. In a language without the part "pages", these pages are in English."""
ROUTES = (
    *(replace(route, part="pages") if page in AWAY else route for page in PAGES for route in page.ROUTES),
    Route("GET", "/openapi.json", openapi, "This description.", gives={200: (JSON,)}, plain=True),
)
"""Every route of the house."""


@dataclass(frozen=True)
class _Observed:
    """Counts and logs requests: each when it comes, and again when it is answered."""

    house: House
    limiter: Limiter

    @cached_property
    def _lag(self) -> LoopLag:
        return LoopLag(self.house.metrics.loop_lag, self.house.event_log.write)

    def admit(self, address: str) -> float:
        """Count a request from an address, and return the seconds that the request must wait."""
        self._lag.begins()
        return self.limiter.request(address, self.house.now() / 1000)

    def answered(self, scope: Scope, status: int) -> None:
        """Count an answered request."""
        route = route_of(scope)
        self.house.metrics.requests[route, status] += 1
        self._lag.ends(route)

    def failed(self, scope: Scope, error: BaseException) -> None:
        """Log a request that failed by a fault of ours."""
        self.house.metrics.faults += 1
        self.house.event_log.failed(error, route=route_of(scope))


def load_templates(names: Sequence[str]) -> None:
    """Compile templates one by one, with pauses between. In one go they would hold the loop for 150 ms or more."""
    if names:
        render.load(names[0])
        asyncio.get_running_loop().call_later(APART_S, load_templates, names[1:])


def create_app(house: House, source: Callable[[int], bytes], config: HttpConfig) -> Guard:
    """Create the application of a house. ``source`` returns random bytes, for tokens and keys."""
    limiter = Limiter(config.limits, house.secret)
    site = Site(house, limiter, source, config.public_address)
    elsewhere = "house" if config.pocket else "pocket"
    routes = [route if route.only != elsewhere else _refusing(route) for route in ROUTES]

    @asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        def beat(part: int = 0) -> None:
            # Schedule the next beat first, so it comes even if this one fails.
            house.after(HEARTBEAT_S / PARTS, lambda: beat((part + 1) % PARTS))
            house.heartbeat(part)
            if not part:
                keep_guesses(house, limiter)

        limiter.restore_guesses(house.store.setting(GUESSES) or b"[]", house.now() / 1000)
        beat()
        load_templates(render.templates())
        native_names()  # every page lists the languages: now no request has to read their files
        yield
        keep_guesses(house, limiter)
        await house.close()

    def look(scope: Scope, status: int, code: str, why: str) -> tuple[str, bytes]:
        return guard_refusal(Browser(Request(scope)), site.games, status, Refusal(code, why))

    async def wrong_way(request: Request, error: Exception) -> Response:
        refused = PageVisit(site, request).refused(Refused("no-way"))
        refused.headers.update(getattr(error, "headers", None) or {})
        return refused

    async def missing(request: Request, error: Exception) -> Response:
        return PageVisit(site, request).refused(Refused("no-page"))

    async def fault(request: Request, error: Exception) -> Response:  # the guard logs it
        return PageVisit(site, request).refused(Refused("fault"))

    observed = _Observed(house, limiter)
    app = Starlette(
        routes=[AppRoute(route.path, served(site, route), methods=[route.method]) for route in routes],
        exception_handlers={404: missing, 405: wrong_way, 500: fault},
        lifespan=living,
    )
    app.router.redirect_slashes = False  # no address of the house ends in a slash, nor in %2f
    return Guard(
        app,
        names=config.names,
        proxies=config.proxies,
        admit=observed.admit,
        look=look,
        failed=observed.failed,
        read_command=commands.CommandRoute(house, limiter, site.part(Newcomers), observed.failed).read,
        answered=observed.answered,
        pocket=config.pocket,
        most_body=MOST_HEARD if config.pocket else MOST_BODY,
        turns=None if config.pocket else Turns(config.limits),
    )


def _refusing(route: Route) -> Route:
    """Return a copy of a route that refuses every request. It replaces a route of which this kind of house (server or
    pocket) has no use.
    """

    async def refuse(visit: PageVisit) -> Response:
        raise Refused("house-only" if route.only == "house" else "no-page")

    return replace(route, answer=refuse, limit="")


def keep_guesses(house: House, limiter: Limiter) -> None:
    """Store the buckets of wrong codes, if any has changed since the last time."""
    if (guesses := limiter.changed_guesses(house.now() / 1000)) is not None:
        house.background.spawn(house.keep(GUESSES, guesses))


def route_of(scope: Scope) -> str:
    """Return the path of a request's route with its placeholders, for example ``/t/{code}``.

    "none" if the guard answered the request.
    """
    route = scope.get("route")
    return str(getattr(route, "path", "none"))
