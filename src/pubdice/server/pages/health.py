"""Pages for machines: a health check, metrics for Prometheus, static files, and the API's description.

A health check makes a small write, a probe, so an alert reports a dead database even at a quiet time. Plain numbers are
counted during play (``observe``), and ``prometheus_client`` reads them on request. Its own counters take a lock each, 2
µs a move in all.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from prometheus_client import ProcessCollector, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pubdice.core.errors import NotStored, Refused
from pubdice.server.observe import Durations
from pubdice.server.pages.visit import PageVisit, Site
from pubdice.server.table.house import House
from pubdice.server.web import static_files
from pubdice.server.web.routing import TEXT, Field, Route

WITHIN_S = 0.8
"""The time that a health check waits for its probe."""
FRESH_S = 1.0
"""The time for which a successful probe counts. More frequent checks write nothing."""
TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
IMMUTABLE = "public, max-age=31536000, immutable"
BYTES = "application/octet-stream"
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "txt": TEXT, "bin": BYTES}


class Health:
    """The health of a house. One probe of its store is under way at a time.

    ``process`` has the operating system's counters. It is in no Prometheus registry: if one process runs two houses, a
    shared registry would hold the counters twice.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self.process = ProcessCollector(registry=None)
        self._under_way: asyncio.Future[Any] | None = None
        self._well_at = float("-inf")
        self._late = False

    async def is_well(self) -> bool:
        """Return True if a write reaches the disk within ``WITHIN_S``."""
        loop = asyncio.get_running_loop()
        if self._under_way is None:
            if loop.time() < self._well_at + FRESH_S:
                return True
            self._under_way = loop.create_future()
            self._house.store.probe(self._probed, loop.call_soon_threadsafe)
        elif self._late:
            return False  # the probe hangs: an earlier check has waited for it in vain
        try:
            return bool(await asyncio.wait_for(asyncio.shield(self._under_way), WITHIN_S))
        except TimeoutError:
            self._late = True
            return False

    def _probed(self, outcome: object) -> None:
        well, under_way = not isinstance(outcome, NotStored), self._under_way
        if well:
            self._well_at = asyncio.get_running_loop().time()
        self._under_way, self._late = None, False
        if under_way is not None and not under_way.done():
            under_way.set_result(well)


async def healthz(site: Site, request: Request) -> Response:
    """``GET /healthz``: 200 or 503, within a second."""
    if await site.part(Health).is_well():
        return PlainTextResponse("well\n")
    return PlainTextResponse("cannot store\n", 503, {"retry-after": "1"})


async def ready(site: Site, request: Request) -> Response:
    """``GET /ready``: as ``healthz``, and 503 while a load balancer must send no new clients.

    Balancers must send no clients while the house hands its tables over to other nodes, or can't read their data.
    """
    process = site.house.process
    if process.leaving or process.cut_off:
        return PlainTextResponse("leaving\n" if process.leaving else "cut off\n", 503, {"retry-after": "1"})
    return await healthz(site, request)


async def metrics(site: Site, request: Request) -> Response:
    """``GET /metrics``: all metrics as text."""
    health = site.part(Health)
    scrape = _Scrape(site.house, health.process, await health.is_well())
    return Response(generate_latest(scrape), media_type=TEXT_FORMAT)


async def static(site: Site, request: Request) -> Response:
    """``GET /static/{hash}/{name}``: a style, a script or a picture. Browsers may cache it permanently."""
    name = request.path_params["name"]
    packs = "gzip" in request.headers.get("accept-encoding", "")
    try:
        body = static_files.compressed(name) if packs else static_files.served(name)
    except OSError:
        return PageVisit(site, request).refused(Refused("no-page"))
    headers = {"cache-control": IMMUTABLE, "vary": "accept-encoding", **({"content-encoding": "gzip"} if packs else {})}
    return Response(body, headers=headers, media_type=TYPES.get(name.rpartition(".")[2], TEXT))


@dataclass(frozen=True, slots=True)
class _Scrape(Collector):
    """The values of one scrape. ``stores`` is True if the probe was stored just now."""

    house: House
    process: Collector
    stores: bool

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics with their present values."""
        counts, actors = self.house.metrics, self.house.actors.values()
        yield CounterMetricFamily("pubdice_moves_total", "Commands done and stored.", counts.moves)
        refused = CounterMetricFamily("pubdice_refused_total", "Requests refused, by code.", labels=["code"])
        for code, count in sorted(counts.refused.items()):
            refused.add_metric([code], count)
        yield refused
        requests = CounterMetricFamily("pubdice_requests_total", "Requests answered.", labels=["route", "status"])
        for (route, status), count in sorted(counts.requests.items()):
            requests.add_metric([route, str(status)], count)
        yield requests
        yield CounterMetricFamily("pubdice_faults_total", "Requests that went wrong inside the house.", counts.faults)
        yield GaugeMetricFamily(
            "pubdice_streams", "Event streams open now.", sum(len(actor.streams) for actor in actors)
        )
        yield GaugeMetricFamily("pubdice_tables", "Tables live now.", len(actors))
        yield GaugeMetricFamily(
            "pubdice_store_up", "1 if a small write was stored within 0.8 s just now, else 0.", self.stores
        )
        yield GaugeMetricFamily(
            "pubdice_cut_off", "1 if it can't look at what other processes store, else 0.", self.house.process.cut_off
        )
        living = self.house.process.living
        yield GaugeMetricFamily("pubdice_processes", "Processes of the house that live, as far as it hears.", living)
        yield _histogram(
            "pubdice_commit_seconds", "From handing events to the store to their being durable.", counts.commits
        )
        yield _histogram("pubdice_command_seconds", "From a command's arrival to its answer.", counts.commands)
        yield _histogram(
            "pubdice_loop_lag_seconds", "How late the event loop's timers come while requests do.", counts.loop_lag
        )
        yield from self.process.collect()


def _histogram(name: str, documentation: str, durations: Durations) -> Metric:
    return HistogramMetricFamily(name, documentation, durations.buckets(), durations.sum_s)


HASH = Field("hash", schema={"pattern": "^[a-z0-9_-]{1,80}$"})
NAME = Field("name", schema={"pattern": "^[a-z0-9_-]{1,40}[.][a-z]{1,5}$"})
WELL = {200: (TEXT,), 503: (TEXT,)}
ROUTES = (
    Route(
        "GET",
        "/static/{hash}/{name}",
        static,
        "Styles, scripts and pictures.",
        (HASH, NAME),
        refuses=("no-page",),
        gives={200: ()},
        plain=True,
    ),
    Route("GET", "/ready", ready, "Whether a balancer may send people here.", gives=WELL, plain=True),
    Route("GET", "/healthz", healthz, "Whether the house can store what is played.", gives=WELL, plain=True),
    Route("GET", "/metrics", metrics, "Metrics for Prometheus.", gives={200: (TEXT,)}, plain=True),
)
